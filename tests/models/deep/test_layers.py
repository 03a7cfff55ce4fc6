"""A hidden layer: its moments, and what its posterior costs."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.models.deep.layers import (
    FLOOR,
    JITTER,
    ARDKernel,
    Hidden,
    Last,
    collapsed,
    cost,
    moments,
    posterior,
    whitened,
)

DRAWN = np.random.default_rng(1)
H, Y = DRAWN.uniform(-2.0, 2.0, (8, 2)), DRAWN.normal(size=8)
KERNEL = ARDKernel(0.4, np.array([-0.3, 0.2]))
NOISE = 0.2
OWN = KERNEL(H, H) + JITTER * np.exp(0.4) * np.eye(8)
SOME = Last(KERNEL, H[:3] + 0.1, np.log(NOISE))
ALL = SOME._replace(Z=H)


@pytest.mark.parametrize("count", [1, 3])
def test_with_every_row_as_inducing_point_it_is_the_exact_process(count: int) -> None:
    inputs = np.tile(H, (count, 1))
    exact = multivariate_normal(np.zeros(8), OWN + NOISE * np.eye(8))
    assert collapsed(ALL, inputs, Y)[0] == pytest.approx(exact.logpdf(Y), abs=1e-3)
    new = DRAWN.normal(size=(5, 2))
    mean, variance = posterior(ALL, inputs, Y).at(new)
    gain = np.linalg.solve(OWN + NOISE * np.eye(8), KERNEL(H, new)).T
    assert mean == pytest.approx(gain @ Y, abs=1e-4)
    assert variance == pytest.approx(np.exp(0.4) - np.sum(gain.T * KERNEL(H, new), axis=0), abs=1e-4)


def _uncollapsed(last: Last, inputs: np.ndarray, mean: np.ndarray, root: np.ndarray) -> float:
    """The expected log likelihood less the divergence, for a posterior N(mean, root root') of the whitened numbers."""
    A = whitened(last.kernel, last.Z, inputs).A
    variance = np.exp(last.kernel.log_variance) - np.sum(A**2, axis=0) + np.sum((root.T @ A) ** 2, axis=0)
    noise, wide = np.exp(last.log_noise), np.resize(Y, len(inputs))
    fit = -0.5 * np.log(2.0 * np.pi * noise) - 0.5 * ((wide - mean @ A) ** 2 + variance) / noise
    spread = np.sum(root**2) + mean @ mean - len(mean)
    return float(fit.sum() * len(Y) / len(inputs) - 0.5 * spread + np.linalg.slogdet(root)[1])


def test_it_is_the_highest_of_all_posteriors_over_draws_of_the_inputs() -> None:
    inputs = np.concatenate([H, H + 0.3 * DRAWN.normal(size=H.shape)])
    value, known = collapsed(SOME, inputs, Y)[0], posterior(SOME, inputs, Y)
    assert value == pytest.approx(_uncollapsed(SOME, inputs, known.mean, known.root.T))
    for _ in range(5):
        mean = known.mean + 0.1 * DRAWN.normal(size=3)
        root = known.root.T + 0.1 * np.tril(DRAWN.normal(size=(3, 3)))
        assert _uncollapsed(SOME, inputs, mean, root) < value


def test_fewer_inducing_points_bound_the_evidence() -> None:
    assert collapsed(SOME, H, Y)[0] < collapsed(ALL, H, Y)[0]


def test_the_covariance_of_the_function_has_its_variances_and_draws_on_all_points() -> None:
    of_last, new = posterior(ALL, H, Y), DRAWN.normal(size=(5, 2))
    mean, covariance = of_last.joint(new)
    assert mean == pytest.approx(of_last.at(new)[0])
    assert covariance.diagonal() == pytest.approx(of_last.at(new)[1])
    gain = np.linalg.solve(OWN + NOISE * np.eye(8), KERNEL(H, new)).T
    assert covariance == pytest.approx(KERNEL(new, new) - gain @ KERNEL(H, new), abs=1e-4)


RNG = np.random.default_rng(2)

LAYER = Hidden(
    ARDKernel(-0.5, np.array([0.1, 0.3])),
    RNG.normal(size=(3, 2)),
    RNG.normal(size=(3, 2)),
    np.tril(RNG.normal(size=(2, 3, 3)), -1) + np.eye(3) * RNG.uniform(0.2, 1.5, (2, 1, 3)),
)

LINEAR = np.array([[1.0, 0.5], [0.0, 1.0]])
PLACES = RNG.normal(size=(4, 2))


def test_moments_are_those_of_the_posterior() -> None:
    found, A = moments(LAYER, LINEAR, PLACES), whitened(LAYER.kernel, LAYER.Z, PLACES).A
    prior = np.exp(-0.5)
    for place in range(2):
        root = LAYER.root[place]
        assert found.mean[:, place] == pytest.approx((PLACES @ LINEAR)[:, place] + LAYER.mean[:, place] @ A)
        whole = prior * (1.0 + FLOOR) - np.diag(A.T @ (np.eye(3) - root @ root.T) @ A)
        assert found.sd[:, place] ** 2 == pytest.approx(whole)


def test_a_posterior_that_is_the_prior_costs_nothing_and_predicts_it() -> None:
    prior = LAYER._replace(mean=np.zeros((3, 2)), root=np.tile(np.eye(3), (2, 1, 1)))
    assert cost(prior)[0] == pytest.approx(0.0)
    assert moments(prior, LINEAR, PLACES).sd == pytest.approx(np.exp(-0.25))


def test_the_cost_is_the_divergence_of_normal_distributions() -> None:
    covariances = LAYER.root @ LAYER.root.transpose(0, 2, 1)
    traces, logdets = np.trace(covariances, axis1=1, axis2=2), np.linalg.slogdet(covariances)[1]
    assert cost(LAYER)[0] == pytest.approx(0.5 * np.sum(traces - logdets + np.sum(LAYER.mean**2, axis=0) - 3.0))
