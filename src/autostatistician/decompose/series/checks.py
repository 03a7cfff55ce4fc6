"""Whether data look as the model says: posterior predictive checks, with a correction for their number.

The whole model is checked by its standardised errors of predicting each value from those before it. Under the model
they are independent standard normal, exactly, whatever the kernel; of more than some thousand their statistics are
compared with those of fewer, which have the same distributions but for a scale that is known. The posterior mean of a
part is a linear function of the same errors, so what the model expects of it is simulated by putting other errors in:
its p-values are as exact as those of the whole (the checks are those of Lloyd et al. 2014, supplement).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import false_discovery_control, rankdata

from autostatistician._io.rows import evenly_spaced
from autostatistician.decompose.records.series import Check, Checks
from autostatistician.decompose.series.evaluation_grid import finest_detail
from autostatistician.decompose.statistics import (
    FEWEST_ROWS,
    MOST_SIMULATIONS,
    SIMULATIONS_AT_A_TIME,
    CourseDiscrepancy,
    SequentialPValue,
    anderson_darling,
    autocorrelation,
    normal_scores,
    periodogram,
    root_mean_square,
    side_of_spread,
)
from autostatistician.forms import CheckKind
from autostatistician.gp.posterior import Posterior, Projection
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, nodes_of

__all__ = ["check"]

Array = NDArray[np.float64]
Statistic = Callable[[Array], Array]
# A kind with a sign: larger statistics count against the model, so what may be too large or too small has both signs.
Key = tuple[CheckKind, int]
PValues = dict[Key, SequentialPValue]

MOST_ROWS_OF_A_PART = 400
MOST_COURSE_ROWS = 200
MOST_ROWS_SIMULATED = 5000
LEAST_SEEN_SHARE = 1e-6  # of the prior variance of a part: where the data explain less, nothing of it can be checked
EXACT_NOISE_FLOORS = 10.0  # smaller expected errors, in units of the noise that could be seen, are those of digits


def check(
    posterior: Posterior,
    parts: tuple[Kernel, ...],
    seed: int,
    noise_floor: float = 0.0,
    errors: Array | None = None,
) -> Checks | None:
    """All checks of a model and its parts; None where there are too few rows, or errors that digits alone leave.

    Parts without a shape of their own (constants, polynomials, noise) are not checked. Noise with the standard
    deviation ``noise_floor`` could not be seen. The rows of the posterior ascend. ``errors`` (n,) are the standardised
    ones of observations that are not normal.
    """
    if len(posterior.y) < FEWEST_ROWS or float(np.median(posterior.innovation_sd)) <= EXACT_NOISE_FLOORS * noise_floor:
        return None
    errors, rng = posterior.innovations() if errors is None else errors, np.random.default_rng(seed)
    first = rng.standard_normal((SIMULATIONS_AT_A_TIME, min(len(errors), MOST_ROWS_SIMULATED)))
    gap = float(np.median(np.diff(posterior.X[:, 0])))
    asked: list[_OfErrors | _OfPart] = [_OfErrors(errors, gap)]
    for number, part in enumerate(parts, start=1):
        if _has_shape(part.expr) and (seen := _seen(posterior, part)) is not None:
            asked.append(_OfPart(number, seen[0], first, seen[1]))
    checks = _compared(asked, rng)
    adjusted = false_discovery_control([single.p for single in checks], method="by")
    every = tuple(replace(single, adjusted=float(p)) for single, p in zip(checks, adjusted, strict=True))
    return Checks(every, errors)


def _compared(asked: list[_OfErrors | _OfPart], rng: np.random.Generator) -> list[Check]:
    """Every statistic of the data among simulated ones, until all p-values are known well enough."""
    n = min(len(asked[0].values), MOST_ROWS_SIMULATED)
    p_values: list[PValues] = [
        {key: SequentialPValue(float(how(subject.values[None])[0])) for key, how in subject.statistics.items()}
        for subject in asked
    ]
    for _ in range(MOST_SIMULATIONS // SIMULATIONS_AT_A_TIME):
        simulated = rng.standard_normal((SIMULATIONS_AT_A_TIME, n))
        for subject, tallies in zip(asked, p_values, strict=True):
            unsettled = {key for key, tally in tallies.items() if not tally.done}
            for key, values in subject.of(simulated, unsettled).items():
                tallies[key].add(values)
        if all(tally.done for tallies in p_values for tally in tallies.values()):
            break
    return [check for subject, tallies in zip(asked, p_values, strict=True) for check in subject.checks(tallies)]


@dataclass
class _OfErrors:
    """The statistics of the standardised errors of a model."""

    values: Array
    gap: float
    statistics: dict[Key, Statistic] = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.values)
        rows = evenly_spaced(n, MOST_COURSE_ROWS)
        course = CourseDiscrepancy(np.ones(len(rows)))
        self.statistics = {
            (CheckKind.DISTRIBUTION, 0): anderson_darling,
            # As of n errors: correlations are as small as the root of their number, the highest peak of so many more
            # is higher by the logarithm of how many.
            (CheckKind.AUTOCORRELATION, 0): lambda errors: (
                np.abs(autocorrelation(errors)).max(axis=1) * np.sqrt(errors.shape[1] / n)
            ),
            (CheckKind.PERIODOGRAM, 0): lambda errors: periodogram(errors).max(axis=1) + np.log(n / errors.shape[1]),
            # Of many rows fewer are simulated: then those that are there, which are as independent. By ranks, so that
            # single large errors, or tails that are heavy throughout, are no change along the way.
            (CheckKind.COURSE, 0): lambda errors: course(normal_scores(errors[:, _some(rows, errors.shape[1])])),
        }

    def of(self, errors: Array, wanted: set[Key]) -> dict[Key, Array]:
        """The statistics of errors (m, n) that are wanted."""
        return {key: self.statistics[key](errors) for key in wanted}

    def checks(self, p_values: PValues) -> list[Check]:
        """The checks with these p-values."""
        errors, correlations = self.values, autocorrelation(self.values[None])[0]
        lag, frequency = int(np.abs(correlations).argmax()), int(periodogram(errors[None])[0].argmax()) + 1
        sides = {CheckKind.DISTRIBUTION: side_of_spread(errors), CheckKind.PERIODOGRAM: 1}
        sides |= {CheckKind.AUTOCORRELATION: int(np.sign(correlations[lag])), CheckKind.COURSE: _drift(errors)}
        peaks = {CheckKind.AUTOCORRELATION: lag + 1.0, CheckKind.PERIODOGRAM: self.gap * len(errors) / frequency}
        return [
            Check(0, kind, tally.observed, tally.p, tally.p, peaks.get(kind), sides[kind])
            for (kind, _), tally in p_values.items()
        ]


def _some(rows: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Some rows, or as many of the first where there are not so many."""
    return rows if rows[-1] < count else np.arange(len(rows))


