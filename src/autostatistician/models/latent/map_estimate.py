"""Coordinates and parameters of the highest joint density: the GP-LVM of Lawrence (2005), each column by its own rows.

Shrinking all coordinates with their lengthscales changes no covariance, and has no end, since their prior is highest at
zero. So they are compared as a sample of that prior: with mean zero and deviation one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import Columns, slopes_by_points
from autostatistician.gp.fitting import lowest
from autostatistician.kernels.covariance import DenseCovariance
from autostatistician.models.latent.mapping import LIMIT, LatentKernel, LatentParameters, Mapping, Piece

__all__ = ["JointMisfit", "Outputs", "Pattern", "maximise", "principal_coordinates"]


Array = NDArray[np.float64]

Indices = NDArray[np.intp]

ROUNDS_OF_FILLING = 20  # empty cells are filled from the principal components, these found anew, and so on

WIDTH_WITHOUT_DATA = 0.1  # of starting coordinates beyond the rank of the rows

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
        slope = 2.0 * slopes_by_points(kernel, Z, Z, by_matrix, self.parameters.columns)[0]
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
    u = climbed(misfit, u, [(-LIMIT, LIMIT)] * start.size + parameters.limits, steps)
    Z, _, rest = misfit.split(u)
    return parameters.penalty(rest) - misfit(u)[0], Z, _given(misfit, parameters.kernel(rest), Z), misfit.evaluations


def climbed(
    misfit: Callable[[Array], tuple[float, Array]], u: Array, limits: list[tuple[float, float]], steps: int
) -> Array:
    """The lowest place: first with the noise, the last coordinate, as it is."""
    held = [*limits[:-1], (float(u[-1]),) * 2]
    for between, count in ((held, int(SHARE_WITH_FIRST_NOISE * steps)), (limits, steps)):
        u = lowest(misfit, [u], between, [(count, 1)])
    return u


def _given(misfit: JointMisfit, kernel: LatentKernel, Z: Array) -> Mapping:
    K = misfit.matrix.filled(kernel.kernel.values, Z)
    pieces = []
    for pattern, Y in misfit.patterns:
        columns = Columns.of(K[np.ix_(pattern.rows, pattern.rows)], Y)
        pieces.append(Piece(Z[pattern.rows], columns.solved, columns.precision, pattern.columns))
    return Mapping(kernel, tuple(pieces))


# --- Observed rows in standard units, their empty cells, and a first guess at where they come from ------------------


@dataclass(frozen=True, eq=False)
class Pattern:
    """The columns that are observed in the same rows."""

    rows: Indices
    columns: Indices


@dataclass(frozen=True, eq=False)
class Outputs:
    """Rows ``Y`` (n, D) with mean zero and deviation one in every column; empty cells are NaN."""

    Y: Array
    centre: Array  # (D,)
    scale: Array  # (D,)

    @classmethod
    def of(cls, rows: Array) -> Self:
        """Rows in their own units (n, D), each column with a number at least.

        >>> Outputs.of(np.array([[1.0, 5.0], [3.0, np.nan]])).Y.tolist()
        [[-1.0, 0.0], [1.0, nan]]
        """
        centre, spread = np.nanmean(rows, axis=0), np.nanstd(rows, axis=0)
        scale = np.where(spread > 1e-12 * np.nanmax(np.abs(rows), axis=0), spread, 1.0)
        Y = (rows - centre) / scale
        Y[np.isnan(Y)] = np.nan  # one and the same, whatever it was
        return cls(Y, centre, scale)

    def standard(self, rows: Array) -> Array:
        """Other rows in these units."""
        return np.asarray((rows - self.centre) / self.scale)

    @property
    def log_unit(self) -> float:
        """The log density of all cells in their own units is that in standard units less this."""
        return float(np.isfinite(self.Y).sum(axis=0) @ np.log(self.scale))

    def patterns(self) -> Iterator[Pattern]:
        """The columns by the rows in which they are observed."""
        observed = np.isfinite(self.Y)
        kinds, which = np.unique(observed, axis=1, return_inverse=True)
        for number, kind in enumerate(kinds.T):
            yield Pattern(np.flatnonzero(kind), np.flatnonzero(which.reshape(-1) == number))

    def block(self, pattern: Pattern) -> Array:
        """The cells of a pattern."""
        return np.asarray(self.Y[np.ix_(pattern.rows, pattern.columns)])


def principal_coordinates(Y: Array, count: int, rng: np.random.Generator) -> Array:
    """The first principal components of standard rows (n, D) as coordinates (n, count) of deviation one.

    Empty cells are filled from these components until they hardly move. Coordinates beyond the rank are small and
    random.

    >>> rows = np.outer([-1.0, 0.0, 1.0], [1.0, 1.0])
    >>> principal_coordinates(rows, 1, np.random.default_rng(0)).round(3).ravel().tolist()
    [-1.225, 0.0, 1.225]
    """
    empty, filled = ~np.isfinite(Y), np.nan_to_num(Y)
    for _ in range(ROUNDS_OF_FILLING if empty.any() else 1):
        left, sizes, right = np.linalg.svd(filled - filled.mean(axis=0), full_matrices=False)
        common = (left[:, :count] * sizes[:count]) @ right[:count] + filled.mean(axis=0)
        filled[empty] = common[empty]
    rank = min(count, int((sizes > 1e-8 * sizes[0]).sum()) if sizes[0] > 0.0 else 0)
    signs = np.where(right[:rank].sum(axis=1) < 0.0, -1.0, 1.0)
    coordinates = WIDTH_WITHOUT_DATA * rng.standard_normal((len(Y), count))
    coordinates[:, :rank] = np.sqrt(len(Y)) * left[:, :rank] * signs
    return coordinates
