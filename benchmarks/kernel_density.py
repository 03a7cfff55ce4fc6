"""Kernel densities whose widths, one for each column, make every row most probable from all others.

Where no rows are equal, the leave-one-out likelihood (Duin 1976) falls towards width zero, as the likelihood does not;
Newton steps in the logarithms of the widths find where it is highest.
"""

from __future__ import annotations

from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from autostatistician.threads import one_thread

__all__ = ["best_widths", "densities", "left_out", "log_densities"]

Array = NDArray[np.float64]

MOST_STEPS, MOST_HALVINGS = 100, 30
LEAST_CURVATURE = 1e-3
FARTHEST = 1.0  # of one step, in logarithms
CONVERGED = 1e-8  # of the slopes, per row
LEAST_WIDTH = 1e-6  # in deviations of a column: rows that are equal would have none
ROWS_AT_A_TIME = 500


def densities(Y: Array, at: Array) -> Array:
    """The log density (m,) at rows (m, D) of kernels about the rows ``Y`` (n, D), which no column holds constant."""
    middle, spread = Y.mean(axis=0), Y.std(axis=0)
    rows, new = (Y - middle) / spread, (at - middle) / spread
    with one_thread():
        widths = best_widths(rows)
    parts = np.split(new, range(ROWS_AT_A_TIME, len(new), ROWS_AT_A_TIME))
    return np.concatenate([log_densities(rows, widths, part) for part in parts]) - float(np.log(spread).sum())


def best_widths(Y: Array) -> Array:
    """The widths (D,) for rows (n, D) of which no column is constant.

    >>> rows = np.random.default_rng(1).normal(size=(200, 1))
    >>> best_widths(rows).round(1).tolist()
    [0.4]
    """
    spread = Y.std(axis=0)
    u = np.log(spread * len(Y) ** (-1.0 / (Y.shape[1] + 4.0)))
    least = np.log(LEAST_WIDTH * spread)
    value, slope, curvature = left_out(Y, u)
    for _ in range(MOST_STEPS):
        sizes, axes = np.linalg.eigh(curvature)
        step = axes @ ((axes.T @ slope) / np.maximum(np.abs(sizes), LEAST_CURVATURE * len(Y)))
        step *= min(1.0, FARTHEST / float(np.abs(step).max(initial=1e-300)))
        for _ in range(MOST_HALVINGS):
            there = np.maximum(u + step, least)
            reached = left_out(Y, there)
            if reached[0] >= value:
                break
            step *= 0.5
        else:
            break
        moved = float(np.abs(there - u).max())
        u, (value, slope, curvature) = there, reached
        if np.abs(slope).max() < CONVERGED * len(Y) or moved == 0.0:
            break
    return np.asarray(np.exp(u))


def left_out(Y: Array, u: Array) -> tuple[float, Array, Array]:
    """The log density of every row (n, D) from all others, summed; slope (D,) and curvature (D, D) by log widths."""
    n = len(Y)
    square = ((Y[:, None, :] - Y[None, :, :]) / np.exp(u)) ** 2
    exponents = -0.5 * square.sum(axis=2)
    np.fill_diagonal(exponents, -np.inf)
    totals = logsumexp(exponents, axis=1, keepdims=True)
    share = np.exp(exponents - totals)
    value = float(totals.sum()) - n * (float(u.sum()) + 0.5 * len(u) * log(2.0 * pi) + log(n - 1.0))
    by_row = np.einsum("ij,ijd->id", share, square)
    weighted = (share[:, :, None] * square).reshape(n * n, -1)
    curvature = weighted.T @ square.reshape(n * n, -1) - by_row.T @ by_row - np.diag(2.0 * by_row.sum(axis=0))
    return value, by_row.sum(axis=0) - n, curvature


def log_densities(Y: Array, widths: Array, at: Array) -> Array:
    """The log density (m,) at rows (m, D): normal kernels of these widths about the rows ``Y`` (n, D)."""
    square = (((at[:, None, :] - Y[None, :, :]) / widths) ** 2).sum(axis=2)
    constant = log(len(Y)) + float(np.log(widths).sum()) + 0.5 * len(widths) * log(2.0 * pi)
    return np.asarray(logsumexp(-0.5 * square, axis=1) - constant)
