"""When a curve without a formula turned and moved most: dates, sizes, and no direction that hides them."""

from __future__ import annotations

import numpy as np
from tests.describe.spoken.extents import SURE, TROUGH, WANDERING, _both
from tests.describe.spoken.extents import YEARS_OF_RUNS as YEARS

from autostatistician.decompose.series.legs import legs
from autostatistician.forms import Leg

COLLAPSE = 28000.0 / (1.0 + np.exp(1.9 * (YEARS - 1988.5))) + 500.0 - (YEARS - 1950)


def test_a_collapse_is_told_by_its_years() -> None:
    short, long = _both(WANDERING, COLLAPSE)
    assert short.startswith("A wandering level that falls throughout; ")
    told = long.partition("It moves most between ")[2].partition(".")[0]
    first, last = int(told[:4]), int(told[9:13])
    assert 1985 <= first < last <= 1991
    rows = np.isin(YEARS, (first, last))
    fall = float(-np.diff(COLLAPSE[rows])[0])
    assert fall > 0.66 * np.ptp(COLLAPSE)
    assert f"there it falls by {round(fall, -2):,.0f}" in long


def test_turns_within_their_doubt_are_none() -> None:
    wiggle = 3.0 * (YEARS - 1950) + 10.0 * np.sin(YEARS)
    assert len(legs(YEARS, wiggle, SURE)) == 1  # details of the whole
    assert legs(YEARS, np.sin(YEARS), np.eye(60)) == ()
    assert len(legs(YEARS, TROUGH, 400.0 * np.eye(60))) == 1


def test_where_most_of_a_leg_lies() -> None:
    (leg,) = legs(YEARS, COLLAPSE, SURE)
    assert isinstance(leg, Leg)
    assert not leg.rises
    within = (leg.most[0] <= YEARS) & (leg.most[1] >= YEARS)
    assert leg.moved == COLLAPSE[within][-1] - COLLAPSE[within][0]
    shorter = [
        COLLAPSE[i] - COLLAPSE[j] for i in range(60) for j in range(i, 60) if YEARS[j] - YEARS[i] < np.ptp(leg.most)
    ]
    assert max(shorter) < 2.0 / 3.0 * abs(leg.change)
