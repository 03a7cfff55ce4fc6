"""What is plain about data before any model, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.factory import DEPTHS, PLAIN, units_on

from autostatistician.describe.facts.whole import ExactLine, FewRows, OneValue, PossibleStructure
from autostatistician.describe.words.plain import few_rows_text, line_text, nothing_text

FEW = FewRows(id="data/rows", number=10, unit="1", evidence="e")
SAME = OneValue(id="data/value", number=3.5, unit="target", evidence="e")


@pytest.mark.parametrize(
    ("slope", "intercept", "formula"),
    [
        (2.0, 1.5, "1.5 + 2 depth"),
        (-2.0, 1.5, "1.5 − 2 depth"),
        (1.0, -4.0, "−4 + depth"),
        (-1.0, 0.0, "−depth"),
        (0.333333333, 0.0, "0.333333 depth"),
    ],
)
def test_an_exact_line_is_a_formula(slope: float, intercept: float, formula: str) -> None:
    line = ExactLine(id="data/line", number=slope, unit="target per axis", evidence="e", intercept=intercept)
    text = f"No noise can be seen: the data follow sales = {formula}."
    assert line_text((line,), units_on(PLAIN, DEPTHS)) == text


def test_few_rows_say_how_little_they_show() -> None:
    assert few_rows_text((FEW,)).startswith("Ten rows show little:")
    assert few_rows_text(()) == ""


def test_few_rows_say_what_was_looked_for() -> None:
    assert "a level, a straight line, a smooth curve or a single step at most" in few_rows_text((FEW,))
    assert "a level that stays or wanders, a trend" in few_rows_text((replace(FEW, wandering=True),))
    assert "calendar" not in few_rows_text((replace(FEW, wandering=True),))
    assert "a cycle of the calendar" in few_rows_text((replace(FEW, wandering=True, cycles=True),))
    assert "no level that wanders" in nothing_text((replace(FEW, wandering=True),))


def test_values_that_are_all_the_same_are_told_before_all_else() -> None:
    assert nothing_text((SAME,)).startswith("All values are the same: 3.5.")
    assert nothing_text((FEW, SAME)) == nothing_text((SAME,))
    assert nothing_text((FEW,)).startswith("No structure was found: no line, no step")
    assert nothing_text(()) == ""


def test_structure_that_is_likely_and_not_told_is_not_denied() -> None:
    likely = PossibleStructure(id="data/structure", number=0.82, unit="share", evidence="e")
    told = "No structure is sure: that there is some, beyond random scatter, has a probability of 82%. That is too "
    assert nothing_text((FEW, likely)).startswith(told)
    assert nothing_text((likely,)).startswith(told)
    assert nothing_text((likely, SAME)) == nothing_text((SAME,))


def test_few_rows_without_structure() -> None:
    assert nothing_text((FEW,)) == (
        "No structure was found: no line, no step and no smooth curve describes these values better than random "
        "scatter. More rows may show what these cannot."
    )
