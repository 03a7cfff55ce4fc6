"""Which way a curve goes, as sure and as probable, in every language."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.spoken.nouns import TREND

from autostatistician.describe.words.bends import heads_somewhere, way


def test_a_part_heads_somewhere_by_its_share() -> None:
    assert heads_somewhere(TREND)
    assert not heads_somewhere(replace(TREND, steady=False, share=0.1))
    assert not heads_somewhere(None)
    assert way(replace(TREND, direction=0)) == ""
