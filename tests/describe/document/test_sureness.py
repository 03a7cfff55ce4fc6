"""What else the models say stands in a table, and only what the parts do not say."""

from __future__ import annotations

from dataclasses import replace

from tests.describe import factory

from autostatistician.describe.document.document import Paragraph, Table
from autostatistician.describe.document.sureness import beside_the_parts, sureness_section
from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.words.claims import Statement

SEARCH = search_of(factory.airline(), ())
TWO = replace(SEARCH, models=(("SE", 0.7), ("Lin", 0.3)))
TREND = Claim(ClaimKind.TREND)


def test_a_model_alone_leaves_nothing_open() -> None:
    assert sureness_section(SEARCH, ()) == ()


def test_statements_are_rows() -> None:
    said = [Statement("A trend", 0.7, True), Statement("A cycle", 0.55, False)]
    (section,) = sureness_section(TWO, said)
    lead, table = section.blocks
    assert isinstance(lead, Paragraph)
    assert "a probability of 70%" in lead.text
    assert isinstance(table, Table)
    assert table.rows == (("A trend", "yes", "70%"), ("A cycle", "no", "55%"))


def test_without_statements_there_is_no_table() -> None:
    (section,) = sureness_section(TWO, ())
    assert len(section.blocks) == 1


def test_what_other_models_say_is_never_covered() -> None:
    other, own = WeighedClaim(TREND, 0.6, False), WeighedClaim(TREND, 0.6, True)
    assert beside_the_parts([other, own], lambda claim: True) == (other,)
    assert beside_the_parts([replace(other, probability=MAJORITY - 1e-9)], lambda claim: False) == ()
