"""How the likelihood of a fitted model changes with its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.base import Objective
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.parameters import FreeParameters, ParameterPriors, Scales, balanced
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel

__all__ = ["DIFFERENCE_STEP", "Curvature", "at_widths", "curvature"]

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


def curvature(kernel: Kernel, problem: Problem, scales: Scales, *, one_sided: bool = False) -> Curvature:
    """Measure the surroundings of a fitted kernel by central differences: two evaluations per free parameter.

    ``one_sided`` differences take half of them, and are off by about a ten-thousandth: enough to compare models.

    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> around = curvature(leaf("WN", sd=1.0), Problem(x, y, ("x",)), measure(x, y, ("x",)))
    >>> (around.hessian / 2.0**2).round(4).tolist()  # 2 n, by the logarithm; the prior has the width 2
    [[8.0]]
    """
    kernel = balanced(kernel, scales)
    priors = FreeParameters.of(kernel.expr, scales).priors(kernel.values)
    free = ParameterPriors(prior for prior in priors if not prior.at_bound(kernel.values[prior.index]))
    place = free.coordinates(kernel.values)
    means, widths = np.array([prior.mean for prior in free]), np.array([prior.width for prior in free])
    scaled = _differences(kernel, free, place, problem, one_sided=one_sided) * np.outer(widths, widths)
    return Curvature((place - means) / widths, scaled, kernel, len(priors) - len(free), free)


def _differences(kernel: Kernel, free: ParameterPriors, place: Array, problem: Problem, *, one_sided: bool) -> Array:
    objective = objective_of(kernel.expr, problem)
    hessian, width = np.zeros((len(free), len(free))), DIFFERENCE_STEP if one_sided else 2.0 * DIFFERENCE_STEP
    here = _gradient(objective, kernel, free, place) if one_sided else None
    for index, step in enumerate(DIFFERENCE_STEP * np.eye(len(free))):
        above = _gradient(objective, kernel, free, place + step)
        below = here if one_sided else _gradient(objective, kernel, free, place - step)
        # Beside a place without a covariance nothing is known: the derivatives stay at zero.
        if above is not None and below is not None:
            hessian[index] = (above - below) / width
    return 0.5 * (hessian + hessian.T)


def _gradient(objective: Objective, kernel: Kernel, free: ParameterPriors, place: Array) -> Array | None:
    """The gradient (p,) by the coordinates."""
    value, gradient = objective.value_and_gradient(free.values(place, kernel.values))
    return free.by_coordinates(gradient, place) if isfinite(value) else None


def at_widths(kernel: Kernel, free: ParameterPriors, place: Array) -> Kernel:
    """The kernel with its free parameters so many prior widths (p,) from their centres, none beyond its bounds.

    >>> from autostatistician.inference.parameters.priors import ParameterPrior
    >>> from autostatistician.language.kernel import leaf
    >>> free = ParameterPriors([ParameterPrior(0, None, 0.0, 1.0, -9.0, 0.0)])
    >>> at_widths(leaf("WN", sd=2.0), free, np.array([3.0])).values
    (1.0,)
    """
    pairs = zip(free, place, strict=True)
    inside = [min(max(prior.mean + prior.width * float(z), prior.low), prior.high) for prior, z in pairs]
    return Kernel(kernel.expr, free.values(np.array(inside), kernel.values))
