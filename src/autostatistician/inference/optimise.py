"""Fitting the numbers of one expression: bounded quasi-Newton steps on scale-free coordinates.

Positive parameters are optimised as logarithms; scales that a product holds more than once stay as they
are, so that the number of coordinates is the effective number of parameters. Every coordinate is measured in its
expected uncertainty (see `information`): a place of change or a period, which the data fix far more sharply than a
scale, would need many steps more if all had one unit.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from math import exp, inf, isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize

from autostatistician.inference.balance import balanced
from autostatistician.inference.beliefs import beliefs
from autostatistician.inference.bounds import cycles_of, limits, nearest, resolvable, shortest_shape
from autostatistician.inference.engines.base import Objective
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.information import information
from autostatistician.inference.penalised import penalised
from autostatistician.inference.problem import Problem
from autostatistician.inference.scales import Scales
from autostatistician.language.count import held_values
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel, parameters

__all__ = ["Fit", "Outcome", "fit", "inside", "units_of"]

Vector = NDArray[np.float64]

# Information that is added to that of the data, so that the unit of a coordinate is no more than 0.6.
LEAST_INFORMATION = 3.0
# What a row tells of a number, on average, beside what is believed of it.
INFORMATION_OF_A_ROW = 0.125
# Relative changes of the misfit at which steps end. Numbers with priors are integrated out in the end: a last digit
# of their optimum changes nothing.
ENOUGH, ROUGHLY_ENOUGH = {"ftol": 1e-10, "gtol": 1e-5}, {"ftol": 1e-6, "gtol": 1e-3}
MANY_ROWS = 2000  # a hundredth of a nat is little among the thousands that they tell
MOST_RENEWALS = 1  # of what an objective chose at its first numbers
# Value given to the optimiser where the covariance cannot be factorised: bad, but finite.
UNUSABLE_MISFIT = 1e12


class Outcome(Enum):
    """How a fit ended, in a sentence."""

    CONVERGED = "The optimum was reached."
    STOPPED = "The fit was stopped after the allowed number of steps."
    FAILED = "The covariance matrix could not be factorised at the starting values."


@dataclass(frozen=True, slots=True)
class Fit:
    """One expression with fitted numbers, its negative log marginal likelihood, and what it took.

    The ``loss`` is what was minimised: with priors of the numbers more than the likelihood.
    """

    kernel: Kernel
    nll: float
    outcome: Outcome
    evaluations: int
    loss: float = inf


class _Stopped(Exception):
    """Ends a minimisation between two evaluations."""


@dataclass(frozen=True, slots=True)
class _Coordinates:
    """Which values are free, and whether they move on a logarithmic scale."""

    free: tuple[int, ...]
    positive: tuple[bool, ...]  # for the free values
    cycles: tuple[tuple[int, int, str | None], ...]  # place among the free of a cycle's lengthscale, its index, column


@lru_cache(maxsize=20000)
def _coordinates(expr: Expr) -> _Coordinates:
    held = held_values(expr)
    every = parameters(expr)
    free = tuple(i for i in range(len(every)) if i not in held)
    places = {index: place for place, index in enumerate(free)}
    cycles = tuple((places[index], index, column) for index, column in cycles_of(expr))
    return _Coordinates(free, tuple(every[i].role.positive for i in free), cycles)


def inside(kernel: Kernel, scales: Scales) -> Kernel:
    """The kernel with every value moved to the nearest one that the data can show.

    Of a cycle the lengthscale has to be the longer, the shorter its period is (see `bounds.shortest_shape`).
    """
    clear = map(nearest, kernel.values, limits(kernel.expr, scales))
    return Kernel(kernel.expr, resolvable(kernel.expr, tuple(clear), scales))


def fit(
    kernel: Kernel,
    problem: Problem,
    scales: Scales,
    max_steps: int = 200,
    stop: Callable[[], bool] | None = None,
    units: Vector | None = None,
    prefer: str = "auto",
) -> Fit:
    """Fit the numbers of a kernel to data, starting from those it has.

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

    Returns
    -------
    Fit
        With outcome `Outcome.FAILED` and infinite ``nll`` when the start cannot be evaluated.
    """
    kernel = inside(balanced(kernel, scales), scales)
    likelihood = objective_of(kernel.expr, problem, prefer)
    if units is None and _coordinates(kernel.expr).free:
        units = units_of(kernel, problem, scales)
    rough = scales.priors is not None or problem.n > MANY_ROWS
    enough = ROUGHLY_ENOUGH if rough else ENOUGH
    found = _descended(kernel, likelihood, scales, max_steps, stop, units, enough)
    for _ in range(MOST_RENEWALS):
        renewed = None if found.outcome is Outcome.FAILED else likelihood.renewed(found.kernel.values)
        if renewed is None or (stop is not None and stop()):
            break
        likelihood, before = renewed, found
        found = _descended(before.kernel, likelihood, scales, max_steps, stop, units, enough)
        found = replace(found, evaluations=before.evaluations + found.evaluations)
    return found


def _descended(
    kernel: Kernel,
    likelihood: Objective,
    scales: Scales,
    max_steps: int,
    stop: Callable[[], bool] | None,
    units: Vector | None,
    enough: dict[str, float],
) -> Fit:
    """One descent from a kernel that is inside the bounds."""
    spots = _coordinates(kernel.expr)
    misfit = penalised(likelihood, kernel, scales)
    start, low, high = _start(kernel, spots, scales)
    if units is None or not len(start):
        nll = misfit.value(kernel.values)
        return Fit(kernel, nll, Outcome.CONVERGED if isfinite(nll) else Outcome.FAILED, 1, nll)
    # The best point seen, because a line search that meets unusable places may end in one of them.
    best = (inf, kernel.values)

    def objective(z: Vector) -> tuple[float, Vector]:
        nonlocal best
        if stop is not None and best[0] < inf and stop():
            raise _Stopped
        there = _natural(kernel, spots, np.clip(start + z * units, low, high), scales)
        nll, gradient = misfit.value_and_gradient(there)
        if not isfinite(nll):
            return UNUSABLE_MISFIT, np.zeros(len(z))
        if nll < best[0]:
            best = (nll, there)
        return nll, _by_coordinates(gradient, there, spots, scales) * units

    outcome = Outcome.STOPPED
    options: Any = {"maxiter": max_steps, "maxcor": 20, **enough}
    with suppress(_Stopped):
        found = minimize(
            objective, np.zeros(len(start)), jac=True, method="L-BFGS-B",
            bounds=Bounds((low - start) / units, (high - start) / units),
            options=options,
        )  # fmt: skip
        outcome = Outcome.CONVERGED if found.status == 0 else Outcome.STOPPED
    loss, values = best
    if loss == inf:
        return Fit(kernel, inf, Outcome.FAILED, misfit.evaluations)
    nll = loss if misfit is likelihood else likelihood.value(values)
    return Fit(Kernel(kernel.expr, values), nll, outcome, misfit.evaluations, loss)


def units_of(kernel: Kernel, problem: Problem, scales: Scales) -> Vector:
    """The expected uncertainty of every coordinate that may move, if the data came from the kernel.

    Starts for one expression may share them: what is sharp in one is mostly sharp in the others. Where the numbers have
    priors, these and the number of rows say about as much as the covariances.
    """
    if scales.priors is not None:
        known = {one.index: one.width * one.slope(one.mean) for one in beliefs(kernel.expr, scales, kernel.values)}
        widths = np.array([known[index] for index in _coordinates(kernel.expr).free])
        return np.asarray(1.0 / np.sqrt(widths**-2.0 + INFORMATION_OF_A_ROW * problem.n))
    kernel = inside(balanced(kernel, scales), scales)
    spots = _coordinates(kernel.expr)
    start, _, _ = _start(kernel, spots, scales)
    expected = information(kernel.expr, problem, lambda u: _natural(kernel, spots, u, scales), start)
    return np.asarray(1.0 / np.sqrt(expected + LEAST_INFORMATION))


def _start(kernel: Kernel, spots: _Coordinates, scales: Scales) -> tuple[Vector, Vector, Vector]:
    """The coordinates of a kernel, the lowest and the highest that they may have.

    The lengthscale of a cycle is counted from the shortest that its period allows.
    """
    found, known = [], limits(kernel.expr, scales)
    for index, positive in zip(spots.free, spots.positive, strict=True):
        every = (kernel.values[index], *known[index])
        found.append([log(value) for value in every] if positive else every)
    for place, index, column in spots.cycles:
        scale, (at, _, high) = scales.columns[column], found[place]
        shortest, shortest_of_all = (
            shortest_shape(period, scale)[0] for period in (kernel.values[index + 1], scale.longest_period)
        )
        found[place] = [max(at - shortest, 0.0), 0.0, high - shortest_of_all]
    rows = np.array(found).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2]


def _natural(kernel: Kernel, spots: _Coordinates, u: Vector, scales: Scales) -> tuple[float, ...]:
    found = list(kernel.values)
    for index, positive, coordinate in zip(spots.free, spots.positive, u.tolist(), strict=True):
        found[index] = exp(coordinate) if positive else coordinate
    for _, index, column in spots.cycles:
        found[index] *= exp(shortest_shape(found[index + 1], scales.columns[column])[0])
        found[index] = min(found[index], limits(kernel.expr, scales)[index][1])  # beyond it nothing changes
    return tuple(found)


def _by_coordinates(gradient: Vector, values: tuple[float, ...], spots: _Coordinates, scales: Scales) -> Vector:
    """The gradient by the coordinates from that by the logarithms (locations as they are) of all values."""
    found = gradient[list(spots.free)]
    for place, index, column in spots.cycles:
        found[place + 1] += gradient[index] * shortest_shape(values[index + 1], scales.columns[column])[1]
    return found
