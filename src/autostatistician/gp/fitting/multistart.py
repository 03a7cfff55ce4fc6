"""Fit the parameters of one expression to a table from several starts, in units in which the starts can be stated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.errors import InputError
from autostatistician.gp.fitting.optimise import Fit, fit
from autostatistician.gp.parameters import Scales, measure, starts
from autostatistician.gp.problem import Basis, Problem
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.units import rescaled

__all__ = ["TableData", "best_fit"]

Array = NDArray[np.float64]

ROWS_OF_STARTS, MANY_ROWS = 1000, 2000  # of more rows, some begin the fit


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
    noise = None if table.noise is None else table.noise / size**2
    scales = measure(inputs, _left(table) / size, table.columns, noise=noise)
    problem = Problem(inputs, target, table.columns, _scaled(table.basis, size), noise=noise)
    start = _to(kernel, table.columns, lows, ranges, size)
    begun = starts(start, scales, rng, restarts)
    with one_thread():
        best = _best(begun, problem.some(ROWS_OF_STARTS, rng) if problem.n > MANY_ROWS else problem, scales)
        if problem.n > MANY_ROWS and np.isfinite(best.nll):
            best = fit(best.kernel, problem, scales)
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
