"""Parameters of additive kernels integrated over."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.additive.base import base_of
from autostatistician.additive.evidence import (
    AdditiveFit,
    fit,
    given,
    learned_prior,
    negative_log_evidence,
)
from autostatistician.additive.integrated import Mixture, drawn_parameters, mixture
from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.data.transform import Transform
from autostatistician.inference.predictive.predictive import Predictive

Array = NDArray[np.float64]

X = np.linspace(-1.5, 1.5, 12)[:, None]
Y = np.sin(2.0 * X[:, 0]) + 0.3 * np.random.default_rng(0).normal(size=12)
LAYOUT = Layout((base_of("SE"),), (1,))
PRIOR = learned_prior(LAYOUT)
NEW = np.linspace(-2.5, 2.5, 9)[:, None]


def fitted() -> AdditiveFit:
    return fit(LAYOUT, X, Y, 3, np.random.default_rng(0), PRIOR)


def moments(of: Mixture) -> tuple[Array, Array]:
    """Mean and variance of observations."""
    means, variances = of.moments(NEW)
    made = Predictive(means, np.sqrt(variances), of.weights, Transform())
    return made.mean, made.std**2


def by_quadrature(best: Array) -> tuple[Array, Array]:
    """Mean and variance of observations, by a sum over a grid of lengthscale, variance and noise."""
    lines = [np.linspace(u - 3.5 * w, u + 3.5 * w, 15) for u, w in zip(best, (0.6, 1.2, 0.35), strict=True)]
    places = np.stack(np.meshgrid(*lines), axis=-1).reshape(-1, 3)
    heights = np.array([-negative_log_evidence(LAYOUT, u, X, Y)[0] - PRIOR.penalty(u)[0] for u in places])
    kept = heights > heights.max() - 8.0
    weights = np.exp(heights[kept] - heights.max())
    every = Mixture(
        tuple(given(AdditiveKernel(LAYOUT, u), X, Y) for u in places[kept]), np.asarray(weights / weights.sum())
    )
    return moments(every)


@pytest.mark.slow
def test_predictions_are_those_of_a_quadrature() -> None:
    best = fitted()
    found = mixture(
        best, lambda u: negative_log_evidence(LAYOUT, u, X, Y), PRIOR, lambda kernel: given(kernel, X, Y),
        np.random.default_rng(0), 400,
    )  # fmt: skip
    assert found.fits[0] is best
    assert found.weights.sum() == pytest.approx(1.0)
    mean, variance = moments(found)
    true_mean, true_variance = by_quadrature(best.kernel.u)
    alone_mean, alone_variance = moments(Mixture((best,), np.ones(1)))
    assert np.sqrt(variance) == pytest.approx(np.sqrt(true_variance), rel=0.15)
    assert np.abs(np.sqrt(alone_variance / true_variance) - 1.0).max() > 0.3
    assert np.abs(variance - true_variance).mean() < 0.4 * np.abs(alone_variance - true_variance).mean()
    assert np.abs(mean - true_mean).mean() < 0.6 * np.abs(alone_mean - true_mean).mean()


def test_draws_are_those_of_a_normal_posterior_and_bounds_hold() -> None:
    """Data that say ``(u - 1)^2 / (2 / 100)`` of the lengthscale alone: a posterior that is normal."""
    low, high = [-9.0, -9.0, 0.5], [9.0, 9.0, 9.0]

    def negative(u: Array) -> tuple[float, Array]:
        off = np.array([u[0] - 1.0, 0.0, 0.0])
        return 50.0 * float(off @ off), 100.0 * off

    optimum = np.array([1.0, PRIOR.mean[1], 0.5])
    places, weights = drawn_parameters(
        optimum, negative, PRIOR, list(zip(low, high, strict=True)), np.random.default_rng(0), 40
    )
    assert places.shape == (40, 3)
    assert np.all(places[:, 2] == 0.5)  # it is at its bound
    assert places[1:, 0].std() == pytest.approx(0.1, rel=0.2)
    assert places[1:, 1].std() == pytest.approx(PRIOR.width[1], rel=0.2)
    assert weights.max() < 3.0 / 40  # no draw counts for much more than the others


def test_joint_draws_have_the_moments_of_all() -> None:
    best = fitted()
    other = given(AdditiveKernel(LAYOUT, best.kernel.u + np.array([0.3, 0.5, 0.8])), X, Y)
    both = Mixture((best, other), np.array([0.3, 0.7]))
    mean, cov = both.mean_and_covariance(NEW)
    assert cov.diagonal() == pytest.approx(moments(both)[1])
    drawn = both.draws(NEW, 4000, np.random.default_rng(0))
    assert drawn.mean(axis=1) == pytest.approx(mean, abs=0.05)
    assert np.abs(np.cov(drawn) - cov).max() < 0.1 * cov.diagonal().max()
