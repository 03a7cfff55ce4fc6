"""What the data object to a model, each objection as a model without it: steps, noise of two sizes, cycles, stretches.

Where a level changed once, a curve fits, too, but the step says more. A search reaches a step by way of a constant
level, which a wandering one leaves far behind; so the step is proposed from the wandering level itself, with the best
place and the levels on both sides. In the same way a term that drifts hides that it acts in one stretch only, or that
it is two cycles of nearly the same length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician.gp import Problem, condition
from autostatistician.gp.posterior import Posterior
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product
from autostatistician.kernels.grammar import Language, Operator
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.kernels.rewrite import canonical
from autostatistician.search.starting.hints import clear_periods

__all__ = [
    "best_split", "cycled", "fading", "interrupted", "mean_reverting", "scattered", "scattered_stretch", "silenced",
    "stepped", "suggested",
]  # fmt: skip


Array = NDArray[np.float64]

LASTING = (LeafKind.CONSTANT, LeafKind.LINE)  # which nothing silences for a while

BENDING = (LeafKind.SMOOTH, LeafKind.WANDERING, LeafKind.UNBOUNDED)

RETURNS = 8.0  # lengthscales within the data

MOST_PERIODS = 2  # of a term

SAME_PERIOD = 0.06  # relative difference of two periods that count as one

RANGES_OF_CHANGE = 0.3  # lengthscale with which a cycle begins to change, in ranges of the data

LEAST_SIZE = 1e-3  # of the spread of the data: beside a high level, all of it may be less than that of their size

FEWEST_ROWS_ASIDE, LEAST_SHARE_ASIDE = 3, 0.03  # rows on either side of a step, and as a share of all

FEWEST_INTERRUPTED = 2  # rows: a single one is an outlier

FEWEST_FOR_SCATTER, FEWEST_OF_A_SIZE, LEAST_SHARE_OF_A_SIZE = 20, 6, 0.1  # rows, rows on either side, and their share

STEEPNESS_PER_SPACING = 2.0  # per spacing: a step from one row to the next

GRADUAL, MOST_PLACES_OF_GRADUAL = np.array([20.0, 8.0, 4.0]), 50  # steepness of others, per range; places of each

SMALLEST_SQUARE = 1e-300

SMALLEST_LEVEL = 1e-3  # of the root mean square

MOST_ALIKE = 0.95  # what fades less from row to row is no noise

SILENT = Kernel(Leaf("0"), ())


def suggested(kernel: Kernel, problem: Problem, language: Language, seasons: Sequence[float] = ()) -> Iterator[Kernel]:
    """All that the data suggest in the place of a kernel, from what it leaves of them.

    Parameters
    ----------
    kernel : Kernel
        With its parameters, in standard units, on one column.
    problem : Problem
        The data in standard units, in the order of their positions.
    language : Language
        What it has not is not suggested.
    seasons : sequence of float
        Periods of the calendar, in standard units.
    """
    if float(np.ptp(problem.X)) == 0.0:
        return
    posterior = condition(kernel, problem)
    for suggest in (stepped, mean_reverting, fading, scattered, silenced, interrupted):
        yield from suggest(posterior, language)
    yield from cycled(posterior, language, seasons)


def stepped(posterior: Posterior, language: Language) -> list[Kernel]:
    """A kernel with a step between two levels in the place of each of its curves, in turn.

    A language without constants or change points has none.
    """
    terms = posterior.kernel.terms
    curved = [term for term in terms if is_leaf_of(term.expr, *BENDING)]
    usable = "C" in language.bases and Operator.CHANGE_POINT in language.operators
    if not usable or not curved or len(posterior.y) <= 2 * FEWEST_ROWS_ASIDE:
        return []
    x, rest = posterior.X[:, 0], posterior.residual()
    return [_replaced(terms, term, _step(x, rest + posterior.project(term).mean)) for term in curved]


def _replaced(terms: Sequence[Kernel], term: Kernel, other: Kernel) -> Kernel:
    """The sum of terms with another one in the place of one of them."""
    return canonical(Kernel.sum((*(one for one in terms if one is not term), other)))


def mean_reverting(posterior: Posterior, language: Language) -> list[Kernel]:
    """A kernel with a curve that returns to its level in the place of each one that wanders off, in turn.

    It is as large as the other is within the data, and as rough from row to row: the spectral densities of both agree
    at high frequencies. Where such a curve had no time to return, there is none.
    """
    terms, kernels = posterior.kernel.terms, []
    for term in terms:
        if term.expr == Leaf("IOU") and "Matern32" in language.bases:
            size, values = float(np.std(posterior.project(term).mean)), term.named()
            length = (6.0 * 3.0**0.5 * values["lengthscale"] * (size / values["sd"]) ** 2) ** (1.0 / 3.0)
            if 0.0 < RETURNS * length <= float(np.ptp(posterior.X)):
                kernels.append(_replaced(terms, term, leaf("Matern32", sd=size, lengthscale=length)))
    return kernels


def fading(posterior: Posterior, language: Language) -> list[Kernel]:
    """A kernel with deviations that fade within a few rows in the place of a part of its noise.

    If a share s of the noise does so, by a factor f from row to row, residuals are alike by s f, and by s f^2 two rows
    apart. There is none where the first gains less than both cost by BIC.
    """
    terms, rest, n = posterior.kernel.terms, posterior.residual(), len(posterior.y)
    noise = next((term for term in terms if is_leaf_of(term.expr, LeafKind.NOISE)), None)
    squares = float(rest @ rest)
    if noise is None or "Matern12" not in language.bases or squares <= 0.0:
        return []
    alike, farther = (float(rest[rows:] @ rest[:-rows]) / squares for rows in (1, 2))
    if alike <= 0.0 or -n * np.log1p(-(alike**2)) <= 2.0 * np.log(n):
        return []
    factor = min(max(farther / alike, alike), MOST_ALIKE)
    length = float(np.median(np.diff(np.unique(posterior.X[:, 0])))) / -np.log(factor)
    share = alike / factor
    sds = [noise.values[0] * max(part, SMALLEST_LEVEL) ** 0.5 for part in (share, 1.0 - share)]
    return [_replaced(terms, noise, leaf("Matern12", sd=sds[0], lengthscale=length) + leaf("WN", sd=sds[1]))]


def _step(x: Array, values: Array) -> Kernel:
    """The step that describes values best, from one row to the next or more gradual.

    From an abrupt one the way to a gradual one is long: its place holds on to the rows on both sides.
    """
    place, levels = best_split(x, values)
    steepness = _steepness(x)
    most = float(_explained(x, values, np.array([place]), steepness)[0][0])
    places = np.unique(x)[FEWEST_ROWS_ASIDE:-FEWEST_ROWS_ASIDE]
    places = places[:: max(1, -(-len(places) // MOST_PLACES_OF_GRADUAL))]
    for gradual in GRADUAL / np.ptp(x) if len(places) else ():
        explained, of_both = _explained(x, values, places, gradual)
        best = int(np.argmax(explained))
        if explained[best] > most:
            most, place, steepness = float(explained[best]), float(places[best]), float(gradual)
            levels = float(of_both[0, best]), float(of_both[1, best])
    before, after = (leaf("C", sd=max(abs(level), SMALLEST_LEVEL)) for level in levels)
    return Kernel.change_point(before, after, place, steepness)


def _explained(x: Array, values: Array, places: Array, steepness: float) -> tuple[Array, Array]:
    """The squares (m,) that two levels explain about each of m places of change, and the levels (2, m)."""
    before = expit(2.0 * steepness * (places[:, None] - x))
    after = 1.0 - before
    squares, products = (before**2).sum(1), (before * after).sum(1)
    others = (after**2).sum(1)
    sums = np.stack([before @ values, after @ values])
    determinant = squares * others - products**2
    levels = np.stack([others * sums[0] - products * sums[1], squares * sums[1] - products * sums[0]])
    levels /= np.maximum(determinant, SMALLEST_SQUARE)
    return (levels * sums).sum(0), levels


def _steepness(x: Array) -> float:
    """Of a change from one row to the next."""
    return STEEPNESS_PER_SPACING * max(np.unique(x).size - 1, 1) / float(np.ptp(x))


def scattered(posterior: Posterior, language: Language) -> list[Kernel]:
    """A kernel whose noise has two sizes, before and after a place or outside and inside a window, by its residuals.

    Where the noise is small, each of the other terms but constants and lines may be silent, too. A language without
    noise as a base or without change points has none; windows where it has them.
    """
    terms = posterior.kernel.terms
    others = [term for term in terms if not is_leaf_of(term.expr, LeafKind.NOISE)]
    usable = "WN" in language.bases and len(others) < len(terms)
    stretch = _stretch_of(posterior.residual(), language) if usable else None
    if stretch is None:
        return []
    first, last, sizes = stretch
    least = SMALLEST_LEVEL * float(posterior.y.std())
    outside, inside = (leaf("WN", sd=max(size, least)) for size in sizes)
    silent = [term for term in others if not is_leaf_of(term.expr, *LASTING)]
    kernels = []
    for moved in (None, *silent):
        parts = [inside, outside]
        if moved is not None:
            parts[sizes[1] < sizes[0]] += moved
        rest = (term for term in others if term is not moved)
        kernels.append(canonical(Kernel.sum((*rest, _stretched(parts[0], parts[1], posterior.X[:, 0], first, last)))))
    return kernels


def silenced(posterior: Posterior, language: Language) -> list[Kernel]:
    """A kernel with one of its terms that acts in a stretch alone, or everywhere but there, by the sizes it has.

    A cycle that drifts can fade; that it begins or ends says more.
    """
    terms, x, kernels = posterior.kernel.terms, posterior.X[:, 0], []
    for term in terms:
        if is_leaf_of(term.expr, *LASTING, LeafKind.NOISE) or isinstance(term.expr, ChangePoint | ChangeWindow):
            continue
        stretch = _stretch_of(posterior.project(term).mean, language)
        if stretch is None:
            continue
        first, last, (outside, inside) = stretch
        parts = (term, SILENT) if inside > outside else (SILENT, term)
        kernels.append(_replaced(terms, term, _stretched(*parts, x, first, last)))
    return kernels


def _stretch_of(values: Array, language: Language) -> tuple[int, int, tuple[float, float]] | None:
    """The rows of values (n,) of another size, at least a share of all; None in a language without change points."""
    n = len(values)
    if Operator.CHANGE_POINT not in language.operators or n < FEWEST_FOR_SCATTER:
        return None
    fewest = max(FEWEST_OF_A_SIZE, round(LEAST_SHARE_OF_A_SIZE * n))
    return scattered_stretch(values, fewest, windows=Operator.CHANGE_WINDOW in language.operators)


def _stretched(inside: Kernel, outside: Kernel, x: Array, first: int, last: int) -> Kernel:
    """One kernel for the rows from ``first`` to before ``last``, and another one for those around them."""
    start = 0.5 * (x[first - 1] + x[first])
    if last == len(x):
        return Kernel.change_point(outside, inside, start, _steepness(x))
    stop = 0.5 * (x[last - 1] + x[last])
    return Kernel.change_window(outside, inside, 0.5 * (start + stop), _steepness(x), stop - start)


def interrupted(posterior: Posterior, language: Language) -> list[Kernel]:
    """A kernel with a stretch, of a few rows or of many, in which values depart from what came before them.

    A language without constants, noise or windows has none.
    """
    usable = {"C", "WN"} <= set(language.bases) and Operator.CHANGE_WINDOW in language.operators
    x, y = posterior.X, posterior.y
    if not usable or len(y) < FEWEST_FOR_SCATTER:
        return []
    errors = posterior.innovations()
    stretch = scattered_stretch(errors, FEWEST_INTERRUPTED, windows=True)
    if stretch is None or stretch[1] == len(y) or stretch[2][1] < stretch[2][0]:
        return []
    first, end, (quiet, _) = stretch
    last = first + 1 + int(np.argmax(np.abs(errors[first + 1 : end])))  # the way back is as much of a surprise
    rows = np.arange(first, last)
    if len(rows) < FEWEST_INTERRUPTED:
        return []
    departed = y[rows] - posterior.without(rows).observations(x[rows])[0]
    level, size = abs(float(departed.mean())), max(float(departed.std()), SMALLEST_LEVEL)
    terms = [
        _quieter(term, quiet) if is_leaf_of(term.expr, *BENDING, LeafKind.NOISE) else term
        for term in posterior.kernel.terms
    ]
    window = _stretched(leaf("WN", sd=size), leaf("C", sd=max(level, SMALLEST_LEVEL)), x[:, 0], first, last)
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


def cycled(posterior: Posterior, language: Language, seasons: Sequence[float] = ()) -> list[Kernel]:
    """A kernel with the cycles that stand out: beside its terms, and in the place of each one that bends.

    Beside its terms, those of the calendar, whose periods are the ``seasons``, are proposed whether they stand out or
    not: what bends hides them. A language without cycles has none.
    """
    if "Per" not in language.bases:
        return []
    terms, x, rest = posterior.kernel.terms, posterior.X[:, 0], posterior.residual()
    least, known = LEAST_SIZE * float(np.std(posterior.y)), _periods(terms)
    clear = _new(clear_periods(x, rest), known)
    size = max(float(np.std(rest)), least)
    kernels = [
        Kernel.sum((*terms, cycle))
        for period in (*clear, *_new(seasons, [*known, *clear]))
        for cycle in _cycles(period, size, language)
    ]
    kernels += [Kernel.sum((*terms, cycle)) for cycle in _shaped(terms, seasons, size, language)]
    for index, term in enumerate(terms):
        if _bends(term.expr):
            others, series = (*terms[:index], *terms[index + 1 :]), rest + posterior.project(term).mean
            clear, size = _new(clear_periods(x, series), _periods(others)), max(float(np.std(series)), least)
            cycles = _instead(term, clear, size, language)
            if len(clear) == MOST_PERIODS and Operator.CHANGE_POINT in language.operators:
                cycles += _turned(x, series, clear, size, language)
            kernels += [Kernel.sum((*others, cycle)) for cycle in cycles]
    return list(dict.fromkeys(map(canonical, kernels)))


def _shaped(terms: Sequence[Kernel], seasons: Sequence[float], size: float, language: Language) -> Iterator[Kernel]:
    """Cycles that differ with the place in a longer one of the calendar, each beside one that does not.

    The hours of a Sunday are not those of a Monday. From the shorter cycle no single step that pays leads there: the
    longer one by itself may say nothing.
    """
    known = [_periods((term,)) for term in terms]
    for short, longer in product([one for periods in known if len(periods) == 1 for one in periods], seasons):
        has_both = any(len(periods) > 1 and not _new((longer,), periods) for periods in known)
        if Operator.MULTIPLY in language.operators and _new((longer,), (short,)) and longer > short and not has_both:
            cycle = leaf("Per", sd=1.0, lengthscale=1.0, period=longer)
            yield leaf("Per", sd=size, lengthscale=1.0, period=short) * cycle


def _instead(term: Kernel, clear: Sequence[float], size: float, language: Language) -> list[Kernel]:
    """What may stand in the place of a term that bends: a cycle that stands out, or two of nearly the same length.

    A cycle may have twice its length, too, where every other one is higher.
    """
    doubled = [2.0 * period for period in _periods((term,))]
    cycles = [tuple(_cycles(period, size, language)) for period in (*doubled, *clear)]
    both = map(Kernel.sum, zip(*cycles[-MOST_PERIODS:], strict=True)) if len(clear) == MOST_PERIODS else ()
    return [*(one for pair in cycles for one in pair), *both]


def _turned(x: Array, series: Array, periods: Sequence[float], size: float, language: Language) -> list[Kernel]:
    """One cycle that gives way to another one, at the place where both together have most power."""
    n = len(x)
    waves = [np.cumsum(series * np.exp(2j * np.pi * x / period)) for period in periods]
    rows = np.arange(FEWEST_FOR_SCATTER // 2, n - FEWEST_FOR_SCATTER // 2)
    if not len(rows):
        return []

    def power(first: Array, second: Array) -> Array:
        return np.asarray(np.abs(first[rows - 1]) ** 2 / rows + np.abs(second[-1] - second[rows - 1]) ** 2 / (n - rows))

    orders = [(periods, power(*waves)), (periods[::-1], power(*waves[::-1]))]
    (before, after), powers = max(orders, key=lambda order: float(order[1].max()))
    at = rows[int(np.argmax(powers))]
    pairs = zip(_cycles(before, size, language), _cycles(after, size, language), strict=True)
    return [Kernel.change_point(*pair, 0.5 * (x[at - 1] + x[at]), _steepness(x)) for pair in pairs]


def _periods(terms: Sequence[Kernel]) -> list[float]:
    """Those that some terms have."""
    return [period for term in terms for _, period in term.periods]


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