def _drift(values: Array) -> int:
    """Whether sizes of values grow (+1) or shrink (-1) from the first half of the data to the second, by their ranks.

    >>> _drift(np.array([2.0, -2.0, 3.0, 1.0, -1.0, 90.0])), _drift(np.array([1.0, -1.0, 2.0, 3.0]))
    (-1, 1)
    """
    first, second = np.array_split(rankdata(np.abs(values)), 2)
    return 1 if float(np.mean(second)) >= float(np.mean(first)) else -1


# --- a part -----------------------------------------------------------------------------------------------------------


def _has_shape(expr: Expr) -> bool:
    """Whether draws of a part differ in more than size and slope, and are no noise."""
    kinds = {LEAVES[node.symbol].kind for node in nodes_of(expr) if isinstance(node, Leaf)}
    return LeafKind.NOISE not in kinds and bool(kinds - {LeafKind.CONSTANT, LeafKind.LINE, LeafKind.ZERO})


def _seen(posterior: Posterior, part: Kernel) -> tuple[Projection, Array] | None:
    """The posterior of a part at some rows, and the places of those.

    None where the data show nothing of the part.
    """
    x = posterior.X[:, 0]
    start = 0
    if len(x) > MOST_ROWS_SIMULATED:  # of a quick part the last stretch: between rows that are far apart it is noise
        length = finest_detail(part, float(x[-1] - x[0])) * MOST_ROWS_OF_A_PART
        start = min(int(np.searchsorted(x, x[-1] - length)), len(x) - MOST_ROWS_OF_A_PART)
    X = posterior.X[start + evenly_spaced(len(x) - start, MOST_ROWS_OF_A_PART)]
    projection = posterior.project(part, X)
    if not projection.explained.max() > LEAST_SEEN_SHARE * float(projection.prior.max()):
        return None
    return projection, X[:, 0]


