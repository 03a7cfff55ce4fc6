"""Sums of exponential terms: what they are at lags, and in how many columns they are written."""

from __future__ import annotations

import numpy as np

from autostatistician.language.exponentials import NO_TERMS, Exponentials, joined

LINE = Exponentials.of([[1.0, -0.5]], [0.3], real=True)
TURNING = Exponentials.of([1.0 + 0.5j, 0.7], [0.2 + 3.0j, 1.0j], real=False)
LAGS = np.array([0.5, 2.0])


def test_a_sum_is_that_of_the_values() -> None:
    np.testing.assert_allclose(LINE.at(LAGS), (1.0 - 0.5 * LAGS) * np.exp(-0.3 * LAGS))
    first = np.exp(-0.2 * LAGS) * (np.cos(3.0 * LAGS) + 0.5 * np.sin(3.0 * LAGS))
    np.testing.assert_allclose(TURNING.at(LAGS), first + 0.7 * np.cos(LAGS))
    np.testing.assert_allclose(joined([LINE, TURNING]).at(LAGS), LINE.at(LAGS) + TURNING.at(LAGS))


def test_frequencies_and_powers_take_columns() -> None:
    assert [one.columns for one in (LINE, TURNING, NO_TERMS, joined([LINE, TURNING]))] == [2, 4, 0, 6]
