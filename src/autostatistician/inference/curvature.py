"""How the likelihood of a fitted model, as a whole and observation by observation, changes with its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from autostatistician.inference.balance import balanced
from autostatistician.inference.beliefs import Belief, beliefs
from autostatistician.inference.evidence import Evidence, Points
from autostatistician.inference.scales import Scales
from autostatistician.language.kernel import Kernel

__all__ = ["Curvature", "curvature"]

Array = NDArray[np.float64]

STEP = 1e-4  # of the central differences; posterior widths of coordinates are rarely below it


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """The surroundings of an optimum, in coordinates of unit prior width (see `beliefs`)."""

    place: Array  # (p,) the optimum, from the centre of the prior
    hessian: Array  # (p, p) of the negative log likelihood
    densities: Array  # (n, p) derivatives of the log density of each observation given all others
    held: int  # numbers at a bound, which are not among the p
    free: tuple[Belief, ...] = ()  # the p numbers

    def axes(self) -> tuple[Array, Array]:
        """Eigenvalues (p,) of the Hessian and its eigenvectors (p, p) as columns.

        Of negative eigenvalues, which a fit has that was stopped on its way, the size is given: as a scale it still
        says how far the number can go.
        """
        values, vectors = np.linalg.eigh(self.hessian)
        return np.abs(values), vectors


def curvature(kernel: Kernel, points: Points, scales: Scales) -> Curvature:
    """Measure the surroundings of a fitted kernel by central differences: two evaluations per free number.

    >>> from autostatistician.inference.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> around = curvature(leaf("WN", sd=1.0), Points(x, y, ("x",)), measure(x, y, ("x",)))
    >>> (around.hessian / 2.0**2).round(4).tolist()  # 2 n, by the logarithm; the prior has the width 2
    [[8.0]]
    """
    kernel = balanced(kernel, scales)
    known = beliefs(kernel.expr, scales, kernel.values)
    free = tuple(one for one in known if not one.at_bound(kernel.values[one.index]))
    place = np.array([one.coordinate(kernel.values[one.index]) for one in free])
    means, widths = np.array([one.mean for one in free]), np.array([one.width for one in free])
    hessian, densities = _differences(kernel, free, place, points)
    scaled = hessian * np.outer(widths, widths)
    return Curvature((place - means) / widths, scaled, densities * widths, len(known) - len(free), free)


def _differences(kernel: Kernel, free: tuple[Belief, ...], place: Array, points: Points) -> tuple[Array, Array]:
    evidence = Evidence(kernel.expr, points)
    hessian, densities = np.zeros((len(free), len(free))), np.zeros((points.n, len(free)))
    for index, step in enumerate(STEP * np.eye(len(free))):
        above, below = (_derivatives(evidence, kernel, free, at) for at in (place + step, place - step))
        # Beside a place without a covariance nothing is known: the derivatives stay at zero.
        if above is not None and below is not None:
            hessian[index] = (above[0] - below[0]) / (2.0 * STEP)
            densities[:, index] = (above[1] - below[1]) / (2.0 * STEP)
    return 0.5 * (hessian + hessian.T), densities


def _derivatives(
    evidence: Evidence, kernel: Kernel, free: tuple[Belief, ...], place: Array
) -> tuple[Array, Array] | None:
    """The gradient (p,) by the coordinates, and the log density (n,) of every observation given the others."""
    values = list(kernel.values)
    for one, coordinate in zip(free, place, strict=True):
        values[one.index] = one.value(coordinate)
    value, gradient = evidence(tuple(values))
    if not isfinite(value):
        return None
    by_coordinate = [gradient[one.index] * one.slope(at) for one, at in zip(free, place, strict=True)]
    return np.array(by_coordinate), _left_out(evidence.points)


def _left_out(points: Points) -> Array:
    """Rasmussen and Williams 2006, equations 5.10 to 5.12, from the inverse that an evaluation leaves behind."""
    alpha = blas.dsymv(1.0, points.triangle.matrix.T, points.y, lower=1)
    variance = 1.0 / points.triangle.main
    return np.asarray(-0.5 * (np.log(2.0 * pi * variance) + alpha**2 * variance))
