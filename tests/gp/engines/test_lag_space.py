"""The fast likelihood against dense algebra, a slow oracle, finite differences and stored results."""

from math import inf, log, pi
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests import oracles
from tests.gp import stored_models
from tests.gp.numeric import FOURTH_ORDER, differences, misfit
from tests.strategies import kernels

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition, objective_of
from autostatistician.gp.engines.exact import workspace_of
from autostatistician.gp.engines.geometry import Gaps, Grid, Indexed, Pairs, Recurring, geometry_of
from autostatistician.gp.engines.profiles import BLOCK_LENGTH
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel, leaf, parameters, rescaled
from autostatistician.kernels.text import parse, parse_kernel

Matrix = NDArray[np.float64]
RNG_TILES = np.random.default_rng(5)
N_TILES = 300
PLACES: dict[str, tuple[type, Matrix]] = {
    "gaps, out of order, repeated": (Gaps, RNG_TILES.integers(0, 900, N_TILES) / 7.0),
    "two grids": (Recurring, np.append(np.arange(150.0), np.arange(100.0, 250.0) + 0.5**0.5)),
    "one tile": (Gaps, np.array([0.0, 1.0, 1.0, 4.0])),
}
NOISE_TILES = leaf("WN", sd=0.4)
LINE, FIRST, SECOND = (
    leaf("Lin", sd=0.8, location=0.3),
    leaf("Matern32", lengthscale=0.2, sd=1.1),
    leaf("Per", lengthscale=0.9, period=0.21, sd=0.7),
)

KERNELS = (
    FIRST + NOISE_TILES,
    LINE + NOISE_TILES,
    leaf("C", sd=0.6) + LINE * LINE * FIRST + SECOND + NOISE_TILES,
    LINE * FIRST + SECOND * LINE * leaf("Lin", sd=0.5, location=-1.0) + LINE * NOISE_TILES + NOISE_TILES,
)


def _table(case: str) -> Indexed:
    kind, x = PLACES[case]
    found = geometry_of(x[:, None])
    assert type(found) is kind
    assert isinstance(found, Indexed)
    assert (len(found.tiles) > 1) is (len(x) == N_TILES)
    return found


@pytest.mark.parametrize("case", ["gaps, out of order, repeated", "two grids"])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_likelihood_is_that_by_pairs(case: str, kernel: Kernel) -> None:
    table, x = _table(case), PLACES[case][1]
    X = (x / np.ptp(x))[:, None]
    y = np.sin(9.0 * X[:, 0]) + 0.3 * np.random.default_rng(0).normal(size=len(x))
    by_table, by_pairs = Problem(X, y, ("x",)), Problem(X, y, ("x",))
    assert type(workspace_of(by_table).geometry) is type(table)
    vars(workspace_of(by_pairs))["geometry"] = Pairs(X)
    value, gradient = objective_of(kernel.expr, by_table).value_and_gradient(kernel.values)
    other, expected = objective_of(kernel.expr, by_pairs).value_and_gradient(kernel.values)
    assert value == pytest.approx(other, rel=1e-8)
    np.testing.assert_allclose(gradient, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())
    assert not np.tril(workspace_of(by_table).triangle.matrix, -1).any()


N = 9
RNG = np.random.default_rng(11)
Y = RNG.normal(size=N)

LINES: dict[str, tuple[type, Matrix]] = {
    "grid": (Grid, np.arange(N)[:, None] / 3.0 - 1.0),
    "gaps": (Gaps, np.array([0, 1, 3, 4, 7, 8, 9, 12, 15])[:, None] / 5.0 - 1.0),
    "unsorted and repeated": (Gaps, np.array([3, 1, 4, 1, 5, 9, 2, 6, 5])[:, None] / 3.0 - 1.0),
    "scattered": (Pairs, RNG.uniform(-1.5, 1.5, (N, 1))),
}

PLANE = RNG.uniform(-1.5, 1.5, (N, 2))
NOISE = leaf("WN", sd=0.75)
lines = st.sampled_from(sorted(LINES))


def _points(case: str, y: Matrix = Y) -> Problem:
    kind, X = LINES[case]
    points = Problem(X, y, ("x",))
    assert type(workspace_of(points).geometry) is kind
    return points


def _well_conditioned(K: Matrix) -> bool:
    return bool(np.linalg.cond(K) < 1e8)


@given(kernels(max_leaves=7), lines)
def test_value_is_that_of_dense_algebra(kernel: Kernel, case: str) -> None:
    kernel = kernel + NOISE
    points = _points(case)
    K = covariance(kernel, points.X)
    assume(_well_conditioned(K))
    expected = misfit(K, Y)
    assert objective_of(kernel.expr, points).value_and_gradient(kernel.values)[0] == pytest.approx(expected, rel=1e-7)
    slow = misfit(oracles.covariance(kernel, points.X), Y)
    assert objective_of(kernel.expr, points).value(kernel.values) == pytest.approx(slow, rel=1e-7)


