"""How a part runs by joint draws of its posterior: against laws, the textbook, and parts whose run is known."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from autostatistician.decompose.doubt import numbers_held
from autostatistician.decompose.records.series import Leg
from autostatistician.decompose.series.joint import CURVES_DRAWN, joint, run_of
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf

X = np.linspace(0.0, 10.0, 81)
T = X / 10.0
NOISE = leaf("WN", sd=0.3)
ALL = np.arange(81)


def _joint(kernel: Kernel, part: Kernel, y: np.ndarray, rows: np.ndarray = ALL) -> tuple[Posterior, dict[str, object]]:
    posterior = condition(kernel, Problem(X, y))
    mean = posterior.project(part).mean
    weight = np.isin(ALL, rows).astype(float)
    doubt = numbers_held(posterior)
    found = joint(doubt, doubt.fit.parts.index(part), mean, weight, np.random.default_rng(3))
    assert found is not None
    return posterior, dict(vars(found))


@pytest.mark.parametrize(
    ("curve", "holds"),
    [
        (T, {"rising"}),
        (-T, {"falling"}),
        (T**2, {"rising", "convex"}),
        (-(T**2), {"falling", "concave"}),
        (np.sqrt(T), {"rising", "concave"}),
        (-((T - 0.5) ** 2), {"concave", "peak"}),
        ((T - 0.4) ** 2, {"convex", "dip"}),
        (np.tanh(9.0 * (T - 0.5)), {"rising"}),
        (np.sin(12.0 * T), set()),
        (np.ones(81), set()),
        (1e9 + 1e-9 * np.sin(X), set()),
    ],
)
def test_what_single_curves_do(curve: np.ndarray, holds: set[str]) -> None:
    found = vars(run_of(X, curve[None], 0.0))
    assert {name for name in ("rising", "falling", "convex", "concave", "peak", "dip") if found[name]} == holds


def test_small_wiggles_do_not_hide_a_bend_but_end_a_steady_rise() -> None:
    found = run_of(X, (T**2 + 0.004 * np.sin(60.0 * T))[None], 0.0)
    assert (found.convex, found.rising) == (1.0, 0.0)


def test_a_line_rises_with_the_probability_of_its_slope() -> None:
    line = leaf("Lin", sd=0.2, location=-3.0)
    y = 0.06 * X + 0.9 * np.sin(7.0 * X) + 0.3 * np.random.default_rng(1).standard_normal(81)
    level = leaf("C", sd=1.0)  # a line stays with it
    posterior, found = _joint(line + level + leaf("WN", sd=0.7), line + level, y)
    known = posterior.project(line, X[[0, -1], None])
    mean, cov = known.mean, known.covariance()
    slope, sd = mean[1] - mean[0], np.sqrt(cov[0, 0] + cov[1, 1] - 2.0 * cov[0, 1])
    sure = NormalDist().cdf(slope / sd)
    assert 0.6 < sure < 0.999
    assert found["rising"] == pytest.approx(sure, abs=4.0 * np.sqrt(sure * (1.0 - sure) / CURVES_DRAWN))
    assert found["size_sd"] == pytest.approx(sd, rel=1e-6)
    assert (found["convex"], found["peak"]) == (0.0, 0.0)


def test_a_trend_under_noise_is_less_sure_than_its_mean() -> None:
    smooth = leaf("SE", lengthscale=3.0, sd=1.0)
    rng = np.random.default_rng(4)
    sure, unsure = (
        _joint(smooth + leaf("WN", sd=sd), smooth, X / 5.0 + sd * rng.standard_normal(81))[1] for sd in (0.02, 0.9)
    )
    assert sure["rising"] == 1.0
    assert unsure["rising"] < 0.9


def test_a_wandering_level_never_rises_throughout() -> None:
    level = leaf("Matern12", lengthscale=50.0, sd=2.0)
    _, found = _joint(level + NOISE, level, X / 3.0)
    assert found["rising"] < 0.5


def test_swings_that_grow() -> None:
    cycle = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
    y = np.sin(2.0 * np.pi * X)
    for part, low, high in ((cycle, 0.9, 1.1), (cycle * leaf("Lin", sd=1.0, location=-1.0), 2.5, 5.0)):
        told = y if part is cycle else (X + 1.0) * y
        growth = _joint(part + NOISE, part, told)[1]["growth"]
        assert isinstance(growth, tuple)
        assert low < growth[1] <= growth[0] <= growth[2] < high


def test_only_the_given_rows_count_and_repeated_places_once() -> None:
    smooth = leaf("SE", lengthscale=2.0, sd=1.0)
    bent = np.where(X < 5.0, X, 10.0 - X)
    _, found = _joint(smooth + NOISE, smooth, bent, ALL[X < 4.5])
    assert found["rising"] > 0.9
    assert _joint(smooth + NOISE, smooth, bent)[1]["rising"] == 0.0
    twice = condition(smooth + NOISE, Problem(np.zeros(5), np.ones(5)))
    assert joint(numbers_held(twice), 0, np.ones(5), np.ones(5), np.random.default_rng(0)) is None


def test_same_generator_same_shares() -> None:
    smooth = leaf("SE", lengthscale=3.0, sd=1.0)
    first, second = (_joint(smooth + NOISE, smooth, np.sin(X))[1] for _ in range(2))
    assert first == second


def _legs(mean: np.ndarray, weight: np.ndarray) -> tuple[Leg, ...]:
    part = leaf("SE", lengthscale=1.0, sd=3.0)
    doubt = numbers_held(condition(part + NOISE, Problem(X, mean)))
    found = joint(doubt, doubt.fit.parts.index(part), mean, weight, np.random.default_rng(3))
    assert found is not None
    return found.legs


def test_the_legs_leave_out_where_a_window_only_opens() -> None:
    weight = np.clip((X - 2.0) / 2.0, 0.0, 1.0)
    (fall,) = _legs((10.0 - X) * weight, weight)  # what opens seems to rise first
    assert (fall.rises, fall.start) == (False, X[weight > 0.99][0])


def test_the_legs_hold_where_a_window_does_not_close_wholly() -> None:
    inside = (X > 4.0) & (X < 5.0)
    weight = np.where(inside, 0.6, 1.0)
    deepest = _legs(10.0 - X - 6.0 * inside, weight)[0]
    assert 4.0 < deepest.stop < 5.0
