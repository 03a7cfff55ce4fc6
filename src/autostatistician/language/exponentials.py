"""Sums of exponential terms ``Re(P(t) exp(-s t))``, P a polynomial, for lags t >= 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["NO_TERMS", "Exponentials", "joined"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class Exponentials:
    """A terms: ``weight`` (A, D) of the powers of t below D, ``rate`` (A,) with its frequency as imaginary part.

    ``real`` (A,) says which have neither frequency nor phase, whatever the parameters; ``degree`` (A,) is that of P.
    """

    weight: Complex
    rate: Complex
    real: NDArray[np.bool_]
    degree: NDArray[np.intp]

    @classmethod
    def of(cls, weight: object, rate: object, *, real: bool) -> Exponentials:
        """Terms of degree zero from weights (A,), or of one degree from (A, D)."""
        rates = np.atleast_1d(np.asarray(rate, dtype=complex))
        weights = np.asarray(weight, dtype=complex)
        weights = weights[:, None] if weights.ndim == 1 else weights
        A, D = weights.shape
        return cls(weights, rates, np.full(A, real), np.full(A, D - 1, dtype=np.intp))

    @property
    def columns(self) -> int:
        """In how many columns they can be written."""
        return int(((self.degree + 1) * np.where(self.real, 1, 2)).sum())

    def at(self, lags: Array) -> Array:
        """The sum at lags of any shape.

        >>> Exponentials.of([1.0], [1.0], real=True).at(np.array([0.0, 1.0])).round(4).tolist()
        [1.0, 0.3679]
        """
        powers = lags[..., None, None] ** np.arange(self.weight.shape[1])
        return np.asarray(((powers * self.weight).sum(-1) * np.exp(-lags[..., None] * self.rate)).sum(-1).real)


NO_TERMS = Exponentials(np.zeros((0, 1), complex), np.zeros(0, complex), np.zeros(0, bool), np.zeros(0, np.intp))


def joined(parts: list[Exponentials]) -> Exponentials:
    """The sum."""
    if len(parts) == 1:
        return parts[0]
    D = max(part.weight.shape[1] for part in parts)
    return Exponentials(
        np.concatenate([_widened(part.weight, D) for part in parts]),
        np.concatenate([part.rate for part in parts]),
        np.concatenate([part.real for part in parts]),
        np.concatenate([part.degree for part in parts]),
    )


def _widened(weight: Complex, D: int) -> Complex:
    """With zeros for the powers that it lacks."""
    if weight.shape[1] == D:
        return weight
    widened = np.zeros((len(weight), D), complex)
    widened[:, : weight.shape[1]] = weight
    return widened
