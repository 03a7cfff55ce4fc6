"""Values and rows that stand out, word for word."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.spoken.checks import ONE
from tests.describe.spoken.checks import UNITS_OF_OUTLIERS as UNITS

from autostatistician.describe.words.outliers import (
    far_named,
    look_up,
    set_aside_text,
)
from autostatistician.wording.messages import spoken_in


def test_of_many_three_are_named() -> None:
    many = [replace(ONE, position=1950.0 + year) for year in range(5)]
    assert set_aside_text(many, UNITS).endswith("; and two more.")
    assert look_up(many, UNITS).count("January") == 3
    assert look_up([], UNITS) == ""


def test_values_that_lie_close_beside_each_other_are_told_apart() -> None:
    units = replace(UNITS, spread=0.4)
    far = [(1950.0 + year, 1360.2 + 0.23 * year) for year in range(5)]
    told = far_named(far, units)
    assert [f"({value})" in told for value in ("1,360.2", "1,360.43", "1,360.66")] == [True] * 3
    with spoken_in("de"):
        assert "(1.360,43)" in far_named(far, units)
    of_log = replace(units, spread=0.4 / 1360.0, level=1360.0)
    assert "(1,360.43)" in far_named(far, of_log)
