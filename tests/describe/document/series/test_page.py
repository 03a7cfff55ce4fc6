"""The whole document: its order, its figures and tables, what it says and what it never says."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition
from tests.describe.spoken.pages import _blocks, _sections, _texts
from tests.describe.test_properties import check

from autostatistician.decompose.records.series import Check, Checks, Decomposition
from autostatistician.describe.document.document import (
    Band,
    Bullets,
    Figure,
    Line,
    Paragraph,
    Points,
    Table,
)
from autostatistician.describe.tell import document, result, sentences
from autostatistician.forms import CheckKind, Curve
from autostatistician.language.kernel import leaf

MODELS = {f.__name__: f for f in (factory.airline, factory.solar, factory.noise_only, factory.several_cycles)}


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


def test_a_range_below_zero_is_explained_where_the_data_never_are() -> None:
    found = factory.airline()
    text = "The data are never below zero, but the model does not know that"
    ahead = Curve.normal(found.forecast.x, found.forecast.mean, np.full(14, 1e4))
    wide = replace(found, y=np.abs(found.y), forecast=ahead)
    assert any(text in told for told in _texts(document(wide)))
    assert not any(text in told for told in _texts(document(replace(wide, y=wide.y - 1e4))))


def test_a_change_is_described_once() -> None:
    report = document(factory.solar())
    texts = [
        block.text for part in report.sections[1].sections for block in part.blocks if isinstance(block, Paragraph)
    ]
    assert sum("takes about" in text or "take about" in text for text in texts) == 1
    assert sum("It applies until 1642 and from 1716 onwards." in text for text in texts) == 2


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
