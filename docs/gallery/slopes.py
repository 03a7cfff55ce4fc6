"""Slopes of compositions: products of independent Gaussian matrices, whatever the place (Duvenaud 2014, section 5.2.2).

The partial derivatives of independent draws from a process whose kernel is a product over the inputs are independent
normal numbers, of the deviation ``sd / lengthscale`` for the squared exponential kernel; those of a composition are
matrix products of them. The moments of the logarithm are corrected: the thesis gives those of the square of the slope.
"""

from __future__ import annotations

from math import log, pi

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError

__all__ = ["jacobians", "log_slope_moments", "spectra"]

Array = NDArray[np.float64]


def log_slope_moments(slope: float, layers: int = 1) -> tuple[float, float]:
    """Mean and variance of the logarithm of the size of the slope of a composition in one dimension.

    ``layers (log slope - (gamma + log 2) / 2)`` and ``layers pi^2 / 8``: a sum of so many independent terms, hence
    nearly normal. With ``slope = sqrt(pi / 2)`` the mean size of the slope is one at any depth, and yet nearly
    everywhere it becomes ever smaller.

    Parameters
    ----------
    slope : float
        The standard deviation of the slope of each layer, ``sd / lengthscale`` of the squared exponential kernel.
    layers : int
        How many functions are composed.

    Examples
    --------
    >>> mean, variance = log_slope_moments(1.0, 10)
    >>> round(mean, 4), round(variance, 4)
    (-6.3518, 12.337)
    """
    return layers * (log(slope) - 0.5 * (np.euler_gamma + log(2.0))), layers * pi**2 / 8.0


def jacobians(
    layers: int,
    width: int,
    count: int,
    rng: np.random.Generator,
    *,
    inputs: int | None = None,
    slope: float | None = None,
    connected: bool = False,
) -> Array:
    """Draws of the matrix of partial derivatives of a composition at a place, by its outputs and the inputs.

    Parameters
    ----------
    layers : int
        How many functions are composed, at least one.
    width : int
        The outputs of every layer.
    count : int
        How many draws.
    inputs : int, optional
        The inputs of the first layer; ``width`` when not given.
    slope : float, optional
        The standard deviation of the slope of each layer by each of its inputs; without it ``1 / sqrt(width)``, which
        keeps sizes as they are over depth.
    connected : bool
        Whether every layer but the first has the inputs, too: ``J = A J_below + B`` in the place of ``A J_below``.

    Returns
    -------
    array (count, width, inputs)

    Raises
    ------
    InputError
        When there is no layer.

    Examples
    --------
    >>> J = jacobians(3, 2, 5, np.random.default_rng(0))
    >>> J.shape, bool((spectra(J)[:, 0] == 1.0).all())
    ((5, 2, 2), True)
    """
    if layers < 1:
        raise InputError.of("at least one layer", str(layers), "say how many functions are composed")
    inputs = width if inputs is None else inputs
    slope = width**-0.5 if slope is None else slope
    J = slope * rng.standard_normal((count, width, inputs))
    for _ in range(layers - 1):
        J = slope * rng.standard_normal((count, width, width)) @ J
        if connected:
            J += slope * rng.standard_normal(J.shape)
    return np.asarray(J)


def spectra(J: Array) -> Array:
    """The singular values of matrices (count, m, n), each relative to the largest of its matrix, in falling order.

    Those below about 1e-15 are rounding. Where all but one are small, the function depends on one combination of its
    inputs alone. Without connection that comes with depth: the logarithms of neighbouring values drift apart by about
    ``1 / (2 width)`` a layer, so it takes about as many layers as a layer has outputs.
    """
    values = np.linalg.svd(J, compute_uv=False)
    return np.asarray(values / values[:, :1])
