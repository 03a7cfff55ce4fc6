"""The effects of the columns beside a series, as a value: what they add at any time, with what is open about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any, TypeVar, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from autostatistician.data.covariates import Covariates
from autostatistician.forms import COMMON_SEASON
from autostatistician.gp.posterior import Posterior
from autostatistician.regressors.effects import (
    Clock,
    CovariateScale,
    Effect,
    effects_of,
    features,
    of_values,
    prior_sds,
    with_time,
)

__all__ = ["CovariateEffects", "estimated", "prepared"]


Array = NDArray[np.float64]

SIZES = (0.1, 0.4, 1.5, 6.0)  # prior standard deviations of an effect, in those of the target; rare days are far off

SQUARED_SIZES = np.square(SIZES)[:, None]

FREEDOM = 4.0  # of the prior of the scale, whose mean is about one

WARM_UP, SWEEPS = 30, 200

DRAWS = 5  # of coefficients after each sweep: the ends of a range need a thousand

MOST_IN_PRIOR = 0.25  # probability that a column acts

EXPECTED = 2.5  # columns that act, where there are many

GROUP_IN, GROUP_OUT = 1.0, 3.0  # units of a group that act and that do not, before the data

SEASON_IN, SEASON_OUT = 3.0, 1.0  # the same of a season that many other series show

LARGEST_NUMBER = 1e151  # of a record: others are not finite when squared

LEAST_TOLD = 0.02  # probability that a column acts, below which it is left out


@dataclass(frozen=True, eq=False)
class CovariateEffects:
    """Draws (s, P) of the coefficients of the features of several effects, on the scale of the model.

    ``probabilities`` has of each column the probability that it acts, also of columns without an effect here.
    """

    columns: Covariates
    clock: Clock
    scales: tuple[CovariateScale, ...]
    effects: tuple[Effect, ...]
    draws: Array
    probabilities: Mapping[str, float]
    shapes: tuple[float, ...] = ()  # probability of each effect

    @cached_property
    def places(self) -> tuple[slice, ...]:
        """Where the features of each effect stand among all."""
        ends = np.cumsum([0, *(len(prior_sds(effect, self.scale_of(effect.column))) for effect in self.effects)])
        return tuple(slice(int(low), int(high)) for low, high in pairwise(ends))

    def scale_of(self, name: str) -> CovariateScale:
        """The units of a column."""
        return next(scale for scale in self.scales if scale.name == name)

    @property
    def acting(self) -> tuple[str, ...]:
        """The columns that more probably act than not, the surest first."""
        likely = [name for name, chance in self.probabilities.items() if chance > 0.5]
        return tuple(sorted(likely, key=lambda name: -self.probabilities[name]))

    def matrix(self, x: Array, columns: Covariates | None = None) -> Array:
        """The features (m, P) at positions (m,), with the values of the data or of other ``columns``."""
        source = self.columns if columns is None else columns
        made = [features(effect, self.scale_of(effect.column), self.clock, source, x) for effect in self.effects]
        return np.column_stack(made) if made else np.zeros((len(x), 0))

    def added(self, x: Array, columns: Covariates | None = None) -> Array:
        """What all columns together add at positions (m,), draws (s, m)."""
        return np.asarray(self.draws @ self.matrix(x, columns).T)

    def mean_added(self, x: Array) -> Array:
        """What all columns together add on average at positions (m,)."""
        return np.asarray(self.matrix(x) @ self.mean_coefficients)

    def added_by(self, name: str, x: Array, columns: Covariates | None = None) -> Array:
        """What one column adds there, draws (s, m)."""
        total = np.zeros((len(self.draws), len(x)))
        source = self.columns if columns is None else columns
        for effect, place in zip(self.effects, self.places, strict=True):
            if effect.column == name:
                made = features(effect, self.scale_of(name), self.clock, source, x)
                total += self.draws[:, place] @ made.T
        return total

    def curve(self, name: str, values: Array, x: float | None = None) -> Array:
        """What a column adds for good where it holds values (m,), compared with its usual one: draws (s, m).

        Effects that come late or fade are those of a lasting value; what changes with time is as at position ``x``, by
        default averaged over time.
        """
        total = np.zeros((len(self.draws), len(values)))
        for effect, place in zip(self.effects, self.places, strict=True):
            if effect.column != name:
                continue
            plain = of_values(effect, self.scale_of(name), values)
            if effect.over and x is not None:
                plain = with_time(plain, effect, self.clock, np.full(len(values), x))
            made = self.draws[:, place][:, : plain.shape[1]] @ plain.T
            total += made / (1.0 - effect.decay) if effect.decay else made
        return total

    @property
    def mean_coefficients(self) -> Array:
        """The posterior means (P,)."""
        return np.asarray(self.draws.mean(axis=0))

    @property
    def deviations(self) -> Array:
        """What the draws (s, P) deviate from these."""
        return self.draws - self.mean_coefficients

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record, but for the columns, which the data hold."""
        return {
            "clock": vars(self.clock),
            "scales": [vars(scale) | {"levels": list(scale.levels)} for scale in self.scales],
            "effects": [effect.to_json() for effect in self.effects],
            "draws": np.round(self.draws, 12).tolist(),
            "probabilities": dict(self.probabilities),
            "shapes": list(self.shapes),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any], columns: Covariates) -> CovariateEffects:
        """The effects of a record made by `to_json`."""
        scales = tuple(_typed(CovariateScale, scale | {"levels": tuple(scale["levels"])}) for scale in record["scales"])
        effects, clock = tuple(_typed(Effect, effect) for effect in record["effects"]), _typed(Clock, record["clock"])
        draws = np.array(record["draws"], dtype=np.float64).reshape(len(record["draws"]), -1)
        chances = {str(name): float(chance) for name, chance in record["probabilities"].items()}
        made = cls(columns, clock, scales, effects, draws, chances, tuple(map(float, record["shapes"])))
        known = {(column.name, column.levels) for column in columns.at(columns.x[:1])}
        named = {scale.name for scale in scales if (scale.name, scale.levels) in known}
        if not named >= {scale.name for scale in scales} | {effect.column for effect in effects}:
            raise ValueError("effects of columns that are not there")
        if not all(effect.is_possible for effect in effects) or len(made.shapes) != len(effects):
            raise ValueError("effects that no column has")
        if draws.shape[1] != sum(place.stop - place.start for place in made.places) or not np.isfinite(draws).all():
            raise ValueError("coefficients that do not fit the effects")
        with np.errstate(all="ignore"):
            if not np.isfinite(made.mean_added(columns.x[:1])).all():
                raise ValueError("effects that are no numbers")
        return made


