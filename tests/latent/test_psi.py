"""Means of a kernel over uncertain coordinates: closed forms against quadrature, gradients against differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from autostatistician.language.kernel import Kernel
from autostatistician.language.text import parse_kernel
from autostatistician.latent.psi import ClosedFormPsi, Cloud, PsiMethod, PsiStatistics, SampledPsi, psi_method_of

Array = NDArray[np.float64]

NAMES = ("z1", "z2")
RNG = np.random.default_rng(1)
CLOUD = Cloud(RNG.normal(size=(5, 2)), RNG.uniform(0.1, 0.6, size=(5, 2)))
POINTS = RNG.normal(size=(3, 2))
SMOOTH = parse_kernel("SE[z1](lengthscale=0.8, sd=1.3) * SE[z2](lengthscale=1.7, sd=0.9)")
ALONG_ONE = parse_kernel("SE[z2](lengthscale=0.8, sd=1.3)")
MIXED = parse_kernel("SE[z1](lengthscale=0.8, sd=1.3) + Lin[z2](sd=0.4, location=0.2)")


def _random_weights() -> PsiStatistics:
    square = RNG.normal(size=(5, 3, 3))
    return PsiStatistics(RNG.normal(size=5), RNG.normal(size=(5, 3)), square + square.transpose(0, 2, 1))


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
    ("way", "kernel"),
    [(ClosedFormPsi(NAMES), SMOOTH), (ClosedFormPsi(NAMES), ALONG_ONE), (SampledPsi(NAMES), MIXED)],
)
def test_gradients(way: PsiMethod, kernel: Kernel) -> None:
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
