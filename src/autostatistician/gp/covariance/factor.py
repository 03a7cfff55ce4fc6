"""One Cholesky factorisation with one jitter rule, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

__all__ = ["RELATIVE_JITTERS", "Factor", "NotPositiveDefinite", "factorise", "mirrored", "triangles"]


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
