"""Pages on series: their order, tables, verdicts and what they never say."""

import json
import re
from calendar import month_name
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.checks import FINE, alarm, checked, fact_of, trial, trial_fact
from tests.describe.covariate_cases import PROMO, with_columns
from tests.describe.factory import DAILY, DAYS, MONTHLY, MONTHS, component, decomposition, every_section, units_on
from tests.describe.function_cases import COURSE, STEP
from tests.describe.sentences import sections_of
from tests.describe.spoken.checks import ASIDE, made_found, section_of
from tests.describe.spoken.pages import UNITS as UNITS_OF_TABLES
from tests.describe.spoken.pages import _blocks, _curve, _texts, made_plain
from tests.describe.test_properties import check

from autostatistician.data.outliers import Screening
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Band, Bullets, Figure, Line, Paragraph, Points, Table
from autostatistician.describe.document.series.abstract import changes_of, story_of
from autostatistician.describe.document.series.checks import checks_section, named_alarms
from autostatistician.describe.document.series.tables import forecast_table
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.series.whole import ends_of
from autostatistician.describe.tell import answer, document, result, sentences
from autostatistician.describe.words.checks import alarm_text
from autostatistician.forms import Curve
from autostatistician.kernels.kernel import leaf

MODELS = {f.__name__: f for f in (factory.airline, factory.solar, factory.noise_only, factory.several_cycles)}


@pytest.mark.parametrize("make", MODELS.values(), ids=list(MODELS))
def test_ids_links_and_facts_lead_somewhere(make: type[Decomposition]) -> None:
    found = document(make())
    ids = [section.id for section in sections_of(every_section(found))]
    assert len(set(ids)) == len(ids)
    figures = [figure.id for figure in _blocks(found, Figure)]
    assert len(set(figures)) == len(figures)
    assert {link for bullets in _blocks(found, Bullets) for link in bullets.links} <= set(ids)
    known = {fact["id"] for fact in found.record["facts"]}  # type: ignore[attr-defined]
    assert {name for paragraph in _blocks(found, Paragraph) for name in paragraph.facts} <= known


@pytest.mark.parametrize("make", MODELS.values(), ids=list(MODELS))
def test_figures_and_tables_are_whole(make: type[Decomposition]) -> None:
    found = document(make())
    for figure in _blocks(found, Figure):
        check(figure.alt)
        check(figure.caption)
        for panel in figure.panels:
            assert panel.x_label
            assert panel.y_label
            for layer in panel.layers:
                match layer:
                    case Points() | Line():
                        assert layer.x.shape == layer.y.shape
                    case Band():
                        assert layer.x.shape == layer.lower.shape == layer.upper.shape
    for table in _blocks(found, Table):
        assert {len(row) for row in table.rows} <= {len(table.header)}
        assert len(table.numeric) == len(table.header)


@pytest.mark.parametrize("make", MODELS.values(), ids=list(MODELS))
def test_texts_read_well_and_never_tell_the_time_of_the_search(make: type[Decomposition]) -> None:
    first, second = make(), make()
    slow = replace(
        second,
        fitted=replace(second.fitted, seconds=99.0),
        path=tuple((text, bic, seconds + 50) for text, bic, seconds in second.path),
    )
    told = _texts(document(first))
    assert told == _texts(document(slow))
    assert document(first).record == document(slow).record
    for text in told:
        assert "  " not in text
        assert text[0].isupper() or text[0].isdigit() or text[0] in "\"'"
        assert text.endswith((".", ":"))
        assert not {"nan", "inf", "None"} & set(text.replace(",", " ").split())


def test_the_order_of_reading() -> None:
    found = document(factory.airline())
    assert [section.title for section in found.sections] == ["Forecast"]
    assert [section.title for section in found.found] == [
        "The model", "Its parts", "The search", "How the method works",
    ]  # fmt: skip
    assert [section.id for section in found.found[1].sections] == ["part-1", "part-2", "part-3", "part-4"]


def test_noise_never_explains_anything() -> None:
    assert not any("explains 100%" in text for text in _texts(document(factory.airline())))


def test_pure_noise_has_no_structure_and_no_trend() -> None:
    found = factory.noise_only()
    report = document(found)
    assert "No trend and no pattern was found" in report.abstract
    assert "around zero" in report.abstract
    assert sentences(found)[-1] == "Random noise; 95% of it lies within ±2."
    assert sentences(found)[0].startswith("No trend and no pattern was found")
    overview, forecast = report.picture, next(f for f in _blocks(report, Figure) if f.id == "fig-forecast")
    assert overview is not None
    assert not [
        layer for figure in (overview, forecast) for layer in figure.panels[0].layers if isinstance(layer, Line)
    ]


