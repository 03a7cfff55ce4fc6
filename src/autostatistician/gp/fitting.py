"""Fitting the parameters of one expression: bounded quasi-Newton steps on scale-free coordinates.

The number of coordinates (see `FreeParameters`) is the effective number of parameters: scales that a product holds more
than once stay as they are. Every coordinate is measured in its expected uncertainty (see `information`): a place of
change or a period, which the data fix far more sharply than a scale, would need many steps more if all had one unit.

The lowest of what quasi-Newton steps find from several starts; and steps along estimates of a gradient.

Fit the parameters of one expression to a table from several starts, in units in which the starts can be stated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from math import inf, isfinite, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, OptimizeResult, minimize

from autostatistician._io.threads import one_thread
from autostatistician.errors import InputError
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.choice import objective_of, prior_covariances
from autostatistician.gp.engines.exact import Objective
from autostatistician.gp.parameters import (
    FreeParameters,
    ParameterPriors,
    Scales,
    admissible,
    balanced,
    measure,
    starts,
)
from autostatistician.gp.problem import Basis, Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, rescaled

__all__ = ["Fit", "Outcome", "TableData", "best_fit", "fit", "lowest", "quasi_newton", "units_of", "adam"]


Array = NDArray[np.float64]

INSTEAD_OF_INFINITY = 1e25  # instead of a value where there is none
# Change of the value, as a share of it, at which a search ends, as in SciPy.
RELATIVE_TOLERANCE = 1e7 * float(np.finfo(np.float64).eps)
GRADIENT_TOLERANCE = 1e-5  # likewise, of the largest projected slope
MEMORIES = (0.9, 0.99)  # of slopes and of their squares (Kingma and Ba 2015)


def quasi_newton(
    function: Callable[[Array], tuple[float, Array]],
    start: Array,
    bounds: Bounds,
    steps: int,
    ftol: float = RELATIVE_TOLERANCE,
    gtol: float = GRADIENT_TOLERANCE,
) -> OptimizeResult:
    """Bounded quasi-Newton steps (L-BFGS-B) from one start: the one way in which parameters are fitted.

    >>> around = Bounds(np.array([-9.0]), np.array([9.0]))
    >>> quasi_newton(lambda u: (float(u @ u), 2.0 * u), np.array([1.0]), around, 20).x.round(6).tolist()
    [0.0]
    """
    # Slopes are those of the last value: SciPy asks for them next, and to compare places takes time, too.
    options, slopes = {"maxiter": steps, "maxcor": 20, "ftol": ftol, "gtol": gtol}, start
    given: Any = {"jac": lambda _: slopes, "options": options}

    def value(z: Array) -> float:
        nonlocal slopes
        height, slopes = function(z)
        return height

    return minimize(value, start, method="L-BFGS-B", bounds=bounds, **given)


def lowest(
    function: Callable[[Array], tuple[float, Array]],
    starts: Sequence[Array],
    limits: Sequence[Sequence[float]],
    race: Sequence[tuple[int, int]],
    enough: float = RELATIVE_TOLERANCE,
) -> Array:
    """Where a function is lowest, as far as bounded quasi-Newton steps (L-BFGS-B) find it.

    Parameters
    ----------
    function : callable
        Value and gradient at a place; where a covariance cannot be factorised, it raises `NotPositiveDefinite`.
    starts : sequence of array (k,)
        Where to begin.
    limits : sequence of (low, high)
        The bounds of every coordinate.
    race : sequence of (int, int)
        How many steps every place that is left is taken, and how many of the lowest then go on, round by round.
    enough : float
        Relative change of the value at which steps end.

    Examples
    --------
    >>> def valley(u):
    ...     return float((u[0] ** 2 - 1.0) ** 2 + u[0]), np.array([4.0 * u[0] * (u[0] ** 2 - 1.0) + 1.0])
    >>> lowest(valley, [np.array([1.0]), np.array([-1.0])], [(-2.0, 2.0)], [(20, 1)]).round(3).tolist()
    [-1.107]
    """

    def objective(u: Array) -> tuple[float, Array]:
        try:
            return function(u)
        except NotPositiveDefinite:
            return INSTEAD_OF_INFINITY, np.zeros_like(u)

    def improved(u: Array, steps: int) -> tuple[float, Array]:
        result = quasi_newton(objective, u, box, steps, enough)
        return float(result.fun), np.asarray(result.x)

    places = list(starts)
    if not limits:
        return places[0]
    box = Bounds(*np.array(limits, dtype=np.float64).T)
    for steps, kept in race:
        ranked = sorted((improved(u, steps) for u in places), key=lambda pair: pair[0])
        places = [u for _, u in ranked[:kept]]
    return places[0]


def adam(
    estimate: Callable[[Array], tuple[float, Array]], start: Array, limits: tuple[Array, Array], steps: int, rate: float
) -> list[Array]:
    """The places of a walk downwards along estimates of a gradient, in steps of one size for all coordinates.

    Steps are smaller and smaller in the second half (Kingma and Ba 2015, Adam: a method for stochastic optimization).

    Parameters
    ----------
    estimate : callable
        Estimates of the value and the gradient at a place. Where the value is not finite, the walk ends one step
        before.
    start : array (k,)
        The first place.
    limits : (low, high), arrays (k,)
        The bounds of every coordinate.
    steps : int
        How many there are at most.
    rate : float
        How far a step goes at most, but for a factor of some.

    Examples
    --------
    >>> limits = np.array([-9.0]), np.array([9.0])
    >>> adam(lambda u: (float(u @ u), 2.0 * u), np.array([1.0]), limits, 100, 0.1)[-1].round(2).tolist()
    [-0.0]
    """
    places = [start]
    slope, square = np.zeros_like(start), np.zeros_like(start)
    for step in range(1, steps + 1):
        value, new = estimate(places[-1])
        if not np.isfinite(value):  # a step too far: what was there before is kept
            return places[:-1] or [start]
        slope = MEMORIES[0] * slope + (1.0 - MEMORIES[0]) * new
        square = MEMORIES[1] * square + (1.0 - MEMORIES[1]) * new**2
        first, second = slope / (1.0 - MEMORIES[0] ** step), square / (1.0 - MEMORIES[1] ** step)
        size = rate * min(1.0, 2.0 * (1.0 - (step - 1) / steps))
        places.append(np.clip(places[-1] - size * first / (np.sqrt(second) + 1e-8), *limits))
    return places


DIFFERENCE_STEP = 1e-4  # of the differences

RELATIVE_JITTER = 1e-8  # of the mean variance

# Information that is added to that of the data, so that the unit of a coordinate is no more than 0.6.
LEAST_INFORMATION = 3.0

# What a row tells of a parameter, on average, beside its prior.
INFORMATION_OF_A_ROW = 0.125

# Relative changes of the negative log likelihood at which steps end. Parameters with learned priors are integrated out
# in the end: a last digit of their optimum changes nothing.
ENOUGH, ROUGHLY_ENOUGH = {"ftol": 1e-10, "gtol": 1e-5}, {"ftol": 1e-6, "gtol": 1e-3}

MANY_ROWS = 2000  # a hundredth of a nat is little among the thousands that they tell

# Value given to the optimiser where the covariance cannot be factorised: bad, but finite.
UNUSABLE_VALUE = 1e12


class Outcome(Enum):
    """How a fit ended, in a sentence."""

    CONVERGED = "The optimum was reached."
    STOPPED = "The fit was stopped after the allowed number of steps."
    FAILED = "The covariance matrix could not be factorised at the starting values."


@dataclass(frozen=True, slots=True)
class Fit:
    """One expression with fitted parameters, its negative log marginal likelihood, and what it took.

    The ``loss`` is what was minimised: with learned priors more than the likelihood.
    """

    kernel: Kernel
    nll: float
    outcome: Outcome
    evaluations: int
    loss: float = inf


class _Stopped(Exception):
    """Ends a minimisation between two evaluations."""


def fit(
    kernel: Kernel,
    problem: Problem,
    scales: Scales,
    max_steps: int = 200,
    stop: Callable[[], bool] | None = None,
    units: Array | None = None,
    prefer: str = "auto",
    calendar: bool = False,
) -> Fit:
    """Fit the parameters of a kernel to data, starting from those it has.

    They become the most likely ones or, where the scales know priors of them, the most probable ones.

    Parameters
    ----------
    kernel : Kernel
        The starting point; all values must be known, but for those that rows hold. It is balanced and moved inside the
        bounds.
    problem : Problem
        The data, prepared once for many fits.
    scales : Scales
        The scales of the data, from which the bounds follow.
    max_steps : int
        Quasi-Newton steps (L-BFGS-B); each costs a little more than one evaluation.
    stop : callable, optional
        Asked before every evaluation but the first (on many rows one takes seconds); when it says so, the best until
        then is returned.
    units : array, optional
        Of the coordinates that may move; those of the start by default (see `units_of`).
    prefer : str
        The name of the engine; the one for such data by default.
    calendar : bool
        Whether periods that the data cannot tell from one of the calendar are drawn to it where no priors are learned.

    Returns
    -------
    Fit
        With outcome `Outcome.FAILED` and infinite ``nll`` when the start cannot be evaluated.
    """
    kernel = admissible(kernel, scales)
    likelihood = objective_of(kernel.expr, problem, prefer)
    if units is None:
        units = units_of(kernel, problem, scales)
    enough = ROUGHLY_ENOUGH if scales.priors is not None or problem.n > MANY_ROWS else ENOUGH
    found = _descended(kernel, likelihood, scales, max_steps, stop, units, enough, calendar)
    renewed = None if found.outcome is Outcome.FAILED else likelihood.renewed(found.kernel.values)
    if renewed is None or (stop is not None and stop()):
        return found
    again = _descended(found.kernel, renewed, scales, max_steps, stop, units, enough, calendar)
    return replace(again, evaluations=found.evaluations + again.evaluations)


def _descended(
    kernel: Kernel,
    likelihood: Objective,
    scales: Scales,
    max_steps: int,
    stop: Callable[[], bool] | None,
    units: Array,
    enough: dict[str, float],
    calendar: bool,
) -> Fit:
    """One descent from a kernel that is inside the bounds."""
    free, target = FreeParameters.of(kernel.expr, scales), penalised(likelihood, kernel, scales, calendar)
    if not free.indices:
        nll = target.value(kernel.values)
        return Fit(kernel, nll, Outcome.CONVERGED if isfinite(nll) else Outcome.FAILED, 1, nll)
    start, low, high = free.coordinates(kernel.values), free.low, free.high
    # The best point seen, because a line search that meets unusable places may end in one of them.
    best = (inf, kernel.values)

    def objective(z: Array) -> tuple[float, Array]:
        nonlocal best
        if stop is not None and best[0] < inf and stop():
            raise _Stopped
        there = free.values(np.minimum(np.maximum(start + z * units, low), high), kernel.values)
        value, gradient = target.value_and_gradient(there)
        if not isfinite(value):
            return UNUSABLE_VALUE, np.zeros(len(z))
        if value < best[0]:
            best = (value, there)
        return value, free.by_coordinates(gradient, there) * units

    outcome = Outcome.STOPPED
    with suppress(_Stopped):
        box = Bounds((low - start) / units, (high - start) / units)
        result = quasi_newton(objective, np.zeros(len(start)), box, max_steps, **enough)
        outcome = Outcome.CONVERGED if result.status == 0 else Outcome.STOPPED
    loss, values = best
    if loss == inf:
        return Fit(kernel, inf, Outcome.FAILED, target.evaluations)
    nll = loss if target is likelihood else likelihood.value(values)
    return Fit(Kernel(kernel.expr, values), nll, outcome, target.evaluations, loss)


def units_of(kernel: Kernel, problem: Problem, scales: Scales) -> Array:
    """The expected uncertainty of every coordinate that may move, if the data came from the kernel.

    Starts for one expression may share them: what is sharp in one is mostly sharp in the others. Where parameters have
    learned priors, these and the number of rows say about as much as the covariances.
    """
    free = FreeParameters.of(kernel.expr, scales)
    if scales.priors is not None:
        widths = np.array([prior.width * prior.slope(prior.mean) for prior in free.priors(kernel.values)])
        return np.asarray(1.0 / np.sqrt(widths**-2.0 + INFORMATION_OF_A_ROW * problem.n))
    if not free.indices:
        return np.zeros(0)
    kernel = admissible(kernel, scales)
    start = free.coordinates(kernel.values)
    expected = information(kernel.expr, problem, lambda u: free.values(u, kernel.values), start)
    return np.asarray(1.0 / np.sqrt(expected + LEAST_INFORMATION))


# --- How sharply a likelihood is expected to turn along each parameter of an expression -----------------------------


def information(expr: Expr, problem: Problem, values: Callable[[Array], tuple[float, ...]], place: Array) -> Array:
    """The diagonal (p,) of Fisher's information at coordinates ``place`` (p,), as if all rows told as much as a few.

    For Gaussian data with covariance K it is ``tr((K^-1 dK)^2) / 2`` (Rasmussen and Williams 2006, section 5.4), here
    of at most `problem.FEW_ROWS` rows and by differences. It is zero where there is no covariance.

    Parameters
    ----------
    expr : Expr
        The expression.
    problem : Problem
        The data; their targets play no part.
    values : callable
        The parameters of the expression at some coordinates.
    place : array (p,)
        The coordinates.

    Examples
    --------
    >>> from autostatistician.kernels.expr import Leaf
    >>> problem = Problem(np.arange(6.0)[:, None], np.ones(6), ("x",))
    >>> information(Leaf("WN"), problem, lambda u: (float(np.exp(u[0])),), np.zeros(1)).round(2).tolist()
    [12.0]
    """
    few = problem.few
    noise = np.diag(few.likelihood.variance(few.X))  # with that of rows by themselves, `here` has it
    with np.errstate(all="ignore"):  # what is no number counts as unknown
        here, *there = prior_covariances(
            expr, few, [values(place), *(values(place + step) for step in DIFFERENCE_STEP * np.eye(len(place)))]
        )
        try:
            inverse = np.linalg.inv(here + noise + RELATIVE_JITTER * here.diagonal().mean() * np.eye(few.n))
        except np.linalg.LinAlgError:
            return np.zeros(len(place))
        relative = inverse @ ((np.stack(there) - here) / DIFFERENCE_STEP)
        diagonal = 0.5 * np.einsum("kij,kji->k", relative, relative) * (problem.n / few.n)
    return np.where(np.isfinite(diagonal), np.maximum(diagonal, 0.0), 0.0)


# --- The negative log posterior density of parameters ---------------------------------------------------------------


class Penalised:
    """An objective plus half the squared distances of the parameters from their centres, in widths of their priors."""

    def __init__(self, objective: Objective, priors: ParameterPriors) -> None:
        self._objective, self._priors = objective, priors
        self.evaluations = 0

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some parameters (natural units, preorder); infinite where there is none."""
        self.evaluations += 1
        return self._objective.value(values) + self._priors.penalty(values)

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """The same with its derivatives (p,), by the logarithm of positive parameters, by others as they are."""
        self.evaluations += 1
        return self._priors.penalised(*self._objective.value_and_gradient(values), values)

    def renewed(self, values: tuple[float, ...]) -> Penalised | None:
        """The same about the renewed objective."""
        objective = self._objective.renewed(values)
        return None if objective is None else Penalised(objective, self._priors)


