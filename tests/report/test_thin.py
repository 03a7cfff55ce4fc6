"""What is left out of long layers is not seen: extremes stay, and lines stray by no more than is allowed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from autostatistician.describe.document.document import Line, Panel, Points
from autostatistician.report.thin import MOST_POINTS, envelope, simplified, swept, thinned, turns

VALUES = np.random.default_rng(0).standard_normal(20_000)


def test_an_envelope_keeps_the_extremes_of_every_run() -> None:
    kept = envelope(VALUES, 400)
    assert len(kept) <= 400
    for run in np.split(np.arange(len(VALUES)), 100):
        inside = VALUES[np.intersect1d(kept, run)]
        assert (inside.min(), inside.max()) == (VALUES[run].min(), VALUES[run].max())


@pytest.mark.parametrize("kind", [Points, Line])
def test_long_layers_are_cut_to_the_most_points_and_short_ones_left(kind: type[Points] | type[Line]) -> None:
    x = np.arange(float(len(VALUES)))
    (layer,) = thinned(Panel("", "", "", (kind(x, VALUES, "l"),))).layers
    assert len(layer.y) <= MOST_POINTS  # type: ignore[union-attr]
    assert (layer.y.min(), layer.y.max()) == (VALUES.min(), VALUES.max())  # type: ignore[union-attr]
    (short,) = thinned(Panel("", "", "", (kind(x[:9], VALUES[:9], "l"),))).layers
    np.testing.assert_array_equal(short.y, VALUES[:9])  # type: ignore[union-attr]


@pytest.mark.slow
@given(arrays(np.float64, (15, 2), elements=st.floats(-9.0, 9.0)), st.floats(0.01, 2.0))
def test_left_out_vertices_lie_near_the_rest(points: np.ndarray, tolerance: float) -> None:
    kept = simplified(points, tolerance)
    assert (kept[0] == points[0]).all()
    assert (kept[-1] == points[-1]).all()
    for point in points:
        starts, ways = kept[:-1], np.diff(kept, axis=0)
        squares = np.maximum((ways**2).sum(axis=1), 1e-300)
        share = np.clip(((point - starts) * ways).sum(axis=1) / squares, 0.0, 1.0)
        near = np.hypot(*(point - starts - share[:, None] * ways).T).min()
        assert near <= tolerance + 1e-9


def test_a_swept_area_holds_its_curve() -> None:
    x = np.linspace(0.0, 1.0, 500)
    at, low, high = swept(x, np.sin(99.0 * x), np.sin(99.0 * x), 10)
    assert (low.min(), high.max()) == (np.sin(99.0 * x).min(), np.sin(99.0 * x).max())
    assert (at[0], at[-1]) == (0.0, 1.0)
    assert (low <= high).all()


def test_turns_of_a_wave_are_two_a_cycle() -> None:
    assert turns(np.sin(np.linspace(0.0, 10 * 2 * np.pi, 1000))) == 20
    assert turns(np.arange(9.0)) == 0
