"""The columns beside a series on its page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.describe.covariate_cases import EASTER, HEAT, INCOME, NOISE, PRICE, PROMO, WEATHER, findings, with_columns
from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.describe.document.document import Bullets, Document, Figure, Paragraph, Section, Table
from autostatistician.describe.document.panels import BarPanel, StackedFigure
from autostatistician.describe.document.series.covariates import (
    column_sentences,
    columns_record,
    columns_section,
    observed_figure,
)
from autostatistician.describe.tell import document, result, sentences

UNITS = units_on(MONTHLY, MONTHS)


def _section(made: Document, name: str) -> Section:
    return next(section for section in made.sections if section.id == name)


def test_a_series_alone_has_no_section() -> None:
    assert columns_section(None, UNITS) == ()
    assert columns_record(None, UNITS) == {}


def test_the_first_picture_is_of_what_was_observed() -> None:
    made = document(with_columns(PROMO, PRICE))
    first = next(block for block in _section(made, "brief").blocks if isinstance(block, Figure))
    assert first.id == "fig-observed"
    parts = next(block for block in _section(made, "parts").blocks if isinstance(block, Figure))
    assert parts.caption.startswith(
        "'passengers' with 'price' at 5.05 and without 'promo': the data less what columns add"
    )


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


def test_flags_of_two_numbers_are_no_yes_or_no() -> None:
    (section,) = columns_section(findings(replace(PROMO, usual=3.0, other=7.0, low=3.0, high=7.0)), UNITS)
    figure = next(block for block in section.blocks if isinstance(block, Figure))
    assert figure.panels[0].title == "The rarer value"


def test_days_of_the_calendar_share_a_panel_over_time() -> None:
    (section,) = columns_section(findings(PROMO, *EASTER), UNITS)
    effects, stack = (block for block in section.blocks if isinstance(block, Figure))
    assert [panel.names for panel in effects.panels if isinstance(panel, BarPanel)] == [("promo",)]
    assert [panel.title for panel in stack.panels] == ["The course in time", "'promo'", "Holidays"]
    assert [inner.id for inner in section.sections] == ["holidays"]
    caption = observed_figure(findings(*EASTER), UNITS).caption
    assert "the model with holidays (line)" in caption


def test_holidays_alone_need_no_table_of_columns() -> None:
    (section,) = columns_section(findings(*EASTER), UNITS)
    assert [block.id for block in section.blocks if isinstance(block, Table | Figure)] == ["fig-stacked"]
    assert columns_record(findings(*EASTER), UNITS)["columns"] == []
    told = column_sentences(findings(*EASTER), UNITS)
    assert told[0].startswith("Holidays of DE: ")
    assert told[1].startswith("'Easter' (it moves between March and April): ")


def test_of_many_columns_that_say_nothing_few_are_shown() -> None:
    many = [replace(NOISE, name=f"c{k}") for k in range(14)]
    (section,) = columns_section(findings(PROMO, *many), UNITS)
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert len(table.rows) == 11
    assert table.notes.endswith(" Not shown: four columns of which nothing is told.")


def test_the_table_tells_what_was_not_found_without_numbers() -> None:
    (section,) = columns_section(findings(PROMO, NOISE), UNITS)
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert table.rows[0] == (
        "promo", "100%", "1 instead of 0", "+25.0 (23.0 to 27.0)", "+25.3 (23.0 to 27.0)", "20%", "0 (0 or 1)",
    )  # fmt: skip
    assert table.rows[1][2:6] == ("–", "–", "–", "–")


def test_the_forecast_is_given_with_columns_and_without() -> None:
    made = document(with_columns(PROMO, PRICE))
    blocks = _section(made, "forecast").blocks
    assert [block.id for block in blocks if isinstance(block, Figure)] == ["fig-forecast-columns", "fig-forecast"]
    table = next(block for block in blocks if isinstance(block, Table))
    assert table.header[-1] == "Columns as usual"
    texts = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert "If the model holds, and 'promo' and 'price' are as a year before, each value" in texts[0]
    assert texts[1].startswith("With 'price' at 5.05 and without 'promo', the forecast is ")
    assert "If the model holds, and 'promo' and 'price' are as a year before, the forecast of" in made.abstract


def test_sentences_name_columns_before_the_parts() -> None:
    told = sentences(with_columns(PROMO, INCOME, NOISE))
    assert told[0].startswith("'promo' adds 25.0")
    assert told[1].startswith("What 'income' explains cannot be told from the trend")
    assert column_sentences(findings(NOISE), UNITS) == (
        "'noise1' says nothing about 'sales' beyond time (probability that it does: 3%).",
    )


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


def test_the_picture_names_the_columns() -> None:
    assert "the model with 'promo' (line)" in observed_figure(findings(PROMO), UNITS).caption