def test_the_record_is_json_and_the_result_has_the_seconds() -> None:
    found = factory.airline()
    record = document(found).record
    assert record["expression"] == "Lin + SE * Per * Lin + SE + WN * Lin"
    assert (record["n"], record["n_parameters"], record["bic"]) == (144, 11, 1123.7047)
    assert record["components"][0] == {  # type: ignore[index]
        "expression": "Lin",
        "sentence": "A linearly increasing trend; it rises by 30 per year.",
        "r2": 85.4,
        "mae": 34.03,
    }
    assert "seconds" not in record
    assert result(found) == {"format": "autostatistician search 1", **record, "seconds": 12.3}
    json.dumps(record, allow_nan=False)


def test_curves_of_calendar_axes_are_dates_and_the_forecast_joins_the_model() -> None:
    found = factory.airline()
    overview = document(found).picture
    assert overview is not None
    lines = {layer.role: layer for layer in overview.panels[0].layers if isinstance(layer, Line)}
    assert lines["mean"].x.dtype.kind == "M"
    assert lines["mean"].x[-1] == lines["forecast"].x[0] == found.axis.times(found.x)[-1]


def test_long_forecasts_are_thinned_evenly_with_the_first_and_the_last() -> None:
    found = factory.airline()
    long = Curve.normal(1961 + np.arange(60) / 12, np.arange(60.0), np.ones(60))
    table = next(t for t in _blocks(document(replace(found, forecast=long)), Table) if t.id == "table-forecast")
    assert len(table.rows) <= 13
    assert table.rows[1][0] == "June 1961"
    assert (table.rows[0][0], table.rows[-1][0]) == ("January 1961", "December 1965")
    assert "Every fifth of the 60 steps is shown, and the last." in table.notes


def test_a_range_below_zero_is_explained_where_the_data_never_are() -> None:
    found = factory.airline()
    text = "The data are never below zero, but the model does not know that"
    ahead = Curve.normal(found.forecast.x, found.forecast.mean, np.full(14, 1e4))
    wide = replace(found, y=np.abs(found.y), forecast=ahead)
    assert any(text in told for told in _texts(document(wide)))
    assert not any(text in told for told in _texts(document(replace(wide, y=wide.y - 1e4))))


def test_a_change_is_described_once() -> None:
    report = document(factory.solar())
    texts = [block.text for part in report.found[1].sections for block in part.blocks if isinstance(block, Paragraph)]
    assert sum("takes about" in text or "abrupt" in text for text in texts) == 1


def test_shares_below_zero_are_not_told_as_numbers() -> None:
    first = component(leaf("C", sd=5.0), MONTHS, np.full(144, 5.0), (-807.5, -807.5, 3.0))
    second = component(leaf("Lin", sd=1.0, location=1900.0), MONTHS, MONTHS - 1949, (43.5, 93.8, 1.0))
    report = document(decomposition((first, second), MONTHS, MONTHS - 1949, MONTHLY))
    texts = " ".join(_texts(report))
    assert "807" not in texts


def test_that_a_search_was_cut_is_said_once() -> None:
    found = replace(factory.airline(), function=COURSE)
    assert document(found).abstract.startswith("In February 1954 ")
    made = document(replace(found, cut="budget"))
    assert made.careful[0].startswith("The choice of the model: the search ended after")


UNITS = Units(Axis("month", "year", "month", 1 / 12), 2000.0, 2010.0, 1 / 12, 10.0, target="sales")


def test_the_section_tells_the_alarms_that_nothing_else_tells() -> None:
    cycle, part = alarm("periodogram", place=0.25), alarm("quantiles", part=2)
    checks = checked(FINE, cycle, part)
    assert named_alarms(checks) == [fact_of(cycle)]  # which stands among what to be careful with
    (section,) = checks_section(checks, trial_fact(trial(0.95)), UNITS)
    texts = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert texts[0] == f"{alarm_text(fact_of(part), UNITS)}."
    assert alarm_text(fact_of(cycle), UNITS) not in " ".join(texts)
    (figure,) = [block for block in section.blocks if isinstance(block, Figure)]
    assert len(figure.panels) == 3
    (section,) = checks_section(checked(FINE), None, UNITS)
    assert not any(isinstance(block, Paragraph) for block in section.blocks)
    assert checks_section(None, None, UNITS) == ()


