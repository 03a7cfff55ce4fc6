"""Months, weekdays and hours of positions, against the calendar of the standard library."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
from tests.describe.factory import DAILY, HOURLY, MONTHLY, MONTHS, YEARLY, YEARS, units_on

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.phases import first_phase, phase_kind, phase_text, phases
from autostatistician.describe.facts.kinds import Phase

START = datetime(2001, 1, 1)


@pytest.mark.parametrize(
    ("axis", "kind", "told", "size"),
    [
        (DAILY, Phase.MONTH, lambda moment: moment.month, 12),
        (DAILY, Phase.WEEKDAY, lambda moment: moment.weekday(), 7),
        (HOURLY, Phase.HOUR, lambda moment: moment.hour, 24),
        (DAILY, Phase.QUARTER, lambda moment: (moment.month + 2) // 3, 4),
    ],
)
def test_phases_are_those_of_the_calendar(axis: Axis, kind: Phase, told: object, size: int) -> None:
    x = np.arange(0.0, 900.0, 13.0)
    step = timedelta(days=1) if axis is DAILY else timedelta(hours=1)
    labels, count = phases(x, kind, units_on(axis, x))
    assert labels.tolist() == [told(START + float(at) * step) for at in x]  # type: ignore[operator]
    assert count == size


def test_places_have_names_where_the_data_are_fine_enough() -> None:
    assert phase_kind(1.0, units_on(MONTHLY, MONTHS)) is Phase.MONTH
    assert phase_kind(7.0, units_on(DAILY, np.arange(900.0))) is Phase.WEEKDAY
    assert phase_kind(7.0, units_on(replace(DAILY, step=None), np.arange(0.0, 900.0, 7.0))) is Phase.UNNAMED
    assert phase_kind(1.0, units_on(YEARLY, YEARS)) is Phase.UNNAMED
    quarters = replace(MONTHLY, frequency="quarter", step=0.25)
    assert phase_kind(1.0, units_on(quarters, MONTHS[::3])) is Phase.QUARTER


def test_places_are_counted_as_people_count_them() -> None:
    assert [first_phase(kind) for kind in (Phase.MONTH, Phase.QUARTER, Phase.WEEKDAY, Phase.HOUR)] == [1, 1, 0, 0]
    assert phase_text(Phase.QUARTER, (1,)) == "in quarter 1"
