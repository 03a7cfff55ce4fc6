"""A step in the place of every curve that wanders, or of the noise: where a level or a size changed once, both fit.

The step says more. A search reaches a step by way of a constant level, which a wandering one leaves far behind; so the
step is proposed from the wandering level itself, with the best place and the levels on both sides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference import Problem, condition
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.languages import Language, Operator
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import is_leaf_of
from autostatistician.language.rewrite import canonical

__all__ = ["best_split", "scattered", "stepped"]

Array = NDArray[np.float64]

FEWEST_ROWS_ASIDE, LEAST_SHARE_ASIDE = 3, 0.03  # rows on either side of a step, and as a share of all
FEWEST_FOR_SCATTER, FEWEST_OF_A_SIZE, LEAST_SHARE_OF_A_SIZE = 20, 6, 0.1  # rows, rows on either side, and their share
STEEPNESS_PER_SPACING = 2.0  # per spacing: a step from one row to the next
SMALLEST_SQUARE = 1e-300
SMALLEST_LEVEL = 1e-3  # of the root mean square


def stepped(kernel: Kernel, problem: Problem, language: Language) -> list[Kernel]:
    """A kernel with a step between two levels in the place of each of its wandering terms, in turn.

    Parameters
    ----------
    kernel : Kernel
        With its parameters, in standard units, on one column.
    problem : Problem
        The data in standard units.
    language : Language
        One without constants or change points has no steps.
    """
    usable = problem.n > 2 * FEWEST_ROWS_ASIDE and float(np.ptp(problem.X)) > 0.0
    if "C" not in language.bases or Operator.CHANGE_POINT not in language.operators or not usable:
        return []
    terms = kernel.terms
    kernels = []
    for index, term in enumerate(terms):
        if is_leaf_of(term.expr, LeafKind.SMOOTH, LeafKind.WANDERING, LeafKind.UNBOUNDED):
            others = (*terms[:index], *terms[index + 1 :])
            kernels.append(canonical(Kernel.sum((*others, _step(kernel, term, problem)))))
    return kernels


def _step(kernel: Kernel, term: Kernel, problem: Problem) -> Kernel:
    """The step that describes best what the other terms but noise leave to a term."""
    x = problem.X[:, 0]
    posterior = condition(kernel, problem)
    rest = problem.y - posterior.signal()[0] + posterior.project(term).mean
    order = np.argsort(x, kind="stable")
    place, levels = best_split(x[order], rest[order])
    before, after = (leaf("C", sd=max(abs(level), SMALLEST_LEVEL)) for level in levels)
    return _change(before, after, place, problem)


def _change(before: Kernel, after: Kernel, place: float, problem: Problem) -> Kernel:
    """A change from one row to the next."""
    x = problem.X[:, 0]
    gap = float(np.ptp(x)) / max(np.unique(x).size - 1, 1)
    return Kernel.change_point(before, after, location=place, steepness=STEEPNESS_PER_SPACING / gap)


def scattered(kernel: Kernel, problem: Problem, language: Language) -> list[Kernel]:
    """A kernel whose noise has one size before a place and another one after it: where its residuals say so best.

    Parameters
    ----------
    kernel : Kernel
        With its parameters, in standard units, on one column.
    problem : Problem
        The data in standard units.
    language : Language
        One without noise as a base or without change points has none.
    """
    terms = kernel.terms
    others = [term for term in terms if not is_leaf_of(term.expr, LeafKind.NOISE)]
    usable = "WN" in language.bases and Operator.CHANGE_POINT in language.operators and float(np.ptp(problem.X)) > 0.0
    if not usable or len(others) == len(terms) or problem.n < FEWEST_FOR_SCATTER:
        return []
    x, residual = problem.X[:, 0], condition(kernel, problem).residual()
    order = np.argsort(x, kind="stable")
    place, sizes = best_scatter(x[order], residual[order])
    before, after = (leaf("WN", sd=max(size, SMALLEST_LEVEL * float(problem.y.std()))) for size in sizes)
    return [canonical(Kernel.sum((*others, _change(before, after, place, problem))))]


def best_scatter(x: Array, residual: Array) -> tuple[float, tuple[float, float]]:
    """The place before and after which residuals (n,) differ most clearly in size, and both sizes.

    >>> best_scatter(np.arange(12.0), np.array([1.0, -1.0] * 3 + [4.0, -4.0] * 3))
    (5.5, (1.0, 4.0))
    """
    n, fewest = len(residual), max(FEWEST_OF_A_SIZE, round(LEAST_SHARE_OF_A_SIZE * len(residual)))
    rows = np.arange(fewest, n - fewest + 1)
    squares = np.maximum(residual**2, SMALLEST_SQUARE)
    before, after = np.cumsum(squares)[rows - 1] / rows, np.cumsum(squares[::-1])[n - rows - 1] / (n - rows)
    best = int(np.argmin(rows * np.log(before) + (n - rows) * np.log(after)))
    at = int(rows[best])
    return float(0.5 * (x[at - 1] + x[at])), (float(np.sqrt(before[best])), float(np.sqrt(after[best])))


def best_split(x: Array, y: Array) -> tuple[float, tuple[float, float]]:
    """The place that parts a series (n,) into two levels with the least squared deviation, and these levels.

    >>> best_split(np.arange(8.0), np.array([1.0, 1.0, 1.0, 1.0, 1.0, 5.0, 5.0, 5.0]))
    (4.5, (1.0, 5.0))
    """
    n = len(y)
    fewest = max(FEWEST_ROWS_ASIDE, round(LEAST_SHARE_ASIDE * n))
    sizes = np.arange(fewest, n - fewest + 1)
    sums = np.cumsum(y)
    before, after = sums[sizes - 1] / sizes, (sums[-1] - sums[sizes - 1]) / (n - sizes)
    best = int(np.argmax(sizes * before**2 + (n - sizes) * after**2))
    at = int(sizes[best])
    return float(0.5 * (x[at - 1] + x[at])), (float(before[best]), float(after[best]))
