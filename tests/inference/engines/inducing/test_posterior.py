"""The posterior by inducing points: the exact one where all rows are, and consistent in itself where they are few."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.engines.inducing.posterior import InducingPosterior, conditioned_by_points
from autostatistician.inference.engines.several_columns import Blocks
from autostatistician.inference.posterior import places
from autostatistician.inference.posterior.averages import Means
from autostatistician.inference.posterior.posterior import ExactPosterior
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

Array = NDArray[np.float64]

RNG = np.random.default_rng(9)
N = 60
X = RNG.uniform(0.0, 3.0, (N, 2))
PROBLEM = Problem(X, np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.2 * RNG.normal(size=N), ("a", "b"))
KERNEL = parse_kernel(
    "SE[a](lengthscale=0.7, sd=1) + Lin[b](sd=0.8, location=1) + WN(sd=0.2) + WN(sd=0.1) * Lin[b](sd=0.3, location=0)"
)
NEW = RNG.uniform(0.0, 3.0, (7, 2))
PART = KERNEL.parts[0]


@pytest.fixture(scope="module")
def exact() -> ExactPosterior:
    return Blocks().condition(KERNEL, PROBLEM)


@pytest.fixture(scope="module")
def whole() -> InducingPosterior:
    return conditioned_by_points(KERNEL, PROBLEM, PROBLEM.X)


@pytest.fixture(scope="module")
def few() -> InducingPosterior:
    return conditioned_by_points(KERNEL, PROBLEM, PROBLEM.X[:6])


def test_predictions_are_exact_where_all_rows_are_inducing_points(
    exact: ExactPosterior, whole: InducingPosterior
) -> None:
    assert whole.log_evidence == pytest.approx(exact.log_evidence, abs=1e-3)
    for one, other in zip(whole.observations(NEW), exact.observations(NEW), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    for one, other in zip(whole.signal_joint(NEW), exact.signal_joint(NEW), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    np.testing.assert_allclose(whole.residual(), exact.residual(), atol=1e-5)
    for one, other in zip(whole.leave_one_out(), exact.leave_one_out(), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_parts_and_their_differences_and_means(exact: ExactPosterior, whole: InducingPosterior) -> None:
    every = [
        places.Values(NEW),
        places.Differences(NEW, NEW[::-1]),
        Means(np.tile(X[None, :10], (3, 1, 1)), PROBLEM.columns),
    ]
    for place in every:
        one, other = whole.project(PART, place), exact.project(PART, place)
        np.testing.assert_allclose(one.mean, other.mean, atol=1e-5)
        np.testing.assert_allclose(one.covariance(), other.covariance(), atol=1e-5)
    line = KERNEL.parts[1]
    found, expected = (p.project(PART, NEW).between(p.project(line, NEW)) for p in (whole, exact))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_values_less_the_mean_over_the_data(exact: ExactPosterior, whole: InducingPosterior) -> None:
    found, expected = (p.project(PART, places.Centred(places.Values(NEW), p.level(PART)[0])) for p in (whole, exact))
    np.testing.assert_allclose(found.mean, expected.mean, atol=1e-5)
    np.testing.assert_allclose(found.covariance(), expected.covariance(), atol=1e-5)
    np.testing.assert_allclose(found.variance, expected.variance, atol=1e-5)


def test_few_points_leave_more_variance_and_never_claim_less(exact: ExactPosterior, few: InducingPosterior) -> None:
    assert few.log_evidence < exact.log_evidence
    known = few.project(KERNEL.parts[0], NEW)
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
    expected_mean, expected_sd = other.observations(X[row : row + 1])
    assert mean[row] == pytest.approx(expected_mean[0], abs=1e-8)
    assert variance[row] == pytest.approx(expected_sd[0] ** 2, rel=1e-8)
    error = PROBLEM.y[row] - mean[row]
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
    shorter = conditioned_by_points(KERNEL, PROBLEM.rows(np.arange(50)), few.points)
    longer = shorter.updated(X[50:], PROBLEM.y[50:])
    np.testing.assert_allclose(longer.signal(NEW)[0], few.signal(NEW)[0], atol=1e-8)
    assert few.noisier(np.full(N, 0.5)).signal(NEW)[1].sum() > few.signal(NEW)[1].sum()
