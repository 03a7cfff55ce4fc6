"""Views of a kernel: against double loops, the laws of symmetry, and that they are covariances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.strategies import expressions, with_numbers

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.symmetry import (
    Chain,
    Group,
    Inputs,
    Multiplier,
    OrbitProduct,
    OrbitSum,
    Projection,
    generated,
    permutations,
    reflection,
    rotations,
    swap,
    translations,
    view_covariance,
)
from autostatistician.models.symmetry.views import View, folded, spread

Array = NDArray[np.float64]
PLANE = ("a", "b")
IN_PLANE = {
    "mirror": reflection(2, [0], at=0.25),
    "odd mirror": reflection(2, odd=True),
    "swap": swap(2),
    "odd swap": swap(2, odd=True),
    "turns": rotations(2, 3),
    "square": generated([[1, 0], ([[-1.0, 0.0], [0.0, 1.0]], [0.0, 0.0])], (1, -1)),
}
groups = st.sampled_from(sorted(IN_PLANE)).map(IN_PLANE.__getitem__)
kernels = expressions(PLANE, ("SE", "RQ", "Matern32", "Per", "Cos", "Lin", "C"), 4, changes=False).flatmap(with_numbers)
powers = st.sampled_from(["SE[a](lengthscale=1, sd=2) * RQ[b](lengthscale=0.7, sd=1, alpha=0.5)",
                          "Matern12[a](lengthscale=1.3, sd=1) * Matern32[b](lengthscale=2, sd=0.5) * C(sd=2)",
                          "C(sd=1) + SE[a](lengthscale=0.5, sd=1)"]).map(parse_kernel)  # fmt: skip
seeds = st.integers(0, 10_000)
WITHOUT_SIGNS = ["mirror", "swap", "turns"]


def _points(seed: int, count: int = 5) -> Array:
    """Rows of the plane, some of them on the axes of symmetry."""
    X = np.random.default_rng(seed).uniform(-2.0, 2.0, (count, 2))
    X[0, 1] = X[0, 0]
    X[1] = (0.25, 0.0)
    return X


def _one(kernel: Kernel, x: Array, other: Array) -> float:
    return float(covariance(kernel, x[None], other[None], PLANE)[0, 0])


@given(kernels, groups, seeds)
def test_the_sum_over_the_orbit_is_a_double_loop(kernel: Kernel, group: Group, seed: int) -> None:
    X, X2 = _points(seed, 3), _points(seed + 1, 2)
    slow = np.zeros((3, 2))
    for n, m in np.ndindex(3, 2):
        left, right = group.orbit(X[[n]])[:, 0], group.orbit(X2[[m]])[:, 0]
        for g, h in np.ndindex(len(group), len(group)):
            slow[n, m] += group.signs[g] * group.signs[h] * _one(kernel, left[g], right[h]) / len(group)
    assert view_covariance(kernel, OrbitSum(group), X, X2, PLANE) == pytest.approx(slow, rel=1e-9, abs=1e-9)


@settings(max_examples=10)
@given(powers, st.sampled_from(WITHOUT_SIGNS), seeds)
def test_the_product_over_the_orbit_is_a_geometric_mean(kernel: Kernel, name: str, seed: int) -> None:
    group, X = IN_PLANE[name], _points(seed, 3)
    slow = np.zeros((3, 3))
    for term in kernel.parts if "+" in str(kernel) else (kernel,):
        for n, m in np.ndindex(3, 3):
            left, right = group.orbit(X[[n]])[:, 0], group.orbit(X[[m]])[:, 0]
            every = [_one(term, one, other) for one in left for other in right]
            slow[n, m] += np.prod(np.array(every) ** (1.0 / len(every)))
    assert view_covariance(kernel, OrbitProduct(group), X, None, PLANE) == pytest.approx(slow, rel=1e-9)


def test_projections_are_the_published_ones() -> None:
    X = np.array([[2.0, 1.0], [1.0, 2.0], [-3.0, -1.0]])
    assert Projection(swap(2))(X).points[0].tolist() == [[1.0, 2.0], [1.0, 2.0], [-3.0, -1.0]]  # (min, max)
    assert Projection(reflection(2, [0]))(X).points[0].tolist() == [[-2.0, 1.0], [-1.0, 2.0], [-3.0, -1.0]]
    odd = Projection(swap(2, odd=True))(np.array([[2.0, 1.0], [1.0, 2.0], [1.0, 1.0]]))
    assert odd.weights.tolist() == [[-1.0, 1.0, 0.0]]


@given(kernels, groups, st.sampled_from([OrbitSum, Projection]), powers, st.sampled_from(WITHOUT_SIGNS), seeds)
def test_the_covariance_has_the_symmetry_in_either_argument(
    kernel: Kernel, group: Group, construction: type[OrbitSum], power: Kernel, name: str, seed: int
) -> None:
    X, whole = _points(seed), IN_PLANE[name]
    for one, of, view in ((kernel, group, construction(group)), (power, whole, OrbitProduct(whole))):
        K = view_covariance(one, view, X, X, PLANE)
        images = of.orbit(X)
        for image, sign in zip(images, of.signs, strict=True):
            for other, other_sign in zip(images[::2], of.signs[::2], strict=True):
                found = view_covariance(one, view, image, other, PLANE)
                assert found == pytest.approx(sign * other_sign * K, abs=1e-8 * (float(np.abs(K).max()) + 1.0))


@given(st.one_of(kernels, powers), groups, st.sampled_from([OrbitSum, Projection, OrbitProduct]), seeds)
def test_views_are_covariances(kernel: Kernel, group: Group, construction: type[OrbitSum], seed: int) -> None:
    X = _points(seed, 12)
    try:
        K = view_covariance(kernel, construction(group), X, None, PLANE)
    except InputError:
        assert construction is OrbitProduct
        return
    assert pytest.approx(K.T, abs=1e-12 * (np.abs(K).max() + 1.0)) == K
    assert np.linalg.eigvalsh(K).min() > -1e-9 * (np.trace(K) + 1.0)


@pytest.mark.parametrize("text", ["Lin[a](sd=1, location=0)", "Cos[a](period=1, sd=1)", "SE[a](lengthscale=1, sd=1) * "
                         "Per[b](lengthscale=1, period=1, sd=1)"])  # fmt: skip
def test_products_that_are_no_covariances_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="for the product over an orbit"):
        view_covariance(parse_kernel(text), OrbitProduct(swap(2)), _points(0), None, PLANE)
    with pytest.raises(InputError, match="without signs"):
        view_covariance(parse_kernel("C(sd=1)"), OrbitProduct(swap(2, odd=True)), _points(0), None, PLANE)


def test_the_product_of_lines_would_be_no_covariance() -> None:
    """The reason of the refusal: (x1 y1 - x2 y2)^2 has a negative feature."""
    X = np.random.default_rng(0).normal(size=(12, 2))
    product = (X @ X.T) ** 2 * (X @ X[:, ::-1].T) ** 2
    assert np.linalg.eigvalsh(product).min() < -1e-3


def test_known_functions_and_changed_inputs() -> None:
    x = np.linspace(-1.0, 1.0, 5)
    kernel = parse_kernel("SE(lengthscale=0.5, sd=1) + WN(sd=0.1)")
    signal = covariance(kernel, x, x)
    a = 1.0 + x**2
    seen = view_covariance(kernel, Multiplier(lambda X: 1.0 + X[:, 0] ** 2), x)
    assert seen == pytest.approx(a[:, None] * signal * a + 0.01 * np.eye(5))  # the noise is not multiplied
    squares = view_covariance(kernel, Inputs(np.square), x, x)
    assert squares == pytest.approx(covariance(kernel, x**2, (x**2)))
    circle = Inputs(lambda X: np.column_stack([np.cos(X[:, 0]), np.sin(X[:, 0])]))
    K = view_covariance(parse_kernel("SE[a](lengthscale=1, sd=1) * SE[b](lengthscale=1, sd=1)"), circle, x, x, PLANE)
    lag = np.subtract.outer(x, x)
    assert pytest.approx(np.exp(-2.0 * np.sin(lag / 2.0) ** 2)) == K  # the periodic kernel by projection (MacKay 1998)


def test_chains_look_one_through_the_other() -> None:
    X, kernel = _points(1), parse_kernel("SE[a](lengthscale=1, sd=1) * SE[b](lengthscale=2, sd=1)")
    both = reflection(2, [0]) * reflection(2, [1])
    one_by_one = Chain(OrbitSum(reflection(2, [0])), OrbitSum(reflection(2, [1])))
    assert view_covariance(kernel, one_by_one, X, None, PLANE) == pytest.approx(
        view_covariance(kernel, OrbitSum(both), X, None, PLANE)
    )
    a = X[:, 0] + 3.0
    multiplied = Chain(Multiplier(lambda rows: rows[:, 0] + 3.0), OrbitProduct(swap(2)))
    assert view_covariance(kernel, multiplied, X, None, PLANE) == pytest.approx(
        a[:, None] * view_covariance(kernel, OrbitProduct(swap(2)), X, None, PLANE) * a
    )
    assert view_covariance(kernel, Chain(), X, None, PLANE) == pytest.approx(covariance(kernel, X, None, PLANE))
    with pytest.raises(InputError, match="as the only group"):
        Chain(OrbitSum(swap(2)), OrbitProduct(swap(2)))(X)


def test_images_of_pixels() -> None:
    """A function of images that does not change when they are shifted in either direction (Kondor 2008)."""
    columns = tuple(f"x{pixel + 1}" for pixel in range(6))
    kernel = parse_kernel(" * ".join(f"SE[{name}](lengthscale=1, sd=1)" for name in columns))
    images = np.random.default_rng(0).normal(size=(4, 2, 3))
    shifted = np.roll(images, (1, 2), (1, 2))
    view = OrbitSum(translations(2, 3))
    K = view_covariance(kernel, view, images.reshape(4, 6), images.reshape(4, 6), columns)
    assert view_covariance(kernel, view, shifted.reshape(4, 6), images.reshape(4, 6), columns) == pytest.approx(K)


@pytest.mark.parametrize("view", [OrbitSum(permutations(2)), OrbitProduct(swap(2)), Projection(swap(2, odd=True))])
def test_the_way_back_is_the_derivative(view: View) -> None:
    rng = np.random.default_rng(5)
    seen, weights = view(_points(2, 3)), rng.normal(size=(3, 3))
    weights = weights + weights.T
    stacked = len(seen.stacked)
    K, step = rng.uniform(0.5, 1.5, (stacked, stacked)), rng.normal(size=(stacked, stacked))
    found = float((spread(weights, K, seen) * step).sum())
    ahead, behind = (float((weights * folded(K + e * step, seen, seen)).sum()) for e in (1e-6, -1e-6))
    assert found == pytest.approx((ahead - behind) / 2e-6, rel=1e-6)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (Multiplier(lambda X: X), "a multiplier that returns 5 numbers .* found an array of shape \\(5, 2\\)"),
        (Multiplier(lambda X: X[:, 0] * np.inf), "some that are not finite"),
        (Inputs(lambda X: X[:2]), "a change of inputs that returns 5 rows"),
        (OrbitSum(swap(3)), "rows of 3 columns, as the group has; found 2"),
    ],
)
def test_what_does_not_fit_is_refused(view: View, words: str) -> None:
    with pytest.raises(InputError, match=words):
        view(_points(0))


def test_a_known_function_cannot_change_the_rows() -> None:
    def spoil(X: Array) -> Array:
        X[:] = 0.0
        return X[:, 0]

    X = _points(0)
    Multiplier(spoil)(X)
    assert np.array_equal(X, _points(0))
