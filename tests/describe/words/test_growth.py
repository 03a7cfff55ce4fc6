"""How a size changes, as sure, as probable and as possible, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.factory import DEPTHS, MONTHLY, MONTHS, PLAIN, observed, units_on
from tests.describe.words.test_nouns import WIENER, WN, per

from autostatistician.describe.facts.kinds import Growth
from autostatistician.describe.facts.part import AmplitudeChange, SwingGrowth
from autostatistician.describe.words.growth import change_clause, change_text, grown_clause, grown_text, swings
from autostatistician.describe.words.nouns import head_of
from autostatistician.wording.messages import spoken_in

UNITS = units_on(MONTHLY, MONTHS)
CYCLE, STEPS, NOISE = (head_of(observed(kernel)[0]) for kernel in (per(1.0), WIENER, WN))
CHANGE = AmplitudeChange(
    id="change", number=2.5, unit="1", interval=(2.0, 3.0), evidence="", probability=0.99, kind=Growth.GROWS, degree=1,
    location=None,
)  # fmt: skip
SHRUNK = SwingGrowth(id="growth", number=0.5, unit="1", interval=(0.4, 0.6), evidence="")


def test_what_grows() -> None:
    assert [swings(head) for head in (CYCLE, STEPS, NOISE)] == ["swings", "steps", "size"]


@pytest.mark.parametrize(
    ("language", "clauses"),
    [
        ("en", ["whose swings grow steadily", "whose swings probably grow steadily", "whose swings may grow steadily"]),
        (
            "de",
            [
                "dessen Ausschlag stetig wächst", "dessen Ausschlag vermutlich stetig wächst",
                "dessen Ausschlag möglicherweise stetig wächst",
            ],
        ),
    ],
)  # fmt: skip
def test_clauses_grow_more_careful(language: str, clauses: list[str]) -> None:
    changes = [replace(CHANGE, probability=probability) for probability in (0.99, 0.93, 0.7)]
    with spoken_in(language):
        assert [change_clause(change, CYCLE, UNITS) for change in changes] == clauses


def test_ends_are_compared_in_a_sentence() -> None:
    assert change_text(CHANGE, CYCLE, UNITS) == (
        "The swings grow in a straight line over time: at the end they are 2.5 times (95% range: 2 to 3) as large as "
        "at the start."
    )
    fading = replace(CHANGE, kind=Growth.SHRINKS, number=0.001, degree=2)
    assert change_text(fading, NOISE, UNITS) == (
        "Its size shrinks more and more slowly over time: in the end it is almost nothing."
    )
    doubtful = replace(CHANGE, number=1.2, probability=0.7)
    assert change_text(doubtful, NOISE, UNITS) == (
        "Its size may grow in a straight line over time: in the best fit, in the last third it is 20% larger than in "
        "the first."
    )
    with spoken_in("de"):
        assert change_text(fading, NOISE, UNITS) == (
            "Seine Größe schrumpft mit der Zeit immer langsamer: am Ende fast nichts."
        )


def test_swings_that_came_out_smaller() -> None:
    assert grown_clause(SHRUNK, 1.25, UNITS) == "whose swings have shrunk"
    assert grown_clause(replace(SHRUNK, interval=(0.4, 1.1)), 1.25, UNITS) == ""
    assert grown_text(SHRUNK, limited=True) == (
        "In the last third of its stretch its swings are 0.50 times (95% range: 0.40 to 0.60) as large as in the first."
    )
    assert grown_text(None, limited=False) == ""


def test_what_began_as_nothing() -> None:
    assert change_text(replace(CHANGE, number=80.0), NOISE, UNITS) == (
        "Its size grows in a straight line over time: at first it is almost nothing."
    )


def test_swings_that_came_out_smaller_along_numbers() -> None:
    assert grown_clause(SHRUNK, 1.25, units_on(PLAIN, DEPTHS)) == "whose swings shrink as 'depth' increases"
