"""First order alone on many rows, by inducing places of single columns."""

import pickle

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician import AdditiveGPRegressor
from autostatistician.errors import InputError
from autostatistician.models.additive.base import base_of
from autostatistician.models.additive.evidence import given, learned_prior, negative_log_evidence
from autostatistician.models.additive.kernel import AdditiveKernel, Layout
from autostatistician.models.additive.many_rows import (
    chosen_places,
    fit_columns,
    given_by_places,
    is_first_order,
    negative_bound_of_columns,
    places_of,
    rows_of,
)
from autostatistician.models.additive.shares import Effects

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=(60, 2)), RNG.integers(0, 3, 60)])
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + (X[:, 2] == 1) + 0.1 * RNG.normal(size=60)
MIXED = Layout((base_of("RQ"), base_of("Lin"), base_of("Cat")), (1,))
SMOOTH = Layout((base_of("SE"),) * 3, (1,))


@pytest.mark.parametrize("layout", [SMOOTH, MIXED])
def test_the_bound_is_the_evidence_where_places_say_all_and_has_its_gradient(layout: Layout) -> None:
    u = np.random.default_rng(2).normal(0.0, 0.3, layout.size)
    kernel = AdditiveKernel(layout, u)
    places = chosen_places(kernel, X, 120)
    value, slopes = negative_bound_of_columns(layout, u, X, Y, places)
    exact, by = negative_log_evidence(layout, u, X, Y)
    assert value == pytest.approx(exact, abs=1e-3)
    np.testing.assert_allclose(slopes, by, atol=1e-2)
    few = tuple(each[:3] for each in places)
    value, slopes = negative_bound_of_columns(layout, u, X, Y, few)
    assert value > exact
    found = approx_fprime(u, lambda v: negative_bound_of_columns(layout, v, X, Y, few)[0], 1e-6)
    assert slopes == pytest.approx(found, rel=2e-3, abs=2e-3 * float(np.abs(slopes).max()))
    fitted = given_by_places(kernel, X, Y, few)
    assert fitted.nll == pytest.approx(value)
    assert all(map(np.array_equal, places_of(rows_of(few)), few))


def test_only_first_order_has_places_of_columns() -> None:
    assert is_first_order(SMOOTH)
    assert not is_first_order(Layout((base_of("SE"),) * 3, (1, 2)))
    assert not is_first_order(Layout((base_of("SE", orthogonal=True),) * 3, (1,)))
    assert not is_first_order(Layout((base_of("SE"),), (0, 1), tied=True))


def test_effects_are_those_of_all_rows() -> None:
    """Places of single columns know what single columns do, as one matrix does."""
    kernel = AdditiveKernel(MIXED, np.random.default_rng(2).normal(0.0, 0.3, MIXED.size))
    whole, sparse = given(kernel, X, Y), given_by_places(kernel, X, Y, chosen_places(kernel, X, 120))
    for column in range(3):
        for mine, true in zip(Effects(sparse).of((column,), X[:9]), Effects(whole).of((column,), X[:9]), strict=True):
            assert mine == pytest.approx(true, abs=1e-4)


@pytest.mark.slow
def test_a_short_function_is_not_taken_for_noise() -> None:
    """From the usual start it is: no slope leads from a long lengthscale to a short one."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, 2))
    y = np.sin(8.0 * rows[:, 0]) + rows[:, 1] + 0.1 * rng.normal(size=300)
    layout = Layout((base_of("SE"),) * 2, (1,))
    found = fit_columns(layout, rows, y / y.std(), 1, rng, learned_prior(layout)).kernel
    assert np.sqrt(found.noise_variance) * y.std() == pytest.approx(0.1, rel=0.15)


@pytest.mark.slow
def test_a_table_of_many_rows() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.uniform(-2.0, 2.0, (2500, 3))
    truth = np.sin(2.0 * inputs[:, 0]) + inputs[:, 1]
    y = truth + 0.2 * rng.normal(size=2500)
    model = AdditiveGPRegressor(max_order=1, n_restarts=1).fit(inputs, y)
    mean, sd = model.predict(inputs[:200], return_std=True)
    assert float(np.sqrt(np.mean((mean - truth[:200]) ** 2))) < 0.03
    assert sd.mean() == pytest.approx(0.2, rel=0.05)
    exact, error = model.exact_log_evidence()
    assert exact == pytest.approx(model.log_evidence_, abs=1.0 + 3.0 * error)
    assert pickle.loads(pickle.dumps(model)).predict(inputs[:3]) == pytest.approx(mean[:3])


def test_other_models_of_few_rows_have_their_exact_evidence() -> None:
    model = AdditiveGPRegressor(n_restarts=1).fit(X, Y)
    assert model.exact_log_evidence() == (model.log_evidence_, 0.0)
    with pytest.raises(InputError, match="learned_priors"):
        AdditiveGPRegressor(learned_priors="drawn").fit(X, Y)
