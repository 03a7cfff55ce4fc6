"""Predictions that average over what the data leave open: the structure of the model, and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.transform import Transform
from autostatistician.fitted.baseline_models import with_baseline_models
from autostatistician.fitted.model import Model
from autostatistician.gp import Problem, condition
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.posterior.functionals import Differences
from autostatistician.gp.uncertainty import draws
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import Candidate

__all__ = ["Ensemble", "ensemble", "mixed_moments"]

Array = NDArray[np.float64]

GOES_ON_BY_PERCENT = 0.6  # of the growth of the whole on the scale of the logarithm; of that in units all does

# How sure the growth of the whole is beside that of a model: learned by `benchmarks/learn_ahead.py`.
ROWS_OF_PRIOR = 60.0  # with more of them a model knows better what goes on, in proportion
VARIANCE_OF_GROWTH = 0.3  # of its square: by how much other series went on otherwise than they grew

MOST_PLACES = 200  # of a series, at which the growth that it had is looked at

# Members of an ensemble, shared among the structures by their weights; fewer where a factorisation takes long.
MOST_MEMBERS, FEWEST_MEMBERS = 32, 8

MANY_ROWS = 400  # with more of them there are fewer members

MOST_ROWS_OF_DRAWS = 20_000  # with more of them, what they leave open about parameters is far less than the noise

LEAST_DRAWN_WEIGHT = 0.05  # of a structure of which several sets of parameters are drawn

MOST_STRUCTURES = 8


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Models conditioned on the same data, with weights that add up to one."""

    members: tuple[Posterior, ...]
    weights: Array
    growth: PastGrowth | None = None  # of the whole of the data, with which that by the models is averaged

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels of the members."""
        return tuple(member.kernel for member in self.members)

    def observations(self, X: Array) -> tuple[Array, Array]:
        """Means and standard deviations (k, m) of new observations at ``X`` (m, d), by each member."""
        return self._beyond(X, [member.observations(X) for member in self.members])

    def joint(
        self, X: Array, transform: Transform, limit: Callable[[Array, Array], tuple[Array, Array]], *, signal: bool
    ) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) in the units of the data; of the function where ``signal``.

        ``limit`` is applied to the moments of every member on the scale of the model.
        """
        moments = self.moments_jointly(X, signal=signal)
        return mixed_moments(self.weights, [transform.joint(*limit(*each)) for each in moments])

    def moments_jointly(self, X: Array, *, signal: bool) -> list[tuple[Array, Array]]:
        """Mean (m,) and covariance (m, m) by each member, on the scale of the model."""
        moments = [(member.signal_joint if signal else member.observations_joint)(X) for member in self.members]
        return self._drawn(X, moments)

    def given(self, X: Array, y: Array) -> Ensemble:
        """The same members, given further observations ``y`` (m,) at ``X`` (m, d) as well."""
        return replace(self, members=tuple(member.updated(X, y) for member in self.members))

    def signal(self, X: Array) -> tuple[Array, Array]:
        """The same for the function behind the observations."""
        return self._beyond(X, [member.signal(X) for member in self.members])

    def _beyond(self, X: Array, moments: list[tuple[Array, Array]]) -> tuple[Array, Array]:
        """Means and standard deviations (k, m) with the changes that are made to them outside the data."""
        means, sds = zip(*self._drawn(X, moments), strict=True)
        return np.array(means), np.array(sds)

    def _drawn(self, X: Array, moments: list[tuple[Array, Array]]) -> list[tuple[Array, Array]]:
        """Moments with the growth of the past, averaged with that by each member."""
        if self.growth is None:
            return moments
        pairs = zip(self._trends, moments, strict=True)
        return [(mean + self.growth.moves(trend, X), spread) for trend, (mean, spread) in pairs]

    @cached_property
    def _trends(self) -> tuple[Trend, ...]:
        return tuple(map(Trend, self.members))


def ensemble(model: Model) -> Ensemble:
    """The models that a search visited, by their posterior weights, each with draws of its parameters.

    The seed is that of the model.
    """
    return model.once("ensemble", lambda: _ensemble(model))


def _ensemble(model: Model) -> Ensemble:
    dataset, structures = model.modelled, model.structures
    crowded = (MANY_ROWS / max(dataset.n, MANY_ROWS)) ** 1.5
    with one_thread():
        problem = Problem.of(dataset, model.problem.likelihood)
        chosen = _members(model, dataset, max(FEWEST_MEMBERS, int(MOST_MEMBERS * crowded)), structures)
        members = tuple(
            model.posterior if _is_fit(kernel, model) else condition(kernel, problem) for kernel, _ in chosen
        )
        sizes = np.array([weight for _, weight in chosen])
        if dataset.kind is Kind.TABLE and problem.likelihood.is_latent:
            best = -0.5 * min(candidate.score for candidate, _ in structures)
            members, sizes = with_baseline_models(best, members, sizes, dataset, problem.likelihood)
    is_series = dataset.kind is Kind.SERIES and not model.problem.likelihood.is_latent
    # A share cannot grow on and on, and pseudo-targets of zeros tell a line little: with it forecasts of intermittent
    # demand were worse, and those of other counts no better.
    has_growth = is_series and not model.transform.is_odds and model.counted is None
    growth = past_growth(dataset, is_log=model.transform.is_log) if has_growth else None
    return Ensemble(members, sizes / sizes.sum(), growth)


