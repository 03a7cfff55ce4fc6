"""Which columns act and how much: against sums over all sets, ridge regression and data made for the purpose."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import multivariate_t, norm

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.gp import Problem, condition
from autostatistician.kernels.kernel import leaf
from autostatistician.regressors.effects import Clock, Effect
from autostatistician.regressors.estimates import (
    FREEDOM,
    MOST_IN_PRIOR,
    SIZES,
    Candidates,
    CovariateEffects,
    estimated,
    prepared,
    selected,
)

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
    assert [draws.probabilities[k].sum() for k in range(3)] == pytest.approx(_exact(X, y, units).tolist(), abs=0.08)


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
    assert draws.probabilities[0].sum() + draws.probabilities[1].sum() >= 0.95


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
    assert shared.probabilities[11].sum() > single.probabilities[11].sum()


@pytest.mark.slow
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


ROWS = 120


def _effects(*, trending: bool = False) -> tuple[CovariateEffects, Covariates]:
    rng = np.random.default_rng(7)
    x = np.arange(float(ROWS))
    promo, price, noise = (rng.random(ROWS) < 0.2).astype(float), rng.normal(5.0, 0.5, ROWS), rng.standard_normal(ROWS)
    shop = rng.integers(0, 3, ROWS).astype(float)
    y = 0.05 * x + 25.0 * promo - 6.0 * (price - 5.0) + 4.0 * (shop == 2.0) + rng.normal(0.0, 2.0, ROWS)
    noise = x + 3.0 * noise if trending else noise
    columns = Covariates(
        x,
        (
            Covariate("promo", promo),
            Covariate("price", price),
            Covariate("noise", noise),
            Covariate("shop", shop, ("a", "b", "c")),
        ),
    )
    time = leaf("C", sd=10.0) + leaf("SE", lengthscale=60.0, sd=5.0) + leaf("WN", sd=2.0)
    posterior = condition(time, Problem(x, y))
    return estimated(prepared(columns, Clock(0.0, ROWS - 1.0, 1.0, 0.0), x), posterior, y, float(y.std()), 0), columns


@pytest.mark.slow
def test_effects_are_found_with_their_sizes() -> None:
    effects, _ = _effects()
    assert set(effects.acting) == {"promo", "price", "shop"}
    low, high = np.quantile(effects.curve("promo", np.array([1.0])), [0.025, 0.975])
    assert low < 25.0 < high
    steep = effects.curve("price", np.array([4.5, 5.5]))
    assert (steep[:, 1] - steep[:, 0]).mean() == pytest.approx(-6.0, abs=1.0)
    levels = effects.curve("shop", np.arange(3.0)).mean(axis=0)
    assert levels[2] - levels[0] == pytest.approx(4.0, abs=1.5)
    assert effects.probabilities["noise"] < 0.3


@pytest.mark.slow
def test_a_column_that_trends_gets_nothing_of_the_trend() -> None:
    effects, _ = _effects(trending=True)
    assert effects.probabilities["noise"] < 0.5
    assert effects.probabilities["promo"] > 0.99


@pytest.mark.slow
def test_what_all_add_is_the_sum_of_what_each_adds() -> None:
    effects, columns = _effects()
    x = columns.x[::7]
    total = sum(effects.added_by(name, x) for name in columns.names)
    assert np.allclose(total, effects.added(x))


@pytest.mark.slow
def test_usual_values_add_nothing() -> None:
    effects, columns = _effects()
    usual = tuple(
        Covariate(column.name, np.full(ROWS, effects.scale_of(column.name).usual), column.levels)
        for column in columns.table
    )
    assert not effects.added(columns.x, Covariates(columns.x, usual)).any()


@pytest.mark.slow
def test_the_record_keeps_every_draw() -> None:
    effects, columns = _effects()
    again = CovariateEffects.from_json(json.loads(json.dumps(effects.to_json())), columns)
    assert np.allclose(again.added(columns.x), effects.added(columns.x), atol=1e-9)
    assert again.effects == effects.effects


def test_a_record_that_does_not_fit_its_effects_is_refused() -> None:
    effects, columns = _effects()
    record = effects.to_json()
    record["draws"] = [row[:-1] for row in record["draws"]]
    with pytest.raises(ValueError, match="do not fit"):
        CovariateEffects.from_json(record, columns)


def test_the_days_of_an_event_act_together() -> None:
    rng = np.random.default_rng(9)
    x = np.arange(400.0)
    day = (np.arange(400) % 100 == 50).astype(float)
    flags = {0: day, -1: np.roll(day, -1), 1: np.roll(day, 1)}
    y = 20.0 * flags[0] + 8.0 * flags[-1] + rng.standard_normal(400)
    columns = Covariates(
        x,
        tuple(
            Covariate(f"feast {days:+d}", values, group="holidays", event="feast", days=days)
            for days, values in flags.items()
        ),
    )
    posterior = condition(leaf("C", sd=1.0) + leaf("WN", sd=1.0), Problem(x, y))
    effects = estimated(prepared(columns, Clock(0.0, 399.0, 1.0, 7.0), x), posterior, y, float(y.std()), 0)
    assert {str(effect) for effect in effects.effects} == {f"Lin[feast {days:+d}]" for days in flags}
    assert set(effects.probabilities.values()) == {effects.probabilities["feast +0"]}
    sizes = [effects.curve(f"feast {days:+d}", np.array([1.0])).mean() for days in (0, -1, 1)]
    assert sizes == pytest.approx([20.0, 8.0, 0.0], abs=1.5)
