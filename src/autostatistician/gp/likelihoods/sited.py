"""Observations that engines of normal data see by pseudo-targets: about any function each is nearly a normal one.

White noise of a kernel is part of the function: observations then scatter more than chance alone has them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.data.exposures import SizesOfRows
from autostatistician.data.transform import Transform
from autostatistician.gp.likelihoods.gaussian import Gaussian
from autostatistician.gp.predictive import Predictive
from autostatistician.gp.predictive.laws import CountLaw
from autostatistician.gp.predictive.predictive import NO_LIMITS

__all__ = ["NormalSites", "Sited"]

Array = NDArray[np.float64]

HALF = 0.5  # of a count, for which zero stands on a logarithmic scale
LEAST_INFORMATION = 1e-10  # of a row, whose variance stays finite


@dataclass(frozen=True, eq=False)
class NormalSites:
    """Normal observations ``values`` (n,) of a function, with variances (n,), that stand for others near a place.

    Near that place, log densities of what was observed are those of the values and ``log_ratio`` together (summed).
    """

    values: Array
    variances: Array
    log_ratio: float

    def moved(self, by: float) -> NormalSites:
        """The same of a function that is so much higher everywhere."""
        return replace(self, values=self.values + by)


@dataclass(frozen=True)
class Sited(Gaussian):
    """One whose log density is concave in the function, which is on the scale of the map of the target.

    A kind of it states its `law`, how the function leads to what that is given, and what is predicted.
    """

    # exposures or totals (n,) of the rows of counts
    sizes: Array | None = field(default=None, compare=False, repr=False, kw_only=True)
    # what columns add (n,) to the function at the rows of counts
    added: Array | None = field(default=None, compare=False, repr=False, kw_only=True)
    name: ClassVar[str]
    mapped_by_odds: ClassVar[bool] = False  # else by a logarithm
    scatters: ClassVar[bool] = False  # by a number of its own, beside what white noise stands for
    number: ClassVar[str | None] = None  # the name of that which a law has of its own, which a search fits to the data
    most: ClassVar[float] = np.inf  # below which it lies, and above zero

    @property
    def row_sizes(self) -> Array | float:
        """Exposures or totals (n,) of the rows; one where none are known."""
        return 1.0 if self.sizes is None else self.sizes

    @property
    def _beside(self) -> dict[str, Any]:
        return {"sizes": self.row_sizes, **self.numbers}

    @property
    def numbers(self) -> dict[str, float]:
        """Those of its own, by their names."""
        return {} if self.number is None else {self.number: getattr(self, self.number)}

    def with_numbers(self, record: Mapping[str, float]) -> Self:
        """The same with the numbers of a record; a `ValueError` says where one cannot be."""
        known: dict[str, Any] = {name: float(record[name]) for name in self.numbers}
        for name, value in known.items():
            if not 0.0 < value < self.most:
                raise ValueError(f"expected {name} between 0 and {self.most}; found {value}")
        return replace(self, **known)

    def about(self, dataset: Dataset) -> Self:
        """The same about the rows of a data set: their exposures or totals, and what columns add there."""
        added = None if dataset.added is None else dataset.added.at(dataset.X[:, 0])
        return replace(self.at(dataset.sizes, dataset.X[:, 0]), added=added)

    def at(self, sizes: SizesOfRows | None, x: Array) -> Self:
        """The same about the exposures or totals at positions (n,)."""
        return self if sizes is None else replace(self, sizes=sizes.at(x))

    def first(self, y: Array) -> Array:
        """Where the function (n,) of counts (n,) is looked for first."""
        least = np.maximum(y, HALF)
        return self._less_added(self.transform.forward(least if self.sizes is None else least / self.sizes))

    def alone(self) -> Self:
        """The same about one unit of exposure on the scale of the data, as files have it."""
        return replace(self, transform=Transform(), sizes=None, added=None)

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = NO_LIMITS
    ) -> Predictive:
        """Distributions of m observations, of k members' moments (k, m) of the function without what columns add."""
        return super().predictive(self._with_added(means), sds, weights, offset, limits)

    def _with_added(self, f: Array) -> Array:
        """The function with what columns add to it."""
        return f if self.added is None else f + self.added

    def _less_added(self, f: Array) -> Array:
        return f if self.added is None else f - self.added

    def mapped(self, transform: Transform) -> Self:
        """The same about a function on another scale."""
        return replace(self, transform=transform)

    @property
    @abstractmethod
    def law(self) -> CountLaw:
        """The law of observations given a number of their own."""

    @abstractmethod
    def to_law(self, f: Array) -> Array:
        """That number (n,) at values (n,) of the function, from which it differs by a constant of each row."""

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of observations at values (n,) of the function."""
        return self.law.log_density(y, self.to_law(f))

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of these by the function: the first, the second and the third (n,)."""
        return self.law.derivatives(y, self.to_law(f))

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities (n,) of observations averaged over a normal function, and two derivatives by its mean."""
        return self.law.averaged(y, self.to_law(mean), variance)

    def normal_sites(self, y: Array, f: Array) -> NormalSites:
        """What stands for observations (n,) near a function (n,): to the second order the same log density."""
        first, second, _ = self.derivatives(y, f)
        information = np.maximum(-second, LEAST_INFORMATION)
        error = first / information
        ratio = self.log_density(y, f) + 0.5 * information * error**2 + 0.5 * np.log(2.0 * np.pi / information)
        return NormalSites(f + error, 1.0 / information, float(ratio.sum()))

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """The same with its own numbers the most probable for observations (n,), about a function so far known."""
        return self
