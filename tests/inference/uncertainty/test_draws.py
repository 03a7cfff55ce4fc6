"""Draws of the numbers of a model against the exact posterior of the simplest one."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.parameters.bounds import shortest_shape
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.draws import draws
from autostatistician.language.kernel import leaf

X = np.arange(40.0)[:, None]


def _points(y: np.ndarray) -> Problem:
    return Problem(X, y, ("x",))


def test_the_spread_of_a_noise_level_is_that_of_its_posterior() -> None:
    y = np.random.default_rng(0).normal(size=40)
    scales = measure(X, y, ("x",))
    best = fit(leaf("WN", sd=0.5), _points(y), scales).kernel
    found = draws(best, _points(y), scales, np.random.default_rng(1), 400)
    logs, weights = np.log([one.values[0] for one, _ in found]), np.array([weight for _, weight in found])
    assert weights.sum() == pytest.approx(1.0)
    # the log of a standard deviation seen n times has the standard deviation 1 / sqrt(2 n)
    middle = float(weights @ logs)
    assert float(np.sqrt(weights @ (logs - middle) ** 2)) == pytest.approx(1 / np.sqrt(80.0), rel=0.15)
    assert middle == pytest.approx(np.log(best.values[0]), abs=0.02)


def test_few_draws_spread_as_far_as_the_posterior() -> None:
    y = np.random.default_rng(0).normal(size=40)
    scales = measure(X, y, ("x",))
    best = fit(leaf("WN", sd=0.5), _points(y), scales).kernel
    logs, weights = [], []
    for seed in range(40):
        found = draws(best, _points(y), scales, np.random.default_rng(seed), 6)
        logs += [float(np.log(one.values[0])) for one, _ in found]
        weights += [weight for _, weight in found]
    variance = np.average((logs - np.average(logs, weights=weights)) ** 2, weights=weights)
    assert variance * 80.0 == pytest.approx(1.0, abs=0.1)


def test_draws_keep_the_structure_stay_inside_the_bounds_and_repeat() -> None:
    rng = np.random.default_rng(2)
    y = np.sin(X[:, 0] / 3.0) + 0.1 * rng.normal(size=40)
    scales = measure(X, y, ("x",))
    start = leaf("SE", lengthscale=3.0, sd=1.0) + leaf("WN", sd=0.1)
    best = fit(start, _points(y), scales).kernel
    one, again = (draws(best, _points(y), scales, np.random.default_rng(3), 16) for _ in range(2))
    assert one == again
    assert {kernel.expr for kernel, _ in one} == {best.expr}
    assert len({kernel.values for kernel, _ in one}) > 8
    assert all(np.isfinite(kernel.values).all() for kernel, _ in one)


def test_one_draw_is_the_optimum() -> None:
    y = np.random.default_rng(0).normal(size=40)
    kernel = leaf("WN", sd=1.0)
    assert draws(kernel, _points(y), measure(X, y, ("x",)), np.random.default_rng(0), 1) == [(kernel, 1.0)]


def test_numbers_at_a_bound_that_hangs_on_another_stay_there() -> None:
    # the shortest shape that a cycle of seven places may have
    scales = measure(X, np.ones(40), ("x",))
    shortest = np.exp(shortest_shape(7.0, scales.columns["x"])[0])
    kernel = leaf("Per", lengthscale=float(shortest), period=7.0, sd=1.0) + leaf("WN", sd=0.5)
    y = np.where(np.arange(40) % 7 == 0, 3.0, -0.5) + 0.5 * np.random.default_rng(5).normal(size=40)
    found = draws(kernel, _points(y), measure(X, y, ("x",)), np.random.default_rng(6), 8)
    assert {one.values[0] for one, _ in found} == {kernel.values[0]}