@pytest.mark.parametrize(("steps", "rows"), [(3, 3), (26, 26), (60, 13)])
def test_long_forecasts_are_shown_in_strides_and_end_with_the_last_step(steps: int, rows: int) -> None:
    table = forecast_table(_curve(steps, 1.0), UNITS_OF_TABLES)
    assert len(table.rows) == rows
    assert table.rows[-1][1] == f"{5 + steps - 1}.0"


def test_of_a_long_forecast_rows_of_all_months_and_weekdays_are_shown() -> None:
    table = forecast_table(_curve(60, 1.0), UNITS_OF_TABLES)
    assert {row[0].split()[0] for row in table.rows} == set(month_name[1:])
    days, daily = replace(_curve(60, 1.0), x=np.arange(60.0)), units_on(DAILY, DAYS)
    shown = [datetime.strptime(row[0], "%d %B %Y").weekday() for row in forecast_table(days, daily).rows]
    assert set(shown) == set(range(7))


@pytest.fixture(scope="module")
def plain() -> Decomposition:
    return made_plain()


@pytest.fixture
def found() -> Decomposition:
    return made_found()


def test_they_are_named_before_the_parts_with_the_comparison(found: Decomposition) -> None:
    assert "outliers" in [one.id for one in every_section(document(found))]
    text, table = section_of(found).blocks
    assert text.text.startswith("No trend, cycle or step explains this value")  # type: ignore[union-attr]
    assert isinstance(table, Table)
    assert table.rows[0] == ("November 1955", "146", "50", "97%", "set aside")
    assert table.rows[1][4] == "kept, as it stands at an end"


@pytest.mark.parametrize(("share", "first"), [(0.9, "Besides time, 'promo' adds"), (0.01, "'passengers' came to")])
def test_the_first_screen_leads_with_what_moves_the_values_most(share: float, first: str) -> None:
    course = replace(COURSE, seasons=(), sudden=(), bounds=(100.0, 400.0))
    made = document(replace(with_columns(replace(PROMO, share=share)), function=course))
    assert made.abstract.startswith(first)


def test_what_is_told_of_time_names_the_values_of_the_columns_that_it_holds_for() -> None:
    made = document(replace(with_columns(PROMO), function=replace(COURSE, sudden=(STEP,))))
    told = [text for text in (made.abstract, *made.points) if re.search(r"has a .* pattern|suddenly", text)]
    assert len(told) == 2
    assert all(text.startswith("The course in time alone, without 'promo': ") for text in told)
    for question in ("trend", "seasons", "events"):
        assert (
            answer(replace(with_columns(PROMO), function=COURSE), question)
            .sentences[0]
            .startswith("The course in time alone, without 'promo': ")
        )


def test_a_forecast_begins_with_the_first_step_that_varies() -> None:
    x = np.arange(4.0)
    closed = np.array([0.0, 1.0, 1.0, 0.0])
    ends = ends_of(Curve(x, 5.0 * closed, closed, 4.0 * closed, 6.0 * closed), "forecast", "posterior")
    assert [(end.id, end.position) for end in ends] == [("forecast/2", 1.0), ("forecast/3", 2.0)]


def test_the_first_screen_names_those_that_were_set_aside(found: Decomposition) -> None:
    points = document(found).points
    assert any("Outliers" in text and "November 1955: 146 where about 50 was expected." in text for text in points)
    assert not any("December 1960" in text for text in points)


def test_the_picture_marks_those_that_were_set_aside(found: Decomposition) -> None:
    figure = document(found).picture
    assert figure is not None
    (marked,) = [one for one in figure.panels[0].layers if isinstance(one, Points) and one.label == "set aside"]
    assert marked.y.tolist() == [146.0]
    assert marked.names == ("November 1955",)
    assert marked.role == "aside"


def test_days_that_come_back_are_told_without_a_table_and_not_as_unexplained(found: Decomposition) -> None:
    rows = tuple(replace(ASIDE, x=1950.0 + year, returns="date 1 1 0") for year in range(3))
    d = replace(found, screening=Screening(rows))
    points = document(d).points
    assert not any("Outliers" in text for text in points)
    assert any("On 1 January each year" in text for text in points)


SOLAR = factory.solar()
STORY = story_of(series_findings(SOLAR), units_for(SOLAR))


def test_a_statement_begins_with_the_summary() -> None:
    for part in STORY.parts:
        assert part.statement.startswith(part.summary.removesuffix("."))
        assert part.gist[:1].islower()


def test_changes_are_the_edges_of_the_window() -> None:
    assert sorted(changes_of(STORY.parts)) == pytest.approx([1679.4 - 73.1 / 2, 1679.4 + 73.1 / 2])
    assert changes_of(STORY.parts[:1]) == frozenset()  # the first part goes on throughout
