"""Facts about chances."""

from __future__ import annotations

from autostatistician.describe.facts.classes import ChanceAt, Foresight, Ranking, extended
from autostatistician.describe.facts.fact import SHARE, Fact


def test_odds_and_shares() -> None:
    assert ChanceAt(1.0, 0.75, (0.5, 0.9)).odds == 3.0
    assert ChanceAt(1.0, 1.0, (0.5, 1.0)).odds == float("inf")
    one = Foresight(
        id="f", number=-0.5, unit="nat", evidence="e", rows=40, came=10, of_share=-0.6, gain=0.1,
        gain_interval=(0.05, 0.15), wrong=0.2, wrong_of_share=0.25,
    )  # fmt: skip
    assert one.share == 0.25


def test_a_fact_of_another_kind_says_the_same() -> None:
    fact = Fact(id="a", number=0.8, unit=SHARE, evidence="pairs")
    assert extended(fact, Ranking) == Ranking(id="a", number=0.8, unit=SHARE, evidence="pairs")
