"""What the data leave open about the parameters of a fitted model: draws from their posterior.

Around the optimum the posterior is replaced by a normal distribution (Laplace's method), in coordinates where it nearly
is one; draws are then weighted by how much more or less likely they truly are (importance sampling with truncated
weights, Ionides 2008).
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.base import Objective
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.parameters import ParameterPriors, Scales, balanced, with_levels, zeros_beside_levels
from autostatistician.gp.posterior import spread_normals
from autostatistician.gp.problem import Problem
from autostatistician.gp.uncertainty.curvature import at_widths, curvature
from autostatistician.kernels.kernel import Kernel

__all__ = ["draws", "weighted_functionals"]

Array = NDArray[np.float64]


def draws(
    kernel: Kernel, problem: Problem, scales: Scales, rng: np.random.Generator, count: int
) -> list[tuple[Kernel, float]]:
    """Some ``count`` kernels of the same structure, drawn from the posterior of its parameters, with their weights.

    The optimum itself is the first; parameters at a bound stay there. Weights add up to one. A line beside a level is
    zero in the middle of the data where no prior says so: the level takes up the difference, and what is open about
    both is told by their sizes rather than by a zero that could be anywhere.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    >>> found = draws(leaf("WN", sd=1.0), problem, scales, np.random.default_rng(0), 3)
    >>> [round(one.values[0], 2) for one, _ in found]
    [1.0, 0.86, 2.39]
    """
    kernel, zeros = balanced(kernel, scales), frozenset[int]()
    if scales.priors is None:
        kernel, zeros = balanced(with_levels(kernel, scales), scales), zeros_beside_levels(kernel.expr)
    around = curvature(kernel, problem, scales, zeros) if count > 1 else None
    if around is None or not around.free:
        return [(kernel, 1.0)]
    free = around.free
    curvatures, axes = around.axes()
    objective = objective_of(kernel.expr, problem)

    def height(place: Array) -> float:
        return _height(objective, at_widths(kernel, free, place), free)

    places, sizes = weighted_functionals(around.place, axes / np.sqrt(1.0 + curvatures), height, rng, count)
    pairs = zip(places, sizes.tolist(), strict=True)
    return [(at_widths(kernel, free, place), size) for place, size in pairs if size > 0.0]


def weighted_functionals(
    optimum: Array, root: Array, height: Callable[[Array], float], rng: np.random.Generator, count: int
) -> tuple[Array, Array]:
    """Places (count, p) drawn around an optimum (p,), which is the first, and their weights (count,), summing to one.

    ``root`` (p, p) is a root of the covariance of the normal distribution that they are drawn from, ``height`` the log
    density that the weights correct for, up to a constant.

    >>> rng = np.random.default_rng(0)
    >>> places, weights = weighted_functionals(np.zeros(1), np.eye(1), lambda z: -0.5 * float(z @ z), rng, 5)
    >>> weights.round(3).tolist()  # it is that very distribution
    [0.2, 0.2, 0.2, 0.2, 0.2]
    """
    size = sqrt(count / (count - 1.0))  # the optimum among them takes nothing of the variance
    steps = size * np.vstack([np.zeros(len(optimum)), spread_normals(rng, count - 1, len(optimum))])
    places = optimum + steps @ root.T
    heights = np.array([height(place) for place in places])
    return places, _truncated(heights + 0.5 * np.sum(steps**2, axis=1))


def _height(objective: Objective, kernel: Kernel, free: ParameterPriors) -> float:
    """The log posterior density of the parameters, up to a constant."""
    value = objective.value(kernel.values)
    if not isfinite(value):
        return -np.inf
    return -value - free.penalty(kernel.values)


def _truncated(logs: Array) -> Array:
    """Importance weights, the largest cut at the mean times the root of their number; adding up to one."""
    sizes = np.exp(logs - logs.max())
    sizes = np.minimum(sizes, sizes.mean() * sqrt(len(sizes)))
    return np.asarray(sizes / sizes.sum())
