"""Facts on parts are values: equal where all that they say is, rises and falls included."""

from __future__ import annotations

from dataclasses import replace

from autostatistician.describe.facts.part import Trend
from autostatistician.forms import Leg

UP, DOWN = Leg(0.0, 1.0, 2.0, 5.0, (0.2, 0.6), 2.0), Leg(1.0, 2.0, 5.0, 4.5, (1.2, 1.6), -0.4)
TREND = Trend(
    id="a", number=1.0, unit="target per axis", evidence="e", direction=1, steady=False, share=0.8, legs=(UP, DOWN)
)


def test_a_leg_rises_or_falls_by_the_difference_of_its_ends() -> None:
    assert [(leg.change, leg.rises) for leg in TREND.legs] == [(3.0, True), (-0.5, False)]


def test_trends_of_other_legs_are_other_facts() -> None:
    assert replace(TREND, legs=(UP, replace(DOWN))) == TREND
    assert replace(TREND, legs=(UP,)) != TREND