def penalised(objective: Objective, kernel: Kernel, scales: Scales, calendar: bool = False) -> Objective:
    """The objective of a kernel with the priors that were learned for its parameters, if scales have any.

    Else, with ``calendar``, with those of periods that the data cannot tell from one of the calendar.

    >>> from autostatistician.gp.engines.choice import objective_of
    >>> from autostatistician.gp.problem import Problem
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> noise, scales = leaf("WN", sd=1.0), measure(x, y, ("x",))
    >>> objective = objective_of(noise.expr, Problem(x, y, ("x",)))
    >>> penalised(objective, noise, scales) is objective
    True
    """
    if scales.priors is None and not calendar:
        return objective
    free = FreeParameters.of(kernel.expr, scales)
    priors = free.of_the_calendar(kernel.values) if scales.priors is None else free.priors(kernel.values)
    return Penalised(objective, priors) if priors else objective


ROWS_OF_STARTS, MOST_ROWS_AT_ONCE = 1000, 2000  # of more rows, some begin the fit


@dataclass(frozen=True, eq=False)
class TableData:
    """Rows ``X`` (n, d) with targets ``y`` (n,); columns of ``codes`` hold categories; basis functions, if any."""

    X: Array
    y: Array
    columns: tuple[str, ...]
    codes: Collection[str] = ()
    basis: Basis | None = None
    noise: Array | None = None  # variances (n,) that rows have by themselves


