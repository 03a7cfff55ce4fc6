"""A step that most models agree on is told as one, not as the gradual course that their average is."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from tests.describe.function_cases import UNITS

from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.facts.part import ConstantLevel, LevelStretch, NoiseLevel
from autostatistician.describe.words.steps import step_text

STRETCHES = (LevelStretch((-inf, 1955.04), 12.1, (11.0, 13.0)), LevelStretch((1955.04, inf), 20.3, (19.0, 22.0)))
LEVEL = ConstantLevel(id="p", number=20.3, unit="target", evidence="e", levels=STRETCHES)
NOISE = NoiseLevel(id="n", number=1.0, unit="target", evidence="e", first=1.0, last=1.0)
CHANGE = WeighedClaim(Claim(ClaimKind.CHANGE, 1955.04), 0.857, True)


def test_a_step_that_most_models_have_is_told_with_its_probability() -> None:
    assert step_text([LEVEL, NOISE], [CHANGE], UNITS) == (
        f"{UNITS.it} stayed near 12.1 until January 1955, and has stayed near 20.3 since (a change that has a "
        "probability of 85.7%)."
    )


def test_an_open_step_or_one_beside_other_parts_is_not() -> None:
    assert step_text([LEVEL], [replace(CHANGE, probability=0.6)], UNITS) == ""
    assert step_text([LEVEL], [], UNITS) == ""
    assert step_text([LEVEL, replace(LEVEL, levels=())], [CHANGE], UNITS) == ""
    assert step_text([replace(LEVEL, levels=(*STRETCHES, STRETCHES[1]))], [CHANGE], UNITS) == ""
