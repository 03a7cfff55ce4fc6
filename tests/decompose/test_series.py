"""A series taken apart: components, their order, scores, grids and joint draws."""

from dataclasses import fields
from functools import partial
from math import inf
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.decompose.series.series import LEVEL, MODEL, NOISE, SMOOTH, TREND, X, Y, decomposed, taken_apart, toy
from tests.gp import stored_models
from tests.strategies import kernels

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Component, Decomposition, Fitted
from autostatistician.decompose.series import decomposition
from autostatistician.decompose.series.component_order import Counted, fold_rows, greedy_order, mean_error
from autostatistician.decompose.series.components import CURVES_DRAWN, explained_share, joint, run_of, slope_and_size_sd
from autostatistician.decompose.series.evaluation_grid import MOST_POINTS, finest_detail, plotting_grid
from autostatistician.decompose.series.parts import ConditionedPart, part_of
from autostatistician.decompose.statistics import in_stretches
from autostatistician.decompose.uncertainty import fixed_parameters
from autostatistician.errors import InputError
from autostatistician.forms import Curve
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.posterior.projection import Projection
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf


def _airline(folder: Path, folds: str, *, intervals: bool) -> Decomposition:
    x, y = stored_models.series(folder, "01-airline")
    axis = Axis("x", "year", "month", 1 / 12, within=0.5, gap=1 / 12)
    dataset, kernel = Dataset(x, y, ("x",), "y", axis), stored_models.KERNELS["01-airline"]
    fitted = Fitted(kernel, 534.518, 1123.705, 11, 0.0, 0)
    settings = {"horizon": 24, "folds": folds, "intervals": intervals}
    return decomposed(kernel, dataset, fitted=fitted, **settings)


def test_the_published_airline_table(shared_data: Path) -> None:
    found = _airline(shared_data, "overlapping", intervals=False)
    assert [str(part.kernel) for part in found.components] == ["Lin", "SE * Per * Lin", "SE", "Lin * WN"]
    assert [round(part.mae, 2) for part in found.components] == [34.03, 12.42, 9.11, 9.11]
    assert [round(100.0 * part.r2, 1) for part in found.components] == [85.4, 98.5, 99.8, 100.0]
    assert np.diff([100.0 * part.r2 for part in found.components], prepend=0.0).round(1).tolist() == [
        85.4,
        13.2,
        1.3,
        0.2,
    ]
    assert [round(100.0 * part.residual_r2, 1) for part in found.components] == [85.4, 89.9, 85.1, 100.0]


@pytest.mark.slow
def test_disjoint_folds_tell_the_same_story(shared_data: Path) -> None:
    found = _airline(shared_data, "contiguous", intervals=True)
    assert [str(part.kernel) for part in found.components] == ["Lin", "SE * Per * Lin", "SE", "Lin * WN"]
    assert [round(part.mae, 1) for part in found.components] == [34.3, 12.6, 9.4, 9.4]
    trend = found.components[0]
    assert round(trend.slope, 1) == 31.6
    # With the other numbers held, a free constant beside the line leaves its slope open to 1.31.
    assert 1.31 < trend.slope_sd < 2.0 * 1.31
    assert found.forecast.x[:12] == pytest.approx(found.x[-12:] + 1.0)
    # The next year repeats the pattern of the last one on a higher level.
    growth = found.forecast.mean[:12] - found.y[-12:]
    assert 0.0 < growth.min() < growth.max() < 60.0


def test_the_parts_add_up() -> None:
    found = toy()
    np.testing.assert_allclose(sum(part.mean for part in found.components), Y, atol=1e-8)
    last = found.components[-1]
    assert last.is_noise
    assert round(last.r2, 8) == 1.0
    np.testing.assert_allclose(found.components[-2].cumulative.mean, found.signal.mean, atol=1e-9)
    np.testing.assert_allclose(found.components[-2].cumulative.sd, found.signal.sd, atol=1e-9)
    assert found.signal_r2 == pytest.approx(found.components[-2].r2)


def _moments(known: Projection) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return known.mean, known.sd


