"""A walk through the posterior of numbers: against integrals over a grid, bounds, and posteriors with two tops."""

import numpy as np
import pytest

from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.fitting import fit
from autostatistician.gp.parameters.bounds import shortest_shape
from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.scales import Scales, measure
from autostatistician.gp.problem import Problem
from autostatistician.gp.sampling import MOST_DRAWS, draws, walk
from autostatistician.kernels.kernel import Kernel, leaf

X_OF_DRAWS = np.arange(40.0)[:, None]


def _data(y: np.ndarray, x: np.ndarray = X_OF_DRAWS) -> tuple[Problem, Scales]:
    return Problem(x, y, ("x",)), measure(x, y, ("x",))


def test_the_spread_of_a_noise_level_is_that_of_its_posterior() -> None:
    points, scales = _data(np.random.default_rng(0).normal(size=40))
    best = fit(leaf("WN", sd=0.5), points, scales).kernel
    found = draws(best, points, scales, np.random.default_rng(1), 400)
    logs, weights = np.log([one.values[0] for one, _ in found]), np.array([weight for _, weight in found])
    assert weights.sum() == pytest.approx(1.0)
    # the log of a standard deviation seen n times has the standard deviation 1 / sqrt(2 n)
    middle = float(weights @ logs)
    assert float(np.sqrt(weights @ (logs - middle) ** 2)) == pytest.approx(1 / np.sqrt(80.0), rel=0.15)
    assert middle == pytest.approx(np.log(best.values[0]), abs=0.02)


def test_few_draws_spread_as_far_as_the_posterior() -> None:
    points, scales = _data(np.random.default_rng(0).normal(size=40))
    best = fit(leaf("WN", sd=0.5), points, scales).kernel
    logs, weights = [], []
    for seed in range(40):
        found = draws(best, points, scales, np.random.default_rng(seed), 6)
        logs += [float(np.log(one.values[0])) for one, _ in found]
        weights += [weight for _, weight in found]
    variance = np.average((logs - np.average(logs, weights=weights)) ** 2, weights=weights)
    assert variance * 80.0 == pytest.approx(1.0, abs=0.1)


def test_draws_keep_the_structure_stay_inside_the_bounds_and_repeat() -> None:
    rng = np.random.default_rng(2)
    points, scales = _data(np.sin(X_OF_DRAWS[:, 0] / 3.0) + 0.1 * rng.normal(size=40))
    start = leaf("SE", lengthscale=3.0, sd=1.0) + leaf("WN", sd=0.1)
    best = fit(start, points, scales).kernel
    one, again = (draws(best, points, scales, np.random.default_rng(3), 16) for _ in range(2))
    assert one == again
    assert {kernel.expr for kernel, _ in one} == {best.expr}
    assert len({kernel.values for kernel, _ in one}) > 8
    assert all(np.isfinite(kernel.values).all() for kernel, _ in one)


def test_one_draw_is_the_optimum() -> None:
    kernel, data = leaf("WN", sd=1.0), _data(np.random.default_rng(0).normal(size=40))
    assert draws(kernel, *data, np.random.default_rng(0), 1) == [(kernel, 1.0)]


def test_numbers_at_a_bound_that_hangs_on_another_stay_there() -> None:
    # the shortest shape that a cycle of seven places may have
    scales = measure(X_OF_DRAWS, np.ones(40), ("x",))
    shortest = np.exp(shortest_shape(7.0, scales.columns["x"])[0])
    kernel = leaf("Per", lengthscale=float(shortest), period=7.0, sd=1.0) + leaf("WN", sd=0.5)
    y = np.where(np.arange(40) % 7 == 0, 3.0, -0.5) + 0.5 * np.random.default_rng(5).normal(size=40)
    found = draws(kernel, *_data(y), np.random.default_rng(6), 8)
    assert {one.values[0] for one, _ in found} == {kernel.values[0]}


X = np.linspace(0.0, 10.0, 40)


def _walk(start: Kernel, y: np.ndarray, seed: int = 0) -> tuple[Kernel, np.ndarray]:
    """The fit, and the numbers (k, p) of the walk around it."""
    points, scales = _data(y, X[:, None])
    fitted = fit(start, points, scales).kernel
    found = walk(fitted, points, scales, np.random.default_rng(seed))
    assert all(one.expr == fitted.expr for one in found)
    return fitted, np.array([one.values for one in found])


def _grid(fitted: Kernel, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard deviations of both coordinates of a model of two numbers, by a sum over a grid."""
    points, scales = _data(y, X[:, None])
    evidence, known = objective_of(fitted.expr, points), FreeParameters.of(fitted.expr, scales).priors()
    axes = [
        np.linspace(max(at - 4.0, one.low), min(at + 6.0, one.high), 100)
        for one in known
        for at in (one.coordinate(fitted.values[one.index]),)
    ]
    mesh = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    heights = np.array([-evidence.value(tuple(one.value(z) for one, z in zip(known, at, strict=True))) for at in mesh])
    heights -= 0.5 * sum(((mesh[:, i] - one.mean) / one.width) ** 2 for i, one in enumerate(known))
    weights = np.exp(heights - heights.max())
    means = np.average(mesh, axis=0, weights=weights)
    return means, np.sqrt(np.average((mesh - means) ** 2, axis=0, weights=weights))


@pytest.mark.slow
def test_moments_are_those_of_the_posterior() -> None:
    y = 3.0 + np.random.default_rng(1).standard_normal(40)
    fitted, drawn = _walk(leaf("C", sd=3.0) + leaf("WN", sd=1.0), y)
    means, sds = _grid(fitted, y)
    assert np.abs((np.log(drawn).mean(axis=0) - means) / sds).max() < 0.2
    np.testing.assert_allclose(np.log(drawn).std(axis=0), sds, rtol=0.15)


def test_a_line_without_a_slope_may_cross_zero_on_either_side() -> None:
    y = 5.0 + np.random.default_rng(2).standard_normal(40)
    _, drawn = _walk(leaf("Lin", sd=0.5, location=-20.0) + leaf("WN", sd=1.0), y)
    assert drawn[:, 1].min() < 0.0
    assert drawn[:, 1].max() > 10.0


def test_numbers_at_a_bound_may_leave_it() -> None:
    y = np.random.default_rng(3).standard_normal(40)
    fitted, drawn = _walk(leaf("SE", lengthscale=1e9, sd=0.1) + leaf("WN", sd=1.0), y)
    scales = measure(X[:, None], y, ("x",))
    assert fitted.values[0] == pytest.approx(100.0 * scales.columns["x"].range)
    assert np.median(drawn[:, 0]) < 0.5 * fitted.values[0]
    assert drawn[:, 0].max() <= fitted.values[0] * (1.0 + 1e-9)


def test_the_same_generator_walks_the_same_way() -> None:
    y = np.sin(X) + 0.3 * np.random.default_rng(4).standard_normal(40)
    start = leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=0.3)
    first, again, other = (_walk(start, y, seed)[1] for seed in (0, 0, 1))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()
    assert 100 < len(first) <= MOST_DRAWS


def test_many_rows_have_fewer_draws() -> None:
    x = np.linspace(0.0, 10.0, 800)
    y = np.random.default_rng(5).standard_normal(800)
    assert 20 < len(walk(leaf("WN", sd=1.0), *_data(y, x[:, None]), np.random.default_rng(0))) < 120
