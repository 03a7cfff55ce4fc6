"""What is said of values that stand out, and where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition

from autostatistician.data.outliers import Outlier, Screening
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.document.document import Figure, Points, Section, Table
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.outliers import outlier_facts
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.tell import document
from autostatistician.language.kernel import leaf

ASIDE = Outlier(1955.0 + 10.0 / 12.0, 146.0, 50.2, chance=0.97)
LAST = Outlier(float(MONTHS[-1]), 5.0, 51.0, aside=False)


@pytest.fixture
def found() -> Decomposition:
    y = 50.0 + np.sin(MONTHS)
    made = decomposition(
        (component(leaf("C", sd=50.0), MONTHS), component(leaf("WN", sd=1.0), MONTHS)), MONTHS, y, MONTHLY
    )
    return replace(made, screening=Screening((ASIDE, LAST), 57.0))


def section_of(d: Decomposition) -> Section:
    (section,) = outlier_section(outlier_facts(d), units_for(d))
    return section


def test_they_are_named_before_the_parts_with_the_comparison(found: Decomposition) -> None:
    ids = [one.id for one in document(found).sections]
    assert ids.index("outliers") < ids.index("parts")
    text = section_of(found).blocks[0].text  # type: ignore[union-attr]
    assert text.startswith("November 1955: 146, expected about 50. No trend, cycle or step explains this value")
    assert "describes the other 144 values better (its BIC for them is lower by 57)" in text
    assert "November 1955 is an outlier with a chance of 97%, given how far the other values scatter." in text
    assert "December 1960: 5, expected about 51. This value stands at an end of the data, so it is kept" in text


def test_the_table_says_what_was_done(found: Decomposition) -> None:
    table = section_of(found).blocks[1]
    assert isinstance(table, Table)
    assert table.rows == (
        ("November 1955", "146", "50", "97%", "set aside"),
        ("December 1960", "5", "51", "", "kept, as it stands at an end"),
    )


def test_the_verdict_names_those_that_were_set_aside(found: Decomposition) -> None:
    made = series_verdict(series_findings(found), (), units_for(found))
    assert any("without" in text and "November 1955: 146, expected about 50." in text for text in made.doubt)
    assert not any("December 1960" in text for text in made.doubt)
    assert any("November 1955 and December 1960" in text for text in made.next)


def test_the_picture_marks_those_that_were_set_aside(found: Decomposition) -> None:
    figure = document(found).sections[0].blocks[0]
    assert isinstance(figure, Figure)
    (marked,) = [one for one in figure.panels[0].layers if isinstance(one, Points) and one.label == "set aside"]
    assert marked.y.tolist() == [146.0]
    assert marked.names == ("November 1955",)
    assert marked.role == "aside"


def test_heavy_tails_are_said_and_nothing_else(found: Decomposition) -> None:
    heavy = replace(found, screening=Screening(heavy=7))
    assert "noise with heavy tails" in section_of(heavy).blocks[0].text  # type: ignore[union-attr]
    named = replace(heavy, screening=Screening(heavy=1, far=(replace(ASIDE, aside=False),)))
    assert "suggest: November 1955 (146). But large" in section_of(named).blocks[0].text  # type: ignore[union-attr]
    assert outlier_section(outlier_facts(replace(found, screening=Screening())), units_for(found)) == ()


def test_places_of_plain_numbers_are_named_with_their_column() -> None:
    x = np.arange(40.0)
    y = np.sin(x)
    made = decomposition(
        (component(leaf("WN", sd=1.0), x),), x, y, replace(MONTHLY, column="depth", unit="", frequency="")
    )
    d = replace(made, screening=Screening((Outlier(20.0, 9.0, 0.3),), 0.0))
    assert "'depth' = 20: 9, expected about 0.3" in section_of(d).blocks[0].text  # type: ignore[union-attr]


def test_days_that_come_back_are_told_without_a_table_and_not_as_unexplained(found: Decomposition) -> None:
    rows = tuple(replace(ASIDE, x=1950.0 + year, returns="date 1 1 0") for year in range(3))
    d = replace(found, screening=Screening(rows))
    (block,) = section_of(d).blocks
    assert "On 1 January each year" in block.text  # type: ignore[union-attr]
    made = series_verdict(series_findings(d), (), units_for(d))
    assert not any("without" in text for text in made.doubt)
    assert "On 1 January each year" in document(d).abstract
