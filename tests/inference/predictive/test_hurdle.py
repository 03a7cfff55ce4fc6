"""Predictions of counts whose zeros have a chance of their own, against draws and SciPy's distribution."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import poisson

from autostatistician.data.transform import Transform
from autostatistician.inference.predictive.hurdle import HurdlePredictive, derivatives_of_some, log_some

LOG = Transform("log")


def known(rate: float, none: float = 0.4) -> HurdlePredictive:
    return HurdlePredictive(np.log([[rate]]), np.array([[1e-9]]), np.ones(1), LOG, none=none)


@pytest.mark.parametrize("rate", [1e-9, 0.05, 1.0, 7.5, 300.0])
def test_it_is_poisson_from_one_beside_its_zeros(rate: float) -> None:
    made, exact = known(rate), poisson(rate)
    some = -np.expm1(-rate)
    for y in (1.0, 2.0, np.ceil(rate)):
        at = np.array([y])
        assert made.cdf(at) == pytest.approx([1.0 - 0.6 * exact.sf(y) / some], abs=1e-6)
        assert made.log_density(at) == pytest.approx([np.log(0.6) + exact.logpmf(y) - np.log(some)], abs=1e-5)
    assert made.cdf(np.zeros(1)) == pytest.approx([0.4])
    assert made.mean == pytest.approx([0.6 * rate / some])
    assert made.quantiles([0.39, 0.41])[0, 0] == 0.0 < made.quantiles([0.39, 0.41])[0, 1]


@pytest.mark.parametrize("level", [1.0, 7.0])
def test_about_uncertain_rates_it_is_what_draws_are(level: float) -> None:
    rng, n = np.random.default_rng(0), 50_000
    made = HurdlePredictive(
        np.array([[level], [level + 0.3]]), np.array([[0.6], [0.3]]), np.array([0.6, 0.4]), LOG, none=0.55
    )
    logs = np.where(
        rng.random(n) < 0.6, level + 0.6 * rng.standard_normal(n), level + 0.3 + 0.3 * rng.standard_normal(n)
    )
    rates = np.exp(logs)
    # from one by inversion
    below = np.exp(-rates)
    draws = poisson(rates).ppf(below + rng.random(n) * (1.0 - below)) * (rng.random(n) > 0.55)
    assert made.mean == pytest.approx([draws.mean()], rel=0.02)
    assert made.std == pytest.approx([draws.std()], rel=0.02)
    for y in np.quantile(draws, (0.3, 0.7, 0.9)):
        assert made.cdf(np.array([y])) == pytest.approx([(draws <= y).mean()], abs=0.005)
    y = np.quantile(draws, (0.1, 0.9))[1]
    assert made.crps(np.array([y])) == pytest.approx(
        [np.abs(draws - y).mean() - 0.5 * np.abs(draws - rng.permutation(draws)).mean()], rel=0.02
    )


def test_limits_hold_for_its_moments() -> None:
    whole, cut = known(3.0), replace(known(3.0), high=2.0)
    assert cut.mean[0] < whole.mean[0]
    assert cut.mean == pytest.approx([0.6 * (1.0 + 1.0 - np.exp(log_some(np.ones(1), np.log([3.0]))[0]))])


def test_tiny_rates_keep_their_digits() -> None:
    first, second, third = derivatives_of_some(np.array([1.0, 1.0]), np.array([-25.0, np.log(1.0000001e-4)]))
    assert second / first == pytest.approx([1.0, 1.0], rel=1e-3)
    assert third / first == pytest.approx([1.0, 1.0], rel=1e-3)
