"""The marginal likelihood of additive kernels and its gradient."""

import pickle

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from tests.models.additive.categories import SHARES, orthogonal, plain

from autostatistician import AdditiveGPRegressor
from autostatistician.gp.engines.inducing import ConditionedByPoints
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.models.additive.base import COLUMN_LEAVES, base_of, base_of_categories
from autostatistician.models.additive.evidence import (
    LOG_IDLE,
    fit,
    fit_classes,
    learned_prior,
    negative_log_evidence,
    negative_log_evidence_of_classes,
    without_idle,
)
from autostatistician.models.additive.kernel import Layout
from autostatistician.models.additive.many_rows import negative_bound

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)


@pytest.mark.parametrize(
    "layout",
    [
        Layout((base_of("SE"),) * 3, (1, 2, 3)),
        Layout((base_of("SE", orthogonal=True),) * 3, (0, 1, 2)),
        Layout((base_of("RQ"),) * 3, (1, 2), stretched=True),
    ],
)
def test_the_bound_is_the_evidence_of_all_rows_and_has_its_gradient(layout: Layout) -> None:
    u = np.random.default_rng(2).normal(0.0, 0.3, layout.size)
    exact, slopes = negative_log_evidence(layout, u, X, Y)
    whole, by = negative_bound(layout, u, X, Y, X)
    assert whole == pytest.approx(exact, abs=1e-4)
    np.testing.assert_allclose(by, slopes, atol=1e-3)
    value, gradient = negative_bound(layout, u, X, Y, X[:5])
    assert value > exact
    found = approx_fprime(u, lambda v: negative_bound(layout, v, X, Y, X[:5])[0], 1e-6)
    assert gradient == pytest.approx(found, rel=2e-3, abs=2e-3 * float(np.abs(gradient).max()))


@pytest.mark.slow
def test_a_table_of_many_rows_and_its_effects() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.uniform(-2.0, 2.0, (2010, 3))
    truth = np.sin(2.0 * inputs[:, 0]) + inputs[:, 1]
    model = AdditiveGPRegressor(max_order=2, n_restarts=1).fit(inputs, truth + 0.2 * rng.normal(size=2010))
    assert isinstance(model.fitted_.posterior, ConditionedByPoints)
    mean, sd = model.predict(inputs[:200], return_std=True)
    assert float(np.sqrt(np.mean((mean - truth[:200]) ** 2))) < 0.03
    assert sd.mean() == pytest.approx(0.2, rel=0.05)
    shares = dict(zip(model.relevance_["column"], model.relevance_["share"], strict=True))
    assert min(shares["column 0"], shares["column 1"]) > 20.0
    assert shares["column 2"] < 1.0
    effect, spread = model.effect(0, inputs[:50])
    known = np.sin(2.0 * inputs[:50, 0])
    assert np.abs((effect - effect.mean()) - (known - known.mean())).max() < 0.06
    assert (spread < 0.05).all()
    assert pickle.loads(pickle.dumps(model)).predict(inputs[:3]) == pytest.approx(mean[:3])


RNG_OF_CLASSES = np.random.default_rng(0)
X_OF_CLASSES = RNG_OF_CLASSES.standard_normal((40, 3))
Y_OF_CLASSES = np.where(
    X_OF_CLASSES[:, 0] + np.sin(2.0 * X_OF_CLASSES[:, 1]) + 0.3 * RNG_OF_CLASSES.standard_normal(40) > 0.0, 1.0, -1.0
)
BASES = (base_of("SE"),) * 3


@pytest.mark.parametrize("how", ["ep", "laplace"])
@pytest.mark.parametrize("layout", [Layout(BASES, (0, 1, 2)), Layout(BASES, (0, 1, 2, 3), tied=True)])
def test_the_gradient_is_that_of_differences(layout: Layout, how: str) -> None:
    u = RNG_OF_CLASSES.normal(0.0, 0.5, layout.size - 1)
    misfit = negative_log_evidence_of_classes(layout, X_OF_CLASSES, Y_OF_CLASSES, Bernoulli(), how)
    _, gradient = misfit(u)
    for place, step in enumerate(1e-4 * np.eye(len(u))):
        assert gradient[place] == pytest.approx((misfit(u + step)[0] - misfit(u - step)[0]) / 2e-4, abs=2e-5)