def test_curves_are_the_posterior() -> None:
    found, posterior = taken_apart(MODEL, intervals=False), condition(MODEL, Problem(X, Y))
    grid = found.signal.x
    for mine, theirs in [
        (found.signal, posterior.signal(grid[:, None])),
        (found.observation, posterior.observations(grid[:, None])),
        (found.forecast, posterior.observations(found.forecast.x[:, None])),
        *((part.curve, _moments(posterior.project(part.kernel, grid[:, None]))) for part in found.components),
    ]:
        np.testing.assert_allclose(mine.mean, theirs[0], atol=1e-9)
        np.testing.assert_allclose(mine.sd, theirs[1], atol=1e-6)
    for part in found.components:
        mean, sd = _moments(posterior.project(part.kernel))
        np.testing.assert_allclose(part.mean, mean, atol=1e-9)
        np.testing.assert_allclose(part.sd, sd, atol=1e-6)


def test_the_offset_is_added_back_to_the_whole_only() -> None:
    plain, moved = toy(), taken_apart(MODEL, offset=1e6)
    np.testing.assert_allclose(moved.y, Y + 1e6)
    for name in ("signal", "observation", "forecast"):
        np.testing.assert_allclose(getattr(moved, name).mean, getattr(plain, name).mean + 1e6)
        np.testing.assert_array_equal(getattr(moved, name).sd, getattr(plain, name).sd)
    np.testing.assert_allclose(moved.samples, plain.samples + 1e6)
    for one, other in zip(plain.components, moved.components, strict=True):
        np.testing.assert_array_equal(one.curve.mean, other.curve.mean)


def test_same_seed_same_bytes() -> None:
    first, second = toy(), taken_apart(MODEL)
    assert first.samples.tobytes() == second.samples.tobytes()
    assert [a.samples.tobytes() for a in first.components] == [b.samples.tobytes() for b in second.components]


def test_the_order_of_rows_does_not_matter() -> None:
    rows = np.random.default_rng(12).permutation(41)
    straight, mixed = toy(), taken_apart(MODEL, X[rows], Y[rows])
    np.testing.assert_array_equal(mixed.x, X)
    np.testing.assert_array_equal(mixed.y, Y)
    assert [part.r2 for part in mixed.components] == [part.r2 for part in straight.components]


def test_what_is_passed_on() -> None:
    found = taken_apart(MODEL, horizon=0)
    assert (found.name, found.target, found.path, found.warnings) == ("toy", "y", (("SE", 1.0, 2.0),), ("minded",))
    assert (found.fitted.bic, len(found.forecast.x), found.signal.x[-1]) == (2.0, 0, 10.0)


def test_jitter_is_mentioned() -> None:
    found = taken_apart(leaf("SE", lengthscale=30.0, sd=2.0))
    assert "was added to keep" in found.warnings[-1]


def test_several_inputs_are_refused() -> None:
    dataset = Dataset(np.eye(3)[:, :2], np.zeros(3), ("a", "b"), "y", None)
    kernel = leaf("Lin", "a", sd=1.0, location=0.0)
    with pytest.raises(InputError, match="one input column"):
        decomposed(kernel + NOISE, dataset, fitted=Fitted(MODEL, 0.0, 0.0, 1, 0.0, 0), horizon=1)


@pytest.mark.parametrize("kernel", [MODEL, SMOOTH, NOISE, LEVEL, SMOOTH * leaf("Cos", period=0.3, sd=1.0) + NOISE])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([0.0, 1.0, 2.0], [1.0, 2.0, 4.0]),
        ([0.0], [1.0]),
        ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]),
        ([2.0, 1.0, 2.0, 0.0, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0]),
        ([0.0, 1.0, 2.0, 3.0], [5.0, 5.0, 5.0, 5.0]),
        ([0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 0.0]),
    ],
    ids=["three", "one", "one place", "repeated", "constant", "zero"],
)
def test_small_and_degenerate_data(kernel: Kernel, x: list[float], y: list[float]) -> None:
    _assert_finite(taken_apart(kernel, np.array(x), np.array(y)))


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_tiny_and_huge_targets(unit: float) -> None:
    model = leaf("SE", lengthscale=1.3, sd=unit) + leaf("WN", sd=0.2 * unit)
    plain = leaf("SE", lengthscale=1.3, sd=1.0) + leaf("WN", sd=0.2)
    found, expected = taken_apart(model, y=unit * Y), taken_apart(plain)
    _assert_finite(found)
    assert [part.r2 for part in found.components] == pytest.approx([part.r2 for part in expected.components])
    np.testing.assert_allclose(found.samples, unit * expected.samples, rtol=1e-5, atol=1e-5 * unit)


