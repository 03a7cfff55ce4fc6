"""Dense covariances against double loops and against scikit-learn's kernels.

The Cholesky factorisation and its jitter rule.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import i0e
from sklearn.gaussian_process import kernels as sk
from tests import oracles
from tests.gp.numeric import differences, misfit
from tests.strategies import kernels

from autostatistician.errors import InputError
from autostatistician.gp.covariance import (
    RELATIVE_JITTERS,
    NotPositiveDefinite,
    covariance,
    factorise,
    prior_variance,
    signal_and_noise,
    triangles,
)
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.fitting import fit
from autostatistician.gp.parameters.bounds import balanced
from autostatistician.gp.parameters.scales import measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance import variances
from autostatistician.kernels.expr import Leaf, Sum
from autostatistician.kernels.kernel import Kernel, leaf, parameters, rescaled
from autostatistician.kernels.leaves import LEAVES, category_symbol
from autostatistician.kernels.plain_leaves import between, loadings
from autostatistician.kernels.text import format_kernel, kernel_from_json, kernel_to_json, parse
from autostatistician.kernels.traits import effective_parameters, held_values, is_noise

RNG_PLANE = np.random.default_rng(5)
X_PLANE = RNG_PLANE.uniform(0.2, 3.0, (12, 2))
COLUMNS_PLANE = ("a", "b")
BY_SIGNAL, BY_NOISE = RNG_PLANE.normal(size=12), RNG_PLANE.normal(size=12)


def _total(kernel: Kernel, values: tuple[float, ...]) -> float:
    found = variances(kernel.expr, values, X_PLANE, COLUMNS_PLANE)
    return float(np.sum(BY_SIGNAL * found.signal) + np.sum(BY_NOISE * found.noise))


def _check_slopes(kernel: Kernel) -> None:
    slopes = [0.0] * len(kernel.values)
    variances(kernel.expr, kernel.values, X_PLANE, COLUMNS_PLANE).back(BY_SIGNAL, BY_NOISE, slopes)
    size = float(np.max(prior_variance(kernel, X_PLANE, COLUMNS_PLANE)))
    expected = differences(lambda values: _total(kernel, values), kernel, 1e-6)
    assert slopes == pytest.approx(expected.tolist(), rel=1e-4, abs=1e-4 * (1.0 + size))


@given(kernels(columns=COLUMNS_PLANE, symbols=("SE", "RQ", "Per", "Lin", "C", "WN"), max_leaves=6))
def test_both_halves_of_the_diagonal(kernel: Kernel) -> None:
    found = variances(kernel.expr, kernel.values, X_PLANE, COLUMNS_PLANE)
    for half, own in zip(signal_and_noise(kernel), (found.signal, found.noise), strict=True):
        expected = np.zeros(12) if half is None else prior_variance(half, X_PLANE, COLUMNS_PLANE)
        np.testing.assert_allclose(np.zeros(12) + own, expected, rtol=1e-9, atol=1e-12)
    _check_slopes(kernel)


@pytest.mark.parametrize("text", ["Wiener[a] * Lin[b]", "CW[b](IOU[a], WN)", "Cat3r2[c] + WN * Cat3r2[c]"])
def test_leaves_that_are_not_the_same_everywhere(text: str) -> None:
    expr = parse(text)
    kernel = Kernel(expr, tuple(0.1 + 0.05 * index for index in range(len(parameters(expr)))))
    points = np.column_stack([X_PLANE[:, :1], X_PLANE[:, 1:], np.arange(12.0) % 3.0])
    found = variances(expr, kernel.values, points, ("a", "b", "c"))
    every = np.zeros(12) + found.signal + found.noise
    np.testing.assert_allclose(every, prior_variance(kernel, points, ("a", "b", "c")), rtol=1e-9)


def test_noise_of_one_size_is_one_number() -> None:
    kernel = Kernel(parse("SE[a] + WN * C + WN"), (1.0, 1.0, 2.0, 3.0, 1.0))
    assert variances(kernel.expr, kernel.values, X_PLANE, COLUMNS_PLANE).noise == 37.0
    _check_slopes(kernel)


COLUMNS_CODED = ("x", "c")
RNG = np.random.default_rng(0)
X_CODED = np.column_stack([RNG.uniform(0.0, 3.0, 24), RNG.integers(0, 3, 24)])
Y_CODED = np.sin(X_CODED[:, 0]) * (X_CODED[:, 1] - 0.5) + 0.1 * RNG.standard_normal(24)


def _kernel(text: str, seed: int = 1) -> Kernel:
    expr = parse(text)
    draws = np.random.default_rng(seed).uniform(0.4, 1.5, len(parameters(expr)))
    signs = np.where(np.random.default_rng(seed + 1).random(len(draws)) < 0.5, -1.0, 1.0)
    roles = [parameter.role.positive for parameter in parameters(expr)]
    return Kernel(expr, tuple(float(d if p else s * d) for d, s, p in zip(draws, signs, roles, strict=True)))


@given(st.integers(1, 5), st.data())
def test_it_is_the_formula(levels: int, data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, levels))
    names = [name for name, _ in LEAVES[category_symbol(levels, rank)].names_and_roles]
    own = tuple(np.random.default_rng(levels).standard_normal(len(names)))
    by_name = dict(zip(names, own, strict=True))
    for a in range(levels):
        for b in range(levels):
            each = [
                by_name.get(f"w{a + 1}" if rank == 1 else f"w{a + 1}_{k + 1}", 0.0)
                * by_name.get(f"w{b + 1}" if rank == 1 else f"w{b + 1}_{k + 1}", 0.0)
                for k in range(rank)
            ]
            expected = sum(each) + (by_name[f"sd{a + 1}"] ** 2 if a == b else 0.0)
            assert between((levels, rank), own)[a, b] == pytest.approx(expected)


def test_text_and_json_come_back() -> None:
    kernel = _kernel("SE[x] * Cat3r2[c] + WN * Cat3r0[c]")
    assert parse(str(kernel)) == kernel.expr
    assert kernel_from_json(kernel_to_json(kernel)) == kernel
    assert "w3_2=" in format_kernel(kernel)


@pytest.mark.parametrize(
    "text",
    ["SE[x] * Cat3r1[c] + WN", "SE[x] * Cat3r2[c] + WN * Cat3r0[c]", "Lin[x] * Cat3r3[c] + Cat[c] * SE[x] + WN",
     "CP[x](Cat3r1[c], SE[x]) + WN"],
)  # fmt: skip
def test_value_and_gradient_are_those_of_dense_algebra(text: str) -> None:
    kernel = _kernel(text)
    evidence = objective_of(kernel.expr, Problem(X_CODED, Y_CODED, COLUMNS_CODED))
    value, gradient = evidence.value_and_gradient(kernel.values)
    assert value == pytest.approx(misfit(covariance(kernel, X_CODED, None, COLUMNS_CODED), Y_CODED), rel=1e-10)
    numeric = differences(evidence.value, kernel, 1e-6)
    np.testing.assert_allclose(gradient, numeric, atol=2e-4 * np.abs(numeric).max())


def test_on_one_column_too() -> None:
    kernel = _kernel("Cat3r1 + WN")
    found = objective_of(kernel.expr, Problem(X_CODED[:, 1:], Y_CODED, ("c",))).value_and_gradient(kernel.values)[0]
    assert found == pytest.approx(misfit(covariance(kernel, X_CODED[:, 1:]), Y_CODED), rel=1e-10)


def test_the_diagonal_is_that_of_the_matrix() -> None:
    kernel = _kernel("SE[x] * Cat3r1[c] + WN * Cat3r0[c]")
    matrix = covariance(kernel, X_CODED, None, COLUMNS_CODED)
    np.testing.assert_allclose(prior_variance(kernel, X_CODED, COLUMNS_CODED), matrix.diagonal(), rtol=1e-12)


def test_unseen_categories_share_nothing() -> None:
    kernel = Kernel(parse("Cat2r1"), (1.0, 2.0, 0.5, 0.5))
    found = covariance(kernel, np.array([0.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, 3.0]))
    mean = (1.25 + 4.25) / 2
    assert found.tolist() == [[1.25, 2.0, 0.0, 0.0], [0.0, 0.0, mean, 0.0], [0.0, 0.0, 0.0, mean]]


def test_the_scale_of_a_product_lies_in_the_categories() -> None:
    expr = parse("SE[x] * Cat3r1[c]")
    assert [parameters(expr)[index].name for index in held_values(expr)] == ["sd"]
    assert effective_parameters(expr) == 1 + 3 + 3
    kernel = Kernel(expr, (0.7, 3.0, 1.0, -1.0, 2.0, 0.1, 0.2, 0.3))
    even = balanced(kernel, measure(X_CODED, Y_CODED, COLUMNS_CODED))
    assert even.values[1] == pytest.approx(1.0)
    found, expected = (covariance(one, X_CODED, None, COLUMNS_CODED) for one in (even, kernel))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_other_units_of_the_output() -> None:
    kernel = _kernel("SE[x] * Cat3r1[c] + Cat3r0[c]")
    larger = covariance(rescaled(kernel, y_scale=3.0), X_CODED, None, COLUMNS_CODED)
    np.testing.assert_allclose(larger, 9.0 * covariance(kernel, X_CODED, None, COLUMNS_CODED), rtol=1e-12)


def test_a_fit_finds_that_two_categories_are_opposite() -> None:
    x = np.repeat(np.linspace(0.0, 6.0, 30), 2)
    code = np.tile([0.0, 1.0], 30)
    y = np.sin(x) * np.where(code == 0.0, 1.0, -1.0) + 0.05 * np.random.default_rng(3).standard_normal(60)
    inputs, columns = np.column_stack([x, code]), ("x", "c")
    start = leaf("SE", "x", lengthscale=1.0, sd=1.0) * Kernel(Leaf("Cat2r1", "c"), (0.5, -0.1, 0.3, 0.3))
    start = start + leaf("WN", sd=0.1)
    found = fit(start, Problem(inputs, y, columns), measure(inputs, y, columns))
    place = [str(part) for part in found.kernel.parts].index("SE[x] * Cat2r1[c]")
    B = between((2, 1), found.kernel.parts[place].parts[1].own)
    assert B[0, 1] / np.sqrt(B[0, 0] * B[1, 1]) < -0.95
    weights, _ = loadings((2, 1), found.kernel.parts[place].parts[1].own)
    assert weights[0, 0] * weights[1, 0] < 0.0


RNG_SPARSE = np.random.default_rng(0)
ROOT = RNG_SPARSE.normal(size=(3, 3))
U, C, Y_SPARSE = (ROOT @ ROOT.T + np.eye(3), RNG_SPARSE.normal(size=(3, 6)), RNG_SPARSE.normal(size=(6, 2)))


X = np.array([[0.0], [0.4], [1.1], [1.1], [2.5], [-3.0]])
X2 = np.array([[0.4], [7.0], [-0.2]])
APART = X2 + 0.013  # no place is one of X
COLUMNS = ("age", "dose")


def _close(found: np.ndarray, expected: np.ndarray, scale: float) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11 * scale)


@given(kernels())
def test_every_expression_is_the_double_loop(kernel: Kernel) -> None:
    scale = float(prior_variance(kernel, np.vstack([X, X2])).max())
    _close(covariance(kernel, X), oracles.covariance(kernel, X), scale)
    _close(covariance(kernel, X, APART), oracles.covariance(kernel, X, APART), scale)


@given(kernels(columns=COLUMNS))
def test_leaves_act_on_their_columns(kernel: Kernel) -> None:
    points = np.random.default_rng(3).normal(size=(5, 2))
    found = covariance(kernel, points, None, COLUMNS)
    _close(found, oracles.covariance(kernel, points, None, COLUMNS), float(np.abs(found).max()))
    swapped = covariance(kernel, points[:, ::-1], None, COLUMNS[::-1])
    _close(swapped, found, float(np.abs(found).max()))


@given(kernels())
def test_symmetric_positive_and_with_the_stated_diagonal(kernel: Kernel) -> None:
    K = covariance(kernel, X)
    scale = float(K.diagonal().max())
    _close(K, K.T, scale)
    _close(K.diagonal(), prior_variance(kernel, X), scale)
    assert np.linalg.eigvalsh(K).min() >= -1e-9 * scale


@given(kernels())
def test_signal_and_noise_are_the_whole(kernel: Kernel) -> None:
    signal, noise = signal_and_noise(kernel)
    assert signal is None or not is_noise(signal)
    if noise is not None:
        assert all(is_noise(part) for part in (noise.parts if isinstance(noise.expr, Sum) else (noise,)))
    K = covariance(kernel, X)
    total = sum(covariance(half, X) for half in (signal, noise) if half is not None)
    _close(np.asarray(total), K, float(K.max()))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (leaf("SE", lengthscale=0.7, sd=2.0), 4.0 * sk.RBF(0.7)(X, X2)),
        (leaf("RQ", lengthscale=0.7, sd=2.0, alpha=1.5), 4.0 * sk.RationalQuadratic(0.7, 1.5)(X, X2)),
        (leaf("Lin", sd=2.0, location=0.5), 4.0 * sk.DotProduct(0.0)(X - 0.5, X2 - 0.5)),
        (leaf("C", sd=2.0), sk.ConstantKernel(4.0)(X, X2)),
    ],
)
def test_leaves_are_those_of_scikit_learn(ours: Kernel, theirs: np.ndarray) -> None:
    np.testing.assert_allclose(covariance(ours, X, X2), theirs, atol=1e-13)


@pytest.mark.parametrize("lengthscale", [0.2, 1.0, 4.0])
def test_periodic_is_scikit_learns_without_its_mean(lengthscale: float) -> None:
    mean = i0e(lengthscale**-2)
    expected = (sk.ExpSineSquared(lengthscale, 1.7)(X, X2) - mean) / (1.0 - mean)
    ours = leaf("Per", lengthscale=lengthscale, period=1.7, sd=1.0)
    np.testing.assert_allclose(covariance(ours, X, X2), expected, atol=1e-12)


def test_noise_is_one_draw_per_row() -> None:
    noise = leaf("WN", sd=3.0)
    np.testing.assert_array_equal(covariance(noise, X), 9.0 * np.eye(6))
    np.testing.assert_array_equal(covariance(noise, X, X), np.zeros((6, 6)))


@pytest.mark.parametrize(("column", "found"), [("weight", "'weight'"), (None, "without a column")])
def test_unknown_columns_are_named(column: str | None, found: str) -> None:
    with pytest.raises(InputError, match=found):
        covariance(leaf("SE", column, lengthscale=1.0, sd=1.0), np.zeros((2, 2)), None, COLUMNS)


def test_inputs_may_be_one_vector_and_are_not_changed() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=1.0) * leaf("Lin", sd=1.0, location=0.0)
    before = X.copy()
    np.testing.assert_array_equal(covariance(kernel, X[:, 0], X2[:, 0]), covariance(kernel, X, X2))
    np.testing.assert_array_equal(prior_variance(kernel, X[:, 0]), prior_variance(kernel, X))
    np.testing.assert_array_equal(X, before)


def test_they_are_inverse_to_each_other_and_make_the_matrix() -> None:
    roots = np.random.default_rng(0).normal(size=(6, 9))
    K = roots @ roots.T
    lower, inverse = triangles(K)
    assert lower @ lower.T == pytest.approx(K)
    assert lower @ inverse == pytest.approx(np.eye(6), abs=1e-10)
    assert not np.triu(lower, 1).any()
    assert not np.triu(inverse, 1).any()


def test_a_matrix_without_factor_is_refused() -> None:
    with pytest.raises(NotPositiveDefinite):
        triangles(np.diag([1.0, -1.0]))


def _matrix(n: int = 6) -> np.ndarray:
    A = np.random.default_rng(1).normal(size=(n, n))
    return A @ A.T + np.eye(n)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_good_matrix_gets_no_jitter(order: str, overwrite: bool) -> None:
    K = _matrix()
    factor = factorise(np.array(K, order=order), overwrite=overwrite)
    assert factor.jitter == 0.0
    np.testing.assert_allclose(factor.lower @ factor.lower.T, K)
    assert factor.logdet == pytest.approx(np.linalg.slogdet(K)[1])


def test_the_matrix_is_kept_unless_its_memory_is_offered() -> None:
    K = _matrix()
    before = K.copy()
    factorise(K)
    np.testing.assert_array_equal(K, before)
    assert np.shares_memory(factorise(K, overwrite=True).packed, K)


@pytest.mark.parametrize("shape", [(6,), (6, 1), (6, 4)])
def test_solves(shape: tuple[int, ...]) -> None:
    K, b = _matrix(), np.random.default_rng(2).normal(size=shape)
    factor = factorise(K)
    np.testing.assert_allclose(K @ factor.solve(b), b, atol=1e-12)
    np.testing.assert_allclose(factor.lower @ factor.half_solve(b), b, atol=1e-12)
    np.testing.assert_allclose(factor.inverse(), np.linalg.inv(K), atol=1e-12)
    np.testing.assert_allclose(factor.inverse_diagonal(), np.linalg.inv(K).diagonal(), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-18, 1.0, 1e18])
def test_a_singular_matrix_gets_the_least_jitter_that_works(scale: float) -> None:
    x = np.linspace(0.0, 1.0, 40)
    K = scale * np.exp(-0.5 * np.subtract.outer(x, x) ** 2)
    factor = factorise(K.copy(), overwrite=True)
    assert factor.jitter == pytest.approx(RELATIVE_JITTERS[1] * scale)
    np.testing.assert_allclose(factor.lower @ factor.lower.T, K + factor.jitter * np.eye(40), rtol=1e-12)


def test_jitter_grows_by_tens_and_ends() -> None:
    K = np.eye(5)
    K[0, 0] = -3e-7
    assert factorise(K).jitter == pytest.approx(1e-6 * K.diagonal().mean())
    K[0, 0] = -3e-4
    with pytest.raises(NotPositiveDefinite, match="jitter"):
        factorise(K)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("place", [(0, 0), (2, 1)])
def test_what_is_not_finite_does_not_factorise_nor_does_zero(bad: float, place: tuple[int, int]) -> None:
    K = _matrix()
    K[place] = K[place[::-1]] = bad
    for matrix in (K, np.zeros((3, 3))):
        with pytest.raises(NotPositiveDefinite):
            factorise(matrix)
