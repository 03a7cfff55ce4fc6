"""Pictures on pages of series, and sections on functions, columns and holidays."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.decompose.series.series import decomposed
from tests.describe.checks import ERRORS, trial, trial_fact
from tests.describe.covariate_cases import (
    EASTER,
    FEASTS,
    HEAT,
    INCOME,
    PRICE,
    PROMO,
    WEATHER,
    findings,
    holiday,
    with_columns,
)
from tests.describe.covariate_cases import NOISE as NOISE_OF_COVARIATES
from tests.describe.factory import airline, every_section
from tests.describe.function_cases import COURSE, ROOF, SEASON, STEP, UNITS, seen, sure
from tests.describe.spoken.columns import DAY_UNITS, part_of
from tests.describe.spoken.columns import UNITS_OF_SERIES_COVARIATES as UNITS_OF_COVARIATES
from tests.describe.spoken.pages import NOISE as NOISE_OF_CYCLE_PICTURES
from tests.describe.spoken.pages import panel_of_cycles

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import Plateau, Witness
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.describe.document.document import Band, Bullets, Figure, Line, Panel, Paragraph, Points, Table
from autostatistician.describe.document.panels import BarPanel, StackedFigure
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.document.series.checks import checks_figure
from autostatistician.describe.document.series.covariates import columns_record, columns_section
from autostatistician.describe.document.series.function import claims_table, season_section
from autostatistician.describe.document.series.holidays import holidays_record, holidays_section
from autostatistician.describe.document.series.pictures import LAST_CYCLES, SHOWN_SAMPLES
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.describe.tell import document, result
from autostatistician.kernels.kernel import Kernel, leaf

NOISE = leaf("WN", sd=0.3)


def _taken_apart(kernel: Kernel, y: np.ndarray) -> Decomposition:
    data = Dataset(np.arange(float(len(y)))[:, None], y, ("x",), "y", None)
    return decomposed(kernel, data, fitted=Fitted(kernel, 1.0, 2.0, 3, 1.0, 10), horizon=8, grid_points=100)


def _of_parts(found: Decomposition) -> list[Figure]:
    parts = next(one for one in every_section(document(found)) if one.id == "parts")
    return [block for one in parts.sections for block in one.blocks if isinstance(block, Figure)]


def _line(figure: Figure, panel: int) -> Line:
    layers = figure.panels[panel].layers
    return next(layer for layer in layers if isinstance(layer, Line) and layer.role == "mean")


@pytest.mark.slow
@pytest.mark.parametrize(("period", "cut"), [(4.0, True), (40.0, False)])
def test_of_a_fine_cycle_the_last_few_are_drawn(period: float, cut: bool) -> None:
    x = np.arange(320.0)
    cycle = leaf("Per", sd=1.0, period=period, lengthscale=1.0) * leaf("Cos", sd=1.0, period=1.5 * period)
    found = _taken_apart(cycle + NOISE, np.sin(2 * np.pi * x / period) * np.cos(2 * np.pi * x / (1.5 * period)))
    figure = _of_parts(found)[0]
    start = float(_line(figure, 0).x[0])
    assert start == (pytest.approx(319.0 - LAST_CYCLES * period, abs=1.0) if cut else 0.0)
    assert ("the last twelve cycles" in figure.caption) == cut
    assert _line(figure, 1).x[0] == 0.0


def test_a_constant_is_drawn_with_the_data_alone_and_noise_by_itself_too() -> None:
    y = 5.0 + 0.3 * np.random.default_rng(0).normal(size=40)
    found = _taken_apart(leaf("C", sd=5.0) + NOISE, y)
    kinds = {part.is_noise: figure for part, figure in zip(found.components, _of_parts(found), strict=True)}
    assert len(kinds[False].panels) == 1
    assert len(kinds[True].panels) == 2


@pytest.mark.slow
def test_noise_is_shown_where_it_applies() -> None:
    x = np.arange(60.0)
    kernel = leaf("C", sd=5.0) + Kernel.change_point(NOISE, leaf("WN", sd=1.0), 30.5, 20.0)
    y = 5.0 + np.where(x < 31, 0.3, 1.0) * np.random.default_rng(0).normal(size=60)
    found = _taken_apart(kernel, y)
    shown = [
        next(layer for layer in figure.panels[0].layers if isinstance(layer, Points)).x
        for part, figure in zip(found.components, _of_parts(found), strict=True)
        if part.is_noise
    ]
    assert sorted((float(one.min()), float(one.max())) for one in shown) == [(0.0, 30.0), (31.0, 59.0)]


def test_curves_that_the_data_allow_are_drawn_beside_the_bands() -> None:
    x = np.arange(60.0)
    found = _taken_apart(leaf("SE", sd=1.0, lengthscale=10.0) + NOISE, np.sin(x / 9.0))
    overview = document(found).picture
    assert isinstance(overview, Figure)
    for figure, start in ((_of_parts(found)[0], 0.0), (overview, 59.0)):
        samples = [one for one in figure.panels[0].layers if isinstance(one, Line) and one.role == "sample"]
        assert len(samples) == SHOWN_SAMPLES
        assert all(one.x[0] == start and one.x[-1] == 67.0 for one in samples)
        assert not np.array_equal(samples[0].y, samples[1].y)


@pytest.mark.parametrize("logarithm", [True, False])
def test_models_of_the_logarithm_are_drawn_on_an_axis_of_ratios(logarithm: bool) -> None:
    x, kernel = np.arange(60.0), leaf("Lin", sd=0.1, location=0.0) + NOISE
    transform = Transform("log", scale=1.0) if logarithm else Transform()
    y = 0.1 * x + 0.01 * np.sin(x)
    data = Dataset(x[:, None], y, ("x",), "y", None)
    fitted = Fitted(kernel, 1.0, 2.0, 3, 1.0, 10)
    found = decomposed(kernel, data, fitted=fitted, horizon=8, grid_points=100, transform=transform)
    overview = document(found).picture
    assert isinstance(overview, Figure)
    assert overview.panels[0].logarithmic == logarithm


def _lines(panel: Panel) -> list[Line]:
    return [layer for layer in panel.layers if isinstance(layer, Line)]


def test_a_yearly_cycle_runs_from_january_to_december() -> None:
    times = pd.date_range("2000-03-01", periods=120, freq="MS")
    y = np.sin(2 * np.pi * (times.month - 4) / 12)  # highest in July
    panel = panel_of_cycles(
        leaf("Per", sd=1.0, period=1.0, lengthscale=1.0) + NOISE_OF_CYCLE_PICTURES, times, y.to_numpy()
    )
    assert panel.title == "One cycle"
    assert [name for _, name in panel.x_ticks][::4] == ["Jan", "May", "Sep"]
    assert len(panel.x_ticks) == 12
    (line,) = _lines(panel)  # the same every year
    assert float(np.ptp(line.x)) == pytest.approx(1.0)
    (dots,) = [layer for layer in panel.layers if isinstance(layer, Points)]
    assert len(dots.y) == 120  # every value, folded on the turn
    assert np.ptp(dots.x) < 1.0
    np.testing.assert_allclose(dots.y, y, atol=1e-9)  # nothing but the cycle is in the model
    assert float(line.x[np.argmax(line.y)]) == pytest.approx(dict(map(reversed, panel.x_ticks))["Jul"], abs=0.02)  # type: ignore[arg-type]


def test_a_yearly_cycle_of_quarters_names_these() -> None:
    times = pd.date_range("2000-01-01", periods=80, freq="QS")
    y = np.where(times.quarter == 3, 1.0, 0.0)
    panel = panel_of_cycles(leaf("Per", sd=1.0, period=1.0, lengthscale=0.6) + NOISE_OF_CYCLE_PICTURES, times, y)
    assert (panel.x_label, panel.x_ticks[2]) == ("quarter", (0.5, "Q3"))


@pytest.mark.slow
@pytest.mark.parametrize(("frequency", "period", "names"), [("D", 7.0, 7), ("B", 5.0, 5)])
def test_a_weekly_cycle_runs_from_monday_on(frequency: str, period: float, names: int) -> None:
    times = pd.date_range("2022-01-06", periods=90, freq=frequency)
    y = np.where(times.day_of_week == 4, 1.0, 0.0)
    panel = panel_of_cycles(leaf("Per", sd=1.0, period=period, lengthscale=0.6) + NOISE_OF_CYCLE_PICTURES, times, y)
    assert [name for _, name in panel.x_ticks] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][:names]
    (line,) = _lines(panel)
    assert float(line.x[np.argmax(line.y)]) == pytest.approx(4.0, abs=0.2)  # Friday


@pytest.mark.slow
def test_a_daily_cycle_begins_at_midnight() -> None:
    times = pd.date_range("2022-01-06 09:00", periods=200, freq="h")
    y = np.cos(2 * np.pi * (times.hour - 15) / 24)
    panel = panel_of_cycles(
        leaf("Per", sd=1.0, period=24.0, lengthscale=1.0) + NOISE_OF_CYCLE_PICTURES, times, y.to_numpy()
    )
    assert panel.x_ticks[:2] == ((0.0, "00:00"), (3.0, "03:00"))
    (line,) = _lines(panel)
    assert float(line.x[np.argmax(line.y)]) == pytest.approx(15.0, abs=0.7)


def test_of_a_cycle_that_grows_the_first_and_the_last_turn_are_drawn() -> None:
    times = pd.date_range("2000-01-01", periods=120, freq="MS")
    x = np.arange(120.0)
    kernel = (
        leaf("Per", sd=1.0, period=1.0, lengthscale=1.0) * leaf("Lin", sd=1.0, location=1999.0)
        + NOISE_OF_CYCLE_PICTURES
    )
    panel = panel_of_cycles(kernel, times, (1.0 + 0.1 * x) * np.sin(2 * np.pi * x / 12))
    first, last = _lines(panel)
    assert (first.label, last.label) == (
        "first whole cycle, from January 2000", "last whole cycle, from January 2009",
    )  # fmt: skip
    assert float(np.ptp(last.y)) > 3.0 * float(np.ptp(first.y))


def test_neighbours_are_correlated_as_the_formula_says() -> None:
    panel = checks_figure(ERRORS, None).panels[1]
    (points,) = [layer for layer in panel.layers if isinstance(layer, Points)]
    lag = 3
    expected = np.sum(ERRORS[lag:] * ERRORS[:-lag]) / np.sum(ERRORS**2)
    assert points.y[lag - 1] == pytest.approx(expected)
    (band,) = [layer for layer in panel.layers if isinstance(layer, Band)]
    assert band.upper[0] == pytest.approx(1.96 / np.sqrt(len(ERRORS)))


@pytest.mark.parametrize(("rows", "panels"), [(40, 3), (8, 3), (7, 2)])
def test_a_test_of_too_few_rows_is_not_drawn(rows: int, panels: int) -> None:
    figure = checks_figure(ERRORS, trial_fact(trial(0.9, rows=rows)))
    assert len(figure.panels) == panels
    assert len(figure.caption.split(". ")) == len(figure.alt.split(". ")) == panels  # a sentence on each in both


FACTS = function_claims(replace(airline(), function=COURSE), UNITS)


def test_the_table_has_what_both_witnesses_say() -> None:
    course = replace(COURSE, seasons=(replace(SEASON, witness=seen(1.0, agrees=False)),))
    table = claims_table(function_claims(replace(airline(), function=course), UNITS), UNITS)
    assert table is not None
    assert not any("Repeats" in row[0] for row in table.rows)
    assert ("Changes suddenly in February 1954 (by 150; 95% range: 149 to 151)", "100%") in table.rows
    assert claims_table((), UNITS) is None


def test_what_hardly_any_model_says_is_no_row() -> None:
    course = replace(COURSE, sudden=(replace(COURSE.sudden[0], probability=0.01),))
    table = claims_table(function_claims(replace(airline(), function=course), UNITS), UNITS)
    assert table is not None
    assert not any("suddenly" in row[0] for row in table.rows)


def test_of_runs_the_table_has_the_largest_and_those_that_are_told() -> None:
    course = replace(COURSE, sudden=(STEP,), stretches=ROOF, wander=0.02)
    table = claims_table(function_claims(replace(airline(), function=course), UNITS), UNITS)
    assert table is not None
    assert ("Rises from January 1949 to January 1956", "100%") in table.rows
    assert any(row[0].startswith("Changes suddenly in February 1954") for row in table.rows)
    still = replace(ROOF[1], still=Plateau(1956.0, 1959.0, 300.0, 299.0))
    facts = function_claims(replace(airline(), function=replace(COURSE, stretches=(ROOF[0], still), sudden=())), UNITS)
    told = claims_table(facts, UNITS)
    assert told is not None
    assert (
        "Falls from January 1956 to December 1960, but hardly from January 1956 to January 1959",
        "100%",
    ) in told.rows  # fmt: skip
    record = next(record for fact in facts if (record := fact_json(fact, UNITS))["id"] == "function/run-2")
    (part,) = record["parts"]
    assert (part["kind"], part["from"], part["first"], part["last"]) == ("still", "1956-01-01T00:00:00", 300.0, 299.0)


def test_each_month_has_a_number_and_a_range() -> None:
    swings = tuple(value - 5.0 for value in SEASON.course)
    course = replace(COURSE, seasons=(replace(SEASON, low=swings),))
    (section,) = season_section(function_claims(replace(airline(), function=course), UNITS), UNITS)
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert table.rows[0] == ("January", "−100", "−105", "−100")
    assert table.rows[6] == ("July", "100", "95", "100")
    assert len(table.rows) == 12
    assert season_section(function_claims(replace(airline(), function=replace(COURSE, seasons=())), UNITS), UNITS) == ()


def test_fine_phases_of_a_log_are_told_by_month_in_per_cent() -> None:
    phases = tuple(np.arange(24) / 24.0)
    swings = tuple(0.1 * np.cos(2.0 * np.pi * (np.arange(24) - 12) / 24.0))
    season = replace(SEASON, phases=phases, course=swings, low=swings, high=swings, swing=sure(0.2, 0.01))
    units = replace(UNITS, level=300.0)
    course = replace(COURSE, seasons=(season,))
    (section,) = season_section(function_claims(replace(airline(), function=course), units), units)
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert len(table.rows) == 12
    factors = np.exp(swings) / np.mean(np.exp(swings))  # about the mean over the year
    assert table.rows[6][1] == f"{100.0 * np.expm1(np.mean(np.log(factors[12:14]))):.1f}%"
    assert abs(sum(float(row[1].removesuffix("%").replace("\N{MINUS SIGN}", "-")) for row in table.rows)) < 1.0


def test_records_hold_dates_numbers_and_both_witnesses() -> None:
    records = {str(record["kind"]): record for record in (fact_json(fact, UNITS) for fact in FACTS)}
    json.dumps(list(records.values()), allow_nan=False)
    event = records["event"]
    assert (event["at"], event["until"]) == ("1954-02-01T00:00:00", "1955-01-01T00:00:00")
    assert (event["number"], event["ratio"], event["told"]) == (-150.0, 0.5, True)
    assert records["season"]["number"] == 20.0
    assert records["season"]["high"] == "1949-07-01T00:00:00"
    assert records["slope"]["unit"] == "target per year"
    rise = records["rise"]
    assert str(rise["from"]) < str(rise["first_to"]) < str(rise["last_from"]) < str(rise["to"])
    assert (rise["pace_unit"], rise["form"]) == ("target per year", "one way")
    assert "steady" in rise["marks"]
    assert records["season"]["swing_unit"] == "target"
    assert records["rise"]["witness"] == {
        "statistic": "medians", "number": 349.0, "interval": [348.0, 350.0], "agrees": True,
    }  # fmt: skip


def test_a_series_alone_has_no_section() -> None:
    assert columns_section(None, UNITS_OF_COVARIATES) == ()
    assert columns_record(None, UNITS_OF_COVARIATES) == {}


def test_columns_that_say_nothing_leave_the_picture_alone() -> None:
    made = document(with_columns(NOISE_OF_COVARIATES))
    assert made.picture is not None
    assert made.picture.id == "fig-overview"
    section = part_of(made, "columns")
    assert [type(block) for block in section.blocks] == [Bullets, Table]


def test_each_column_has_a_curve_or_bars_and_a_place_in_the_stack() -> None:
    (section,) = columns_section(findings(PROMO, PRICE, WEATHER, HEAT, NOISE_OF_COVARIATES), UNITS_OF_COVARIATES)
    effects, stack = (block for block in section.blocks if isinstance(block, Figure))
    assert [isinstance(panel, BarPanel) for panel in effects.panels] == [False, False, True, True]
    assert isinstance(stack, StackedFigure)
    assert [panel.title for panel in stack.panels] == [
        "The course in time", "'promo'", "'price'", "'weather'", "'temperature'",
    ]  # fmt: skip
    assert any("These are associations" in block.text for block in section.blocks if isinstance(block, Paragraph))


def test_of_many_columns_that_say_nothing_few_are_shown() -> None:
    many = [replace(NOISE_OF_COVARIATES, name=f"c{k}") for k in range(14)]
    (section,) = columns_section(findings(PROMO, *many), UNITS_OF_COVARIATES)
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert len(table.rows) == 11
    assert table.notes.endswith(" Not shown: four columns of which nothing is told.")


def test_machines_get_the_columns_with_their_curves() -> None:
    record = result(with_columns(PROMO, WEATHER, INCOME, NOISE_OF_COVARIATES))
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


def test_all_events_share_bars_for_each_day() -> None:
    (section,) = holidays_section(findings(*FEASTS).events, DAY_UNITS)
    (figure,) = (block for block in section.blocks if isinstance(block, Figure))
    bars = [panel for panel in figure.panels if isinstance(panel, BarPanel)]
    assert [panel.title for panel in bars] == ["On the day", "The day before", "The day after"]
    assert bars[0].names == ("Christmas", "Labor Day", "Good Friday", "New Year")
    assert bars[0].values.tolist() == [-51.0, -30.0, -29.0, -27.0]


def test_events_that_disagree_are_named_once() -> None:
    other = Witness("least squares", -3.0, -8.0, 2.0, agrees=False)
    (section,) = holidays_section(findings(replace(EASTER[0], witness=other), *EASTER[1:]).events, DAY_UNITS)
    (bullets,) = (block for block in section.blocks if isinstance(block, Bullets))
    assert len(bullets.items) == 1


def test_machines_get_events_with_their_days() -> None:
    (easter,) = holidays_record(findings(*EASTER).events, DAY_UNITS)
    assert (easter["event"], easter["calendar"], easter["standing"], easter["seen"]) == ("Easter", "DE", "matters", 3)
    assert easter["total"] == {"number": 47.0, "lower": 43.0, "upper": 51.0}
    assert easter["days"][1] == {"days": -1, "number": 12.0, "lower": 10.0, "upper": 14.0}  # type: ignore[index]
    perhaps = (*holiday("fair", probability=0.4)(8.0), *holiday("feast", probability=0.1)(8.0))
    assert [event["standing"] for event in holidays_record(findings(*perhaps).events, DAY_UNITS)] == ["open", "nothing"]
    record = result(with_columns(*EASTER))
    json.dumps(record)
    assert record["columns"] == []
    assert len(record["holidays"]) == 1  # type: ignore[arg-type]
