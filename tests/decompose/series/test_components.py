"""The facts about each part: against the posterior, and the arithmetic of shares of variance."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.series.series import LEVEL, MODEL, NOISE, SMOOTH, TREND, X, Y, taken_apart, toy

from autostatistician.decompose.series.components import explained_share
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf


def test_slopes_come_with_their_posterior_uncertainty() -> None:
    trend = next(part for part in taken_apart(MODEL, intervals=False).components if str(part.kernel) == "Lin + C")
    known = condition(MODEL, Problem(X, Y)).project(TREND, X[[0, -1], None])
    mean, cov = known.mean, known.covariance()
    contrast = np.array([-1.0, 1.0]) / 10.0
    assert trend.slope == pytest.approx(contrast @ mean)
    assert trend.slope_sd == pytest.approx(np.sqrt(contrast @ cov @ contrast), rel=1e-4)


def test_noise_has_no_slope() -> None:
    growing = leaf("WN", sd=0.1) * leaf("Lin", sd=1.0, location=-2.0)
    noise = taken_apart(SMOOTH + LEVEL + growing).components[-1]
    assert noise.is_noise
    assert (noise.monotonic, noise.slope, noise.slope_sd) == (0, 0.0, 0.0)


def test_parts_that_apply_in_a_window_only() -> None:
    model = Kernel.change_point(SMOOTH, TREND, location=5.0, steepness=9.0) + NOISE
    active = {str(part.kernel): part.active for part in taken_apart(model).components}
    assert active["CP(SE, 0)"] == (0.0, 4.5)
    assert active["CP(0, Lin)"] == (5.5, 10.0)
    assert active["WN"] == (0.0, 10.0)


def test_draws_scatter_around_their_curves() -> None:
    found = toy()
    for samples, curve in [(found.samples, found.signal), *((part.samples, part.curve) for part in found.components)]:
        assert samples.shape == (3, len(curve.x))
        assert np.abs(samples - curve.mean).max() < 6.0 * curve.sd.max()
        assert np.abs(samples - curve.mean).max() > 0.5 * curve.sd.min()


def test_parts_know_how_they_run_and_how_sure_their_numbers_are() -> None:
    found, again = toy(), taken_apart(MODEL)
    for part, other in zip(found.components, again.components, strict=True):
        assert (part.joint is None) is part.is_noise
        assert part.joint == other.joint
        assert part.numbers is not None
        assert other.numbers is not None
        assert part.numbers.shape[1] == len(part.kernel.values)
        assert part.numbers.tobytes() == other.numbers.tobytes()
    line = next(part for part in found.components if str(part.kernel) == "Lin + C")
    assert line.joint is not None
    assert line.joint.rising > 0.9


def test_each_share_is_that_of_what_the_parts_before_left() -> None:
    left = Y.copy()
    for part in toy().components:
        before, left = left, left - part.mean
        assert part.residual_r2 == pytest.approx(1.0 - left.var() / before.var())
        assert part.r2 == pytest.approx(1.0 - left.var() / Y.var())
        assert part.variance_share == pytest.approx(part.mean.var() / Y.var())


def test_what_rounding_leaves_of_a_constant_explains_nothing() -> None:
    constant = np.full(50, 1e8) + np.linspace(0.0, 1e-8, 50)
    assert explained_share(np.zeros(50), constant) == 0.0
    assert explained_share(0.5 * Y, Y) == pytest.approx(0.75)


def test_the_bend_is_the_later_slope_less_the_earlier() -> None:
    smooth = next(part for part in toy().components if str(part.kernel) == "SE")
    bend, mean = smooth.bend, smooth.mean
    assert bend is not None
    early, late = (mean[20] - mean[0]) / 5.0, (mean[40] - mean[20]) / 5.0
    assert (bend.early, bend.late, bend.change) == pytest.approx((early, late, late - early))
    assert bend.change_sd > 0.0


def test_noise_that_comes_first_explains_nothing() -> None:
    counts = np.where(np.arange(41) % 3 == 0, 6.0, 0.0)
    found = taken_apart(leaf("C", sd=2.0) + leaf("WN", sd=3.0), y=counts, intervals=False)
    noise, level = found.components
    assert (noise.is_noise, level.is_noise) == (True, False)
    assert level.r2 == level.residual_r2 == level.delta_r2 == pytest.approx(found.signal_r2)
