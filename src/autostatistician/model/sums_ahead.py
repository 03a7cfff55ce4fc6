"""What the next year, four weeks or day of a series comes to in sum, against as many steps before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Decomposition, SumAhead
from autostatistician.inference.predictive import ENDS_OF_95
from autostatistician.inference.predictive.joint import with_marginals
from autostatistician.model.predictions import Predictor
from autostatistician.seeds import generator

__all__ = ["sum_ahead"]

# Steps that make a whole, the longest first: a year, a quarter of one, four weeks, a week, a day.
WHOLES = {"month": (12,), "quarter": (4,), "week": (52, 13), "day": (28, 7), "business day": (20, 5), "hour": (24,)}
DRAWS = 4000
SCORES = np.linspace(-4.0, 4.0, 49)  # normal ones of the quantiles that these are read off
NEAR = 0.5  # of a step: as far from evenly apart rows may be


def sum_ahead(predictor: Predictor, record: Decomposition) -> SumAhead | None:
    """The sum of the next steps; None where they make no whole, or the steps before have rows without a value."""
    ahead = record.forecast.x
    steps = next((n for n in WHOLES.get(record.axis.frequency, ()) if n <= min(ahead.size, record.x.size)), 0)
    if not steps or not _follow(record.x[-steps:], ahead[:steps]):
        return None
    rows = ahead[:steps, None]
    whole = predictor.law_at(ahead[:steps]) is not None
    each, cov = predictor.predictive(rows), predictor.joint(rows)[1]
    sums = with_marginals(each, cov, DRAWS, generator(predictor.model.settings.seed), whole=whole, scores=SCORES).sum(
        axis=0
    )
    before = float(record.y[-steps:].sum())
    lower, upper = np.quantile(sums, ENDS_OF_95).tolist()
    return SumAhead(steps, float(np.median(sums)), (lower, upper), before, float(np.mean(sums < before)))


def _follow(before: NDArray[np.float64], ahead: NDArray[np.float64]) -> bool:
    """Whether as many rows (m,) lie right before those ahead (m,), none of them missing.

    >>> _follow(np.array([1.0, 2.0]), np.array([3.0, 4.0])), _follow(np.array([0.0, 2.0]), np.array([3.0, 4.0]))
    (True, False)
    """
    step = (ahead[-1] - ahead[0]) / (ahead.size - 1)
    return bool(
        abs((ahead[-1] - before[0]) / step - (2 * ahead.size - 1)) < NEAR and ahead[0] - before[-1] < 1.5 * step
    )
