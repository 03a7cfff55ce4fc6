"""Leaves without exponential terms of their own: few chosen from many, their weights by least squares.

In units of the lengthscale a leaf is a function of the lag and of its shapes. Terms of many rates and a few angles are
offered; orthogonal matching pursuit (Pati, Rezaiifar and Krishnaprasad 1993) takes those that serve the leaf, at
shapes around the wanted ones. This choice is made once for rounded shapes, lags and error; the weights follow the
shapes themselves, so that they have derivatives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, log

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.lag_functions import LagFunction

__all__ = ["FittedTerms", "fit"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

RATIO = 1.25  # of neighbouring rates; lags are rounded to its powers too
ANGLES = np.radians([0.0, 15.0, 30.0, 45.0, 58.0])
FASTEST = 6.0  # rate, times the lengthscale
SAMPLES = 250, 150  # lags by their logarithms, and as they are
SHAPE_STEP = 0.2  # of the logarithms of shapes
RESERVE = 0.7  # of the error, for what lies between the samples
MOST = 40  # terms
WITHOUT_GAIN = 6  # further terms after which none helps any more
LEAST = 1e-14  # singular values below this part of the largest one are rounding
NOTHING = 1e-12  # part of a term that others leave of it, below which it is rounding


@dataclass(frozen=True, slots=True, eq=False)
class FittedTerms:
    """Terms for a leaf at about some shapes: rates in units of the lengthscale, those without frequency first."""

    lags: Array  # (T,)
    rates: Complex  # (A,)
    real: int  # how many have no frequency
    left: Array  # (k, T) and
    right: Array  # (columns, k): from the leaf at the lags to the weights of cosines, then sines; their product is not
    # made, for it is large where terms are alike

    def weights(self, values: Array) -> Complex:
        """The weights (A,) of what has these values (T,) at the lags."""
        of_columns = self.right @ (self.left @ values)
        weights = of_columns[: len(self.rates)].astype(complex)
        weights[self.real :] += 1j * of_columns[len(self.rates) :]
        return weights


def fit(leaf: LagFunction, shapes: tuple[float, ...], shortest: float, longest: float, error: float) -> FittedTerms:
    """The fit of a leaf between two lags in units of its lengthscale.

    >>> from autostatistician.kernels.lag_functions import RATIONAL_QUADRATIC
    >>> found = fit(RATIONAL_QUADRATIC, (1.0,), 0.1, 50.0, 1e-6)
    >>> values = 1.0 / (1.0 + found.lags**2 / 2.0)
    >>> terms = np.exp(-np.outer(found.lags, found.rates)) @ found.weights(values)
    >>> len(found.rates) < 25, bool(np.abs(terms.real - values).max() < 1e-6)
    (True, True)
    """
    cells = tuple(round(log(shape) / SHAPE_STEP) for shape in shapes)
    ends = floor(log(shortest) / log(RATIO)), ceil(log(longest) / log(RATIO))
    return _fit(leaf, cells, ends, ceil(-4.0 * np.log10(RESERVE * error)))


@lru_cache(maxsize=256)
def _fit(leaf: LagFunction, cells: tuple[int, ...], ends: tuple[int, int], digits: int) -> FittedTerms:
    low, high = RATIO ** ends[0], RATIO ** max(ends[1], ends[0] + 1)
    lags = np.unique(np.concatenate([np.geomspace(low, high, SAMPLES[0]), np.linspace(low, high, SAMPLES[1])]))
    offered = _offered(high)
    targets, error = _targets(leaf, cells, lags), 10.0 ** (-0.25 * digits)
    chosen = _chosen(targets, offered, lags, error)
    rates = np.concatenate([offered[chosen][offered[chosen].imag == 0.0], offered[chosen][offered[chosen].imag > 0.0]])
    real = int((rates.imag == 0.0).sum())
    terms = np.exp(-np.outer(lags, rates))
    # Re((a + i b)(cos - i sin)) = a cos + b sin
    columns = np.concatenate([terms.real, -terms.imag[:, real:]], axis=1)
    left, sizes, right = np.linalg.svd(columns, full_matrices=False)
    kept = slice(_directions(targets, left, sizes, error))
    return FittedTerms(lags, rates, real, left[:, kept].T, right[kept].T / sizes[kept])


def _directions(targets: Array, left: Array, sizes: Array, error: float) -> int:
    """The fewest singular directions that reach the error: each further one makes weights larger, and digits fewer."""
    rest, most = targets.copy(), int((sizes > LEAST * sizes.max(initial=0.0)).sum())
    for count in range(most):
        if np.abs(rest).max() <= error:
            return count
        rest -= np.outer(left[:, count], left[:, count] @ rest)
    return most


def _targets(leaf: LagFunction, cells: tuple[int, ...], lags: Array) -> Array:
    """The leaf at the ends and in the middle of the cell of its shapes (T, 3), or as it is (T, 1)."""
    shifts = (-0.5, 0.0, 0.5) if cells else (0.0,)
    shapes = [[np.exp(SHAPE_STEP * (cell + shift)) for cell in cells] for shift in shifts]
    return np.stack([leaf.value(lags, 1.0, 1.0, *shape) for shape in shapes], axis=1)


def _offered(longest: float) -> Complex:
    slowest = 0.3 / longest
    count = ceil(log(max(FASTEST / slowest, 4.0)) / log(RATIO)) + 1
    sizes = slowest * RATIO ** np.arange(count)
    return np.concatenate([[0j], np.outer(np.exp(1j * ANGLES), sizes).ravel()])


def _chosen(targets: Array, rates: Complex, lags: Array, error: float) -> list[int]:
    """Which of the rates, in the order of their use, until the largest residual is below the error."""
    terms, residual = np.exp(-np.outer(lags, rates)), targets.copy()
    cosines, sines = terms.real.copy(), terms.imag.copy()
    chosen: list[int] = []
    largest = [float(np.abs(residual).max())]
    while largest[-1] > error and len(chosen) < MOST and int(np.argmin(largest)) > len(chosen) - WITHOUT_GAIN:
        best = _most_useful(cosines, sines, residual, chosen)
        chosen.append(best)
        for direction in (cosines[:, best].copy(), sines[:, best].copy()):
            norm = float(np.linalg.norm(direction))
            if norm > NOTHING * len(lags) ** 0.5:
                unit = direction / norm
                for what in (residual, cosines, sines):
                    what -= np.outer(unit, unit @ what)
                sines[:, best] -= unit * (unit @ sines[:, best])
        largest.append(float(np.abs(residual).max()))
    return chosen[: int(np.argmin(largest))]


def _most_useful(cosines: Array, sines: Array, residual: Array, chosen: list[int]) -> int:
    """The term that takes most of the residual for each of its columns."""
    tiny = NOTHING**2 * len(residual)
    norms = (cosines**2).sum(0) + tiny
    across = sines - cosines * ((cosines * sines).sum(0) / norms)
    others = (across**2).sum(0)
    turning = others > tiny
    gain = ((cosines.T @ residual) ** 2).sum(1) / norms + ((across.T @ residual) ** 2).sum(1) / (others + tiny)
    gain /= np.where(turning, 2.0**0.5, 1.0)
    gain[chosen] = -1.0
    return int(gain.argmax())
