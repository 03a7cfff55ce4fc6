"""What the row of a leaf says of its state space: the exponential terms that it is, or that come near it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.language.exponentials import Exponentials

__all__ = ["Accuracy", "Complex", "Derivative", "LeafTerms", "Values", "StateSpace"]

Complex = NDArray[np.complex128]
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
