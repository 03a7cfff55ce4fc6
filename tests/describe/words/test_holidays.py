"""What the days around holidays add, word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.describe.covariate_cases import EASTER, findings
from tests.describe.factory import MONTHLY, MONTHS, PLAIN, units_on
from tests.describe.spoken.columns import DAY_UNITS, MONTH_UNITS, told

from autostatistician.describe.words.holidays import (
    event_text,
    is_daily,
    months_of,
    step_with,
)


def test_in_longer_steps_an_event_is_of_a_step_and_may_move() -> None:
    assert told(EASTER[0], units=MONTH_UNITS) == (
        "'Easter' (it moves between March and April): 'sales' is 40.0 higher in a month with it (95% range: 38.0 to "
        "42.0).",
    )
    weeks = replace(EASTER[0], high=7.0)
    assert "40.0 higher for each of its days in a month (" in told(weeks, units=MONTH_UNITS)[0]
    (event,) = findings(EASTER[0]).events
    many = replace(event, total=replace(event.total, places=tuple(1951 + k / 12 for k in range(7))))
    assert event_text(many, MONTH_UNITS).startswith("'Easter' (it moves through the year): ")
    fixed = replace(event, total=replace(event.total, places=(1951.0, 1952.0)))
    assert months_of(fixed, MONTH_UNITS) == ()
    quarters = units_on(replace(MONTHLY, frequency="quarter", step=0.25), MONTHS[::3])
    assert months_of(event, quarters) == ("quarter 1", "quarter 2")
    assert step_with(quarters) == "quarter"
    assert step_with(units_on(PLAIN, np.arange(60.0))) == "year"
    assert is_daily(DAY_UNITS)
    assert not is_daily(MONTH_UNITS)