class _OfPart:
    """The statistics of the posterior mean of a part."""

    def __init__(self, number: int, seen: Projection, first: Array, places: Array) -> None:
        self.number, self.reduction, self.places = number, seen.reduction, places
        self.sd = np.sqrt(seen.explained)
        self.values = seen.mean
        rows = evenly_spaced(len(self.values), MOST_COURSE_ROWS)
        course = CourseDiscrepancy(self.sd[rows])
        self.expected = _ordered(self.reduction.means(first)).mean(axis=0)
        self.statistics: dict[Key, Statistic] = {
            (CheckKind.DISTRIBUTION, 1): root_mean_square,
            (CheckKind.DISTRIBUTION, -1): lambda part: -root_mean_square(part),
            (CheckKind.QUANTILES, 0): lambda part: np.abs(_ordered(part) - self.expected).max(axis=1),
            (CheckKind.AUTOCORRELATION, 1): lambda part: autocorrelation(part).min(axis=1),
            (CheckKind.AUTOCORRELATION, -1): lambda part: -autocorrelation(part).min(axis=1),
            (CheckKind.PERIODOGRAM, 1): lambda part: periodogram(part).max(axis=1),
            (CheckKind.COURSE, 0): lambda part: course(part[:, rows]),
        }

    def of(self, errors: Array, wanted: set[Key]) -> dict[Key, Array]:
        """The statistics that are wanted of the part that errors (m, n) give."""
        part = self.reduction.means(errors) if wanted else errors
        return {key: self.statistics[key](part) for key in wanted}

    def checks(self, p_values: PValues) -> list[Check]:
        """The checks with these p-values; of two sides the less likely one, at twice its p-value."""
        loudest = int(periodogram(self.values[None])[0].argmax()) + 1
        length = float(np.median(np.diff(self.places))) * len(self.values)
        worst = float(self.places[np.argsort(self.values)[self._worst()]])
        peaks = {CheckKind.PERIODOGRAM: length / loudest, CheckKind.QUANTILES: worst}
        checks = []
        for kind in dict.fromkeys(kind for kind, _ in p_values):
            sides = {side: tally for (other, side), tally in p_values.items() if other is kind}
            side, rarest = min(sides.items(), key=lambda item: item[1].p)
            p = min(len(sides) * rarest.p, 1.0)
            value = -rarest.observed if side < 0 else rarest.observed
            checks.append(Check(self.number, kind, value, p, p, peaks.get(kind), side or self._side(kind)))
        return checks

    def _side(self, kind: CheckKind) -> int:
        if kind is CheckKind.COURSE:
            return _drift(self.values / np.maximum(self.sd, 1e-6 * self.sd.max()))
        ordered, worst = _ordered(self.values[None])[0], self._worst()
        return 1 if abs(ordered[worst]) >= abs(self.expected[worst]) else -1

    def _worst(self) -> int:
        """The place in ascending order of the value that is furthest from what is expected there."""
        return int(np.abs(_ordered(self.values[None])[0] - self.expected).argmax())


def _ordered(samples: Array) -> Array:
    """Values in ascending order, divided by the size of their row."""
    size = root_mean_square(samples)[:, None]
    return np.sort(samples / np.where(size > 0.0, size, 1.0), axis=1)
