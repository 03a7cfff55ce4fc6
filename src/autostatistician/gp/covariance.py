"""Covariance matrices: entries, one Cholesky factorisation with one jitter rule, slopes and weights of changes.

The fast evidence of the search works in lag space and is tested against the dense matrices of this file; predictions
use them directly. Formulas: Duvenaud 2014, appendix B; Lloyd et al. 2014.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack, solve_triangular

from autostatistician.kernels.covariance import CrossCovariance, covariances, variances
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

__all__ = [
    "RELATIVE_JITTERS", "Columns", "Factor", "NotPositiveDefinite", "SparseColumns", "covariance", "factorise",
    "mirrored", "prior_variance", "signal_and_noise", "slopes_by_points", "triangles", "variance_slopes_by_points",
    "whitener",
]  # fmt: skip


Array = NDArray[np.float64]

#: Added to the diagonal, as a fraction of its mean, one after the other until the factorisation succeeds. Nothing is
#: added to a matrix that factorises as it is. The first step is well above the rounding of a covariance (about
#: 1e-16 n); after the last, a ten-thousandth of the variance, the model itself would be changed.
RELATIVE_JITTERS = (0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)


class NotPositiveDefinite(ArithmeticError):
    """A covariance matrix has no Cholesky factor even with jitter; callers inside the library handle it."""


@dataclass(frozen=True, eq=False)
class Factor:
    """``L`` with ``L L' = K + jitter I``.

    Only the lower triangle (and the diagonal) of ``packed`` belongs to ``L``; the rest is not defined. The array is
    in Fortran order, so that LAPACK works on it without copies.
    """

    packed: Array  # (n, n)
    jitter: float  # what was added to the diagonal, in the units of K; 0 as a rule

    @property
    def lower(self) -> Array:
        """``L`` (n, n) with zeros above the diagonal."""
        return np.tril(self.packed)

    @property
    def logdet(self) -> float:
        """``log det(K + jitter I)``."""
        return 2.0 * float(np.log(self.packed.diagonal()).sum())

    def solve(self, b: Array) -> Array:
        """``(K + jitter I)^-1 b`` for ``b`` of shape (n,) or (n, m)."""
        if not len(b):
            return b
        x, info = lapack.dpotrs(self.packed, b, lower=1)
        assert info == 0
        return np.asarray(x).reshape(b.shape)

    def half_solve(self, b: Array, *, overwrite: bool = False) -> Array:
        """``L^-1 b`` for ``b`` of shape (n,) or (n, m); in place when asked and ``b`` is in Fortran order."""
        if not len(b):
            return b
        x, info = lapack.dtrtrs(self.packed, b, lower=1, overwrite_b=int(overwrite))
        assert info == 0
        return np.asarray(x).reshape(b.shape)

    def inverse(self) -> Array:
        """``(K + jitter I)^-1`` (n, n), both triangles filled."""
        inverse, info = lapack.dpotri(self.packed, lower=1)
        assert info == 0
        inverse = np.tril(inverse)
        inverse += np.tril(inverse, -1).T
        return np.asarray(inverse)

    def inverse_diagonal(self) -> Array:
        """The diagonal of ``(K + jitter I)^-1``, shape (n,)."""
        inverse, info = lapack.dpotri(self.packed, lower=1)
        assert info == 0
        return np.array(inverse.diagonal())

    def extended(self, cross: Array, among_new: Array) -> Factor:
        """The factor of a matrix that is m rows and columns larger: ``cross`` (n, m) and ``among_new`` (m, m) are new.

        >>> K = np.array([[4.0, 2.0], [2.0, 5.0]])
        >>> factorise(K[:1, :1]).extended(K[:1, 1:], K[1:, 1:]).lower.tolist()
        [[2.0, 0.0], [1.0, 2.0]]
        """
        n = len(self.packed)
        below = self.half_solve(np.asfortranarray(cross))
        rest = factorise(among_new - below.T @ below, scale=float(among_new.diagonal().mean()))
        packed = np.zeros((n + len(among_new),) * 2, order="F")
        packed[:n, :n], packed[n:, :n], packed[n:, n:] = self.packed, below.T, rest.packed
        return Factor(packed, self.jitter)


def factorise(K: Array, *, scale: float | None = None, overwrite: bool = False) -> Factor:
    """Factorise a symmetric matrix, adding jitter only when it must be (`RELATIVE_JITTERS`).

    Parameters
    ----------
    K : array (n, n)
        Symmetric. With ``overwrite=True`` its memory is used for the factor and its contents are lost.
    scale : float, optional
        What the jitter is a fraction of; the mean of the diagonal when not given.

    Raises
    ------
    NotPositiveDefinite
        When even the largest jitter does not help, or the matrix is not finite.

    Examples
    --------
    >>> factor = factorise(np.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> factor.lower.tolist(), factor.jitter
    ([[2.0, 0.0], [1.0, 2.0]], 0.0)
    """
    if not len(K):
        return Factor(K, 0.0)
    # The transpose of a matrix in C order is in Fortran order: LAPACK then works in place, in either order.
    a = K if K.flags.f_contiguous else K.T
    if not (overwrite and a.flags.f_contiguous and a.flags.writeable):
        a = np.array(a, order="F")
    diagonal = a.diagonal().copy()
    scale = float(diagonal.mean()) if scale is None else scale
    if not (np.isfinite(scale) and np.isfinite(diagonal).all()):
        raise NotPositiveDefinite("the diagonal of the covariance is not finite")
    for fraction in RELATIVE_JITTERS:
        if fraction > 0.0:
            _restore(a, diagonal + fraction * scale)
        factor, info = lapack.dpotrf(a, lower=1, clean=0, overwrite_a=1)
        # Some LAPACKs let a NaN pass; it then reaches the last pivot.
        if info == 0 and np.isfinite(factor[-1, -1]):
            return Factor(factor, fraction * scale)
    raise NotPositiveDefinite(f"no Cholesky factor with a jitter of {RELATIVE_JITTERS[-1]:g} of the mean variance")


def _restore(a: Array, diagonal: Array) -> None:
    """Undo a failed attempt: the strict upper triangle was not touched, the lower is its mirror image."""
    for column in range(len(a) - 1):
        a[column + 1 :, column] = a[column, column + 1 :]
    np.fill_diagonal(a, diagonal)


# --- A Cholesky factor and its inverse as plain triangles, for models that multiply by them many times --------------


def mirrored(upper: Array) -> Array:
    """The symmetric matrix (n, n) of which the upper triangle is given; what is below it has no meaning.

    >>> mirrored(np.array([[1.0, 2.0], [np.nan, 3.0]])).tolist()
    [[1.0, 2.0], [2.0, 3.0]]
    """
    return np.where(np.tri(len(upper), dtype=bool).T, upper, upper.T)


def triangles(K: Array) -> tuple[Array, Array]:
    """``L`` and ``L^-1`` (n, n) with ``L L' = K``, zeros above the diagonals; with jitter where `factorise` adds some.

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised.

    Examples
    --------
    >>> lower, inverse = triangles(np.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> lower.tolist(), inverse.tolist()
    ([[2.0, 0.0], [1.0, 2.0]], [[0.5, 0.0], [-0.25, 0.5]])
    """
    lower = factorise(K).lower
    inverse, info = lapack.dtrtri(lower, lower=1)
    assert info == 0
    return lower, np.tril(inverse)


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns ``y_d ~ N(0, K)``, independent of each other.

    Examples
    --------
    >>> columns = Columns.of(np.diag([1.0, 4.0]), np.array([[1.0, 0.0], [2.0, 0.0]]))
    >>> round(columns.log_evidence, 6)
    -6.062048
    """

    Y: Array  # (N, D)
    factor: Factor  # of K
    solved: Array  # (N, D) K^-1 Y

    @classmethod
    def of(cls, K: Array, Y: Array) -> Columns:
        """Condition on columns (N, D); the memory of ``K`` (N, N) is used up.

        Raises
        ------
        NotPositiveDefinite
            Where it has no factor.
        """
        factor = factorise(K, overwrite=True)
        return cls(Y, factor, factor.solve(np.asfortranarray(Y)))

    @property
    def log_evidence(self) -> float:
        """``log p(Y)``."""
        quadratic = float((self.Y * self.solved).sum())
        constant = float(len(self.Y) * np.log(2.0 * np.pi))
        return float(-0.5 * (self.Y.shape[1] * (self.factor.logdet + constant) + quadratic))

    @property
    def precision(self) -> Array:
        """The inverse (N, N) of K."""
        return self.factor.inverse()

    def adjoint(self) -> Array:
        """The derivative (N, N) of `log_evidence` by K, as if its cells were independent."""
        return np.asarray(0.5 * (self.solved @ self.solved.T - self.Y.shape[1] * self.precision))

    def predict(self, cross: Array) -> tuple[Array, Array]:
        """Means (M, D) at new places with covariance ``cross`` (N, M), and how much less their variance is (M,)."""
        half = self.factor.half_solve(np.asfortranarray(cross))
        return cross.T @ self.solved, np.einsum("nm,nm->m", half, half)


# --- Several columns of observations with one covariance, told by way of some rows ----------------------------------


@dataclass(frozen=True, eq=False)
class SparseColumns:
    """Columns ``y_d ~ N(0, Q + diag(v - Q))``, independent of each other.

    Examples
    --------
    >>> U, C = np.array([[1.0]]), np.array([[1.0, 0.5]])
    >>> columns = SparseColumns.of(U, C, np.array([1.5, 1.5]), 0.5, np.array([[1.0], [2.0]]))
    >>> round(columns.log_evidence, 6)
    -3.559451
    """

    root: Array  # (M, M) lower factor of U
    half: Array  # (M, N) root^-1 C
    spread: Array  # (N,) variances that the inducing rows leave
    inner: Array  # (M, M) lower factor of I + half diag(spread)^-1 half'
    solved: Array  # (N, D) the whole covariance^-1 Y
    log_evidence: float

    @classmethod
    def of(cls, U: Array, C: Array, variances: Array, least: float, Y: Array) -> SparseColumns:
        """Condition on columns (N, D); at least ``least``, the noise, stays of the variance of each row.

        Raises
        ------
        NotPositiveDefinite
            Where there are no factors.
        """
        root = factorise(U).lower
        half = _solved(root, C)
        spread = np.maximum(variances - np.einsum("mn,mn->n", half, half), least)
        weighed = half / spread
        inner = factorise(np.eye(len(U)) + weighed @ half.T).lower
        within = _solved(inner, weighed @ Y)
        solved = Y / spread[:, None] - weighed.T @ _solved(inner, within, transposed=True)
        logdet = float(np.log(spread).sum() + 2.0 * np.log(np.diagonal(inner)).sum())
        level = -0.5 * (Y.shape[1] * (logdet + len(Y) * np.log(2.0 * np.pi)) + float((Y * solved).sum()))
        return cls(root, half, spread, inner, solved, float(level))

    def adjoints(self) -> tuple[Array, Array, Array]:
        """The derivatives of `log_evidence` by ``U`` (M, M), ``C`` (M, N) and the variances (N,)."""
        columns = self.solved.shape[1]
        inner = _solved(self.inner, self.half / self.spread)
        taken = 1.0 / self.spread - np.einsum("mn,mn->n", inner, inner)
        by_variance = 0.5 * ((self.solved**2).sum(axis=1) - columns * taken)
        turned = 0.5 * (self.half @ self.solved) @ self.solved.T
        turned -= 0.5 * columns * (self.half / self.spread - (self.half @ inner.T) @ inner)
        turned -= self.half * by_variance
        halved = _solved(self.root, turned, transposed=True)
        return -halved @ _solved(self.root, self.half, transposed=True).T, 2.0 * halved, by_variance

    def predict(self, cross: Array) -> tuple[Array, Array]:
        """Means (K, D) at new places with covariance ``cross`` (M, K), and how much less their variance is (K,)."""
        half = _solved(self.root, cross)
        left = _solved(self.inner, half)
        less = np.einsum("mk,mk->k", half, half) - np.einsum("mk,mk->k", left, left)
        return half.T @ (self.half @ self.solved), less


def _solved(lower: Array, b: Array, *, transposed: bool = False) -> Array:
    return np.asarray(solve_triangular(lower, b, lower=True, trans="T" if transposed else "N", check_finite=False))


ColumnNames = tuple[str, ...]


def covariance(kernel: Kernel, X: Array, X2: Array | None = None, columns: ColumnNames = ("x",)) -> Array:
    """The matrix of covariances between the rows of ``X`` and those of ``X2``.

    Parameters
    ----------
    kernel : Kernel
        Expression with its parameters.
    X : array (n, d)
        Inputs; (n,) is taken as one column.
    X2 : array (m, d), optional
        Other inputs, of other observations: white noise, one draw per row, is zero. Without them the matrix is that of
        the observations at ``X`` with themselves.
    columns : tuple of str or None
        Which column of ``X`` a leaf means; with a single one a leaf need not name it.

    Returns
    -------
    array (n, n) or (n, m)
        A new array.

    Raises
    ------
    InputError
        When a leaf names a column that is not there.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> covariance(leaf("Lin", sd=2.0, location=1.0) + leaf("WN", sd=1.0), np.array([[0.0], [2.0]]))
    array([[ 5., -4.],
           [-4.,  5.]])
    """
    return covariances(kernel.expr, kernel.values, _rows(X), None if X2 is None else _rows(X2), columns)


def whitener(kernel: Kernel, X: Array, columns: ColumnNames) -> Callable[[Array], Array]:
    """What makes values (n,) at points (n, d) white where they have the covariance of a kernel: its factor's inverse.

    >>> from autostatistician.kernels.kernel import leaf
    >>> whitener(leaf("WN", sd=2.0), np.array([[0.0], [1.0]]), ("x",))(np.array([2.0, 6.0])).tolist()
    [1.0, 3.0]
    """
    return factorise(covariance(kernel, X, None, columns), overwrite=True).half_solve


def prior_variance(kernel: Kernel, X: Array, columns: ColumnNames = ("x",)) -> Array:
    """The diagonal of ``covariance(kernel, X)``, shape (n,), without the matrix.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> prior_variance(leaf("WN", sd=0.5) * leaf("Lin", sd=2.0, location=0.0), np.array([[1.0], [3.0]]))
    array([1., 9.])
    """
    return variances(kernel.expr, kernel.values, _rows(X), columns).every


def slopes_by_points(
    kernel: Kernel, X: Array, X2: Array, weights: Array, columns: ColumnNames = ("x",)
) -> tuple[Array, Array]:
    """The derivatives of ``sum(weights * covariance(kernel, X, X2, columns))`` by ``X`` (n, d) and by ``X2`` (m, d).

    The points are apart: those of ``X2`` stay when those of ``X`` move, also where they are the same. Of a leaf with a
    kink at lag zero the slope there is zero, the mean of both sides. Categories and white noise have none.

    Raises
    ------
    InputError
        When the kernel names a column that is not there.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> line = leaf("Lin", sd=2.0, location=1.0)
    >>> [one.tolist() for one in slopes_by_points(line, np.array([[0.0]]), np.array([[3.0]]), np.ones((1, 1)))]
    [[[8.0]], [[-4.0]]]
    """
    return CrossCovariance(kernel.expr, columns).by_points(kernel.values, X, X2, weights)


def variance_slopes_by_points(kernel: Kernel, X: Array, weights: Array, columns: ColumnNames = ("x",)) -> Array:
    """The derivatives (n, d) of ``sum(weights * prior_variance(kernel, X, columns))`` by ``X``, for weights (n,).

    >>> from autostatistician.kernels.kernel import leaf
    >>> line = leaf("Lin", sd=2.0, location=1.0)
    >>> variance_slopes_by_points(line, np.array([[0.0], [3.0]]), np.ones(2)).tolist()
    [[-8.0], [16.0]]
    """
    return variances(kernel.expr, kernel.values, X, columns).by_points(weights)


def signal_and_noise(kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
    """Split a kernel into the sum of its parts without white noise and the sum of those with it.

    The parts are the additive components of the kernel (products, each perhaps inside change points or windows), so
    both halves together have the covariance of the whole. None stands for an absent half.
    """
    from autostatistician.kernels.rewrite import components

    parts = components(kernel)
    signal = tuple(part for part in parts if not is_noise(part))
    noise = tuple(part for part in parts if is_noise(part))
    return (Kernel.sum(signal) if signal else None), (Kernel.sum(noise) if noise else None)


def _rows(X: Array) -> Array:
    return X[:, None] if X.ndim == 1 else X