def best_fit(kernel: Kernel, table: TableData, restarts: int, rng: np.random.Generator) -> Kernel:
    """The kernel with the parameters of the highest marginal likelihood, in the units of the table.

    Parameters that the kernel has are where the first start begins, whatever the bounds of others; without restarts
    they stay, and all must be there. From a kernel with all of them no fit ends below it.

    Raises
    ------
    InputError
        When there are more rows than any engine can bear, no start can be evaluated, or parameters are missing that
        should stay.
    """
    if restarts == 0:
        if any(map(isnan, kernel.values)):
            raise InputError.of("a kernel with all its numbers", "open ones", "give them, or restarts above 0")
        return kernel
    lows, ranges, size = _units(table)
    inputs, target = (table.X - lows) / ranges, table.y / size
    noise = None if table.noise is None else table.noise / size**2
    scales = measure(inputs, _left(table) / size, table.columns, noise=noise)
    problem = Problem(inputs, target, table.columns, _scaled(table.basis, size), noise=noise)
    start = _to(kernel, table.columns, lows, ranges, size)
    scales = replace(scales, given=balanced(start, scales).values)
    begun = starts(start, scales, rng, restarts)
    with one_thread():
        best = _best(begun, problem.some(ROWS_OF_STARTS, rng) if problem.n > MOST_ROWS_AT_ONCE else problem, scales)
        if problem.n > MOST_ROWS_AT_ONCE and np.isfinite(best.nll):
            whole = [] if any(map(isnan, start.values)) else [start]
            best = _best([best.kernel, *whole], problem, scales)
    if not np.isfinite(best.nll):
        raise InputError.of("data that a model can be fitted to", "none that works", "scale or clean them")
    return _to(best.kernel, table.columns, -lows / ranges, 1.0 / ranges, 1.0 / size)


