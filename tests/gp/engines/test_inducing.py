"""The engine of many rows of a table behind the seam."""

import pickle
from math import inf

import numpy as np
import pytest
from tests.gp.numeric import all_close

from autostatistician.gp.engines import inducing
from autostatistician.gp.engines.exact import Blocks
from autostatistician.gp.engines.inducing import (
    MOST_POINTS,
    CloseObjective,
    ConditionedByPoints,
    Inducing,
    InducingPosterior,
    closely_conditioned,
    conditioned_by_points,
    given_points,
)
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior import functionals
from autostatistician.gp.posterior.functionals import ColumnPrior, Means
from autostatistician.gp.posterior.posterior import ExactPosterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.text import parse, parse_kernel

RNG_SMALL = np.random.default_rng(12)
X_SMALL, Y = RNG_SMALL.normal(size=(40, 2)), RNG_SMALL.normal(size=40)
SIGNAL_TREND = parse_kernel("SE[a](lengthscale=1, sd=1) + Lin[b](sd=1, location=0)")
NEW_SMALL = RNG_SMALL.normal(size=(5, 2))


def _given_points() -> ConditionedByPoints:
    return given_points(ColumnPrior(("a", "b")), SIGNAL_TREND, X_SMALL, Y, X_SMALL[:6], np.full(40, 0.25))


def test_a_prior_and_the_variances_of_the_noise_are_enough() -> None:
    found = _given_points()
    kernel = SIGNAL_TREND + parse_kernel("WN(sd=0.5)")
    expected = conditioned_by_points(kernel, Problem(X_SMALL, Y, ("a", "b")), X_SMALL[:6])
    assert found.log_evidence == expected.log_evidence
    one, other = (known.project(SIGNAL_TREND, NEW_SMALL) for known in (found, expected))
    all_close((one.mean, one.covariance()), (other.mean, other.covariance()))
    all_close(found.leave_one_out(), expected.leave_one_out())


def test_it_can_be_stored_with_what_was_fitted() -> None:
    known = _given_points()
    again = pickle.loads(pickle.dumps(known))
    np.testing.assert_array_equal(again.leave_one_out()[0], known.leave_one_out()[0])


RNG_TREND = np.random.default_rng(9)
N = 60
X_TREND = RNG_TREND.uniform(0.0, 3.0, (N, 2))
PROBLEM_TREND = Problem(
    X_TREND, np.sin(2.0 * X_TREND[:, 0]) + X_TREND[:, 1] + 0.2 * RNG_TREND.normal(size=N), ("a", "b")
)
KERNEL_TREND = parse_kernel(
    "SE[a](lengthscale=0.7, sd=1) + Lin[b](sd=0.8, location=1) + WN(sd=0.2) + WN(sd=0.1) * Lin[b](sd=0.3, location=0)"
)
NEW = RNG_TREND.uniform(0.0, 3.0, (7, 2))
PART = KERNEL_TREND.parts[0]


@pytest.fixture(scope="module")
def exact() -> ExactPosterior:
    return Blocks().condition(KERNEL_TREND, PROBLEM_TREND)


@pytest.fixture(scope="module")
def whole() -> InducingPosterior:
    return conditioned_by_points(KERNEL_TREND, PROBLEM_TREND, PROBLEM_TREND.X)


@pytest.fixture(scope="module")
def few() -> InducingPosterior:
    return conditioned_by_points(KERNEL_TREND, PROBLEM_TREND, PROBLEM_TREND.X[:6])


def test_predictions_are_exact_where_all_rows_are_inducing_points(
    exact: ExactPosterior, whole: InducingPosterior
) -> None:
    assert whole.log_evidence == pytest.approx(exact.log_evidence, abs=1e-3)
    all_close(whole.observations(NEW), exact.observations(NEW), atol=1e-5)
    all_close(whole.signal_joint(NEW), exact.signal_joint(NEW), atol=1e-5)
    np.testing.assert_allclose(whole.residual(), exact.residual(), atol=1e-5)
    all_close(whole.leave_one_out(), exact.leave_one_out(), atol=1e-4)


def test_parts_and_their_means(exact: ExactPosterior, whole: InducingPosterior) -> None:
    every = [
        functionals.Values(NEW),
        Means(np.tile(X_TREND[None, :10], (3, 1, 1)), PROBLEM_TREND.columns),
    ]
    for place in every:
        one, other = whole.project(PART, place), exact.project(PART, place)
        all_close((one.mean, one.covariance()), (other.mean, other.covariance()), atol=1e-5)
    line = KERNEL_TREND.parts[1]
    found, expected = (p.project(PART, NEW).between(p.project(line, NEW)) for p in (whole, exact))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_values_less_the_mean_over_the_data(exact: ExactPosterior, whole: InducingPosterior) -> None:
    found, expected = (
        p.project(PART, functionals.CentredFunctional(functionals.Values(NEW), p.level(PART)[0]))
        for p in (whole, exact)
    )
    one, other = ((p.mean, p.covariance(), p.variance) for p in (found, expected))
    all_close(one, other, atol=1e-5)


