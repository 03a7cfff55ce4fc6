"""Coordinates and parameters of the highest joint density: the GP-LVM of Lawrence (2005), each column by its own rows.

Shrinking all coordinates with their lengthscales changes no covariance, and has no end, since their prior is highest at
zero. So they are compared as a sample of that prior: with mean zero and deviation one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import covariance_slope
from autostatistician.inference.covariance.columns import Columns
from autostatistician.inference.engines.dense import DenseCovariance
from autostatistician.inference.fitting import lowest
from autostatistician.language.kernel import Kernel
from autostatistician.latent.mapping import LIMIT, Mapping, Piece
from autostatistician.latent.outputs import Outputs
from autostatistician.latent.parameters import LatentKernel, LatentParameters

__all__ = ["JointMisfit", "by_places", "maximise"]

Array = NDArray[np.float64]

LOG_TWO_PI = np.log(2.0 * np.pi)
LEAST_SPREAD = 1e-6  # of coordinates that are to be standardised
SHARE_WITH_FIRST_NOISE = 0.2  # of the steps in which the noise stays: else all is taken for noise


class JointMisfit:
    """Minus the log density of outputs and coordinates, and its gradient.

    Unknown are coordinates (n, Q), of which only the standardised ones count, and the parameters.
    """

    def __init__(self, outputs: Outputs, parameters: LatentParameters) -> None:
        self.outputs, self.parameters = outputs, parameters
        self.patterns = [(pattern, outputs.block(pattern)) for pattern in outputs.patterns()]
        self.shape = len(outputs.Y), len(parameters.columns)
        self.matrix = DenseCovariance(parameters.whole.expr, parameters.columns)
        self.evaluations = 0

    def __call__(self, u: Array) -> tuple[float, Array]:
        """Value and gradient at coordinates of the rows and of the parameters, one after the other.

        Raises
        ------
        NotPositiveDefinite
            When a covariance cannot be factorised even with jitter.
        """
        self.evaluations += 1
        Z, spread, rest = self.split(u)
        kernel = self.parameters.kernel(rest).kernel
        K = self.matrix.filled(kernel.values, Z)
        value, by_matrix = 0.5 * float((Z**2 + LOG_TWO_PI).sum()), np.zeros_like(K)
        for pattern, Y in self.patterns:
            block = np.ix_(pattern.rows, pattern.rows)
            columns = Columns.of(K[block], Y)
            value -= columns.log_evidence
            by_matrix[block] -= columns.adjoint()
        by_parameters = self.matrix.gradient(kernel.values, Z, by_matrix)
        slope = by_places(kernel, Z, by_matrix, self.parameters.columns)
        slope = (slope - slope.mean(axis=0) - Z * (slope * Z).mean(axis=0)) / spread
        value, by_coordinates = self.parameters.penalised(value, rest, by_parameters)
        return value, np.concatenate([slope.ravel(), by_coordinates])

    def split(self, u: Array) -> tuple[Array, Array, Array]:
        """The standardised coordinates of the rows (n, Q), what they were divided by, and those of the parameters."""
        cells = self.shape[0] * self.shape[1]
        free = u[:cells].reshape(self.shape)
        centred = free - free.mean(axis=0)
        spread = np.maximum(centred.std(axis=0), LEAST_SPREAD)
        return centred / spread, spread, u[cells:]


def by_places(kernel: Kernel, Z: Array, weights: Array, columns: tuple[str, ...]) -> Array:
    """The derivatives (n, Q) of ``sum(weights * K)`` by the points ``Z``, for symmetric weights (n, n)."""
    slopes = (covariance_slope(kernel, Z, None, name, columns) for name in columns)
    return np.stack([2.0 * np.einsum("ij,ij->i", weights, slope) for slope in slopes], axis=1)


def maximise(
    outputs: Outputs, parameters: LatentParameters, start: Array, steps: int
) -> tuple[float, Array, Mapping, int]:
    """The joint log density, the coordinates (n, Q) where it is highest, the outputs given them, and evaluations.

    Raises
    ------
    NotPositiveDefinite
        When the covariance at the optimum cannot be factorised.
    """
    misfit, u = JointMisfit(outputs, parameters), np.concatenate([start.ravel(), parameters.start])
    held = [*parameters.limits[:-1], (parameters.start[-1],) * 2]
    for limits, count in ((held, int(SHARE_WITH_FIRST_NOISE * steps)), (parameters.limits, steps)):
        u = lowest(misfit, [u], [(-LIMIT, LIMIT)] * start.size + limits, [(count, 1)])
    Z, _, rest = misfit.split(u)
    return parameters.penalty(rest) - misfit(u)[0], Z, _given(misfit, parameters.kernel(rest), Z), misfit.evaluations


def _given(misfit: JointMisfit, kernel: LatentKernel, Z: Array) -> Mapping:
    K = misfit.matrix.filled(kernel.kernel.values, Z)
    pieces = []
    for pattern, Y in misfit.patterns:
        columns = Columns.of(K[np.ix_(pattern.rows, pattern.rows)], Y)
        pieces.append(Piece(Z[pattern.rows], columns.solved, columns.precision, pattern.columns))
    return Mapping(kernel, tuple(pieces))
