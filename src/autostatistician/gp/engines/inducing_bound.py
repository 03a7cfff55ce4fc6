"""The collapsed bound of Titsias 2009 on the log evidence, with its derivatives by the covariances that it is made of.

With u the signal at M inducing points Z, ``Q = K_xz K_zz^-1 K_zx`` and the variances D of the noise of n rows,

    F = log N(y | 0, Q + D) - sum_i (k_ii - q_ii) / (2 d_i)

is a lower bound of ``log N(y | 0, K + D)`` for any Z, and that itself where Z holds all rows (Titsias 2009, Variational
learning of inducing variables in sparse Gaussian processes). In units of the Cholesky factor L of ``K_zz``, with
columns ``a_i = L^-1 k_zi``, all that is as large as the data is the matrix of the a_i, worked off in chunks of rows:

    B = I + sum_i a_i a_i' / d_i,   beta = B^-1 sum_i a_i y_i / d_i,   alpha_i = (y_i - a_i' beta) / d_i

``alpha`` is ``(Q + D)^-1 y``. The derivatives are those of F by ``a_i``, ``(I - B^-1) a_i / d_i + beta alpha_i``, taken
through ``a = L^-1 k``; those by ``K_zz`` are ``-L^-T H L^-1 / 2`` with ``H = B - 2 I + B^-1 + beta beta'``.

Which rows are the inducing points: one after the other that of which the others say least, given the kernel.

That is a Cholesky factorisation with pivoting, stopped where what is left no longer counts beside the noise (Fine and
Scheinberg 2001; for variational inference Burt, Rasmussen and van der Wilk 2020, Convergence of sparse variational
inference in Gaussian processes regression).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.gp.covariance import Factor, covariance, factorise
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance import rows_at_once, variances
from autostatistician.kernels.kernel import Kernel

__all__ = [
    "ENOUGH", "RELATIVE_JITTER", "SMALLEST_JITTER", "Collapsed", "candidates_of", "chosen", "collapsed",
    "inducing_rows", "root_of_points", "scaled_rows", "through_root",
]  # fmt: skip


Array = NDArray[np.float64]

# Noise of the inducing variables, relative to their mean variance: with it F is still a bound. It is always there, so
# that derivatives are those of what is computed.
RELATIVE_JITTER = 1e-8
SMALLEST_JITTER = 1e-15  # where there is so little noise that more would count beside it
CELLS_PER_CHUNK = 4_000_000  # 32 megabytes
MOST_KEPT_CELLS = 60_000_000  # of the a_i between the two passes: 480 megabytes; more are made twice


@dataclass(frozen=True, eq=False)
class Collapsed:
    """The bound for n rows and M inducing points, with what its posterior and its derivatives need."""

    y: Array  # (n,)
    signal: Array  # (n,) prior variances k_ii
    noise: Array  # (n,) variances d_i
    lower: Array  # (M, M) L, in Fortran order
    inner: Factor  # of B
    gram: Array  # (M, M) B
    beta: Array  # (M,)
    explained: Array  # (n,) q_ii
    rows: Callable[[slice], Array]  # k_xz of some rows (c, M)
    kept: Array | None  # all a_i / sqrt(d_i) as rows (n, M), where there is room
    jitter: float  # of the inducing variables, a part of their mean variance

    @property
    def unexplained(self) -> Array:
        """Prior variance (n,) that the inducing points leave."""
        return np.asarray(np.maximum(self.signal - self.explained, 0.0))

    @property
    def value(self) -> float:
        """F."""
        fitted = float(np.sum(self.y**2 / self.noise)) - float(self.beta @ self.gram @ self.beta)
        return -0.5 * (fitted + self.log_determinant + len(self.y) * log(2.0 * pi) + self.trace)

    @property
    def log_determinant(self) -> float:
        """That of ``Q + D``."""
        return float(np.log(self.noise).sum()) + self.inner.logdet

    @property
    def trace(self) -> float:
        """``sum_i (k_ii - q_ii) / d_i``, what is taken off for the variance that inducing points leave."""
        return float(np.sum((self.signal - self.explained) / self.noise))

    def is_within(self, nats: float) -> bool:
        """Whether what is taken off is so little; that is about by how much the bound is below the log evidence."""
        return abs(self.trace) <= 2.0 * nats

    def scaled(self) -> Iterator[tuple[slice, Array]]:
        """The ``a_i / sqrt(d_i)`` as rows (c, M), some rows at a time."""
        for some in rows_at_once(len(self.y), len(self.beta), CELLS_PER_CHUNK):
            if self.kept is not None:
                yield some, self.kept[some]
            else:
                yield some, scaled_rows(self.rows(some), self.lower, self.noise[some])

    def residuals(self, scaled: Array, some: slice) -> Array:
        """``alpha_i sqrt(d_i)`` of some rows."""
        return np.asarray(self.y[some] / np.sqrt(self.noise[some]) - scaled @ self.beta)

    def by_cross(self) -> Iterator[tuple[slice, Array]]:
        """Derivatives of F by ``k_xz`` (c, M), some rows at a time."""
        eye = np.eye(len(self.beta))
        half = lapack.dtrtrs(self.lower, eye - self.inner.inverse(), lower=1, trans=1)[0]
        along = lapack.dtrtrs(self.lower, self.beta, lower=1, trans=1)[0]
        for some, scaled in self.scaled():
            adjoint = scaled @ half.T
            adjoint += np.multiply.outer(self.residuals(scaled, some), along)
            adjoint /= np.sqrt(self.noise[some])[:, None]
            yield some, adjoint

    def by_points(self) -> Array:
        """Derivatives by ``K_zz`` (M, M), before jitter was added."""
        h = self.gram + self.inner.inverse() + np.multiply.outer(self.beta, self.beta)
        h[np.diag_indices_from(h)] -= 2.0
        return through_root(self.lower, h, self.jitter)

    def by_signal(self) -> Array:
        """Derivatives by the prior variances ``k_ii`` (n,)."""
        return np.asarray(-0.5 / self.noise)

    def by_noise(self, *, even: bool) -> Array:
        """Derivatives by the variances of the noise (n,); where all are one, their sum is that of all of it."""
        squares, leverage = np.empty(len(self.y)), np.empty(len(self.y))
        leverage[:] = (len(self.beta) - float(self.inner.inverse().trace())) / len(self.y)
        for some, scaled in self.scaled():
            squares[some] = self.residuals(scaled, some) ** 2
            if not even:
                leverage[some] = self.leverage(scaled)
        return np.asarray(-0.5 * (1.0 - leverage - squares - (self.signal - self.explained) / self.noise) / self.noise)

    def leverage(self, scaled: Array) -> Array:
        """``a_i' B^-1 a_i / d_i`` of some rows."""
        half = self.inner.half_solve(scaled.T)
        return np.asarray(np.einsum("ij,ij->j", half, half))


