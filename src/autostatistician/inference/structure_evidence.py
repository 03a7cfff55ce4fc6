"""The evidence of an expression, its numbers integrated out around their optimum (Laplace's method)."""

from __future__ import annotations

from math import inf, isfinite, log

import numpy as np

from autostatistician.inference.curvature import Curvature, curvature
from autostatistician.inference.problem import Problem
from autostatistician.inference.scales import Scales
from autostatistician.language.kernel import Kernel

__all__ = ["log_evidence"]

# Of the curvature of the log posterior, in units of that of the prior: a posterior is hardly wider than its prior.
LEAST_CURVATURE = 0.3
# A number is never taken to be known less well than to half its prior: where data are silent about it, that is
# because it lies on one side, as does the scale of a part that is not there. Parts without effect thus cost something.
LEAST_CHARGE = log(2.0)


def log_evidence(kernel: Kernel, nll: float, problem: Problem, scales: Scales) -> float:
    """The log evidence of the structure of a fitted kernel, its numbers integrated out.

    Around the optimum the negative log likelihood is replaced by its quadratic approximation, whose product with
    the normal prior (see `beliefs`) is integrated exactly. With eigenvalues l_i of the Hessian in coordinates of unit
    prior width, and the optimum at z_i along its eigenvectors, the result is
    ``-nll - sum(log(1 + l_i) + z_i^2 l_i / (1 + l_i)) / 2``: the usual Laplace approximation where data say much
    (l_i large). The first term is at least log 2 per number, also for numbers held at a bound.

    Parameters
    ----------
    kernel : Kernel
        A fitted kernel.
    nll : float
        Its negative log marginal likelihood.
    problem : Problem
        The data of the fit.
    scales : Scales
        The scales of these data, in the same units.

    Examples
    --------
    >>> from autostatistician.inference.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    >>> round(-log_evidence(leaf("WN", sd=1.0), 5.6758, problem, scales), 3)  # log(33) / 2 more
    7.424
    """
    if not isfinite(nll):
        return -inf
    around = curvature(kernel, problem, scales)
    if scales.priors is not None:
        return -nll - _around_the_most_probable(around)
    known, axes = around.axes()
    offset = axes.T @ around.place
    confined = float(np.maximum(0.5 * np.log1p(known), LEAST_CHARGE).sum()) + LEAST_CHARGE * around.held
    return -nll - confined - 0.5 * float(np.sum(offset**2 * known / (1.0 + known)))


def _around_the_most_probable(around: Curvature) -> float:
    """What integration over the numbers takes from the log likelihood at the most probable ones (Laplace's method)."""
    sharpness = np.maximum(np.linalg.eigvalsh(around.hessian) + 1.0, LEAST_CURVATURE)
    return 0.5 * float(np.log(sharpness).sum() + around.place @ around.place) + LEAST_CHARGE * around.held
