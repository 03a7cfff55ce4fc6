"""Rows that are alike, next to each other or of one group: how their errors go together, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz, toeplitz
from scipy.stats import chi2

__all__ = ["AlikeRows", "alike_in_groups", "alike_rows", "is_sorted"]

Array = NDArray[np.float64]

SURE = 1e-3  # p-value of no memory


@dataclass(frozen=True, eq=False)
class AlikeRows:
    """The correlations (n, n) of the errors of rows, and at which ``lag`` neighbours are most alike; 0 in groups."""

    correlations: Array
    lag: int = 0

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
    """Whether rows are in the order of some values (n,), or of one class of them against the others.

    >>> is_sorted(np.array([3.0, 2.0, 2.0, 1.0])), is_sorted(np.array([3.0, 1.0, 2.0, 0.0, 1.0, 0.0]))
    (True, False)
    """
    steps = np.diff(values)
    return bool(min((steps > 0.0).sum(), (steps < 0.0).sum()) <= 1)


def alike_rows(errors: Array) -> AlikeRows | None:
    """How errors (n,) go together in their order, by an autoregression; None where they may be independent.

    They surely remember by the tests of Ljung and Box (1978) of one lag and of many, and its order is that of the least
    BIC, so that errors with a season have it, too.

    >>> noise = np.random.default_rng(0).normal(size=200)
    >>> alike_rows(noise) is None, alike_rows(np.convolve(noise, 0.7 ** np.arange(9), "valid")).lag
    (True, 1)
    """
    left, n = errors - errors.mean(), len(errors)
    lags = min(n - 1, int(10.0 * np.log10(n)))
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


def alike_in_groups(errors: Array, groups: NDArray[np.intp]) -> AlikeRows | None:
    """How errors (n,) go together in groups: all pairs of one group by the same correlation (Moulton 1986).

    >>> groups = np.repeat(np.arange(9), 4)
    >>> alike_in_groups(np.random.default_rng(0).normal(size=9)[groups], groups).correlations[0, :5].round(2).tolist()
    [1.0, 1.0, 1.0, 1.0, 0.0]
    """
    same = (groups[:, None] == groups) & ~np.eye(len(groups), dtype=bool)
    left = errors - errors.mean()
    correlation = float(left @ same @ left) / float(same.sum() or 1) / (float(np.mean(left**2)) or 1.0)
    return AlikeRows(np.eye(len(groups)) + min(correlation, 1.0) * same) if correlation > 0.0 else None