def collapsed(
    points: Array,
    rows: Callable[[slice], Array],
    y: Array,
    signal: Array,
    noise: Array,
    *,
    keep: bool = True,
    jitter: float = RELATIVE_JITTER,
) -> Collapsed:
    """Work off all rows once.

    Parameters
    ----------
    points : array (M, M)
        Covariances ``K_zz`` of the inducing points.
    rows : callable
        Covariances (c, M) of some rows with the inducing points, in a new array.
    y, signal, noise : arrays (n,)
        Targets, prior variances of the signal, variances of the noise.
    keep : bool
        Whether what the first pass makes is kept for a second one, where there is room.
    jitter : float
        Noise of the inducing variables, a part of their mean variance.

    Raises
    ------
    NotPositiveDefinite
        When covariances are not finite.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> found = collapsed(one, lambda some: np.ones((2, 1))[some], np.array([1.0, -1.0]), np.ones(2), np.ones(2))
    >>> round(found.value, 4)  # log N(y | 0, 1 1' + I)
    -3.3872
    """
    n, count = len(y), len(points)
    lower = root_of_points(points, jitter)
    gram, right, explained = np.eye(count), np.zeros(count), np.empty(n)
    kept = np.empty((n, count)) if keep and n * count <= MOST_KEPT_CELLS else None
    for some in rows_at_once(n, count, CELLS_PER_CHUNK):
        scaled = scaled_rows(rows(some), lower, noise[some])
        explained[some] = np.einsum("ij,ij->i", scaled, scaled) * noise[some]
        gram += scaled.T @ scaled
        right += scaled.T @ (y[some] / np.sqrt(noise[some]))
        if kept is not None:
            kept[some] = scaled
    inner = factorise(gram)
    return Collapsed(y, signal, noise, lower, inner, gram, inner.solve(right), explained, rows, kept, jitter)


