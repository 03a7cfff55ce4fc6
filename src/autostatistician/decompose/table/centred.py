"""The posterior of sums of parts less their mean over the data, at places and averaged over rows of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.doubt import about
from autostatistician.decompose.rows import evenly
from autostatistician.inference.covariance import covariance, prior_variance
from autostatistician.inference.posterior import Conditioned
from autostatistician.language.expr import Product, Sum
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.traits import columns_of

__all__ = ["Centred", "has_few", "only_column", "places_of"]

Array = NDArray[np.float64]

LEVELS = 15  # a column with no more values is shown at all of them, and at no other place
BLOCK = 4000  # points whose covariances with the data are held at a time
WORK, FEWEST = 6_000_000, 8  # covariances that may be computed for the members of a doubt; members at least
ONE = leaf("C", sd=1.0)


def only_column(columns: Sequence[str | None]) -> str | None:
    """The name of a single column; None where there are several.

    >>> only_column(("x",)), only_column(("x", "z"))
    ('x', None)
    """
    return columns[0] if len(columns) == 1 else None


def has_few(values: Array) -> bool:
    """Whether a column has so few values that it is shown at each of them."""
    return len(np.unique(values)) <= LEVELS


def places_of(values: Array, count: int) -> Array:
    """Where a column is shown: at all of its values where they are few, else at evenly spaced places.

    >>> places_of(np.array([3.0, 1.0, 3.0]), 5).tolist(), places_of(np.arange(50.0), 3).tolist()
    ([1.0, 3.0], [0.0, 24.5, 49.0])
    """
    known = np.unique(values)
    return known if has_few(known) else np.linspace(known[0], known[-1], count)


class Centred:
    """The posterior of a sum of parts less its own mean over the data: a difference, with the sd of a difference.

    Places are given as (m, d), or as (m, b, d) for the means over b rows each. With ``others``, the same parts under
    models with other numbers, (co)variances are those over all of these about the mean.
    """

    def __init__(self, posterior: Conditioned, parts: Sequence[Kernel], others: Sequence[Centred] = ()) -> None:
        self.posterior, self.part, self.others = posterior, Kernel.sum(tuple(parts)), tuple(others)
        self.columns = tuple(sorted(columns_of(self.part.expr, only_column(posterior.columns))))
        K = covariance(self.part, posterior.X, None, posterior.columns)
        self.scale = float(K.diagonal().max(initial=0.0)) or 1.0
        self.level = K.mean(axis=0)  # covariance of the mean over the data with each datum
        self.level_prior = float(self.level.mean())

    def index(self, column: str) -> int:
        """The number of a column; where there is a single one, its parts need not name it."""
        return self.posterior.columns.index(column) if column in self.posterior.columns else 0

    def points(self, places: Sequence[int], axes: Sequence[Array], background: int) -> Array:
        """Every combination of values of some columns, with rows of the data in the others: (m, background, d)."""
        X = self.posterior.X
        rows = evenly(len(X), background)
        mesh = np.meshgrid(*axes, indexing="ij")
        points = np.tile(X[rows], (mesh[0].size, 1, 1))
        for place, values in zip(places, mesh, strict=True):
            points[:, :, place] = values.reshape(-1, 1)
        return points

    def at(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,)."""
        points = _means(points)
        block = max(BLOCK // points.shape[1], 1)
        found = [self._at(points[start : start + block]) for start in range(0, len(points), block)]
        mean, sd = (np.concatenate(each) for each in zip(*found, strict=True))
        others = [(mean, sd**2) for one in self._few(points) for mean, sd in (one.at(points),)]
        return mean, np.sqrt(about([(mean, sd**2), *others]))

    def _at(self, points: Array) -> tuple[Array, Array]:
        cross = self._cross(points)
        apart = cross - self.level
        reduced = self.posterior.factor.half_solve(np.asfortranarray(apart.T))
        variance = self._prior(points) - 2.0 * cross.mean(axis=1) + self.level_prior
        variance -= np.einsum("ij,ij->j", reduced, reduced)
        return apart @ self.posterior.alpha, np.sqrt(np.maximum(variance, 0.0))

    def joint(self, points: Array) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m)."""
        points = _means(points)
        cross = self._cross(points)
        apart = cross - self.level
        reduced = self.posterior.factor.half_solve(np.asfortranarray(apart.T))
        cov = self._between(points)
        middle = cross.mean(axis=1)
        cov += self.level_prior - middle - middle[:, None] - reduced.T @ reduced
        mean = apart @ self.posterior.alpha
        return mean, about([(mean, cov), *(one.joint(points) for one in self._few(points))])

    def _few(self, points: Array) -> list[Centred]:
        """So many of the others as are quickly asked about some points (m, b, d)."""
        size = points.shape[0] * points.shape[1]
        most = max(FEWEST, WORK // max(size * (size + len(self.posterior.X)), 1))
        return [self.others[row] for row in evenly(len(self.others), most)]

    def _cross(self, points: Array) -> Array:
        """Covariances (m, n) of the means over the rows with each datum."""
        m, b, d = points.shape
        X, columns = self.posterior.X, self.posterior.columns
        if (apart := self._apart(points)) is None:
            return np.asarray(covariance(self.part, points.reshape(-1, d), X, columns).reshape(m, b, -1).mean(axis=1))
        products = [
            covariance(at, points[:, 0], X, columns) * covariance(over, points[0], X, columns).mean(axis=0)
            for at, over in apart
        ]
        return np.asarray(np.sum(products, axis=0))

    def _between(self, points: Array) -> Array:
        """Covariances (m, m) of the means over the rows with each other."""
        m, b, d = points.shape
        flat, columns = points.reshape(-1, d), self.posterior.columns
        if (apart := self._apart(points)) is None:
            return np.asarray(covariance(self.part, flat, flat, columns).reshape(m, b, m, b).mean(axis=(1, 3)))
        places, rows = points[:, 0], points[0]
        products = [
            covariance(at, places, places, columns) * covariance(over, rows, rows, columns).mean() for at, over in apart
        ]
        return np.asarray(np.sum(products, axis=0))

    def _prior(self, points: Array) -> Array:
        """Prior variances (m,) of the means over the rows."""
        columns = self.posterior.columns
        if points.shape[1] == 1:
            return prior_variance(self.part, points[:, 0], columns)
        if self._apart(points) is None:
            return np.array([covariance(self.part, rows, rows, columns).mean() for rows in points])
        return self._between(points).diagonal()

    def _apart(self, points: Array) -> list[tuple[Kernel, Kernel]] | None:
        """Each product as the factors that differ from place to place, and those that differ over the rows only.

        The mean of their product over the rows is that of the latter times the former: m m + b b covariances in the
        place of (m b) (m b). None where there is one row for each place, or where a factor does both.
        """
        if points.shape[1] == 1 or len(self.posterior.columns) == 1:
            return None
        names = np.array(self.posterior.columns, dtype=object)
        at_places = set(names[(points == points[:, :1]).all(axis=(0, 1))])
        over_rows = set(names[(points == points[:1]).all(axis=(0, 1))])
        found = []
        for product in self.part.parts if isinstance(self.part.expr, Sum) else (self.part,):
            factors = product.parts if isinstance(product.expr, Product) else (product,)
            at = [one for one in factors if columns_of(one.expr) <= at_places]
            over = [one for one in factors if one not in at]
            if not all(columns_of(one.expr) <= over_rows for one in over):
                return None
            found.append((Kernel.product((ONE, *at)), Kernel.product((ONE, *over))))
        return found


def _means(points: Array) -> Array:
    return points[:, None, :] if points.ndim == 2 else points
