"""What may be asked of a function: its values at points, differences between points, means over points.

All are weighted sums of values, so their covariances follow from those of the function, its prior.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CentredFunctional",
    "Covariances",
    "Differences",
    "Functional",
    "Observed",
    "PartLevel",
    "Prior",
    "Values",
    "places_of",
]

Array = NDArray[np.float64]

BLOCK_ROWS = 64  # whose covariances are made at once where variances alone are asked for


class Prior(Protocol):
    """The prior covariances of the additive parts of a function."""

    def matrix(self, part: Any, A: Array, B: Array | None = None) -> Array:
        """Covariances (a, b) of a part between points; without ``B`` between observations, with their noise."""

    def variance(self, part: Any, A: Array) -> Array:
        """Variances (a,) of a part."""


class Covariances:
    """Prior covariances of m sums of values: with the observations, and among each other (made when asked for)."""

    def __init__(self, cross: Array, variance: Callable[[], Array], matrix: Callable[[], Array]) -> None:
        self.cross = cross  # (m, n)
        self._variance, self._matrix = variance, matrix

    @cached_property
    def variance(self) -> Array:
        """Prior variances (m,)."""
        return self._variance()

    def matrix(self) -> Array:
        """Prior covariances (m, m)."""
        return self._matrix()


def places_of(at: Functional | Array | None) -> Functional:
    """Places that are asked at: points (m, d), or the observations (None)."""
    return Observed() if at is None else Values(at) if isinstance(at, np.ndarray) else at


class Functional(Protocol):
    """Some m sums of values of a function, with weights."""

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""


@dataclass(frozen=True, eq=False)
class Values:
    """Values at points (m, d)."""

    points: Array

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""
        points = self.points
        return Covariances(
            prior.matrix(part, points, X), lambda: prior.variance(part, points), lambda: prior.matrix(part, points)
        )


@dataclass(frozen=True, eq=False)
class Observed:
    """Values at the observations themselves: white noise in a part is then that of the data."""

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""
        return Covariances(prior.matrix(part, X), lambda: prior.variance(part, X), lambda: prior.matrix(part, X))


@dataclass(frozen=True, eq=False)
class Differences:
    """Values at some points (m, d) less those at others (m, d)."""

    there: Array
    here: Array

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""
        there, here = self.there, self.here

        def matrix() -> Array:
            mixed = prior.matrix(part, here, there)
            return np.asarray(prior.matrix(part, here, here) + prior.matrix(part, there, there) - mixed - mixed.T)

        def variance() -> Array:
            both = _pairwise(prior, part, here, here) + _pairwise(prior, part, there, there)
            return both - 2.0 * _pairwise(prior, part, here, there)

        cross = prior.matrix(part, there, X) - prior.matrix(part, here, X)
        return Covariances(cross, variance, matrix)


def _pairwise(prior: Prior, part: Any, A: Array, B: Array) -> Array:
    """Covariances (m,) of a part between each point of ``A`` (m, d) and the one beside it in ``B`` (m, d)."""
    rows = [slice(start, start + BLOCK_ROWS) for start in range(0, len(A), BLOCK_ROWS)]
    return np.concatenate([prior.matrix(part, A[some], B[some]).diagonal() for some in rows] or [np.empty(0)])


@dataclass(frozen=True, eq=False)
class PartLevel:
    """The mean of a part over the observations: its prior covariances (n,) with these, and its prior variance.

    Where a posterior hangs on other points than the observations, ``cross`` is with those, and ``rows`` (k, d) are the
    observations over which the mean is.
    """

    cross: Array
    variance: float
    rows: Array | None = None

    @classmethod
    def of(cls, matrix: Array) -> PartLevel:
        """From the prior covariances (n, n) of a part between the observations."""
        cross = matrix.mean(axis=0)
        return cls(cross, float(cross.mean()))


@dataclass(frozen=True, eq=False)
class CentredFunctional:
    """Values, or means of values, less the mean of the part over the observations."""

    places: Functional
    level: PartLevel

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d), which must be those of the level."""
        inner, level = self.places.covariances(prior, part, X), self.level.variance
        level_rows = self.level.rows
        over = inner if level_rows is None else self.places.covariances(prior, part, level_rows)
        middle = over.cross.mean(axis=1)
        return Covariances(
            inner.cross - self.level.cross,
            lambda: np.asarray(inner.variance - 2.0 * middle + level),
            lambda: np.asarray(inner.matrix() + (level - middle - middle[:, None])),
        )
