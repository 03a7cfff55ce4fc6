"""Rows of a table that all others let expect otherwise: named, never set aside, as a table may have any structure."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from autostatistician.decompose.records.table import LeaveOneOut, TableDecomposition
from autostatistician.describe.facts.whole import StandingOut

__all__ = ["far_off"]

FEWEST_ROWS = 20
CHANCE = 0.02  # of naming any row of a table whose noise is as the model says
LEAST_DISTANCE = 4.0  # standard deviations
MOST_OUTLYING = 0.02  # share of the rows: with more, the noise is not as the model says, which its checks tell


def far_off(out: LeaveOneOut, d: TableDecomposition) -> tuple[StandingOut, ...]:
    """Rows, by their numbers in the table, whose prediction from all others is further off than chance would bring."""
    n = len(d.y)
    if n < FEWEST_ROWS:
        return ()
    limit = max(LEAST_DISTANCE, -NormalDist().inv_cdf(0.5 * CHANCE / n))
    rows = np.flatnonzero(np.abs(out.errors) > limit)
    if len(rows) > max(1.0, MOST_OUTLYING * n):
        return ()
    return tuple(
        StandingOut(
            id=f"outliers/{number}", number=float(d.y[row]), unit="target", position=float(d.number_of(row)),
            evidence="prediction from all other rows, with Bonferroni's correction for their number",
            expected=float(out.predicted[row]), aside=False, gain=0.0, values=n - 1,
        )
        for number, row in enumerate(rows.tolist(), 1)
    )  # fmt: skip
