"""What else the models say stands in a table, and only what the parts do not say."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.spoken.pages import TWO

from autostatistician.describe.document.sureness import beside_the_parts, sureness_section
from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.kinds import ClaimKind

TREND = Claim(ClaimKind.TREND)


def test_without_statements_there_is_no_table() -> None:
    (section,) = sureness_section(TWO, ())
    assert len(section.blocks) == 1


def test_what_other_models_say_is_never_covered() -> None:
    other, own = WeighedClaim(TREND, 0.6, False), WeighedClaim(TREND, 0.6, True)
    assert beside_the_parts([other, own], lambda claim: True) == (other,)
    assert beside_the_parts([replace(other, probability=MAJORITY - 1e-9)], lambda claim: False) == ()