AnyKind = TypeVar("AnyKind", Clock, CovariateScale, Effect)


def _typed(kind: type[AnyKind], record: Mapping[str, Any]) -> AnyKind:
    """A value of a kind whose fields are finite numbers and texts, as its annotations say."""
    value = kind(**record)
    for name, wanted in get_type_hints(kind).items():
        given = getattr(value, name)
        fits = isinstance(given, int | float if wanted is float else get_origin(wanted) or wanted)
        if not fits or isinstance(given, bool) or (wanted in (int, float) and not abs(given) < LARGEST_NUMBER):
            raise TypeError(f"{name!r} is {given!r}")
    return value


@dataclass(frozen=True, eq=False)
class Prepared:
    """All effects that the columns may have, and their features (n, P) at the rows."""

    columns: Covariates
    clock: Clock
    scales: tuple[CovariateScale, ...]
    units: tuple[Candidates, ...]
    matrix: Array = field(repr=False)

    def only(self, rows: NDArray[np.bool_]) -> Prepared:
        """The same at some of the rows."""
        return self if rows.all() else replace(self, matrix=self.matrix[rows])


def prepared(columns: Covariates, clock: Clock, x: Array) -> Prepared:
    """The candidates of every column at the rows' positions (n,)."""
    at_rows = [column for column in columns.at(x) if np.isfinite(column.values).any()]
    scales = tuple(CovariateScale.of(column) for column in at_rows)
    members: dict[tuple[str, str], list[CovariateScale]] = {}
    for column, scale in zip(at_rows, scales, strict=True):
        members.setdefault((column.group, column.event or column.name), []).append(scale)
    units, blocks, first = [], [], 0
    for (group, name), together in members.items():
        ways, shares, places, sds = [], [], [], []
        for way, share in _ways(together, clock, group):
            made = [features(effect, scale, clock, columns, x) for effect, scale in way]
            blocks += made
            width = sum(block.shape[1] for block in made)
            ways.append(tuple(effect for effect, _ in way))
            shares.append(share)
            places.append(np.arange(first, first + width))
            sds.append(np.concatenate([prior_sds(effect, scale) for effect, scale in way]))
            first += width
        units.append(Candidates(name, tuple(ways), tuple(places), tuple(sds), tuple(shares), group))
    return Prepared(columns, clock, scales, tuple(units), np.column_stack(blocks))


