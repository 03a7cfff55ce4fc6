"""The surroundings of a fitted kernel: all its neighbours as one stack."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.parameters import ParameterPriors
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked.objective import StackedObjective
from autostatistician.inference.stacked.parameters import StackedPriors
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
