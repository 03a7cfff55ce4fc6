"""Maximum a posteriori (MAP) parameters of an expression under an approximate evidence: that of classes, above all.

Evidence alone runs away where classes can be separated: ever larger functions explain them ever better. Weak priors
hold the parameters where data say little. A start is found on some of the rows, where it costs little.

Parameters that columns have in common: what many columns and few rows with classes can determine.

A lengthscale of its own for each of thirty columns is more than some hundred classes tell: its most probable value
follows chance, and what is predicted is too sure. Here the parameters of one kind (the lengthscales of all columns, the
slopes of all lines) move together, each from what is usual for its column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, isnan, log

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.classes.slice_sampling import Normal
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.fitting import lowest
from autostatistician.gp.parameters import FreeParameters, JointPrior, ParameterPriors, Scales, admissible
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel, operands, parameters
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import own_parameters
from autostatistician.kernels.traits import column_index

__all__ = ["Numbers", "SharedFit", "fit_shared", "held_numbers", "most_probable", "prior_of", "weak_numbers"]


Array = NDArray[np.float64]

USUAL_SIZE = log(2.0)  # of a latent function, by the logarithm

WIDTH_OF_SIZES = 1.0

WIDTH_OF_LENGTHS = 1.0  # of the logarithms of lengthscales about what they share

WIDTH_OF_SHARED_LENGTH = 1.0

SPREAD_OF_STARTS = 0.7  # of further starts, in widths of the priors

SOME_ROWS = 200  # on which starts are sought

CHEAP = "laplace"  # the engine with which

STEPS_ON_SOME, STEPS_ON_ALL = 40, 100

ENOUGH_ON_SOME, ENOUGH = 1e-4, 1e-5  # relative changes of the negative log posterior at which steps end


def most_probable(
    kernel: Kernel, problem: Problem, scales: Scales, restarts: int, rng: np.random.Generator, prefer: str = "auto"
) -> Kernel:
    """The kernel with its most probable parameters; those it has are where the first start begins.

    Raises
    ------
    InputError
        When no start can be evaluated.
    """
    free = FreeParameters.of(kernel.expr, scales)
    priors = free.priors()
    prior = prior_of(kernel.expr, priors, scales)
    limits = [(each.low, each.high) for each in priors]
    low, high = np.array(limits).reshape(-1, 2).T
    base = admissible(Kernel(kernel.expr, free.usual), scales)
    given = [kernel.values[each.index] for each in priors]
    pairs = zip(priors, given, prior.mean, strict=True)
    first = np.array([mean if isnan(value) else each.coordinate(value) for each, value, mean in pairs])
    starts = [first, *(prior.draw(rng, SPREAD_OF_STARTS) for _ in range(restarts - 1))]
    starts = [np.clip(start, low, high) for start in starts]

    def on(data: Problem, places: Sequence[Array], steps: int, enough: float, how: str) -> Array:
        objective = objective_of(kernel.expr, data, how)

        def function(u: Array) -> tuple[float, Array]:
            value, gradient = objective.value_and_gradient(priors.values(u, base.values))
            if not np.isfinite(value):
                raise NotPositiveDefinite("no evidence")
            penalty, slope = prior.penalty(u)
            return value + penalty, priors.by_coordinates(gradient, u) + slope

        return lowest(function, places, limits, [(steps, 1)], enough)

    if problem.n > 2 * SOME_ROWS or len(starts) > 1:
        starts = [on(problem.some(SOME_ROWS, rng), starts, STEPS_ON_SOME, ENOUGH_ON_SOME, CHEAP)]
    best = Kernel(kernel.expr, priors.values(on(problem, starts, STEPS_ON_ALL, ENOUGH, prefer), base.values))
    if not np.isfinite(objective_of(kernel.expr, problem, prefer).value(best.values)):
        raise InputError.of("data that a model can be fitted to", "none that works", "scale or clean them")
    return best


def prior_of(expr: Expr, priors: ParameterPriors, scales: Scales) -> JointPrior:
    """The weak priors of the free parameters of an expression, by coordinates; lengthscales are alike.

    Inputs are farther apart the more columns they have: where k lengthscales are multiplied, the usual one is the root
    of k times the spread of its column.
    """
    every, factors = parameters(expr), list(_multiplied(expr, 1))
    mean, width = np.array([prior.mean for prior in priors]), np.array([prior.width for prior in priors])
    alike = np.zeros(len(priors), dtype=bool)
    for place, prior in enumerate(priors):
        parameter = every[prior.index]
        column = parameter.column
        if parameter.role is Role.SD:
            mean[place], width[place] = USUAL_SIZE, WIDTH_OF_SIZES
        elif parameter.role is Role.LENGTH and parameter.name == "lengthscale":
            mean[place] = log(scales.column(column).sd) + 0.5 * log(factors[prior.index])
            width[place], alike[place] = WIDTH_OF_LENGTHS, True
    return JointPrior(mean, width, alike, WIDTH_OF_SHARED_LENGTH)


def _multiplied(expr: Expr, factors: int) -> Iterator[int]:
    """For every parameter how many lengthscales are multiplied where its leaf stands."""
    yield from [factors] * len(own_parameters(expr))
    parts = operands(expr)
    if isinstance(expr, Product):
        factors = max(sum("lengthscale" in [name for name, _ in own_parameters(part)] for part in parts), 1)
    for part in parts:
        yield from _multiplied(part, factors)


# --- The free parameters of an expression as coordinates with a normal prior between limits -------------------------


@dataclass(frozen=True, eq=False)
class Numbers:
    """Coordinates u (p,) of the parameters of an expression; their prior, their limits, and where chains begin."""

    values: Callable[[Array], tuple[float, ...]]  # of all parameters
    prior: Normal
    low: Array
    high: Array
    start: Array


def weak_numbers(fitted: Kernel, scales: Scales) -> Numbers:
    """The coordinates in which `most_probable` fits, with its weak prior, begun at its kernel.

    >>> from autostatistician.gp.parameters import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(9.0), ("x",))
    >>> numbers = weak_numbers(leaf("SE", lengthscale=3.0, sd=2.0), scales)
    >>> [round(value, 6) for value in numbers.values(numbers.start)], numbers.prior.mean.shape
    ([3.0, 2.0], (2,))
    """
    free = FreeParameters.of(fitted.expr, scales)
    priors = free.priors()
    prior = prior_of(fitted.expr, priors, scales)
    others = admissible(Kernel(fitted.expr, free.usual), scales).values
    low, high = np.array([(each.low, each.high) for each in priors]).reshape(-1, 2).T
    start = np.clip(priors.coordinates(fitted.values), low, high)
    return Numbers(lambda u: priors.values(u, others), Normal(prior.mean, prior.root), low, high, start)


def held_numbers(kernel: Kernel) -> Numbers:
    """No coordinates: all parameters are as they are.

    >>> from autostatistician.kernels.kernel import leaf
    >>> held_numbers(leaf("C", sd=2.0)).values(np.zeros(0))
    (2.0,)
    """
    nothing = np.zeros(0)
    return Numbers(lambda _: kernel.values, Normal(nothing, np.zeros((0, 0))), nothing, nothing, nothing)


# Logarithm of the size of the function with its width, about what evidence says of nine tables of 8 to 60 columns
# (bdims, ais, College, meats, leaves, sonar, ionosphere, heart; none of `benchmarks/classes.py`). A level is not
# of the kind.
USUAL_LARGE, WIDTH_OF_LARGE = log(8.0), 1.5
FARTHEST = 6.0  # prior widths
SIZES = (Role.SD, Role.SLOPE)
STEP = 1e-3  # of the differences, in prior widths
LEAST_CURVATURE = 0.3  # of the log posterior, in units of that of the prior


@dataclass(frozen=True)
class SharedFit:
    """A kernel with its most probable parameters, and the log evidence of its form, these integrated out."""

    kernel: Kernel
    log_evidence: float
    numbers: Numbers = field(compare=False)  # what was fitted, from there


def fit_shared(expr: Expr, problem: Problem, scales: Scales, prefer: str = "auto") -> SharedFit:
    """Fit an expression whose parameters of one kind are alike; the zeros of lines stay at the means of their columns.

    Raises
    ------
    NotPositiveDefinite
        When no covariance near the usual parameters can be used.
    """
    free = FreeParameters.of(expr, scales)
    priors = free.priors()
    usual, shares = _usual(priors, expr, problem, scales), _shares(expr, priors)
    low, high = np.array([(each.low, each.high) for each in priors]).reshape(-1, 2).T
    size = shares.shape[1]

    def at(t: Array) -> tuple[float, ...]:
        return priors.values(np.clip(usual + shares @ t, low, high), free.usual)

    def loss_by(how: str) -> Callable[[Array], tuple[float, Array]]:
        objective = objective_of(expr, problem, how)

        def loss(t: Array) -> tuple[float, Array]:
            value, gradient = objective.value_and_gradient(at(t))
            if not np.isfinite(value):
                raise NotPositiveDefinite("no evidence")
            slope = priors.by_coordinates(gradient, usual + shares @ t)
            return value + 0.5 * float(t @ t), shares.T @ slope + t

        return loss

    limits = [(-FARTHEST, FARTHEST)] * size
    place = np.zeros(size)
    for how in dict.fromkeys(("laplace", prefer)):  # the cheap one leads near
        loss = loss_by(how)
        place = lowest(loss, [place], limits, [(STEPS_ON_ALL, 1)], ENOUGH)
    farthest = np.full(size, FARTHEST)
    numbers = Numbers(at, Normal(np.zeros(size), np.eye(size)), -farthest, farthest, place)
    return SharedFit(Kernel(expr, at(place)), _integrated(loss, place), numbers)


def _integrated(loss: Callable[[Array], tuple[float, Array]], place: Array) -> float:
    """The log evidence by Laplace's method, in coordinates whose priors are normal with width one."""
    value, slope = loss(place)
    steps = STEP * np.eye(len(place))
    try:
        hessian = np.array([(loss(place + step)[1] - slope) / STEP for step in steps]).reshape(len(place), -1)
    except NotPositiveDefinite:
        return -inf
    sharpness = np.maximum(np.linalg.eigvalsh(0.5 * (hessian + hessian.T)), LEAST_CURVATURE)
    return -value - 0.5 * float(np.log(sharpness).sum())


