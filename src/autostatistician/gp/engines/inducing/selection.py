"""Which rows are the inducing points: one after the other that of which the others say least, given the kernel.

That is a Cholesky factorisation with pivoting, stopped where what is left no longer counts beside the noise (Fine and
Scheinberg 2001; for variational inference Burt, Rasmussen and van der Wilk 2020, Convergence of sparse variational
inference in Gaussian processes regression).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.inducing.bound import RELATIVE_JITTER
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance import variances
from autostatistician.kernels.kernel import Kernel

__all__ = ["ENOUGH", "candidates_of", "chosen", "inducing_rows"]

Array = NDArray[np.float64]

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
