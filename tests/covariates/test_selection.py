from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import multivariate_t, norm

from autostatistician.covariates.effects import Effect
from autostatistician.covariates.selection import FREEDOM, MOST_IN_PRIOR, SIZES, Candidates, selected

Array = NDArray[np.float64]


def _unit(name: str, *places: int) -> Candidates:
    return Candidates(name, ((Effect(name),),), (np.array(places),), (np.ones(len(places)),), (1.0,))


def _exact(X: Array, y: Array, units: list[tuple[int, ...]]) -> Array:
    """Probabilities that each unit acts, by adding up all sets and sizes with their marginal likelihoods."""
    logs, states = [], []
    for sizes in product((0.0, *SIZES), repeat=len(units)):
        variances = np.zeros(X.shape[1])
        prior = 0.0
        for places, size in zip(units, sizes, strict=True):
            variances[list(places)] = size**2
            prior += np.log(MOST_IN_PRIOR / len(SIZES)) if size else np.log1p(-MOST_IN_PRIOR)
        shape = np.eye(len(y)) + X @ np.diag(variances) @ X.T
        logs.append(prior + multivariate_t(np.zeros(len(y)), shape, df=FREEDOM).logpdf(y))
        states.append([size > 0.0 for size in sizes])
    weights = np.exp(np.array(logs) - logsumexp(logs))
    return np.asarray(weights @ np.array(states))


def test_probabilities_are_those_of_all_sets_added_up() -> None:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 4))
    X[:, 1] = 0.8 * X[:, 0] + 0.6 * X[:, 1]
    y = 0.45 * X[:, 0] + rng.standard_normal(40)
    units = [(0,), (1,), (2, 3)]
    draws = selected([_unit(str(k), *places) for k, places in enumerate(units)], X, y, rng)
    assert [draws.acts(k) for k in range(3)] == pytest.approx(_exact(X, y, units).tolist(), abs=0.08)


def test_coefficients_are_those_of_ridge_regression_where_all_act() -> None:
    rng = np.random.default_rng(4)
    X = rng.standard_normal((300, 2))
    y = X @ np.array([1.5, -0.7]) + rng.standard_normal(300)
    draws = selected([_unit("a", 0), _unit("b", 1)], X, y, rng)
    ordinary = np.linalg.lstsq(X, y, rcond=None)[0]
    errors = np.sqrt(np.linalg.inv(X.T @ X).diagonal())
    assert np.abs(draws.coefficients.mean(axis=0) - ordinary).max() < 0.4 * errors.max()
    assert draws.coefficients.std(axis=0) == pytest.approx(errors.tolist(), rel=0.25)


def test_copies_of_a_column_share_the_effect() -> None:
    rng = np.random.default_rng(5)
    X = np.repeat(rng.standard_normal((60, 1)), 2, axis=1)
    draws = selected([_unit("a", 0), _unit("copy", 1)], X, X[:, 0] + rng.standard_normal(60), rng)
    assert draws.coefficients.sum(axis=1).mean() == pytest.approx(1.0, abs=0.4)
    assert draws.acts(0) + draws.acts(1) >= 0.95


def test_the_same_seed_gives_the_same_draws() -> None:
    X = np.random.default_rng(6).standard_normal((30, 1))
    first, second = (selected([_unit("a", 0)], X, X[:, 0], np.random.default_rng(1)) for _ in range(2))
    assert first.coefficients.tolist() == second.coefficients.tolist()


@pytest.mark.slow
def test_units_of_a_group_share_how_probable_it_is_that_they_act() -> None:
    """Where most holidays act, a small effect of another is believed sooner."""
    rng = np.random.default_rng(8)
    X = rng.standard_normal((60, 12))
    y = X[:, :11] @ np.full(11, 1.2) + 0.3 * X[:, 11] + rng.standard_normal(60)
    alone = [_unit(str(k), k) for k in range(12)]
    grouped = [replace(unit, group="holidays") for unit in alone]
    single = selected(alone, X, y, np.random.default_rng(1))
    shared = selected(grouped, X, y, np.random.default_rng(1))
    assert shared.acts(11) > single.acts(11)


def test_the_ends_of_a_range_hold_what_they_should() -> None:
    held = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        column = rng.standard_normal(200)
        target = 2.0 * column + rng.standard_normal(200)
        found = selected([_unit("a", 0)], column[:, None], target, rng).coefficients[:, 0]
        line = float(column @ target / (column @ column))
        sd = float(np.std(target - line * column) / np.sqrt(column @ column))
        low, high = norm.cdf((np.quantile(found, (0.025, 0.975)) - line) / sd)
        held.append(high - low)
    assert np.mean(held) == pytest.approx(0.95, abs=0.006)
    assert np.std(held) < 0.012
