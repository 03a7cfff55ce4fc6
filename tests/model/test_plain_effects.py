"""Plain regressions of differences."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.model.plain_effects import plain_effects, season_in_steps

RNG = np.random.default_rng(5)
X = np.arange(200.0)
FLAG = (RNG.random(200) < 0.3).astype(float)


def test_effects_are_found_beside_a_trend() -> None:
    price = RNG.normal(size=200)
    y = 25.0 * FLAG - 6.0 * price + 0.5 * X + RNG.normal(size=200)
    made = plain_effects(X, y, np.column_stack([FLAG, price]), 1.0, 1)
    assert made is not None
    assert made.coefficients == pytest.approx([25.0, -6.0], abs=0.7)
    assert (np.abs(made.coefficients - [25.0, -6.0]) < 3.5 * made.errors).all()


def test_errors_are_those_of_repetitions() -> None:
    estimates, errors = [], []
    for _ in range(200):
        made = plain_effects(X, RNG.normal(size=200), FLAG[:, None], 1.0, 1)
        assert made is not None
        estimates.append(made.coefficients[0])
        errors.append(made.errors[0])
    assert np.mean(errors) == pytest.approx(np.std(estimates), rel=0.2)


def test_seasons_of_few_steps_are_differences_of_seasons() -> None:
    assert season_in_steps((24.0, 168.0), 1.0, 2000) == 24
    assert season_in_steps((12.0,), 1.0, 40) == 1
    assert season_in_steps((365.25,), 7.0, 300) == 1
    y = 25.0 * FLAG + 30.0 * np.sin(2.0 * np.pi * X / 7.0) + 0.1 * RNG.normal(size=200)
    made = plain_effects(X, y, FLAG[:, None], 1.0, 7)
    assert made is not None
    assert made.coefficients[0] == pytest.approx(25.0, abs=0.1)


def test_rows_across_a_gap_are_not_compared() -> None:
    there = (X < 80) | (X > 120)
    y = np.where(X > 100, 1e6, 0.0) + 3.0 * FLAG
    made = plain_effects(X[there], y[there], FLAG[there][:, None], 1.0, 1)
    assert made is not None
    assert made.coefficients[0] == pytest.approx(3.0)


def test_too_few_rows_and_columns_that_never_change_give_none() -> None:
    assert plain_effects(X[:6], X[:6], FLAG[:6, None], 1.0, 1) is None
    assert plain_effects(X, X, np.ones((200, 1)), 1.0, 1) is None
