"""How far ahead a forecast goes where nobody says it."""

from __future__ import annotations

from math import ceil

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.data.steps import most_steps
from autostatistician.language.kernel import Kernel, parameters

__all__ = ["default_horizon"]

# How far people look ahead on a calendar, in steps; never more than a quarter of what was seen.
USUAL_STEPS = {"month": 24, "quarter": 8, "week": 26, "day": 60, "business day": 60, "hour": 72}


def default_horizon(dataset: Dataset, kernel: Kernel | None = None) -> int:
    """Steps that a reader of such a series would want to see: by its calendar, else a tenth of its length.

    With the ``kernel`` of its model at least one whole turn of every cycle that the data show twice.
    """
    axis = dataset.axis
    n = len(dataset.y)
    if axis is None:
        return 0
    span = float(np.ptp(dataset.X[:, 0]))
    cells = n if axis.step is None else max(n, round(span / axis.step))
    usual = USUAL_STEPS.get(axis.frequency, ceil(0.1 * cells))
    step = axis.step or axis.gap
    pairs = () if kernel is None else zip(parameters(kernel.expr), kernel.values, strict=True)
    periods = [value for parameter, value in pairs if parameter.name == "period" and 2.0 * value <= span + step]
    wanted = max(1, min(usual, ceil(0.25 * cells)), *(ceil(period / step - 0.05) for period in periods))
    return min(wanted, most_steps())
