"""Shares of totals about uncertain chances, against SciPy's distribution and against draws."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from autostatistician.data.transform import Transform
from autostatistician.inference.predictive.shares import (
    SharePredictive,
    derivatives_of_part,
    log_part,
    most_of_part,
)

ODDS = Transform("logit", 0.3)
Y, LOG_ODDS, TOTALS = np.array([0.0, 3.0, 50.0, 1.0]), np.array([-3.0, 0.5, 2.0, 1.0]), np.array([5.0, 8.0, 50.0, 1.0])


def test_it_is_the_distribution_of_scipy() -> None:
    exact = binom(TOTALS.astype(int), expit(LOG_ODDS))
    assert log_part(Y, LOG_ODDS, TOTALS) == pytest.approx(exact.logpmf(Y))
    assert most_of_part(Y, LOG_ODDS, TOTALS) == pytest.approx(exact.cdf(Y))


def test_slopes_are_differences() -> None:
    step, made = 1e-4, derivatives_of_part(Y, LOG_ODDS, TOTALS)
    above, below = (derivatives_of_part(Y, LOG_ODDS + move, TOTALS) for move in (step, -step))
    values = [log_part(Y, LOG_ODDS + move, TOTALS) for move in (step, -step)]
    assert made[0] == pytest.approx((values[0] - values[1]) / (2.0 * step), abs=1e-5)
    assert made[1] == pytest.approx((above[0] - below[0]) / (2.0 * step), abs=1e-5)
    assert made[2] == pytest.approx((above[1] - below[1]) / (2.0 * step), abs=1e-5)


@pytest.mark.parametrize(("chance", "total"), [(0.02, 30.0), (0.45, 7.0), (0.98, 400.0)])
def test_about_a_known_chance_it_is_the_binomial_distribution(chance: float, total: float) -> None:
    means = ODDS.forward(np.array([[chance]]))
    made = SharePredictive(means, np.array([[1e-8]]), np.ones(1), ODDS, sizes=np.array([total]))
    exact, levels = binom(int(total), chance), (0.025, 0.5, 0.975)
    assert made.quantiles(levels)[0] == pytest.approx(exact.ppf(levels) / total)
    assert made.mean == pytest.approx([chance])
    assert made.std == pytest.approx([exact.std() / total])
    for y in exact.ppf((0.1, 0.9)):
        assert made.cdf(np.array([y]) / total) == pytest.approx([exact.cdf(y)], abs=1e-6)
        assert made.log_density(np.array([y]) / total) == pytest.approx([exact.logpmf(y)], abs=1e-5)


def test_about_uncertain_chances_it_is_what_draws_are() -> None:
    rng = np.random.default_rng(0)
    means, sds = np.array([[0.4], [1.0]]), np.array([[0.8], [0.3]])
    made = SharePredictive(means, sds, np.array([0.6, 0.4]), ODDS, 0.0, 0.0, 1.0, sizes=np.array([12.0]))
    logs = np.where(
        rng.random(200_000) < 0.6, *(m + s * rng.standard_normal(200_000) for m, s in zip(means, sds, strict=True))
    )
    draws = rng.binomial(12, ODDS.back(logs)) / 12.0
    assert made.mean == pytest.approx([draws.mean()], rel=0.01)
    assert made.std == pytest.approx([draws.std()], rel=0.01)
    for y in (0.0, 0.25, 0.75):
        assert made.cdf(np.array([y])) == pytest.approx([(draws <= y + 1e-9).mean()], abs=0.005)
    ends = made.quantiles([1e-12, 1.0 - 1e-12])
    assert (ends >= 0.0).all()
    assert (ends <= 1.0).all()
    assert made.crps(np.array([0.5])) == pytest.approx(
        [np.abs(draws - 0.5).mean() - 0.5 * np.abs(draws[::2] - draws[1::2]).mean()], abs=0.003
    )
