"""Draws in numbers: medians, ranges of 95 %, signs; and plain statistics beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lstsq, orth, solve_banded
from scipy.stats import f as f_distribution

from autostatistician._io.serial_correlation import lag_one_autocorrelation
from autostatistician.decompose.records.function import Estimate, Witness, believed
from autostatistician.forms import BAND_SDS

__all__ = [
    "MOST_PLACES",
    "SDS_OF_RANGE",
    "SEEN",
    "UNBIASED",
    "Back",
    "bends",
    "criteria",
    "criterion",
    "error_of_difference",
    "estimate",
    "robust_sd",
    "walks",
    "witness",
]


Array = NDArray[np.float64]


PARTS, OTHER_PACE = 5, 2.0  # equal parts of the span, of which one runs so many times as fast as another

Back = Callable[[Array], Array]  # from the scale of the models to the units of the data

ENDS = (0.5, 0.025, 0.975)

# between ends so placed lie 95 % of further draws on average, also of few draws
UNBIASED: Final = "weibull"

MAD_TO_SD = 1.4826  # of normal values

SDS_OF_RANGE = BAND_SDS

SEEN = 0.01  # p-value of a season, of its change, or of a bend in the data

MEMORIES = np.linspace(0.0, 1.0, 11)  # of an error, by the next

LINES, MOST_ALIKE = 3, 0.99  # parts of a broken line, and of what it leaves the correlation of neighbours

MOST_NOISY = 0.5  # of the moving average of a walk with noise: beyond, the steps from row to row are hardly its own

MOST_CHANGES, MOST_PLACES, NOTHING_NEW = 4, 100, 1e-9  # of a line, tried of each; a share of a column's squares


def estimate(draws: Array) -> Estimate:
    """The median of draws (k,) with the range of 95 % of them and how probable its sign is.

    >>> estimate(np.arange(-1.0, 400.0))
    Estimate(number=199.0, low=8.05, high=389.95, probability=0.7961)
    """
    middle, low, high = np.quantile(draws, ENDS, method=UNBIASED).tolist()
    same = float(np.mean(draws > 0.0)) if middle > 0.0 else float(np.mean(draws < 0.0)) if middle < 0.0 else 0.0
    return Estimate(middle, low, high, round(believed(same), 4))


def robust_sd(values: Array) -> float:
    """The standard deviation of normal values by their median distance from the median.

    >>> round(robust_sd(np.array([1.0, 2.0, 3.0, 4.0, 1000.0])), 4)
    1.4826
    """
    return MAD_TO_SD * float(np.median(np.abs(values - np.median(values)))) if len(values) else 0.0


def witness(statistic: str, number: float, error: float, claimed: Estimate) -> Witness:
    """A statistic with its standard error beside what the models say: it agrees where the ranges have a common part.

    >>> witness("difference of means", 5.0, 1.0, Estimate(8.0, 6.5, 9.5, 1.0)).agrees
    True
    """
    low, high = number - SDS_OF_RANGE * error, number + SDS_OF_RANGE * error
    return Witness(statistic, number, low, high, bool(low <= claimed.high and claimed.low <= high))


def error_of_difference(x: Array, course: Array, places: tuple[Array, Array]) -> float:
    """The standard error of the difference between the means of a course at two sets of places, as it wanders.

    What broken lines of equal parts leave of the ``course`` (m,) at inputs ``x`` (m,) is autoregressive of first order,
    less biased than by its correlation alone (Kendall 1954).

    >>> rng, x = np.random.default_rng(0), np.arange(300.0)
    >>> noise, sides = rng.normal(size=300), (x[:100], x[200:])
    >>> wandering = np.linalg.solve(np.eye(300) - 0.9 * np.eye(300, k=-1), noise)
    >>> [round(error_of_difference(x, course, sides), 1) for course in (0.1 * x, noise, wandering)]
    [0.0, 0.1, 1.4]
    """
    lines = np.maximum(x[:, None] - np.linspace(x[0], x[-1], LINES + 1)[:-1], 0.0)
    design = np.column_stack([np.ones(len(x)), lines])
    errors, count, columns = course - design @ lstsq(design, course)[0], *design.shape
    if count <= 2 * columns or not float(errors @ errors) > NOTHING_NEW * np.ptp(course) ** 2:
        return 0.0
    alike = lag_one_autocorrelation(errors)
    news = float(np.sum((errors[1:] - alike * errors[:-1]) ** 2)) / (count - 1 - columns)
    alike = float(np.clip(alike + (columns + (columns + 2) * alike) / count, 0.0, MOST_ALIKE))
    every, steps = np.concatenate(places), float(np.median(np.diff(x)))
    weights = np.repeat([-1.0 / len(places[0]), 1.0 / len(places[1])], [len(some) for some in places])
    shared = alike ** (np.abs(every[:, None] - every) / steps)
    return float(np.sqrt(news / (1.0 - alike**2) * max(weights @ shared @ weights, 0.0)))


def criterion(design: Array, values: Array) -> float:
    """The Bayesian information criterion of least squares with errors that remember, less what all designs have.

    The errors of values (m,) are autoregressive of first order, as strongly as it describes them best.

    >>> x = np.arange(90.0)
    >>> noise = np.random.default_rng(0).normal(size=90)
    >>> line, bent = np.stack([x**0, x], axis=1), np.stack([x**0, x, np.maximum(x - 45.0, 0.0)], axis=1)
    >>> [criterion(bent, y) < criterion(line, y) for y in (np.abs(x - 45.0) + noise, noise, np.cumsum(noise))]
    [True, False, False]
    """
    return float(criteria(design[:, :-1], design[:, -1:], values)[0])


def criteria(design: Array, changes: Array, values: Array) -> Array:
    """The criterion (j,) of a design (m, i) with each one of some changes (m, j) as a further column.

    >>> x = np.arange(90.0)
    >>> steps = np.where(x[:, None] >= [20.0, 45.0, 70.0], 1.0, 0.0)
    >>> int(np.argmin(criteria(x[:, None] ** [0, 1], steps, 9.0 * (x >= 45.0) + np.sin(x))))
    1
    """
    both, least, count = np.column_stack([values, changes]), NOTHING_NEW * np.sum(changes**2, axis=0), len(values) - 1
    squares = np.full(changes.shape[1], np.inf)
    for memory in MEMORIES:
        known = orth(design[1:] - memory * design[:-1], rcond=NOTHING_NEW)
        left = both[1:] - memory * both[:-1]
        left -= known @ (known.T @ left)
        sizes = np.sum(left[:, 1:] ** 2, axis=0)
        sizes[sizes <= least] = np.inf
        squares = np.minimum(squares, np.sum(left[:, 0] ** 2) - (left[:, 0] @ left[:, 1:]) ** 2 / sizes)
    return np.asarray(count * np.log(np.maximum(squares, 1e-300) / count) + (design.shape[1] + 1) * np.log(count))


# --- Whether values walk at random: beside lines with changes, without any model ----------------------------------


def walks(values: Array) -> bool:
    """Whether a random walk, seen with noise, describes values (m,) better than lines with bends and steps.

    These have errors that remember those before. A walk with a drift is none, either, nor is what swings about a level,
    where two values tell which way it goes next; all by the Bayesian information criterion, given the first values.

    >>> x, noise = np.arange(90.0), np.random.default_rng(0).normal(size=90)
    >>> swings = np.linalg.solve(np.eye(90) - 1.5 * np.eye(90, k=-1) + 0.7 * np.eye(90, k=-2), noise)
    >>> others = (np.cumsum(noise + 1.0), np.abs(x - 50.0) + noise, 9.0 * (x > 50.0) + noise, noise, swings)
    >>> walks(np.cumsum(noise)), any(map(walks, others))
    (True, False)
    """
    steps, rows = np.diff(values), np.arange(len(values), dtype=np.float64)
    if not np.ptp(steps) > 0.0:
        return False
    walk, drifting = (
        min(_information(_filtered(some, noisy), noisy > 0.0) for noisy in MEMORIES if noisy <= MOST_NOISY)
        for some in (steps, steps - steps.mean())
    )
    places = np.unique(np.linspace(1.0, rows[-1] - 1.0, MOST_PLACES).round())
    bends, jumps = np.maximum(rows[:, None] - places, 0.0), np.where(rows[:, None] >= places, 1.0, 0.0)
    line = np.stack([np.ones(len(values)), np.linspace(-1.0, 1.0, len(values))], axis=1)
    families = ((line, bends), (line[:, :1], jumps), (line, np.column_stack([bends, jumps])))
    others = min(_of_pieces(design, changes, values) for design, changes in families)
    return bool(walk < min(drifting + np.log(len(steps)), others, _of_memory(values)))


def _of_memory(values: Array) -> float:
    """The criterion of an autoregression of values (m,) about a level, on one or two before, by least squares."""
    before = np.column_stack([np.ones(len(values) - 1), values[:-1], np.append(values[0], values[:-2])])
    after, some = values[1:], (before[:, :2], before)
    return min(_information(after - each @ lstsq(each, after, cond=1e-9)[0], each.shape[1]) for each in some)


def _filtered(steps: Array, noisy: float) -> Array:
    """Each of some steps (m,) with a share of what came out before: ``scipy.signal`` takes long to import.

    >>> _filtered(np.array([1.0, 0.0, 2.0]), 0.5).tolist()
    [1.0, 0.5, 2.25]
    """
    return np.asarray(solve_banded((1, 0), np.array([[1.0], [-noisy]]) * np.ones(len(steps)), steps))


def _of_pieces(design: Array, changes: Array, values: Array) -> float:
    """The criterion of the best of up to a few changes, each the one that leaves the least of values (m,)."""
    every = []
    for count in range(MOST_CHANGES + 1):
        known = np.linalg.qr(design)[0]
        left, new = (some - known @ (known.T @ some) for some in (values, changes))
        numbers = design.shape[1] + count  # of a change, its place is free as well
        every += [
            _information(left[1:] - memory * left[:-1], numbers + (memory > 0.0)) for memory in MEMORIES[MEMORIES < 1.0]
        ]
        sizes = np.sum(new**2, axis=0)
        sizes[sizes <= NOTHING_NEW * np.sum(changes**2, axis=0)] = np.inf
        gains = (left @ new) ** 2 / sizes
        design = np.column_stack([design, changes[:, int(np.argmax(gains))]])
    return min(every)


def _information(errors: Array, numbers: float) -> float:
    """The Bayesian information criterion of errors (m,) that so many fitted numbers leave."""
    count = len(errors)
    return float(count * np.log(max(float(errors @ errors), 1e-300) / count) + numbers * np.log(count))


# --- Whether values run at one pace, or bend: by a cubic beside a straight line, without any model ------------------


def bends(x: Array, values: Array) -> bool:
    """Whether a straight line leaves something systematic of values (m,), so large that their pace clearly changes.

    >>> x = np.arange(30.0)
    >>> noise = np.random.default_rng(0).normal(size=30)
    >>> bends(x, 3.0 * x + noise), bends(x, 90.0 / (1.0 + np.exp(-0.2 * (x - 14.0))) + noise)
    (False, True)
    """
    if len(x) < 2 * PARTS or not np.ptp(x) > 0.0:
        return False
    places = 2.0 * (x - x[0]) / np.ptp(x) - 1.0
    line, cubic = (np.polynomial.legendre.Legendre.fit(places, values, degree, domain=[-1.0, 1.0]) for degree in (1, 3))
    before, after = (float(np.sum((values - fit(places)) ** 2)) for fit in (line, cubic))
    rest = len(x) - 4
    if f_distribution.sf((before - after) / 2.0 / max(after / rest, 1e-24 * before, 1e-300), 2, rest) > SEEN:
        return False
    paces = np.diff(cubic(np.linspace(-1.0, 1.0, PARTS + 1))) * np.sign(line.coef[1])
    return bool(paces.max() > OTHER_PACE * paces.min())
