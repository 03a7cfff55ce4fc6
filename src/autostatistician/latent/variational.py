"""Distributions of coordinates by a lower bound of the evidence: the Bayesian GP-LVM of Titsias and Lawrence (2010).

The bound integrates the coordinates out, so dimensions that are not needed switch themselves off: their lengthscale
grows, and their coordinates return to the prior. Each column of the outputs counts by the rows in which it is observed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import triangles
from autostatistician.inference.engines.dense import DenseCovariance
from autostatistician.inference.fitting import lowest
from autostatistician.latent.mapping import LIMIT, Mapping, Piece
from autostatistician.latent.maximised import SHARE_WITH_FIRST_NOISE, by_places
from autostatistician.latent.outputs import Outputs, Pattern
from autostatistician.latent.parameters import LatentKernel, LatentParameters
from autostatistician.latent.psi import Cloud, PsiStatistics, psi_method_of

__all__ = ["BoundMisfit", "approximate"]

Array = NDArray[np.float64]

FIRST_VARIANCE = 0.25  # of the coordinates, whose prior has one
LOG_VARIANCES = (-18.0, 3.0)
NUGGET = 1e-6  # of the mean variance of the inducing points, added to each


@dataclass(frozen=True, eq=False)
class _Means:
    """The means of the kernel, and the inverse (m, m) of the triangle of its matrix at the inducing points."""

    averages: PsiStatistics
    half: Array


@dataclass(frozen=True, eq=False)
class _Share:
    """What one pattern of outputs adds to the bound, with derivatives by all that it is made of."""

    value: float
    by_own: float
    by_cross: Array
    by_square: Array
    by_points: Array
    by_noise: float  # by its logarithm


class BoundMisfit:
    """Minus the lower bound, and its gradient.

    Unknown are means and log variances of the coordinates (n, Q each), inducing points (m, Q), and the parameters.
    """

    def __init__(self, outputs: Outputs, parameters: LatentParameters, inducing: int) -> None:
        self.outputs, self.parameters = outputs, parameters
        self.patterns = [(pattern, outputs.block(pattern)) for pattern in outputs.patterns()]
        self.n, self.m, self.q = len(outputs.Y), inducing, len(parameters.columns)
        signal = parameters.kernel(parameters.start).signal
        self.matrix = DenseCovariance(signal.expr, parameters.columns)
        self.psi = psi_method_of(signal, parameters.columns)
        self.evaluations = 0

    def split(self, u: Array) -> tuple[Cloud, Array, Array]:
        """The coordinates of the rows, the inducing points, and the coordinates of the parameters."""
        ends = np.cumsum([self.n * self.q, self.n * self.q, self.m * self.q])
        mean, spread, points, rest = np.split(u, ends)
        shape = self.n, self.q
        return Cloud(mean.reshape(shape), np.exp(spread).reshape(shape)), points.reshape(-1, self.q), rest

    def __call__(self, u: Array) -> tuple[float, Array]:
        """Value and gradient.

        Raises
        ------
        NotPositiveDefinite
            When a matrix of the inducing points cannot be factorised even with jitter.
        """
        self.evaluations += 1
        cloud, points, rest = self.split(u)
        kernel = self.parameters.kernel(rest)
        means = self.means(kernel, cloud, points)
        value = 0.5 * float((cloud.mean**2 + cloud.variance - np.log(cloud.variance) - 1.0).sum())
        weights = PsiStatistics(*(np.zeros_like(a) for a in _each(means.averages)))
        by_K, by_noise = np.zeros((self.m, self.m)), 0.0
        for pattern, Y in self.patterns:
            share = _share(means, pattern, Y, kernel.noise_sd**-2.0)
            value -= share.value
            weights.own[pattern.rows] -= share.by_own
            weights.cross[pattern.rows] -= share.by_cross
            weights.square[pattern.rows] -= share.by_square
            by_K, by_noise = by_K - share.by_points, by_noise - share.by_noise
        slopes = self.psi.slopes(kernel.signal, cloud, points, weights)
        by_K += NUGGET * float(by_K.trace()) / self.m * np.eye(self.m)
        by_parameters = slopes.parameters + self.matrix.gradient(kernel.signal.values, points, by_K)
        places = slopes.points + by_places(kernel.signal, points, by_K, self.parameters.columns)
        by_spread = slopes.variance * cloud.variance + 0.5 * (cloud.variance - 1.0)
        value, last = self.parameters.penalised(value, rest, np.append(by_parameters, by_noise))
        return value, np.concatenate([(slopes.mean + cloud.mean).ravel(), by_spread.ravel(), places.ravel(), last])

    def means(self, kernel: LatentKernel, cloud: Cloud, points: Array) -> _Means:
        """The means of the kernel over the coordinates, and its matrix at the inducing points."""
        K = self.matrix.filled(kernel.signal.values, points)
        _, half = triangles(K + NUGGET * float(K.diagonal().mean()) * np.eye(self.m))
        return _Means(self.psi.averages(kernel.signal, cloud, points), half)

    def start(self, Z: Array, rng: np.random.Generator) -> Array:
        """The unknowns where coordinates are known to lie about ``Z`` (n, Q)."""
        chosen = np.sort(rng.permutation(self.n)[: self.m])
        spread = np.full(Z.size, log(FIRST_VARIANCE))
        return np.concatenate([Z.ravel(), spread, Z[chosen].ravel(), self.parameters.start])

    @property
    def limits(self) -> list[tuple[float, float]]:
        """The bounds of the unknowns."""
        cells = self.n * self.q
        places, spreads = (-LIMIT, LIMIT), LOG_VARIANCES
        return [places] * cells + [spreads] * cells + [places] * (self.m * self.q) + self.parameters.limits


def _each(averages: PsiStatistics) -> tuple[Array, Array, Array]:
    return averages.own, averages.cross, averages.square


@dataclass(frozen=True, eq=False)
class _Whitened:
    """One pattern in units in which the inducing values are independent: ``K = L L'`` with ``L^-1`` in `_Means`."""

    square: Array  # W = L^-1 Psi2 L^-T (m, m)
    inverse: Array  # (I + b W)^-1
    size: float  # log determinant of I + b W
    seen: Array  # L^-1 Psi1' Y (m, d)
    solved: Array  # (I + b W)^-1 L^-1 Psi1' Y (m, d)


