"""Reports of models of the logarithm: an exponential series, its sentences word for word, its pictures in numbers."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import noise_only
from tests.describe.function_cases import COURSE
from tests.describe.grown import Y, grown, straight

from autostatistician.describe.document.document import Band, Figure, Line, Paragraph, Points, Table
from autostatistician.describe.facts.whole import BaselineError, LogScale
from autostatistician.describe.observe.series.whole import model_facts
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words.parts import find


def _figures(name: str) -> Figure:
    made = document(grown())
    parts = next(section for section in made.found if section.id == "parts").sections
    sections = (*made.sections, *made.found, *parts)
    blocks = [made.picture, *(block for section in sections for block in section.blocks)]
    return next(block for block in blocks if isinstance(block, Figure) and block.id == name)


def test_growth_is_told_as_a_rate() -> None:
    parts = document(grown()).found[1].sections
    texts = {part.title: part.blocks[0].text for part in parts if isinstance(part.blocks[0], Paragraph)}
    rate = re.search(r"rises by ([\d.]+)% per year \(95% range: ([\d.]+)% to ([\d.]+)%\)", " ".join(texts.values()))
    assert rate
    shown, low, high = map(float, rate.groups())
    assert low <= 100.0 * np.expm1(0.1) <= high
    assert low <= shown <= high


@pytest.mark.slow
def test_the_choice_is_stated_with_its_evidence() -> None:
    said = " ".join(block.text for block in document(grown()).found[0].blocks if isinstance(block, Paragraph))
    assert "because that describes these data better (by 42 of BIC, on reference models)" in said
    asked = " ".join(block.text for block in document(grown(None)).found[0].blocks if isinstance(block, Paragraph))
    assert "as was asked for" in asked
    scale = find(model_facts(grown()), LogScale)
    assert scale is not None
    assert scale.level == pytest.approx(np.exp(np.log(Y).mean()))


def test_numbers_on_the_logarithmic_scale_say_so() -> None:
    base = find(model_facts(grown()), BaselineError)
    assert base is not None
    assert base.unit == "log target"
    assert base.number == pytest.approx(np.abs(np.log(Y) - np.log(Y).mean()).mean())


def test_the_whole_is_drawn_in_data_units_with_bands_that_are_wider_above() -> None:
    layers = _figures("fig-overview").panels[0].layers
    (points,) = [layer for layer in layers if isinstance(layer, Points)]
    assert points.y == pytest.approx(Y)
    band = next(layer for layer in layers if isinstance(layer, Band) and layer.role == "forecast")
    line = next(layer for layer in layers if isinstance(layer, Line) and layer.role == "forecast")
    assert (band.upper - line.y > line.y - band.lower).all()
    assert np.mean((band.upper > line.y) & (line.y > band.lower)) == 1.0


def test_parts_are_drawn_in_per_cent_and_their_sums_in_data_units() -> None:
    found = grown()
    for number, part in enumerate(found.components, 1):
        *alone, total = _figures(f"fig-part-{number}").panels
        assert bool(alone) == (part.is_noise or np.ptp(part.curve.mean) > 0.0)  # a constant needs no picture of itself
        assert [panel.y_label for panel in (*alone, total)] == ["part of 'sales', in %", "sales"][-len(alone) - 1 :]
        if not part.is_noise:
            for panel in alone:
                (line,) = [layer for layer in panel.layers if isinstance(layer, Line) and layer.role == "mean"]
                whole = 100.0 * np.expm1(part.curve.mean)
                if panel.title == "One cycle":
                    assert np.isin(line.y[1:-1].round(9), whole.round(9)).all()
                else:
                    assert line.y == pytest.approx(whole)
            (both,) = [layer for layer in total.layers if isinstance(layer, Line)]
            assert both.y == pytest.approx(found.transform.scale * np.exp(part.cumulative.mean))


def test_the_table_of_the_forecast_holds_the_quantiles() -> None:
    found = grown()
    table = next(block for block in document(found).sections[0].blocks if isinstance(block, Table))
    low, high = found.forecast.lower, found.forecast.upper
    shown = np.array([[float(cell.replace(",", "")) for cell in row[1:]] for row in table.rows])
    assert shown == pytest.approx(np.column_stack([found.forecast.mean, low, high]), abs=1.0)


def test_an_open_scale_is_said_and_nothing_grows_exponentially() -> None:
    found = replace(grown(), criterion="evidence", transform_gain=2.0, scale_probability=0.731)
    whole = "Whether changes of 'sales' add up or multiply (straight or exponential), the data do not tell"
    first, trend, *_ = sentences(found)
    assert first == f"{whole}."
    assert trend == "An increasing trend; it rises by 10.5% per year."
    page = document(found)
    said = " ".join(block.text for block in page.found[0].blocks if isinstance(block, Paragraph))
    assert f"{whole}. The model is of the logarithm" in said
    assert sentences(replace(found, scale_probability=0.99)) == sentences(grown())


def test_values_that_may_be_exponential_are_not_told_as_linear() -> None:
    found = straight()
    first, trend, *_ = sentences(replace(found, criterion="evidence", transform_gain=2.0, scale_probability=0.731))
    assert first.endswith("the data do not tell.")
    assert trend.startswith("An increasing trend")
    assert sentences(replace(found, scale_probability=0.99))[0].startswith("A linearly increasing trend")
    scale = find(
        model_facts(replace(found, criterion="evidence", transform_gain=2.0, scale_probability=0.731)), LogScale
    )
    assert scale is not None
    assert (scale.level, scale.probability) == (None, 0.731)
    assert find(model_facts(replace(found, scale_probability=0.99)), LogScale) is None


def test_noise_is_not_asked_whether_it_multiplies() -> None:
    found = replace(noise_only(), criterion="evidence", transform_gain=2.0, scale_probability=0.57, function=COURSE)
    page = str(document(found))
    assert "What was asked of the course." in page
    assert "multiply instead" not in page
