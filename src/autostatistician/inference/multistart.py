"""Fit the parameters of one expression to a table from several starts, in units in which the starts can be stated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import isnan, log

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.inference.basis import Basis
from autostatistician.inference.beliefs import ParameterPrior
from autostatistician.inference.optimise import Fit, fit
from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.problem import Problem
from autostatistician.inference.scales import Scales, measure
from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Kernel, Parameter, parameters
from autostatistician.language.leaf_row import Role, Unit
from autostatistician.language.leaves import LEAVES
from autostatistician.language.units import rescaled
from autostatistician.threads import one_thread

__all__ = ["Table", "best_fit"]

Array = NDArray[np.float64]

SPREAD_OF_STARTS = 0.6  # of further starts around the first, in widths of the priors
# Lengthscales begin no shorter than so many ranges for each column that has one: in several, points are far apart.
SHORTEST_START = 0.1
ROWS_OF_STARTS, MANY_ROWS = 1000, 2000  # of more rows, some begin the fit


@dataclass(frozen=True, eq=False)
class Table:
    """Rows ``X`` (n, d) with targets ``y`` (n,); columns of ``codes`` hold categories; basis functions, if any."""

    X: Array
    y: Array
    columns: tuple[str, ...]
    codes: Collection[str] = ()
    basis: Basis | None = None


def best_fit(kernel: Kernel, table: Table, restarts: int, rng: np.random.Generator) -> Kernel:
    """The kernel with the parameters of the highest marginal likelihood, in the units of the table.

    Parameters that the kernel has are where the first start begins; without restarts they stay, and all must be there.

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
    scales = measure(inputs, _left(table) / size, table.columns)
    problem = Problem(inputs, target, table.columns, _scaled(table.basis, size))
    start = _to(kernel, table.columns, lows, ranges, size)
    starts = _starts(start, scales, rng, restarts)
    with one_thread():
        best = _best(starts, _some(problem, rng), scales)
        if problem.n > MANY_ROWS and np.isfinite(best.nll):
            best = fit(best.kernel, problem, scales)
    if not np.isfinite(best.nll):
        raise InputError.of("data that a model can be fitted to", "none that works", "scale or clean them")
    return _to(best.kernel, table.columns, -lows / ranges, 1.0 / ranges, 1.0 / size)


def _best(starts: Sequence[Kernel], problem: Problem, scales: Scales) -> Fit:
    return min((fit(one, problem, scales) for one in starts), key=lambda one: one.nll)


def _some(problem: Problem, rng: np.random.Generator) -> Problem:
    """Random rows of very many."""
    if problem.n <= MANY_ROWS:
        return problem
    return problem.rows(np.sort(rng.choice(problem.n, ROWS_OF_STARTS, replace=False)))


def _units(table: Table) -> tuple[Array, Array, float]:
    """Where the columns begin, how long they are, and the size of the target. Codes stay as they are."""
    spans = np.ptp(table.X, axis=0)
    fixed = np.array([name in table.codes for name in table.columns])
    lows, ranges = np.where(fixed, 0.0, table.X.min(axis=0)), np.where(fixed | (spans == 0.0), 1.0, spans)
    left = _left(table)
    largest = float(np.abs(left).max()) or float(np.abs(table.y).max()) or 1.0
    return lows, ranges, largest * (float(np.sqrt(np.mean((left / largest) ** 2))) or 1.0)


def _scaled(basis: Basis | None, size: float) -> Basis | None:
    """The basis for ``y / size``, its functions of size one."""
    if basis is None:
        return None
    sizes = np.sqrt(np.mean(basis.values**2, axis=0))
    sizes[sizes == 0.0] = 1.0
    return Basis(basis.values / sizes, basis.precisions * (size / sizes) ** 2)


def _left(table: Table) -> Array:
    """The target without what the basis functions of which nothing is known can explain."""
    if table.basis is None or not table.basis.vague:
        return table.y
    free = table.basis.values[:, table.basis.precisions == 0.0]
    left = table.y - free @ np.linalg.lstsq(free, table.y, rcond=None)[0]
    rounding = 1e-12 * float(np.abs(table.y).max())
    return np.asarray(np.where(np.abs(left) > rounding, left, 0.0))


def _to(kernel: Kernel, columns: tuple[str, ...], lows: Array, ranges: Array, size: float) -> Kernel:
    """The kernel in units in which a column is ``(x - low) / range`` and the target ``y / size``."""
    for name, low, span in zip(columns, lows.tolist(), ranges.tolist(), strict=True):
        names = (name, None) if len(columns) == 1 else (name,)
        kernel = rescaled(kernel, 1.0 / span, -low / span, columns=names)
    return rescaled(kernel, y_scale=1.0 / size)


def _starts(kernel: Kernel, scales: Scales, rng: np.random.Generator, count: int) -> list[Kernel]:
    """The centres of the priors first, draws around them next; the first keeps the parameters that are given."""
    free, every = FreeParameters.of(kernel.expr, scales), parameters(kernel.expr)
    priors = [_not_too_short(prior, every, scales) for prior in free.priors()]
    starts = []
    for number in range(count):
        values = list(free.usual)
        for prior in priors:
            values[prior.index] = _drawn(prior, every[prior.index], number, rng)
        if number == 0:
            values = [drawn if isnan(own) else own for own, drawn in zip(kernel.values, values, strict=True)]
        starts.append(Kernel(kernel.expr, tuple(values)))
    return starts


def _not_too_short(prior: ParameterPrior, every: Sequence[Parameter], scales: Scales) -> ParameterPrior:
    """The prior of a lengthscale about one that reaches from row to row of a table."""
    if every[prior.index].name != "lengthscale" or scales.has_order:
        return prior
    columns = {getattr(one.node, "column", None) for one in every if one.name == "lengthscale"}
    reach = SHORTEST_START * len(columns) * scales.column(getattr(every[prior.index].node, "column", None)).range
    return replace(prior, mean=max(prior.mean, log(reach)))


def _drawn(prior: ParameterPrior, parameter: Parameter, number: int, rng: np.random.Generator) -> float:
    """Loadings begin alike, not at zero, where their gradient vanishes; noise begins well below the rest.

    From noise as large as the data the first steps overshoot, into places where a short function has taken its part.
    """
    middle = prior.mean
    if parameter.role is Role.WEIGHT:
        middle += 0.15
    elif _is_noise(parameter):
        middle += log(0.3)
    step = float(rng.standard_normal()) * SPREAD_OF_STARTS * prior.width if number else 0.0
    return prior.value(min(max(middle + step, prior.low), prior.high))


def _is_noise(parameter: Parameter) -> bool:
    """Whether a parameter is a size of noise: of white noise, or of the categories that it is multiplied by."""
    node = parameter.node
    return isinstance(node, Leaf) and LEAVES[node.symbol].number(parameter.name).lowest.unit is Unit.NOISE_FLOOR
