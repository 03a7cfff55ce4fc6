"""Several columns of observations that are functions of their own, with one covariance for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance.factor import Factor, factorise

__all__ = ["Columns"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns ``y_d ~ N(0, K)``, independent of each other.

    Examples
    --------
    >>> columns = Columns.of(np.diag([1.0, 4.0]), np.array([[1.0, 0.0], [2.0, 0.0]]))
    >>> round(columns.log_evidence, 6)
    -6.062048
    """

    Y: Array  # (N, D)
    factor: Factor  # of K
    solved: Array  # (N, D) K^-1 Y

    @classmethod
    def of(cls, K: Array, Y: Array) -> Columns:
        """Condition on columns (N, D); the memory of ``K`` (N, N) is used up.

        Raises
        ------
        NotPositiveDefinite
            Where it has no factor.
        """
        factor = factorise(K, overwrite=True)
        return cls(Y, factor, factor.solve(np.asfortranarray(Y)))

    @property
    def log_evidence(self) -> float:
        """``log p(Y)``."""
        quadratic = float((self.Y * self.solved).sum())
        constant = float(len(self.Y) * np.log(2.0 * np.pi))
        return float(-0.5 * (self.Y.shape[1] * (self.factor.logdet + constant) + quadratic))

    @property
    def precision(self) -> Array:
        """The inverse (N, N) of K."""
        return self.factor.inverse()

    def adjoint(self) -> Array:
        """The derivative (N, N) of `log_evidence` by K, as if its cells were independent."""
        return np.asarray(0.5 * (self.solved @ self.solved.T - self.Y.shape[1] * self.precision))

    def predict(self, cross: Array) -> tuple[Array, Array]:
        """Means (M, D) at new places with covariance ``cross`` (N, M), and how much less their variance is (M,)."""
        half = self.factor.half_solve(np.asfortranarray(cross))
        return cross.T @ self.solved, np.einsum("nm,nm->m", half, half)

    def draw(self, rng: np.random.Generator) -> Array:
        """Other columns (N, D) of that covariance."""
        return np.asarray(np.tril(self.factor.packed) @ rng.standard_normal(self.Y.shape))
