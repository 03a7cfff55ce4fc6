"""Growth beyond the data: forecasts by curves of few numbers, pooled with those of the models.

Models of short series carry on too much of what was seen last. Beside them stand a level, a straight line, lines that
bend once, exponential approaches to a level and S-curves. What deviates from a curve is noise and a walk; of values
that never fall the walk may be as fast as the curve grows, as that of sums of events is. What deviates from a level may
also have a slope that is damped and moved from row to row, as in exponential smoothing with a damped trend. Each has
the weight that the data give it by the Bayesian information criterion, and so have all of them beside the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from math import log, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.special import expit, logsumexp, softmax

from autostatistician.fitted.transform_averaging import share_by_odds
from autostatistician.gp import condition
from autostatistician.gp.posterior import Posterior
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.plain_leaves import iou
from autostatistician.kernels.traits import effective_parameters, is_step

__all__ = ["FEWEST_ROWS", "MOST_ROWS", "GrowthCurves", "Pool", "pool"]

Array = NDArray[np.float64]
Moments = tuple[Array, Array]
Function = Callable[[Array], Array]
Covariance = Callable[[Array, Array], Array]

# Of the growth of a line on the scale of the logarithm; of that in units all does (`benchmarks/learn_ahead.py`).
GOES_ON_BY_PERCENT = 0.6

LEVEL, LINE = 0.45, 0.45  # weights before the data
BENT, APPROACH, S_CURVE, DAMPED = 0.03, 0.03, 0.03, 0.03

FEWEST_ROWS, MOST_ROWS = 6, 500  # of series that have curves; longer ones show a model what goes on
MOST_BENDS, NO_BEND = 50, 4  # places of bends that are tried; rows at either end without one
TIMES = 1.0 / np.geomspace(0.7, 8.0, 10)  # time constants of approaches to a level, in spans of the data
MIDDLES, STEEPNESS = np.linspace(0.1, 1.0, 10), (5.0, 8.0, 12.0)  # of S-curves, in spans; steeper ones are steps

NOISES = (1e-3, 0.5, 2.0, 8.0, 32.0)  # variances in units of that of a step of the walk

# Of a level whose slope is damped: the variance of noise, rows after which the slope is forgotten, and the variance of
# a step of the level; variances in units of that of a step of the slope.
DAMPED_ERRORS = tuple(product((0.1, 3.0, 100.0, 3000.0), (2.0, 5.0, 12.0), (0.0, 10.0)))

STILL = 1e-3  # of its usual pace: the least of a walk that goes as the curve grows

LEAST_WEIGHT = 0.003  # of a curve
LEAST_SHARE = 1e-8  # of a column that the others leave
LEAST_VARIANCE, TINY = 1e-10, 1e-200  # of deviations, as a share of that of the values


@dataclass(frozen=True, eq=False)
class Curve:
    """A kind of growth: a level and some ``shapes``, functions of times (m,) in spans of the data."""

    prior: float
    shapes: tuple[Function, ...] = ()
    is_line: bool = False  # straight, or with a bend

    def design(self, times: Array) -> Array:
        """Its columns (m, k) at times (m,)."""
        return np.stack([np.ones(len(times)), *(shape(times) for shape in self.shapes)], axis=1)


@dataclass(frozen=True, eq=False)
class Errors:
    """What deviates from a curve: noise and a process with some ``covariance`` (n, m) between times (n,) and (m,)."""

    noise: float
    covariance: Covariance


@dataclass(frozen=True, eq=False)
class Fit:
    """A curve fitted by generalised least squares to values at times (n,)."""

    curve: Curve
    errors: Errors
    times: Array  # (n,)
    root: Array  # (n, n), of the covariance of the errors
    design: Array  # (n, k), whitened
    triangle: Array  # (k, k), of that
    coefficients: Array  # (k,)
    rest: Array  # (n,), of the whitened values
    variance: float
    log_weight: float

    def ahead(self, times: Array, goes_on: float, *, signal: bool) -> Moments:
        """Mean and variance (m,) at times after the end, which is 1; lines grow by so much of what they did."""
        design = self.curve.design(1.0 + goes_on * (times - 1.0) if self.curve.is_line else times)
        known = solve_triangular(self.root, self.errors.covariance(self.times, times), lower=True)
        left = np.maximum(self.errors.covariance(times, times).diagonal() - np.sum(known**2, axis=0), 0.0)
        unsure = np.sum(solve_triangular(self.triangle.T, (design - known.T @ self.design).T, lower=True) ** 2, axis=0)
        units = left + unsure + (0.0 if signal else self.errors.noise)
        return design @ self.coefficients + known.T @ self.rest, self.variance * units


@dataclass(frozen=True, eq=False)
class GrowthCurves:
    """The growth curves of values ``y`` (n,) without cycles at ascending positions ``x`` (n,).

    >>> x = np.arange(60.0)
    >>> noise = np.random.default_rng(0).normal(size=60)
    >>> def growth(level: Array) -> float:
    ...     before, later = GrowthCurves(x, level).ahead(np.array([60.0, 70.0]))[0]
    ...     return round(later - before)
    >>> growth(x + noise), growth(np.maximum(x - 30.0, 0.0) + noise), growth(50.0 - 50.0 * np.exp(-x / 10.0) + noise)
    (10, 10, 0)
    """

    x: Array
    y: Array
    is_log: bool = False

    def ahead(self, x: Array, *, signal: bool = False) -> Moments:
        """Mean and variance (m,) at positions after the data, of observations or of the ``signal`` without noise."""
        goes_on, times = GOES_ON_BY_PERCENT if self.is_log else 1.0, self._times(x)
        found = [fit.ahead(times, goes_on, signal=signal) for fit in self._fits]
        means, variances = map(np.array, zip(*found, strict=True))
        weights = softmax([fit.log_weight for fit in self._fits])
        mean = weights @ means
        return mean, weights @ (variances + (means - mean) ** 2)

    @cached_property
    def log_evidence(self) -> float:
        """Of all curves, by the criterion."""
        return float(logsumexp([fit.log_weight for fit in self._fits]))

    @cached_property
    def _fits(self) -> list[Fit]:
        """Those that have some weight."""
        times = self._times(self.x)
        found = list(_fits(times, self.y))
        least = max(fit.log_weight for fit in found) + log(LEAST_WEIGHT)
        return [fit for fit in found if fit.log_weight >= least]

    def _times(self, x: Array) -> Array:
        return np.asarray((x - self.x[0]) / (self.x[-1] - self.x[0]))


def _fits(times: Array, values: Array) -> Iterator[Fit]:
    """Every curve with every walk, and levels with a damped slope."""
    steps = len(times) - 1.0
    walks = [Errors(1.0, _nothing), *(Errors(noise, partial(_walk, partial(np.multiply, steps))) for noise in NOISES)]
    slopes = [Errors(noise, partial(_damped, steps, memory, walk)) for noise, memory, walk in DAMPED_ERRORS]
    never_falls = bool(np.all(np.diff(values) >= 0.0)) and values[-1] > values[0]
    curves, count = _curves(times), len(walks) + never_falls
    for errors in walks:
        for fit in _fitted(curves, errors, times, values, count):
            yield fit
            if never_falls and errors is walks[1] and (rise := _grows(fit)) > STILL * (values[-1] - values[0]):
                own = Errors(errors.noise, partial(_walk, partial(_as_it_grows, fit, rise, steps)))
                yield from _fitted([fit.curve], own, times, values, count)
    for errors in slopes:
        yield from _fitted([Curve(DAMPED)], errors, times, values, len(slopes))


def _nothing(times: Array, others: Array) -> Array:
    return np.zeros((len(times), len(others)))


def _walk(clock: Function, times: Array, others: Array) -> Array:
    """Of a Wiener process whose variance by some times the ``clock`` tells."""
    return np.asarray(1.0 + np.minimum.outer(clock(times), clock(others)))


def _damped(steps: float, memory: float, walk: float, times: Array, others: Array) -> Array:
    """Of a level that walks, and whose slope has steps of variance 1 and is forgotten after a ``memory`` of rows."""
    one, other = steps * times, steps * others
    half = partial(iou, lengthscale=memory, sd=sqrt(0.5 * memory))
    of_slope = np.add.outer(half(one), half(other)) - half(np.subtract.outer(one, other))
    return np.asarray(of_slope + walk * np.minimum.outer(one, other))


def _as_it_grows(fit: Fit, rise: float, steps: float, times: Array) -> Array:
    """The growth of a curve, with some ``rise`` in all, by some times (m,), in units of that of a usual step."""
    first, *grown = fit.curve.design(np.concatenate([[0.0], times])) @ fit.coefficients
    shares = np.maximum(np.array(grown) - first, 0.0) / rise
    return np.asarray(steps * (shares + STILL * times))


def _grows(fit: Fit) -> float:
    """By how much a curve rises from the first row to the last; nothing where it falls in between."""
    course = fit.curve.design(fit.times) @ fit.coefficients
    return float(course[-1] - course[0]) if np.all(np.diff(course) >= 0.0) else 0.0


def _fitted(curves: list[Curve], errors: Errors, times: Array, values: Array, count: int) -> Iterator[Fit]:
    """Curves with one of so many kinds of errors, but for those whose columns are not distinct."""
    n = len(times)
    root = np.asarray(cholesky(errors.covariance(times, times) + errors.noise * np.eye(n), lower=True))
    for curve in curves:
        white = solve_triangular(root, np.column_stack([values, curve.design(times)]), lower=True)
        y, design = white[:, 0], white[:, 1:]
        basis, triangle = np.linalg.qr(design)
        sizes, k = np.abs(triangle.diagonal()), design.shape[1]
        if sizes.min() <= LEAST_SHARE * sizes.max():
            continue
        coefficients = solve_triangular(triangle, basis.T @ y)
        rest = y - design @ coefficients
        squares = max(float(rest @ rest), n * LEAST_VARIANCE * float(np.var(values)), TINY)
        criterion = n * (1.0 + log(2.0 * pi * squares / n)) + 2.0 * np.log(root.diagonal()).sum() + (k + 1) * log(n)
        variance, log_weight = squares / max(n - k - 2, 1), log(curve.prior / count) - 0.5 * float(criterion)
        yield Fit(curve, errors, times, root, design, triangle, coefficients, rest, variance, log_weight)


def _curves(times: Array) -> list[Curve]:
    """All that are tried with rows at some times (n,)."""
    found = [Curve(LEVEL), Curve(LINE, (np.asarray,), is_line=True)]
    if len(times) <= 2 * NO_BEND:
        return found
    places = times[NO_BEND:-NO_BEND]
    places = places[np.linspace(0, len(places) - 1, min(len(places), MOST_BENDS)).astype(int)]
    bends, fades = (partial(_bend, place) for place in places), (partial(_fade, time) for time in TIMES)
    found += [Curve(BENT / len(places), (np.asarray, bend), is_line=True) for bend in bends]
    found += [Curve(APPROACH / len(TIMES), (fade,)) for fade in fades]
    waves = [partial(_wave, *numbers) for numbers in product(MIDDLES, STEEPNESS)]
    return found + [Curve(S_CURVE / len(waves), (wave,)) for wave in waves]


def _bend(place: float, times: Array) -> Array:
    return np.maximum(times - place, 0.0)


def _fade(time: float, times: Array) -> Array:
    return np.exp(-times / time)


def _wave(middle: float, steepness: float, times: Array) -> Array:
    return np.asarray(expit(steepness * (times - middle)))


# --- One distribution of curves and models --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pool:
    """The growth curves of a series, with the ``share`` that they have in forecasts beside those of models.

    The pool is geometric: densities to the power of their shares, multiplied.
    """

    curves: GrowthCurves
    share: float
    posterior: Posterior
    cycles: Kernel | None  # the part of its model that the curves do not have

    def pooled(self, X: Array, moments: list[Moments], *, signal: bool) -> list[Moments]:
        """Means (m,) with standard deviations (m,) or covariances (m, m) at rows (m, 1); they change after the data."""
        after = X[:, 0] > self.curves.x[-1]
        if not after.any():
            return moments
        by_curves, variance = self.curves.ahead(X[after, 0], signal=signal)
        if self.cycles is not None:
            of_cycles = self.posterior.project(self.cycles, X[after])
            by_curves, variance = by_curves + of_cycles.mean, variance + of_cycles.sd**2
        precision = self.share / np.maximum(variance, TINY)
        found = []
        for mean, spread in moments:
            before = np.maximum(spread[after] ** 2 if spread.ndim == 1 else spread.diagonal()[after], TINY)
            both = precision + (1.0 - self.share) / before
            moved, factors = mean.copy(), np.ones(len(mean))
            moved[after] += precision / both * (by_curves - mean[after])
            factors[after] = np.sqrt(1.0 / (both * before))
            found.append((moved, spread * (factors if spread.ndim == 1 else np.multiply.outer(factors, factors))))
        return found

    def given(self, X: Array, y: Array) -> Pool:
        """The same with further observations ``y`` (m,) at later rows (m, 1), in their order."""
        level = y if self.cycles is None else y - self.posterior.project(self.cycles, X).mean
        x, values = np.append(self.curves.x, X[:, 0]), np.append(self.curves.y, level)
        return replace(self, curves=replace(self.curves, x=x, y=values))


def pool(posterior: Posterior, *, is_log: bool) -> Pool | None:
    """The curves of the data of a model beside it; None where rows are too few or too many, or all is cyclic."""
    problem, terms = posterior.problem, posterior.kernel.terms
    x = problem.X[:, 0]
    cyclic, steps = [term for term in terms if term.periods], [term for term in terms if is_step(term.expr)]
    rest = [term for term in terms if term not in cyclic and term not in steps]
    if not FEWEST_ROWS <= problem.n <= MOST_ROWS or x[-1] <= x[0] or not rest:
        return None
    cycles, level, still = Kernel.sum(tuple(cyclic)) if cyclic else None, problem.y, Kernel.sum(tuple(rest))
    if cycles is not None:
        level = level - posterior.project(cycles, problem.X).mean
    if steps:  # all values as they would be at the last level
        levels = posterior.project(Kernel.sum(tuple(steps)), problem.X).mean
        level = level + levels[-1] - levels
    of_rest = condition(still, replace(problem, y=level)) if len(rest) < len(terms) else posterior
    criterion = of_rest.log_evidence - 0.5 * effective_parameters(still.expr) * log(problem.n)
    curves = GrowthCurves(x, level, is_log)
    return Pool(curves, share_by_odds(curves.log_evidence - criterion), posterior, cycles)
