"""Tables of series: gains with honest edges, forecasts in strides, numbers in the units of the axis."""

from __future__ import annotations

from calendar import month_name
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from tests.describe.factory import DAILY, DAYS, units_on
from tests.describe.spoken.pages import AIRLINE, FOUND, NAMES, UNITS, _curve

from autostatistician.describe.document.series.tables import (
    forecast_table,
    gain_table,
    with_probabilities,
)
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.facts.part import Presence


def test_gains_are_those_that_were_published() -> None:
    rows = gain_table(FOUND.parts, NAMES, UNITS).rows
    assert rows[2] == ("2", "part-2", "98.5%", "13.2%", "89.9%", "12.42", "63.4%")
    assert rows[4][2:] == ("–",) * 5  # noise
    assert rows[0][1] == "nothing yet: always predicting the mean"
    assert rows[0][5] == f"{AIRLINE.mae_of_mean:.2f}"


def test_probabilities_of_parts_stand_in_the_table() -> None:
    likely = Presence(id="part-1/presence", number=0.9, unit="share", evidence="weights", models=4)
    known = [replace(FOUND.parts[0], facts=(*FOUND.parts[0].facts, likely)), *FOUND.parts[1:]]
    table = gain_table(FOUND.parts, NAMES, UNITS)
    assert with_probabilities(table, FOUND.parts, FOUND.search) is table
    told = with_probabilities(table, known, replace(FOUND.search, cut=SearchCut.BUDGET))
    assert told.header[-1] == "Probability"
    assert [row[-1] for row in told.rows] == ["–", "90%", *["–"] * (len(known) - 1)]
    assert "of all models that the search tried before it was cut" in told.notes


@pytest.mark.parametrize(("steps", "rows"), [(3, 3), (26, 26), (60, 13)])
def test_long_forecasts_are_shown_in_strides_and_end_with_the_last_step(steps: int, rows: int) -> None:
    table = forecast_table(_curve(steps, 1.0), UNITS)
    assert len(table.rows) == rows
    assert table.rows[-1][1] == f"{5 + steps - 1}.0"


def test_of_a_long_forecast_rows_of_all_months_and_weekdays_are_shown() -> None:
    table = forecast_table(_curve(60, 1.0), UNITS)
    assert {row[0].split()[0] for row in table.rows} == set(month_name[1:])
    days, daily = replace(_curve(60, 1.0), x=np.arange(60.0)), units_on(DAILY, DAYS)
    shown = [datetime.strptime(row[0], "%d %B %Y").weekday() for row in forecast_table(days, daily).rows]
    assert set(shown) == set(range(7))
