"""Parameters that columns have in common: what many columns and few rows with classes can determine.

A lengthscale of its own for each of thirty columns is more than some hundred classes tell: its most probable value
follows chance, and what is predicted is too sure. Here the parameters of one kind (the lengthscales of all columns, the
slopes of all lines) move together, each from what is usual for its column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.classes.slices import Normal
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.fitting.descent import lowest
from autostatistician.gp.fitting.probable import ENOUGH, STEPS_ON_ALL, USUAL_SIZE, Numbers, prior_of
from autostatistician.gp.parameters import FreeParameters, ParameterPriors, Scales
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf, Sum
from autostatistician.kernels.kernel import Kernel, operands, parameters
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.traits import column_index

__all__ = ["SharedFit", "fit_shared"]

Array = NDArray[np.float64]

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
        column = getattr(parameter.node, "column", None)
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
        None if (each := every[prior.index]).role is Role.LOCATION else (_symbol(each.node), each.name)
        for prior in priors
    ]
    together = [[float(kind == other) for other in dict.fromkeys(kinds) if other is not None] for kind in kinds]
    sizes = [every[prior.index] for prior in priors]
    widths = [WIDTH_OF_LARGE if each.role in SIZES and each.node != Leaf("C") else 1.0 for each in sizes]
    return np.asarray(np.array(together).reshape(len(kinds), -1) * np.array(widths)[:, None])


def _symbol(node: object) -> str:
    return str(getattr(node, "symbol", ""))