def test_what_was_put_in_is_found() -> None:
    layout = Layout(BASES, (0, 1, 2))
    fitted = fit_classes(layout, X_OF_CLASSES, Y_OF_CLASSES, Bernoulli(), "ep", 2, np.random.default_rng(0))
    mean, sd = fitted.moments(X_OF_CLASSES)
    assert (np.sign(mean) == Y_OF_CLASSES).mean() > 0.85
    assert (sd > 0.0).all()
    assert fitted.kernel.noise_variance == 0.0
    assert fitted.log_evidence == pytest.approx(-fitted.nll)
    lengths = fitted.kernel.u[:3]
    assert lengths[2] > lengths[1]  # the third column does not matter
    assert not fitted.is_flat


def test_orthogonal_kernels_average_to_zero_under_normal_inputs() -> None:
    base = base_of("SE", orthogonal=True)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    values = base.value(nodes, np.full(60, 0.7), np.array([-0.3]))
    assert weights @ values / weights.sum() == pytest.approx(0.0, abs=1e-6)


CODES = np.array([0.0, 1.0, 2.0, 3.0])  # the last is none of those of the data


@pytest.mark.parametrize("contrast", [0.3, 1.0, 20.0])
def test_the_kernels_of_categories_are_those_of_double_loops(contrast: float) -> None:
    u, at, other = np.array([np.log(contrast)]), CODES[:, None], CODES[None]
    base = base_of_categories(SHARES)
    for one, oracle in ((base_of("Cat"), plain), (base, orthogonal)):
        expected = [[oracle(a, b, contrast) for b in CODES] for a in CODES]
        assert one.value(at, other, u) == pytest.approx(np.array(expected))
    assert np.array(SHARES) @ base.value(CODES[:3, None], other, u) == pytest.approx(np.zeros(4), abs=1e-15)
    for one in (base, base_of("Cat")):
        slope = approx_fprime(u, lambda v, one=one: one.value(at, other, v).ravel(), 1e-7)
        assert one.derivatives(at, other, u)[1][0].ravel() == pytest.approx(slope.ravel(), abs=1e-6)


@pytest.mark.parametrize(
    "layout",
    [
        *(Layout((base_of(symbol),) * 3, (1, 2, 3)) for symbol in COLUMN_LEAVES),
        Layout((base_of("SE", orthogonal=True),) * 3, (0, 1, 2)),
        Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True),
        Layout((base_of("RQ"),) * 3, (1, 2), stretched=True),
        Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True, stretched=True),
    ],
)
def test_gradient_of_the_evidence(layout: Layout) -> None:
    u = np.random.default_rng(2).normal(0.0, 0.3, layout.size)
    value, gradient = negative_log_evidence(layout, u, X, Y)
    assert np.isfinite(value)
    found = approx_fprime(u, lambda v: negative_log_evidence(layout, v, X, Y)[0], 1e-6)
    assert gradient == pytest.approx(found, rel=2e-3, abs=2e-3)


@pytest.mark.parametrize("variant", [{}, {"tied": True}, {"stretched": True}])
def test_learned_priors_are_weighed_against_the_data(variant: dict[str, bool]) -> None:
    layout = Layout((base_of("SE"),) * 3, (0, 1, 2, 3), **variant)
    prior = learned_prior(layout)
    probable, likely = (fit(layout, X, Y, 2, np.random.default_rng(0), known) for known in (prior, None))
    (first, slope), (other, _) = (prior.penalty(fitted.kernel.u) for fitted in (probable, likely))
    assert likely.nll < probable.nll
    assert probable.nll + first < likely.nll + other
    gradient = negative_log_evidence(layout, probable.kernel.u, X, Y)[1]
    assert gradient == pytest.approx(-slope, abs=0.02)


def test_columns_without_an_effect_have_none() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 4))
    y = rows[:, 0] * rows[:, 1] + 0.1 * rng.normal(size=60)  # the others do nothing
    layout = Layout((base_of("SE"),) * 4, (2, 4))
    fitted = fit(layout, rows, y, 1, np.random.default_rng(0), learned_prior(layout))
    assert [place for place in range(4) if fitted.kernel.u[place] == LOG_IDLE] == [2, 3]


def test_columns_in_use_stay_as_they_are() -> None:
    layout = Layout((base_of("SE"),) * 3, (1, 2))
    prior = learned_prior(layout)
    u = fit(layout, X, Y, 1, np.random.default_rng(0), prior).kernel.u
    assert without_idle(layout, u, X, Y, prior) is u
