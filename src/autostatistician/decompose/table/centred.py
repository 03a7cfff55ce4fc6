"""The posterior of sums of parts less their mean over the data, at places and averaged over rows of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.transform import Transform
from autostatistician.decompose.doubt import variance_about_fit
from autostatistician.decompose.records.classes import Chances
from autostatistician.decompose.rows import evenly_spaced, typical
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.posterior import Means, Posterior, Projection, places, repeated, total
from autostatistician.inference.predictive import Predictive
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import columns_of

__all__ = ["Centred", "has_few", "only_column", "places_of"]

Array = NDArray[np.float64]

FEW_VALUES = 15  # a column with no more values than these is shown at each of them, and at no other place
POINTS_AT_A_TIME = 4000  # covariances with the data are computed for so many points at a time
MOST_COVARIANCES = 6_000_000  # between points, over all models with other numbers
FEWEST_MEMBERS = 8
CURVES_DRAWN = 400
ENDS_OF_95 = (0.025, 0.975)  # levels


def only_column(columns: Sequence[str | None]) -> str | None:
    """The name of a single column; None where there are several.

    >>> only_column(("x",)), only_column(("x", "z"))
    ('x', None)
    """
    return columns[0] if len(columns) == 1 else None


def has_few(values: Array) -> bool:
    """Whether a column has so few values that it is shown at each of them."""
    return len(np.unique(values)) <= FEW_VALUES


def places_of(values: Array, count: int) -> Array:
    """Where a column is shown: at all of its values where they are few, else at evenly spaced places.

    >>> places_of(np.array([3.0, 1.0, 3.0]), 5).tolist(), places_of(np.arange(50.0), 3).tolist()
    ([1.0, 3.0], [0.0, 24.5, 49.0])
    """
    distinct = np.unique(values)
    return distinct if has_few(distinct) else np.linspace(distinct[0], distinct[-1], count)


class Centred:
    """The posterior of a sum of parts less its own mean over the data: a difference, with the sd of a difference.

    Parameters
    ----------
    posterior : Posterior
        The model given the data.
    parts : sequence of Kernel
        Those that are added up.
    others : sequence of Centred
        The same parts under models with other numbers; (co)variances are then over these, about the mean of the first.
    rest : sequence of Kernel
        All other parts of the function.

    Notes
    -----
    Points are given as (m, d), or as (m, b, d) for means over b rows each.
    """

    def __init__(
        self, posterior: Posterior, parts: Sequence[Kernel], others: Sequence[Centred] = (), rest: Sequence[Kernel] = ()
    ) -> None:
        self.rest = Kernel.sum(tuple(rest)) if rest else None
        self.posterior, self.part, self.others = posterior, Kernel.sum(tuple(parts)), tuple(others)
        self.columns = tuple(sorted(columns_of(self.part.expr, only_column(posterior.columns))))
        self.level, scale = posterior.level(self.part)
        self.scale = scale or 1.0

    def index(self, column: str) -> int:
        """The number of a column; where there is a single one, its parts need not name it."""
        return self.posterior.columns.index(column) if column in self.posterior.columns else 0

    def points(self, columns: Sequence[int], axes: Sequence[Array], background: int) -> Array:
        """Every combination of values of some columns, with rows of the data in the others: (m, background, d)."""
        X = self.posterior.X
        others = [place for place in map(self.index, self.columns) if place not in columns]
        rows = typical(X[:, others], background)
        mesh = np.meshgrid(*axes, indexing="ij")
        points = np.tile(X[rows], (mesh[0].size, 1, 1))
        for column, values in zip(columns, mesh, strict=True):
            points[:, :, column] = values.reshape(-1, 1)
        return points

    def at(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,)."""
        points = _means(points)
        block = max(POINTS_AT_A_TIME // points.shape[1], 1)
        blocks = [self._projected(points[start : start + block]) for start in range(0, len(points), block)]
        mean, variance = (np.concatenate(each) for each in zip(*((one.mean, one.sd**2) for one in blocks), strict=True))
        others = [(mean, sd**2) for other in self._asked(points) for mean, sd in (other.at(points),)]
        return mean, np.sqrt(variance_about_fit([(mean, variance), *others]))

    def _projected(self, points: Array) -> Projection:
        return self.posterior.project(self.part, places.Centred(Means(points, self.posterior.columns), self.level))

    def joint(self, points: Array) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m)."""
        points = _means(points)
        own = self._projected(points)
        others = [other.joint(points) for other in self._asked(points)]
        return own.mean, variance_about_fit([(own.mean, own.covariance()), *others])

    def chances(self, points: Array) -> Chances | None:
        """The chances (m,) of a class where all other effects are as on average over the data; None of numbers."""
        likelihood = self.posterior.problem.likelihood
        if not isinstance(likelihood, Bernoulli):
            return None
        points = _means(points)
        known = [one._among_the_rest(points) for one in self._members(points)]
        means, sds = np.array([one.mean for one in known]), np.array([one.sd for one in known])
        weights = np.full(len(known), 1.0 / len(known))
        limits = Predictive(means, sds, weights, Transform()).quantiles(ENDS_OF_95)
        averaged = [likelihood.averaged(one.mean, one.variance) for one in known]
        lower, upper = likelihood.math.probability(limits).T
        # of a very skew distribution near 0 or 1 the mean may lie beyond its range
        return Chances(np.clip(weights @ np.array(averaged), lower, upper), lower, upper)

    def joint_chances(self, points: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) of the same chances, from draws."""
        likelihood, points = self.posterior.problem.likelihood, _means(points)
        assert isinstance(likelihood, Bernoulli)
        members = self._members(points)
        count = -(-CURVES_DRAWN // len(members))
        drawn = [one._among_the_rest(points).draws(rng, count) for one in members]
        chances = likelihood.math.probability(np.concatenate(drawn))
        return chances.mean(axis=0), np.atleast_2d(np.cov(chances, rowvar=False))

    def _members(self, points: Array) -> Sequence[Centred]:
        """The others, or the model itself where there are none."""
        return self._asked(points) or (self,)

    def _among_the_rest(self, points: Array) -> Projection:
        """The parts at points (m, b, d) with the mean of all others over the data."""
        own = self.posterior.project(self.part, Means(points, self.posterior.columns))
        if self.rest is None:
            return own
        rest = self.posterior.project(self.rest, Means(self.posterior.X[None], self.posterior.columns))
        return total([own, repeated(rest, len(points))])

    def _asked(self, points: Array) -> list[Centred]:
        """As many of the others as can be asked about points (m, b, d) in little time."""
        size = points.shape[0] * points.shape[1]
        most = max(FEWEST_MEMBERS, MOST_COVARIANCES // max(size * (size + len(self.posterior.X)), 1))
        return [self.others[row] for row in evenly_spaced(len(self.others), most)]


def _means(points: Array) -> Array:
    return points[:, None, :] if points.ndim == 2 else points
