"""A search that was cut says so on the page, and its probabilities are not told as if all had been tried."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe import factory

from autostatistician.describe.document.document import Bullets, Document, Paragraph, Section
from autostatistician.describe.tell import document

BEST = factory.airline().fitted.kernel
WEIGHED = replace(factory.airline(), alternatives=((BEST, 0.998), (BEST, 0.002)))


def _items(told: Document, name: str) -> str:
    (verdict,) = (one for one in told.sections if one.id == "verdict")
    return " ".join(item for one in verdict.sections if one.id == name for item in _bullets(one))


def _bullets(section: Section) -> list[str]:
    return [item for block in section.blocks if isinstance(block, Bullets) for item in block.items]


@pytest.mark.parametrize(
    ("cut", "said", "after"),
    [
        ("budget", "was cut short by its time budget after two levels", "larger time budget"),
        ("interruption", "was interrupted after two levels", "Let the search end by itself"),
        ("depth", "ended at the depth that was set, two levels, while it was still finding better", "larger depth"),
    ],
)
def test_what_cut_a_search_is_told_with_what_to_do(cut: str, said: str, after: str) -> None:
    told = document(replace(WEIGHED, cut=cut))
    assert said in _items(told, "verdict-doubt")
    assert after in _items(told, "verdict-next")
    assert "nearly every model" not in _items(told, "verdict-rely")
    assert "so far" not in str(_bullets(told.sections[0]))
    lead = next(block.text for block in told.sections[0].blocks if isinstance(block, Paragraph) and block.emphasis)
    assert lead.startswith("Of the models tried before the search was cut, ")
    assert told.abstract.count("; what follows is of the best model so far. ") == 1
    assert "If the model holds, the forecast" in told.abstract
    assert told.record["search"] == {"complete": False, "cut": cut, "levels": 2}


def test_a_whole_search_says_nothing_of_it() -> None:
    told = document(WEIGHED)
    assert "so far" not in str(_bullets(told.sections[0])) + told.abstract
    assert told.record["search"] == {"complete": True, "cut": None, "levels": 2}
