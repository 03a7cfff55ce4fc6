"""The laws of counts about scattering rates, against SciPy's distribution, differences and integrals."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import nbinom, norm
from tests.inference.likelihoods.laws import check_derivatives, check_sites, check_tilted

from autostatistician.data.transform import Transform
from autostatistician.inference.likelihoods.negative_binomial import NegativeBinomial
from autostatistician.inference.likelihoods.poisson import POISSON
from autostatistician.inference.problem import Problem
from autostatistician.inference.sites_at_mode import by_expectation
from autostatistician.language.kernel import leaf

LOG = Transform("log", 2.0, 1.5, 0.5)
COUNTS = NegativeBinomial(LOG, 0.4)
Y, F = np.array([0.0, 3.0, 40.0]), np.array([1.0, 2.0, 4.0])
RATE = 2.0 * np.exp(F - 1.5)


def test_density_is_that_of_scipy() -> None:
    exact = nbinom(1.0 / 0.4, 1.0 / (1.0 + 0.4 * RATE))
    assert COUNTS.log_density(Y, F) == pytest.approx(exact.logpmf(Y))


def test_little_dispersion_is_the_poisson_distribution() -> None:
    assert NegativeBinomial(LOG, 1e-7).log_density(Y, F) == pytest.approx(
        POISSON.mapped(LOG).log_density(Y, F), abs=1e-3
    )


def test_derivatives_are_differences() -> None:
    check_derivatives(COUNTS, Y, F)


def test_tilted_is_an_integral() -> None:
    check_tilted(COUNTS, Y, F)


def test_sites_are_the_density_to_the_second_order() -> None:
    check_sites(COUNTS, Y, F)


def test_the_dispersion_that_made_counts_is_found_again() -> None:
    y = nbinom(1.0 / 0.6, 1.0 / (1.0 + 0.6 * 8.0)).rvs(2000, random_state=1).astype(float)
    law = NegativeBinomial(Transform("log", 8.0))
    fitted = law.fitted(y, np.zeros(2000), np.full(2000, 1e-9))
    assert fitted.dispersion == pytest.approx(0.6, rel=0.1)
    assert law.with_numbers(fitted.numbers) == fitted
    with pytest.raises(ValueError, match="a dispersion of -1"):
        law.with_numbers({"dispersion": -1.0})


def test_evidence_by_expectation_is_the_integral_over_a_level() -> None:
    y, law = np.array([0.0, 7.0, 2.0]), NegativeBinomial(Transform("log"), 0.8)
    found = by_expectation(leaf("C", sd=1.5), Problem(np.arange(3.0), y), law, np.zeros(3))
    whole = lambda f: np.exp(law.log_density(y, np.full(3, f)).sum()) * norm(0.0, 1.5).pdf(f)  # noqa: E731
    assert found.log_evidence == pytest.approx(np.log(quad(whole, -8.0, 8.0)[0]), abs=0.02)
