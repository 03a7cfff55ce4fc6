"""What a forecast takes for granted, word for word."""

from __future__ import annotations

import pytest
from tests.describe.function_cases import UNITS

from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import ForecastCondition
from autostatistician.describe.words.conditions import condition_clause, conditions_text


def _fact(kind: Taken, size: float) -> ForecastCondition:
    return ForecastCondition(
        id="forecast/x", number=516.2, unit="target", evidence="e", kind=kind, size=size, at=1957.0 + 2 / 12,
        position=1962.0, end=1319.4,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "size", "clause", "otherwise"),
    [
        (Taken.LASTS, -80.0, "the fall in March 1957 lasts", ": were it undone, "),
        (Taken.LASTS, 80.0, "the rise in March 1957 lasts", ": were it undone, "),
        (Taken.GOES_ON, 12.4, "the recent rise goes on", " (about 12 per year): were it to end now, "),
        (Taken.PASSED, -80.0, "nothing like March 1957 comes again", ": while it lasted, "),
    ],
)
def test_each_says_what_would_come_otherwise(kind: Taken, size: float, clause: str, otherwise: str) -> None:
    fact = _fact(kind, size)
    assert condition_clause((fact,), UNITS) == clause
    instead = "516 instead of 1,319 would be expected in January 1962."
    assert conditions_text((fact,), UNITS) == f"The forecast assumes that {clause}{otherwise}{instead}"


def test_nothing_is_assumed_that_is_no_fact() -> None:
    assert (condition_clause((), UNITS), conditions_text((), UNITS)) == ("", "")
