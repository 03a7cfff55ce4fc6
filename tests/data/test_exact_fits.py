"""Exact linear relations: found up to rounding, not where a trend alone is shared."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.exact_fits import exact_fit, fewest_columns

RNG = np.random.default_rng(7)
T = np.arange(60.0)
A, B = RNG.gamma(4.0, size=60) * 10, RNG.gamma(4.0, size=60) * 7


def test_coefficients_are_those_of_the_relation() -> None:
    fit = exact_fit(5.0 - 2.5 * A + 0.25 * B, np.column_stack([A, B]))
    assert fit is not None
    np.testing.assert_allclose([*fit.slopes, fit.constant], [-2.5, 0.25, 5.0], rtol=1e-9)


def test_whole_coefficients_come_back_through_rounding() -> None:
    fit = exact_fit(np.round(A + B), np.column_stack([np.round(A), np.round(B)]))
    assert fit is not None
    assert [*fit.slopes, fit.constant] == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("noise", [0.03, 0.1])
def test_a_strong_effect_with_noise_is_not_exact(noise: float) -> None:
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = np.round(rng.normal(size=40) * 20)
        y = np.round(2 * x + rng.normal(size=40) * 40 * noise)
        assert exact_fit(y, x[:, None]) is None


def test_a_shared_trend_is_not_enough() -> None:
    first, second = 5 * T + RNG.normal(size=60) * 0.1, 3 * T + RNG.normal(size=60) * 0.1
    assert np.corrcoef(first, second)[0, 1] > 0.99999
    assert exact_fit(first, second[:, None]) is None
    assert exact_fit(2 * T, T[:, None]) is None
    assert exact_fit(2 * T, T[:, None], steady=True) is not None


def test_rows_with_holes_are_left_out_and_few_rows_say_nothing() -> None:
    holes = A.copy()
    holes[::4] = np.nan
    assert exact_fit(3 * A, holes[:, None]) is not None
    assert exact_fit(3 * A[:10], A[:10, None]) is None
    assert exact_fit(3 * A, np.full((60, 1), np.nan)) is None
    assert exact_fit(3 * A, np.ones((60, 1))) is None
    assert exact_fit(np.ones(60), A[:, None]) is None


def test_columns_that_can_be_spared_are_left_out() -> None:
    X = np.column_stack([T, A, RNG.normal(size=60), B, RNG.normal(size=60)])
    places, fit = fewest_columns(A - B, X) or ([], None)
    assert places == [1, 3]
    assert fit is not None
    np.testing.assert_allclose(fit.slopes, [1.0, -1.0])
    assert fewest_columns(A + RNG.normal(size=60), X) is None


def test_of_more_columns_than_rows_allow_the_likeliest_are_tried() -> None:
    X = np.column_stack([*RNG.normal(size=(30, 60)), A, B])
    places, _ = fewest_columns(A + B, X) or ([], None)
    assert places == [30, 31]