@given(kernels(max_leaves=5))
def test_any_model_can_be_taken_apart(kernel: Kernel) -> None:
    found = taken_apart(kernel + leaf("WN", sd=0.5), points=30, intervals=False)
    _assert_finite(found)
    np.testing.assert_allclose(sum(part.mean for part in found.components), Y, atol=1e-5)


@pytest.mark.slow
@settings(max_examples=5)
@given(kernels(max_leaves=5))
def test_what_is_open_about_any_model_is_finite(kernel: Kernel) -> None:
    found = taken_apart(kernel + leaf("WN", sd=0.5), points=30)
    _assert_finite(found)
    np.testing.assert_allclose(sum(part.mean for part in found.components), Y, atol=1e-5)


def _assert_finite(found: Decomposition) -> None:
    for part in found.components:
        assert all(np.isfinite(value).all() for value in _numbers(part)), part.kernel
    assert all(np.isfinite(value).all() for value in _numbers(found))


def _numbers(record: Component | Decomposition) -> list[np.ndarray]:
    values = [getattr(record, field.name) for field in fields(record)]
    curves = [array for value in values if isinstance(value, Curve) for array in (value.x, value.mean, value.sd)]
    return curves + [np.asarray(value) for value in values if isinstance(value, int | float | np.ndarray)]


def test_ranges_can_be_left_out() -> None:
    found = taken_apart(MODEL, intervals=False)
    assert all(part.numbers is None for part in found.components)
    for held, doubted in zip(found.components, toy().components, strict=True):
        assert held.mean.tobytes() == doubted.mean.tobytes()
        assert held.slope_sd <= doubted.slope_sd


def test_of_very_many_rows_some_order_the_parts(monkeypatch: pytest.MonkeyPatch, shared_data: Path) -> None:
    monkeypatch.setattr(decomposition, "MOST_ROWS_OF_ORDER", 100)
    monkeypatch.setattr(decomposition, "in_stretches", partial(in_stretches, length=5))
    found = _airline(shared_data, "contiguous", intervals=False)
    assert [str(part.kernel) for part in found.components] == ["Lin", "SE * Per * Lin", "SE", "Lin * WN"]
    assert [round(part.mae, 1) for part in found.components] != [34.3, 12.6, 9.4, 9.4]
    assert found.components[-1].mae < 12.0


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
    assert (noise.slope, noise.slope_sd) == (0.0, 0.0)


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


def test_noise_that_comes_first_explains_nothing() -> None:
    counts = np.where(np.arange(41) % 3 == 0, 6.0, 0.0)
    found = taken_apart(leaf("C", sd=2.0) + leaf("WN", sd=3.0), y=counts, intervals=False)
    noise, level = found.components
    assert (noise.is_noise, level.is_noise) == (True, False)
    assert level.r2 == level.residual_r2 == pytest.approx(found.signal_r2)


ROWS = fold_rows(len(X))
GRID = np.linspace(-1.0, 12.0, 7)[:, None]


@pytest.fixture(scope="module")
def parts() -> list[ConditionedPart]:
    posterior = condition(MODEL, Problem(X, Y))
    others = [posterior.without(held_out) for held_out in ROWS]
    return [part_of(kernel, posterior, others, ROWS, GRID) for kernel in (SMOOTH, TREND, LEVEL, NOISE)]


def test_held_out_rows_are_predicted_from_the_others_alone(parts: list[ConditionedPart]) -> None:
    for part in parts:
        for held_out, prediction in zip(ROWS, part.held_out, strict=True):
            rest = np.setdiff1d(np.arange(len(X)), held_out)
            K = covariance(MODEL, X[rest, None])
            cross = covariance(part.kernel, X[held_out, None], X[rest, None])
            np.testing.assert_allclose(prediction, cross @ np.linalg.solve(K, Y[rest]), atol=1e-8)


def test_noise_is_known_at_the_data_and_nowhere_else(parts: list[ConditionedPart]) -> None:
    assert [part.is_noise for part in parts] == [False, False, False, True]
    noise = parts[-1]
    np.testing.assert_allclose(noise.mean, Y - sum(part.mean for part in parts[:-1]), atol=1e-8)
    assert not noise.grid.mean.any()
    assert not np.concatenate(noise.held_out).any()
    np.testing.assert_allclose(noise.grid.sd, 0.2)


