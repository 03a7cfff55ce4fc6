"""Which columns a search looks at: of many for classes those that one after another bring the most; which are alike.

The neighbours of an expression grow with the square of the columns, and complete kernels are freed of one column after
another: of thirty columns a search did not end within twenty minutes. Here a curve in each column is asked how fast the
evidence of the classes would grow with its size, beside the columns that were taken already; the one of the fastest
growth is taken next. The choice of columns is charged for as if all had been looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from autostatistician.inference import Problem
from autostatistician.inference.classes import laplace
from autostatistician.inference.likelihoods.bernoulli import Bernoulli

__all__ = ["MOST_COLUMNS", "alike_columns", "entering_columns"]

Array = NDArray[np.float64]

MOST_COLUMNS = 10  # of a search for classes; no benchmark
ROWS_OF_SCREENING = 500
ALIKE = 0.9  # rank correlation of columns that are tried in each other's place
MOST_PAIRS = 20


def entering_columns(problem: Problem, categories: frozenset[str], most: int = MOST_COLUMNS) -> tuple[str, ...]:
    """So many columns at most, in their order; all of them where there are no more, or no classes.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 3))
    >>> classes = Problem(X, np.where(X[:, 1] > 0.0, 1.0, -1.0), ("a", "b", "c"), likelihood=Bernoulli())
    >>> entering_columns(classes, frozenset(), 1)
    ('b',)
    """
    if len(problem.columns) <= most or not isinstance(problem.likelihood, Bernoulli):
        return problem.columns
    some = problem.some(ROWS_OF_SCREENING, np.random.default_rng(0))
    curves = {name: _curve(x, is_category=name in categories) for name, x in zip(some.columns, some.X.T, strict=True)}
    K, taken = np.ones((some.n, some.n)), set[str]()
    for _ in range(most):
        approximation = laplace(K, some.y, problem.likelihood, with_gradient=True)
        assert approximation.matrix is not None
        assert approximation.vector is not None
        upper = np.triu(approximation.matrix)
        falls = upper + np.triu(upper, 1).T - np.multiply.outer(approximation.vector, approximation.vector)
        rest = [name for name in some.columns if name not in taken]
        best = min(rest, key=lambda name: float(np.vdot(falls, curves[name])))
        taken.add(best)
        K = K + curves[best]
    return tuple(name for name in problem.columns if name in taken)


def alike_columns(problem: Problem, names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of these columns whose ranks are nearly the same, up or down, the closest first.

    Each of such a pair tells nearly what the other tells, so data may hardly say which of them acts.

    >>> x = np.arange(20.0)
    >>> X = np.column_stack([x, -(x**2), x % 7.0])
    >>> alike_columns(Problem(X, x, ("a", "b", "c")), frozenset("abc"))
    (('a', 'b'),)
    """
    used = [index for index, name in enumerate(problem.columns) if name in names and np.ptp(problem.X[:, index]) > 0.0]
    ranks = np.array([rankdata(problem.X[:, index]) for index in used])
    if len(used) < 2:
        return ()
    closeness = np.abs(np.corrcoef(ranks))
    first, second = np.nonzero(np.triu(closeness >= ALIKE, 1))
    order = np.argsort(-closeness[first, second], kind="stable")[:MOST_PAIRS]
    return tuple((problem.columns[used[first[at]]], problem.columns[used[second[at]]]) for at in order)


def _curve(x: Array, *, is_category: bool) -> Array:
    """The covariance (n, n) of a smooth function of a column, or of one value for each category; its size is one."""
    if is_category:
        K = (x[:, None] == x).astype(np.float64)
    else:
        z = (x - x.mean()) / (x.std() or 1.0)
        K = np.exp(-0.5 * np.subtract.outer(z, z) ** 2)
    K = K - K.mean(axis=0)
    K = K - K.mean(axis=1)[:, None]
    return np.asarray(K * (len(x) / max(float(np.trace(K)), 1e-12)))
