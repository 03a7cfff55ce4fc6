"""What the data themselves suggest: a step in the place of a curve, noise of two sizes, clear cycles.

Where a level changed once, a curve fits, too, but the step says more. A search reaches a step by way of a constant
level, which a wandering one leaves far behind; so the step is proposed from the wandering level itself, with the best
place and the levels on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp import Problem, condition
from autostatistician.kernels.expr import Expr, Product
from autostatistician.kernels.kernel import Kernel, leaf, parameters
from autostatistician.kernels.languages import Language, Operator
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.kernels.rewrite import canonical
from autostatistician.search.starting.hints import clear_periods

__all__ = ["best_split", "cycled", "interrupted", "scattered", "scattered_stretch", "stepped"]


Array = NDArray[np.float64]

LASTING = (LeafKind.CONSTANT, LeafKind.LINE)  # which nothing silences for a while

BENDING = (LeafKind.SMOOTH, LeafKind.WANDERING, LeafKind.UNBOUNDED)

MOST_PERIODS = 2  # of a term

SAME_PERIOD = 0.06  # relative difference of two periods that count as one

RANGES_OF_CHANGE = 0.3  # lengthscale with which a cycle begins to change, in ranges of the data

LEAST_SIZE = 1e-3  # of the spread of the data: beside a high level, all of it may be less than that of their size

FEWEST_ROWS_ASIDE, LEAST_SHARE_ASIDE = 3, 0.03  # rows on either side of a step, and as a share of all

FEWEST_INTERRUPTED = 2  # rows: a single one is an outlier

FEWEST_FOR_SCATTER, FEWEST_OF_A_SIZE, LEAST_SHARE_OF_A_SIZE = 20, 6, 0.1  # rows, rows on either side, and their share

STEEPNESS_PER_SPACING = 2.0  # per spacing: a step from one row to the next

SMALLEST_SQUARE = 1e-300

SMALLEST_LEVEL = 1e-3  # of the root mean square


def stepped(kernel: Kernel, problem: Problem, language: Language) -> list[Kernel]:
    """A kernel with a step between two levels in the place of each of its curves, in turn.

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
    terms = kernel.terms
    curved = [term for term in terms if is_leaf_of(term.expr, *BENDING)]
    if "C" not in language.bases or Operator.CHANGE_POINT not in language.operators or not usable or not curved:
        return []
    order = np.argsort(problem.X[:, 0], kind="stable")
    x, posterior = problem.X[order, 0], condition(kernel, problem)
    rest = problem.y - posterior.signal()[0]
    kernels = []
    for term in curved:
        others = [other for other in terms if other is not term]
        values = (rest + posterior.project(term).mean)[order]
        kernels.append(Kernel.sum((*others, _step(x, values))))
    return list(map(canonical, kernels))


def _step(x: Array, values: Array) -> Kernel:
    """The step that describes values best."""
    place, levels = best_split(x, values)
    before, after = (leaf("C", sd=max(abs(level), SMALLEST_LEVEL)) for level in levels)
    return Kernel.change_point(before, after, place, _steepness(x))


def _steepness(x: Array) -> float:
    """Of a change from one row to the next."""
    return STEEPNESS_PER_SPACING * max(np.unique(x).size - 1, 1) / float(np.ptp(x))


