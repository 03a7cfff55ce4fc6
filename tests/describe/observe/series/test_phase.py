"""Months, weekdays and hours of highs and lows are those of the means of the data, level ones together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.factory import DAILY, DAYS, HOURLY, MONTHLY, MONTHS, component, decomposition

from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.part import CyclePhase
from autostatistician.describe.observe.series.parts import component_facts
from autostatistician.describe.tell import sentences
from autostatistician.describe.words.nouns import find
from autostatistician.language.kernel import leaf

LEVELS = np.array([1.0, 0.0, 2.0, 4.0, 6.0, 7.0, 10.0, 9.0, 6.0, 4.0, 3.0, 2.0])  # January, ..., highest in July
NOISE = np.random.default_rng(3).normal(size=MONTHS.size)
LINE = leaf("Lin", sd=9.0, location=1900.0)


def _cycle(period: float) -> object:
    return leaf("Per", lengthscale=1.0, period=period, sd=10.0)


def _model(x: np.ndarray, axis: Axis, period: float, told: np.ndarray, y: np.ndarray) -> Decomposition:
    """A cycle as the model tells it, and the data."""
    return decomposition((component(_cycle(period), x, told),), x, y, axis)  # type: ignore[arg-type]


def _phase(found: Decomposition, part: int = 0) -> CyclePhase | None:
    return find(component_facts(found.components[part], found), CyclePhase)


def test_the_data_decide_and_not_the_curve_of_the_part() -> None:
    seen = np.tile(LEVELS, 12)
    late = 5.0 * np.cos(2.0 * np.pi * (MONTHS - 7.0 / 12.0))  # a wave that is highest in August
    phase = _phase(_model(MONTHS, MONTHLY, 1.0, late, seen + 0.3 * NOISE))
    assert phase is not None
    assert (phase.high, phase.low) == ((7,), (2,))


def test_months_that_are_level_are_told_together() -> None:
    level = np.where(LEVELS == 9.0, 10.0, LEVELS)
    found = _model(MONTHS, MONTHLY, 1.0, np.tile(LEVELS, 12), np.tile(level, 12) + 0.3 * NOISE)
    assert "most in July and August and least in February" in sentences(found)[0]


def test_a_trend_is_taken_off_before() -> None:
    trend = 60.0 * (MONTHS - 1949.0)  # within a year it rises by more than the cycle swings
    told = np.tile(LEVELS, 12)
    parts = (component(_cycle(1.0), MONTHS, told), component(LINE, MONTHS, trend))  # type: ignore[arg-type]
    phase = _phase(decomposition(parts, MONTHS, told + trend + 0.3 * NOISE, MONTHLY))
    assert phase is not None
    assert (phase.high, phase.low) == ((7,), (2,))


def test_swings_that_grow_do_not_blur_the_month() -> None:
    growing = np.tile(LEVELS, 12) * np.linspace(1.0, 9.0, MONTHS.size)
    phase = _phase(_model(MONTHS, MONTHLY, 1.0, growing, growing + 0.5 * NOISE))
    assert phase is not None
    assert phase.high == (7,)


@pytest.mark.parametrize(("axis", "period", "size"), [(DAILY, 7.0, 7), (HOURLY, 24.0, 24)])
def test_weekdays_and_hours(axis: Axis, period: float, size: int) -> None:
    wave = 10.0 * np.cos(2.0 * np.pi * (DAYS - 3.0) / period)
    phase = _phase(_model(DAYS, axis, period, wave, wave))
    assert phase is not None
    assert phase.high == (3,)
    assert len(phase.low) <= 2
    assert set(phase.low) <= {(3 + size // 2) % size, (4 + size // 2) % size}


def test_noise_has_no_month() -> None:
    strong = np.tile(LEVELS, 12)
    assert _phase(_model(MONTHS, MONTHLY, 1.0, strong, 3.0 * NOISE)) is None


def test_a_day_that_is_never_seen_is_neither() -> None:
    x = DAYS[(DAYS % 7) < 6]
    wave = -10.0 * ((x % 7) == 0)
    phase = _phase(_model(x, DAILY, 7.0, wave, wave + 0.01 * np.sin(x)))
    assert phase is not None
    assert phase.low == (0,)
    assert 6 not in phase.high


def test_other_parts_that_are_as_fast_stay_in_the_data() -> None:
    half = 2.0 * np.cos(4.0 * np.pi * (MONTHS - 6.0 / 12.0))
    told = 5.0 * np.cos(2.0 * np.pi * (MONTHS - 7.0 / 12.0))
    parts = (component(_cycle(1.0), MONTHS, told), component(_cycle(0.5), MONTHS, half))  # type: ignore[arg-type]
    seen = np.tile(LEVELS, 12) + 0.3 * NOISE
    phase = _phase(replace(decomposition(parts, MONTHS, seen, MONTHLY), name=factory.airline().name))
    assert phase is not None
    assert phase.high == (7,)


def test_up_to_five_level_months_are_told_together() -> None:
    broad = np.where(LEVELS >= 6.0, 9.0, LEVELS)  # May to September
    phase = _phase(_model(MONTHS, MONTHLY, 1.0, np.tile(LEVELS, 12), np.tile(broad, 12) + 0.3 * NOISE))
    assert phase is not None
    assert phase.high == (5, 6, 7, 8, 9)
