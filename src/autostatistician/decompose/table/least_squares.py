"""Least squares of the rows of a table: what terms of columns explain, and how sure that is where rows are alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz, toeplitz
from scipy.stats import chi2
from scipy.stats import f as f_distribution

from autostatistician.decompose.records.table import Contrast, DropTest, Slope
from autostatistician.forms import BAND_SDS

__all__ = [
    "FEWEST_ROWS", "MOST_LEVERAGE", "AlikeRows", "Fit", "alike_in_groups", "alike_rows", "beside_others", "compared",
    "fit_of", "is_sorted", "orthonormal", "p_of_terms",
]  # fmt: skip

Array = NDArray[np.float64]

FEWEST_ROWS = 5
MOST_LEVERAGE = 0.9
SURE = 1e-3  # p-value of errors without memory


def orthonormal(design: Array) -> Array:
    """Columns (n, k) that span those of a design, of which some may be sums of others."""
    vectors, sizes, _ = np.linalg.svd(design, full_matrices=False)
    return np.asarray(vectors[:, sizes > 1e-9 * sizes[0]])


@dataclass(frozen=True)
class Fit:
    """Residuals (n,) of least squares, the same of rows left out one by one, and an orthonormal ``basis`` (n, k).

    ``variance`` is what errors of variance one bring along all of its terms: the rank where they are independent; a row
    is ``worth`` so many independent ones for what is known of their variance.
    """

    residuals: Array
    left_out: Array
    basis: Array
    variance: float
    worth: float = 1.0

    @property
    def rank(self) -> int:
        """How many of the columns of the design are no sums of others."""
        return int(self.basis.shape[1])

    @property
    def free(self) -> float:
        """The sum of squares that errors of variance one leave."""
        return max(len(self.residuals) - self.variance, 1.0)

    def wider(self, less: Fit) -> float:
        """How many times as far as independent ones errors move what is fitted beyond another fit."""
        return float(np.sqrt(max((self.variance - less.variance) / max(self.rank - less.rank, 1), 1.0)))

    def p_beyond(self, less: Fit) -> float:
        """The p-value of what is fitted beyond another fit, by an F test of what errors bring (Box 1954)."""
        more, free = self.rank - less.rank, len(self.residuals) - self.rank
        if more <= 0 or free < FEWEST_ROWS:
            return 1.0
        squares, rest = float(less.residuals @ less.residuals), float(self.residuals @ self.residuals)
        if rest <= 0.0:
            return 0.0
        gained = max(squares - rest, 0.0) / (more * self.wider(less) ** 2)
        return float(f_distribution.sf(gained * self.free / rest, more, free * self.worth))


def fit_of(design: Array, y: Array, alike: AlikeRows | None = None) -> Fit:
    """Least squares of values (n,) on the columns of a design (n, k), of which some may be sums of others.

    >>> x = np.arange(6.0)
    >>> fit = fit_of(np.column_stack([np.ones(6), x, 2.0 * x]), 3.0 * x)
    >>> fit.rank, float(np.abs(fit.residuals).max().round(9))
    (2, 0.0)
    """
    basis = orthonormal(design)
    residuals = y - basis @ (basis.T @ y)
    left_out = residuals / (1.0 - np.minimum(np.sum(basis**2, axis=1), MOST_LEVERAGE))
    known = (basis.shape[1],) if alike is None else (alike.variance(basis), alike.worth)
    return Fit(residuals, left_out, basis, *known)


def compared(without: Array, every: Array, y: Array, alike: AlikeRows | None = None) -> DropTest:
    """The F test of the terms that one design has beyond another, and what they foresee of rows that are left out."""
    less, full = (fit_of(design, y, alike) for design in (without, every))
    gains = (less.left_out**2 - full.left_out**2) / (float(np.var(y)) or 1.0)
    mean, error = float(gains.mean()), full.wider(less) * float(gains.std() / np.sqrt(len(y)))
    # Of rows left out, too: an F test is too sure where few rows are far off, as none of two classes is.
    is_seen = mean > (0.0 if len(np.unique(y)) == 2 else error)
    return DropTest(mean, (mean - BAND_SDS * error, mean + BAND_SDS * error), full.p_beyond(less) if is_seen else 1.0)


def p_of_terms(without: Array, every: Array, y: Array, alike: AlikeRows | None = None) -> float:
    """The p-value of the terms that one design has beyond another, by the F test."""
    return fit_of(every, y, alike).p_beyond(fit_of(without, y, alike))


def beside_others(others: Array, terms: Array, y: Array, alike: AlikeRows | None = None) -> Slope:
    """The F test of the terms (n, k) of a column beside other terms, and what a single one does from end to end.

    The range of the latter is the wider one of equal and unequal noise (HC3, MacKinnon and White 1985), as the test is
    too sure where noise grows with a column, and where few rows are far off; and wider still where rows are alike.
    """
    less, full = fit_of(others, y, alike), fit_of(np.column_stack([others, terms]), y, alike)
    p = full.p_beyond(less)
    if p == 1.0:
        return Slope(1.0, None)  # of a column that the others are, nothing is known
    alone = terms - less.basis @ (less.basis.T @ terms)
    vectors, rest = np.linalg.qr(alone[:, np.linalg.norm(alone, axis=0) > 1e-9 * np.linalg.norm(terms, axis=0)])
    along = vectors.T @ y
    equal, unequal = full.residuals @ full.residuals / full.free, np.sum((vectors.T * full.left_out) ** 2, axis=1)
    sd = full.wider(less) * float(np.sqrt(max(equal, unequal.max())))
    most = (float(np.linalg.norm(along)) + BAND_SDS * sd) ** 2 / (float(np.var(y)) * len(y))
    reach = float(np.ptp(terms)) / float(rest[0, 0])
    change = Contrast(reach * float(along[0]), abs(reach) * sd) if terms.shape[1] == 1 else None
    return Slope(p, change, p, most)


# --- Rows that are alike, next to each other or of one group ---------------------------------------------------------


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
