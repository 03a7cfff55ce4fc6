"""From latent coordinates to outputs: means, deviations, densities, and the way back for new rows.

The kernel of a latent space: white noise apart from the rest, and its free parameters as a vector.

Latent coordinates have a standard normal prior and outputs standard units, so starts and bounds of all are known before
the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isnan, log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance, prior_variance, slopes_by_points, variance_slopes_by_points
from autostatistician.gp.fitting import lowest
from autostatistician.gp.parameters import (
    FreeParameters,
    LearnedPriors,
    ParameterPrior,
    ParameterPriors,
    Scales,
    admissible,
    standard_scales,
)
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.traits import is_noise

__all__ = ["LatentKernel", "LatentParameters", "Mapping", "Piece", "latent_names", "log_density", "place", "relevances"]


Array = NDArray[np.float64]

LARGEST = 30.0  # of the deviation of a column
FIRST_NOISE = 0.3  # of the same: larger, and the first steps take all for noise


def latent_names(count: int) -> tuple[str, ...]:
    """The names of latent coordinates in expressions.

    >>> latent_names(2)
    ('z1', 'z2')
    """
    return tuple(f"z{number + 1}" for number in range(count))


@dataclass(frozen=True)
class LatentKernel:
    """What outputs are as functions of the coordinates, and the deviation of their white noise."""

    signal: Kernel
    noise_sd: float
    columns: tuple[str, ...]

    @property
    def kernel(self) -> Kernel:
        """Both together, the noise last."""
        return Kernel.sum((self.signal, Kernel(Leaf("WN"), (self.noise_sd,))))


class LatentParameters:
    """The free parameters of a kernel on latent coordinates, in the coordinates of their priors."""

    def __init__(self, kernel: Kernel, columns: tuple[str, ...], priors: LearnedPriors | None = None) -> None:
        self.columns, signal = columns, _signal_of(kernel)
        self.scales = standard_scales(columns, priors)
        self.whole = _begun(Kernel.sum((signal, _noise_of(kernel))), self.scales)
        every, free = parameters(self.whole.expr), FreeParameters.of(self.whole.expr, self.scales)
        usual = free.priors(self.whole.values)
        self.priors = ParameterPriors(_limited(prior, every[prior.index].role) for prior in usual)

    @property
    def start(self) -> Array:
        """Where the search begins (p,); the noise last."""
        return self.priors.coordinates(self.whole.values)

    @property
    def limits(self) -> list[tuple[float, float]]:
        """The bounds of each."""
        return [(prior.low, prior.high) for prior in self.priors]

    def kernel(self, u: Array) -> LatentKernel:
        """The kernel with the parameters at some coordinates."""
        values = self.priors.values(u, self.whole.values)
        *parts, _ = Kernel(self.whole.expr, values).parts
        return LatentKernel(Kernel.sum(tuple(parts)), values[-1], self.columns)

    def penalty(self, u: Array) -> float:
        """Minus the log density of the learned priors, up to a constant; 0 without these."""
        return 0.0 if self.scales.priors is None else self.priors.penalty(self.priors.values(u, self.whole.values))

    def penalised(self, value: float, u: Array, gradient: Array) -> tuple[float, Array]:
        """A value with that added, and its gradient by the coordinates.

        ``gradient`` is that of the value by all parameters, signal first and noise last.
        """
        if self.scales.priors is not None:
            values = self.priors.values(u, self.whole.values)
            value, gradient = self.priors.penalised(value, gradient, values)
        return value, self.priors.by_coordinates(gradient, u)


def _limited(prior: ParameterPrior, role: Role) -> ParameterPrior:
    """Sizes far beyond that of the outputs drown in rounding what there is to find."""
    return replace(prior, high=min(prior.high, log(LARGEST))) if role is Role.SD else prior


def _signal_of(kernel: Kernel) -> Kernel:
    terms = tuple(term for term in kernel.terms if not is_noise(term))
    if not terms:
        raise InputError.of("a kernel that depends on the coordinates", f"{kernel}", "add a term such as SE")
    return Kernel.sum(terms)


def _noise_of(kernel: Kernel) -> Kernel:
    """The one term of white noise.

    Raises
    ------
    InputError
        When there is none, several, or one inside of a product or a change.
    """
    noise = [term for term in kernel.terms if is_noise(term)]
    if [term.expr for term in noise] != [Leaf("WN")]:
        found = ", ".join(map(str, noise)) or f"none in {kernel}"
        raise InputError.of("white noise as one term of the kernel", found, "write the kernel as ... + WN")
    return noise[0]


def _begun(kernel: Kernel, scales: Scales) -> Kernel:
    """Open parameters filled with usual ones, all of them within their bounds."""
    *values, noise = FreeParameters.of(kernel.expr, scales).completed(kernel.values)
    if isnan(kernel.values[-1]):
        noise = FIRST_NOISE
    return admissible(Kernel(kernel.expr, (*values, noise)), scales)


Indices = NDArray[np.intp]

LIMIT = 8.0  # of coordinates with a standard normal prior
NEAR, STARTS = 20, 2  # rows of the fit that are most like a new one, and at how many of their places it is sought
REACH = 0.5  # of the first steps from there: elsewhere far from all rows may look good as well
STEPS = 200
LEAST_VARIANCE = 1e-10
DRAWS_AT_A_TIME = 500


@dataclass(frozen=True, eq=False)
class Piece:
    """Outputs with one posterior: mean ``k(z, P) W``, variance ``k(z, z) - k(z, P) R k(P, z)``."""

    points: Array  # P (m, Q)
    weights: Array  # W (m, d)
    reduction: Array  # R (m, m)
    columns: Indices  # (d,) of the outputs


@dataclass(frozen=True, eq=False)
class Mapping:
    """The outputs as functions of the coordinates, given the rows of the fit."""

    kernel: LatentKernel
    pieces: tuple[Piece, ...]

    @property
    def outputs(self) -> int:
        """How many outputs there are."""
        return sum(len(piece.columns) for piece in self.pieces)

    def moments(self, Z: Array) -> tuple[Array, Array]:
        """Mean and deviation (m, D) of new rows at coordinates (m, Q), noise included."""
        mean, sd = np.empty((len(Z), self.outputs)), np.empty((len(Z), self.outputs))
        for piece in self.pieces:
            k = covariance(self.kernel.signal, Z, piece.points, self.kernel.columns)
            mean[:, piece.columns] = k @ piece.weights
            sd[:, piece.columns] = np.sqrt(self._variance(piece, Z, k))[:, None]
        return mean, sd

    def _variance(self, piece: Piece, Z: Array, k: Array) -> Array:
        prior = prior_variance(self.kernel.signal, Z, self.kernel.columns)
        posterior = prior - np.einsum("ij,ij->i", k @ piece.reduction, k)
        return np.asarray(np.maximum(posterior, LEAST_VARIANCE) + self.kernel.noise_sd**2)

    def misfit(self, y: Array, z: Array) -> tuple[float, Array]:
        """Minus the log density of a row (D,) and its coordinates (Q,), and the slope by these; NaN cells are left out.

        The row counts as one more row beside those of the fit, which stay as they are.
        """
        Z, value, slope = z[None, :], 0.5 * float(z @ z), z.copy()
        for piece, inner in self._seen(y):
            k = covariance(self.kernel.signal, Z, piece.points, self.kernel.columns)
            weights = piece.weights[:, inner]
            error = y[piece.columns[inner]] - (k @ weights)[0]
            variance, count, square = float(self._variance(piece, Z, k)[0]), len(error), float(error @ error)
            value += 0.5 * (count * log(2.0 * pi * variance) + square / variance)
            by_variance = 0.5 * (count - square / variance) / variance
            by_k = -(weights @ error) / variance - 2.0 * by_variance * (k @ piece.reduction)[0]
            toward, _ = slopes_by_points(self.kernel.signal, Z, piece.points, by_k[None], self.kernel.columns)
            own = variance_slopes_by_points(self.kernel.signal, Z, np.array([by_variance]), self.kernel.columns)
            slope += (toward + own)[0]
        return value, slope

    def _seen(self, y: Array) -> Iterator[tuple[Piece, NDArray[np.bool_]]]:
        """The pieces with an output that is observed in a row, and which of theirs these are."""
        for piece in self.pieces:
            inner = np.isfinite(y[piece.columns])
            if inner.any():
                yield piece, inner


def place(mapping: Mapping, rows: Array, Y: Array, Z: Array) -> Array:
    """The most probable coordinates (m, Q) of new rows (m, D), each for itself.

    ``Y`` (n, D) and ``Z`` (n, Q) are the rows of the fit and their coordinates, where the search begins.
    """
    return np.array([_placed(mapping, y, Y, Z) for y in rows]).reshape(-1, Z.shape[1])


def _placed(mapping: Mapping, y: Array, Y: Array, Z: Array) -> Array:
    if not np.isfinite(y).any():
        return np.zeros(Z.shape[1])

    def misfit(z: Array) -> tuple[float, Array]:
        return mapping.misfit(y, z)

    near = sorted((Z[index] for index in _most_alike(y, Y)), key=lambda z: misfit(z)[0])
    first = [lowest(misfit, [z], [(at - REACH, at + REACH) for at in z.tolist()], [(STEPS, 1)]) for z in near[:STARTS]]
    best = min(first, key=lambda z: misfit(z)[0])
    return lowest(misfit, [best], [(-LIMIT, LIMIT)] * len(best), [(STEPS, 1)])


def _most_alike(y: Array, Y: Array) -> Indices:
    """The rows of ``Y`` (n, D) with the smallest mean squared difference from a row, over the cells that both have."""
    both = np.isfinite(Y) & np.isfinite(y)
    shared = both.sum(axis=1)
    squares = np.where(both, (Y - y) ** 2, 0.0).sum(axis=1)
    distances = np.where(shared > 0, squares / np.maximum(shared, 1), np.inf)
    return np.argsort(distances, kind="stable")[:NEAR]


def relevances(mapping: Mapping, Z: Array) -> Array:
    """The share (Q,) of each coordinate in how far outputs move when one moves by its spread: squared slopes, averaged.

    Of a coordinate that does nothing the share is zero; all of them are one.
    """
    moved = np.zeros(Z.shape[1])
    for piece in mapping.pieces:
        for weights in piece.weights.T:
            each = np.broadcast_to(weights, (len(Z), len(weights)))
            slopes, _ = slopes_by_points(mapping.kernel.signal, Z, piece.points, each, mapping.kernel.columns)
            moved += (slopes**2).sum(axis=0)
    moved *= Z.var(axis=0)
    total = float(moved.sum())
    return np.asarray(moved / total) if total > 0.0 else np.full(len(moved), 1.0 / len(moved))


def log_density(mapping: Mapping, rows: Array, Z: Array, count: int, rng: np.random.Generator) -> Array:
    """The log density (m,) of new rows (m, D), averaged over ``count`` drawn coordinates.

    Half of these are drawn from the standard normal prior, half near the coordinates ``Z`` of known rows, where the
    rows mostly come from; each counts by how much more probable it is under the prior.
    """
    n, q = Z.shape
    width = n ** (-1.0 / (q + 4.0))
    anywhere, near = rng.standard_normal((count // 2, q)), Z[rng.integers(n, size=count - count // 2)]
    drawn = np.vstack([anywhere, near + width * rng.standard_normal(near.shape)])
    parts = [
        _conditional(mapping, rows, some) + _log_weights(some, Z, width)
        for some in np.array_split(drawn, max(1, count // DRAWS_AT_A_TIME))
    ]
    return np.asarray(logsumexp(np.hstack(parts), axis=1) - log(count))


def _log_weights(drawn: Array, Z: Array, width: float) -> Array:
    """Log prior less log density of the draws (s,)."""
    q = Z.shape[1]
    prior = -0.5 * (drawn**2).sum(axis=1)
    squares = ((drawn[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    near = logsumexp(-0.5 * squares / width**2, axis=1) - log(len(Z)) - q * log(width)
    return np.asarray(prior - np.logaddexp(prior, near) + log(2.0))


def _conditional(mapping: Mapping, rows: Array, Z: Array) -> Array:
    """Log densities (m, s) of rows at coordinates; empty cells of rows are left out."""
    mean, sd = mapping.moments(Z)
    total = np.zeros((len(rows), len(Z)))
    for column in range(rows.shape[1]):
        error = (rows[:, column, None] - mean[None, :, column]) / sd[None, :, column]
        cell = -0.5 * error**2 - np.log(sd[None, :, column]) - 0.5 * log(2.0 * pi)
        total += np.where(np.isfinite(cell), cell, 0.0)
    return total
