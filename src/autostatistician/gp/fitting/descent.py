"""The lowest of what quasi-Newton steps find from several starts; and steps along estimates of a gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, OptimizeResult, minimize

from autostatistician.gp.covariance import NotPositiveDefinite

__all__ = ["lowest", "quasi_newton", "wandered"]

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
    options: Any = {"maxiter": steps, "maxcor": 20, "ftol": ftol, "gtol": gtol}
    return minimize(function, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)


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


def wandered(
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
    >>> wandered(lambda u: (float(u @ u), 2.0 * u), np.array([1.0]), limits, 100, 0.1)[-1].round(2).tolist()
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
