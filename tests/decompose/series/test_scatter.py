"""Whether values scatter as far throughout."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.records.function import FunctionDraws
from autostatistician.decompose.series.scatter import scatter_change, steadiness

Array = NDArray[np.float64]

N = 200


def draws(errors: Array, sds: Array) -> FunctionDraws:
    x = np.arange(float(N))
    return FunctionDraws(x, np.zeros((50, N)), np.tile(sds, (50, 1)), errors, errors)


def test_a_scatter_four_times_as_large_is_found_where_it_begins() -> None:
    sds = np.where(np.arange(N) < 110, 2.0, 8.0)
    errors = sds * np.random.default_rng(3).normal(size=N)
    change = scatter_change(draws(errors, sds), errors)
    assert change is not None
    assert change.at == pytest.approx(110.0, abs=8.0)
    assert np.exp(change.witness.low) < 4.0 < np.exp(change.witness.high)
    assert change.witness.agrees
    assert steadiness(errors) < 1e-6


@pytest.mark.parametrize(("before", "growing", "few"), [(1.0, False, True), (4.0, True, False)])
def test_where_a_scatter_changes_is_known_closely_only_where_it_does_so_at_once(
    before: float, growing: bool, few: bool
) -> None:
    rng, rows = np.random.default_rng(6), np.arange(N)
    for _ in range(10):
        sds = np.interp(rows, [60.0, 140.0], [before, 8.0]) if growing else np.where(rows < 110, before, 8.0)
        errors = sds * rng.normal(size=N)
        change = scatter_change(draws(errors, sds), errors)
        if change is not None:
            assert change.span is not None
            first, last, count = change.span
            assert first <= change.at <= last
            assert (count <= 8) is few
            assert growing or first <= 110.0 <= last


def test_models_of_one_noise_do_not_agree_with_it() -> None:
    errors = np.where(np.arange(N) < 110, 2.0, 8.0) * np.random.default_rng(3).normal(size=N)
    change = scatter_change(draws(errors, np.ones(N)), errors)
    assert change is not None
    assert not change.witness.agrees


@pytest.mark.parametrize("tails", [None, 3.0])
def test_noise_of_one_size_is_hardly_ever_two(tails: float | None) -> None:
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(60):
        errors = rng.normal(size=N) if tails is None else rng.standard_t(tails, size=N)
        found += scatter_change(draws(errors, np.ones(N)), errors) is not None
    assert found <= 3


def test_noise_that_differs_by_the_phase_of_a_cycle_is_not_steady_and_even_noise_hardly_ever_fails() -> None:
    rng, months = np.random.default_rng(5), 1990.0 + np.arange(120) / 12.0
    sizes = np.where(np.arange(120) % 12 < 4, 4.0, 1.0)  # scatter in winter
    assert steadiness(sizes * rng.normal(size=120), months, (1.0,), 1.0 / 12.0) < 0.01
    fails = [steadiness(rng.normal(size=120), months, (1.0,), 1.0 / 12.0) < 0.05 for _ in range(200)]
    assert np.mean(fails) < 0.08
