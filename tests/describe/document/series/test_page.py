"""The whole document: its order, its figures and tables, what it says and what it never says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition
from tests.describe.test_properties import check

from autostatistician.decompose.records.series import Check, Checks, Decomposition
from autostatistician.describe.document.document import (
    Band,
    Bullets,
    Document,
    Figure,
    Line,
    Paragraph,
    Points,
    Section,
    Table,
)
from autostatistician.describe.tell import document, result, sentences
from autostatistician.forms import CheckKind, Curve
from autostatistician.language.kernel import leaf

MODELS = {f.__name__: f for f in (factory.airline, factory.solar, factory.noise_only, factory.several_cycles)}


def _sections(sections: tuple[Section, ...]) -> Iterator[Section]:
    for section in sections:
        yield section
        yield from _sections(section.sections)


def _blocks(found: Document, kind: type) -> list:  # type: ignore[type-arg]
    return [block for section in _sections(found.sections) for block in section.blocks if isinstance(block, kind)]


def _texts(found: Document) -> list[str]:
    told = [found.abstract, *(paragraph.text for paragraph in _blocks(found, Paragraph))]
    return told + [item for bullets in _blocks(found, Bullets) for item in bullets.items]


@pytest.mark.parametrize("make", MODELS.values(), ids=list(MODELS))
def test_ids_links_and_facts_lead_somewhere(make: type[Decomposition]) -> None:
    found = document(make())
    ids = [section.id for section in _sections(found.sections)]
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
        assert text[0].isupper() or text[0] == '"'
        assert text.endswith((".", ":"))
        assert not {"nan", "inf", "None"} & set(text.replace(",", " ").split())


def test_the_order_of_reading() -> None:
    found = document(factory.airline())
    assert [section.title for section in found.sections] == [
        "In brief", "The parts one by one", "What comes next", "How this model was found", "How the method works",
    ]  # fmt: skip
    assert [section.id for section in found.sections[1].sections] == ["part-1", "part-2", "part-3", "part-4"]
    assert [[inner.folded for inner in part.sections] for part in found.sections[1].sections] == [[True]] * 3 + [[]]


def test_what_the_airline_report_says() -> None:
    found = factory.airline()
    report = document(found)
    assert report.title == "Automatic report on airline"
    assert report.subtitle == "144 monthly values of 'passengers' from January 1949 to December 1960"
    assert sentences(found) == (
        "A linearly increasing trend; it rises by 30 per year.",
        "A yearly cycle whose shape changes slowly and whose swings grow steadily; it adds between −80 and 78, "
        "most in April and May and least in October.",
        "A smooth, irregular variation that changes course within about 6.7 months; it adds between −12 and 12.",
        "Random noise whose size grows steadily; "
        "95% of it lies within ±2.7 in the first third of the data and ±5.3 in the last.",
    )
    texts = _texts(report)
    assert (
        "Of the models tried, the one that describes these data best is the sum of four parts: a linearly increasing "
        "trend; a yearly cycle whose shape changes slowly and whose swings grow steadily; a smooth, irregular "
        "variation that changes course within about 6.7 months; and random noise whose size grows steadily. "
        "The first two parts explain 98.5% and the first three parts explain 99.8% of the variation in the data. "
        "When a stretch of a tenth of the data is held back and predicted from the rest, the model misses by 9.11 on "
        "average; always predicting the mean of the data would miss by 92."
    ) in texts
    assert report.abstract == (
        "Of the models tried, the one that describes these data best is the sum of four parts: a linearly increasing "
        "trend; a yearly cycle whose shape changes slowly and whose swings grow steadily; a smooth, irregular "
        "variation that changes course within about 6.7 months; and random noise whose size grows steadily. "
        "If the model holds, the forecast of 'passengers' is 435 for January 1961 (95% range: 425 to 445) and 435 for "
        "February 1962 (412 to 459)."
    )
    assert (
        "As the second part it explains 89.9% of the variation that the earlier parts leave; the share "
        "that is explained rises "
        "from 85.4% to 98.5%. Adding it lowers the average error for held-out values by 63.4%, from 34 to 12.4."
    ) in texts


def test_noise_never_explains_anything() -> None:
    for make in MODELS.values():
        report = document(make())
        gains = next(table for table in _blocks(report, Table) if table.id == "table-gain")
        noise = [row for row in gains.rows if row[1].startswith("Random noise")]
        assert [row[2:] for row in noise] == [("–",) * 5] * len(noise)
        assert noise
    assert not any("explains 100%" in text for text in _texts(document(factory.airline())))


def test_pure_noise_has_no_structure_and_no_trend() -> None:
    found = factory.noise_only()
    report = document(found)
    assert "No structure was found" in report.abstract
    assert "around zero" in report.abstract
    assert sentences(found)[-1] == "Random noise; 95% of it lies within ±1.5."
    assert sentences(found)[0].startswith("No structure was found")
    overview, forecast = (
        next(f for f in _blocks(report, Figure) if f.id == name) for name in ("fig-overview", "fig-forecast")
    )
    assert not [
        layer for figure in (overview, forecast) for layer in figure.panels[0].layers if isinstance(layer, Line)
    ]


def test_a_constant_with_noise_is_no_structure_either() -> None:
    parts = (
        component(leaf("C", sd=5.0), MONTHS, np.full(144, 5.0), (0.0, 0.0, 0.0, 1.0, 80.0)),
        component(leaf("WN", sd=1.0), MONTHS, np.sin(MONTHS), (100.0, 100.0, 100.0, 1.0, 0.0)),
    )
    report = document(decomposition(parts, MONTHS, 5 + np.sin(MONTHS), MONTHLY, signal_r2=0.0))
    assert "No structure was found" in report.abstract
    assert "around a fixed level" in report.abstract


def test_no_structure_is_chance_only_after_a_whole_search_and_without_alarms() -> None:
    found = factory.noise_only()
    assert "most likely chance" in document(found).abstract
    path = (*found.path, ("C + WN", 172.0, 0.2))
    cut = document(replace(found, cut="budget", path=path)).abstract
    assert "may be one that it did not come to" in cut
    begun = document(replace(found, cut="interruption")).abstract
    assert begun.startswith("No structure was looked for")
    alarm = Check(0, CheckKind.PERIODOGRAM, 3.0, 0.0001, 0.001, 12.0)
    left = document(replace(found, checks=Checks((alarm,), found.y))).abstract
    assert "the checks found something" in left
    assert not any("most likely chance" in text for text in (cut, begun, left))


def test_artefacts_are_named() -> None:
    useless = component(leaf("SE", lengthscale=2.0, sd=1.0), MONTHS, None, (50.0, 0.0, 0.04, 5.0, 0.02))
    shortlived = component(leaf("SE", lengthscale=0.05, sd=1.0), MONTHS, None, (60.0, 10.0, 20.0, 5.0, 0.0))
    worse = component(leaf("SE", lengthscale=3.0, sd=1.0), MONTHS, None, (59.0, -1.0, -2.5, 6.0, -20.0))
    first = component(leaf("Lin", sd=1.0, location=1900.0), MONTHS, MONTHS - 1949)
    texts = " ".join(
        _texts(document(decomposition((first, useless, shortlived, worse), MONTHS, MONTHS - 1949, MONTHLY)))
    )
    assert (
        "It neither explains variation nor improves predictions, so it is probably an artefact of the model." in texts
    )
    assert "It explains variation without improving the prediction of held-out stretches" in texts
    assert (
        "As the fourth part it makes the fit to the values at hand a little worse; the share that is explained falls"
        in texts
    )
    assert "Adding it raises the average error for held-out values by 20%, from 5 to 6." in texts


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
    overview = next(f for f in _blocks(document(found), Figure) if f.id == "fig-overview")
    lines = {layer.role: layer for layer in overview.panels[0].layers if isinstance(layer, Line)}
    assert lines["mean"].x.dtype.kind == "M"
    assert lines["mean"].x[-1] == lines["forecast"].x[0] == found.axis.times(found.x)[-1]


def test_residual_figures_show_what_the_parts_leave() -> None:
    found = factory.airline()
    moved = replace(found, y=found.y + 1000.0, offset=1000.0)
    for model in (found, moved):
        figure = next(f for f in _blocks(document(model), Figure) if f.id == "fig-part-1-rest")
        points = next(layer for layer in figure.panels[0].layers if isinstance(layer, Points))
        np.testing.assert_allclose(points.y, found.y - found.components[0].mean)


def test_long_forecasts_are_thinned_evenly_with_the_first_and_the_last() -> None:
    found = factory.airline()
    long = Curve.normal(1961 + np.arange(60) / 12, np.arange(60.0), np.ones(60))
    table = next(t for t in _blocks(document(replace(found, forecast=long)), Table) if t.id == "table-forecast")
    assert len(table.rows) <= 13
    assert table.rows[1][0] == "June 1961"
    assert (table.rows[0][0], table.rows[-1][0]) == ("January 1961", "December 1965")
    assert "Every fifth of the 60 steps is shown, and the last." in table.notes


def test_a_forecast_that_never_changes_takes_one_row() -> None:
    found = factory.airline()
    flat = Curve.normal(found.forecast.x, np.full(14, 5.0), np.ones(14))
    table = next(t for t in _blocks(document(replace(found, forecast=flat)), Table) if t.id == "table-forecast")
    assert [row[0] for row in table.rows] == ["January 1961 to February 1962"]
    assert "the same for all 14 steps" in table.notes


def test_shares_below_zero_are_not_told_as_numbers() -> None:
    first = component(leaf("C", sd=5.0), MONTHS, np.full(144, 5.0), (-807.5, -807.5, -807.5, 3.0, 10.0))
    second = component(leaf("Lin", sd=1.0, location=1900.0), MONTHS, MONTHS - 1949, (43.5, 851.0, 93.8, 1.0, 66.0))
    report = document(decomposition((first, second), MONTHS, MONTHS - 1949, MONTHLY))
    gains = next(table for table in _blocks(report, Table) if table.id == "table-gain")
    assert [row[2:5] for row in gains.rows[1:]] == [("below 0%", "–", "–"), ("43.5%", "–", "–")]
    assert "Below 0%: so far the parts lie further from the data" in gains.notes
    texts = " ".join(_texts(report))
    assert "807" not in texts
    assert "By itself this part lies further from the data than their mean does" in texts
    assert "Together with the earlier parts it explains 43.5% of the variation in the data." in texts


def test_a_range_below_zero_is_explained_where_the_data_never_are() -> None:
    found = factory.airline()
    text = "The data are never below zero, but the model does not know that"
    ahead = Curve.normal(found.forecast.x, found.forecast.mean, np.full(14, 1e4))
    wide = replace(found, y=np.abs(found.y), forecast=ahead)
    assert any(text in told for told in _texts(document(wide)))
    assert not any(text in told for told in _texts(document(replace(wide, y=wide.y - 1e4))))


def test_a_long_list_of_parts_is_told_in_nouns() -> None:
    kernels = (
        *(leaf("SE", lengthscale=length, sd=1.0) for length in (1.0, 2.0, 3.0)),
        *(leaf("SE", lengthscale=3.0, sd=1.0) * leaf("Per", lengthscale=1.0, period=p, sd=1.0) for p in (1.0, 0.25)),
        leaf("WN", sd=1.0),
    )
    parts = tuple(component(kernel, MONTHS) for kernel in kernels)
    assert (
        "the sum of six parts: three smooth, irregular variations; a yearly cycle; a quarterly cycle; and random noise."
    ) in document(decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY)).abstract


def test_a_short_abstract_names_the_places_of_change() -> None:
    report = document(factory.solar())
    assert (
        "the sum of six parts: a constant level of 1,360.65; a constant level of −0.6; a smooth, irregular variation; "
        "a 10.8-year cycle; a rapid, irregular variation; and random noise. Parts begin or end around 1642 and 1715."
    ) in report.abstract


def test_a_change_is_described_once() -> None:
    report = document(factory.solar())
    texts = [
        block.text for part in report.sections[1].sections for block in part.blocks if isinstance(block, Paragraph)
    ]
    assert sum("takes about" in text or "take about" in text for text in texts) == 1
    assert sum("It applies until 1642 and from 1716 onwards." in text for text in texts) == 2


def test_where_columns_were_left_out_no_structure_in_time_is_not_all_chance() -> None:
    y = np.random.default_rng(0).normal(size=MONTHS.size)
    part = component(leaf("WN", sd=1.0), MONTHS, y, (100.0, 100.0, 100.0, 0.8, 0.0))
    alone = decomposition((part,), MONTHS, y, MONTHLY, signal_r2=0.0, path=(("WN", 170.0, 0.1),), warnings=())
    beside = "the columns that were not used may explain these values"
    assert beside not in document(alone).abstract
    chosen = replace(alone, choice="This was read as a series: column 'y' is modelled over 'month'; ...")
    assert beside in document(chosen).abstract
