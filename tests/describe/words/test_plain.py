"""What is plain about data before any model, word for word."""

from __future__ import annotations

from tests.describe.spoken.wholes import FEW

from autostatistician.describe.facts.whole import OneValue, PossibleStructure
from autostatistician.describe.words.plain import nothing_text

SAME = OneValue(id="data/value", number=3.5, unit="target", evidence="e")


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