def _ways(
    together: Sequence[CovariateScale], clock: Clock, group: str
) -> list[tuple[tuple[tuple[Effect, CovariateScale], ...], float]]:
    """The ways of a unit with their shares: an event acts on all of its days, a column in one of its effects."""
    if group:
        return [(tuple((Effect(scale.name), scale) for scale in together), 1.0)]
    (scale,) = together
    return [(((effect, scale),), share) for effect, share in effects_of(scale, clock)]


def estimated(candidates: Prepared, posterior: Posterior, y: Array, size: float, seed: int) -> CovariateEffects:
    """The effects given the time structure of a posterior, for targets (n,) on the scale of the model.

    ``size`` is the unit of an effect: about the standard deviation of the targets.
    """
    rng = np.random.default_rng(seed)
    made = selected(candidates.units, posterior.whitened(candidates.matrix * size), posterior.whitened(y), rng)
    return _of_draws(candidates, made, size)


def _of_draws(candidates: Prepared, made: SelectionDraws, size: float) -> CovariateEffects:
    """The effects that some draws have, with what is rare left out."""
    effects: list[Effect] = []
    shapes: list[float] = []
    kept: list[NDArray[np.intp]] = []
    probabilities: dict[str, float] = {}
    scale_of = {scale.name: scale for scale in candidates.scales}
    for unit, chances in zip(candidates.units, made.probabilities, strict=True):
        probabilities |= {effect.column: float(chances.sum()) for way in unit.ways for effect in way}
        if chances.sum() < LEAST_TOLD:
            continue
        for way, places, chance in zip(unit.ways, unit.columns, chances, strict=True):
            if not np.any(made.coefficients[:, places]):
                continue
            first = 0
            for effect in way:
                width = len(prior_sds(effect, scale_of[effect.column]))
                effects.append(effect)
                shapes.append(float(chance))
                kept.append(places[first : first + width])
                first += width
    places = np.concatenate(kept) if kept else np.zeros(0, dtype=np.intp)
    return CovariateEffects(
        candidates.columns, candidates.clock, candidates.scales, tuple(effects), made.coefficients[:, places] * size,
        probabilities, tuple(shapes),
    )  # fmt: skip


