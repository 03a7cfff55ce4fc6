"""Whether data look as the model says: posterior predictive checks, with a correction for their number.

The whole model is checked by its standardised errors of predicting each value from those before it. Under the model
they are independent standard normal, exactly, whatever the kernel. The posterior mean of a part is a linear function
of the same errors, so what the model expects of it is simulated by putting other errors in: its p-values are as exact
as those of the whole (the checks are those of Lloyd et al. 2014, supplement).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import false_discovery_control

from autostatistician.decompose.records.series import Check, Checks, Spread
from autostatistician.decompose.rows import evenly
from autostatistician.decompose.statistics import (
    MOST_SIMULATIONS,
    SIMULATIONS_AT_A_TIME,
    Courses,
    Tally,
    anderson,
    autocorrelation,
    root_mean_square,
    spectrum,
)
from autostatistician.inference.posterior import Posterior
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, operands
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import LEAVES

__all__ = ["FEWEST_ROWS", "check"]

Array = NDArray[np.float64]
Statistic = Callable[[Array], Array]
# The kind, and a sign. Larger values count against the model; two signs are two sides of one check.
Key = tuple[str, int]

FEWEST_ROWS = 20  # fewer show nothing
MOST_ROWS = 400  # of a part
MOST_COURSE_ROWS = 200
LEAST_SEEN_SHARE = 1e-6  # a part of whose variance the data show less has nothing to be checked
EXACT_NOISE_FLOORS = 10.0  # times the noise that could be seen: smaller expected errors say nothing of the model
PICTURE_POINTS = 60  # points of a picture


def check(posterior: Posterior, parts: tuple[Kernel, ...], seed: int, noise_floor: float = 0.0) -> Checks | None:
    """All checks of a model and its parts; None where there are too few rows, or errors that digits alone leave.

    Parameters
    ----------
    posterior : Posterior
        The model given its data, rows in ascending order of the input.
    parts : tuple of Kernel
        Its additive parts; those without a shape of their own (constants, polynomials, noise) are not checked.
    seed : int
        Of the simulations.
    noise_floor : float
        Noise of this standard deviation could not be seen.
    """
    if len(posterior.y) < FEWEST_ROWS or float(np.median(posterior.innovation_sd)) <= EXACT_NOISE_FLOORS * noise_floor:
        return None
    errors, rng = posterior.innovations(), np.random.default_rng(seed)
    first = rng.standard_normal((SIMULATIONS_AT_A_TIME, len(errors)))
    gap = float(np.median(np.diff(posterior.X[:, 0])))
    asked: list[_Whole | _Part] = [_Whole(errors, gap)]
    for number, part in enumerate(parts, start=1):
        if _has_shape(part.expr) and (seen := _seen(posterior, part)) is not None:
            asked.append(_Part(number, seen[0], errors, first @ seen[0], seen[1]))
    found = _compared(asked, rng)
    adjusted = false_discovery_control([one.p for one in found], method="by")
    every = tuple(replace(one, adjusted=float(p)) for one, p in zip(found, adjusted, strict=True))
    return Checks(every, errors, tuple(one.spread for one in asked if isinstance(one, _Part)))


def _compared(asked: list[_Whole | _Part], rng: np.random.Generator) -> list[Check]:
    """Every statistic of the data among simulated ones, until all p-values are known well enough."""
    n = len(asked[0].errors)
    tallies = [{key: Tally(float(values[0])) for key, values in one.of(one.errors[None]).items()} for one in asked]
    for _ in range(MOST_SIMULATIONS // SIMULATIONS_AT_A_TIME):
        null = rng.standard_normal((SIMULATIONS_AT_A_TIME, n))
        for one, known in zip(asked, tallies, strict=True):
            unknown = {key for key, tally in known.items() if not tally.done}
            for key, values in one.of(null, unknown).items():
                known[key].add(values)
        if all(tally.done for known in tallies for tally in known.values()):
            break
    return [check for one, known in zip(asked, tallies, strict=True) for check in one.checks(known)]


@dataclass
class _Whole:
    """What is asked of the errors."""

    errors: Array
    gap: float
    statistics: dict[Key, Statistic] = field(init=False)

    def __post_init__(self) -> None:
        rows = evenly(len(self.errors), MOST_COURSE_ROWS)
        course = Courses(np.ones(len(rows)))
        self.statistics = {
            ("distribution", 0): anderson,
            ("autocorrelation", 0): lambda errors: np.abs(autocorrelation(errors)).max(axis=1),
            ("periodogram", 0): lambda errors: spectrum(errors).max(axis=1),
            ("course", 0): lambda errors: course(errors[:, rows]),
        }

    def of(self, errors: Array, wanted: set[Key] | None = None) -> dict[Key, Array]:
        """The statistics of errors (m, n), all or those that are wanted."""
        return {key: how(errors) for key, how in self.statistics.items() if wanted is None or key in wanted}

    def checks(self, known: dict[Key, Tally]) -> list[Check]:
        """What was found."""
        errors, alike = self.errors, autocorrelation(self.errors[None])[0]
        lag, frequency = int(np.abs(alike).argmax()), int(spectrum(errors[None])[0].argmax()) + 1
        heavy = float(np.mean(errors**4)) > 3.0 * max(float(np.mean(errors**2)), 1.0) ** 2 or np.std(errors) >= 1.1
        sides = {"distribution": 1 if heavy else -1, "periodogram": 1}
        sides |= {"autocorrelation": int(np.sign(alike[lag])), "course": _drift(errors)}
        places = {"autocorrelation": lag + 1.0, "periodogram": self.gap * len(errors) / frequency}
        return [
            Check(0, kind, tally.observed, tally.p, tally.p, places.get(kind), sides[kind])
            for (kind, _), tally in known.items()
        ]


def _drift(values: Array) -> int:
    """Whether values grow (+1) or shrink (-1) from the first half of the data to the second."""
    first, second = np.array_split(values, 2)
    return 1 if float(np.std(second)) >= float(np.std(first)) else -1


# --- a part -----------------------------------------------------------------------------------------------------------


def _has_shape(expr: Expr) -> bool:
    """Whether draws of a part differ in more than size and slope, and are no noise."""
    kinds = set(_kinds(expr))
    return LeafKind.NOISE not in kinds and bool(kinds - {LeafKind.CONSTANT, LeafKind.LINE, LeafKind.ZERO})


def _kinds(expr: Expr) -> list[LeafKind]:
    if isinstance(expr, Leaf):
        return [LEAVES[expr.symbol].kind]
    return [kind for part in operands(expr) for kind in _kinds(part)]


def _seen(posterior: Posterior, part: Kernel) -> tuple[Array, float] | None:
    """The map (n, m) from errors to the posterior mean of a part at some rows, and the gap between those.

    None where the data show nothing of the part.
    """
    X = posterior.X[evenly(len(posterior.y), MOST_ROWS)]
    known = posterior.project(part, X)
    if not known.explained.max() > LEAST_SEEN_SHARE * float(known.prior.max()):
        return None
    return known.reduced, float(np.median(np.diff(X[:, 0])))


class _Part:
    """What is asked of the posterior mean of a part."""

    def __init__(self, number: int, reduced: Array, errors: Array, first: Array, gap: float) -> None:
        self.number, self.reduced, self.errors, self.gap = number, reduced, errors, gap
        self.sd = np.sqrt(np.einsum("ij,ij->j", reduced, reduced))
        self.mean = errors @ reduced
        rows = evenly(reduced.shape[1], MOST_COURSE_ROWS)
        course = Courses(self.sd[rows])
        ordered = _ordered(first)
        self.expected = ordered.mean(axis=0)
        self.spread = self._spread(ordered)
        self.statistics: dict[Key, Statistic] = {
            ("distribution", 1): root_mean_square,
            ("distribution", -1): lambda part: -root_mean_square(part),
            ("quantiles", 0): lambda part: np.abs(_ordered(part) - self.expected).max(axis=1),
            ("autocorrelation", 1): lambda part: autocorrelation(part).min(axis=1),
            ("autocorrelation", -1): lambda part: -autocorrelation(part).min(axis=1),
            ("periodogram", 1): lambda part: spectrum(part).max(axis=1),
            ("course", 0): lambda part: course(part[:, rows]),
        }

    def of(self, errors: Array, wanted: set[Key] | None = None) -> dict[Key, Array]:
        """The statistics of the part that errors (m, n) give, all or those that are wanted."""
        if wanted is not None and not wanted:
            return {}
        part = errors @ self.reduced
        return {key: how(part) for key, how in self.statistics.items() if wanted is None or key in wanted}

    def checks(self, known: dict[Key, Tally]) -> list[Check]:
        """What was found; of two sides the less likely one, at twice its p-value."""
        loudest = int(spectrum(self.mean[None])[0].argmax()) + 1
        places = {"periodogram": self.gap * len(self.mean) / loudest}
        found = []
        for kind in dict.fromkeys(kind for kind, _ in known):
            sides = {side: tally for (other, side), tally in known.items() if other == kind}
            side, tally = min(sides.items(), key=lambda one: one[1].p)
            p = min(len(sides) * tally.p, 1.0)
            value = -tally.observed if side < 0 else tally.observed
            found.append(Check(self.number, kind, value, p, p, places.get(kind), side or self._side(kind)))
        return found

    def _side(self, kind: str) -> int:
        if kind == "course":
            return _drift(self.mean / np.maximum(self.sd, 1e-6 * self.sd.max()))
        ordered = _ordered(self.mean[None])[0]
        worst = int(np.abs(ordered - self.expected).argmax())
        return 1 if abs(ordered[worst]) >= abs(self.expected[worst]) else -1

    def _spread(self, simulated: Array) -> Spread:
        """The values in order beside those of simulations, for a picture."""
        shown = evenly(simulated.shape[1], PICTURE_POINTS)
        lower, upper = np.quantile(simulated[:, shown], [0.025, 0.975], axis=0)
        return Spread(self.number, self.expected[shown], lower, upper, _ordered(self.mean[None])[0][shown])


def _ordered(samples: Array) -> Array:
    """Values in ascending order, divided by the size of their row."""
    size = root_mean_square(samples)[:, None]
    return np.sort(samples / np.where(size > 0.0, size, 1.0), axis=1)
