"""Few rows, one value throughout, exact lines and noise that cannot be seen: what is said of them first."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.describe import factory
from tests.describe.function_cases import COURSE
from tests.describe.sentences import check_document

from autostatistician import AutomaticStatistician
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.facts.whole import FewRows, ManyZeros
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.series.plain import plain_facts
from autostatistician.describe.observe.series.whole import model_facts
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words.plain import zeros_text
from autostatistician.describe.words.whole import explained_text
from autostatistician.language.kernel import leaf

Array = NDArray[np.float64]
X = np.arange(30.0)


def _told(y: Array, depth: int = 2) -> tuple[list[str], str]:
    """The sentences on a series, and the abstract with the text of the report."""
    model = AutomaticStatistician(max_depth=depth, n_restarts=4, n_jobs=1).fit(X[: y.size, None], y)
    report = document(model.decomposition())
    check_document(report)
    text = " ".join(str(section) for section in report.sections)
    return model.describe(), f"{report.abstract} {text}"


@pytest.mark.slow
def test_an_exact_line_is_told_by_its_formula_and_without_noise() -> None:
    told, report = _told(3.0 + 2.0 * X)
    assert told[0] == "No noise can be seen: the data follow y = 3 + 2 x."
    assert told[-1] == "No noise that can be seen."
    assert report.startswith("No noise can be seen: the data follow y = 3 + 2 x.")
    assert "is 63.000 for 'x' = 30 (95% range: 62.999 to 63.001)" in report
    assert "way of measuring changed" not in report


@pytest.mark.slow
@pytest.mark.parametrize("y", [np.sin(X / 2.0), 1.0 + 0.5 * X**2, np.exp(0.1 * X)], ids=["wave", "parabola", "growth"])
def test_an_exact_curve_has_no_noise_that_can_be_seen(y: Array) -> None:
    told, report = _told(y)
    assert told[-1] == "No noise that can be seen."
    assert "way of measuring changed" not in report


def test_values_that_are_all_the_same_are_no_chance() -> None:
    told, report = _told(np.full(25, 5.0), depth=1)
    assert told[0].startswith("All values are the same: 5. There is nothing to explain")
    assert "All values are the same: 5." in report
    assert "chance" not in report.split("All values")[0]


def test_ten_rows_are_said_to_show_little_before_all_else() -> None:
    y = np.array([1.0, 4.0, 2.0, 0.0, 1.1, 4.1, 2.1, 0.1, 1.2, 4.2])
    _, report = _told(y, depth=1)
    assert report.startswith("Ten rows show little")
    assert "no cycle" not in report
    assert "most likely chance" not in report


@pytest.mark.parametrize(("criterion", "seasons"), [("bic", (1.0,)), ("evidence", ()), ("evidence", (1.0,))])
def test_few_rows_were_searched_for_what_the_criterion_knows(criterion: str, seasons: tuple[float, ...]) -> None:
    whole = factory.airline()
    short = replace(whole, x=whole.x[:15], y=whole.y[:15], criterion=criterion, seasons=seasons)
    (few,) = (one for one in plain_facts(short, ()) if isinstance(one, FewRows))
    assert few.wandering == (criterion == "evidence")
    assert few.cycles == (few.wandering and bool(seasons))


def test_what_few_rows_show_is_nothing_to_rely_on() -> None:
    found = replace(factory.airline(), function=COURSE)
    many, units = series_findings(found), units_for(found)
    few = replace(many, facts=(FewRows(id="data/rows", number=12, unit="1", evidence="the data"), *many.facts))
    assert any("yearly pattern" in text for text in series_verdict(many, [], units).rely)
    assert not any("yearly pattern" in text for text in series_verdict(few, [], units).rely)


def test_a_share_below_zero_is_none() -> None:
    facts = model_facts(replace(factory.airline(), signal_r2=-0.286))
    assert "-28.6" not in explained_text(facts)
    assert "\N{MINUS SIGN}28.6" not in explained_text(facts)


def test_noise_at_the_ends_is_that_of_the_rows_and_not_of_the_shape_of_the_noise() -> None:
    """The shape runs to a size at the end that no row shows."""
    x = factory.MONTHS
    mean = 3.0 * (-1.0) ** np.arange(x.size)
    part = factory.component(leaf("WN", sd=1.0) * leaf("Lin", sd=0.5, location=1948.0), x, mean, sd=np.zeros(x.size))
    told = sentences(factory.decomposition((part,), x, mean, factory.MONTHLY))
    sizes = [float(number) for number in re.findall(r"±([\d.]+)", " ".join(told))]
    assert sizes == pytest.approx([5.9, 5.9], abs=0.05)


def test_zeros_are_told_where_they_are_common_among_whole_numbers() -> None:
    counts = np.resize([0.0, 0.0, 3.0, 0.0, 1.0], 144)
    counts[-14:] = np.resize([0.0, 2.0], 14)
    found = replace(factory.airline(), y=counts)
    (zeros,) = (fact for fact in plain_facts(found, ()) if isinstance(fact, ManyZeros))
    assert (zeros.number, zeros.late, zeros.rows) == (np.mean(counts == 0.0), 0.5, 14)
    assert zeros_text((zeros,)) == "59% of the values are zero, 50% of the last 14."
    for other in (counts + 0.5, counts + 1.0, np.zeros(144)):
        assert not any(isinstance(fact, ManyZeros) for fact in plain_facts(replace(found, y=other), ()))
