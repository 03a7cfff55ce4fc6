"""Standard units for the search: inputs on [0, 1], targets in the unit of their likelihood.

A change of the units of the data then changes nothing in a search, and starting values can be stated once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.gp import Problem, Scales
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.gp.parameters import LearnedPriors
from autostatistician.gp.problem import scales_of
from autostatistician.kernels.kernel import Kernel, leaf, rescaled

__all__ = ["Standardisation", "standard", "unit_line", "unit_slope"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Standardisation:
    """The affine maps between data units and standard units; the zero of the targets stays where it is."""

    columns: tuple[str, ...]
    low: tuple[float, ...]
    range: tuple[float, ...]
    y_scale: float

    @classmethod
    def of(cls, X: Array, unit: float, columns: tuple[str, ...], codes: Collection[str] = ()) -> Standardisation:
        """Measure points ``X`` (n, d) whose targets have a unit; columns of ``codes`` of categories stay as they are.

        >>> Standardisation.of(np.array([[2.0], [6.0]]), 3.0, ("x",))
        Standardisation(columns=('x',), low=(2.0,), range=(4.0,), y_scale=3.0)
        """
        spans = np.ptp(X, axis=0)
        kept = [name in codes for name in columns]
        lows = tuple(0.0 if fixed else float(value) for value, fixed in zip(X.min(axis=0), kept, strict=True))
        ranges = tuple(1.0 if fixed else float(span) or 1.0 for span, fixed in zip(spans, kept, strict=True))
        return cls(columns, lows, ranges, unit)

    def points(self, X: Array) -> Array:
        """Inputs in standard units."""
        return np.asarray((X - np.array(self.low)) / np.array(self.range))

    def targets(self, y: Array) -> Array:
        """Targets in standard units."""
        return np.asarray(y / self.y_scale)

    def to_standard(self, kernel: Kernel) -> Kernel:
        """A kernel in data units, in standard units."""
        for name, low, span in zip(self.columns, self.low, self.range, strict=True):
            kernel = rescaled(kernel, 1.0 / span, -low / span, columns=self._names(name))
        return rescaled(kernel, y_scale=1.0 / self.y_scale)

    def to_data(self, kernel: Kernel) -> Kernel:
        """A kernel in standard units, in data units."""
        for name, low, span in zip(self.columns, self.low, self.range, strict=True):
            kernel = rescaled(kernel, span, low, columns=self._names(name))
        return rescaled(kernel, y_scale=self.y_scale)

    def nll_in_data_units(self, nll: float, n: int) -> float:
        """The negative log likelihood of the data in their own units, given that in standard units."""
        return nll + n * log(self.y_scale)

    def _names(self, name: str) -> tuple[str | None, ...]:
        return (name, None) if len(self.columns) == 1 else (name,)


def standard(
    dataset: Dataset, likelihood: Likelihood = GAUSSIAN, priors: LearnedPriors | None = None
) -> tuple[Standardisation, Problem, Scales]:
    """A data set in standard units: the maps, the problem, and its scales with the cycles of the calendar."""
    unit, standardised = likelihood.standardised(dataset.y)
    maps = Standardisation.of(dataset.X, unit, dataset.columns, dataset.levels)
    noise = None if dataset.noise is None else dataset.noise / maps.y_scale**2
    points, targets = maps.points(dataset.X), maps.targets(dataset.y)
    problem = Problem(points, targets, dataset.columns, likelihood=standardised, noise=noise)
    natural = () if dataset.axis is None else dataset.axis.natural_periods
    periods = tuple(period / maps.range[0] for period in natural)
    scales = scales_of(problem, periods, priors)
    return maps, problem, scales.of_curve() if dataset.is_curve else scales


def unit_slope(zero: float) -> float:
    """The slope of a line that is zero at a place, of root mean square one over [0, 1].

    >>> round(unit_slope(0.0) ** 2, 3), round(unit_slope(0.5) ** 2, 3)
    (3.0, 12.0)
    """
    return float((((1.0 - zero) ** 3 + zero**3) / 3.0) ** -0.5)


def unit_line(zero: float) -> Kernel:
    """A linear factor of mean square one over [0, 1] that is zero at a place."""
    return leaf("Lin", sd=unit_slope(zero), location=zero)
