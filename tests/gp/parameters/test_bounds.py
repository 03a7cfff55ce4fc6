"""Bounds: sane on odd data, the same in any units, and what grids can show of cycles."""

from math import exp, isfinite, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import ive
from tests.strategies import kernels

from autostatistician.gp.covariance import covariance, prior_variance
from autostatistician.gp.parameters.bounds import balanced, bounds, in_units, shortest_shape
from autostatistician.gp.parameters.free import FreeParameters, admissible
from autostatistician.gp.parameters.scales import Scales, measure
from autostatistician.kernels.kernel import Kernel, leaf, parameters, rescaled, unset
from autostatistician.kernels.leaf_row import Amount, Role, Unit
from autostatistician.kernels.text import parse, parse_kernel
from autostatistician.kernels.traits import held_values

X_OF_FREE = np.linspace(0.0, 1.0, 30)[:, None]
SCALES = measure(X_OF_FREE, 3.0 + np.sin(9.0 * X_OF_FREE[:, 0]), ("x",))


@given(kernels(max_leaves=5))
def test_coordinates_and_values_are_inverse_within_the_box(kernel: Kernel) -> None:
    kernel = admissible(kernel, SCALES)
    free = FreeParameters.of(kernel.expr, SCALES)
    u = free.coordinates(kernel.values)
    assert (free.low - 1e-9 <= u).all()
    assert (u <= free.high + 1e-9).all()
    assert free.values(u, kernel.values) == pytest.approx(kernel.values)
    assert len(free.priors(kernel.values)) == len(u)
    assert not set(free.indices) & held_values(kernel.expr)


@given(kernels(max_leaves=5))
def test_corners_of_the_box_are_admissible(kernel: Kernel) -> None:
    kernel = admissible(kernel, SCALES)
    free = FreeParameters.of(kernel.expr, SCALES)
    for corner in (free.low, free.high):
        values = free.values(corner, kernel.values)
        assert free.inside(values) == pytest.approx(values)


def test_the_gradient_of_a_cycle_counts_what_its_period_does_to_its_shape() -> None:
    kernel = leaf("Per", lengthscale=3.0, period=0.35, sd=1.0)
    free, step = FreeParameters.of(kernel.expr, SCALES), 1e-6
    u, gradient = free.coordinates(kernel.values), np.array([0.7, -0.2, 0.4])
    found = free.by_coordinates(gradient, kernel.values)
    for place, moved in enumerate(step * np.eye(3)):
        above, below = (np.log(free.values(u + sign * moved, kernel.values)) for sign in (1.0, -1.0))
        assert found[place] == pytest.approx(gradient @ (above - below) / (2.0 * step), rel=1e-5)


def test_open_values_are_at_the_centres_of_the_priors_and_given_ones_stay() -> None:
    free = FreeParameters.of(parse("SE * Per + Lin"), SCALES)
    nan = float("nan")
    values = free.completed((2.0, nan, nan, nan, nan, nan, nan))
    assert values[0] == 2.0
    for prior in free.priors():
        assert prior.index == 0 or prior.coordinate(values[prior.index]) == pytest.approx(prior.mean)
    (held,) = held_values(free.expr)
    assert values[held] == 1.0


def test_one_structure_on_one_data_set_is_looked_at_once() -> None:
    assert FreeParameters.of(parse("SE + WN"), SCALES) is FreeParameters.of(parse("SE + WN"), SCALES)


def test_without_learned_priors_nothing_is_penalised() -> None:
    assert FreeParameters.of(parse("SE + WN"), SCALES).penalty((1.0, 1.0, 1.0)) == 0.0


X = np.linspace(1.0, 3.0, 12)[:, None]


def _scales() -> Scales:
    return measure(X, np.sin(X[:, 0]), ("x",))


@given(kernels(max_leaves=6))
def test_the_covariance_stays(kernel: Kernel) -> None:
    moved = balanced(kernel, _scales())
    K = covariance(kernel, X)
    assert moved.expr == kernel.expr
    assert covariance(moved, X) == pytest.approx(K, rel=1e-7, abs=1e-9 * float(np.abs(K).max() or 1.0))


def test_the_keeper_carries_the_size_of_the_product() -> None:
    kernel = leaf("Lin", sd=0.001, location=-100.0) * leaf("WN", sd=2.0)
    line, noise = balanced(kernel, _scales()).parts
    x = X[:, 0] - line.named()["location"]
    assert np.sqrt(np.mean((line.named()["sd"] * x) ** 2)) == pytest.approx(1.0, rel=1e-4)
    assert noise.named()["sd"] == pytest.approx(2.0 * 0.001 * 102.0, rel=0.01)


@pytest.mark.parametrize("text", ["Wiener(sd=5, location=1)", "IOU(lengthscale=0.7, sd=5, location=1)"])
def test_a_walk_that_gives_up_its_size_has_root_mean_square_one(text: str) -> None:
    walk, noise = balanced(parse_kernel(f"{text} * WN(sd=2)"), _scales()).parts
    places = np.linspace(1.0, 3.0, 2001)
    assert np.mean(prior_variance(walk, places)) == pytest.approx(1.0, rel=0.01)
    assert noise.named()["sd"] > 2.0


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


def _check_room(scales: Scales) -> None:
    for parameter in parameters(EVERY_NODE):
        low, high = bounds(parameter, scales)
        assert isfinite(low)
        assert isfinite(high)
        assert low < high, parameter
        assert low > 0.0 or not parameter.role.positive


@pytest.mark.parametrize("case", sorted(DATA))
def test_every_parameter_has_room_and_an_end(case: str) -> None:
    _check_room(_measured(*DATA[case]))


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=9).filter(lambda x: max(x) - min(x) > 1e-3),
    st.lists(st.floats(-1e6, 1e6), min_size=9, max_size=9),
)
def test_any_data_give_every_parameter_room(x: list[float], y: list[float]) -> None:
    _check_room(_measured(np.array(x), np.array(y[: len(x)])))


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
    assert {unit: in_units(Amount(2.0, unit), SCALES, "x") for unit in Unit}[Unit.RANGES_BELOW] == -2.0
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


def test_positive_bounds_are_apart_on_a_logarithm_too() -> None:
    ends = [bounds(one, _measured(*DATA["tiny"])) for one in parameters(EVERY_NODE) if one.role.positive]
    assert min(log(high) - log(low) for low, high in ends) > 0.1
