"""Cycles that are seen a few times only: told where nothing simpler explains the data, and hardly found in chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.data.dataset import from_arrays
from autostatistician.data.times.axes import Axis
from autostatistician.describe.facts import judgement
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.parameters import scales
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf, parameters
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.run import Settings, search
from autostatistician.search.scores.cycles import cycle_penalty
from autostatistician.search.state import SearchResult

Array = NDArray[np.float64]

QUICK = Settings(max_depth=1, restarts=1, n_jobs=1, criterion="bic")
QUICK_TWO = replace(QUICK, max_depth=2)
BY_EVIDENCE = replace(QUICK_TWO, criterion="evidence")  # its first level has the cycles of the calendar alone


def _found(x: Array, y: Array, settings: Settings = QUICK) -> SearchResult:
    return search(from_arrays(x, y), LANGUAGES["extended"], settings)


def _periods(result: SearchResult) -> list[float]:
    kernel = result.best.kernel
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    return [value for one, value in every if one.name == "period"]


def test_a_cycle_of_the_calendar_is_believed() -> None:
    measured = measure(np.arange(24.0)[:, None] / 12.0, np.ones(24), ("x",), (1.0,))
    assert cycle_penalty(leaf("Per", lengthscale=1.0, period=1.0, sd=1.0), measured) == 0.0
    assert cycle_penalty(leaf("Per", lengthscale=1.0, period=0.8, sd=1.0), measured) > 0.0


def test_beside_a_calendar_any_other_cycle_is_one_of_many() -> None:
    months = np.arange(120.0)[:, None] / 12.0
    cycles = [leaf("Per", lengthscale=1.0, period=period, sd=1.0) for period in (1.0, 0.5, 0.25, 2.0, 0.7)]
    with_years, plain = measure(months, np.ones(120), ("x",), (1.0,)), measure(months, np.ones(120), ("x",))
    others = 2.0 * np.log(60.0)
    assert [cycle_penalty(one, with_years) for one in cycles] == pytest.approx([0.0, 0.0, 0.0, others, others])
    assert [cycle_penalty(one, plain) for one in cycles] == [0.0] * 5


def _of_months(y: Array) -> SearchResult:
    axis = Axis("month", "year", "month", 1.0 / 12.0)
    return search(replace(from_arrays(np.arange(len(y)) / 12.0, y), axis=axis), LANGUAGES["extended"], QUICK_TWO)


@pytest.mark.slow
def test_a_yearly_cycle_of_skewed_values_is_told_and_not_one_of_two_years() -> None:
    # A cycle of two years has the higher likelihood here by chance; by least squares the yearly one has p < 0.0001.
    month = np.arange(132)
    rain = np.random.default_rng(404).gamma(2.2, 25.0 + 12.0 * np.cos(2.0 * np.pi * month / 12.0))
    assert _periods(_of_months(np.log(rain))) == [pytest.approx(1.0, abs=0.05)]


def test_search_and_words_ask_for_as_many_cycles() -> None:
    assert judgement.OFTEN == scales.SURE_CYCLES


@pytest.mark.parametrize("settings", [QUICK, BY_EVIDENCE])
def test_a_wave_seen_a_few_times_is_found_and_right_between_the_places(settings: Settings) -> None:
    n, cycles = 40, 2.9
    x = np.arange(float(n))
    y = np.sin(2.0 * np.pi * x * cycles / n) + 0.1 * np.random.default_rng(4000).normal(size=n)
    result = _found(x, y, settings)
    assert _periods(result) == [pytest.approx(n / cycles, rel=0.02)]
    between = x[:-1] + 0.5
    mean, _ = condition(result.best.kernel, Problem.of(from_arrays(x, y))).signal(between[:, None])
    assert np.abs(mean - np.sin(2.0 * np.pi * between * cycles / n)).max() < 0.2


def test_a_pattern_of_the_days_of_a_week_has_the_period_of_a_week() -> None:
    # Monday +25, Friday -15: on five days a week the second harmonic is larger than the first.
    x = np.arange(60.0)
    y = np.where(x % 5 == 0, 25.0, np.where(x % 5 == 4, -15.0, 0.0)) + 4.0 * np.random.default_rng(3).normal(size=60)
    assert _periods(_found(x, y)) == [pytest.approx(5.0, abs=0.02)]


@pytest.mark.parametrize(("seed", "settings"), [*((seed, QUICK) for seed in range(4)), (0, BY_EVIDENCE)])
def test_a_random_walk_is_no_cycle(seed: int, settings: Settings) -> None:
    y = np.cumsum(np.random.default_rng([1, seed]).normal(size=50))
    assert _periods(_found(np.arange(50.0), y, settings)) == []
