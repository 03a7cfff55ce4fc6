"""The posterior of sums of parts less their mean over the data, at points and averaged over rows of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.decompose.records.classes import Chances
from autostatistician.decompose.statistics import typical
from autostatistician.decompose.table.averaged_chances import AveragedChances, on_rows
from autostatistician.decompose.uncertainty import FEWEST_MEMBERS, variance_about_fit
from autostatistician.gp.posterior import Means, Posterior, Projection, functionals
from autostatistician.gp.predictive import ENDS_OF_95
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import columns_of

__all__ = ["CentredEffect", "has_few", "only_column", "places_of", "well_seen"]

Array = NDArray[np.float64]

FEW_VALUES = 15  # a column with no more values than these is shown at each of them, and at no other place
SPARSE = 1.0 / 3.0  # of the range of a column: an end that is longer and holds a fortieth of its rows is not told
POINTS_AT_A_TIME = 4000  # covariances with the data are computed for so many points at a time
MOST_COVARIANCES = 6_000_000  # between points, over all models with other parameters


def only_column(columns: Sequence[str | None]) -> str | None:
    """The name of a single column; None where there are several.

    >>> only_column(("x",)), only_column(("x", "z"))
    ('x', None)
    """
    return columns[0] if len(columns) == 1 else None


def has_few(values: Array) -> bool:
    """Whether a column has so few values that it is shown at each of them."""
    return len(np.unique(values)) <= FEW_VALUES


def places_of(values: Array, count: int, *, coded: bool) -> Array:
    """Where a column is shown: at all of its values where they are few or ``coded``, else at evenly spaced points.

    Between the codes of two categories is nothing.

    >>> places_of(np.array([3.0, 1.0, 3.0]), 5, coded=False).tolist()
    [1.0, 3.0]
    >>> [len(places_of(np.arange(50.0), 3, coded=coded)) for coded in (False, True)]
    [3, 50]
    """
    distinct = np.unique(values)
    return distinct if coded or has_few(distinct) else np.linspace(distinct[0], distinct[-1], count)


def well_seen(x: Array, values: Array) -> NDArray[np.bool_]:
    """Which places (m,) of a column are none of an end along which hardly any rows lie: what it does there is a guess.

    >>> values = np.append(np.arange(100.0), 900.0)
    >>> well_seen(np.array([0.0, 50.0, 400.0, 900.0]), values).tolist(), well_seen(values, values[:-1]).sum().tolist()
    ([True, True, False, False], 101)
    """
    low, high = np.quantile(values, ENDS_OF_95, method="nearest")
    reach = SPARSE * np.ptp(values)
    first, last = low if low - values.min() > reach else -np.inf, high if values.max() - high > reach else np.inf
    seen = (x >= first) & (x <= last)
    return np.asarray(seen if seen.sum() > 1 else np.full(len(x), True))


class CentredEffect:
    """The posterior of a sum of parts less its own mean over the data: a difference, with the sd of a difference.

    ``others`` are the same parts under other parameters; (co)variances are then over these, about the mean of the
    first. Points are (m, d), or (m, b, d) for means over b rows each. Chances of classes are those that are
    ``believed``. Standard deviations are ``wider`` by a factor where the errors of rows are no independent ones.
    """

    def __init__(
        self,
        posterior: Posterior,
        parts: Sequence[Kernel],
        others: Sequence[CentredEffect] = (),
        believed: AveragedChances | None = None,
        wider: float = 1.0,
    ) -> None:
        self.believed, self.wider = believed, wider
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
        others = [column for column in map(self.index, self.columns) if column not in columns]
        return on_rows(X[typical(X[:, others], background)], columns, axes)

    def at(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,)."""
        points = _means(points)
        block = max(POINTS_AT_A_TIME // points.shape[1], 1)
        blocks = [self._projected(points[start : start + block]) for start in range(0, len(points), block)]
        mean = np.concatenate([projection.mean for projection in blocks])
        variance = np.concatenate([projection.sd**2 for projection in blocks])
        others = [(mean, sd**2) for other in self._asked(points) for mean, sd in (other.at(points),)]
        return mean, self.wider * np.sqrt(variance_about_fit([(mean, variance), *others]))

    def _projected(self, points: Array) -> Projection:
        means = Means(points, self.posterior.columns)
        return self.posterior.project(self.part, functionals.CentredFunctional(means, self.level))

    def joint(self, points: Array) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m)."""
        points = _means(points)
        projection = self._projected(points)
        others = [other.joint(points) for other in self._asked(points)]
        covariance = variance_about_fit([(projection.mean, projection.covariance()), *others])
        return projection.mean, self.wider**2 * covariance

    def chances(self, columns: Sequence[int], axes: Sequence[Array]) -> Chances | None:
        """The chances (m,) of a class where all other effects are as on average over the data; None of numbers."""
        return None if self.believed is None else self.believed.chances(columns, axes)

    def _asked(self, points: Array) -> list[CentredEffect]:
        """As many of the others as can be asked about points (m, b, d) in little time."""
        size = points.shape[0] * points.shape[1]
        most = max(FEWEST_MEMBERS, MOST_COVARIANCES // max(size * (size + len(self.posterior.X)), 1))
        return [self.others[row] for row in evenly_spaced(len(self.others), most)]


def _means(points: Array) -> Array:
    return points[:, None, :] if points.ndim == 2 else points
