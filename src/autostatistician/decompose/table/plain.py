"""Witnesses beside the model: how a target goes with one column or two by themselves, and with a single row."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.stats import f as f_distribution
from scipy.stats import kruskal, pearsonr, rankdata, spearmanr

from autostatistician.decompose.records.table import Plain

__all__ = ["carrying_row", "plain", "products_p"]

Array = NDArray[np.float64]

FEWEST_ROWS = 5
MOST_OF_IT = 0.5  # of the variance of an effect: a row that carries it makes more
CLEAR = 0.05  # p-value
ROWS_PER_TERM = 10
MOST_GROUPS, ROWS_PER_GROUP = 6, 8  # of a column that may be made from the target


def plain(values: NDArray[np.float64], y: NDArray[np.float64], looks: int, *, codes: bool) -> Plain | None:
    """The correlation of the ranks of a target (n,) with a column (n,), or with its categories; None of too few rows.

    The p-value is that of the best of as many columns as are looked at (``looks``).

    >>> x = np.arange(20.0)
    >>> plain(x, -np.exp(x), 3, codes=False)
    Plain(correlation=-1.0, p=0.0, parts=False)
    >>> plain(x % 2, np.where(x % 2, 5.0, 1.0) + 0.01 * x, 1, codes=True).correlation > 0.8
    True
    """
    if len(y) < FEWEST_ROWS or np.ptp(values) == 0.0 or np.ptp(y) == 0.0:
        return None
    if codes:
        groups = [y[values == code] for code in np.unique(values)]
        ranks = rankdata(y)
        means = np.zeros(len(y))
        for code in np.unique(values):
            means[values == code] = ranks[values == code].mean()
        number, p = float(np.sqrt(means.var() / ranks.var())), float(kruskal(*groups).pvalue)
    else:
        result = spearmanr(values, y)
        number, p = float(result.statistic), float(result.pvalue)
    return Plain(round(number, 12), min(1.0, looks * p), _parts(values, y))


def _parts(values: Array, y: Array) -> bool:
    """Whether a target (n,) does not overlap between the few values of a column (n,), though it varies within each.

    >>> y = np.arange(40.0)
    >>> _parts(1.0 * (y > 20.0), y), _parts(y % 2.0, y), _parts(y, y)
    (True, False, False)
    """
    kinds = np.unique(values)
    if not 2 <= len(kinds) <= MOST_GROUPS:
        return False
    groups = sorted((y[values == kind] for kind in kinds), key=lambda group: float(group[0]))
    apart = all(float(low.max()) < float(high.min()) for low, high in pairwise(groups))
    return apart and all(len(group) >= ROWS_PER_GROUP and np.ptp(group) > 0.0 for group in groups)


def carrying_row(effect: Array, residuals: Array) -> int | None:
    """The row that makes most of an effect (n,) and without which the others do not go with it; None if there is none.

    ``residuals`` (n,) are what is left of the target when all other effects are taken away.

    >>> rng = np.random.default_rng(0)
    >>> effect = np.append(0.1 * rng.normal(size=20), 9.0)
    >>> carrying_row(effect, effect + rng.normal(size=21)), carrying_row(effect, effect)
    (20, None)
    """
    squares = (effect - effect.mean()) ** 2
    row = int(squares.argmax())
    if len(effect) <= FEWEST_ROWS or squares[row] <= MOST_OF_IT * squares.sum():
        return None
    others, remaining = np.delete(effect, row), np.delete(residuals, row)
    if np.ptp(others) <= 1e-9 * np.ptp(effect) or np.ptp(remaining) == 0.0:
        return row
    result = pearsonr(others, remaining)
    return None if result.statistic > 0.0 and result.pvalue < CLEAR else row


def products_p(first: Array, second: Array, y: Array, codes: tuple[bool, bool]) -> float | None:
    """The p-value of products of two columns in a regression on both, by the F test; None of too few rows.

    ``codes`` says which of them hold codes of categories.

    >>> a, b = np.random.default_rng(0).uniform(-1.0, 1.0, (2, 60))
    >>> noise = 0.3 * np.random.default_rng(1).normal(size=60)
    >>> products_p(a, b, a * b + noise, (False, False)) < 1e-6, products_p(a, b, a + b + noise, (False, False)) > 0.05
    (True, True)
    """
    sides = [_terms(values, coded) for values, coded in zip((first, second), codes, strict=True)]
    both = np.column_stack([np.ones(len(y)), *sides])
    pairs = [(i, j) for i in range(sides[0].shape[1]) for j in range(sides[1].shape[1])]
    lines = [(i, j) for i, j in pairs if (codes[0] or i == 0) and (codes[1] or j == 0)]
    curved = [(i, j) for i, j in pairs if (i, j) not in lines and i + j == 1]
    products = lines + curved if len(y) >= ROWS_PER_TERM * (both.shape[1] + len(lines + curved)) else lines
    full = np.column_stack([both, *(sides[0][:, i] * sides[1][:, j] for i, j in products)])
    (without, rank), (with_products, ranks) = (_residual_squares(design, y) for design in (both, full))
    more, free = ranks - rank, len(y) - ranks
    if more == 0 or free < FEWEST_ROWS:
        return None
    if with_products <= 0.0:
        return 0.0
    return float(f_distribution.sf((without - with_products) / more / (with_products / free), more, free))


def _terms(values: Array, coded: bool) -> Array:
    """An indicator for every category but one, or powers of a column."""
    distinct = np.unique(values)
    if coded or len(distinct) <= 2:
        return np.asarray(values[:, None] == distinct[1:], dtype=float)
    unit = (values - values.mean()) / values.std()
    return np.column_stack([unit, unit**2] if len(distinct) == 3 else [unit, unit**2, unit**3])


def _residual_squares(design: Array, y: Array) -> tuple[float, int]:
    solution, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    return float(np.sum((y - design @ solution) ** 2)), int(rank)