def scattered(kernel: Kernel, problem: Problem, language: Language) -> list[Kernel]:
    """A kernel whose noise has two sizes, before and after a place or outside and inside a window, by its residuals.

    Where the noise is small, each of the other terms but constants and lines may be silent, too.

    Parameters
    ----------
    kernel : Kernel
        With its parameters, in standard units, on one column.
    problem : Problem
        The data in standard units.
    language : Language
        One without noise as a base or without change points has none; windows where it has them.
    """
    terms = kernel.terms
    others = [term for term in terms if not is_leaf_of(term.expr, LeafKind.NOISE)]
    usable = "WN" in language.bases and Operator.CHANGE_POINT in language.operators and float(np.ptp(problem.X)) > 0.0
    if not usable or len(others) == len(terms) or problem.n < FEWEST_FOR_SCATTER:
        return []
    order = np.argsort(problem.X[:, 0], kind="stable")
    x, residual = problem.X[order, 0], condition(kernel, problem).residual()[order]
    fewest = max(FEWEST_OF_A_SIZE, round(LEAST_SHARE_OF_A_SIZE * problem.n))
    stretch = scattered_stretch(residual, fewest, windows=Operator.CHANGE_WINDOW in language.operators)
    if stretch is None:
        return []
    first, last, sizes = stretch
    outside, inside = (leaf("WN", sd=max(size, SMALLEST_LEVEL * float(problem.y.std()))) for size in sizes)
    silent = [term for term in others if not is_leaf_of(term.expr, *LASTING)]
    kernels = []
    for moved in (None, *silent):
        parts = [inside, outside]
        if moved is not None:
            parts[sizes[1] < sizes[0]] += moved
        rest = (term for term in others if term is not moved)
        kernels.append(canonical(Kernel.sum((*rest, _stretched(parts[0], parts[1], x, first, last)))))
    return kernels


def _stretched(inside: Kernel, outside: Kernel, x: Array, first: int, last: int) -> Kernel:
    """One kernel for the rows from ``first`` to before ``last``, and another one for those around them."""
    start = 0.5 * (x[first - 1] + x[first])
    if last == len(x):
        return Kernel.change_point(outside, inside, start, _steepness(x))
    stop = 0.5 * (x[last - 1] + x[last])
    return Kernel.change_window(outside, inside, 0.5 * (start + stop), _steepness(x), stop - start)


def interrupted(kernel: Kernel, problem: Problem, language: Language) -> list[Kernel]:
    """A kernel with a stretch, of a few rows or of many, in which values depart from what came before them.

    Parameters
    ----------
    kernel : Kernel
        With its parameters, in standard units, on one column.
    problem : Problem
        The data in standard units, in the order of their positions.
    language : Language
        One without constants, noise or windows has none.
    """
    usable = {"C", "WN"} <= set(language.bases) and Operator.CHANGE_WINDOW in language.operators
    if not usable or problem.n < FEWEST_FOR_SCATTER or float(np.ptp(problem.X)) == 0.0:
        return []
    x, posterior = problem.X[:, 0], condition(kernel, problem)
    errors = posterior.innovations()
    stretch = scattered_stretch(errors, FEWEST_INTERRUPTED, windows=True)
    if stretch is None or stretch[1] == problem.n or stretch[2][1] < stretch[2][0]:
        return []
    first, end, (quiet, _) = stretch
    last = first + 1 + int(np.argmax(np.abs(errors[first + 1 : end])))  # the way back is as much of a surprise
    rows = np.arange(first, last)
    if len(rows) < FEWEST_INTERRUPTED:
        return []
    departed = problem.y[rows] - posterior.without(rows).observations(problem.X[rows])[0]
    level, size = abs(float(departed.mean())), max(float(departed.std()), SMALLEST_LEVEL)
    terms = [
        _quieter(term, quiet) if is_leaf_of(term.expr, *BENDING, LeafKind.NOISE) else term for term in kernel.terms
    ]
    window = _stretched(leaf("WN", sd=size), leaf("C", sd=max(level, SMALLEST_LEVEL)), x, first, last)
    return [canonical(Kernel.sum((*terms, window)))]


def _quieter(term: Kernel, factor: float) -> Kernel:
    """A leaf with a smaller standard deviation: what departs no longer widens it."""
    return term.mapped(lambda parameter, value: value * factor if parameter.name == "sd" else value)