def test_the_grid_holds_the_posterior_by_the_dense_formula(parts: list[ConditionedPart]) -> None:
    K = covariance(MODEL, X[:, None])
    for part in parts[:-1]:
        cross = covariance(part.kernel, GRID, X[:, None])
        np.testing.assert_allclose(part.grid.mean, cross @ np.linalg.solve(K, Y), atol=1e-8)
        left = covariance(part.kernel, GRID, GRID) - cross @ np.linalg.solve(K, cross.T)
        np.testing.assert_allclose(part.grid.covariance(), left, atol=1e-8)


Y_OF_ORDER = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]


@given(st.integers(1, 500))
def test_contiguous_folds_hold_every_row_once(n: int) -> None:
    folds = fold_rows(n)
    assert len(folds) == min(10, n)
    assert np.concatenate(folds).tolist() == list(range(n))
    assert max(map(len, folds)) - min(map(len, folds)) <= 1


def test_overlapping_folds_share_a_row_with_the_one_before() -> None:
    folds = fold_rows(144, "overlapping")
    assert [int(rows[0]) for rows in folds] == [0, 13, 27, 42, 56, 71, 85, 99, 114, 128]
    assert [int(rows[-1]) for rows in folds] == [13, 27, 42, 56, 71, 85, 99, 114, 128, 143]


def test_of_counts_that_are_mostly_zero_their_mean_misses_least() -> None:
    counted = Counted(np.array([0.0, 0.0, 0.0, 2.0]), lambda f, rows: np.exp(f))
    rows = [np.array([0, 1]), np.array([2, 3])]
    targets = [np.log(np.full(2, 0.9)), np.log(np.full(2, 0.9))]
    errors = [
        counted.error([target - np.log(rate) for target in targets], targets, rows) for rate in (1e-9, 0.5, 1.0, 1e99)
    ]
    assert errors[1] == pytest.approx(counted.y.std()) == min(errors)
    assert errors[0] == pytest.approx(1.0)  # though the mean absolute miss of zero is less than that of the mean
    assert errors[3] < 1e4  # a part alone may foresee any number


def test_parts_come_in_the_order_of_the_error_that_is_asked_for() -> None:
    parts, noise = [[np.array([1.0])], [np.array([3.0])]], [False, False]
    target = [np.array([1.2])]
    assert greedy_order(parts, target, noise).indices == (0, 1)
    assert greedy_order(parts, target, noise, lambda rest: float(np.abs(rest[0] + 2.0).sum())).indices == (1, 0)


def test_the_greatest_gain_comes_first() -> None:
    little, much = [0.1 * fold for fold in Y_OF_ORDER], [0.8 * fold for fold in Y_OF_ORDER]
    order = greedy_order([little, much], Y_OF_ORDER, [False, False])
    assert order.indices == (1, 0)
    assert order.errors == (pytest.approx(0.2 * mean_error(Y_OF_ORDER)), pytest.approx(0.1 * mean_error(Y_OF_ORDER)))


def test_ties_keep_their_order_and_noise_comes_last() -> None:
    nothing = [np.zeros(2), np.zeros(2)]
    assert greedy_order([nothing] * 4, Y_OF_ORDER, [True, False, True, False]).indices == (1, 3, 0, 2)


def test_noise_follows_signal_that_helps_only_together() -> None:
    up, down = [100.0 + fold for fold in Y_OF_ORDER], [np.full(2, -100.0)] * 2
    assert greedy_order([[np.zeros(2)] * 2, up, down], Y_OF_ORDER, [True, False, False]).indices[-1] == 0


def test_signal_that_spoils_the_prediction_follows_noise() -> None:
    spoils = [-0.5 * fold for fold in Y_OF_ORDER]
    assert greedy_order([spoils, [np.zeros(2)] * 2], Y_OF_ORDER, [False, True]).indices == (1, 0)