def _is_fit(kernel: Kernel, model: Model) -> bool:
    """Whether a member is the best model with the numbers of its fit, which came back from other units."""
    same = kernel.expr == model.kernel.expr
    return same and np.allclose(kernel.values, model.kernel.values, rtol=1e-12, atol=0.0)


def mixed_moments(weights: Array, moments: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Mean (m,) and covariance (m, m) of what has these moments by each member of a mixture."""
    means, covs = map(np.array, zip(*moments, strict=True))
    middle = weights @ means
    apart = means - middle
    return middle, np.tensordot(weights, covs, 1) + (apart.T * weights) @ apart


def _members(
    model: Model, dataset: Dataset, room: int, structures: list[tuple[Candidate, float]]
) -> list[tuple[Kernel, float]]:
    maps, problem, scales = standard(dataset, model.problem.likelihood, model.priors)
    rng = np.random.default_rng(model.settings.seed)
    drawn = []
    for candidate, weight in structures[:MOST_STRUCTURES]:
        several = weight >= LEAST_DRAWN_WEIGHT and problem.n <= MOST_ROWS_OF_DRAWS
        count = max(1, round(room * weight)) if several else 1
        kernels = draws(maps.to_standard(candidate.kernel), problem, scales, rng, count)
        drawn += [(maps.to_data(kernel), weight * size) for kernel, size in kernels]
    return drawn


# --- Growth beyond the data: what a model carries on, averaged with the growth of the whole of the data ---------------


@dataclass(frozen=True, eq=False)
class PastGrowth:
    """The growth of all rows of a series, as a second opinion on how it goes on after them.

    Models of short series carry on too much of what was seen last. Over a span, growth is normal around that of the
    straight line through all rows, with the variance that it had over such spans, and some more; and it is normal by
    the model. Both are averaged by their precisions: the clearer a model sees where a series goes, or the more its
    growth changed before, the less the whole counts.
    """

    slope: float  # of the straight line that goes on
    rows: int

    def moves(self, trend: Trend, X: Array) -> Array:
        """By how much the means of a model at rows (m, 1) move (m,); by nothing but after the last of its rows."""
        x, moved = trend.x, np.zeros(len(X))
        after = X[:, 0] > x[-1]
        if trend.kernel is None or not after.any():
            return moved
        spans = X[after, 0] - x[-1]
        growth = trend.posterior.project(trend.kernel, Differences(X[after], np.full_like(X[after], x[-1])))
        seen = variances_of_growth(x, trend.level, spans)
        open_ = self.rows / ROWS_OF_PRIOR * (seen + VARIANCE_OF_GROWTH * (self.slope * spans) ** 2)
        share = growth.sd**2 / np.maximum(growth.sd**2 + open_, np.finfo(float).tiny)
        moved[after] = share * (self.slope * spans - growth.mean)
        return moved


def variances_of_growth(x: Array, level: Array, spans: Array) -> Array:
    """The variances of the growth of a level (n,), at ascending positions (n,), over spans of some lengths (m,).

    Those of the growth in a further span, were all alike: of few spans their mean is uncertain as well.

    >>> variances_of_growth(np.arange(5.0), np.array([0.0, 1.0, 0.0, 1.0, 0.0]), np.array([1.0, 2.0])).tolist()
    [1.25, 0.0]
    """
    spans = np.minimum(spans, x[-1] - x[0])[:, None]
    growth = np.interp(x + spans, x, level) - level
    return np.asarray(growth.var(axis=1, where=x <= x[-1] - spans) * (1.0 + spans[:, 0] / (x[-1] - x[0])))


def past_growth(dataset: Dataset, *, is_log: bool = False) -> PastGrowth:
    """What of the slope of the straight line through all rows of a series (least squares) is expected to go on.

    >>> rows = Dataset(np.array([[0.0], [1.0], [3.0]]), np.array([0.0, 2.0, 6.0]), ("x",), "y", None)
    >>> past_growth(rows).slope, past_growth(rows, is_log=True).slope
    (2.0, 1.2)
    """
    x = dataset.x - dataset.x.mean()
    slope = float(x @ dataset.y / max(x @ x, np.finfo(float).tiny))
    return PastGrowth(GOES_ON_BY_PERCENT * slope if is_log else slope, dataset.n)


@dataclass(frozen=True, eq=False)
class Trend:
    """The part of a model that may grow, seen at the rows of its data, or at many of them."""

    posterior: Posterior

    @cached_property
    def kernel(self) -> Kernel | None:
        """The terms that are neither level nor noise nor have a cycle; None without any."""
        signal = self.posterior.halves[0]
        if signal is None:
            return None
        terms = [term for term in signal.terms if _may_grow(term)]
        return sum(terms[1:], terms[0]) if terms else None

    @cached_property
    def x(self) -> Array:
        """Ascending positions (n,)."""
        x = np.sort(self.posterior.X[:, 0])
        return np.asarray(x[np.linspace(0, len(x) - 1, min(len(x), MOST_PLACES)).astype(int)])

    @cached_property
    def level(self) -> Array:
        """What the model has of it there (n,)."""
        assert self.kernel is not None
        return self.posterior.project(self.kernel, self.x[:, None]).mean


def _may_grow(term: Kernel) -> bool:
    return not is_leaf_of(term.expr, LeafKind.CONSTANT) and all(
        parameter.name != "period" for parameter in parameters(term.expr)
    )
