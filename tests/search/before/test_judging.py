"""Rows judged by models of all others: errors in standard deviations, steps, and what comes back in other cycles."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.search.before.judging import Judged, _recurring, judged

X = np.arange(48.0)
NOISE = np.random.default_rng(11).normal(size=48)
CHANCE = 0.03 / 48


def _judged(y: np.ndarray) -> Judged:
    return judged(from_arrays(X, y), CHANCE)


def test_errors_of_noise_are_standard_normal_and_none_is_out() -> None:
    found = _judged(3.0 * NOISE)
    assert not found.out.any()
    assert found.gain == 0.0
    assert np.std(found.errors) == pytest.approx(1.0, abs=0.1)
    # the densities are of the values: those of normal noise with their deviation
    assert found.density.mean() == pytest.approx(-0.5 * np.log(2.0 * np.pi) - 0.5 - np.log(3.0 * NOISE.std()), abs=0.1)


def test_a_value_far_off_is_judged_by_all_others() -> None:
    y = 10.0 + NOISE
    y[20] += 15.0
    found = _judged(y)
    assert np.flatnonzero(found.out).tolist() == [20]
    assert not found.steps[20]
    assert not found.recurring[20]
    assert found.expected[20] == pytest.approx(10.0, abs=1.0)
    assert found.errors[20] == pytest.approx(15.0 / NOISE.std(), rel=0.2)
    assert found.gain > 10.0


def test_units_change_the_expected_values_and_densities_alone() -> None:
    y = 10.0 + NOISE
    y[20] += 15.0
    one, other = _judged(y), _judged(1000.0 * y)
    np.testing.assert_allclose(other.errors, one.errors, atol=1e-3)
    np.testing.assert_allclose(other.expected, 1000.0 * one.expected, rtol=1e-4)
    np.testing.assert_allclose(other.density, one.density - np.log(1000.0), atol=1e-3)


def test_what_comes_back_in_other_cycles_is_marked() -> None:
    errors, out = 0.3 * NOISE, X == 29
    errors[29] = 9.0
    alone = _recurring(X, errors, out, (12.0,))
    errors[[5, 17, 41]] = 4.0
    assert np.flatnonzero(_recurring(X, errors, out, (12.0,))).tolist() == [29]
    assert not alone.any()
    assert not _recurring(X, errors, out, (10.0,)).any()
    assert not _recurring(X, -errors * np.where(X == 29, -1.0, 1.0), out, (12.0,)).any()  # to the other side


def test_a_step_is_no_outlier() -> None:
    assert not _judged(NOISE + 8.0 * (X > 30.0)).out.any()


@pytest.mark.parametrize("seed", range(4))
def test_three_rows_off_at_the_end_are_out_together_and_four_are_a_change(seed: int) -> None:
    y = 100.0 + np.random.default_rng(seed).normal(0.0, 5.0, 36)
    three, four = y.copy(), y.copy()
    three[-3:] -= 60.0
    four[-4:] -= 60.0
    x = np.arange(36.0)
    assert judged(from_arrays(x, three), 1e-3).out[-3:].all()
    assert not judged(from_arrays(x, four), 1e-3).out[-3:].all()


def test_the_start_of_a_slope_is_no_level_at_the_end() -> None:
    y = 100.0 + np.random.default_rng(1).normal(0.0, 5.0, 36)
    y[-3:] += [40.0, 80.0, 120.0]
    assert not judged(from_arrays(np.arange(36.0), y), 1e-3).out[-3:].all()
