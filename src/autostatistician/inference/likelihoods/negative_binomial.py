"""Counts whose rate is itself drawn from a gamma distribution about the function: negative binomial ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from autostatistician.inference.likelihoods.poisson import Poisson
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.predictive.scatter import derivatives_of_scattered, log_scattered

__all__ = ["NegativeBinomial"]

Array = NDArray[np.float64]

LEAST, MOST = np.log(1e-4), np.log(30.0)  # of the logarithm of dispersions
SETTLED = 1e-3


@dataclass(frozen=True)
class NegativeBinomial(Poisson):
    """Counts with the variance ``mu + dispersion mu^2`` about a rate mu, whose logarithm is the function.

    Where rates scatter by a large factor, a gamma distribution has more of them near zero than the normal one of
    logarithms that white noise is; with less scatter both say the same.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> counts = NegativeBinomial(Transform("log"), dispersion=0.5)
    >>> counts.log_density(np.array([0.0]), np.log([2.0])).round(4).tolist()  # (1 + 1)^-2
    [-1.3863]
    >>> counts.normal_sites(np.array([2.0]), np.log([2.0])).variances.tolist()  # 1 / 2 + 0.5
    [1.0]
    >>> surely_one = np.zeros((1, 1)), np.full((1, 1), 1e-9), np.ones(1)
    >>> replace(counts, dispersion=1.0).predictive(*surely_one).std.round(4).tolist()
    [1.4142]
    """

    dispersion: float = 1.0
    name: ClassVar[str] = "negative-binomial"
    scatters: ClassVar[bool] = True

    @property
    def numbers(self) -> dict[str, float]:
        """Its dispersion."""
        return {"dispersion": self.dispersion}

    def with_numbers(self, record: Mapping[str, float]) -> Self:
        """The same with the dispersion of a record."""
        dispersion = float(record["dispersion"])
        if not 0.0 < dispersion < np.inf:
            raise ValueError(f"a dispersion of {dispersion}")
        return replace(self, dispersion=dispersion)

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of counts at values (n,) of the function."""
        return log_scattered(y, self._log_rate(f), self.dispersion)

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of these by the function: the first, the second and the third (n,)."""
        return derivatives_of_scattered(y, self._log_rate(f), self.dispersion)

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities (n,) of counts averaged over a normal function, and two derivatives by its mean."""
        return Sited.tilted(self, y, mean, variance)

    def about_rate(self, rate: Array) -> tuple[Array, Array]:
        """Mean and variance of counts about known rates."""
        return rate, rate + self.dispersion * rate**2

    def fitted(self, y: Array, mean: Array, variance: Array) -> Self:
        """The same with the dispersion that makes counts (n,) most probable about a function known so far."""

        def cost(log_dispersion: float) -> float:
            tried = replace(self, dispersion=float(np.exp(log_dispersion)))
            return -float(tried.tilted(y, mean, variance)[0].sum())

        found = minimize_scalar(cost, bounds=(LEAST, MOST), method="bounded", options={"xatol": SETTLED})
        return replace(self, dispersion=float(np.exp(found.x)))
