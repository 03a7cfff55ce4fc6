"""What is said of values that stand out, and where."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.spoken.checks import ASIDE, made_found, section_of

from autostatistician.data.outliers import Screening
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.document.document import Figure, Points
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.tell import document


@pytest.fixture
def found() -> Decomposition:
    return made_found()


def test_they_are_named_before_the_parts_with_the_comparison(found: Decomposition) -> None:
    ids = [one.id for one in document(found).sections]
    assert ids.index("outliers") < ids.index("parts")
    text = section_of(found).blocks[0].text  # type: ignore[union-attr]
    assert text.startswith("November 1955: 146, expected about 50. No trend, cycle or step explains this value")
    assert "describes the other 144 values better (its BIC for them is lower by 57)" in text
    assert "November 1955 is an outlier with a chance of 97%, given how far the other values scatter." in text
    assert "December 1960: 5, expected about 51. This value stands at an end of the data, so it is kept" in text


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


def test_days_that_come_back_are_told_without_a_table_and_not_as_unexplained(found: Decomposition) -> None:
    rows = tuple(replace(ASIDE, x=1950.0 + year, returns="date 1 1 0") for year in range(3))
    d = replace(found, screening=Screening(rows))
    (block,) = section_of(d).blocks
    assert "On 1 January each year" in block.text  # type: ignore[union-attr]
    made = series_verdict(series_findings(d), (), units_for(d))
    assert not any("without" in text for text in made.doubt)
    assert "On 1 January each year" in document(d).abstract
