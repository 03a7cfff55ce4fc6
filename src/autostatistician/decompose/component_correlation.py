"""How the additive parts of a model vary together, given the data.

The data tell about the sum of the parts. Where two parts could take each other's place, the one is high where the
other is low: their posteriors are correlated below zero (Duvenaud 2014, section 2.4.5 and figure 2.8).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.posterior import Posterior
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import columns_of, is_noise

__all__ = [
    "component_correlation",
    "component_covariance",
    "correlations",
    "covariances",
    "parts_along_columns",
    "signal_parts",
]

Array = NDArray[np.float64]
Blocks = tuple[tuple[Array, ...], ...]  # by part and part: (inputs of the one, inputs of the other)

ROUNDING_SHARE = 1e-10  # of the prior variance: a posterior variance below it is rounding, and has no correlations
VANISHED_SHARE = 1e-6  # of the variance of the data: a part with less prior variance is not shown
MARGIN_SHARE = 0.05  # of the range, on either side of the data


def component_covariance(posterior: Posterior, X: Array | None = None) -> Array:
    """Posterior covariances between all additive parts of a model but noise, in the units of the data squared.

    With K the covariance of the data (noise included) and K_i that of part i between the data and ``X``, the entry
    of parts i and j is ``[i = j] K_i(X, X) - K_i' K^-1 K_j`` (Duvenaud 2014, section 2.4.5).

    Parameters
    ----------
    posterior : Posterior
        The model given the data.
    X : array (m, d), optional
        Inputs; those of the data by default.

    Returns
    -------
    array (k, k, m, m)
        For k parts in the order of `signal_parts`; entry (i, j, a, b) is that of part i at row a with part j at row b.

    Examples
    --------
    >>> from autostatistician.data.dataset import from_arrays
    >>> from autostatistician.gp.engines.choice import condition
    >>> from autostatistician.gp.problem import Problem
    >>> from autostatistician.kernels.text import parse_kernel
    >>> kernel = parse_kernel("C(sd=1) + SE(lengthscale=1e6, sd=1) + WN(sd=1)")
    >>> posterior = condition(kernel, Problem.of(from_arrays([0.0, 1.0], [1.0, 3.0])))
    >>> component_covariance(posterior, np.array([[5.0]]))[:, :, 0, 0].round(6).tolist()
    [[0.6, -0.4], [-0.4, 0.6]]
    >>> component_correlation(posterior, np.array([[5.0]]))[:, :, 0, 0].round(6).tolist()
    [[1.0, -0.666667], [-0.666667, 1.0]]
    """
    parts, inputs = _signal_at(posterior, X)
    return _stacked(covariances(posterior, parts, inputs), inputs)


def component_correlation(posterior: Posterior, X: Array | None = None) -> Array:
    """The same as correlations, from -1 to 1; zero where a part has no variance."""
    parts, inputs = _signal_at(posterior, X)
    return _stacked(correlations(posterior, parts, inputs), inputs)


def signal_parts(kernel: Kernel) -> tuple[Kernel, ...]:
    """The additive parts of a kernel but noise, in canonical order."""
    return tuple(part for part in components(kernel) if not is_noise(part))


def covariances(posterior: Posterior, parts: Sequence[Kernel], inputs: Sequence[Array]) -> Blocks:
    """Posterior covariances between parts of a conditioned model, each part at inputs (m_i, d) of its own."""
    every = [posterior.project(part, X) for part, X in zip(parts, inputs, strict=True)]
    return tuple(
        tuple(projection.covariance() if other is projection else projection.between(other) for other in every)
        for projection in every
    )


def correlations(posterior: Posterior, parts: Sequence[Kernel], inputs: Sequence[Array]) -> Blocks:
    """The same as correlations; zero where there is no posterior variance but rounding."""
    blocks = covariances(posterior, parts, inputs)
    scales = []
    for index, (part, X) in enumerate(zip(parts, inputs, strict=True)):
        variance, prior = blocks[index][index].diagonal(), posterior.prior_variance(part, X)
        varies = variance > ROUNDING_SHARE * prior
        scales.append(np.where(varies, 1.0 / np.sqrt(np.where(varies, variance, 1.0)), 0.0))
    return tuple(
        tuple(np.clip(scale[:, None] * block * other, -1.0, 1.0) for other, block in zip(scales, row, strict=True))
        for scale, row in zip(scales, blocks, strict=True)
    )


def parts_along_columns(
    posterior: Posterior, parts: Sequence[Kernel], points: int = 400, categories: Collection[str] = ()
) -> list[tuple[Kernel, int, Array]]:
    """The parts that can be shown along one column: with the number of the column and inputs (points, d) along it.

    The inputs go a twentieth of its range beyond the data; in a column of ``categories`` they are its codes. Left out
    are parts of several columns and of none, and those whose variance has vanished.
    """
    shown = []
    for part in parts:
        names = columns_of(part.expr)
        if len(names) > 1 or (not names and len(posterior.columns) > 1):
            continue
        column = posterior.columns.index(next(iter(names))) if names & set(posterior.columns) else 0
        low, high = posterior.X[:, column].min(), posterior.X[:, column].max()
        values = np.linspace(low - MARGIN_SHARE * (high - low), high + MARGIN_SHARE * (high - low), points)
        if posterior.columns[column] in categories:
            values = np.unique(posterior.X[:, column])
        X = np.tile(posterior.X[0], (len(values), 1))
        X[:, column] = values
        if posterior.prior_variance(part, X).max() > VANISHED_SHARE * posterior.y.var():
            shown.append((part, column, X))
    return shown


def _signal_at(posterior: Posterior, X: Array | None) -> tuple[tuple[Kernel, ...], list[Array]]:
    parts = signal_parts(posterior.kernel)
    return parts, [posterior.X if X is None else X] * len(parts)


def _stacked(blocks: Blocks, inputs: Sequence[Array]) -> Array:
    m = len(inputs[0]) if inputs else 0
    return np.array(blocks).reshape(len(blocks), len(blocks), m, m)
