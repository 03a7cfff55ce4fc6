"""Counts of which many are zero: none with one chance, else Poisson from one about a rate (hurdle distributions)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.likelihoods.poisson import Poisson
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.predictive import Predictive
from autostatistician.inference.predictive.hurdle import (
    HurdlePredictive,
    derivatives_of_some,
    log_some,
    mean_of_some,
)

__all__ = ["Hurdle"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Hurdle(Poisson):
    """Counts that are zero with the chance ``none``; the function is the log rate of those that are not.

    A zero says nothing of the function, and the chance of one is the same everywhere (Mullahy 1986).

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> counts = Hurdle(Transform("log"), none=0.6)
    >>> np.exp(counts.log_density(np.array([0.0, 1.0]), np.zeros(2))).round(4).tolist()  # 0.4 / (e - 1)
    [0.6, 0.2328]
    >>> counts.fitted(np.array([0.0, 0.0, 5.0]), np.zeros(3), np.ones(3)).none
    0.625
    """

    none: float = 0.5
    name: ClassVar[str] = "hurdle"
    distribution: ClassVar[type[Predictive]] = HurdlePredictive

    @property
    def numbers(self) -> dict[str, float]:
        """The chance of none."""
        return {"none": self.none}

    def with_numbers(self, record: Mapping[str, float]) -> Self:
        """The same with the chance of none of a record."""
        none = float(record["none"])
        if not 0.0 < none < 1.0:
            raise ValueError(f"a chance of {none}")
        return replace(self, none=none)

    def first(self, y: Array) -> Array:
        """Where the function (n,) of counts (n,) is looked for first: at a zero as usual where there is none."""
        some = y > 0.0
        usual = float(np.exp(np.mean(np.log(y[some])))) if some.any() else 1.0
        return super().first(np.where(some, y, usual))

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of counts at values (n,) of the function."""
        logs = np.log1p(-self.none) + log_some(np.maximum(y, 1.0), self._log_rate(f))
        return np.asarray(np.where(y > 0.0, logs, np.log(self.none)))

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of these by the function: the first, the second and the third (n,)."""
        first, second, third = (
            np.where(y > 0.0, slope, 0.0) for slope in derivatives_of_some(np.maximum(y, 1.0), self._log_rate(f))
        )
        return first, second, third

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities (n,) of counts averaged over a normal function, and two derivatives by its mean."""
        return Sited.tilted(self, y, mean, variance)

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """The same with the share of zeros of counts (n,), with Jeffreys' prior, which hangs on no function."""
        return replace(self, none=(float(np.count_nonzero(y == 0.0)) + 0.5) / (len(y) + 1.0))

    def about_rate(self, rate: Array) -> tuple[Array, Array]:
        """Mean and variance of counts about known rates."""
        some, share = mean_of_some(np.log(np.maximum(rate, 1e-300))), 1.0 - self.none
        return share * some, share * some * (1.0 + rate - share * some)
