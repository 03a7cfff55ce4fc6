"""The columns beside a series on its page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.describe.covariate_cases import HEAT, INCOME, NOISE, PRICE, PROMO, WEATHER, findings, with_columns
from tests.describe.spoken.columns import UNITS_OF_SERIES_COVARIATES as UNITS
from tests.describe.spoken.columns import _section

from autostatistician.describe.document.document import Bullets, Figure, Paragraph, Table
from autostatistician.describe.document.panels import BarPanel, StackedFigure
from autostatistician.describe.document.series.covariates import (
    columns_record,
    columns_section,
)
from autostatistician.describe.tell import document, result


def test_a_series_alone_has_no_section() -> None:
    assert columns_section(None, UNITS) == ()
    assert columns_record(None, UNITS) == {}


def test_columns_that_say_nothing_leave_the_picture_alone() -> None:
    made = document(with_columns(NOISE))
    first = next(block for block in _section(made, "brief").blocks if isinstance(block, Figure))
    assert first.id == "fig-overview"
    section = _section(made, "columns")
    assert [type(block) for block in section.blocks] == [Bullets, Table]


def test_each_column_has_a_curve_or_bars_and_a_place_in_the_stack() -> None:
    (section,) = columns_section(findings(PROMO, PRICE, WEATHER, HEAT, NOISE), UNITS)
    effects, stack = (block for block in section.blocks if isinstance(block, Figure))
    assert [isinstance(panel, BarPanel) for panel in effects.panels] == [False, False, True, True]
    assert isinstance(stack, StackedFigure)
    assert [panel.title for panel in stack.panels] == [
        "The course in time", "'promo'", "'price'", "'weather'", "'temperature'",
    ]  # fmt: skip
    assert any("These are associations" in block.text for block in section.blocks if isinstance(block, Paragraph))


def test_of_many_columns_that_say_nothing_few_are_shown() -> None:
    many = [replace(NOISE, name=f"c{k}") for k in range(14)]
    (section,) = columns_section(findings(PROMO, *many), UNITS)
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert len(table.rows) == 11
    assert table.notes.endswith(" Not shown: four columns of which nothing is told.")


def test_machines_get_the_columns_with_their_curves() -> None:
    record = result(with_columns(PROMO, WEATHER, INCOME, NOISE))
    json.dumps(record)
    columns = record["columns"]
    assert isinstance(columns, list)
    assert [one["standing"] for one in columns] == ["matters", "matters", "open", "nothing"]
    assert columns[0]["effect"] == {"of": "1 instead of 0", "number": 25.0, "lower": 23.0, "upper": 27.0}
    assert columns[1]["curve"]["at"] == ["rain", "snow", "sun"]
    assert columns[2]["goes_with_time"] is True
    assert columns[3]["sentence"].startswith("'noise1' says nothing")
    forecast = record["forecast_with_columns"]
    assert isinstance(forecast, list)
    assert forecast[0]["at"] == "1961-01-01T00:00:00"
    assert forecast[0]["lower"] == pytest.approx(forecast[0]["mean"] - 1.96 * 8.0)
