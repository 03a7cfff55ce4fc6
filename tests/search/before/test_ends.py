"""What ends a series: outliers or a new level, and what was seen before and how alike rows are move the odds."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.search.before.ends import LASTING, Ending, ended


def _end(*sizes: float, singles: int = 0, steps: int = 0, inside: int = 0) -> Ending | None:
    errors = np.random.default_rng(4).normal(size=100)
    out = np.zeros(100, dtype=bool)
    places = np.arange(5, 5 + 9 * inside, 9)
    errors[places], out[places] = 9.0, True
    errors[100 - len(sizes) :], out[100 - len(sizes) :] = sizes, True
    return ended(errors, out, singles, steps)


def _lasting(*sizes: float, singles: int = 0, steps: int = 0, inside: int = 0) -> float:
    end = _end(*sizes, singles=singles, steps=steps, inside=inside)
    assert end is not None
    return end.lasting


def test_one_row_lasts_as_often_as_in_other_series_and_events_before_have_a_say() -> None:
    assert _lasting(9.0) == pytest.approx(LASTING[0], abs=1e-9)
    odds = LASTING[0] / (1.0 - LASTING[0])
    assert _lasting(9.0, singles=5, inside=5) == pytest.approx(odds / (6.0 + odds), abs=1e-9)
    assert _lasting(9.0, steps=2) == pytest.approx(3.0 * odds / (1.0 + 3.0 * odds), abs=1e-9)


def test_rows_that_are_alike_are_a_level_and_others_are_outliers() -> None:
    alike, unlike = _end(9.0, 9.2, singles=5, inside=5), _end(9.0, -9.0, singles=5, inside=5)
    assert (alike.first, unlike.first) == (98, 99)
    assert 0.45 < alike.lasting < LASTING[1]
    assert unlike.lasting < 0.12
    less = [_lasting(9.0, 9.0 + apart, singles=5, inside=5) for apart in (0.0, 3.0, 6.0)]
    assert less == sorted(less, reverse=True)


def test_more_rows_on_one_level_last_more_probably() -> None:
    found = [_lasting(*[9.0] * rows) for rows in (1, 2, 3)]
    assert found == sorted(found)
    assert found[2] == pytest.approx(LASTING[2], abs=0.02)


def test_many_rows_and_a_usual_last_row_are_no_end() -> None:
    assert _end(9.0, 9.0, 9.0, 9.0) is None
    assert _end(inside=3) is None
    assert ended(np.zeros(30), np.zeros(30, dtype=bool), 0, 0) is None
