"""Stretches of data far off all the rest."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.records.function import FunctionDraws
from autostatistician.decompose.series.function import function_course
from autostatistician.decompose.series.spells import spells

Array = NDArray[np.float64]

WEEKS = np.arange(156) / 52.0
YEAR = 10.0 * np.cos(2.0 * np.pi * WEEKS)
OUTAGE = np.zeros(156)
OUTAGE[92:96] = [-38.0, -12.0, -20.0, -36.0]


def as_it_is(values: Array, _out: NDArray[np.bool_]) -> Array:
    return values


@pytest.mark.parametrize("seed", range(3))
def test_what_fades_slowly_is_a_stretch_from_where_it_begins(seed: int) -> None:
    noise = np.random.default_rng(seed).normal(0.0, 9.0, size=600)
    noise[300:340] += 50.0 * np.exp(-np.arange(40) / 12.0)
    (spell,) = spells(noise, as_it_is)
    assert 299 <= spell.first <= 301
    assert 308 <= spell.stop <= 340
    assert spell.size > 25.0
    assert spell.chance < 1e-5


@pytest.mark.parametrize("seed", range(4))
def test_noise_a_walk_and_what_comes_back_have_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=400)
    again = noise + 8.0 * (np.arange(400) % 100 < 6)
    for values in (noise, rng.standard_t(4, size=400), np.cumsum(noise), again, np.zeros(400), noise[:30]):
        assert spells(values, as_it_is) == ()


def test_a_level_that_lasts_and_the_end_of_the_data_are_none() -> None:
    noise = np.random.default_rng(5).normal(size=200)
    assert spells(noise + 9.0 * (np.arange(200) >= 100), as_it_is) == ()
    assert spells(noise + 9.0 * (np.arange(200) >= 195), as_it_is) == ()


def seen(values: Array, curve: Array) -> FunctionDraws:
    rng = np.random.default_rng(3)
    curves = curve + rng.normal(0.0, 0.5, size=(100, 1))
    return FunctionDraws(WEEKS, curves, np.full(curves.shape, 2.0), values, values - curve)


def test_an_outage_of_one_autumn_is_told_and_is_no_part_of_the_year_nor_of_the_course() -> None:
    noise = np.random.default_rng(1).normal(0.0, 2.0, size=156)
    curve = 90.0 + YEAR + OUTAGE
    course = function_course(seen(curve + noise, curve), [(1.0, 1.0)], (1.0,), 1 / 52, lambda values: values)
    assert course is not None
    (event,) = course.sudden
    assert event.spell is not None
    assert (event.at, event.spell.last, event.until) == tuple(WEEKS[[92, 95, 96]])
    assert event.spell.mean == pytest.approx((curve + noise)[92:96].mean())
    assert event.spell.usual == pytest.approx((90.0 + YEAR)[92:96].mean(), abs=1.5)
    assert event.spell.value == (curve + noise)[92]
    assert event.size.number == pytest.approx(OUTAGE[92:96].mean(), abs=2.0)
    (season,) = course.seasons
    october = int(np.argmin(np.abs(np.array(season.phases) - 40 / 52)))
    assert season.course[october] == pytest.approx(YEAR[40], abs=1.0)  # a third of the outage were -9 more
    assert course.bounds[0] > 85.0


def test_what_no_draw_shows_is_no_event() -> None:
    """Data are one witness, the models the other."""
    noise = np.random.default_rng(1).normal(0.0, 2.0, size=156)
    curve = 90.0 + YEAR
    course = function_course(seen(curve + OUTAGE + noise, curve), [(1.0, 1.0)], (1.0,), 1 / 52, lambda values: values)
    assert course is not None
    assert not any(event.spell for event in course.sudden)


def test_a_rise_that_the_outermost_rows_do_not_show_is_not_claimed() -> None:
    """As of a level that went up and came back, within the last year."""
    noise = np.random.default_rng(2).normal(0.0, 1.0, size=156)
    bump = 12.0 * np.exp(-0.5 * ((np.arange(156) - 120) / 9.0) ** 2)
    curve = 90.0 + YEAR + bump
    course = function_course(seen(curve + noise, curve), [(1.0, 1.0)], (1.0,), 1 / 52, lambda values: values)
    assert course is not None
    assert not (course.rise_witness.agrees and course.rise.number > 3.0)
