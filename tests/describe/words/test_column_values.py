"""How columns and their values are named."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.covariate_cases import (
    HEAT,
    PRICE,
    PROMO,
    WEATHER,
    WORKING,
    findings,
    said,
)

from autostatistician.describe.words.column_values import compared_text, range_seen
from autostatistician.forms import EffectShape
from autostatistician.wording.messages import spoken_in


def test_columns_of_the_calendar_are_named() -> None:
    assert said(replace(WORKING, probability=0.5)).startswith("It is open whether 'working days' matters for 'sales'")
    with spoken_in("de"):
        assert said(WORKING).startswith("Jeder weitere Arbeitstag in einem Monat erhöht 'sales' um 12,0")
    assert compared_text(findings(replace(HEAT, shape=EffectShape.STRAIGHT, step=5.0)).columns[0].effect) == (
        "each further 5"
    )


def test_the_values_seen_are_told_by_kind() -> None:
    told = [range_seen(one.effect) for one in findings(PROMO, PRICE, WEATHER).columns]
    assert told == ["0 or 1", "3.84 to 6", "one of three"]
