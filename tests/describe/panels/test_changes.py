"""Changes that fall together, and none that chance has put together."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.describe.panels.changes import shared_changes, stretch_of
from autostatistician.describe.panels.traits import SeriesTraits
from autostatistician.panel.records import PanelClaim


def test_many_changes_in_one_month_are_found_with_their_number_by_chance() -> None:
    every = [series(name, 30, size=-1.0 if name == 3 else 1.0) for name in range(7)]
    every += [series(name, name % 20) for name in range(7, 27)] + [series(name) for name in range(27, 200)]
    (change,) = shared_changes(every)
    assert (change.stretch, change.series, change.up, change.down) == ("2021-07", 7, 6, 1)
    assert change.expected == pytest.approx(200 * 20.5 / (200 * 59), rel=1e-6)
    assert change.p < 1e-4
    assert change.share == pytest.approx(0.3)
    assert change.names == tuple(sorted(f"s{name}" for name in range(7)))


def test_two_months_are_found_one_beside_the_other() -> None:
    every = [series(name, 10, 40) for name in range(30)] + [series(name) for name in range(30, 100)]
    assert {change.stretch for change in shared_changes(every)} == {"2019-11", "2022-05"}


@pytest.mark.parametrize("step", ["", "hour", "year"])
def test_any_kind_of_time_is_borne(step: str) -> None:
    claim = PanelClaim("step", 1.0, 1.0, 1.0, "5", "5")
    every = [
        SeriesTraits(f"{name}", True, rows=60, first="0", stop="59", step=step, sudden=(claim,)) for name in range(9)
    ]
    (change,) = shared_changes(every)
    assert (change.stretch, change.series, change.share) == ("5", 9, None)
    odd = [
        SeriesTraits(f"{name}", True, rows=60, first="a-b", stop="?", step=step, sudden=(claim,)) for name in range(9)
    ]
    assert shared_changes(odd)[0].series == 9


MONTHS = np.arange("2019-01", "2024-01", dtype="M8[M]").astype("M8[D]").astype(str).tolist()


def series(name: int, *rows: int, size: float = 1.0) -> SeriesTraits:
    steps = tuple(PanelClaim("step", size, size, size, MONTHS[row], MONTHS[row], 0.3 * size) for row in rows)
    return SeriesTraits(f"s{name}", True, rows=60, first=MONTHS[0], stop=MONTHS[-1], step="month", sudden=steps)


@pytest.mark.parametrize("seed", range(20))
def test_changes_at_any_time_are_not_called_shared(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert shared_changes([series(name, int(rng.integers(60))) for name in range(150)]) == ()


def test_few_or_none_are_nothing() -> None:
    assert shared_changes([]) == ()
    assert shared_changes([series(0)]) == ()
    assert shared_changes([series(0, 10), series(1, 10)]) == ()


@pytest.mark.parametrize(
    ("when", "step", "stretch"),
    [("2024-03-17", "week", "2024-03"), ("-0044-03-17", "day", "-0044-03-17"), ("7.5", "", "7.5"), ("", "", ""),
     ("2024-03-17T10:00", "hour", "2024-03-17"), ("2024-01-01", "year", "2024-01-01"),
     ("any/thing", "month", "any/thing")],
)  # fmt: skip
def test_stretches(when: str, step: str, stretch: str) -> None:
    assert stretch_of(when, step) == stretch
