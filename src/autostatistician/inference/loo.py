"""Leave-one-out predictive density: how well each observation is predicted from all the others."""

from __future__ import annotations

from math import inf, isfinite

from autostatistician.inference.curvature import curvature
from autostatistician.inference.evidence import Points
from autostatistician.inference.factor import NotPositiveDefinite
from autostatistician.inference.posterior import condition_arrays
from autostatistician.inference.scales import Scales
from autostatistician.language.kernel import Kernel

__all__ = ["leave_one_out_deviance", "refitted_deviance"]


def leave_one_out_deviance(kernel: Kernel, points: Points) -> float:
    """Minus twice the sum of the log densities of the observations, each predicted from all the others.

    The numbers of the kernel are not refitted: one factorisation gives all n predictions (Rasmussen and
    Williams 2006, equations 5.10 to 5.12). Infinite where the covariance cannot be factorised.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.language.kernel import leaf
    >>> points = Points(np.zeros((2, 1)), np.array([1.0, -1.0]), ("x",))
    >>> round(leave_one_out_deviance(leaf("WN", sd=1.0), points), 4)
    5.6758
    """
    columns = tuple(name for name in points.columns if name is not None)
    try:
        conditioned = condition_arrays(kernel, points.X, points.y, columns)
    except NotPositiveDefinite:
        return inf
    deviance = -2.0 * float(conditioned.leave_one_out()[2].sum())
    return deviance if isfinite(deviance) else inf


def refitted_deviance(kernel: Kernel, points: Points, scales: Scales) -> float:
    """The leave-one-out deviance as if the numbers were fitted anew, each time without the observation.

    The log density l_i of an observation given the others is just what it adds to the log likelihood. Without it the
    optimum moves by ``-H^-1 grad l_i`` to first order, with H the Hessian of the negative log likelihood; that lowers
    l_i by ``grad l_i' H^-1 grad l_i`` (the infinitesimal jackknife; Takeuchi's charge for parameters). The weak
    priors of `beliefs` are added to H, so that numbers of which the data say nothing stay where they are.
    """
    deviance = leave_one_out_deviance(kernel, points)
    if not isfinite(deviance):
        return inf
    around = curvature(kernel, points, scales)
    known, axes = around.axes()
    moved = (around.densities @ axes) ** 2 / (1.0 + known)
    return deviance + 2.0 * float(moved.sum())
