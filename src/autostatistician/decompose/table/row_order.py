"""Rows next to each other that are alike: how errors go together in the order of the rows, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz, toeplitz
from scipy.stats import chi2

__all__ = ["AlikeRows", "alike_rows", "is_sorted"]

Array = NDArray[np.float64]

MOST_LAGS, ROWS_PER_LAG = 24, 5
SURE = 1e-3  # p-value of no memory
ODD = 0.02  # of the steps of a sorted column that go the other way


@dataclass(frozen=True, eq=False)
class AlikeRows:
    """The correlations (n, n) of the errors of rows, and the ``lag`` at which neighbours are most alike."""

    correlations: Array
    lag: int

    @property
    def correlation(self) -> float:
        """That at the lag."""
        return float(self.correlations[0, self.lag])

    @cached_property
    def worth(self) -> float:
        """How many independent rows one is worth for what is known of a variance."""
        return len(self.correlations) / float(np.sum(self.correlations**2))

    def variance(self, basis: Array) -> float:
        """The variance that errors of one have along the columns of an orthonormal basis (n, k), in all."""
        return float(np.sum(basis * (self.correlations @ basis)))


def is_sorted(values: Array) -> bool:
    """Whether rows are in the order of some values (n,), but for few.

    >>> is_sorted(np.array([3.0, 2.0, 2.0, 1.0])), is_sorted(np.array([3.0, 1.0, 2.0, 0.0]))
    (True, False)
    """
    steps = np.diff(values)
    return bool(min((steps > 0.0).sum(), (steps < 0.0).sum()) <= ODD * len(values))


def alike_rows(errors: Array) -> AlikeRows | None:
    """How errors (n,) go together in their order, by an autoregression; None where they may be independent.

    They surely remember by the tests of Ljung and Box (1978) of one lag and of many, and its order is that of the least
    BIC, so that errors with a season have it, too.

    >>> noise = np.random.default_rng(0).normal(size=200)
    >>> alike_rows(noise) is None, alike_rows(np.convolve(noise, 0.7 ** np.arange(9), "valid")).lag
    (True, 1)
    """
    n, lags = len(errors), min(MOST_LAGS, len(errors) // ROWS_PER_LAG)
    left = errors - errors.mean()
    squares = float(left @ left)
    if not lags or squares <= 0.0:
        return None
    r = np.array([left[k:] @ left[: n - k] for k in range(lags + 1)]) / squares
    sums = n * (n + 2.0) * np.cumsum(r[1:] ** 2 / (n - np.arange(1, lags + 1)))
    if 2.0 * min(chi2.sf(sums[0], 1), chi2.sf(sums[-1], lags)) >= SURE:
        return None
    weights = [solve_toeplitz(r[:order], r[1 : order + 1]) for order in range(1, lags + 1)]
    scores = [n * np.log(1.0 - each @ r[1 : len(each) + 1]) + 2.0 * len(each) for each in weights]
    best = weights[int(np.argmin(scores))]
    every = [*r[: len(best) + 1]]
    while len(every) < n:
        every.append(best @ every[: -len(best) - 1 : -1])
    found = AlikeRows(toeplitz(every), 1 + int(np.argmax(every[1 : lags + 1])))
    return found if min(scores) < 0.0 < found.correlation else None
