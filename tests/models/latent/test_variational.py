"""The lower bound of the evidence: below the truth, its gradient, and what it switches off."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal, norm
from tests.models.latent.small_cases import KERNELS, OUTPUTS, PLACES, log_density_of_outputs, numbers_of, slopes

from autostatistician.gp.covariance import covariance
from autostatistician.gp.fitting import lowest
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.latent.map_estimate import Outputs
from autostatistician.models.latent.variational import (
    BoundMisfit,
    ClosedFormPsi,
    Cloud,
    PsiStatistics,
    SampledPsi,
    approximate,
    psi_method_of,
)

Array = NDArray[np.float64]
NAMES = ("z1", "z2")
RNG_OF_PSI = np.random.default_rng(1)
CLOUD = Cloud(RNG_OF_PSI.normal(size=(5, 2)), RNG_OF_PSI.uniform(0.1, 0.6, size=(5, 2)))
POINTS = RNG_OF_PSI.normal(size=(3, 2))
SMOOTH = parse_kernel("SE[z1](lengthscale=0.8, sd=1.3) * SE[z2](lengthscale=1.7, sd=0.9)")
ALONG_ONE = parse_kernel("SE[z2](lengthscale=0.8, sd=1.3)")
MIXED = parse_kernel("SE[z1](lengthscale=0.8, sd=1.3) + Lin[z2](sd=0.4, location=0.2)")


def _random_weights() -> PsiStatistics:
    square = RNG_OF_PSI.normal(size=(5, 3, 3))
    return PsiStatistics(RNG_OF_PSI.normal(size=5), RNG_OF_PSI.normal(size=(5, 3)), square + square.transpose(0, 2, 1))


WEIGHTS = _random_weights()


@pytest.mark.parametrize("kernel", [SMOOTH, ALONG_ONE])
def test_the_closed_form_is_what_many_places_average_to(kernel: Kernel) -> None:
    closed = ClosedFormPsi(NAMES).averages(kernel, CLOUD, POINTS)
    many = SampledPsi(NAMES, 8192).averages(kernel, CLOUD, POINTS)
    np.testing.assert_allclose(closed.own, many.own)
    np.testing.assert_allclose(closed.cross, many.cross, atol=2e-3)
    np.testing.assert_allclose(closed.square, many.square, atol=2e-3)


def test_a_line_is_averaged_exactly() -> None:
    kernel = parse_kernel("Lin[z1](sd=2, location=0)")
    found = SampledPsi(NAMES).averages(kernel, CLOUD, POINTS)
    mean, variance = CLOUD.mean[:, 0], CLOUD.variance[:, 0]
    np.testing.assert_allclose(found.own, 4.0 * (mean**2 + variance))
    np.testing.assert_allclose(found.cross, 4.0 * np.outer(mean, POINTS[:, 0]))


@pytest.mark.parametrize(
    ("way", "kernel"), [(ClosedFormPsi(NAMES), SMOOTH), (ClosedFormPsi(NAMES), ALONG_ONE), (SampledPsi(NAMES), MIXED)]
)
def test_gradients(way: ClosedFormPsi | SampledPsi, kernel: Kernel) -> None:
    def total(mean: Array, variance: Array, points: Array, u: Array) -> float:
        at = Kernel(kernel.expr, tuple(np.exp(u).tolist()))
        found = way.averages(at, Cloud(mean, variance), points)
        own, cross = found.own @ WEIGHTS.own, (found.cross * WEIGHTS.cross).sum()
        return float(own + cross + (found.square * WEIGHTS.square).sum())

    slopes = way.slopes(kernel, CLOUD, POINTS, WEIGHTS)
    start = (CLOUD.mean, CLOUD.variance, POINTS, np.log(kernel.values))
    location = [index for index, value in enumerate(kernel.values) if kernel is MIXED and value == 0.2]
    parameters = slopes.parameters.copy()
    parameters[location] *= 0.2  # by its logarithm, as in `total`
    for place, found in enumerate((slopes.mean, slopes.variance, slopes.points, parameters)):

        def along(u: Array, place: int = place) -> float:
            moved = [*start[:place], u.reshape(start[place].shape), *start[place + 1 :]]
            return total(*moved)

        np.testing.assert_allclose(found.ravel(), approx_fprime(start[place].ravel(), along, 1e-6), atol=1e-4)


def test_products_of_squared_exponentials_have_a_closed_form_and_others_none() -> None:
    assert isinstance(psi_method_of(SMOOTH, NAMES), ClosedFormPsi)
    twice = parse_kernel("SE[z1](lengthscale=1, sd=1) * SE[z1](lengthscale=2, sd=1)")
    for kernel in (MIXED, twice):
        assert isinstance(psi_method_of(kernel, NAMES), SampledPsi)


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
    entropy = 0.5 * 18 * (np.log(2.0 * np.pi) + 1.0 - 40.0)
    expected = norm.logpdf(PLACES).sum() + entropy + log_density_of_outputs(parameters, PLACES)
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