# --- Which columns act, and how -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Candidates:
    """The ways in which a column may act, or the columns of one event together, and their features among all.

    Each way is one effect or, of an event, an effect for each of its days. ``columns`` are those of the matrix of all
    features, ``sds`` the prior standard deviations of their coefficients for an effect of size one, ``share`` how
    probable each way is if the unit acts. Units of a group share how probable it is that they act at all.
    """

    unit: str
    ways: tuple[tuple[Effect, ...], ...]
    columns: tuple[NDArray[np.intp], ...]
    sds: tuple[Array, ...]
    shares: tuple[float, ...]
    group: str = ""

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """The columns of all ways, each once."""
        return np.unique(np.concatenate(self.columns))

    @cached_property
    def by_width(self) -> list[tuple[list[int], NDArray[np.intp], Array]]:
        """The ways of each number w of columns: their indices, where they stand in `places` (k, w), and sds (k, w)."""
        widths = [len(columns) for columns in self.columns]
        alike = [[index for index, width in enumerate(widths) if width == each] for each in dict.fromkeys(widths)]
        at = [np.searchsorted(self.places, columns) for columns in self.columns]
        return [(some, np.array([at[k] for k in some]), np.array([self.sds[k] for k in some])) for some in alike]


@dataclass(frozen=True, eq=False)
class SelectionDraws:
    """Draws of coefficients (s, P) of all features, and the probabilities of the ways of each unit."""

    coefficients: Array
    scales: Array  # (s,) of the noise and the time structure together, beside what was assumed
    probabilities: tuple[Array, ...]  # of each unit: (number of ways,) adding up to that it acts


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of products of whitened features and targets."""

    gram: Array
    cross: Array
    square: float
    rows: int


def selected(units: Sequence[Candidates], whitened: Array, target: Array, rng: np.random.Generator) -> SelectionDraws:
    """Draws from the posterior of effects, given whitened features (n, P) and targets (n,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 2))
    >>> plain = [Effect(name) for name in "ab"]
    >>> units = [Candidates(e.column, ((e,),), (np.array([k]),), (np.ones(1),), (1.0,)) for k, e in enumerate(plain)]
    >>> draws = selected(units, X, 2.0 * X[:, 0] + rng.standard_normal(80), rng)
    >>> [round(float(ways.sum())) for ways in draws.probabilities], round(float(draws.coefficients[:, 0].mean()))
    ([1, 0], 2)
    """
    sums = _Sums(whitened.T @ whitened, whitened.T @ target, float(target @ target), len(target))
    states: list[tuple[int, float] | None] = [None] * len(units)
    probabilities = [np.zeros(len(unit.ways)) for unit in units]
    coefficients, scales = [], []
    for sweep in range(WARM_UP + SWEEPS):
        acting = _acting(units, states, rng)
        for place in rng.permutation(len(units)):
            others = _active(units, [None if k == place else state for k, state in enumerate(states)])
            choices, weights = _conditional(units[place], others, sums, acting[units[place].group])
            drawn = choices[int(rng.choice(len(choices), p=weights))]
            states[place] = drawn
            if sweep >= WARM_UP:
                for choice, weight in zip(choices, weights, strict=True):
                    if choice is not None:
                        probabilities[place][choice[0]] += weight / SWEEPS
        if sweep >= WARM_UP:
            active = _active(units, states)
            drawn_values = [_drawn(active, sums, rng) for _ in range(DRAWS)]
            coefficients += [values for values, _ in drawn_values]
            scales += [scale for _, scale in drawn_values]
    return SelectionDraws(np.array(coefficients), np.array(scales), tuple(probabilities))


def _acting(
    units: Sequence[Candidates], states: Sequence[tuple[int, float] | None], rng: np.random.Generator
) -> dict[str, float]:
    """The prior probability that a unit acts: fixed for single columns, drawn for each group given how many do."""
    single = [unit for unit in units if not unit.group]
    acting = {"": min(MOST_IN_PRIOR, EXPECTED / max(len(single), 1))}
    for group in sorted({unit.group for unit in units if unit.group}):
        inside = [state is not None for unit, state in zip(units, states, strict=True) if unit.group == group]
        many = sum(inside)
        before = (SEASON_IN, SEASON_OUT) if group == COMMON_SEASON else (GROUP_IN, GROUP_OUT)
        drawn = rng.beta(before[0] + many, before[1] + len(inside) - many)
        acting[group] = float(np.clip(drawn, 1e-4, 1.0 - 1e-4))
    return acting


def _active(units: Sequence[Candidates], states: Sequence[tuple[int, float] | None]) -> tuple[NDArray[np.intp], Array]:
    """The features that are in, and the prior variances of their coefficients."""
    chosen = [(unit, state) for unit, state in zip(units, states, strict=True) if state is not None]
    if not chosen:
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    places = np.concatenate([unit.columns[index] for unit, (index, _) in chosen])
    variances = np.concatenate([(size * unit.sds[index]) ** 2 for unit, (index, size) in chosen])
    return places, variances


def _conditional(
    unit: Candidates, others: tuple[NDArray[np.intp], Array], sums: _Sums, acting: float
) -> tuple[list[tuple[int, float] | None], Array]:
    """What a unit may do given what all others do, with probabilities."""
    places = unit.places
    gram, cross, square = sums.gram[np.ix_(places, places)], sums.cross[places], sums.square
    inside, variances = others
    if inside.size:
        between = sums.gram[np.ix_(inside, places)]
        factor = cho_factor(
            sums.gram[np.ix_(inside, inside)] + np.diag(1.0 / variances), lower=True, check_finite=False
        )
        solved = cho_solve(factor, np.column_stack([between, sums.cross[inside]]), check_finite=False)
        gram, cross = gram - between.T @ solved[:, :-1], cross - between.T @ solved[:, -1]
        square -= float(sums.cross[inside] @ solved[:, -1])
    freedom = 0.5 * (sums.rows + FREEDOM)
    every = np.empty((len(unit.ways), len(SIZES)))
    for some, at, sds in unit.by_width:
        grams = sds[:, :, None] * gram[at[:, :, None], at[:, None, :]] * sds[:, None, :]
        determinants, explained = _gains(grams, sds * cross[at])
        left_over = FREEDOM + np.maximum(square - explained, 1e-12 * square)
        every[some] = -0.5 * determinants - freedom * np.log(left_over)
    every += np.log(acting * np.array(unit.shares) / len(SIZES))[:, None]
    none = np.log1p(-acting) - freedom * np.log(FREEDOM + max(square, 0.0))
    logs = np.append(none, every)
    weights = np.exp(logs - logs.max())
    return [None, *product(range(len(unit.ways)), SIZES)], weights / weights.sum()


def _gains(grams: Array, crosses: Array) -> tuple[Array, Array]:
    """For each Gram matrix G (of k, w, w) and each of `SIZES`, the log determinant of ``I + size^2 G`` (k, sizes).

    And what its features explain of the sum of squares.
    """
    values, axes = np.linalg.eigh(grams)
    grown = 1.0 + SQUARED_SIZES * np.maximum(values, 0.0)[:, None]
    along = (crosses[:, None] @ axes) ** 2
    return np.log(grown).sum(axis=2), (SQUARED_SIZES * along / grown).sum(axis=2)


def _drawn(active: tuple[NDArray[np.intp], Array], sums: _Sums, rng: np.random.Generator) -> tuple[Array, float]:
    """Coefficients of all features, zero of those that are out, and the scale, drawn from their posterior."""
    values = np.zeros(len(sums.cross))
    inside, variances = active
    if not inside.size:
        return values, _scale(sums.square, sums.rows, rng)
    precision = sums.gram[np.ix_(inside, inside)] + np.diag(1.0 / variances)
    lower = np.linalg.cholesky(precision)
    mean = cho_solve((lower, True), sums.cross[inside])
    scale = _scale(max(sums.square - float(sums.cross[inside] @ mean), 0.0), sums.rows, rng)
    noise = solve_triangular(lower, rng.standard_normal(len(inside)), lower=True, trans=1)
    values[inside] = mean + scale * noise
    return values, scale


def _scale(square: float, rows: int, rng: np.random.Generator) -> float:
    return float(np.sqrt((FREEDOM + square) / rng.chisquare(rows + FREEDOM)))
