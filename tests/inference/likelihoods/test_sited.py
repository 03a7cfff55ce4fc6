"""What every likelihood with sites shares: its averages, its sites, its name."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from autostatistician.data.transform import Transform
from autostatistician.inference.likelihoods.negative_binomial import NegativeBinomial
from autostatistician.inference.likelihoods.poisson import POISSON
from autostatistician.inference.likelihoods.sited import Sited

LAWS = [POISSON.mapped(Transform("log", 2.0)), NegativeBinomial(Transform("log", 2.0), 0.5)]
Y, F, VARIANCE = np.array([0.0, 4.0, 9.0]), np.array([-1.0, 0.5, 1.0]), np.array([0.1, 1.0, 4.0])


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_averages_by_quadrature_are_those_of_the_kind(law: Sited) -> None:
    for own, shared in zip(law.tilted(Y, F, VARIANCE), Sited.tilted(law, Y, F, VARIANCE), strict=True):
        assert own == pytest.approx(shared, abs=1e-4)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_sites_stand_for_observations(law: Sited) -> None:
    sites = law.normal_sites(Y, F)
    normal = norm(F, np.sqrt(sites.variances)).logpdf(sites.values).sum() + sites.log_ratio
    assert normal == pytest.approx(law.log_density(Y, F).sum())
    assert sites.moved(1.5).values == pytest.approx(sites.values + 1.5)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_its_numbers_make_it_again(law: Sited) -> None:
    assert law.with_numbers(law.numbers) == law
    assert law.mapped(Transform()).transform == Transform()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_an_exposure_is_so_much_of_the_rate(law: Sited) -> None:
    sizes = np.array([0.5, 2.0, 3.0])
    about = replace(law, sizes=sizes)
    assert about.log_density(Y, F) == pytest.approx(law.log_density(Y, F + np.log(sizes)))
    assert about.tilted(Y, F, VARIANCE)[0] == pytest.approx(law.tilted(Y, F + np.log(sizes), VARIANCE)[0])
    assert about.first(Y) == pytest.approx(law.first(Y) - np.log(sizes))
    assert about.alone().sizes is None
    assert about == law  # sizes are of rows, not of the law
