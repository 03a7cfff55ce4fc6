"""How far chains agree: the rank-normalised R-hat and effective samples of what they trace."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["AGREED", "agreement"]

Array = NDArray[np.float64]

AGREED = 1.05  # R-hat up to which chains are said to agree


def agreement(traces: Array) -> tuple[float, float]:
    """R-hat and the effective sample size of one quantity in chains (C, K), by `arviz_stats` (Vehtari et al. 2021).

    R-hat asks for two chains or more. A quantity that is the same all the time agrees fully, and all samples count.

    Examples
    --------
    >>> r_hat, effective = agreement(np.random.default_rng(0).standard_normal((4, 250)))
    >>> r_hat < 1.01, effective > 500
    (True, True)
    """
    from arviz_stats.base.array import array_stats

    of: Any = array_stats  # it comes without types

    chains, count = traces.shape
    if not count:
        return np.nan, 0.0
    if np.ptp(traces) == 0.0:
        return 1.0, float(traces.size)
    if count < 4:
        return np.nan, float(chains)
    with warnings.catch_warnings(), np.errstate(all="ignore"):  # chains that each stand still at another value
        warnings.simplefilter("ignore")
        r_hat = float(of.rhat(traces, chain_axis=0, draw_axis=1))
        effective = float(of.ess(traces, chain_axis=0, draw_axis=1))
    return (np.inf if np.isnan(r_hat) and chains > 1 else r_hat), effective
