"""The surroundings of fitted kernels of one expression, for a stack of members at once."""

from __future__ import annotations

from collections.abc import Sequence

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
    kernels: Sequence[Kernel],
    priors: Sequence[ParameterPriors],
    free: NDArray[np.bool_],
    problems: Sequence[Problem],
    step: float,
    *,
    one_sided: bool,
) -> Array:
    """Second derivatives (members, p, p) of the negative log likelihoods by the coordinates of priors, by differences.

    Each member has its kernel, its priors (of parameters of the same indices), those of them that are ``free``, and its
    problem, all of one shape (see `lags.shape_of`). Rows of parameters that are not free, or beside which there is no
    covariance, are zero.
    """
    stack, (count, p) = StackedPriors(priors), free.shape
    others, (who, which) = np.array([kernel.values for kernel in kernels]), np.nonzero(free)
    everyone, steps = np.arange(count), step * np.eye(p)[which]
    members = np.concatenate([everyone if one_sided else who, who])
    places = stack.coordinates(others, everyone)[members]
    places[-len(who) :] += steps
    if not one_sided:
        places[: len(who)] -= steps
    values, gradients = StackedObjective(kernels[0].expr, problems).value_and_gradient(
        stack.values(places, others[members], members), members
    )
    gradients = stack.by_coordinates(gradients, places, members)
    gradients[~np.isfinite(values)] = np.nan
    below, above = gradients[: -len(who)], gradients[-len(who) :]
    slopes = (above - below[who]) / step if one_sided else (above - below) / (2.0 * step)
    hessians = np.zeros((count, p, p))
    hessians[who, which] = np.where(np.isfinite(slopes), slopes, 0.0)
    return np.asarray(hessians)
