"""Whether values run at one pace, or bend: by a cubic beside a straight line, without any model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import f as f_distribution

__all__ = ["bends"]

Array = NDArray[np.float64]

SURE = 0.01  # p-value of a straight line
PARTS, OTHER_PACE = 5, 2.0  # equal parts of the span, of which one runs so many times as fast as another


def bends(x: Array, values: Array) -> bool:
    """Whether a straight line leaves something systematic of values (m,), so large that their pace clearly changes.

    >>> x = np.arange(30.0)
    >>> noise = np.random.default_rng(0).normal(size=30)
    >>> bends(x, 3.0 * x + noise), bends(x, 90.0 / (1.0 + np.exp(-0.2 * (x - 14.0))) + noise)
    (False, True)
    """
    if len(x) < 2 * PARTS or not np.ptp(x) > 0.0:
        return False
    places = 2.0 * (x - x[0]) / np.ptp(x) - 1.0
    line, cubic = (np.polynomial.legendre.Legendre.fit(places, values, degree, domain=[-1.0, 1.0]) for degree in (1, 3))
    before, after = (float(np.sum((values - fit(places)) ** 2)) for fit in (line, cubic))
    rest = len(x) - 4
    if f_distribution.sf((before - after) / 2.0 / max(after / rest, 1e-24 * before, 1e-300), 2, rest) > SURE:
        return False
    paces = np.diff(cubic(np.linspace(-1.0, 1.0, PARTS + 1))) * np.sign(line.coef[1])
    return bool(paces.max() > OTHER_PACE * paces.min())