def test_few_points_leave_more_variance_and_never_claim_less(exact: ExactPosterior, few: InducingPosterior) -> None:
    assert few.log_evidence < exact.log_evidence
    known = few.project(KERNEL_TREND.parts[0], NEW)
    np.testing.assert_allclose(known.sd**2, known.covariance().diagonal(), atol=1e-12)
    mean, sd = few.signal(NEW)
    joint_mean, cov = few.signal_joint(NEW)
    np.testing.assert_allclose(mean, joint_mean, atol=1e-10)
    np.testing.assert_allclose(sd**2, cov.diagonal(), atol=1e-10)
    assert np.linalg.eigvalsh(cov).min() > -1e-9


def test_left_out_is_what_conditioning_on_the_others_says(few: InducingPosterior) -> None:
    mean, variance, density = few.leave_one_out()
    row = 11
    other = few.without(np.array([row]))
    expected_mean, expected_sd = other.observations(X_TREND[row : row + 1])
    assert mean[row] == pytest.approx(expected_mean[0], abs=1e-8)
    assert variance[row] == pytest.approx(expected_sd[0] ** 2, rel=1e-8)
    error = PROBLEM_TREND.y[row] - mean[row]
    assert density[row] == pytest.approx(-0.5 * (np.log(2 * np.pi * variance[row]) + error**2 / variance[row]))


def test_the_gap_is_what_the_bound_takes_off(exact: ExactPosterior, few: InducingPosterior) -> None:
    assert few.gap(np.arange(N)) == pytest.approx(exact.log_evidence - few.log_evidence)
    assert few.gap(np.arange(0, N, 3)) > 0.0


def test_simulated_errors_are_standard(few: InducingPosterior) -> None:
    errors = few.simulated_leave_one_out(4000, np.random.default_rng(0))
    assert errors.shape == (4000, N)
    np.testing.assert_allclose(errors.std(axis=0), 1.0, atol=0.25)
    assert float(np.mean(errors**2)) == pytest.approx(1.0, abs=0.1)


def test_whitened_values_are_independent_under_the_model(few: InducingPosterior) -> None:
    scaled = np.vstack([rows for _, rows in few.bound.scaled()])
    root = np.sqrt(few.bound.noise)
    C = root[:, None] * (scaled @ scaled.T + np.eye(N)) * root
    whitened = few.whitened(np.linalg.cholesky(C))
    np.testing.assert_allclose(whitened @ whitened.T, np.eye(N), atol=1e-8)


def test_further_observations_and_more_noise(few: InducingPosterior) -> None:
    shorter = conditioned_by_points(KERNEL_TREND, PROBLEM_TREND.rows(np.arange(50)), few.points)
    longer = shorter.updated(X_TREND[50:], PROBLEM_TREND.y[50:])
    np.testing.assert_allclose(longer.signal(NEW)[0], few.signal(NEW)[0], atol=1e-8)
    assert few.noisier(np.full(N, 0.5)).signal(NEW)[1].sum() > few.signal(NEW)[1].sum()


X_CLOSE = np.sort(np.random.default_rng(5).uniform(0.0, 300.0, 250))
PROBLEM_CLOSE = Problem(X_CLOSE, np.sin(X_CLOSE / 70.0) + 1e-4 * np.random.default_rng(6).normal(size=250))
KERNEL = parse_kernel("SE(lengthscale=100, sd=1) + WN(sd=1e-4)")


def test_points_are_chosen_anew_where_those_of_before_leave_too_much() -> None:
    objective = CloseObjective(KERNEL.expr, PROBLEM_CLOSE)
    for values in (KERNEL.values, (20.0, 1.0, 1e-4)):
        exact = LagSpace().objective(KERNEL.expr, PROBLEM_CLOSE).value(values)
        assert objective.value(values) == pytest.approx(exact, abs=0.05)


def test_too_few_points_have_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inducing, "MOST_CLOSE_POINTS", 3)
    assert CloseObjective(KERNEL.expr, PROBLEM_CLOSE).value(KERNEL.values) == inf
    assert closely_conditioned(KERNEL, PROBLEM_CLOSE) is None


RNG = np.random.default_rng(10)
X = RNG.uniform(0.0, 1.0, (3000, 4))
SIGNAL = np.sin(6.0 * X[:, 0]) + X[:, 1] * X[:, 2]
PROBLEM = Problem(X, SIGNAL + 0.1 * RNG.normal(size=3000), ("a", "b", "c", "d"))


def test_what_it_takes() -> None:
    inducing, noisy = Inducing(), parse("SE[a] + WN")
    assert inducing.cost(noisy, PROBLEM) is not None
    assert inducing.cost(parse("SE[a]"), PROBLEM) is None
    assert inducing.cost(noisy, Problem(X, np.sign(PROBLEM.y), PROBLEM.columns, likelihood=Bernoulli())) is None
    assert inducing.cost(parse("SE + WN"), Problem(X[:, :1], PROBLEM.y)) is None


def test_predictions_come_near_the_function() -> None:
    kernel = parse_kernel(
        "SE[a](lengthscale=0.4, sd=1) + SE[b](lengthscale=1, sd=1) * SE[c](lengthscale=1, sd=1) + WN(sd=0.1)"
    )
    posterior = Inducing().condition(kernel, PROBLEM)
    assert len(posterior.points) <= 2 * MOST_POINTS
    mean, sd = posterior.signal()
    assert float(np.sqrt(np.mean((mean - SIGNAL) ** 2))) < 0.03
    assert float(np.mean(np.abs(mean - SIGNAL) < 2.0 * sd)) == pytest.approx(0.95, abs=0.1)
    gap = posterior.bound.trace
    assert 0.0 <= gap < 1.0