@given(kernels(columns=("a", "b"), max_leaves=7))
def test_value_in_the_plane_is_that_of_dense_algebra(kernel: Kernel) -> None:
    kernel = kernel + NOISE
    K = oracles.covariance(kernel, PLANE, columns=("a", "b"))
    assume(_well_conditioned(K))
    found = objective_of(kernel.expr, Problem(PLANE, Y, ("a", "b")))
    assert found.value_and_gradient(kernel.values)[0] == pytest.approx(misfit(K, Y), rel=1e-7)


WIDE = leaf("SE", lengthscale=1.0, sd=1.0)
LINEAR = leaf("Lin", sd=1.0, location=0.5)
RIPPLE = leaf("Per", lengthscale=1.0, period=0.75, sd=1.0)


@pytest.mark.slow
@example(NOISE * LINEAR, "grid")
@example(NOISE * WIDE + NOISE * LINEAR * LINEAR, "gaps")
@example((NOISE + WIDE) * (LINEAR + leaf("C", sd=1.5)), "unsorted and repeated")
@example((NOISE + leaf("C", sd=0.5)) * (NOISE + leaf("C", sd=2.0)), "scattered")
@example(LINEAR * LINEAR * LINEAR, "grid")
@example((LINEAR + leaf("C", sd=0.5)) * (WIDE + LINEAR), "grid")
@example(LINEAR * Kernel.change_point(WIDE, LINEAR, 0.25, 2.0), "gaps")
@example(Kernel.change_point(leaf("0"), WIDE * RIPPLE, 0.25, 2.0), "gaps")
@example(Kernel.change_window(WIDE, NOISE * LINEAR, 0.25, 2.0, 1.0) * RIPPLE, "scattered")
@given(kernels(max_leaves=7), lines)
def test_gradient_is_that_of_finite_differences(kernel: Kernel, case: str) -> None:
    kernel = kernel + NOISE
    points = _points(case)
    assume(_well_conditioned(covariance(kernel, points.X)))
    evidence = objective_of(kernel.expr, points)
    _, gradient = evidence.value_and_gradient(kernel.values)
    expected = differences(evidence.value, kernel, 4e-4, FOURTH_ORDER)
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-5 * (1.0 + np.abs(expected).max()))


@given(kernels(columns=("a", "b"), max_leaves=6))
def test_gradient_in_the_plane_is_that_of_finite_differences(kernel: Kernel) -> None:
    kernel = kernel + NOISE
    assume(_well_conditioned(covariance(kernel, PLANE, None, ("a", "b"))))
    evidence = objective_of(kernel.expr, Problem(PLANE, Y, ("a", "b")))
    _, gradient = evidence.value_and_gradient(kernel.values)
    expected = differences(evidence.value, kernel, 4e-4, FOURTH_ORDER)
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-5 * (1.0 + np.abs(expected).max()))


@given(kernels(max_leaves=7), lines)
def test_value_alone_is_the_value_with_gradient(kernel: Kernel, case: str) -> None:
    kernel = kernel + NOISE
    evidence = objective_of(kernel.expr, _points(case))
    both, _ = evidence.value_and_gradient(kernel.values)
    assert evidence.value(kernel.values) == pytest.approx(both, rel=1e-9)
    assert evidence.evaluations == 2


TEXTS = (
    "SE * Per * Lin + CW(SE + RQ, Lin * WN) + WN",
    "(SE + Per) * (RQ + C + WN) + Lin * Lin * SE + WN",
    "CP(SE * Per + Lin, C + WN) + RQ * Cos + WN",
)


def _numbers(text: str, seed: int) -> tuple[float, ...]:
    rng = np.random.default_rng(seed)
    return tuple(float(rng.uniform(0.6, 1.6)) for _ in parameters(parse(text)))


def _large(case: str) -> Problem:
    """Problem whose lags exceed a block, so that blocks and pooled vectors are used (off the grid)."""
    n = 190
    x = np.random.default_rng(5).uniform(-3.0, 3.0, n) if case == "scattered" else np.arange(n) / 30.0 - 3.0
    points = Problem(x[:, None], np.sin(3.0 * x) + 0.1 * x, ("x",))
    assert (workspace_of(points).geometry.size > BLOCK_LENGTH) == (case == "scattered")
    return points


