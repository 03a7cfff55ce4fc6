"""How a target goes with one column by itself: a witness beside the model, from ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kruskal, rankdata, spearmanr

from autostatistician.decompose.records.table import Plain

__all__ = ["plain"]

FEWEST_ROWS = 5


def plain(values: NDArray[np.float64], y: NDArray[np.float64], looks: int, *, codes: bool) -> Plain | None:
    """The correlation of the ranks of a target (n,) with a column (n,), or with its categories; None of too few rows.

    >>> x = np.arange(20.0)
    >>> plain(x, -np.exp(x), 3, codes=False)
    Plain(correlation=-1.0, p=0.0)
    >>> plain(x % 2, np.where(x % 2, 5.0, 1.0) + 0.01 * x, 1, codes=True).correlation > 0.8
    True

    Parameters
    ----------
    values, y : array of shape (n,)
    looks : int
        How many columns are looked at; the p-value is that of the best of so many.
    codes : bool
        Whether values are codes of categories.
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
        found = spearmanr(values, y)
        number, p = float(found.statistic), float(found.pvalue)
    return Plain(round(number, 12), min(1.0, looks * p))
