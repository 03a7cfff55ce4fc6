"""The Cholesky factorisation and its jitter rule."""

import numpy as np
import pytest

from autostatistician.gp.covariance import RELATIVE_JITTERS, NotPositiveDefinite, factorise, triangles


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