def scattered_stretch(residual: Array, fewest: int, *, windows: bool) -> tuple[int, int, tuple[float, float]] | None:
    """The rows of residuals (n,) that differ most clearly in size from others: first, end, sizes outside and inside.

    At least ``fewest`` are of either size. Without ``windows`` they are the last ones. None where another size gains
    less than its parameters cost by BIC.

    >>> loud, quiet = np.array([4.0, -4.0] * 10), np.array([0.5, -0.5] * 8)
    >>> scattered_stretch(np.concatenate([loud, quiet, loud]), 6, windows=True)
    (20, 36, (4.0, 0.5))
    >>> scattered_stretch(np.concatenate([loud, quiet]), 6, windows=True)
    (20, 36, (4.0, 0.5))
    >>> scattered_stretch(loud, 6, windows=True)
    """
    n = len(residual)
    sums = np.concatenate([[0.0], np.cumsum(np.maximum(residual**2, SMALLEST_SQUARE))])
    best, found = 0.0, None
    for first in range(1, n - fewest + 1):
        ends = np.arange(first + fewest, min(n, first + n - fewest)) if windows else np.arange(0)
        ends = np.append(ends, n) if first >= fewest else ends
        if not len(ends):
            continue
        rows, squares = ends - first, np.maximum(sums[ends] - sums[first], SMALLEST_SQUARE)
        others = n - rows, np.maximum(sums[-1] - squares, SMALLEST_SQUARE)
        gains = n * np.log(sums[-1] / n) - rows * np.log(squares / rows) - others[0] * np.log(others[1] / others[0])
        gains -= np.where(ends == n, 2.0, 3.0) * np.log(n)  # its place, its size, and where it ends
        at = int(np.argmax(gains))
        if gains[at] > best:
            sizes = np.sqrt(others[1][at] / others[0][at]), np.sqrt(squares[at] / rows[at])
            best, found = float(gains[at]), (first, int(ends[at]), (float(sizes[0]), float(sizes[1])))
    return found


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


# --- Cycles that stand out of what a model leaves, or out of what one of its bending terms explains -----------------


def cycled(kernel: Kernel, problem: Problem, language: Language, seasons: Sequence[float] = ()) -> list[Kernel]:
    """A kernel with the cycles that stand out: in the place of each term that bends, and beside its terms.

    Beside its terms, those of the calendar are proposed whether they stand out or not: what bends hides them.

    Parameters
    ----------
    kernel : Kernel
        With its parameters, in standard units, on one column.
    problem : Problem
        The data in standard units.
    language : Language
        One without cycles has none.
    seasons : sequence of float
        Periods of the calendar, in standard units.
    """
    if "Per" not in language.bases or float(np.ptp(problem.X)) == 0.0:
        return []
    terms = kernel.terms
    posterior = condition(kernel, problem)
    rest = posterior.residual()
    proposals = [(terms, rest)]
    for index, term in enumerate(terms):
        if _bends(term.expr):
            proposals.append(((*terms[:index], *terms[index + 1 :]), rest + posterior.project(term).mean))
    periods_in = [
        value
        for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True)
        if parameter.name == "period"
    ]
    least = LEAST_SIZE * float(np.std(problem.y))
    clear = [_new(clear_periods(problem.X[:, 0], series), periods_in) for _, series in proposals]
    clear[0] += _new(seasons, [*periods_in, *clear[0]])
    return [
        canonical(Kernel.sum((*others, cycle)))
        for (others, series), periods in zip(proposals, clear, strict=True)
        for period in periods
        for cycle in _cycles(period, max(float(np.std(series)), least), language)
    ]


def _bends(expr: Expr) -> bool:
    """Whether a term can bend with a cycle of any period: a curve, or a cycle that changes as quickly as one."""
    return is_leaf_of(expr, *BENDING) or (isinstance(expr, Product) and any(map(_bends, expr.factors)))


def _new(periods: Sequence[float], others: Sequence[float]) -> list[float]:
    """The first few of some periods that are not among those that are known."""
    return [period for period in periods if all(abs(period - other) > SAME_PERIOD * other for other in others)][
        :MOST_PERIODS
    ]


def _cycles(period: float, size: float, language: Language) -> Iterator[Kernel]:
    """A cycle of a period that stays as it is, and one that changes."""
    yield leaf("Per", sd=size, lengthscale=1.0, period=period)
    if "SE" in language.bases and Operator.MULTIPLY in language.operators:
        yield leaf("SE", sd=size, lengthscale=RANGES_OF_CHANGE) * leaf("Per", sd=1.0, lengthscale=1.0, period=period)
