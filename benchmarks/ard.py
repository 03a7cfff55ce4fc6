"""One squared exponential with a lengthscale for every column, by its numbers alone: what all approximations can do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel
from autostatistician.language.text import parse
from common import Array

__all__ = ["Numbers", "expression", "numbers_of"]


@dataclass(frozen=True, eq=False)
class Numbers:
    """Logarithms of lengthscales (d,), of the standard deviation of the function and of that of the noise."""

    log_scales: Array
    log_sd: float
    log_noise: float

    @property
    def vector(self) -> Array:
        """All of them (d + 2,)."""
        return np.append(self.log_scales, [self.log_sd, self.log_noise])

    @classmethod
    def of(cls, vector: Array) -> Numbers:
        """From such a vector."""
        return cls(vector[:-2], float(vector[-2]), float(vector[-1]))

    @property
    def noise(self) -> float:
        """The variance of the noise."""
        return float(np.exp(2.0 * self.log_noise))

    @property
    def variance(self) -> float:
        """The variance of the function."""
        return float(np.exp(2.0 * self.log_sd))

    def covariance(self, X: Array, Z: Array) -> Array:
        """Covariances (n, m) of the function between places (n, d) and (m, d)."""
        inverse = np.exp(-self.log_scales)
        X, Z = X * inverse, Z * inverse
        K = X @ Z.T
        K -= 0.5 * np.einsum("nd,nd->n", X, X)[:, None]
        K -= 0.5 * np.einsum("md,md->m", Z, Z)
        np.minimum(K, 0.0, out=K)
        np.exp(K, out=K)
        K *= self.variance
        return np.asarray(K)


def expression(columns: tuple[str, ...]) -> Expr:
    """The same as an expression of the language."""
    return parse(" * ".join(f"SE[{name}]" for name in columns) + " + WN")


def numbers_of(kernel: Kernel) -> Numbers:
    """Those of such an expression.

    >>> from autostatistician.language.text import parse_kernel
    >>> found = numbers_of(parse_kernel("SE[a](lengthscale=2, sd=3) * SE[b](lengthscale=5, sd=1) + WN(sd=0.5)"))
    >>> np.exp(found.vector).round(3).tolist()
    [2.0, 5.0, 3.0, 0.5]
    """
    pairs = np.log(np.array(kernel.values[:-1]).reshape(-1, 2))
    return Numbers(pairs[:, 0], float(pairs[:, 1].sum()), float(np.log(kernel.values[-1])))