def root_of_points(points: Array, jitter: float = RELATIVE_JITTER) -> Array:
    """L (M, M) of the covariances of the inducing points, with their jitter, in Fortran order.

    Raises
    ------
    NotPositiveDefinite
        When covariances are not finite.
    """
    jittered = points.copy()
    jittered[np.diag_indices_from(jittered)] += jitter * float(points.diagonal().mean()) or 1.0
    return factorise(jittered, overwrite=True).packed


def through_root(lower: Array, h: Array, jitter: float = RELATIVE_JITTER) -> Array:
    """``-L^-T H L^-1 / 2`` (M, M) for symmetric H as a derivative by ``K_zz``, before jitter was added."""
    half = lapack.dtrtrs(lower, h, lower=1, trans=1)[0]
    adjoint = np.asarray(-0.5 * lapack.dtrtrs(lower, half.T, lower=1, trans=1)[0])
    adjoint[np.diag_indices_from(adjoint)] += jitter * float(adjoint.trace()) / len(adjoint)
    return adjoint


def scaled_rows(cross: Array, lower: Array, noise: Array) -> Array:
    """The ``a_i / sqrt(d_i)`` as rows (c, M), in the place of ``k_xz``."""
    cross /= np.sqrt(noise)[:, None]
    solved, _ = lapack.dtrtrs(lower, cross.T, lower=1, overwrite_b=1)
    return np.asarray(solved.T)


CANDIDATES = 4000  # among so many random rows, always the same ones
FEWEST = 50
ENOUGH = 1e-4  # of the noise, left per row: of 10 000 rows the trace then takes half a nat
OF_JITTER = 0.1  # of the largest variance: below it nothing is left


def inducing_rows(
    kernel: Kernel, problem: Problem, most: int, *, enough: float = ENOUGH, jitter: float = RELATIVE_JITTER
) -> NDArray[np.intp]:
    """The indices of at most ``most`` rows and at least one, in the order in which they were chosen.

    They are the same for the same data.

    Examples
    --------
    >>> from autostatistician.kernels.text import parse_kernel
    >>> kernel = parse_kernel("Lin[a](sd=1, location=0) + WN(sd=0.1)")
    >>> X = np.column_stack([[1.0, -3.0, 2.0], [5.0, 5.0, 5.0]])
    >>> inducing_rows(kernel, Problem(X, np.ones(3), ("a", "b")), 3).tolist()  # all are multiples of one
    [1]
    """
    candidates = candidates_of(problem.n)
    X = problem.X[candidates]
    diagonal = variances(kernel.expr, kernel.values, X, problem.columns)
    signal, noise = np.zeros(len(X)) + diagonal.signal, problem.beside_kernel[candidates] + diagonal.noise

    def column(row: int) -> Array:
        return covariance(kernel, X, X[row : row + 1], problem.columns)[:, 0]

    return candidates[chosen(signal, noise, column, most, enough, jitter)]


def chosen(
    remaining: Array,
    noise: Array,
    column: Callable[[int], Array],
    most: int,
    enough: float = ENOUGH,
    jitter: float = RELATIVE_JITTER,
) -> NDArray[np.intp]:
    """Which of n points, from prior variances and variances of noise (n,) and the covariances (n,) of all with one."""
    floor, rows = OF_JITTER * jitter * float(remaining.max()), np.empty((min(most, len(remaining)), len(remaining)))
    points: list[int] = []
    while len(points) < len(rows):
        pivot = int(np.argmax(remaining / noise))
        if remaining[pivot] <= floor or (len(points) >= FEWEST and float(np.mean(remaining / noise)) < enough):
            break
        done = len(points)
        rows[done] = (column(pivot) - rows[:done, pivot] @ rows[:done]) / np.sqrt(remaining[pivot])
        remaining = np.maximum(remaining - rows[done] ** 2, 0.0)
        remaining[pivot] = 0.0
        points.append(pivot)
    return np.array(points or [0], dtype=np.intp)


def candidates_of(n: int) -> NDArray[np.intp]:
    """Among which of n rows inducing points are chosen."""
    if n <= CANDIDATES:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, CANDIDATES, replace=False))
