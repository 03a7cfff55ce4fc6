"""Averages of densities over a normal function, against integrals."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, log_expit
from scipy.stats import norm

from autostatistician.inference.predictive.quadrature import averaged_density


def slopes(f: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    share = expit(f)
    return 1.0 - share, -share * (1.0 - share), np.zeros_like(f)


@pytest.mark.parametrize(("mean", "variance"), [(0.0, 1.0), (-4.0, 9.0), (2.0, 0.01)])
def test_a_logistic_density_is_averaged(mean: float, variance: float) -> None:
    value, first, second = averaged_density(log_expit, slopes, np.array([mean]), np.array([variance]))
    density = norm(mean, np.sqrt(variance)).pdf
    exact = quad(lambda f: expit(f) * density(f), mean - 30.0, mean + 30.0, points=[mean], limit=200)[0]
    assert value == pytest.approx([np.log(exact)], abs=1e-5)
    step = 1e-4
    above, below = (
        averaged_density(log_expit, slopes, np.array([mean + s]), np.array([variance])) for s in (step, -step)
    )
    assert first == pytest.approx((above[0] - below[0]) / (2.0 * step), abs=1e-5)
    assert second == pytest.approx((above[1] - below[1]) / (2.0 * step), abs=1e-5)


def test_about_a_known_value_it_is_the_density_there() -> None:
    value, first, second = averaged_density(log_expit, slopes, np.array([-1.0]), np.zeros(1))
    assert value == pytest.approx(log_expit(np.array([-1.0])), abs=1e-9)
    assert (first[0], second[0]) == pytest.approx(tuple(part[0] for part in slopes(np.array([-1.0]))[:2]), abs=1e-6)
