"""The laws of parts of totals, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import binom, norm
from tests.inference.likelihoods.laws import check_derivatives, check_sites, check_tilted

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


def test_derivatives_are_differences() -> None:
    check_derivatives(PARTS, Y, F)


def test_tilted_is_an_integral() -> None:
    check_tilted(PARTS, Y, F, close=1e-5, slopes=1e-4)


def test_sites_are_the_density_to_the_second_order() -> None:
    check_sites(PARTS, Y, F)


def test_evidence_by_expectation_is_the_integral_over_a_level() -> None:
    law = Binomial(Transform("logit", 0.5), sizes=TOTALS)
    found = by_expectation(leaf("C", sd=1.5), Problem(np.arange(3.0), Y), law, law.first(Y))
    whole = lambda f: np.exp(law.log_density(Y, np.full(3, f)).sum()) * norm(0.0, 1.5).pdf(f)  # noqa: E731
    assert found.log_evidence == pytest.approx(np.log(quad(whole, -8.0, 12.0, points=[2.0])[0]), abs=0.02)


def test_without_totals_it_is_one_of_one() -> None:
    assert BINOMIAL.mapped(ODDS).log_density(np.ones(1), np.full(1, 1.5)) == pytest.approx([np.log(0.2)])
    assert PARTS.alone() == BINOMIAL