def test_a_spoilt_prediction_that_no_one_can_see_comes_before_noise() -> None:
    whole, spoils = [(1.0 + 1e-6) * fold for fold in Y_OF_ORDER], [1e-5 * fold for fold in Y_OF_ORDER]
    assert greedy_order([spoils, [np.zeros(2)] * 2, whole], Y_OF_ORDER, [False, True, False]).indices == (2, 0, 1)


def test_the_error_is_the_unweighted_mean_of_the_folds() -> None:
    assert mean_error([np.array([1.0, -3.0]), np.array([4.0])]) == 3.0


FLAT = leaf("C", sd=1.0)


@given(
    st.lists(st.integers(-1000, 1000), min_size=1, max_size=30),
    st.integers(0, 40),
    st.floats(1e-3, 1e3),
    st.integers(2, 300),
)
def test_from_the_first_datum_to_the_last_forecast(values: list[int], steps: int, gap: float, points: int) -> None:
    x = np.sort(np.array(values, dtype=float))
    future = x[-1] + gap * np.arange(1, steps + 1)
    grid = plotting_grid(FLAT, x, future, points)
    end = future[-1] if steps else x[-1]
    assert grid[0] == x[0]
    assert grid[-1] == pytest.approx(end)
    assert x[-1] in grid
    assert len(grid) == (max(points, 1 + (x[-1] > x[0]) + bool(steps)) if end > x[0] else 1)
    assert (np.diff(grid) > 0.0).all()


@pytest.mark.parametrize(
    ("kernel", "points"),
    [
        (leaf("Cos", period=0.1, sd=1.0), 801),
        (leaf("Per", lengthscale=2.0, period=0.1, sd=1.0), 801),
        (leaf("SE", lengthscale=0.01, sd=1.0), 2000),
        (leaf("SE", lengthscale=1.0, sd=1.0) * leaf("Lin", sd=1.0, location=0.0), 100),
        (Kernel.change_point(FLAT, leaf("Cos", period=0.2, sd=1.0), 3.0, 1.0), 401),
        (leaf("SE", lengthscale=1e-9, sd=1.0), 100),
        (leaf("IOU", lengthscale=0.01, sd=1.0, location=0.0), 2000),
        (leaf("Wiener", sd=1.0, location=0.0), 100),
    ],
)
def test_short_periods_and_lengthscales_get_more_points(kernel: Kernel, points: int) -> None:
    assert len(plotting_grid(kernel, np.linspace(0.0, 10.0, 20), np.zeros(0), 100)) == points <= MOST_POINTS


def test_a_single_place_is_a_single_point() -> None:
    assert plotting_grid(FLAT, np.array([2.0, 2.0]), np.zeros(0), 600).tolist() == [2.0]


def test_a_kernel_without_detail_has_no_finest() -> None:
    assert finest_detail(FLAT + leaf("WN", sd=1.0), 1.0) == inf


def test_details_between_the_places_of_a_regular_axis_are_not_drawn() -> None:
    x, ahead = 1949.0 + np.array([0, 1, 2, 5, 6]) / 12.0, 1949.0 + np.arange(7, 10) / 12.0
    jagged, soft = (leaf("Per", lengthscale=scale, period=1.0, sd=1.0) for scale in (0.1, 1.0))
    found = plotting_grid(jagged, x, ahead, 100, 1 / 12)
    assert found == pytest.approx(1949.0 + np.arange(10) / 12.0)
    assert x[-1] in found
    assert len(plotting_grid(soft, x, ahead, 100, 1 / 12)) == 100
    assert len(plotting_grid(jagged, x, ahead, 100)) >= 100


def test_where_the_points_are_too_few_the_end_is_in_full_detail() -> None:
    x, future = np.linspace(0.0, 1000.0, 400), 1000.0 + np.arange(1.0, 21.0)
    grid = plotting_grid(leaf("Cos", period=1.0, sd=1.0), x, future, 600)
    assert len(grid) == MOST_POINTS
    assert grid[0] == 0.0
    assert grid[-1] == 1020.0
    assert 1000.0 in grid
    assert (np.diff(grid) > 0.0).all()
    assert np.diff(grid)[-900:].max() == pytest.approx(1.0 / 8.0, rel=0.02)
    assert np.diff(grid)[:900].max() < 1.0


X_OF_JOINT = np.linspace(0.0, 10.0, 81)
T = X_OF_JOINT / 10.0
NOISE_OF_JOINT = leaf("WN", sd=0.3)
ALL = np.arange(81)


