"""Limits of detection in a model: what a value below or above one says of the function, as a normal observation.

A limit is one site of expectation propagation (Minka 2001; of values that are censored Tobin 1958), with the white
noise of the kernel in the function and the error of measurement in the site. Values that were measured are
observations as they are, so any engine that takes a noise by row does the rest.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.data.measured import first_sites, normal_sites
from autostatistician.data.transform import Transform, modelled
from autostatistician.fitted.counts import PseudoTargets
from autostatistician.gp import Problem, condition, fit
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.preprocessing import first_kernel
from autostatistician.search.starting.standardisation import standard

__all__ = ["censored_targets", "first_targets"]

Array = NDArray[np.float64]

MOST_ROUNDS, DAMPING, SETTLED = 40, 0.7, 1e-4  # of sites: their share of the next, and the largest move of one
ROUNDS, STEPS = 2, 20  # of sites for a smooth curve, and steps of its fits
ROUNDING = 1e-10  # of the variance of a site
HALF = 0.5  # part of the spread that noise has at first


def first_targets(dataset: Dataset, transform: Transform) -> PseudoTargets:
    """Those of a curve that bends and wanders, or of one along each column, fitted to sites about itself."""
    scaled = modelled(dataset, transform)
    sd = float(np.std(scaled.y)) or 1.0
    kernel = first_kernel(scaled, sd) + leaf("WN", sd=HALF * sd)
    for _ in range(ROUNDS):
        maps, problem, scales = standard(scaled)
        kernel = maps.to_data(fit(maps.to_standard(kernel), problem, scales, STEPS).kernel)
        found = censored_targets(dataset, transform, kernel)
        scaled = found.data
    return found


def censored_targets(dataset: Dataset, transform: Transform, kernel: Kernel) -> PseudoTargets:
    """The data on the scale of a model with the sites of its kernel, and what is added to log densities of these.

    Raises
    ------
    NotPositiveDefinite
        When a covariance cannot be factorised even with jitter.

    Examples
    --------
    >>> from autostatistician.data.load import load
    >>> data = load({"t": [0.0, 1.0, 2.0, 3.0], "y": ["2", "<0", "1", "3"]}, time="t", target="y")
    >>> found = censored_targets(data, Transform(), leaf("WN", sd=1.0))
    >>> half = -0.5 * (14.0 + 3.0 * np.log(2.0 * np.pi)) - np.log(2.0)  # the chance of less than zero is one half
    >>> abs(float(condition(leaf("WN", sd=1.0), Problem.of(found.data)).log_evidence + found.log_ratio - half)) < 1e-4
    True
    """
    assert dataset.censored is not None
    scaled = modelled(replace(dataset, censored=None), transform)
    assert scaled.noise is not None
    beyond = dataset.censored != 0.0
    told = dataset.censored[beyond], scaled.y[beyond], scaled.noise[beyond]
    y, noise, _ = first_sites(scaled.y, dataset.censored, scaled.noise)
    for _ in range(MOST_ROUNDS):
        mean, variance = _without_own(kernel, replace(scaled, y=y, noise=noise), beyond)
        value, own, ratios = normal_sites(told[0], told[1], mean, variance, told[2])
        move = np.abs(value / own - y[beyond] / noise[beyond]) * np.sqrt(variance)
        if float(move.max()) < SETTLED:
            break
        precision = DAMPING / own + (1.0 - DAMPING) / noise[beyond]
        natural = DAMPING * value / own + (1.0 - DAMPING) * y[beyond] / noise[beyond]
        y[beyond], noise[beyond] = natural / precision, 1.0 / precision
    raw = (dataset.y + dataset.offset)[~beyond]
    return PseudoTargets(
        replace(scaled, y=y, noise=noise, censored=None), float(ratios.sum()) + transform.log_jacobian(raw)
    )


def _without_own(kernel: Kernel, seen: Dataset, rows: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Mean and variance of the function with its white noise at some rows, given all other rows."""
    assert seen.noise is not None
    mean, variance, _ = condition(kernel, Problem.of(seen)).leave_one_out()
    own = seen.noise[rows]
    return mean[rows], np.maximum(variance[rows] - own, ROUNDING * own)
