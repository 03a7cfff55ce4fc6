"""The surroundings of a fitted kernel: all its neighbours as one stack."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.parameters import ParameterPriors
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked.objective import StackedObjective
from autostatistician.language.kernel import Kernel

__all__ = ["stacked_differences"]


Array = NDArray[np.float64]


def stacked_differences(
    kernel: Kernel,
    priors: ParameterPriors,
    free: NDArray[np.bool_],
    problem: Problem,
    step: float,
    *,
    one_sided: bool,
) -> Array:
    """Second derivatives (p, p) of the negative log likelihood by the coordinates of priors, by differences.

    Rows of parameters that are not ``free`` (p,), or beside which there is no covariance, are zero. At least one is
    free.
    """
    stack, others, which = StackedPriors(priors), np.array(kernel.values), np.flatnonzero(free)
    steps = step * np.eye(len(free))[which]
    places = stack.coordinates(others) + np.vstack([np.zeros_like(steps[:1]) if one_sided else -steps, steps])
    values, gradients = StackedObjective(kernel.expr, problem).value_and_gradient(stack.values(places, others))
    gradients = stack.by_coordinates(gradients, places)
    gradients[~np.isfinite(values)] = np.nan
    below, above = gradients[: -len(which)], gradients[-len(which) :]
    slopes = (above - below) / ((1.0 if one_sided else 2.0) * step)
    hessian = np.zeros((len(free), len(free)))
    hessian[which] = np.where(np.isfinite(slopes), slopes, 0.0)
    return hessian


# --- The coordinates of the priors of one expression, at a stack of places ------------------------------------------


class StackedPriors:
    """The coordinates of `ParameterPriors`: arrays with a row for each member.

    Examples
    --------
    >>> from autostatistician.inference.parameters import FreeParameters
    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> stack = StackedPriors(FreeParameters.of(leaf("WN", sd=1.0).expr, scales).priors())
    >>> here = stack.coordinates(np.array([2.0]))
    >>> here.round(3).tolist(), stack.values(np.array([here, here + 1.0]), np.array([2.0])).round(3).tolist()
    ([0.693], [[2.0], [5.437]])
    """

    def __init__(self, priors: ParameterPriors) -> None:
        columns = [prior.column for prior in priors]
        self._indices = [prior.index for prior in priors]
        self._is_place = np.array([column is not None for column in columns], dtype=bool)
        self._low = np.array([0.0 if column is None else column.low for column in columns])
        self._range = np.array([1.0 if column is None else column.range for column in columns])

    def coordinates(self, values: Array) -> Array:
        """The coordinates (p,) of the parameters among all values (parameters,) of one kernel."""
        chosen = values[self._indices]
        places = np.arcsinh((chosen - self._low) / self._range - 0.5)
        return np.where(self._is_place, places, np.log(np.where(self._is_place, 1.0, chosen)))

    def values(self, u: Array, others: Array) -> Array:
        """All values (b, parameters), the parameters at coordinates ``u`` (b, p), the rest as in ``others``."""
        values = np.tile(others, (len(u), 1))
        along = self._low + self._range * (0.5 + np.sinh(np.where(self._is_place, u, 0.0)))
        values[:, self._indices] = np.where(self._is_place, along, np.exp(np.where(self._is_place, 0.0, u)))
        return values

    def by_coordinates(self, gradient: Array, u: Array) -> Array:
        """The gradients (b, p) by the coordinates from those by the logarithms (locations as they are)."""
        slopes = np.where(self._is_place, self._range * np.cosh(np.where(self._is_place, u, 0.0)), 1.0)
        return np.asarray(gradient[:, self._indices] * slopes)
