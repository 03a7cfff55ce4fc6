"""How far the rate of counts scatters in all: by the noise of its logarithm, and by the law of the counts."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from scipy.stats import gamma

__all__ = ["rate_scatter"]

PLACES = 500  # of each distribution, evenly spaced by probability
ENDS_OF_95 = (0.025, 0.975)


def rate_scatter(sd: float, dispersion: float) -> tuple[float, float]:
    """Between which logarithms 95 % of a rate lie about what the model expects of it.

    It is multiplied by a lognormal variable, whose logarithm has the standard deviation ``sd``, and by a gamma one of
    mean one and variance ``dispersion``, which makes counts negative binomial.

    >>> [round(end, 2) for end in rate_scatter(0.5, 0.0)], [round(end, 2) for end in rate_scatter(0.0, 1.0)]
    ([-0.98, 0.98], [-3.68, 1.31])
    """
    levels = (np.arange(PLACES) + 0.5) / PLACES
    logs = sd * ndtri(levels)
    if dispersion > 0.0:
        law = np.log(np.maximum(gamma(1.0 / dispersion, scale=dispersion).ppf(levels), np.finfo(np.float64).tiny))
        logs = (logs[:, None] + law).ravel()
    elif sd > 0.0:
        return sd * float(ndtri(ENDS_OF_95[0])), sd * float(ndtri(ENDS_OF_95[1]))
    low, high = np.quantile(logs, ENDS_OF_95)
    return float(low), float(high)
