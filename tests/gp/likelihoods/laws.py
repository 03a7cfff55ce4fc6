"""What holds for every law that pseudo-targets stand for: its derivatives, averages over a function, and sites."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import norm

from autostatistician.gp.count_likelihoods import NormalSites, Sited

__all__ = ["check_derivatives", "check_sites", "check_tilted"]
Array = NDArray[np.float64]
VARIANCE = np.array([0.3, 1.0, 2.0])  # of three values of a function


def check_derivatives(law: Sited, y: Array, f: Array) -> None:
    """They are differences."""
    first, second, third = law.derivatives(y, f)
    step = 1e-5
    ends = [law.derivatives(y, f + sign * step) for sign in (1.0, -1.0)]
    density = [law.log_density(y, f + sign * step) for sign in (1.0, -1.0)]
    assert first == pytest.approx((density[0] - density[1]) / (2 * step), rel=1e-6)
    assert second == pytest.approx((ends[0][0] - ends[1][0]) / (2 * step), rel=1e-6)
    assert third == pytest.approx((ends[0][1] - ends[1][1]) / (2 * step), rel=1e-6)


def check_tilted(law: Sited, y: Array, f: Array, *, close: float = 1e-6, slopes: float = 1e-5) -> None:
    """It is an integral, with its differences by the mean."""
    value, first, second = law.tilted(y, f, VARIANCE)
    for row, (mean, variance, log_mean) in enumerate(zip(f, VARIANCE, value, strict=True)):
        density = norm(mean, np.sqrt(variance)).pdf
        of_row = lambda u, row=row: law.log_density(y, np.full(3, u))[row]  # noqa: E731
        integral, _ = quad(lambda u: np.exp(of_row(u)) * density(u), -10, 15, points=[mean], limit=200)  # noqa: B023
        assert log_mean == pytest.approx(np.log(integral), abs=close)
    step = 1e-4
    above, below = (law.tilted(y, f + sign * step, VARIANCE) for sign in (1.0, -1.0))
    assert first == pytest.approx((above[0] - below[0]) / (2 * step), rel=slopes)
    assert second == pytest.approx((above[1] - below[1]) / (2 * step), rel=slopes)


def check_sites(law: Sited, y: Array, f: Array) -> NormalSites:
    """They are the density to the second order."""
    sites = law.normal_sites(y, f)
    for away, close in ((0.0, 1e-12), (1e-3, 1e-7)):
        normal = norm(f + away, np.sqrt(sites.variances)).logpdf(sites.values).sum() + sites.log_ratio
        assert normal == pytest.approx(float(law.log_density(y, f + away).sum()), abs=close)
    return sites
