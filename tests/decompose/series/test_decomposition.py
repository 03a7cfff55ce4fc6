"""Whole decompositions: the published table, the laws between the records, and data of every size."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray
from tests.decompose.series.series import LEVEL, MODEL, NOISE, SMOOTH, X, Y, decomposed, taken_apart, toy
from tests.inference import stored_models
from tests.strategies import kernels

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Component, Decomposition, Fitted
from autostatistician.decompose.rows import in_stretches
from autostatistician.decompose.series import decomposition
from autostatistician.errors import InputError
from autostatistician.forms import Curve
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior.projection import Projection
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf


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
    assert round(found.mae_baseline, 2) == 280.30
    assert [round(part.mae, 2) for part in found.components] == [34.03, 12.42, 9.11, 9.11]
    assert [round(100.0 * part.r2, 1) for part in found.components] == [85.4, 98.5, 99.8, 100.0]
    assert [round(100.0 * part.delta_r2, 1) for part in found.components] == [85.4, 13.2, 1.3, 0.2]
    assert [round(100.0 * part.residual_r2, 1) for part in found.components] == [85.4, 89.9, 85.1, 100.0]
    assert [round(100.0 * part.mae_reduction, 1) for part in found.components] == [87.9, 63.5, 26.7, 0.0]


@pytest.mark.slow
def test_disjoint_folds_tell_the_same_story(shared_data: Path) -> None:
    found = _airline(shared_data, "contiguous", intervals=True)
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
    found = toy()
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
    assert moved.mae_baseline == plain.mae_baseline
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
