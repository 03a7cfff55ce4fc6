"""The Gaussian likelihood answers all that is asked of one."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from autostatistician.data.transform import Transform, transform_of
from autostatistician.gp.count_likelihoods import POISSON, NegativeBinomial, Sited
from autostatistician.gp.likelihoods import GAUSSIAN, Contaminated, Likelihood, fitted_to
from autostatistician.kernels.kernel import leaf
from autostatistician.kernels.text import parse


def _errors(seed: int, share: float, n: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    out = rng.uniform(size=n) < share
    return rng.normal(size=n) * np.where(out, 10.0, 1.0), out


def test_the_density_is_one_of_a_distribution_with_its_variance_and_mean() -> None:
    errors = Contaminated(0.1, 4.0, 0.5, up=0.8)
    moments = [_moment(errors, power) for power in (0, 1, 2)]
    mean = 0.1 * (0.8 - 0.2) * 2.0 * np.sqrt(2.0 / np.pi)
    assert moments == pytest.approx([1.0, mean, 0.9 * 0.25 + 0.1 * 4.0], rel=1e-5)


def _moment(errors: Contaminated, power: int) -> float:
    return sum(quad(lambda z: z**power * np.exp(errors.log_density(np.array([z])))[0], *ends)[0]
               for ends in ((-30.0, 0.0), (0.0, 30.0)))  # fmt: skip


def test_chances_are_those_of_bayes() -> None:
    errors = Contaminated(0.1, 4.0, 0.5)
    large, usual = 0.1 * norm.pdf(1.3, scale=2.0), 0.9 * norm.pdf(1.3, scale=0.5)
    assert errors.chances(np.array([1.3]))[0] == pytest.approx(large / (large + usual))


@pytest.mark.parametrize("share", [0.02, 0.1])
def test_what_errors_were_drawn_from_is_found_and_chances_are_calibrated(share: float) -> None:
    errors, out = _errors(3, share)
    found = fitted_to(errors, np.abs(errors) > 4.0)
    assert (found.share, found.times, found.scale, found.up) == pytest.approx((share, 10.0, 1.0, 0.5), rel=0.25)
    chances = found.chances(errors)
    for low, high in ((0.0, 0.1), (0.1, 0.9), (0.9, 1.01)):
        near = (chances >= low) & (chances < high)
        assert out[near].mean() == pytest.approx(chances[near].mean(), abs=0.12)


def test_none_that_is_out_leaves_a_small_share() -> None:
    errors = np.random.default_rng(0).normal(size=100)
    found = fitted_to(errors, np.zeros(100, dtype=bool))
    assert found.share < 0.03
    assert found.chances(errors).max() < 0.5


@pytest.mark.parametrize(
    ("text", "admitted"),
    [
        ("SE + WN", True),
        ("SE", False),
        ("SE * WN", True),
        ("CP(WN, SE)", False),
        ("CP(WN, SE + WN)", True),
        ("0", False),
    ],
)
def test_there_must_be_noise_everywhere(text: str, admitted: bool) -> None:
    assert GAUSSIAN.admits(parse(text)) == admitted


def test_all_noise_is_in_the_kernel() -> None:
    signal, noise = GAUSSIAN.halves(leaf("SE", sd=1.0, lengthscale=1.0) + leaf("WN", sd=0.5))
    assert (str(signal), str(noise)) == ("SE", "WN")
    assert not GAUSSIAN.variance(np.zeros((3, 1))).any()


def test_predictions_are_mapped_back() -> None:
    data = np.array([1.0, 10.0, 100.0])
    log = GAUSSIAN.mapped(transform_of("log", data))
    middle = log.transform.forward(np.array([10.0]))
    found = log.predictive(middle[None], np.ones((1, 1)), np.ones(1), offset=3.0)
    assert found.quantiles([0.5])[0, 0] == pytest.approx(13.0)
    assert found.mean[0] == pytest.approx(3.0 + 10.0 * np.exp(0.5))


def test_limits_are_those_of_the_data() -> None:
    found = GAUSSIAN.predictive(np.zeros((1, 1)), np.ones((1, 1)), np.ones(1), limits=(0.0, np.inf))
    assert found.quantiles([0.025])[0, 0] == 0.0


LAWS = [POISSON.mapped(Transform("log", 2.0)), NegativeBinomial(Transform("log", 2.0), 0.5)]
Y, F, VARIANCE = np.array([0.0, 4.0, 9.0]), np.array([-1.0, 0.5, 1.0]), np.array([0.1, 1.0, 4.0])


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_averages_by_quadrature_are_those_of_the_kind(law: Sited) -> None:
    for own, shared in zip(law.tilted(Y, F, VARIANCE), Sited.tilted(law, Y, F, VARIANCE), strict=True):
        assert own == pytest.approx(shared, abs=1e-4)


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


def test_nothing_is_missing() -> None:
    asked = {name for name in vars(Likelihood) if not name.startswith("_")}
    assert {"admits", "halves", "mapped", "predictive", "start", "variance"} <= asked
    assert {name for name in asked if not callable(getattr(GAUSSIAN, name, None))} == {"is_latent"}
    assert GAUSSIAN.is_latent is False