def _best(starts: Sequence[Kernel], problem: Problem, scales: Scales) -> Fit:
    return min((fit(start, problem, scales) for start in starts), key=lambda start: start.nll)


def _units(table: TableData) -> tuple[Array, Array, float]:
    """Where the columns begin, how long they are, and the size of the target. Codes stay as they are."""
    spans = np.ptp(table.X, axis=0)
    fixed = np.array([name in table.codes for name in table.columns])
    lows, ranges = np.where(fixed, 0.0, table.X.min(axis=0)), np.where(fixed | (spans == 0.0), 1.0, spans)
    rest = _left(table)
    largest = float(np.abs(rest).max()) or float(np.abs(table.y).max()) or 1.0
    return lows, ranges, largest * (float(np.sqrt(np.mean((rest / largest) ** 2))) or 1.0)


def _scaled(basis: Basis | None, size: float) -> Basis | None:
    """The basis for ``y / size``, its functions of size one."""
    if basis is None:
        return None
    sizes = np.sqrt(np.mean(basis.values**2, axis=0))
    sizes[sizes == 0.0] = 1.0
    return Basis(basis.values / sizes, basis.precisions * (size / sizes) ** 2)


def _left(table: TableData) -> Array:
    """The target without what the basis functions of which nothing is known can explain."""
    if table.basis is None or not table.basis.vague:
        return table.y
    free = table.basis.values[:, table.basis.precisions == 0.0]
    rest = table.y - free @ np.linalg.lstsq(free, table.y, rcond=None)[0]
    rounding = 1e-12 * float(np.abs(table.y).max())
    return np.asarray(np.where(np.abs(rest) > rounding, rest, 0.0))


def _to(kernel: Kernel, columns: tuple[str, ...], lows: Array, ranges: Array, size: float) -> Kernel:
    """The kernel in units in which a column is ``(x - low) / range`` and the target ``y / size``."""
    for name, low, span in zip(columns, lows.tolist(), ranges.tolist(), strict=True):
        names = (name, None) if len(columns) == 1 else (name,)
        kernel = rescaled(kernel, 1.0 / span, -low / span, columns=names)
    return rescaled(kernel, y_scale=1.0 / size)
