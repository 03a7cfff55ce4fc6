"""How the likelihood of a fitted model changes with its parameters."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.base import Objective
from autostatistician.gp.engines.choice import condition, objective_of
from autostatistician.gp.parameters import FreeParameters, ParameterPriors, Scales, balanced
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel

__all__ = ["DIFFERENCE_STEP", "Curvature", "at_widths", "curvature", "refitted_deviance"]


Array = NDArray[np.float64]

DIFFERENCE_STEP = 1e-4  # of the differences; posterior widths of coordinates are rarely below it


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """The surroundings of an optimum, in coordinates of unit prior width (see `ParameterPrior`)."""

    place: Array  # (p,) the optimum, from the centre of the prior
    hessian: Array  # (p, p) of the negative log likelihood
    kernel: Kernel  # balanced, with the parameters of the optimum
    held: int  # parameters at a bound, which are not among the p
    free: ParameterPriors  # of the p parameters

    def axes(self) -> tuple[Array, Array]:
        """Eigenvalues (p,) of the Hessian and its eigenvectors (p, p) as columns.

        Of negative eigenvalues, which a fit has that was stopped on its way, the size is given: as a scale it still
        says how far the parameter can go.
        """
        values, vectors = np.linalg.eigh(self.hessian)
        return np.abs(values), vectors


def curvature(
    kernel: Kernel, problem: Problem, scales: Scales, held: Collection[int] = (), *, one_sided: bool = False
) -> Curvature:
    """Measure the surroundings of a fitted kernel by central differences: two evaluations per free parameter.

    Parameters at a bound are held, and those at the indices ``held``. ``one_sided`` differences take half of the
    evaluations, and are off by about a ten-thousandth: enough to compare models.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> around = curvature(leaf("WN", sd=1.0), Problem(x, y, ("x",)), measure(x, y, ("x",)))
    >>> (around.hessian / 2.0**2).round(4).tolist()  # 2 n, by the logarithm; the prior has the width 2
    [[8.0]]
    """
    kernel = balanced(kernel, scales)
    priors = FreeParameters.of(kernel.expr, scales).priors(kernel.values)
    inner = [prior.index not in held and not prior.at_bound(kernel.values[prior.index]) for prior in priors]
    which = np.array(inner, dtype=bool)
    second = _differences(kernel, priors, which, problem, one_sided=one_sided)
    free = ParameterPriors(prior for prior, is_free in zip(priors, which, strict=True) if is_free)
    means, widths = np.array([prior.mean for prior in free]), np.array([prior.width for prior in free])
    hessian = second[np.ix_(which, which)] * np.outer(widths, widths)
    place = (free.coordinates(kernel.values) - means) / widths
    return Curvature(place, 0.5 * (hessian + hessian.T), kernel, len(priors) - len(free), free)


def _differences(
    kernel: Kernel, priors: ParameterPriors, free: NDArray[np.bool_], problem: Problem, *, one_sided: bool
) -> Array:
    """By the coordinates of all priors (p, p); zero for those that are not free."""
    hessian = np.zeros((len(priors), len(priors)))
    if not free.any():
        return hessian
    objective, place = objective_of(kernel.expr, problem), priors.coordinates(kernel.values)
    here = _gradient(objective, kernel, priors, place) if one_sided else None
    for index in np.flatnonzero(free):
        step = DIFFERENCE_STEP * np.eye(len(priors))[index]
        above = _gradient(objective, kernel, priors, place + step)
        below = here if one_sided else _gradient(objective, kernel, priors, place - step)
        # Beside a place without a covariance nothing is known: the derivatives stay at zero.
        if above is not None and below is not None:
            hessian[index] = (above - below) / (DIFFERENCE_STEP if one_sided else 2.0 * DIFFERENCE_STEP)
    return hessian


def _gradient(objective: Objective, kernel: Kernel, priors: ParameterPriors, place: Array) -> Array | None:
    """The gradient (p,) by the coordinates."""
    value, gradient = objective.value_and_gradient(priors.values(place, kernel.values))
    return priors.by_coordinates(gradient, place) if isfinite(value) else None


def at_widths(kernel: Kernel, free: ParameterPriors, place: Array) -> Kernel:
    """The kernel with its free parameters so many prior widths (p,) from their centres, none beyond its bounds.

    >>> from autostatistician.gp.parameters.priors import ParameterPrior
    >>> from autostatistician.kernels.kernel import leaf
    >>> free = ParameterPriors([ParameterPrior(0, None, 0.0, 1.0, -9.0, 0.0)])
    >>> at_widths(leaf("WN", sd=2.0), free, np.array([3.0])).values
    (1.0,)
    """
    pairs = zip(free, place, strict=True)
    inside = [min(max(prior.mean + prior.width * float(z), prior.low), prior.high) for prior, z in pairs]
    return Kernel(kernel.expr, free.values(np.array(inside), kernel.values))


# --- Leave-one-out predictive density: how well each observation is predicted from all the others -------------------


def leave_one_out_deviance(kernel: Kernel, problem: Problem) -> float:
    """Minus twice the sum of the log densities of the observations, each predicted from all the others.

    The parameters of the kernel are not refitted: one factorisation gives all n predictions (Rasmussen and
    Williams 2006, equations 5.10 to 5.12). Infinite where the covariance cannot be factorised.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.kernels.kernel import leaf
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
