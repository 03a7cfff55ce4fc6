"""What comes next, word for word, from facts alone."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.spoken.wholes import FIRST, UNITS

from autostatistician.describe.words.forecast import same_forecast


def test_forecasts_are_the_same_where_they_are_told_by_the_same_numbers() -> None:
    assert same_forecast((FIRST,), (replace(FIRST, number=5.01),), UNITS)
    assert same_forecast((FIRST,), (), UNITS)
    assert not same_forecast((FIRST,), (replace(FIRST, number=6.0),), UNITS)
    assert not same_forecast((), (FIRST,), UNITS)
