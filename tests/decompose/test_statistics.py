"""Statistics of samples: against their formulas written as loops, and p-values against exact ones."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from autostatistician.decompose.statistics import (
    ENOUGH_EXCEEDING,
    MOST_SIMULATIONS,
    SIMULATIONS_AT_A_TIME,
    CourseDiscrepancy,
    SequentialPValue,
    anderson_darling,
    autocorrelation,
    periodogram,
    root_mean_square,
)

Vector = NDArray[np.float64]
SAMPLES = np.random.default_rng(0).standard_normal((3, 48))


def test_anderson_darling_is_its_sum_over_ordered_values() -> None:
    for row, statistic in zip(SAMPLES, anderson_darling(SAMPLES), strict=True):
        levels, n = norm.cdf(np.sort(row)), len(row)
        terms = [(2 * place + 1) * (np.log(levels[place]) + np.log(1.0 - levels[n - 1 - place])) for place in range(n)]
        assert statistic == pytest.approx(-n - sum(terms) / n)


def test_anderson_darling_bears_values_far_out() -> None:
    assert np.isfinite(anderson_darling(np.array([[-60.0, 0.0, 60.0]]))).all()


def test_autocorrelations_are_sums_of_products() -> None:
    for row, correlations in zip(SAMPLES, autocorrelation(SAMPLES), strict=True):
        expected = [float(row[lag:] @ row[:-lag] / (row @ row)) for lag in range(1, 13)]
        np.testing.assert_allclose(correlations, expected, atol=1e-12)


def test_a_wave_is_all_of_the_periodogram_at_its_frequency() -> None:
    wave = np.sin(2.0 * np.pi * 5.0 * np.arange(48.0) / 48.0)
    (powers,) = periodogram(3.0 + wave[None])
    assert int(powers.argmax()) + 1 == 5
    assert powers[4] == pytest.approx(powers.sum())
    assert powers.mean() == pytest.approx(1.0)


def test_nothing_has_no_correlations_and_no_powers() -> None:
    nothing = np.zeros((1, 48))
    assert not autocorrelation(nothing).any()
    assert not periodogram(nothing).any()
    assert root_mean_square(nothing).tolist() == [0.0]


def test_the_distance_of_courses_is_that_of_the_double_loop() -> None:
    values, sd, rng = np.array([0.3, -1.2, 2.0]), np.array([1.0, 0.5, 1.4]), np.random.default_rng(0)
    normal, other = sd[:, None] * rng.standard_normal((2, 3, 200_000))
    width, times, total = np.sqrt(np.mean(sd**2)), np.linspace(0.0, 1.0, 3), 0.0

    def alike(a: Vector, b: Vector) -> float:
        return float(np.exp(-0.5 * ((a - b) / width) ** 2).mean())

    for i in range(3):
        for j in range(3):
            near = np.exp(-0.5 * ((times[i] - times[j]) / 0.15) ** 2)
            found, expected = alike(values[i], values[j]), alike(normal[i], other[j])
            total += near * (found - alike(values[i], normal[j]) - alike(normal[i], values[j]) + expected) / 9.0
    assert CourseDiscrepancy(sd)(values[None])[0] == pytest.approx(total, abs=2e-3)


def test_p_values_need_few_simulations_where_they_are_large_and_all_where_small() -> None:
    values = np.random.default_rng(0).standard_normal(MOST_SIMULATIONS)
    likely, never = SequentialPValue(0.0), SequentialPValue(9.0)
    likely.add(values)
    never.add(values)
    assert likely.done
    assert likely.p == pytest.approx(0.5, abs=0.15)
    assert likely.simulated < 3 * ENOUGH_EXCEEDING
    assert never.done
    assert never.p == 1.0 / (MOST_SIMULATIONS + 1)


def test_the_p_value_does_not_hang_on_how_many_simulations_come_at_a_time() -> None:
    values = np.random.default_rng(1).standard_normal(MOST_SIMULATIONS)
    known = []
    for size in (1, SIMULATIONS_AT_A_TIME, MOST_SIMULATIONS):
        one = SequentialPValue(1.0)
        for start in range(0, MOST_SIMULATIONS, size):
            if not one.done:
                one.add(values[start : start + size])
        known.append((one.p, one.simulated, one.exceeding))
    assert known[0] == known[1] == known[2]
    last = np.flatnonzero(values >= 1.0)[ENOUGH_EXCEEDING - 1]
    assert known[0] == (ENOUGH_EXCEEDING / (last + 1), last + 1, ENOUGH_EXCEEDING)
