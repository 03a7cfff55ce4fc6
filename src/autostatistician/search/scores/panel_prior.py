"""What the series of a panel learn from each other: empirical Bayes on top of the priors that come with the package.

Every fitted series leaves its structures, with their weights, and its parameters, with their uncertainty. Shares of
structures are those of the package as so many series (Dirichlet), and what the panel had; the moments of parameters,
too. All of it are sums: a series that was among them is taken off again where it is judged itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from math import log
from typing import Any

from autostatistician.inference import Problem, Scales
from autostatistician.inference.parameters.learned import Place
from autostatistician.inference.parameters.moments import NO_MOMENTS, Moments
from autostatistician.inference.uncertainty.seen import Key, seen_parameters
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, operands, unset
from autostatistician.language.text import parse
from autostatistician.search.scores.same_function import one_spelling
from autostatistician.search.scores.series_priors import SeriesPriors
from autostatistician.search.scores.structure_prior import PRODUCT, StructurePrior, shape_of, terms_of

__all__ = ["PanelPrior", "SeenSeries", "panel_prior", "seen_series"]

Shares = Mapping[str, float]

SERIES_OF_PACKAGE = 10.0  # that the priors of the package count as much as
LEAST_WEIGHT = 0.01  # of a structure that leaves anything
ODDS_TO_PROPOSE = 1e-4  # of a structure against the most probable one of the panel, from which it is proposed


@dataclass(frozen=True)
class SeenSeries:
    """What fitted series leave: the weights of their numbers of terms, of the shapes of these, of factors of products,
    and of whole structures (by their text), and sums over their parameters.
    """

    has_season: bool
    counts: Shares = field(default_factory=dict)
    shapes: Shares = field(default_factory=dict)
    factors: Shares = field(default_factory=dict)
    structures: Shares = field(default_factory=dict)
    numbers: Mapping[Key, Moments] = field(default_factory=dict)

    def plus(self, other: SeenSeries, times: float = 1.0) -> SeenSeries:
        """With what others left, so many times: minus one takes it off again.

        >>> one = SeenSeries(False, {"1": 0.75, "2": 0.25})
        >>> one.plus(SeenSeries(False, {"2": 1.0})).counts
        {'1': 0.75, '2': 1.25}
        """
        numbers = dict(self.numbers)
        for key, moments in other.numbers.items():
            numbers[key] = numbers.get(key, NO_MOMENTS).added(moments, times)
        return SeenSeries(
            self.has_season,
            _sum(self.counts, other.counts, times),
            _sum(self.shapes, other.shapes, times),
            _sum(self.factors, other.factors, times),
            _sum(self.structures, other.structures, times),
            numbers,
        )

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""
        numbers = [[*key, *astuple(moments)] for key, moments in self.numbers.items()]
        shares = {name: dict(getattr(self, name)) for name in ("counts", "shapes", "factors", "structures")}
        return {"has_season": self.has_season, **shares, "numbers": numbers}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> SeenSeries:
        """What `to_json` wrote."""
        numbers = {(leaf, name, Place(place)): Moments(*sums) for leaf, name, place, *sums in record["numbers"]}
        return cls(**{**record, "numbers": numbers})


def seen_series(fitted: Iterable[tuple[Kernel, float]], problem: Problem, scales: Scales) -> SeenSeries:
    """What one series leaves whose ``fitted`` models have such weights; all in standard units."""
    seen = SeenSeries(bool(scales.only.seasons))
    for kernel, weight in fitted:
        if weight < LEAST_WEIGHT:
            continue
        expr = one_spelling(kernel.expr)
        counts, shapes, factors = (dict.fromkeys(keys, 0.0) for keys in _told(expr))
        for table, keys in zip((counts, shapes, factors), _told(expr), strict=True):
            for key in keys:
                table[key] += weight
        numbers: dict[Key, Moments] = {}
        for place, moments in seen_parameters(kernel, problem, scales, weight):
            numbers[place] = numbers.get(place, NO_MOMENTS).added(moments)
        structure = {str(unset(expr)): weight}
        seen = seen.plus(SeenSeries(seen.has_season, counts, shapes, factors, structure, numbers))
    return seen


def _told(expr: Expr) -> tuple[list[str], list[str], list[str]]:
    """The number of terms of a structure, their shapes, and the factors of its products.

    >>> _told(parse("Lin + Lin * SE * Per + C + WN"))
    (['2'], ['Lin', 'product'], ['Lin', 'SE', 'Per'])
    """
    terms = terms_of(expr)
    shapes = [shape_of(term) for term in terms]
    products = [operands(term) for term, shape in zip(terms, shapes, strict=True) if shape == PRODUCT]
    factors = [factor.symbol for product in products for factor in product if isinstance(factor, Leaf)]
    return [str(len(terms))], shapes, factors


@dataclass(frozen=True)
class PanelPrior:
    """The priors of a panel: those of ``base``, and what its series left, with and without seasons."""

    base: SeriesPriors
    seasonal: SeenSeries = SeenSeries(True)
    plain: SeenSeries = SeenSeries(False)

    @cached_property
    def priors(self) -> SeriesPriors:
        """What the panel believes of its next series."""
        numbers = {key: self._moments(key).prior(prior, SERIES_OF_PACKAGE) for key, prior in self.base.rows.items()}
        return SeriesPriors(numbers, _after(self.base.seasonal, self.seasonal), _after(self.base.plain, self.plain))

    def plus(self, seen: SeenSeries, times: float = 1.0) -> PanelPrior:
        """With what another series left."""
        if seen.has_season:
            return replace(self, seasonal=self.seasonal.plus(seen, times))
        return replace(self, plain=self.plain.plus(seen, times))

    def without(self, seen: SeenSeries) -> PanelPrior:
        """Without what a series left that is among the others: what judges it must not have seen it."""
        return self.plus(seen, -1.0)

    def structures(self, *, has_season: bool) -> Sequence[Expr]:
        """The structures that series of the panel had, those with the most weight first."""
        weights = (self.seasonal if has_season else self.plain).structures
        ranked = sorted(
            (text for text, weight in weights.items() if weight > LEAST_WEIGHT), key=lambda one: -weights[one]
        )
        return [parse(text) for text in ranked]

    def probable(self, expr: Expr, *, has_season: bool) -> bool:
        """Whether the panel leaves a structure the odds to be proposed, against the likeliest that its series had."""
        prior = self.priors.structures(has_season)
        had = [prior.log_probability(one) for one in self.structures(has_season=has_season)]
        return not had or prior.log_probability(expr) - max(had) > log(ODDS_TO_PROPOSE)

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""
        return {"base": self.base.to_json(), "seasonal": self.seasonal.to_json(), "plain": self.plain.to_json()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> PanelPrior:
        """What `to_json` wrote."""
        seen = (SeenSeries.from_json(record[name]) for name in ("seasonal", "plain"))
        return cls(SeriesPriors.from_json(record["base"]), *seen)

    def _moments(self, key: Key) -> Moments:
        return self.seasonal.numbers.get(key, NO_MOMENTS).added(self.plain.numbers.get(key, NO_MOMENTS))


def panel_prior(fitted: Iterable[SeenSeries], base: SeriesPriors | None = None) -> PanelPrior:
    """The prior of a panel after the series that were ``fitted``, on top of that of the package.

    >>> panel = panel_prior([SeenSeries(False, {"1": 1.0}, {"Lin": 1.0})] * 90)
    >>> round(panel.priors.plain.counts["1"], 2), panel.priors.seasonal == panel.base.seasonal
    (0.95, True)
    """
    panel = PanelPrior(SeriesPriors.of_package() if base is None else base)
    for seen in fitted:
        panel = panel.plus(seen)
    return panel


def _sum(one: Shares, other: Shares, times: float) -> dict[str, float]:
    return {key: one.get(key, 0.0) + times * other.get(key, 0.0) for key in {**one, **other}}


def _after(before: StructurePrior, seen: SeenSeries) -> StructurePrior:
    """The shares before as those of so many series, with those that were seen."""
    return StructurePrior(
        _mixed(before.counts, seen.counts), _mixed(before.shapes, seen.shapes), _mixed(before.factors, seen.factors)
    )


def _mixed(before: Shares, seen: Shares) -> dict[str, float]:
    """Shares of which those before stand for `SERIES_OF_PACKAGE`.

    >>> _mixed({"a": 0.5, "b": 0.5}, {"a": 10.0})
    {'a': 0.75, 'b': 0.25}
    """
    found = {key: max(seen.get(key, 0.0), 0.0) for key in before}
    total = SERIES_OF_PACKAGE + sum(found.values())
    if total == SERIES_OF_PACKAGE:
        return dict(before)
    return {key: (SERIES_OF_PACKAGE * share + found[key]) / total for key, share in before.items()}
