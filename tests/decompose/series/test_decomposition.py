"""Whole decompositions: the published table, the laws between the records, and data of every size."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray
from tests.decompose.series.series import decomposed
from tests.inference import stored_models
from tests.strategies import kernels

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Component, Curve, Decomposition, Fitted
from autostatistician.errors import InputError
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.inference.projection import Projection
from autostatistician.language.kernel import Kernel, leaf

SMOOTH, NOISE = leaf("SE", lengthscale=1.3, sd=1.1), leaf("WN", sd=0.2)
TREND, LEVEL = leaf("Lin", sd=0.4, location=-1.0), leaf("C", sd=2.0)
MODEL = SMOOTH + TREND + LEVEL + NOISE
RNG = np.random.default_rng(11)
X = np.linspace(0.0, 10.0, 41)
Y = 2.0 + 0.7 * X + np.sin(2.0 * X) + 0.2 * RNG.normal(size=41)


def _taken_apart(
    kernel: Kernel,
    x: np.ndarray = X,
    y: np.ndarray = Y,
    *,
    horizon: int = 4,
    offset: float = 0.0,
    points: int = 60,
    intervals: bool = True,
) -> Decomposition:
    axis = Axis("x", "", "", 0.25, gap=0.25)
    dataset = Dataset(
        np.asarray(x, float)[:, None], np.asarray(y, float), ("x",), "y", axis, "toy", offset, ("minded",)
    )
    fitted = Fitted(kernel, 1.0, 2.0, 3, 4.0, 5)
    return decomposed(
        kernel,
        dataset,
        fitted=fitted,
        path=(("SE", 1.0, 2.0),),
        horizon=horizon,
        grid_points=points,
        intervals=intervals,
    )


def _airline(folder: Path, folds: str) -> Decomposition:
    x, y = stored_models.series(folder, "01-airline")
    axis = Axis("x", "year", "month", 1 / 12, within=0.5, gap=1 / 12)
    dataset, kernel = Dataset(x, y, ("x",), "y", axis), stored_models.KERNELS["01-airline"]
    fitted = Fitted(kernel, 534.518, 1123.705, 11, 0.0, 0)
    return decomposed(kernel, dataset, fitted=fitted, horizon=24, folds=folds)  # type: ignore[arg-type]


def test_the_published_airline_table(shared_data: Path) -> None:
    found = _airline(shared_data, "overlapping")
    assert [str(part.kernel) for part in found.components] == ["Lin", "SE * Per * Lin", "SE", "Lin * WN"]
    assert round(found.mae_baseline, 2) == 280.30
    assert [round(part.mae, 2) for part in found.components] == [34.03, 12.42, 9.11, 9.11]
    assert [round(100.0 * part.r2, 1) for part in found.components] == [85.4, 98.5, 99.8, 100.0]
    assert [round(100.0 * part.delta_r2, 1) for part in found.components] == [85.4, 13.2, 1.3, 0.2]
    assert [round(100.0 * part.residual_r2, 1) for part in found.components] == [85.4, 89.9, 85.1, 100.0]
    assert [round(100.0 * part.mae_reduction, 1) for part in found.components] == [87.9, 63.5, 26.7, 0.0]


def test_disjoint_folds_tell_the_same_story(shared_data: Path) -> None:
    found = _airline(shared_data, "contiguous")
    assert [str(part.kernel) for part in found.components] == ["Lin", "SE * Per * Lin", "SE", "Lin * WN"]
    assert [round(part.mae, 1) for part in found.components] == [34.3, 12.6, 9.4, 9.4]
    trend = found.components[0]
    assert (trend.monotonic, round(trend.slope, 1)) == (1, 31.6)
    # With the other numbers held, a free constant beside the line leaves its slope open to 1.31.
    assert 1.31 < trend.slope_sd < 2.0 * 1.31
    assert found.forecast.x[:12] == pytest.approx(found.x[-12:] + 1.0)
    # The next year repeats the pattern of the last one on a higher level.
    growth = found.forecast.mean[:12] - found.y[-12:]
    assert 0.0 < growth.min() < growth.max() < 60.0


def test_the_parts_add_up() -> None:
    found = _taken_apart(MODEL)
    np.testing.assert_allclose(sum(part.mean for part in found.components), Y, atol=1e-8)
    last = found.components[-1]
    assert last.is_noise
    assert (round(last.r2, 8), last.remaining) == (1.0, None)
    assert sum(part.delta_r2 for part in found.components) == pytest.approx(1.0)
    for part in found.components[:-1]:
        assert part.remaining is not None
        np.testing.assert_allclose(part.cumulative.mean + part.remaining.mean, found.signal.mean, atol=1e-8)
    np.testing.assert_allclose(found.components[-2].cumulative.mean, found.signal.mean, atol=1e-9)
    np.testing.assert_allclose(found.components[-2].cumulative.sd, found.signal.sd, atol=1e-9)
    assert found.signal_r2 == pytest.approx(found.components[-2].r2)


def _moments(known: Projection) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return known.mean, known.sd


def test_curves_are_the_posterior() -> None:
    found, posterior = _taken_apart(MODEL, intervals=False), condition(MODEL, Problem(X, Y))
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


def test_slopes_come_with_their_posterior_uncertainty() -> None:
    trend = next(part for part in _taken_apart(MODEL, intervals=False).components if str(part.kernel) == "Lin")
    known = condition(MODEL, Problem(X, Y)).project(TREND, X[[0, -1], None])
    mean, cov = known.mean, known.covariance()
    contrast = np.array([-1.0, 1.0]) / 10.0
    assert trend.slope == pytest.approx(contrast @ mean)
    assert trend.slope_sd == pytest.approx(np.sqrt(contrast @ cov @ contrast), rel=1e-4)


def test_prior_sds_are_those_at_the_ends() -> None:
    growing = leaf("WN", sd=0.1) * leaf("Lin", sd=1.0, location=-2.0)
    noise = _taken_apart(SMOOTH + LEVEL + growing).components[-1]
    assert noise.is_noise
    assert (noise.prior_sd_first, noise.prior_sd_last) == (pytest.approx(0.2), pytest.approx(1.2))
    assert (noise.monotonic, noise.slope, noise.slope_sd) == (0, 0.0, 0.0)


def test_parts_that_apply_in_a_window_only() -> None:
    model = Kernel.change_point(SMOOTH, TREND, location=5.0, steepness=9.0) + NOISE
    active = {str(part.kernel): part.active for part in _taken_apart(model).components}
    assert active["CP(SE, 0)"] == (0.0, 4.5)
    assert active["CP(0, Lin)"] == (5.5, 10.0)
    assert active["WN"] == (0.0, 10.0)


def test_draws_scatter_around_their_curves() -> None:
    found = _taken_apart(MODEL)
    for samples, curve in [(found.samples, found.signal), *((part.samples, part.curve) for part in found.components)]:
        assert samples.shape == (3, len(curve.x))
        assert np.abs(samples - curve.mean).max() < 6.0 * curve.sd.max()
        assert np.abs(samples - curve.mean).max() > 0.5 * curve.sd.min()


def test_the_offset_is_added_back_to_the_whole_only() -> None:
    plain, moved = _taken_apart(MODEL), _taken_apart(MODEL, offset=1e6)
    np.testing.assert_allclose(moved.y, Y + 1e6)
    for name in ("signal", "observation", "forecast"):
        np.testing.assert_allclose(getattr(moved, name).mean, getattr(plain, name).mean + 1e6)
        np.testing.assert_array_equal(getattr(moved, name).sd, getattr(plain, name).sd)
    np.testing.assert_allclose(moved.samples, plain.samples + 1e6)
    assert moved.mae_baseline == plain.mae_baseline
    for one, other in zip(plain.components, moved.components, strict=True):
        np.testing.assert_array_equal(one.curve.mean, other.curve.mean)


def test_same_seed_same_bytes() -> None:
    first, second = _taken_apart(MODEL), _taken_apart(MODEL)
    assert first.samples.tobytes() == second.samples.tobytes()
    assert [a.samples.tobytes() for a in first.components] == [b.samples.tobytes() for b in second.components]


def test_the_order_of_rows_does_not_matter() -> None:
    rows = RNG.permutation(41)
    straight, mixed = _taken_apart(MODEL), _taken_apart(MODEL, X[rows], Y[rows])
    np.testing.assert_array_equal(mixed.x, X)
    np.testing.assert_array_equal(mixed.y, Y)
    assert [part.r2 for part in mixed.components] == [part.r2 for part in straight.components]


def test_what_is_passed_on() -> None:
    found = _taken_apart(MODEL, horizon=0)
    assert (found.name, found.target, found.path, found.warnings) == ("toy", "y", (("SE", 1.0, 2.0),), ("minded",))
    assert (found.fitted.bic, len(found.forecast.x), found.signal.x[-1]) == (2.0, 0, 10.0)


def test_jitter_is_mentioned() -> None:
    found = _taken_apart(leaf("SE", lengthscale=30.0, sd=2.0))
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
    _assert_finite(_taken_apart(kernel, np.array(x), np.array(y)))


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_tiny_and_huge_targets(unit: float) -> None:
    model = leaf("SE", lengthscale=1.3, sd=unit) + leaf("WN", sd=0.2 * unit)
    plain = leaf("SE", lengthscale=1.3, sd=1.0) + leaf("WN", sd=0.2)
    found, expected = _taken_apart(model, y=unit * Y), _taken_apart(plain)
    _assert_finite(found)
    assert [part.r2 for part in found.components] == pytest.approx([part.r2 for part in expected.components])
    np.testing.assert_allclose(found.samples, unit * expected.samples, rtol=1e-5, atol=1e-5 * unit)


@settings(max_examples=25)
@given(kernels(max_leaves=5))
def test_any_model_can_be_taken_apart(kernel: Kernel) -> None:
    found = _taken_apart(kernel + leaf("WN", sd=0.5), points=30, intervals=False)
    _assert_finite(found)
    np.testing.assert_allclose(sum(part.mean for part in found.components), Y, atol=1e-5)


@settings(max_examples=5)
@given(kernels(max_leaves=5))
def test_what_is_open_about_any_model_is_finite(kernel: Kernel) -> None:
    found = _taken_apart(kernel + leaf("WN", sd=0.5), points=30)
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


def test_parts_know_how_they_run_and_how_sure_their_numbers_are() -> None:
    found, again = _taken_apart(MODEL), _taken_apart(MODEL)
    for part, other in zip(found.components, again.components, strict=True):
        assert (part.joint is None) is part.is_noise
        assert part.joint == other.joint
        assert part.numbers is not None
        assert other.numbers is not None
        assert part.numbers.shape[1] == len(part.kernel.values)
        assert part.numbers.tobytes() == other.numbers.tobytes()
    line = next(part for part in found.components if str(part.kernel) == "Lin")
    assert line.joint is not None
    assert line.joint.rising > 0.9


def test_ranges_can_be_left_out() -> None:
    dataset = Dataset(X[:, None], Y, ("x",), "y", None)
    fitted = Fitted(MODEL, 1.0, 2.0, 3, 4.0, 5)
    found = decomposed(MODEL, dataset, fitted=fitted, horizon=1, grid_points=60, intervals=False)
    assert all(part.numbers is None for part in found.components)
    whole = decomposed(MODEL, dataset, fitted=fitted, horizon=1, grid_points=60)
    for held, open_ in zip(found.components, whole.components, strict=True):
        assert held.mean.tobytes() == open_.mean.tobytes()
        assert held.slope_sd <= open_.slope_sd