def _whitened(means: _Means, pattern: Pattern, Y: Array, precision: float) -> _Whitened:
    square = means.half @ means.averages.square[pattern.rows].sum(axis=0) @ means.half.T
    lower, root = triangles(np.eye(len(square)) + precision * square)
    seen = means.half @ (means.averages.cross[pattern.rows].T @ Y)
    inverse = root.T @ root
    return _Whitened(square, inverse, 2.0 * float(np.log(lower.diagonal()).sum()), seen, inverse @ seen)


def _share(means: _Means, pattern: Pattern, Y: Array, precision: float) -> _Share:
    """The terms of Titsias and Lawrence (2010), eq. 14, in the units of `_Whitened`."""
    white = _whitened(means, pattern, Y, precision)
    count, nothing = Y.shape[1], np.eye(len(white.square))
    unexplained = float(means.averages.own[pattern.rows].sum() - white.square.trace())
    fit, size = float((white.seen * white.solved).sum()), float((Y**2).sum())
    value = 0.5 * Y.size * log(0.5 * precision / pi) - 0.5 * count * white.size
    value += 0.5 * precision * (precision * fit - size - count * unexplained)
    by_A = -0.5 * (count * white.inverse + precision**2 * white.solved @ white.solved.T)
    by_precision = 0.5 * (Y.size / precision - size - count * unexplained) + precision * fit
    by_precision += float((by_A * white.square).sum())
    plain = by_A + 0.5 * count * nothing
    return _Share(
        value=value,
        by_own=-0.5 * precision * count,
        by_cross=precision**2 * Y @ (means.half.T @ white.solved).T,
        by_square=precision * means.half.T @ plain @ means.half,
        by_points=means.half.T @ (plain - 0.5 * count * precision * white.square) @ means.half,
        by_noise=-2.0 * precision * by_precision,
    )


def approximate(
    outputs: Outputs, parameters: LatentParameters, start: Array, inducing: int, steps: int, rng: np.random.Generator
) -> tuple[float, Cloud, Mapping, int]:
    """The lower bound of the log marginal likelihood (ELBO), the coordinates, the outputs given them, and evaluations.

    Raises
    ------
    NotPositiveDefinite
        When the matrices of the inducing points at the optimum cannot be factorised.
    """
    misfit = BoundMisfit(outputs, parameters, inducing)
    u = misfit.start(start, rng)
    held = [*misfit.limits[:-1], (float(u[-1]),) * 2]
    for limits, count in ((held, int(SHARE_WITH_FIRST_NOISE * steps)), (misfit.limits, steps)):
        u = lowest(misfit, [u], limits, [(count, 1)])
    cloud, points, rest = misfit.split(u)
    mapping = _given(misfit, parameters.kernel(rest), cloud, points)
    return parameters.penalty(rest) - misfit(u)[0], cloud, mapping, misfit.evaluations


def _given(misfit: BoundMisfit, kernel: LatentKernel, cloud: Cloud, points: Array) -> Mapping:
    means, precision = misfit.means(kernel, cloud, points), kernel.noise_sd**-2.0
    pieces = []
    for pattern, Y in misfit.patterns:
        white = _whitened(means, pattern, Y, precision)
        reduction = means.half.T @ (np.eye(len(points)) - white.inverse) @ means.half
        pieces.append(Piece(points, precision * means.half.T @ white.solved, reduction, pattern.columns))
    return Mapping(kernel, tuple(pieces))
