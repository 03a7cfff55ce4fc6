"""Shapes of curves: what the posterior is sure of is told, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.records.table import CurveShape
from autostatistician.decompose.table.curve_shape import contrast, curve_shape

X = np.linspace(0.0, 10.0, 41)
Array = NDArray[np.float64]


def _shape(mean: Array, sd: float = 0.01, x: Array = X) -> CurveShape:
    cov = sd**2 * (np.exp(-0.5 * np.subtract.outer(x, x) ** 2) + 1e-6 * np.eye(len(x)))
    return curve_shape(x, mean, cov, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("mean", "kind"),
    [
        (2.0 * X, "straight"),
        (-X, "straight"),
        (np.sqrt(X), "rising"),
        (np.exp(-X), "falling"),
        (-((X - 4.0) ** 2), "turning"),
        (np.sin(X), "turning"),
        (0.0 * X, "unclear"),
        (0.005 * np.sin(X), "unclear"),
    ],
    ids=["line", "line down", "root", "decay", "hill", "waves", "nothing", "within chance"],
)
def test_kinds(mean: Array, kind: str) -> None:
    assert _shape(mean).kind == kind


def test_what_is_within_chance_is_not_told() -> None:
    assert _shape(np.sin(X), sd=2.0).kind == "unclear"
    assert _shape(X + 0.9 * np.sin(X), sd=1.5).kind == "straight"
    assert _shape(X + 0.9 * np.sin(X), sd=0.01).kind == "rising"


def test_a_hill_turns_at_its_top_with_a_range_around_it() -> None:
    shape = _shape(-((X - 4.0) ** 2), sd=0.5)
    (turn,) = shape.turns
    assert [round(leg.number) for leg in shape.legs] == [16, -36]
    assert turn.top
    assert turn.at == 4.0
    assert turn.span[0] <= 4.0 <= turn.span[1]
    assert turn.span[1] - turn.span[0] < 3.0
    (dip,) = _shape((X - 6.0) ** 2).turns
    assert not dip.top
    assert dip.at == 6.0


def test_flat_ends() -> None:
    late = _shape(np.minimum(X, 4.0))
    assert late.kind == "rising"
    assert late.flat_from == pytest.approx(3.75, abs=0.3)
    assert late.flat_until is None
    early = _shape(-np.maximum(X - 6.0, 0.0))
    assert early.kind == "falling"
    assert early.flat_until == pytest.approx(6.25, abs=0.3)


def test_bends() -> None:
    assert _shape(np.sqrt(X + 0.1)).bend == -1
    assert _shape(X**2).bend == 1
    assert _shape(X**2, sd=60.0).bend == 0


def test_a_turn_that_may_be_anywhere_is_none() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0, 9.0, 10.0])
    mean, cov = np.array([0.0, 6.0, 10.4, 9.2, 9.9, 9.2]), np.diag([0.01, 0.01, 0.01, 0.01, 1.0, 0.01])
    shape = curve_shape(x, mean, cov, np.random.default_rng(0))
    assert (shape.kind, shape.open_from, shape.turns) == ("rising", 2.0, ())
    back = curve_shape(10.0 - x[::-1], mean[::-1].copy(), cov[::-1, ::-1].copy(), np.random.default_rng(0))
    assert (back.kind, back.open_until, back.turns) == ("falling", 8.0, ())


def test_sizes_are_contrasts_with_their_uncertainty() -> None:
    mean, cov = np.array([0.0, 3.0, 1.0]), np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 2.0]])
    assert contrast(mean, cov, 0, 1).number == 3.0
    assert contrast(mean, cov, 0, 1).sd == pytest.approx(1.0)
    shape = curve_shape(np.arange(3.0), mean, 0.01 * cov, np.random.default_rng(0))
    assert (shape.lowest, shape.highest) == (0.0, 1.0)
    assert shape.size.number == 3.0
    assert shape.change.number == 1.0


@pytest.mark.parametrize("values", [[1.0], [0.0, 1.0], [0.0, 5.0, 1.0]])
def test_few_places_are_no_trouble(values: list[float]) -> None:
    mean = np.array(values)
    shape = curve_shape(np.arange(len(values), dtype=float), mean, 1e-4 * np.eye(len(values)), np.random.default_rng(0))
    assert shape.kind == {1: "unclear", 2: "rising", 3: "turning"}[len(values)]
