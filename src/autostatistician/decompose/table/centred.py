"""The posterior of sums of parts less their mean over the data, at places and averaged over rows of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.doubt import about
from autostatistician.decompose.rows import evenly
from autostatistician.inference import places
from autostatistician.inference.averages import Means
from autostatistician.inference.posterior import Posterior
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import columns_of

__all__ = ["Centred", "has_few", "only_column", "places_of"]

Array = NDArray[np.float64]

FEW_VALUES = 15  # a column with no more values is shown at all of them, and at no other place
POINTS_AT_A_TIME = 4000  # points whose covariances with the data are held at a time
MOST_COVARIANCES = 6_000_000  # that may be computed for the members of a doubt
FEWEST_MEMBERS = 8


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
    known = np.unique(values)
    return known if has_few(known) else np.linspace(known[0], known[-1], count)


class Centred:
    """The posterior of a sum of parts less its own mean over the data: a difference, with the sd of a difference.

    Places are given as (m, d), or as (m, b, d) for the means over b rows each. With ``others``, the same parts under
    models with other numbers, (co)variances are those over all of these about the mean.
    """

    def __init__(self, posterior: Posterior, parts: Sequence[Kernel], others: Sequence[Centred] = ()) -> None:
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
        rows = evenly(len(X), background)
        mesh = np.meshgrid(*axes, indexing="ij")
        points = np.tile(X[rows], (mesh[0].size, 1, 1))
        for column, values in zip(columns, mesh, strict=True):
            points[:, :, column] = values.reshape(-1, 1)
        return points

    def at(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,)."""
        points = _means(points)
        block = max(POINTS_AT_A_TIME // points.shape[1], 1)
        found = [self._at(points[start : start + block]) for start in range(0, len(points), block)]
        mean, sd = (np.concatenate(each) for each in zip(*found, strict=True))
        others = [(mean, sd**2) for one in self._few(points) for mean, sd in (one.at(points),)]
        return mean, np.sqrt(about([(mean, sd**2), *others]))

    def _at(self, points: Array) -> tuple[Array, Array]:
        known = self.posterior.project(self.part, places.Centred(Means(points, self.posterior.columns), self.level))
        return known.mean, known.sd

    def joint(self, points: Array) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m)."""
        points = _means(points)
        known = self.posterior.project(self.part, places.Centred(Means(points, self.posterior.columns), self.level))
        own = known.covariance()
        return known.mean, about([(known.mean, own), *(one.joint(points) for one in self._few(points))])

    def _few(self, points: Array) -> list[Centred]:
        """So many of the others as are quickly asked about some points (m, b, d)."""
        size = points.shape[0] * points.shape[1]
        most = max(FEWEST_MEMBERS, MOST_COVARIANCES // max(size * (size + len(self.posterior.X)), 1))
        return [self.others[row] for row in evenly(len(self.others), most)]


def _means(points: Array) -> Array:
    return points[:, None, :] if points.ndim == 2 else points
