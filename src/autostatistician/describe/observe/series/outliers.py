"""Values that stand out from a series, as facts."""

from __future__ import annotations

import numpy as np

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.whole import HeavyTails, ReturningDay, StandingOut, TwoWays

__all__ = ["EVIDENCE", "outlier_facts", "two_ways"]


EVIDENCE = "prediction from all other values by reference models, with Bonferroni's correction for their number"
NEARLY_SURE = 0.9999  # chance of an outlier that is told at most: no data make it certain
RETURNS = "most values on this day lie to one side of what reference models let expect, with a correction for all days"


def outlier_facts(d: Decomposition) -> tuple[StandingOut | HeavyTails | ReturningDay, ...]:
    """A fact for every value that stands out, or one for many."""
    if d.screening.heavy:
        far = tuple((row.x, row.y) for row in d.screening.far)
        heavy = HeavyTails(id="outliers/many", number=d.screening.heavy, unit="1", evidence=EVIDENCE, far=far)
        return (heavy, *_returning(d))
    single = [row for row in d.screening.rows if not row.returns]
    alone = tuple(
        StandingOut(
            id=f"outliers/{number}", number=outlier.y, unit="target", evidence=EVIDENCE, position=outlier.x,
            expected=outlier.expected, aside=outlier.aside, gain=d.screening.gain, values=int(d.x.size),
            ending=outlier.ending, lasting=d.screening.lasting if outlier.ending else 0.0,
            chance=None if outlier.chance is None else min(outlier.chance, NEARLY_SURE),
        )
        for number, outlier in enumerate(single, 1)
    )  # fmt: skip
    return (*alone, *_returning(d))


def two_ways(d: Decomposition) -> tuple[TwoWays, ...]:
    """What comes first if the last values, which were set aside, are past, and if they begin a new level."""
    if d.two_ways is None or not d.forecast.x.size:
        return ()
    back, lasting = (float(way[0]) for way in d.two_ways)
    return (
        TwoWays(
            id="forecast/two-ways", number=back, unit="target", evidence="the forecast in either case",
            position=float(d.forecast.x[0]), lasting=lasting, odds=d.screening.lasting, rows=len(d.screening.ending),
        ),
    )  # fmt: skip


def _returning(d: Decomposition) -> tuple[ReturningDay, ...]:
    """A fact for every day of the calendar on which values are off each time."""
    return tuple(
        ReturningDay(
            id=f"outliers/day {number}", number=float(np.median([row.y - row.expected for row in rows])), unit="target",
            evidence=RETURNS, day=day.text, level=float(np.median([row.y for row in rows])), times=len(rows),
            since=rows[0].x,
        )
        for number, (day, rows) in enumerate(d.screening.returning.items(), 1)
    )  # fmt: skip
