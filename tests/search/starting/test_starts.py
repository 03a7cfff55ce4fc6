"""Starting values: complete, inside the bounds, faithful to what is known, and the same for the same seed."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.strategies import kernels

from autostatistician.gp.parameters.bounds import bounds, cycles_of
from autostatistician.gp.parameters.scales import learned_table_priors, measure
from autostatistician.kernels.kernel import Kernel, leaf, parameters, unset
from autostatistician.kernels.text import parse
from autostatistician.search.starting import hints as hints_module
from autostatistician.search.starting.hints import (
    FEWEST_CYCLES,
    MOST_CHANGES,
    MOST_PERIODS,
    OVERSAMPLING,
    ColumnHints,
    Hints,
    distinct_frequencies,
    hints,
)
from autostatistician.search.starting.period_detection import cycles, fold
from autostatistician.search.starting.starts import Context, draws

Array = NDArray[np.float64]
HOURS = np.arange(1500.0)


def _pattern(period: float, harmonics: int, rng: np.random.Generator) -> Array:
    turns = 2.0 * np.pi * np.arange(1, harmonics + 1)[:, None] * (HOURS / period + rng.random((harmonics, 1)))
    wave: Array = (np.cos(turns) / np.sqrt(np.arange(1, harmonics + 1))[:, None]).sum(0)
    return wave / wave.std()


@pytest.mark.slow
@given(st.integers(0, 1000), st.floats(10.0, 40.0))
def test_a_cycle_of_any_shape_is_found_whole(seed: int, period: float) -> None:
    rng = np.random.default_rng(seed)
    found = cycles(HOURS, _pattern(period, 3, rng) + 0.3 * rng.normal(size=1500) + 0.01 * HOURS)
    assert found[0] == pytest.approx(period, rel=0.02)


def test_a_slow_cycle_of_pulses_beside_a_quick_one_is_found_although_its_harmonics_are_stronger() -> None:
    rng = np.random.default_rng(1)
    weekend = 3.0 * (HOURS % 168.0 < 36.0)
    wandering = np.cumsum(rng.normal(size=1500)) * 0.03
    values = np.cos(2.0 * np.pi * HOURS / 24.0) - weekend + wandering + 0.3 * rng.normal(size=1500)
    shuffled = rng.permutation(1500)
    assert sorted(round(one) for one in cycles(HOURS[shuffled], values[shuffled])) == [24, 168]


@pytest.mark.parametrize("seed", range(5))
def test_noise_has_no_cycle(seed: int) -> None:
    assert cycles(HOURS, np.random.default_rng(seed).normal(size=1500)) == ()


def test_where_a_calendar_names_cycles_these_are_looked_at_alone() -> None:
    values = np.sin(2.0 * np.pi * HOURS / 24.0) + np.sin(2.0 * np.pi * HOURS / 100.0)
    assert cycles(HOURS, values, (24.0, 168.0)) == (24.0,)
    assert cycles(HOURS, np.sin(2.0 * np.pi * HOURS / 100.0), (24.0,)) == ()


def test_a_fold_is_the_average_of_its_phases() -> None:
    x, y = np.arange(400.0), np.tile([1.0, 2.0, 3.0, 6.0], 100)
    found = fold(x, y, 4.0)
    within = slice(4, -4)  # windows of a whole period
    assert np.allclose((found.pattern + found.rest)[within], y[within] - 3.0)
    for place in range(4):
        assert np.allclose(found.pattern[place::4], y[place] - 3.0, atol=0.1)
    assert found.gain > 1000.0
    assert fold(x, np.zeros(400), 4.0).gain == 0.0


RNG = np.random.default_rng(0)

POSITIONS: dict[str, Array] = {
    "grid": np.arange(80.0) / 80.0,
    "gaps": np.sort(RNG.choice(100, 80, replace=False)) / 100.0,
    "scattered": np.sort(RNG.uniform(0.0, 1.0, 80)),
    "unsorted": RNG.permutation(80) / 80.0,
}

NOISE = 0.2 * RNG.normal(size=80)


@pytest.mark.parametrize("case", sorted(POSITIONS))
@pytest.mark.parametrize("period", [0.05, 0.12, 0.31, 0.6])
def test_the_strongest_period_comes_first(case: str, period: float) -> None:
    x = POSITIONS[case]
    found = hints(x, np.sin(2.0 * np.pi * x / period) + NOISE, detrend=False)
    assert 0 < len(found.periods) <= MOST_PERIODS
    assert found.periods[0] == pytest.approx(period, rel=0.05)


def test_a_trend_does_not_hide_a_period() -> None:
    x = POSITIONS["grid"]
    found = hints(x, 50.0 * x**2 + np.sin(2.0 * np.pi * x / 0.12) + NOISE, detrend=True)
    assert found.periods[0] == pytest.approx(0.12, rel=0.05)


@pytest.mark.parametrize("kind", ["level", "roughness"])
def test_a_change_is_among_the_places(kind: str) -> None:
    x = POSITIONS["grid"]
    later = x > 0.4
    y = np.where(later, 2.0, 0.0) + NOISE if kind == "level" else np.where(later, 5.0 * NOISE, NOISE)
    found = hints(x, y, detrend=False)
    assert 0 < len(found.changes) <= MOST_CHANGES
    assert min(abs(place - 0.4) for place in found.changes) < 0.05
    assert kind == "roughness" or abs(found.changes[0] - 0.4) < 0.05


def test_sizes() -> None:
    x = np.arange(400.0) / 400.0
    noise = 0.3 * np.random.default_rng(1).normal(size=400)
    found = hints(x, np.sin(3.0 * x) + noise, detrend=True)
    assert found.sd == pytest.approx(0.3, rel=0.15)
    assert found.roughness == pytest.approx(0.3, rel=0.15)


@pytest.mark.parametrize("n", [3, 4, 5, 8, 9, 19])
@pytest.mark.parametrize("detrend", [True, False])
def test_few_data_suggest_nothing_wrong(n: int, detrend: bool) -> None:
    found = hints(np.arange(float(n)) / n, np.random.default_rng(7).normal(size=n), detrend=detrend)
    assert all(0.0 < period <= 1.0 for period in found.periods)
    assert found.changes == ()
    assert np.isfinite([found.sd, found.roughness]).all()


@pytest.mark.parametrize("y", [np.zeros(30), np.full(30, 3.0)])
def test_constant_data_suggest_no_period(y: Array) -> None:
    found = hints(np.arange(30.0) / 30.0, y, detrend=False)
    assert found.periods == ()
    assert found.sd == 0.0


def test_one_place_suggests_nothing() -> None:
    found = hints(np.zeros(30), np.random.default_rng(7).normal(size=30), detrend=False)
    assert found.periods == ()


def test_the_order_of_rows_does_not_matter() -> None:
    x, y = POSITIONS["grid"], np.sin(40.0 * POSITIONS["grid"]) + NOISE
    order = np.random.default_rng(7).permutation(80)
    assert hints(x[order], y[order], detrend=True) == hints(x, y, detrend=True)


@pytest.mark.parametrize("places", [1, 2, 3])
def test_many_values_at_few_places_raise_no_warning(places: int) -> None:
    x = np.repeat(np.arange(float(places)), 12)
    found = hints(x, x + np.random.default_rng(7).normal(size=x.size), detrend=True)
    assert 0.5 < found.sd < 1.5


def test_so_many_frequencies_differ_along_a_column() -> None:
    scattered = POSITIONS["scattered"]
    assert distinct_frequencies(POSITIONS["unsorted"]) == pytest.approx(39.5 - FEWEST_CYCLES)  # half of a grid's steps
    assert distinct_frequencies(10.0 * scattered + 3.0) == pytest.approx(distinct_frequencies(scattered))
    assert distinct_frequencies(scattered, 20) == pytest.approx(20 / OVERSAMPLING - FEWEST_CYCLES)
    assert distinct_frequencies(np.repeat([0.0, 1.0, 2.0, 3.0], 20)) == 0.0
    assert distinct_frequencies(np.ones(80)) == 0.0


@pytest.mark.parametrize("kept", [1500, 900])
def test_the_quick_periodogram_of_many_rows_is_that_of_the_definition(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    rows = np.sort(rng.choice(1500, kept, replace=False))
    x = rows / 1499.0
    y = np.sin(2.0 * np.pi * rows / 24.0) + 0.5 * np.cos(2.0 * np.pi * rows / 168.0) + rng.standard_normal(kept)
    slow = hints(x, y, detrend=True).periods
    monkeypatch.setattr(hints_module, "MOST_WAVES", 0)
    quick = hints(x, y, detrend=True).periods
    assert 1499.0 * quick[0] == pytest.approx(24.0, rel=2e-3)
    assert min(abs(1499.0 * one - 168.0) for one in quick) < 2.0
    assert quick[0] == pytest.approx(slow[0], rel=1e-4)


def test_the_quick_periodogram_ends_at_the_nyquist_frequency(monkeypatch: pytest.MonkeyPatch) -> None:
    # at these steps the last frequency lies beyond it by rounding
    monkeypatch.setattr(hints_module, "MOST_WAVES", 0)
    for step in (0.7, 0.1):
        rows = np.arange(29.0 if step == 0.7 else 62.0)
        found = hints(step * rows, np.cos(2.0 * np.pi * rows / 5.0), detrend=False).periods
        assert found[0] == pytest.approx(5.0 * step, rel=0.05)


X = np.arange(60.0)[:, None] / 59.0
Y = np.sin(2.0 * np.pi * X[:, 0] / 0.2) + 0.1 * np.random.default_rng(0).normal(size=60)
SCALES = measure(X, Y, ("x",))
DATA = ColumnHints({"x": hints(X[:, 0], Y, detrend=True)})
CONTEXT = Context(SCALES, DATA, DATA)


def _rng() -> np.random.Generator:
    return np.random.default_rng(5)


@given(kernels(max_leaves=6, open_numbers=True))
def test_starts_are_complete_and_inside_the_bounds(kernel: Kernel) -> None:
    found = draws(kernel, CONTEXT, _rng(), 6)
    assert len(found) == 6
    for start in found:
        assert start.expr == kernel.expr
        for parameter, known, value in zip(parameters(kernel.expr), kernel.values, start.values, strict=True):
            low, high = bounds(parameter, SCALES)
            if low == high:  # held by its row
                assert value == (low if isnan(known) else known)
                continue
            assert low <= value <= high or (parameter.node == parse("Lin") and parameter.name == "sd" and value > 0.0)


@given(kernels(max_leaves=6, open_numbers=True))
def test_gentle_starts_keep_what_is_known(kernel: Kernel) -> None:
    gentle, bold = draws(kernel, CONTEXT, _rng(), 2)
    every = zip(parameters(kernel.expr), kernel.values, gentle.values, bold.values, strict=True)
    shapes = {index for index, _ in cycles_of(kernel.expr)}
    for index, (parameter, known, kept, jittered) in enumerate(every):
        low, high = bounds(parameter, SCALES)
        if index in shapes and isnan(kernel.values[index + 1]):  # a period that is drawn may ask for a rounder wave
            assert isnan(known) or kept >= min(max(known, low), high)
        elif not isnan(known):
            assert kept == (known if low == high else min(max(known, low), high))
            if parameter.role.positive and low < known < high:
                assert 0.5 * known < jittered < 2.0 * known


def test_draws_differ_from_each_other_and_repeat_with_the_seed() -> None:
    kernel = unset(parse("SE * Per + CW(Lin, WN) + RQ"))
    first, again = (draws(kernel, CONTEXT, _rng(), 20) for _ in range(2))
    assert first == again
    assert len(set(first)) == 20


def test_periods_are_drawn_near_those_of_the_data() -> None:
    starts = draws(leaf("Per"), CONTEXT, _rng(), 40)
    near = [start for start in starts if start.named()["period"] == pytest.approx(0.2, rel=0.1)]
    assert len(near) >= 10


def test_columns_have_their_own_suggestions() -> None:
    plane = np.column_stack([X[:, 0], X[::-1, 0]])
    suggested = ColumnHints({"a": Hints((0.1,), (), 1.0, 1.0), "b": Hints((0.2,), (), 1.0, 1.0)})
    context = Context(measure(plane, Y, ("a", "b")), suggested, suggested)
    found = {name: [k.named()["period"] for k in draws(leaf("Per", name), context, _rng(), 40)] for name in ("a", "b")}
    assert np.median(found["a"]) == pytest.approx(0.1, rel=0.2)
    assert np.median(found["b"]) == pytest.approx(0.2, rel=0.2)


def test_of_an_open_cycle_of_a_table_the_first_start_has_the_period_of_its_own_column() -> None:
    several = np.column_stack([np.random.default_rng(1).permutation(X[:, 0]), X[:, 0]])
    scales = measure(several, Y, ("a", "b"), priors=learned_table_priors())
    found = ColumnHints({name: hints(several[:, i], Y, detrend=True) for i, name in enumerate("ab")})
    start, *_ = draws(unset(parse("SE[a] * Per[b] + WN")), Context(scales, found, found), _rng(), 1)
    period = next(
        value for one, value in zip(parameters(start.expr), start.values, strict=True) if one.name == "period"
    )
    assert period == pytest.approx(0.2, rel=0.05)
