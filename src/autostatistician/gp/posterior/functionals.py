"""What may be asked of a function: its values at points, means over points.

All are weighted sums of values, so their covariances follow from those of the function, its prior.

Means of a function over rows: what a column does on average over the values of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import covariance, prior_variance
from autostatistician.kernels.expr import Product
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.traits import columns_of

__all__ = [
    "CentredFunctional", "ColumnPrior", "Covariances", "Functional", "Means", "PartLevel",
    "Prior", "Values", "places_of",
]  # fmt: skip


Array = NDArray[np.float64]


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
    return Values(at) if at is None or isinstance(at, np.ndarray) else at


class Functional(Protocol):
    """Some m sums of values of a function, with weights."""

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""


@dataclass(frozen=True, eq=False)
class Values:
    """Values at points (m, d), or (None) at the observations themselves, where white noise is that of the data."""

    points: Array | None = None

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""
        at = X if self.points is None else self.points
        cross = prior.matrix(part, X) if self.points is None else prior.matrix(part, at, X)
        return Covariances(cross, lambda: prior.variance(part, at), lambda: prior.matrix(part, at))


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


UNIT_CONSTANT = leaf("C", sd=1.0)


@dataclass(frozen=True)
class ColumnPrior:
    """The prior of kernels on named columns.

    >>> ColumnPrior(("x",)).variance(leaf("WN", sd=2.0), np.zeros((1, 1))).tolist()
    [4.0]
    """

    columns: tuple[str, ...]

    def matrix(self, part: Kernel, A: Array, B: Array | None = None) -> Array:
        """Covariances (a, b) of a part between points; without ``B`` between observations, with their noise."""
        return covariance(part, A, B, self.columns)

    def variance(self, part: Kernel, A: Array) -> Array:
        """Variances (a,) of a part."""
        return prior_variance(part, A, self.columns)


@dataclass(frozen=True, eq=False)
class Means:
    """Means over b points each, ``points`` (m, b, d), on named columns; of parts that are kernels."""

    points: Array
    columns: tuple[str, ...]

    def covariances(self, prior: Prior, part: Kernel, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""
        return Covariances(
            self._cross(prior, part, X), lambda: self._variance(prior, part), lambda: self._matrix(prior, part)
        )

    def _cross(self, prior: Prior, part: Kernel, X: Array) -> Array:
        m, b, d = self.points.shape
        if (apart := self._apart(part)) is None:
            return np.asarray(prior.matrix(part, self.points.reshape(-1, d), X).reshape(m, b, -1).mean(axis=1))
        products = [
            prior.matrix(at, self.points[:, 0], X) * prior.matrix(over, self.points[0], X).mean(axis=0)
            for at, over in apart
        ]
        return np.asarray(np.sum(products, axis=0))

    def _matrix(self, prior: Prior, part: Kernel) -> Array:
        m, b, d = self.points.shape
        flat = self.points.reshape(-1, d)
        if (apart := self._apart(part)) is None:
            return np.asarray(prior.matrix(part, flat, flat).reshape(m, b, m, b).mean(axis=(1, 3)))
        at_places, rows = self.points[:, 0], self.points[0]
        products = [
            prior.matrix(at, at_places, at_places) * prior.matrix(over, rows, rows).mean() for at, over in apart
        ]
        return np.asarray(np.sum(products, axis=0))

    def _variance(self, prior: Prior, part: Kernel) -> Array:
        if self.points.shape[1] == 1:
            return prior.variance(part, self.points[:, 0])
        if self._apart(part) is None:
            return np.array([prior.matrix(part, rows, rows).mean() for rows in self.points])
        return np.asarray(self._matrix(prior, part).diagonal())

    def _apart(self, part: Kernel) -> list[tuple[Kernel, Kernel]] | None:
        """Each product as the factors that differ from place to place, and those that differ over the rows only.

        The mean of their product over the rows is that of the latter times the former: m m + b b covariances in the
        place of (m b) (m b). None where there is one row for each place, or where a factor does both.
        """
        if self.points.shape[1] == 1 or len(self.columns) == 1:
            return None
        names = np.array(self.columns, dtype=object)
        at_places = set(names[(self.points == self.points[:, :1]).all(axis=(0, 1))])
        over_rows = set(names[(self.points == self.points[:1]).all(axis=(0, 1))])
        pairs = []
        for product in part.terms:
            factors = product.parts if isinstance(product.expr, Product) else (product,)
            at = [factor for factor in factors if columns_of(factor.expr) <= at_places]
            over = [factor for factor in factors if factor not in at]
            if not all(columns_of(factor.expr) <= over_rows for factor in over):
                return None
            pairs.append((Kernel.product((UNIT_CONSTANT, *at)), Kernel.product((UNIT_CONSTANT, *over))))
        return pairs
