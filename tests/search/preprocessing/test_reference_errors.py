"""Rows judged by models of all others: errors in standard deviations, steps, and what comes back in other cycles."""

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.data.dataset import from_arrays
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.text import parse
from autostatistician.search.preprocessing.events import together
from autostatistician.search.preprocessing.reference_errors import (
    ReferenceErrors,
    reference_errors,
    references,
)
from autostatistician.search.starting.standardisation import standard

DAYS = np.arange(120.0)
SPREAD = np.random.default_rng(4).normal(size=120)
NONE: list[int] = []


def at(*rows: int) -> NDArray[np.bool_]:
    return np.isin(DAYS, rows)


@pytest.mark.parametrize("out", [(40,), (53,), (40, 53), (41, 47)])
def test_a_run_that_lies_off_together_is_found_from_any_of_its_rows(out: tuple[int, ...]) -> None:
    expected = 300.0 + np.tile([30.0, 20.0, 10.0, 15.0, 40.0, -50.0, -65.0], 18)[:120]
    y = np.where((DAYS >= 40.0) & (DAYS < 54.0), 40.0, expected) + 8.0 * SPREAD
    assert np.flatnonzero(together(y, at(*out))).tolist() == list(range(40, 54))


@pytest.mark.parametrize(
    "curve", [0.0 * DAYS, 0.5 * DAYS, 8.0 * np.sin(DAYS / 4.0), 10.0 * (DAYS % 12.0 == 11.0), 9.0 * (DAYS > 90.0)]
)
@pytest.mark.parametrize("row", [30, 50, 63])
def test_single_values_belong_to_nothing(curve: NDArray[np.float64], row: int) -> None:
    for sign in (1.0, -1.0):
        y = curve + SPREAD + 9.0 * sign * at(row)
        assert not together(y, at(row)).any()


ROWS = np.arange(80.0)
ERRORS = np.random.default_rng(3).normal(size=80)


def _expressions(y: np.ndarray) -> set[Expr]:
    _, problem, scales = standard(from_arrays(ROWS, y))
    return {kernel.expr for kernel in references(problem.X[:, 0], problem.y, scales)}


def test_noise_has_smooth_and_quick_changes_and_noise_that_grows() -> None:
    found = _expressions(ERRORS)
    assert {parse(text) for text in ("C + SE + WN", "C + SE + RQ + WN", "C + SE + WN * Lin")} <= found
    assert parse("C + SE + CP(WN, WN)") not in found


def test_cycles_and_sizes_of_noise_that_change_are_among_them() -> None:
    assert parse("C + SE + SE * Per + WN") in _expressions(5.0 * np.sin(2.0 * np.pi * ROWS / 10.0) + ERRORS)
    assert parse("C + SE + CP(WN, WN)") in _expressions(np.where(ROWS < 40.0, 1.0, 9.0) * ERRORS)


X = np.arange(48.0)
NOISE = np.random.default_rng(11).normal(size=48)
CHANCE = 0.03 / 48

NO_ROWS = np.zeros(100, dtype=bool)  # rows that are apart


def _reference_errors(y: np.ndarray) -> ReferenceErrors:
    return reference_errors(from_arrays(X, y), CHANCE, NO_ROWS[: len(y)])


def test_errors_of_noise_are_standard_normal_and_none_is_out() -> None:
    found = _reference_errors(3.0 * NOISE)
    assert not found.out.any()
    assert found.gain == 0.0
    assert np.std(found.errors) == pytest.approx(1.0, abs=0.1)
    # the densities are of the values: those of normal noise with their deviation
    assert found.density.mean() == pytest.approx(-0.5 * np.log(2.0 * np.pi) - 0.5 - np.log(3.0 * NOISE.std()), abs=0.1)


FAR_OFF = 10.0 + NOISE + 15.0 * (X == 20)


def test_a_value_far_off_is_judged_by_all_others() -> None:
    found = _reference_errors(FAR_OFF)
    assert np.flatnonzero(found.out).tolist() == [20]
    assert not found.steps[20]
    assert found.expected[20] == pytest.approx(10.0, abs=1.0)
    assert found.errors[20] == pytest.approx(15.0 / NOISE.std(), rel=0.2)
    assert found.gain > 10.0


def test_units_change_the_expected_values_and_densities_alone() -> None:
    one, other = _reference_errors(FAR_OFF), _reference_errors(1000.0 * FAR_OFF)
    np.testing.assert_allclose(other.errors, one.errors, atol=1e-3)
    np.testing.assert_allclose(other.expected, 1000.0 * one.expected, rtol=1e-4)
    np.testing.assert_allclose(other.density, one.density - np.log(1000.0), atol=1e-3)


def test_a_step_is_no_outlier() -> None:
    assert not _reference_errors(NOISE + 8.0 * (X > 30.0)).out.any()


@pytest.mark.parametrize("seed", range(4))
def test_three_rows_off_at_the_end_are_out_together_and_four_are_a_change(seed: int) -> None:
    y = 100.0 + np.random.default_rng(seed).normal(0.0, 5.0, 36)
    three, four = y.copy(), y.copy()
    three[-3:] -= 60.0
    four[-4:] -= 60.0
    x = np.arange(36.0)
    assert reference_errors(from_arrays(x, three), 1e-3, NO_ROWS[: len(x)]).out[-3:].all()
    assert not reference_errors(from_arrays(x, four), 1e-3, NO_ROWS[: len(x)]).out[-3:].all()


def test_the_start_of_a_slope_is_no_level_at_the_end() -> None:
    y = 100.0 + np.random.default_rng(1).normal(0.0, 5.0, 36)
    y[-3:] += [40.0, 80.0, 120.0]
    assert not reference_errors(from_arrays(np.arange(36.0), y), 1e-3, NO_ROWS[:36]).out[-3:].all()
