"""Distributions of coordinates by a lower bound of the evidence: the Bayesian GP-LVM of Titsias and Lawrence (2010).

The bound integrates the coordinates out, so dimensions that are not needed switch themselves off: their lengthscale
grows, and their coordinates return to the prior. Each column of the outputs counts by the rows in which it is observed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi, prod

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from autostatistician.gp.covariance import (
    covariance,
    prior_variance,
    slopes_by_points,
    triangles,
    variance_slopes_by_points,
)
from autostatistician.kernels.covariance import DenseCovariance
from autostatistician.kernels.expr import Leaf, Product
from autostatistician.kernels.kernel import Kernel
from autostatistician.models.latent.map_estimate import Outputs, Pattern, climbed
from autostatistician.models.latent.mapping import LIMIT, LatentKernel, LatentParameters, Mapping, Piece

__all__ = ["BoundMisfit", "approximate"]


Array = NDArray[np.float64]

PLACES = 32  # at which a kernel without closed form is averaged over each row's coordinates

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
        own, cross, square = (np.zeros_like(getattr(means.averages, name)) for name in ("own", "cross", "square"))
        weights = PsiStatistics(own, cross, square)
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
        moved, _ = slopes_by_points(kernel.signal, points, points, by_K, self.parameters.columns)
        places = slopes.points + 2.0 * moved
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
    half_outputs = means.half @ (means.averages.cross[pattern.rows].T @ Y)
    inverse = root.T @ root
    return _Whitened(square, inverse, 2.0 * float(np.log(lower.diagonal()).sum()), half_outputs, inverse @ half_outputs)


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
    u = climbed(misfit, misfit.start(start, rng), misfit.limits, steps)
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


# --- What a variational bound needs of a kernel: its means over uncertain coordinates, with gradients ---------------


@dataclass(frozen=True, eq=False)
class Cloud:
    """Uncertain coordinates: means and variances (n, Q) of independent normal distributions."""

    mean: Array
    variance: Array


@dataclass(frozen=True, eq=False)
class PsiStatistics:
    """``own`` (n,), ``cross`` (n, m) and ``square`` (n, m, m): the three means of a kernel."""

    own: Array
    cross: Array
    square: Array


@dataclass(frozen=True, eq=False)
class PsiGradients:
    """Derivatives by the parameters (p,; logarithms of positive ones), by means and variances of a cloud, by points."""

    parameters: Array
    mean: Array
    variance: Array
    points: Array


def psi_method_of(kernel: Kernel, columns: tuple[str, ...]) -> ClosedFormPsi | SampledPsi:
    """The closed form for a product of squared exponentials, each on a column of its own; else fixed places.

    >>> type(psi_method_of(Kernel(Leaf("SE", "z1"), (1.0, 1.0)), ("z1",))).__name__
    'ClosedFormPsi'
    """
    leaves = kernel.expr.factors if isinstance(kernel.expr, Product) else (kernel.expr,)
    smooth = all(isinstance(leaf, Leaf) and leaf.symbol == "SE" for leaf in leaves)
    names = [getattr(leaf, "column", None) for leaf in leaves]
    if smooth and len(set(names)) == len(names):
        return ClosedFormPsi(columns)
    return SampledPsi(columns)


class ClosedFormPsi:
    """The means of ``s^2 exp(-sum_q (z_q - z'_q)^2 / (2 l_q^2))``: Titsias and Lawrence (2010), section 3.2."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns = columns

    def averages(self, kernel: Kernel, cloud: Cloud, points: Array) -> PsiStatistics:
        """The means over the coordinates of each row."""
        squares, size = self._parameters(kernel)
        return PsiStatistics(
            np.full(len(cloud.mean), size),
            size * self._cross(cloud, points, squares),
            size**2 * self._square(cloud, points, squares),
        )

    def slopes(self, kernel: Kernel, cloud: Cloud, points: Array, weights: PsiStatistics) -> PsiGradients:
        """Derivatives of the sum of these means with weights."""
        squares, size = self._parameters(kernel)
        n, m = len(cloud.mean), len(points)
        of_cross = weights.cross * (size * self._cross(cloud, points, squares))
        of_square = weights.square * (size**2 * self._square(cloud, points, squares))
        by_size = size * weights.own.sum() + of_cross.sum() + 2.0 * of_square.sum()
        first = self._cross_slopes(cloud, points, squares, of_cross)
        second = self._square_slopes(cloud, points, squares, of_square.reshape(n, m * m))
        by_length, mean, variance, places = (a + b for a, b in zip(first, second, strict=True))
        return PsiGradients(self._by_parameters(kernel, by_length, 2.0 * by_size), mean, variance, places)

    def _parameters(self, kernel: Kernel) -> tuple[Array, float]:
        """Squared lengthscales by column (Q,), infinite where there is none, and the variance."""
        squares, sds = np.full(len(self.columns), np.inf), []
        for part in kernel.parts or (kernel,):
            squares[self._column(part)] = part.own[0] ** 2
            sds.append(part.own[1])
        return squares, prod(sds) ** 2

    def _column(self, part: Kernel) -> int:
        column = getattr(part.expr, "column", None)
        return 0 if column is None else self.columns.index(column)

    def _by_parameters(self, kernel: Kernel, by_length: Array, by_sd: float) -> Array:
        pairs = [(by_length[self._column(part)], by_sd) for part in kernel.parts or (kernel,)]
        return np.array(pairs).ravel()

    @staticmethod
    def _cross(cloud: Cloud, points: Array, squares: Array) -> Array:
        spread = cloud.variance + squares
        differences = cloud.mean[:, None, :] - points[None, :, :]
        exponent = -0.5 * (differences**2 / spread[:, None, :]).sum(axis=2)
        exponent -= 0.5 * np.log1p(cloud.variance / squares).sum(axis=1)[:, None]
        return np.asarray(np.exp(exponent))

    @staticmethod
    def _cross_slopes(cloud: Cloud, points: Array, squares: Array, T: Array) -> tuple[Array, Array, Array, Array]:
        spread = cloud.variance + squares
        differences = cloud.mean[:, None, :] - points[None, :, :]
        pulled = T[:, :, None] * differences / spread[:, None, :]
        square = np.einsum("nmq,nmq->nq", pulled, differences) / spread
        every = T.sum(axis=1)[:, None]
        by_length = (every * cloud.variance / spread).sum(axis=0) + np.where(np.isfinite(squares), squares, 0.0) * (
            square.sum(axis=0)
        )
        return by_length, -pulled.sum(axis=1), 0.5 * (square - every / spread), pulled.sum(axis=0)

    @staticmethod
    def _square(cloud: Cloud, points: Array, squares: Array) -> Array:
        spread = squares + 2.0 * cloud.variance
        middle, between = _pairs(points)
        exponent = 2.0 * (cloud.mean / spread) @ middle.T - (1.0 / spread) @ (middle**2).T
        exponent -= (cloud.mean**2 / spread + 0.5 * np.log1p(2.0 * cloud.variance / squares)).sum(axis=1)[:, None]
        exponent -= (between**2 / (4.0 * squares)).sum(axis=1)
        return np.asarray(np.exp(exponent)).reshape(len(cloud.mean), len(points), len(points))

    @staticmethod
    def _square_slopes(cloud: Cloud, points: Array, squares: Array, T: Array) -> tuple[Array, Array, Array, Array]:
        spread, m = squares + 2.0 * cloud.variance, len(points)
        middle, between = _pairs(points)
        every, first, second = T.sum(axis=1)[:, None], T @ middle, T @ middle**2
        differences = cloud.mean * every - first  # sums of T times mean less middle, and times its square
        square = cloud.mean**2 * every - 2.0 * cloud.mean * first + second
        by_variance = 2.0 * square / spread**2 - every / spread
        finite = np.isfinite(squares)
        safe = np.where(finite, squares, 1.0)
        by_pair = T.sum(axis=0) @ between**2
        by_length = (2.0 * every * cloud.variance / spread + 2.0 * safe * square / spread**2).sum(axis=0)
        by_length = np.where(finite, by_length + by_pair / (2.0 * safe), 0.0)
        pulled = (T.T @ (cloud.mean / spread) - middle * (T.T @ (1.0 / spread))).reshape(m, m, -1)
        stretched = (T.sum(axis=0)[:, None] * between / np.where(finite, 2.0 * squares, np.inf)).reshape(m, m, -1)
        by_points = (pulled - stretched).sum(axis=1) + (pulled + stretched).sum(axis=0)
        return by_length, -2.0 * differences / spread, by_variance, by_points


def _pairs(points: Array) -> tuple[Array, Array]:
    """The middles of all pairs of points and their differences (m * m, Q)."""
    left, right = np.broadcast_arrays(points[:, None, :], points[None, :, :])
    q = points.shape[1]
    return 0.5 * (left + right).reshape(-1, q), (left - right).reshape(-1, q)


class SampledPsi:
    """The means over the same standard normal places for every row, moved and stretched: for any kernel.

    The places are those of an additive sequence that fills the cube evenly (the multiples of powers of the root of
    ``x^(q + 1) = x + 1``) and their mirror images, stretched to deviation one, so that the mean of a line is exact.
    """

    def __init__(self, columns: tuple[str, ...], places: int = PLACES) -> None:
        self.columns, q = columns, len(columns)
        root = float(np.roots([1.0, *[0.0] * (q - 1), -1.0, -1.0]).real.max())
        powers = root ** -np.arange(1.0, q + 1.0)
        half = ndtri((0.5 + np.outer(np.arange(1, places // 2 + 1), powers)) % 1.0)
        both = np.vstack([half, -half])
        self.steps = both / np.sqrt((both**2).mean(axis=0))

    def averages(self, kernel: Kernel, cloud: Cloud, points: Array) -> PsiStatistics:
        """The means over the coordinates of each row."""
        places = self._places(cloud)
        shape = len(self.steps), len(cloud.mean)
        k = covariance(kernel, places, points, self.columns).reshape(*shape, -1)
        diagonal = prior_variance(kernel, places, self.columns).reshape(shape)
        return PsiStatistics(diagonal.mean(axis=0), k.mean(axis=0), np.einsum("snm,snk->nmk", k, k) / shape[0])

    def slopes(self, kernel: Kernel, cloud: Cloud, points: Array, weights: PsiStatistics) -> PsiGradients:
        """Derivatives of the sum of these means with weights."""
        places, count = self._places(cloud), len(self.steps)
        k = covariance(kernel, places, points, self.columns).reshape(count, *weights.cross.shape)
        by_k = (weights.cross + 2.0 * np.einsum("snm,nmk->snk", k, weights.square)) / count
        by_k, by_own = by_k.reshape(len(places), -1), np.tile(weights.own / count, count)
        matrix = DenseCovariance(kernel.expr, self.columns)
        by_parameters = matrix.cross_gradient(kernel.values, places, points, by_k, by_own)
        by_places, by_points = self._by_points(kernel, places, points, by_k, by_own)
        moved = by_places.reshape(count, *cloud.mean.shape)
        stretched = np.einsum("snq,sq->nq", moved, self.steps) * 0.5 / np.sqrt(cloud.variance)
        return PsiGradients(by_parameters, moved.sum(axis=0), stretched, by_points)

    def _places(self, cloud: Cloud) -> Array:
        """The places of all rows (places * n, Q), the rows in the same order at each."""
        places = cloud.mean + self.steps[:, None, :] * np.sqrt(cloud.variance)
        return np.asarray(places.reshape(-1, cloud.mean.shape[1]))

    def _by_points(
        self, kernel: Kernel, places: Array, points: Array, by_k: Array, by_own: Array
    ) -> tuple[Array, Array]:
        by_places, by_points = np.zeros_like(places), np.zeros_like(points)
        for start in range(0, len(places), len(points)):
            some = slice(start, start + len(points))
            moved, toward = slopes_by_points(kernel, places[some], points, by_k[some], self.columns)
            by_places[some] = moved + variance_slopes_by_points(kernel, places[some], by_own[some], self.columns)
            by_points += toward
        return by_places, by_points
