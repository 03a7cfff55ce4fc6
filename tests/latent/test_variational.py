"""The lower bound of the evidence: below the truth, its gradient, and what it switches off."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm
from tests.latent.small_cases import KERNELS, OUTPUTS, PLACES, numbers_of, slopes

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.fitting.descent import lowest
from autostatistician.latent.outputs import Outputs
from autostatistician.latent.psi import SampledPsi
from autostatistician.latent.variational import BoundMisfit, approximate

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("text", KERNELS)
def test_gradient(text: str) -> None:
    misfit = BoundMisfit(OUTPUTS, numbers_of(text), 4)
    if isinstance(misfit.psi, SampledPsi):
        misfit.psi = SampledPsi(("z1", "z2"), 4)
    start = misfit.start(PLACES, np.random.default_rng(0))
    u = start + 0.1 * np.random.default_rng(1).normal(size=len(start))
    expected = slopes(lambda at: misfit(at)[0], u)
    np.testing.assert_allclose(misfit(u)[1], expected, atol=5e-4, rtol=1e-4)


def test_where_coordinates_are_certain_and_all_are_inducing_it_is_the_log_density() -> None:
    parameters = numbers_of(KERNELS[0])
    misfit = BoundMisfit(OUTPUTS, parameters, 9)
    u = misfit.start(PLACES, RNG)
    u[18:36] = -40.0
    K = covariance(parameters.kernel(parameters.start).kernel, PLACES, None, ("z1", "z2"))
    expected = norm.logpdf(PLACES).sum() + 0.5 * 18 * (np.log(2.0 * np.pi) + 1.0 - 40.0)  # with the entropy
    for y in OUTPUTS.Y.T:
        rows = np.isfinite(y)
        expected += multivariate_normal(cov=K[np.ix_(rows, rows)]).logpdf(y[rows])
    assert -misfit(u)[0] == pytest.approx(expected, abs=1e-2)


def test_it_is_below_the_evidence() -> None:
    # Two rows on one coordinate: the evidence is an integral that can be taken by drawing.
    outputs, parameters = Outputs.of(np.array([[-1.0], [1.0]])), numbers_of("SE[z1](lengthscale=3, sd=1) + WN(sd=1)")
    misfit = BoundMisfit(outputs, parameters, 2)
    kernel = parameters.kernel(parameters.start).kernel
    draws = np.random.default_rng(0).normal(size=(1000, 2, 2))
    densities = [multivariate_normal(cov=covariance(kernel, Z, None, ("z1", "z2"))).pdf(outputs.Y[:, 0]) for Z in draws]
    evidence = np.log(np.mean(densities))
    u = misfit.start(draws[0], RNG)
    held = [*misfit.limits[:-3], *((at, at) for at in u[-3:])]
    bound = -misfit(lowest(misfit, [u], held, [(200, 1)]))[0]
    assert evidence - 0.3 < bound < evidence


def test_coordinates_that_are_not_needed_return_to_their_prior() -> None:
    t = np.random.default_rng(2).uniform(-2.0, 2.0, 40)
    rows = np.column_stack([np.sin(t), np.cos(t), t, t**2]) + 0.05 * np.random.default_rng(3).normal(size=(40, 4))
    start = np.column_stack([t, 0.1 * np.random.default_rng(0).normal(size=40)])
    value, cloud, mapping, evaluations = approximate(Outputs.of(rows), numbers_of(KERNELS[0]), start, 12, 200, RNG)
    assert evaluations > 1
    assert abs(np.corrcoef(cloud.mean[:, 0], t)[0, 1]) > 0.98
    assert cloud.mean[:, 1].std() < 0.1
    assert cloud.variance[:, 1].mean() > 0.9
    assert cloud.variance[:, 0].max() < 0.2
    assert mapping.kernel.noise_sd < 0.15
    assert np.isfinite(value)
