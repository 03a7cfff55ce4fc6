"""The laws of parts of totals, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import binom, norm

from autostatistician.data.transform import Transform
from autostatistician.inference.likelihoods.binomial import BINOMIAL, Binomial
from autostatistician.inference.problem import Problem
from autostatistician.inference.sites_at_mode import by_expectation
from autostatistician.language.kernel import leaf

ODDS = Transform("logit", 0.2, 1.5)
TOTALS = np.array([4.0, 9.0, 60.0])
PARTS = Binomial(ODDS, sizes=TOTALS)
Y, F = np.array([0.0, 3.0, 60.0]), np.array([0.5, 2.0, 4.0])


def test_density_is_that_of_scipy() -> None:
    chance = expit(np.log(0.25) + F - 1.5)
    assert PARTS.log_density(Y, F) == pytest.approx(binom(TOTALS.astype(int), chance).logpmf(Y))


def test_tilted_is_an_integral() -> None:
    variance = np.array([0.3, 1.0, 2.0])
    value, first, second = PARTS.tilted(Y, F, variance)
    for k, (f, v) in enumerate(zip(F, variance, strict=True)):
        density = norm(f, np.sqrt(v)).pdf
        integral, _ = quad(lambda u: np.exp(PARTS.log_density(Y, np.full(3, u))[k]) * density(u), -10, 15, points=[f])  # noqa: B023
        assert value[k] == pytest.approx(np.log(integral), abs=1e-5)
    step = 1e-4
    above, below = (PARTS.tilted(Y, F + sign * step, variance) for sign in (1.0, -1.0))
    assert first == pytest.approx((above[0] - below[0]) / (2 * step), rel=1e-4)
    assert second == pytest.approx((above[1] - below[1]) / (2 * step), rel=1e-4)


def test_sites_are_the_density_to_the_second_order() -> None:
    sites = PARTS.normal_sites(Y, F)
    for away, close in ((0.0, 1e-12), (1e-3, 1e-7)):
        normal = norm(F + away, np.sqrt(sites.variances)).logpdf(sites.values).sum() + sites.log_ratio
        assert normal == pytest.approx(float(PARTS.log_density(Y, F + away).sum()), abs=close)


def test_evidence_by_expectation_is_the_integral_over_a_level() -> None:
    law = Binomial(Transform("logit", 0.5), sizes=TOTALS)
    found = by_expectation(leaf("C", sd=1.5), Problem(np.arange(3.0), Y), law, law.first(Y))
    whole = lambda f: np.exp(law.log_density(Y, np.full(3, f)).sum()) * norm(0.0, 1.5).pdf(f)  # noqa: E731
    assert found.log_evidence == pytest.approx(np.log(quad(whole, -8.0, 12.0, points=[2.0])[0]), abs=0.02)


def test_without_totals_it_is_one_of_one() -> None:
    assert BINOMIAL.mapped(ODDS).log_density(np.ones(1), np.full(1, 1.5)) == pytest.approx([np.log(0.2)])
    assert PARTS.alone() == BINOMIAL
