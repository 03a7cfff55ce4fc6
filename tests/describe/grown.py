"""Series whose scale is in question, taken apart: one that grows exponentially, and one that rises straight."""

from dataclasses import replace
from functools import cache

import numpy as np
from tests.decompose.series.series import decomposed
from tests.describe.factory import MONTHLY, MONTHS

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import modelled, transform_of
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.kernels.kernel import leaf

NOISE = leaf("WN", sd=0.05)
T = MONTHS - 1949
Y = 200.0 * np.exp(0.1 * T + 0.25 * np.sin(2 * np.pi * T) + 0.05 * np.random.default_rng(1).standard_normal(144))


@cache
def grown(gain: float | None = 42.3) -> Decomposition:
    """Growth of about 10.5 % per year with a yearly cycle, taken apart on the logarithmic scale."""
    data = Dataset(MONTHS[:, None], Y, ("month",), "sales", MONTHLY, "sales")
    log = transform_of("log", Y)
    cycle = leaf("Per", sd=0.3, lengthscale=1.0, period=1.0)
    kernel = leaf("Lin", sd=0.1, location=1955.0 - log.shift / 0.1) + cycle + NOISE
    fitted = Fitted(kernel, 600.0, 1234.0, 8, 1.0, 100)
    found = decomposed(kernel, modelled(data, log), fitted=fitted, horizon=12, transform=log)
    return replace(found, transform_gain=gain)


@cache
def straight() -> Decomposition:
    """A line with noise around it."""
    y = 20.0 * T + 5.0 * np.random.default_rng(1).standard_normal(144)
    data = Dataset(MONTHS[:, None], y, ("month",), "sales", MONTHLY, "sales")
    kernel = leaf("Lin", sd=20.0, location=1949.0) + leaf("WN", sd=5.0)
    return decomposed(kernel, data, fitted=Fitted(NOISE, 600.0, 1234.0, 8, 1.0, 100), horizon=12)
