"""Errors of two sizes: densities, chances and what is estimated of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from autostatistician.inference.likelihoods.contaminated import Contaminated, fitted_to


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
