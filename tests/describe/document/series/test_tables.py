"""Tables of series: gains with honest edges, forecasts in strides, numbers in the units of the axis."""

from __future__ import annotations

from calendar import month_name
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.factory import DAILY, DAYS, units_on

from autostatistician.describe.document.series.tables import (
    forecast_table,
    gain_table,
    numbers_table,
    with_probabilities,
)
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.facts.part import Presence
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.forms import Curve
from autostatistician.language.kernel import leaf

AIRLINE = factory.airline()
FOUND, UNITS = series_findings(AIRLINE), units_for(AIRLINE)
NAMES = [part.id for part in FOUND.parts]


def test_gains_are_those_that_were_published() -> None:
    rows = gain_table(FOUND.parts, NAMES, UNITS).rows
    assert rows[2] == ("2", "part-2", "98.5%", "13.2%", "89.9%", "12.42", "63.4%")
    assert rows[4][2:] == ("–",) * 5  # noise
    assert rows[0][1] == "nothing yet: always predicting the mean"
    assert rows[0][5] == f"{AIRLINE.mae_of_mean:.2f}"


def test_parts_further_from_the_data_than_their_mean_have_no_share() -> None:
    worse = replace(AIRLINE, components=(replace(AIRLINE.components[0], r2=-0.2), *AIRLINE.components[1:]))
    table = gain_table(series_findings(worse).parts, NAMES, UNITS)
    assert table.rows[1][2:5] == ("below 0%", "–", "–")
    assert "Below 0%" in table.notes


def test_probabilities_of_parts_stand_in_the_table() -> None:
    likely = Presence(id="part-1/presence", number=0.9, unit="share", evidence="weights", models=4)
    known = [replace(FOUND.parts[0], facts=(*FOUND.parts[0].facts, likely)), *FOUND.parts[1:]]
    table = gain_table(FOUND.parts, NAMES, UNITS)
    assert with_probabilities(table, FOUND.parts, FOUND.search) is table
    told = with_probabilities(table, known, replace(FOUND.search, cut=SearchCut.BUDGET))
    assert told.header[-1] == "Probability"
    assert [row[-1] for row in told.rows] == ["–", "90%", *["–"] * (len(known) - 1)]
    assert "of all models that the search tried before it was cut" in told.notes


def _curve(steps: int, level: float = 0.0) -> Curve:
    x = 1961.0 + np.arange(steps) / 12
    mean = np.full(steps, 5.0) + level * np.arange(steps)
    return Curve(x, mean, np.ones(steps), mean - 2.0, mean + 2.0)


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


def test_a_forecast_that_does_not_change_is_one_row() -> None:
    table = forecast_table(_curve(12), UNITS)
    assert [row[0] for row in table.rows] == ["January 1961 to December 1961"]
    assert "the same for all twelve steps" in table.notes


def test_numbers_are_told_in_the_units_of_the_axis() -> None:
    rows = {(row[0], row[1], row[2]): row[3] for row in numbers_table(FOUND.search.numbers, UNITS).rows}
    assert rows["2", "SE", "length over which it changes"] == "23 years"
    assert rows["2", "Per", "period"] == "1.002 years"
    assert rows["1", "Lin", "where it crosses zero"] == "January 1946"
    assert rows["1", "Lin", "size of the slope"] == "33.5 per year"


def test_a_change_takes_a_time() -> None:
    solar = factory.solar()
    table = numbers_table(series_findings(solar).search.numbers, units_for(solar))
    told = {row[2]: row[3] for row in table.rows if row[1] == "CW"}
    assert told["width of the window"] == "73.1 years"
    assert told["time each change takes"] == "2.4 years"  # 2 artanh(0.8) over the steepness


def test_steps_are_told_over_one_unit() -> None:
    walk = leaf("Wiener", sd=2.0, location=0.0)
    numbers = search_of(AIRLINE, [walk]).numbers
    assert numbers_table(numbers, UNITS).rows[0][3] == "2 over one year"
    days = units_on(DAILY, DAYS)  # twice as much over a time four times as long
    assert numbers_table(numbers, days).rows[0][3] == f"{2.0 * 365.25**0.5:.1f} over one year"
