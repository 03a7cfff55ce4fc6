"""What the row of a leaf says of its state space: the exponential terms that it is, or that come near it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NO_TERMS",
    "Accuracy",
    "Complex",
    "Derivative",
    "Exponentials",
    "LeafTerms",
    "StateSpace",
    "Values",
    "joined",
]  # fmt: skip


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


Values = tuple[float, ...]

Derivative = tuple[Complex, Complex]  # of weights and rates by one parameter, or by its logarithm where it is positive

LeafTerms = tuple[Exponentials, list[Derivative]]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What is asked of a leaf: the largest error, as a part of its variance, over lags between two lengths."""

    error: float
    shortest: float
    longest: float

    def lags(self, lengthscale: float) -> tuple[float, float]:
        """The two lengths in units of a lengthscale, none below a thousandth: there all leaves are plain."""
        longest = max(self.longest / lengthscale, 2e-3)
        return min(max(self.shortest / lengthscale, 1e-3), 0.5 * longest), longest


@dataclass(frozen=True, slots=True)
class StateSpace:
    """A leaf as a sum of exponential terms at lags above zero, for engines whose cost grows with n.

    Parameters
    ----------
    terms : callable
        From the parameters of the leaf (but for a location) and an `Accuracy` to the terms, and their derivatives by
        each of these parameters.
    columns : int
        In how many columns they are written with moderate numbers and noise.
    finest : callable, optional
        Of a leaf that is no finite sum: the smallest error to be asked for, by its parameters and the longest lag.
        None: there are as many terms, and exact ones, whatever is asked.
    harmonics : bool
        Whether the terms are cosines of which small ones are left out. An error of such a series moves the evidence in
        full, that of a fit changes its sign from lag to lag.
    """

    terms: Callable[[Values, Accuracy], LeafTerms]
    columns: int
    finest: Callable[[Values, float], float] | None = None
    harmonics: bool = False
