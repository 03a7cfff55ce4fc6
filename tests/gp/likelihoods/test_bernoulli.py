"""Classes: the laws of probabilities, and three ways of averaging them."""

import numpy as np
import pytest
from scipy.special import logsumexp

from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.gp.likelihoods import LINKS, Bernoulli, Link
from autostatistician.kernels.kernel import leaf
from autostatistician.kernels.text import parse

MARGINS = np.array([-1e6, -3e3, -101.0, -99.0, -30.0, -3.0, -0.5, 0.0, 0.5, 3.0, 8.0, 40.0])
EVERY_OF_LINKS = pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)


@EVERY_OF_LINKS
def test_derivatives_are_those_of_each_other(link: Link) -> None:
    step = 1e-5 * (1.0 + np.abs(MARGINS))
    above, below = link.derivatives(MARGINS + step), link.derivatives(MARGINS - step)
    values = link.log_probability(MARGINS + step), link.log_probability(MARGINS - step)
    first, second, third = link.derivatives(MARGINS)
    ends = (values, *zip(above[:2], below[:2], strict=True))
    for slope, (high, low) in zip((first, second, third), ends, strict=True):
        np.testing.assert_allclose(slope, (high - low) / (2.0 * step), rtol=1e-6, atol=1e-9)


@EVERY_OF_LINKS
def test_log_concave_everywhere(link: Link) -> None:
    first, second, _ = link.derivatives(MARGINS)
    assert (first >= 0.0).all()
    assert (second <= 0.0).all()
    assert np.isfinite(link.log_probability(MARGINS)).all()


@EVERY_OF_LINKS
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


@EVERY_OF_LINKS
def test_no_variance_is_no_average(link: Link) -> None:
    found = link.averaged(MARGINS[3:], np.zeros(len(MARGINS) - 3))[0]
    np.testing.assert_allclose(found, link.log_probability(MARGINS[3:]), rtol=1e-8, atol=1e-10)


F = np.linspace(-3.0, 3.0, 7)
EVERY = pytest.mark.parametrize("likelihood", [Bernoulli("probit"), Bernoulli("logistic")])


@EVERY
def test_both_classes_together_are_certain(likelihood: Bernoulli) -> None:
    ones = np.ones(7)
    total = np.exp(likelihood.log_density(ones, F)) + np.exp(likelihood.log_density(-ones, F))
    np.testing.assert_allclose(total, 1.0)
    averaged = [np.exp(likelihood.tilted(y, F, 2.0 * ones)[0]) for y in (ones, -ones)]
    np.testing.assert_allclose(averaged[0] + averaged[1], 1.0)
    np.testing.assert_allclose(averaged[0], likelihood.averaged(F, 2.0 * ones))


@EVERY
def test_the_other_class_is_the_mirror_image(likelihood: Bernoulli) -> None:
    y = np.ones(7)
    for sign, one, other in zip((-1, 1, -1), likelihood.derivatives(y, F), likelihood.derivatives(-y, -F), strict=True):
        np.testing.assert_allclose(one, sign * other)


def test_as_any_likelihood() -> None:
    one, kernel = Bernoulli(), leaf("C", sd=1.0)
    assert one.start(parse("WN")) == parse("C")
    assert one.halves(kernel) == (kernel, None)
    assert not one.admits(parse("CP(SE, WN)"))
    assert one.variance(np.zeros((3, 1))).tolist() == [0.0, 0.0, 0.0]
    assert one.standardised(np.array([1.0, -1.0])) == (1.0, one)
    assert one.mapped(Transform()) is one


def test_wrong_settings_are_named() -> None:
    with pytest.raises(InputError, match="link='probit' or link='logistic'; found 'cauchit'"):
        Bernoulli("cauchit")
