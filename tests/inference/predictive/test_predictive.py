"""Predictive distributions: normal, lognormal and mixed, against draws and known distributions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, stats

from autostatistician.data.transform import Transform
from autostatistician.inference.predictive.counts import CountPredictive
from autostatistician.inference.predictive.predictive import Predictive, predictive

LOG, NONE = Transform("log", 5.0), Transform()
MIXED = (np.array([[0.1], [0.5]]), np.array([[0.3], [0.6]]), np.array([0.3, 0.7]))


def _known(one: Predictive) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A fine grid of the data, and the distribution function there from the members' own."""
    y = np.linspace(-4.0, 400.0, 400_001)
    total = np.zeros_like(y)
    for mean, sd, weight in zip(one.means[:, 0], one.sds[:, 0], one.weights, strict=True):
        log = stats.lognorm(sd, scale=5.0 * np.exp(mean)) if one.transform.is_log else stats.norm(mean, sd)
        total += weight * log.cdf(y - one.offset)
    return y, total


@pytest.mark.parametrize("one", [Predictive(*MIXED, LOG), Predictive(*MIXED, NONE, 2.0)], ids=["log", "none"])
def test_everything_agrees_with_the_distribution_function(one: Predictive) -> None:
    y, cdf = _known(one)
    density = np.gradient(cdf, y)
    mean = integrate.trapezoid(density * y, y)
    assert one.mean[0] == pytest.approx(mean, rel=1e-3)
    assert one.std[0] == pytest.approx(np.sqrt(integrate.trapezoid(density * (y - mean) ** 2, y)), rel=1e-2)
    assert one.quantiles((0.1, 0.9))[0] == pytest.approx(np.interp((0.1, 0.9), cdf, y), rel=1e-3)
    for place in (2.5, 4.0, 9.0):
        at = np.array([place])
        assert one.cdf(at)[0] == pytest.approx(np.interp(place, y, cdf), abs=1e-4)
        assert one.crps(at)[0] == pytest.approx(integrate.trapezoid((cdf - (y >= place)) ** 2, y), rel=1e-3)
        if place < 5.0:
            assert np.exp(one.log_density(at)[0]) == pytest.approx(np.interp(place, y, density), rel=1e-3)


def test_one_model_has_the_moments_of_its_own_distribution() -> None:
    one = predictive(np.array([0.2]), np.array([0.5]), LOG)
    known = stats.lognorm(0.5, scale=5.0 * np.exp(0.2))
    assert one.mean[0] == pytest.approx(known.mean())
    assert one.quantiles((0.025, 0.975))[0] == pytest.approx(known.ppf([0.025, 0.975]))
    assert one.log_density(np.array([3.0]))[0] == pytest.approx(known.logpdf(3.0))


def test_impossible_values_have_no_density_but_a_score() -> None:
    one = predictive(np.array([0.0]), np.array([0.5]), LOG)
    assert one.log_density(np.array([-1.0]))[0] == -np.inf
    assert one.cdf(np.array([0.0]))[0] == 0.0
    # below everything: E Y - y - E|Y - Y'| / 2
    assert one.crps(np.array([-1.0]))[0] == pytest.approx(one.crps(np.array([0.0]))[0] + 1.0)


def test_what_lies_beyond_a_value_has_all_digits_and_a_limit_its_share() -> None:
    far = predictive(np.zeros(2), np.ones(2), Transform()).beyond(np.array([-20.0, 20.0]))
    assert 0.0 < far[0][0] == far[1][1] < 1e-80
    limited = replace(predictive(np.zeros(1), np.ones(1), Transform()), low=0.0).beyond(np.zeros(1))
    assert [float(side[0]) for side in limited] == [0.0, 0.5]
    counts = CountPredictive(np.log([[2.0]]), np.array([[0.3]]), np.ones(1), Transform("log"))
    below, above = counts.beyond(np.array([3.0]))
    assert float(below[0] + above[0] + np.exp(counts.log_density(np.array([3.0])))[0]) == pytest.approx(1.0)
