"""Bounds: sane on odd data, the same in any units, and what grids can show of cycles."""

from __future__ import annotations

from math import exp, isfinite, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import ive

from autostatistician.inference.parameters.bounds import bounds, shortest_shape
from autostatistician.inference.parameters.scales import Scales, measure
from autostatistician.language.kernel import parameters, unset
from autostatistician.language.leaf_row import Role
from autostatistician.language.text import parse
from autostatistician.language.units import rescaled

Vector = NDArray[np.float64]

EVERY_NODE = parse("SE + RQ + Per + Cos + Lin + C + WN + CP(SE, WN) + CW(Lin, C)")
RNG = np.random.default_rng(1)
DATA: dict[str, tuple[Vector, Vector]] = {
    "plain": (np.arange(40.0), RNG.normal(size=40)),
    "three points": (np.array([0.0, 0.1, 7.0]), np.array([1.0, 2.0, 5.0])),
    "constant": (np.arange(9.0), np.full(9, 3.0)),
    "zero": (np.arange(9.0), np.zeros(9)),
    "repeated": (np.array([1.0, 1.0, 1.0, 2.0, 2.0, 8.0]), RNG.normal(size=6)),
    "one place": (np.ones(5), RNG.normal(size=5)),
    "nearly repeated": (np.array([0.0, 1e-14, 1.0, 2.0, 2.0 + 1e-14]), RNG.normal(size=5)),
    "unsorted": (RNG.permutation(30) / 12.0, RNG.normal(size=30)),
    "far away": (1e9 + np.arange(20.0), 1e9 + RNG.normal(size=20)),
    "huge": (1e12 * np.arange(20.0), 1e12 * RNG.normal(size=20)),
    "tiny": (1e-12 * np.arange(20.0), 1e-12 * RNG.normal(size=20)),
    "straight": (np.arange(20.0), 3.0 * np.arange(20.0)),
    "two values": (np.arange(20.0), np.arange(20.0) % 2.0),
    "one outlier": (np.arange(20.0), np.where(np.arange(20) == 7, 1e6, 0.0)),
}


def _measured(x: Vector, y: Vector) -> Scales:
    return measure(x[:, None], y, ("x",))


@pytest.mark.parametrize("case", sorted(DATA))
def test_every_parameter_has_room_and_an_end(case: str) -> None:
    scales = _measured(*DATA[case])
    for parameter in parameters(EVERY_NODE):
        low, high = bounds(parameter, scales)
        assert isfinite(low)
        assert isfinite(high)
        assert low < high, parameter
        assert low > 0.0 or not parameter.role.positive


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=9).filter(lambda x: max(x) - min(x) > 1e-3),
    st.lists(st.floats(-1e6, 1e6), min_size=9, max_size=9),
)
def test_any_data_give_every_parameter_room(x: list[float], y: list[float]) -> None:
    scales = _measured(np.array(x), np.array(y[: len(x)]))
    for parameter in parameters(EVERY_NODE):
        low, high = bounds(parameter, scales)
        assert isfinite(low)
        assert isfinite(high)
        assert low < high


@pytest.mark.parametrize("case", ["plain", "unsorted", "three points", "repeated", "straight"])
@pytest.mark.parametrize(("by", "shift", "unit"), [(12.0, -1949.0, 1e3), (1e-6, 0.0, 1e-6)])
def test_bounds_change_with_the_units_as_parameters_do(case: str, by: float, shift: float, unit: float) -> None:
    x, y = DATA[case]
    here, there = _measured(x, y), _measured(by * x + shift, unit * y)
    blank = unset(EVERY_NODE)
    for end in (0, 1):
        ends = blank.mapped(lambda parameter, _, end=end: bounds(parameter, here)[end])
        expected = rescaled(ends, by, shift, unit)
        found = blank.mapped(lambda parameter, _, end=end: bounds(parameter, there)[end])
        np.testing.assert_allclose(found.values, expected.values, rtol=1e-6, atol=1e-9 * (1.0 + abs(shift)))


def test_what_a_grid_can_show() -> None:
    scales = _measured(np.arange(101.0), RNG.normal(size=101))
    found = {(str(type(p.node).__name__), p.name): bounds(p, scales) for p in parameters(parse("CP(SE * Cos, WN)"))}
    assert found["Leaf", "period"] == (2.0, pytest.approx(101.0 / 1.5))
    assert found["Leaf", "lengthscale"] == (1.0, 10000.0)
    assert found["ChangePoint", "location"] == (2.0, 98.0)
    assert found["ChangePoint", "steepness"] == (0.1, 4.0)


@pytest.mark.parametrize("steps", [2.0, 2.16, 2.5, 3.0, 4.0, 5.0, 7.0, 12.0, 52.0])
def test_harmonics_that_places_cannot_tell_from_slower_waves_carry_little(steps: float) -> None:
    # The variance of harmonic j of the zero-mean periodic kernel is I_j(z) / (I_1(z) + I_2(z) + ...), z = l^-2.
    column = _measured(np.arange(200.0), RNG.normal(size=200)).columns["x"]
    shortest, _ = shortest_shape(steps, column)
    harmonics = np.arange(1, 400)
    share = ive(harmonics, np.exp(-2.0 * shortest))
    share /= share.sum()
    assert share[harmonics > np.ceil(steps / 2.0)].sum() < 0.015
    assert share[harmonics > steps / 2.0].sum() < 0.12  # just beyond, a harmonic passes for one just below
    assert shortest > log(0.1) or steps > 50.0


def test_the_shortest_shape_of_a_cycle_changes_with_its_period_as_told() -> None:
    column = _measured(np.arange(200.0), RNG.normal(size=200)).columns["x"]
    for period in (2.1, 3.0, 7.0, 20.0, 60.0, 90.0):
        above, below = (shortest_shape(period * exp(step), column)[0] for step in (1e-6, -1e-6))
        assert shortest_shape(period, column)[1] == pytest.approx((above - below) / 2e-6, rel=1e-6, abs=1e-9)


def test_columns_have_their_own_scales() -> None:
    X = np.column_stack([np.arange(10.0), 100.0 * np.arange(10.0)[::-1]])
    scales = measure(X, RNG.normal(size=10), ("a", "b"))
    assert (scales.columns["a"].range, scales.columns["b"].range) == (9.0, 900.0)
    assert None not in scales.columns
    slopes = [p for p in parameters(parse("Lin[a] + Lin[b]")) if p.role is Role.SLOPE]
    (low_a, high_a), (low_b, high_b) = (bounds(parameter, scales) for parameter in slopes)
    assert low_a / low_b == pytest.approx(100.0)
    assert high_a / high_b == pytest.approx(100.0)


def test_logarithms_of_positive_bounds_exist() -> None:
    scales = _measured(*DATA["tiny"])
    widths = [
        log(high) - log(low) for p in parameters(EVERY_NODE) if p.role.positive for low, high in [bounds(p, scales)]
    ]
    assert min(widths) > 0.1
    assert nan not in widths