@pytest.mark.parametrize("case", ["grid", "scattered"])
@pytest.mark.parametrize("text", TEXTS)
def test_nothing_is_left_over_from_earlier_evaluations(case: str, text: str) -> None:
    points = _large(case)
    evidence, other = objective_of(parse(text), points), objective_of(parse(TEXTS[0]), points)
    for seed in (1, 2, 1):
        other.value(_numbers(TEXTS[0], seed))
        found = evidence.value_and_gradient(_numbers(text, seed))
        other.value_and_gradient(_numbers(TEXTS[0], seed + 5))
        fresh = objective_of(parse(text), _large(case)).value_and_gradient(_numbers(text, seed))
        assert found[0] == fresh[0]
        np.testing.assert_array_equal(found[1], fresh[1])


@pytest.mark.parametrize("text", TEXTS)
def test_many_pairs_in_blocks_are_right_too(text: str) -> None:
    points, values = _large("scattered"), _numbers(text, 3)
    kernel = Kernel(parse(text), values)
    evidence = objective_of(kernel.expr, points)
    value, gradient = evidence.value_and_gradient(values)
    assert value == pytest.approx(misfit(covariance(kernel, points.X), points.y), rel=1e-8)
    expected = differences(evidence.value, kernel, 4e-4, FOURTH_ORDER)
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


def test_the_order_of_the_points_does_not_matter() -> None:
    kernel = Kernel(parse(TEXTS[0]), _numbers(TEXTS[0], 0))
    order = np.random.default_rng(0).permutation(N)
    for case, (_, X) in LINES.items():
        mixed = objective_of(kernel.expr, Problem(X[order], Y[order], ("x",))).value_and_gradient(kernel.values)
        straight = objective_of(kernel.expr, _points(case)).value_and_gradient(kernel.values)
        assert mixed[0] == pytest.approx(straight[0])
        np.testing.assert_allclose(mixed[1], straight[1], rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("kernel", [leaf("0"), leaf("0") + leaf("0"), leaf("SE", lengthscale=1.0, sd=1e200)])
def test_what_cannot_be_factorised_is_infinitely_unlikely(kernel: Kernel) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        evidence = objective_of(kernel.expr, _points("grid"))
        value, gradient = evidence.value_and_gradient(kernel.values)
        assert value == inf
        assert not gradient.any()
        assert evidence.value(kernel.values) == inf


def test_jitter_helps_a_smooth_function_without_noise() -> None:
    kernel = leaf("SE", lengthscale=50.0, sd=1.0)
    value, gradient = objective_of(kernel.expr, _points("grid")).value_and_gradient(kernel.values)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1e9, 1e100])
