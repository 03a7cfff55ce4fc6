"""Fits of one expression for a stack of members: as `optimise.fit` makes them one by one, in lockstep."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.fitting.optimise import Fit, Outcome, enough_for, units_of
from autostatistician.inference.parameters import FreeParameters, Scales, admissible
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked.descent import descended
from autostatistician.inference.stacked.objective import StackedObjective
from autostatistician.inference.stacked.parameters import StackedParameters, StackedPriors
from autostatistician.language.kernel import Kernel

__all__ = ["stacked_fits"]

Array = NDArray[np.float64]
Members = NDArray[np.intp]


def stacked_fits(
    kernels: Sequence[Kernel],
    problems: Sequence[Problem],
    scales: Sequence[Scales],
    steps: Sequence[int],
    units: Sequence[Array | None],
    stop: Callable[[], bool] = lambda: False,
) -> list[Fit]:
    """Fits from kernels of one expression, each to its problem, all of one shape (see `lags.shape_of`).

    Either all scales have learned priors or none has. When ``stop`` says so, asked before every evaluation but the
    first, the best until then is returned.
    """
    kernels = [admissible(kernel, each) for kernel, each in zip(kernels, scales, strict=True)]
    objective = StackedObjective(kernels[0].expr, problems)
    target = _Target(objective, kernels, scales)
    given = zip(kernels, problems, scales, units, strict=True)
    unit = np.array([units_of(*each[:3]) if each[3] is None else each[3] for each in given])
    start, low, high = target.free.start, target.free.low, target.free.high

    def function(z: Array, members: Members) -> tuple[Array, Array]:
        u = np.clip(start[members] + z * unit[members], low[members], high[members])
        value, gradient = target.value_and_gradient(u, members)
        return value, gradient * unit[members]

    enough = enough_for(scales[0], problems[0])
    box = (low - start) / unit, (high - start) / unit
    found = descended(
        function, np.zeros_like(start), *box, np.array(steps, dtype=np.intp), enough["ftol"], enough["gtol"], stop
    )
    everyone = np.arange(len(kernels))
    values = target.free.values(np.clip(start + found.places * unit, low, high), everyone)
    losses = found.values
    nlls = losses - target.penalties(values, everyone)
    fits = []
    for member, kernel in enumerate(kernels):
        if not np.isfinite(losses[member]):
            fits.append(Fit(kernel, np.inf, Outcome.FAILED, int(found.evaluations[member])))
            continue
        outcome = Outcome.CONVERGED if found.converged[member] else Outcome.STOPPED
        fitted = Kernel(kernel.expr, tuple(values[member].tolist()))
        numbers = float(nlls[member]), outcome, int(found.evaluations[member]), float(losses[member])
        fits.append(Fit(fitted, *numbers))
    return fits


class _Target:
    """The negative log likelihoods with the penalties of learned priors, by the coordinates of fits."""

    def __init__(self, objective: StackedObjective, kernels: Sequence[Kernel], scales: Sequence[Scales]) -> None:
        self._objective = objective
        self.free = StackedParameters(kernels, scales)
        self._priors = None
        if scales[0].priors is not None and kernels[0].values:
            pairs = zip(kernels, scales, strict=True)
            priors = [FreeParameters.of(kernel.expr, each).priors(kernel.values) for kernel, each in pairs]
            self._priors = StackedPriors(priors)

    def penalties(self, values: Array, members: Members) -> Array:
        """What the priors say against values."""
        return np.zeros(len(values)) if self._priors is None else self._priors.penalties(values, members)[0]

    def value_and_gradient(self, u: Array, members: Members) -> tuple[Array, Array]:
        """Values (b,) and gradients (b, p) at coordinates."""
        values = self.free.values(u, members)
        value, gradient = self._objective.value_and_gradient(values, members)
        if self._priors is not None:
            penalties, slopes = self._priors.penalties(values, members)
            value = value + penalties
            gradient[:, self._priors.indices] += slopes
        return value, self.free.by_coordinates(gradient, values, members)
