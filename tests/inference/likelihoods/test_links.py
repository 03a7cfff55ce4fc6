"""Links hold in both tails, and their averages are those of a fine sum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from autostatistician.inference.likelihoods.links import LINKS, Link

MARGINS = np.array([-1e6, -3e3, -101.0, -99.0, -30.0, -3.0, -0.5, 0.0, 0.5, 3.0, 8.0, 40.0])
EVERY = pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)


@EVERY
def test_derivatives_are_those_of_each_other(link: Link) -> None:
    step = 1e-5 * (1.0 + np.abs(MARGINS))
    above, below = link.derivatives(MARGINS + step), link.derivatives(MARGINS - step)
    values = link.log_probability(MARGINS + step), link.log_probability(MARGINS - step)
    first, second, third = link.derivatives(MARGINS)
    for slope, (high, low) in zip(
        (first, second, third), (values, *zip(above[:2], below[:2], strict=True)), strict=True
    ):
        np.testing.assert_allclose(slope, (high - low) / (2.0 * step), rtol=1e-6, atol=1e-9)


@EVERY
def test_log_concave_everywhere(link: Link) -> None:
    first, second, _ = link.derivatives(MARGINS)
    assert (first >= 0.0).all()
    assert (second <= 0.0).all()
    assert np.isfinite(link.log_probability(MARGINS)).all()


@EVERY
def test_averages_are_those_of_a_fine_sum(link: Link) -> None:
    means, variances = np.array([0.0, -3.0, 4.0, -40.0, 2.0, 0.3]), np.array([1.0, 0.04, 100.0, 9.0, 900.0, 1e-8])
    z = np.linspace(-40.0, 40.0, 40001)
    at = means[:, None] + np.sqrt(variances)[:, None] * z
    terms = link.log_probability(at) - 0.5 * z**2 - 0.5 * np.log(2.0 * np.pi) + np.log(z[1] - z[0])
    expected = logsumexp(terms, axis=1)
    found, first, second = link.averaged(means, variances)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    weights = np.exp(terms - expected[:, None])
    slope, bend, _ = link.derivatives(at)
    mean = (weights * slope).sum(axis=1)
    np.testing.assert_allclose(first, mean, atol=1e-9)
    np.testing.assert_allclose(second, (weights * (bend + (slope - mean[:, None]) ** 2)).sum(axis=1), atol=1e-9)


@EVERY
def test_no_variance_is_no_average(link: Link) -> None:
    found = link.averaged(MARGINS[3:], np.zeros(len(MARGINS) - 3))[0]
    np.testing.assert_allclose(found, link.log_probability(MARGINS[3:]), rtol=1e-8, atol=1e-10)


def test_the_probit_approximation_is_near() -> None:
    means, variances = np.linspace(-4.0, 4.0, 9), np.full(9, 4.0)
    for link in LINKS.values():
        exact = np.exp(link.averaged(means, variances)[0])
        np.testing.assert_allclose(link.by_probit(means, variances), exact, atol=0.02)