def _usual(priors: ParameterPriors, expr: Expr, problem: Problem, scales: Scales) -> Array:
    """The usual coordinates (p,): of terms that add up each brings its share of the size."""
    usual, every = prior_of(expr, priors, scales).mean, parameters(expr)
    terms = sum(part != Leaf("C") for part in operands(expr)) if isinstance(expr, Sum) else 1
    for place, prior in enumerate(priors):
        parameter = every[prior.index]
        column = parameter.column
        if parameter.role is Role.LOCATION:
            usual[place] = prior.coordinate(float(problem.X[:, column_index(column, problem.columns)].mean()))
        if parameter.role in SIZES:
            usual[place] = USUAL_SIZE if parameter.node == Leaf("C") else USUAL_LARGE - 0.5 * log(terms)
        if parameter.role is Role.SLOPE:
            usual[place] -= log(scales.column(column).sd)
    return usual


def _shares(expr: Expr, priors: ParameterPriors) -> Array:
    """How far coordinates (p, k) move with each of those of the fit, whose priors have width one."""
    every = parameters(expr)
    kinds = [
        None if (each := every[prior.index]).role is Role.LOCATION else (getattr(each.node, "symbol", ""), each.name)
        for prior in priors
    ]
    together = [[float(kind == other) for other in dict.fromkeys(kinds) if other is not None] for kind in kinds]
    sizes = [every[prior.index] for prior in priors]
    widths = [WIDTH_OF_LARGE if each.role in SIZES and each.node != Leaf("C") else 1.0 for each in sizes]
    return np.asarray(np.array(together).reshape(len(kinds), -1) * np.array(widths)[:, None])
