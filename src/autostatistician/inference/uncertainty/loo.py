"""Leave-one-out predictive density: how well each observation is predicted from all the others."""

from __future__ import annotations

from contextlib import suppress
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.parameters import Scales
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.curvature import DIFFERENCE_STEP, Curvature, curvature
from autostatistician.language.kernel import Kernel

__all__ = ["leave_one_out_deviance", "refitted_deviance"]

Array = NDArray[np.float64]


def leave_one_out_deviance(kernel: Kernel, problem: Problem) -> float:
    """Minus twice the sum of the log densities of the observations, each predicted from all the others.

    The parameters of the kernel are not refitted: one factorisation gives all n predictions (Rasmussen and
    Williams 2006, equations 5.10 to 5.12). Infinite where the covariance cannot be factorised.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.language.kernel import leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]), ("x",))
    >>> round(leave_one_out_deviance(leaf("WN", sd=1.0), problem), 4)
    5.6758
    """
    try:
        conditioned = condition(kernel, problem)
    except NotPositiveDefinite:
        return inf
    deviance = -2.0 * float(conditioned.leave_one_out()[2].sum())
    return deviance if isfinite(deviance) else inf


def refitted_deviance(kernel: Kernel, problem: Problem, scales: Scales) -> float:
    """The leave-one-out deviance as if the parameters were fitted anew, each time without the observation.

    The log density l_i of an observation given the others is just what it adds to the log likelihood. Without it the
    optimum moves by ``-H^-1 grad l_i`` to first order, with H the Hessian of the negative log likelihood; that lowers
    l_i by ``grad l_i' H^-1 grad l_i`` (the infinitesimal jackknife; Takeuchi's penalty for parameters). The weak
    priors of the parameters are added to H, so that parameters of which the data say nothing stay where they are.
    """
    deviance = leave_one_out_deviance(kernel, problem)
    if not isfinite(deviance):
        return inf
    around = curvature(kernel, problem, scales)
    curvatures, axes = around.axes()
    moved = (_derivatives(around, problem) @ axes) ** 2 / (1.0 + curvatures)
    return deviance + 2.0 * float(moved.sum())


def _derivatives(around: Curvature, problem: Problem) -> Array:
    """Derivatives (n, p) of the log density of each observation given the others, in coordinates of unit width."""
    kernel, widths = around.kernel, np.array([prior.width for prior in around.free])
    place = around.place * widths + np.array([prior.mean for prior in around.free])
    derivatives = np.zeros((problem.n, len(place)))
    for index, step in enumerate(DIFFERENCE_STEP * np.eye(len(place))):
        with suppress(NotPositiveDefinite):  # beside a place without a covariance nothing is known
            moved = [around.free.values(u, kernel.values) for u in (place + step, place - step)]
            above, below = (condition(Kernel(kernel.expr, at), problem).leave_one_out()[2] for at in moved)
            derivatives[:, index] = (above - below) / (2.0 * DIFFERENCE_STEP)
    return np.asarray(derivatives * widths)
