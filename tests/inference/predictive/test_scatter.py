"""The negative binomial distribution by its log rate, against SciPy's."""

import numpy as np
import pytest
from scipy.stats import nbinom

from autostatistician.inference.predictive.scatter import derivatives_of_scattered, log_scattered, most_scattered

Y = np.array([0.0, 2.0, 30.0, 1e6])
ETA = np.array([-8.0, 1.0, 3.0, 13.0])


@pytest.mark.parametrize("dispersion", [0.01, 0.7, 5.0])
def test_it_is_the_distribution_of_scipy(dispersion: float) -> None:
    exact = nbinom(1.0 / dispersion, 1.0 / (1.0 + dispersion * np.exp(ETA)))
    assert log_scattered(Y, ETA, dispersion) == pytest.approx(exact.logpmf(Y), rel=1e-6)
    assert most_scattered(Y, ETA, dispersion) == pytest.approx(exact.cdf(Y), rel=1e-6)


def test_slopes_are_differences() -> None:
    step, made = 1e-4, derivatives_of_scattered(Y, ETA, 0.7)
    above, below = (derivatives_of_scattered(Y, ETA + move, 0.7) for move in (step, -step))
    values = [log_scattered(Y, ETA + move, 0.7) for move in (step, -step)]
    assert made[0] == pytest.approx((values[0] - values[1]) / (2.0 * step), rel=1e-5, abs=1e-5)
    assert made[1] == pytest.approx((above[0] - below[0]) / (2.0 * step), rel=1e-5)
    assert made[2] == pytest.approx((above[1] - below[1]) / (2.0 * step), rel=1e-5)
