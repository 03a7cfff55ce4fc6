"""A positive definite matrix that is constant along its diagonals, and its inverse, from one row of either.

The recursion of Levinson (1947) and Durbin (1960) finds in n steps of vectors how well each value is predicted by those
before it, which gives the determinant; the last predictor is, but for a factor, the first column x of the inverse, and
that column is all of it (Gohberg and Semencul 1972): with ``L(x)`` the lower triangular matrix whose diagonals are x,

    T^-1 = (L(x) L(x)' - L(z) L(z)') / x_0,    z = (0, x_{n-1}, ..., x_1).

Products with it, and sums along its diagonals, are convolutions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.linalg import blas

__all__ = ["Inverse", "inverted"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

PRECISE = 1e-10  # a solution with such an error is not improved
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Inverse:
    """The inverse of the matrix with first row ``r`` (n,); made by `inverted`."""

    r: Array
    x: Array  # (n,): its first column
    log_determinant: float  # of the matrix itself

    def solve(self, b: Array) -> tuple[Array, float]:
        """``T^-1 b`` for a vector (n,) or for columns (n, k), and the part of b that it left before it was improved.

        >>> found, error = inverted(np.array([2.0, 1.0])).solve(np.array([3.0, 3.0]))
        >>> found.round(12).tolist(), error < 1e-12
        ([1.0, 1.0], True)
        """
        solution = self._solve(b)
        residual = b - self.times(solution)
        error = float((np.linalg.norm(residual, axis=0) / np.maximum(np.linalg.norm(b, axis=0), TINY)).max(initial=0.0))
        return (solution if error < PRECISE else solution + self._solve(residual)), error

    def times(self, b: Array) -> Array:
        """``T b``."""
        row = self._transformed(np.concatenate([self.r, np.zeros(self._length - 2 * self._n + 1), self.r[:0:-1]]))
        return self._back(_beside(row, b) * self._transformed(b))

    @cached_property
    def sums(self) -> Array:
        """Sums (n,) along the diagonals from the main one on, of one side.

        >>> inverted(np.array([2.0, 1.0])).sums.round(12).tolist()  # of [[2, -1], [-1, 2]] / 3
        [1.333333333333, -0.333333333333]
        """
        places, X = np.arange(float(self._n)), self._of_x[0]
        alike, weighed = self._back(X * X.conj()), self._back(X * self._transformed(places * self.x).conj())
        sums: Array = ((self._n - places) * alike - 2.0 * weighed) / self.x[0]
        return sums

    @property
    def trace_error(self) -> float:
        """How far the trace of ``T^-1 T`` is from n, in parts of it."""
        return abs(2.0 * float(self.sums @ self.r) - float(self.sums[0] * self.r[0]) - self._n) / self._n

    def alike(self, b: Array) -> Array:
        """Sums (n,) along the diagonals of ``b b'``, from the main one on; of columns (n, k) those of all together."""
        transformed = self._transformed(b)
        power: Complex = transformed * transformed.conj()
        together: Complex = power.reshape(len(power), -1).sum(1)
        return self._back(together)

    @property
    def _n(self) -> int:
        return len(self.r)

    @cached_property
    def _length(self) -> int:
        return int(next_fast_len(2 * self._n, real=True))

    @cached_property
    def _of_x(self) -> tuple[Complex, Complex]:
        turned = np.append(0.0, self.x[:0:-1])
        return self._transformed(self.x), self._transformed(turned)

    def _solve(self, b: Array) -> Array:
        X, Z = (_beside(spectrum, b) for spectrum in self._of_x)
        B = self._transformed(b)
        first, second = (self._transformed(self._back(spectrum.conj() * B)) for spectrum in (X, Z))
        solution: Array = self._back(X * first - Z * second) / self.x[0]
        return solution

    def _transformed(self, values: Array) -> Complex:
        transformed: Complex = rfft(values, self._length, axis=0)
        return transformed

    def _back(self, transformed: Complex) -> Array:
        values: Array = irfft(transformed, self._length, axis=0)[: self._n]
        return values


def _beside(values: Complex, b: Array) -> Complex:
    """Values (m,) that multiply each column where there are such."""
    return values if b.ndim == 1 else values[:, None]


def inverted(r: Array) -> Inverse | None:
    """The inverse of the matrix with first row r (n,); None where rounding does not let it be positive definite.

    >>> found = inverted(np.array([2.0, 1.0]))
    >>> found.x.round(6).tolist(), round(float(np.exp(found.log_determinant)), 6)
    ([0.666667, -0.333333], 3.0)
    """
    n, lags, variance = len(r), r.tolist(), float(r[0])  # plain numbers: quicker, and silent where they overflow
    if not variance > 0.0:
        return None
    backwards, predictor, before = np.ascontiguousarray(r[::-1]), np.zeros(n), np.empty(n)
    remaining = [variance]  # the variance of each value given those before
    for k in range(1, n):
        explained = blas.ddot(predictor, backwards, k - 1, 0, 1, n - k) if k > 1 else 0.0
        reflection = (lags[k] - explained) / variance
        variance *= 1.0 - reflection * reflection
        if not variance > 0.0:
            return None
        if k > 1:
            before[: k - 1] = predictor[: k - 1]
            blas.daxpy(before, predictor, k - 1, -reflection, 0, -1, 0, 1)
        predictor[k - 1] = reflection
        remaining.append(variance)
    x = np.append(1.0, -predictor[: n - 1]) / variance
    return Inverse(r, x, float(np.log(remaining).sum()))