def test_scales_of_the_target_only_shift_the_value(scale: float) -> None:
    def model(unit: float) -> Kernel:
        smooth = leaf("SE", lengthscale=1.0, sd=unit) * leaf("Per", lengthscale=1.0, period=0.7, sd=1.0)
        return smooth + leaf("Lin", sd=unit, location=0.1) + leaf("WN", sd=0.3 * unit)

    expected, slopes = objective_of(model(1.0).expr, _points("grid")).value_and_gradient(model(1.0).values)
    value, gradient = objective_of(model(1.0).expr, _points("grid", scale * Y)).value_and_gradient(model(scale).values)
    assert value == pytest.approx(expected + N * log(scale))
    np.testing.assert_allclose(gradient, slopes, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_scales_of_the_input_change_nothing(scale: float) -> None:
    def model(unit: float) -> Kernel:
        return leaf("SE", lengthscale=unit, sd=1.0) + leaf("Lin", sd=1.0 / unit, location=0.1 * unit) + NOISE

    for _, X in LINES.values():
        expected = objective_of(model(1.0).expr, Problem(X, Y, ("x",))).value_and_gradient(model(1.0).values)[0]
        found = objective_of(model(1.0).expr, Problem(scale * X, Y, ("x",))).value_and_gradient(model(scale).values)[0]
        assert found == pytest.approx(expected)


def test_one_and_two_points() -> None:
    for n in (1, 2):
        points = Problem(np.arange(n, dtype=float)[:, None], np.ones(n), ("x",))
        value, gradient = objective_of(Leaf("WN"), points).value_and_gradient((1.0,))
        assert value == pytest.approx(n * (0.5 + 0.5 * log(2.0 * pi)))
        assert gradient == pytest.approx([0.0])


@pytest.mark.parametrize("name", sorted(stored_models.KERNELS))
def test_stored_likelihoods_of_the_original_system(name: str, shared_data: Path) -> None:
    X, y = stored_models.series(shared_data, name)
    kernel = stored_models.KERNELS[name]
    evidence = objective_of(kernel.expr, Problem(X, y, ("x",)))
    assert evidence.value_and_gradient(kernel.values)[0] == pytest.approx(stored_models.NLL[name], abs=5e-4)
    assert evidence.value(kernel.values) == pytest.approx(stored_models.NLL[name], abs=5e-4)


@pytest.mark.parametrize("text", TEXTS)
def test_a_table_of_lags_changes_nothing_but_the_time(text: str) -> None:
    """Two grids beside each other: few lags, so a table of them serves; and the same without it."""
    x = np.append(np.arange(40.0), 0.5**0.5 + np.arange(20.0, 50.0)) / 25.0 - 1.0
    y = np.sin(3.0 * x) + 0.3 * np.random.default_rng(0).normal(size=len(x))
    kernel = Kernel(parse(text), _numbers(text, 0))
    found = []
    for geometry in (geometry_of(x[:, None]), Pairs(x[:, None])):
        points = Problem(x[:, None], y, ("x",))
        vars(workspace_of(points))["geometry"] = geometry
        found.append(objective_of(kernel.expr, points).value_and_gradient(kernel.values))
    assert type(geometry_of(x[:, None])) is Recurring
    (value, gradient), (other, by_pairs) = found
    assert value == pytest.approx(other, rel=1e-9)
    np.testing.assert_allclose(gradient, by_pairs, rtol=1e-6, atol=1e-7 * np.abs(by_pairs).max())


# Leaves with stationary increments ---------------------------------------------------------------------------


def _evidence_in_many_digits(kernel: Kernel, x: Matrix, y: Matrix) -> float:
    """By a Cholesky factor of the double loop, both in extended precision."""
    extended = x.astype(np.longdouble)
    K, n = oracles.covariance(kernel, x).astype(np.longdouble), len(x)
    for index, part in enumerate(kernel.parts):
        if part.expr == Leaf("IOU"):
            lengthscale, sd, location = (np.longdouble(value) for value in part.values)
            g = _iou_in_many_digits(
                np.append(extended, location)[:, None] - np.append(extended, location), lengthscale, sd
            )
            K = K - oracles.covariance(kernel.parts[index], x) + (g[:n, -1:] + g[-1:, :n] - g[:n, :n])
    factor = np.zeros((n, n), dtype=np.longdouble)
    for j in range(n):
        factor[j, j] = np.sqrt(K[j, j] - factor[j, :j] @ factor[j, :j])
        factor[j + 1 :, j] = (K[j + 1 :, j] - factor[j + 1 :, :j] @ factor[j, :j]) / factor[j, j]
    half = y.astype(np.longdouble)
    for j in range(n):
        half[j] = (half[j] - factor[j, :j] @ half[:j]) / factor[j, j]
    return float(0.5 * half @ half + np.log(factor.diagonal()).sum() + 0.5 * n * np.log(2.0 * np.pi))


def _iou_in_many_digits(lag: Matrix, lengthscale: np.longdouble, sd: np.longdouble) -> Matrix:
    u = np.abs(lag) / lengthscale
    return np.asarray((sd * lengthscale) ** 2 * (u + np.expm1(-u)))


@pytest.mark.parametrize("text", [
    "Wiener(sd=3, location=0) + WN(sd=0.001)",
    "IOU(lengthscale=0.3, sd=2, location=0) + WN(sd=0.001)",
    "IOU(lengthscale=30, sd=2, location=0) + WN(sd=0.001)",
    "C(sd=2) + Wiener(sd=1, location=-0.5) + IOU(lengthscale=0.2, sd=4, location=0) + WN(sd=0.001)",
])  # fmt: skip
@pytest.mark.parametrize("unit", [1.0, 1e6])
def test_the_digits_of_walks_are_kept_beside_little_noise(text: str, unit: float) -> None:
    x = np.arange(40.0) / 39.0
    kernel = rescaled(parse_kernel(text), y_scale=unit)
    y = unit * (np.sin(5.0 * x) + 0.1 * np.random.default_rng(3).normal(size=40))
    found = objective_of(kernel.expr, Problem(x[:, None], y)).value(kernel.values)
    assert found == pytest.approx(_evidence_in_many_digits(kernel, x, y), rel=1e-8)


def test_beside_a_constant_it_does_not_matter_where_a_walk_begins() -> None:
    x, y = LINES["scattered"][1], Y
    texts = "C(sd=1000) + IOU(lengthscale=2, sd=1, location={0}) + Wiener(sd=1, location={0}) + WN(sd=0.3)"
    found = [parse_kernel(texts.format(place)) for place in (-1.5, 0.2, 9.0)]
    means = [condition(kernel, Problem(x, y)).signal(np.array([[0.7], [3.0]])) for kernel in found]
    for mean, sd in means[1:]:
        np.testing.assert_allclose(mean, means[0][0], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(sd, means[0][1], rtol=1e-4)
