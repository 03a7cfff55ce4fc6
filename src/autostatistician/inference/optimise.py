"""Fitting the numbers of one expression: bounded quasi-Newton steps on scale-free coordinates.

Positive parameters are optimised as logarithms; scales that a product holds more than once stay as they
are, so that the number of coordinates is the effective number of parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import exp, inf, isfinite, log
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from autostatistician.inference.balance import balanced
from autostatistician.inference.evidence import Evidence, Points
from autostatistician.inference.scales import Scales, bounds
from autostatistician.language.count import redundant_scales
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel, Parameter, parameters

__all__ = ["Fit", "Outcome", "fit", "inside"]

# Value given to the optimiser where the covariance cannot be factorised: bad, but finite.
UNUSABLE = 1e12


class Outcome(Enum):
    """How a fit ended, in a sentence."""

    CONVERGED = "The optimum was reached."
    STOPPED = "The fit was stopped after the allowed number of steps."
    FAILED = "The covariance matrix could not be factorised at the starting values."


@dataclass(frozen=True, slots=True)
class Fit:
    """One expression with fitted numbers, its negative log marginal likelihood, and what it took."""

    kernel: Kernel
    nll: float
    outcome: Outcome
    evaluations: int


@dataclass(frozen=True, slots=True)
class _Coordinates:
    """Which values are free, and whether they move on a logarithmic scale."""

    free: NDArray[np.intp]
    positive: NDArray[np.bool_]  # for the free values
    parameters: tuple[Parameter, ...]


@lru_cache(maxsize=20000)
def _coordinates(expr: Expr, only: frozenset[int] | None) -> _Coordinates:
    held = redundant_scales(expr)
    every = parameters(expr)
    moving = range(len(every)) if only is None else sorted(only)
    free = np.array([i for i in moving if i not in held], dtype=np.intp)
    return _Coordinates(free, np.array([every[i].role.positive for i in free]), every)


def inside(kernel: Kernel, scales: Scales) -> Kernel:
    """The kernel with every value moved to the nearest one that the data can show."""

    def clipped(parameter: Parameter, value: float) -> float:
        low, high = bounds(parameter, scales)
        return min(max(value, low), high)

    return kernel.mapped(clipped)


def fit(
    kernel: Kernel,
    points: Points,
    scales: Scales,
    max_steps: int = 200,
    only: frozenset[int] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Fit:
    """Fit the numbers of a kernel to data, starting from those it has.

    Parameters
    ----------
    kernel : Kernel
        The starting point; all values must be known. It is balanced and moved inside the bounds.
    points : Points
        The data, prepared once for many fits.
    scales : Scales
        The scales of the data, from which the bounds follow.
    max_steps : int
        Quasi-Newton steps (L-BFGS-B); each costs a little more than one evaluation.
    only : set of int, optional
        Indices of the values that may move; all by default.
    stop : callable, optional
        Asked after every step; when it says so, the best until then is returned.

    Returns
    -------
    Fit
        With outcome `Outcome.FAILED` and infinite ``nll`` when the start cannot be evaluated.
    """
    kernel = inside(balanced(kernel, scales), scales)
    spots = _coordinates(kernel.expr, only)
    evidence = Evidence(kernel.expr, points)
    values = list(kernel.values)
    # The best point seen, because a line search that meets unusable places may end in one of them.
    best = (inf, kernel.values)

    def objective(u: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        nonlocal best
        natural = _natural(values, spots, u)
        nll, gradient = evidence(natural)
        if not isfinite(nll):
            return UNUSABLE, np.zeros(len(u))
        if nll < best[0]:
            best = (nll, natural)
        return nll, gradient[spots.free]

    start, limits = _start(kernel, spots, scales)
    if not limits:
        nll = evidence.value(kernel.values)
        return Fit(kernel, nll, Outcome.CONVERGED if isfinite(nll) else Outcome.FAILED, 1)

    def watch(_: Any) -> None:
        if stop is not None and stop():
            raise StopIteration  # SciPy's way to end a minimisation

    found = minimize(
        objective, start, jac=True, method="L-BFGS-B", bounds=limits, callback=cast(Any, watch),
        options={"maxiter": max_steps, "maxcor": 20, "ftol": 1e-9, "gtol": 1e-5},
    )  # fmt: skip
    nll, natural = best
    if nll == inf:
        return Fit(kernel, inf, Outcome.FAILED, evidence.evaluations)
    outcome = Outcome.CONVERGED if found.status == 0 else Outcome.STOPPED
    return Fit(Kernel(kernel.expr, natural), nll, outcome, evidence.evaluations)


def _start(
    kernel: Kernel, spots: _Coordinates, scales: Scales
) -> tuple[NDArray[np.float64], list[tuple[float, float]]]:
    start, limits = [], []
    for index, positive in zip(spots.free, spots.positive, strict=True):
        low, high = bounds(spots.parameters[index], scales)
        value = kernel.values[index]
        start.append(log(value) if positive else value)
        limits.append((log(low), log(high)) if positive else (low, high))
    return np.array(start), limits


def _natural(values: list[float], spots: _Coordinates, u: NDArray[np.float64]) -> tuple[float, ...]:
    found = list(values)
    for index, positive, coordinate in zip(spots.free, spots.positive, u, strict=True):
        found[index] = exp(coordinate) if positive else float(coordinate)
    return tuple(found)
