"""Lengths and slopes in the unit that reads best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import (
    DAILY,
    DAYS,
    DEPTHS,
    MONTHLY,
    MONTHS,
    PLAIN,
    units_on,
)

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import (
    along,
    length,
    rate,
    uncounted,
)
from autostatistician.describe.axis.places import place, stamp


def test_a_column_of_minutes_is_measured_in_minutes() -> None:
    minutes = units_on(replace(PLAIN, column="Minutes"), DEPTHS)
    assert (length(2.5, minutes), length(1.0, minutes)) == ("2.5 minutes", "1 minute")
    assert rate(2.0, minutes) == (2.0, "per minute")
    assert uncounted(cycle(1.0, units_on(PLAIN, DEPTHS)).every) == "unit of 'depth'"


def test_slopes_take_the_unit_of_the_span() -> None:
    assert rate(30.0, units_on(MONTHLY, MONTHS)) == (30.0, "per year")
    assert rate(1.0, units_on(DAILY, DAYS)) == (pytest.approx(365.25), "per year")
    assert rate(1.0, units_on(DAILY, np.arange(100.0))) == (pytest.approx(30.4375), "per month")
    assert rate(2.0, units_on(PLAIN, DEPTHS)) == (2.0, "per unit of 'depth'")


def test_a_unit_behind_the_name_of_a_column_is_used() -> None:
    units = units_on(Axis("depth (m)", "", "", None), DEPTHS)
    assert length(2.5, units) == "2.5 m"
    assert place(4.0, units) == "'depth' = 4 m"
    assert stamp(4.0, units) == "4"
    assert rate(0.5, units) == (0.5, "per m")
    assert along(units) == "as 'depth' increases"
    assert cycle(2.0, units).every == "2 m"
    unknown = units_on(Axis("rank (best)", "", "", None), DEPTHS)
    assert (length(1.0, unknown), rate(1.0, unknown)[1]) == ("1 unit of 'rank (best)'", "per unit of 'rank (best)'")
