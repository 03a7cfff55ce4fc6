"""Dates as fine as the data ask, and rows around what lies between them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tests.describe.factory import (
    DAILY,
    YEARLY,
    YEARS,
    units_on,
)

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.places import (
    is_day,
    place,
    position_text,
    rows_around,
    stamp,
)


def test_neighbouring_rows_on_numbers_have_names_of_their_own() -> None:
    days = 2459000.5 + 0.25 * np.arange(20000.0)
    units = units_on(Axis("JD", "", "", 0.25), days)
    assert stamp(days[4], units) == "2,459,001.5"
    assert len({stamp(day, units) for day in days[:50]}) == 50
    assert position_text(days[100], units_on(Axis("JD", "", "", 0.25), days[:180])) == "2,459,025.5"


@pytest.mark.parametrize("position", np.linspace(1700.0, 1705.0, 11))
def test_rows_enclose_a_place_and_are_a_step_apart_at_most(position: float) -> None:
    low, high = rows_around(position, units_on(YEARLY, YEARS))
    assert low - 1e-3 <= position <= high + 1e-3
    assert (low % 1.0, high % 1.0) == (0.0, 0.0)
    assert high - low == float(position % 1.0 > 0.0)


def test_a_place_that_is_kept_stays_a_day() -> None:
    kept = pickle.loads(pickle.dumps(place(59.0, units_on(DAILY, np.arange(300.0)))))
    assert is_day(kept)
    assert not is_day("May 1955")