def _joint(kernel: Kernel, part: Kernel, y: np.ndarray, rows: np.ndarray = ALL) -> tuple[Posterior, dict[str, object]]:
    posterior = condition(kernel, Problem(X_OF_JOINT, y))
    mean = posterior.project(part).mean
    weight = np.isin(ALL, rows).astype(float)
    uncertainty = fixed_parameters(posterior)
    index = uncertainty.fit.parts.index(part)
    _, size_sd = slope_and_size_sd(uncertainty, index, mean, weight)
    found = joint(uncertainty, index, size_sd, weight, np.random.default_rng(3))
    assert found is not None
    return posterior, dict(vars(found))


@pytest.mark.parametrize(
    ("curve", "holds"),
    [
        (T, {"rising"}),
        (-T, {"falling"}),
        ((T - 0.4) ** 2, set()),
        (np.tanh(9.0 * (T - 0.5)), {"rising"}),
        (np.sin(12.0 * T), set()),
        (np.ones(81), set()),
        (1e9 + 1e-9 * np.sin(X_OF_JOINT), set()),
    ],
)
def test_what_single_curves_do(curve: np.ndarray, holds: set[str]) -> None:
    found = vars(run_of(curve[None], 0.0))
    assert {name for name in ("rising", "falling") if found[name]} == holds


def test_a_line_rises_with_the_probability_of_its_slope() -> None:
    line = leaf("Lin", sd=0.2, location=-3.0)
    y = 0.06 * X_OF_JOINT + 0.9 * np.sin(7.0 * X_OF_JOINT) + 0.3 * np.random.default_rng(1).standard_normal(81)
    level = leaf("C", sd=1.0)  # a line stays with it
    posterior, found = _joint(line + level + leaf("WN", sd=0.7), line + level, y)
    known = posterior.project(line, X_OF_JOINT[[0, -1], None])
    mean, cov = known.mean, known.covariance()
    slope, sd = mean[1] - mean[0], np.sqrt(cov[0, 0] + cov[1, 1] - 2.0 * cov[0, 1])
    sure = NormalDist().cdf(slope / sd)
    assert 0.6 < sure < 0.999
    assert found["rising"] == pytest.approx(sure, abs=4.0 * np.sqrt(sure * (1.0 - sure) / CURVES_DRAWN))
    assert found["size_sd"] == pytest.approx(sd, rel=1e-6)


def test_a_trend_under_noise_is_less_sure_than_its_mean() -> None:
    smooth = leaf("SE", lengthscale=3.0, sd=1.0)
    rng = np.random.default_rng(4)
    sure, unsure = (
        _joint(smooth + leaf("WN", sd=sd), smooth, X_OF_JOINT / 5.0 + sd * rng.standard_normal(81))[1]
        for sd in (0.02, 0.9)
    )
    assert sure["rising"] == 1.0
    assert unsure["rising"] < 0.9


def test_a_wandering_level_never_rises_throughout() -> None:
    level = leaf("Matern12", lengthscale=50.0, sd=2.0)
    _, found = _joint(level + NOISE_OF_JOINT, level, X_OF_JOINT / 3.0)
    assert found["rising"] < 0.5


def test_only_the_given_rows_count_and_repeated_places_once() -> None:
    smooth = leaf("SE", lengthscale=2.0, sd=1.0)
    bent = np.where(X_OF_JOINT < 5.0, X_OF_JOINT, 10.0 - X_OF_JOINT)
    _, found = _joint(smooth + NOISE_OF_JOINT, smooth, bent, ALL[X_OF_JOINT < 4.5])
    assert found["rising"] > 0.9
    assert _joint(smooth + NOISE_OF_JOINT, smooth, bent)[1]["rising"] == 0.0
    twice = condition(smooth + NOISE_OF_JOINT, Problem(np.zeros(5), np.ones(5)))
    assert joint(fixed_parameters(twice), 0, 0.0, np.ones(5), np.random.default_rng(0)) is None


def test_same_generator_same_shares() -> None:
    smooth = leaf("SE", lengthscale=3.0, sd=1.0)
    first, second = (_joint(smooth + NOISE_OF_JOINT, smooth, np.sin(X_OF_JOINT))[1] for _ in range(2))
    assert first == second
