"""Ticks: round, distinct, inside the limits, and with room between their labels, for any range."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autostatistician.report.text import text_width
from autostatistician.report.ticks import TICK_SIZE, Tick, fitting, number_label, number_ticks, ratio_ticks, time_ticks


def _assert_apart(ticks: tuple[Tick, ...], low: float, high: float, length: float) -> None:
    labels = [(t.position, text_width(t.label, TICK_SIZE)) for t in ticks]
    contexts = [(t.position, text_width(t.context, TICK_SIZE)) for t in ticks if t.context]
    for row in (labels, contexts):
        for (a, wide_a), (b, wide_b) in itertools.pairwise(row):
            assert (b - a) / (high - low) * length >= (wide_a + wide_b) / 2 + 4.0
    assert all(low - 1e-6 * (high - low) <= t.position <= high + 1e-6 * (high - low) for t in ticks)


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.floats(100.0, 800.0))
def test_number_ticks_never_overlap(low: float, span: float, length: float) -> None:
    ticks = number_ticks(low, low + span, length)
    _assert_apart(ticks, low, low + span, length)
    assert len({tick.label for tick in ticks}) == len(ticks)


@given(st.floats(-800_000.0, 100_000.0), st.floats(-4.0, 6.0), st.floats(150.0, 800.0))
def test_time_ticks_never_overlap(low: float, power: float, length: float) -> None:
    high = low + 10.0**power
    ticks = time_ticks(low, high, length)
    _assert_apart(ticks, low, high, length)
    assert 40.0 * (len(ticks) - 1) <= length  # spaces between ticks, not ticks


def _days(start: str, end: str) -> tuple[float, float]:
    low, high = np.array([start, end], "M8[s]").astype(np.int64) / 86_400.0
    return float(low), float(high)


@pytest.mark.parametrize(
    ("start", "end", "labels"),
    [
        ("1949-01-01", "1960-12-01", ["1950", "1955", "1960"]),
        ("1600-01-01", "2020-01-01", ["1600", "1700", "1800", "1900", "2000"]),
        ("2023-11-20", "2024-03-10", ["Dec/2023", "Jan/2024", "Feb", "Mar"]),
        ("2024-02-27", "2024-03-02", ["27/Feb 2024", "28", "29", "1/Mar 2024", "2"]),
        ("2024-02-28T06:00", "2024-02-28T20:00", ["06:00/28 Feb 2024", "12:00", "18:00"]),
    ],
)
def test_calendar_labels(start: str, end: str, labels: list[str]) -> None:
    ticks = time_ticks(*_days(start, end), 230.0)
    assert [f"{t.label}/{t.context}".removesuffix("/") for t in ticks] == labels


def test_years_are_written_without_a_comma_and_large_numbers_with_one() -> None:
    assert [t.label for t in number_ticks(1949.0, 1961.0, 300.0)] == ["1950", "1955", "1960"]
    assert number_label(20_000.0, 10_000.0, 30_000.0) == "20,000"
    assert [number_label(v, 5e8, 2e9) for v in (-5e8, 0.0, 1e9)] == ["−0.5 bn", "0", "1.0 bn"]


@pytest.mark.parametrize("upright", [False, True])
def test_small_panels_have_more_than_one_tick(*, upright: bool) -> None:
    for half in (0.31, 1.9, 2.4, 3.1, 4.4):
        ticks = number_ticks(-half, half, 130.0, upright=upright)
        assert len(ticks) > 1
        places = [tick.position for tick in ticks]
        room = 130.0 * (places[1] - places[0]) / (2.0 * half)
        assert room > (TICK_SIZE if upright else max(text_width(tick.label, TICK_SIZE) for tick in ticks))


@given(st.floats(1e-6, 1e9), st.floats(1.02, 1e9), st.floats(100.0, 400.0))
@example(101.0, 1334.0, 100.0)
def test_ticks_of_ratios_stand_apart_and_are_told_apart(low: float, ratio: float, length: float) -> None:
    high = low * ratio
    ticks = ratio_ticks(low, high, length)
    places = [math.log(tick.position / low) / math.log(ratio) * length for tick in ticks]
    assert all(b - a >= TICK_SIZE for a, b in itertools.pairwise(places))
    assert all(-1e-3 * length <= place <= length * 1.001 for place in places)
    assert len({tick.label for tick in ticks}) == len(ticks)


@pytest.mark.parametrize("low", [0.031, 1.0, 1.7, 4.1, 90.0])
@pytest.mark.parametrize("ratio", [1.05, 1.3, 2.0, 2.8, 5.0, 9.5, 12.0, 90.0, 1e5])
def test_ticks_of_ratios_are_at_least_three(low: float, ratio: float) -> None:
    assert all(len(ratio_ticks(low, low * ratio, length)) >= 3 for length in (135.0, 168.0, 186.0))


def test_names_that_would_touch_are_left_out_evenly() -> None:
    months = tuple(Tick(float(i), "MMM") for i in range(12))
    assert len(fitting(months, 60.0)) == 12
    assert [tick.position for tick in fitting(months, 15.0)] == [0.0, 3.0, 6.0, 9.0]
