"""A function with symmetries that were found, given the data: as a kernel seen through a view, and a constant level.

The marginal likelihood of a view of a kernel with its gradient, and fitting the parameters of the kernel by it.

The covariance of the view is linear in that of the latent function at all points it shows, ``K = A' K0 A``, so the
gradient is that of the latent covariance with the weights ``A B A'``, where B are the derivatives by K (for a product
over an orbit, with the weights of its own chain rule).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from math import exp, expm1, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.gp.fitting import lowest
from autostatistician.gp.parameters import FreeParameters, LearnedPriors, ParameterPriors, measure, starts
from autostatistician.gp.posterior import Conditioned, conditioned, misfit
from autostatistician.kernels.covariance import DenseCovariance
from autostatistician.kernels.expr import Leaf, Product
from autostatistician.kernels.kernel import Kernel, leaf, size
from autostatistician.kernels.traits import is_noise
from autostatistician.models.symmetry.invariant import LEVEL_VARIANCE, Rows
from autostatistician.models.symmetry.search import FittedStructure, SymmetryResult, refined
from autostatistician.models.symmetry.structure import LengthscaleGroup
from autostatistician.models.symmetry.views import View, Viewed, folded, seen_covariance, seen_terms, spread

__all__ = [
    "InvariantPrior", "Latent", "SymmetricFit", "SymmetricFunction", "ViewEvidence", "ViewPrior", "fit", "given",
    "level", "symmetric_function",
]  # fmt: skip


Array = NDArray[np.float64]

RACE_ROUNDS = ((30, 2), (150, 1))  # quasi-Newton steps of every start that is left, and how many go on
ROWS_AT_A_TIME, DIAGONALS_AT_A_TIME = 500, 20  # of which the latent covariances are made together


@dataclass(frozen=True)
class Latent:
    """A kernel in two halves: what is seen through a view, and the noise of the observations; either may be absent."""

    signal: Kernel | None
    noise: Kernel | None

    @property
    def kernel(self) -> Kernel:
        """Both together, the signal first."""
        return Kernel.sum(tuple(half for half in (self.signal, self.noise) if half is not None))

    @property
    def signal_size(self) -> int:
        """How many of the values are those of the signal."""
        return 0 if self.signal is None else size(self.signal.expr)

    @classmethod
    def of(cls, kernel: Kernel) -> Latent:
        """The terms with white noise, which are not seen through the view, apart from the others.

        Raises
        ------
        InputError
            When white noise stands inside of a factor.
        """
        terms = kernel.terms
        noise = tuple(term for term in terms if is_noise(term))
        for term in noise:
            factors = term.expr.factors if isinstance(term.expr, Product) else (term.expr,)
            if Leaf("WN") not in factors:
                expected = "white noise as a term, or as a factor of one"
                raise InputError.of(expected, f"{term}", "multiply the sum out, or leave the noise out of it")
        signal = tuple(term for term in terms if not is_noise(term))
        return cls(Kernel.sum(signal) if signal else None, Kernel.sum(noise) if noise else None)

    def filled(self, values: tuple[float, ...]) -> Latent:
        """The same structure with other parameters."""
        first, rest = values[: self.signal_size], values[self.signal_size :]
        signal = None if self.signal is None else Kernel(self.signal.expr, first)
        return Latent(signal, None if self.noise is None else Kernel(self.noise.expr, rest))


@dataclass(frozen=True, eq=False)
class ViewPrior:
    """The prior of what a view shows of kernels without noise; nothing of none. Leaves act on the columns it shows."""

    view: View
    columns: tuple[str, ...]

    def matrix(self, part: Kernel | None, A: Array, B: Array | None = None) -> Array:
        """Covariances (a, b) of a part between rows, some rows at a time, or (a, a) among them."""
        covariances = np.zeros((len(A), len(A if B is None else B)))
        if part is None:
            return covariances
        if B is None:
            viewed = self.view(A)
            return seen_covariance(part, viewed, viewed, self.columns)
        right = self.view(B)
        for rows in _some(len(A), ROWS_AT_A_TIME):
            covariances[rows] = seen_covariance(part, self.view(A[rows]), right, self.columns)
        return covariances

    def variance(self, part: Kernel | None, A: Array) -> Array:
        """Variances (a,) of a part, some rows at a time."""
        variances = np.zeros(len(A))
        for rows in _some(0 if part is None else len(A), DIAGONALS_AT_A_TIME):
            variances[rows] = self.matrix(part, A[rows]).diagonal()
        return variances


@dataclass(frozen=True, eq=False)
class SymmetricFit:
    """The parameters that were fitted, and the function given the data."""

    latent: Latent
    posterior: Conditioned


class ViewEvidence:
    """Negative log marginal likelihood of targets ``y`` (n,) at rows ``X`` (n, d): a function of the parameters.

    ``seen`` is what the view shows from the rows; the leaves of the signal act on the columns of that, those of the
    noise on the columns of the rows.
    """

    def __init__(self, latent: Latent, viewed: Viewed, X: Array, y: Array, columns: tuple[str, ...]) -> None:
        self.seen, self.y = viewed, y
        parts = () if latent.signal is None else seen_terms(latent.signal, viewed)
        self.parts = [DenseCovariance(part.expr, columns) for part in parts]
        self.ends = [0, *accumulate(size(part.expr) for part in parts)]
        self.X, self.noise = X, latent.noise and DenseCovariance(latent.noise.expr, columns)

    def __call__(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient (by the logarithm of positive parameters, by locations as they are).

        Raises
        ------
        NotPositiveDefinite
            When the covariance cannot be factorised even with jitter.
        """
        spans = [values[start:end] for start, end in pairwise(self.ends)]
        rest, n = values[self.ends[-1] :], len(self.y)
        latent = [part.filled(inner, self.seen.stacked) for part, inner in zip(self.parts, spans, strict=True)]
        K = sum((folded(block, self.seen, self.seen) for block in latent), np.zeros((n, n)))
        if self.noise:
            K += self.noise.filled(rest, self.X)
        value, by_matrix = misfit(K, self.y)
        every = zip(self.parts, latent, spans, strict=True)
        points = self.seen.stacked
        gradient = [part.gradient(inner, points, spread(by_matrix, block, self.seen)) for part, block, inner in every]
        if self.noise:
            gradient.append(self.noise.gradient(rest, self.X, by_matrix))
        return value, np.concatenate(gradient)


def fit(
    latent: Latent,
    view: View,
    X: Array,
    y: Array,
    columns: tuple[str, ...],
    *,
    restarts: int,
    rng: np.random.Generator,
    priors: LearnedPriors | None = None,
) -> SymmetricFit:
    """The most probable parameters given ``priors``, without these the most likely ones: the best of several starts.

    Parameters that the kernel has are where the first start begins.

    Raises
    ------
    NotPositiveDefinite
        When no start has a covariance that can be factorised.
    """
    viewed = view(X)
    evidence, both = ViewEvidence(latent, viewed, X, y, columns), _BothHalves(latent, viewed, X, y, columns, priors)

    def objective(u: Array) -> tuple[float, Array]:
        values = both.values(u)
        value, gradient = both.penalised(*evidence(values), values)
        return value, both.by_coordinates(gradient, values)

    best = lowest(objective, both.starts(restarts, rng), both.limits, RACE_ROUNDS)
    return given(latent.filled(both.values(best)), view, X, y, columns)


def given(latent: Latent, view: View, X: Array, y: Array, columns: tuple[str, ...]) -> SymmetricFit:
    """A kernel with its parameters, given the data."""
    prior = ViewPrior(view, columns)
    K = prior.matrix(latent.signal, X)
    if latent.noise is not None:
        K += covariance(latent.noise, X, None, columns)
    return SymmetricFit(latent, conditioned(prior, X, y, K))


def _some(count: int, most: int) -> Iterator[slice]:
    return (slice(start, start + most) for start in range(0, count, most))


class _BothHalves:
    """The free parameters of signal and noise as one vector.

    The signal is measured by the points that the view shows, and by what the function behind them must be like to look
    as the targets do.
    """

    def __init__(
        self, latent: Latent, viewed: Viewed, X: Array, y: Array, columns: tuple[str, ...], priors: LearnedPriors | None
    ) -> None:
        observed, points = measure(X, y, columns), viewed.stacked
        shown = measure(points, np.zeros(len(points)), columns).columns
        gain = sqrt(float(np.mean(viewed.weights**2)) * (1 if viewed.multiplies else len(viewed.weights))) or 1.0
        sizes = {name: getattr(observed, name) / gain for name in ("y_rms", "y_sd", "y_mean", "y_step")}
        pairs = (replace(observed, columns=shown, **sizes), latent.signal), (observed, latent.noise)
        halves = [(scales, kernel) for scales, kernel in pairs if kernel is not None]
        self.kernels = [kernel for _, kernel in halves]
        self.free = [FreeParameters.of(kernel.expr, scales) for scales, kernel in halves]
        self.limits = [pair for free in self.free for pair in zip(free.low.tolist(), free.high.tolist(), strict=True)]
        self.others = [free.inside(free.completed(kernel.values)) for free, kernel in self._halves()]
        self.priors = [] if priors is None else [_known(free, kernel, priors) for free, kernel in self._halves()]

    def _halves(self) -> Iterator[tuple[FreeParameters, Kernel]]:
        return zip(self.free, self.kernels, strict=True)

    def _spans(self) -> list[slice]:
        """Where the values of each half stand among those of both."""
        ends = [0, *accumulate(size(kernel.expr) for kernel in self.kernels)]
        return [slice(*span) for span in pairwise(ends)]

    def starts(self, count: int, rng: np.random.Generator) -> list[Array]:
        """Usual values first, then random ones around them; the first keeps those that are given."""
        halves = [
            [free.coordinates(free.inside(start.values)) for start in starts(kernel, free.scales, rng, count)]
            for free, kernel in self._halves()
        ]
        return [np.concatenate(both) for both in zip(*halves, strict=True)]

    def values(self, u: Array) -> tuple[float, ...]:
        """All values at coordinates (p,), those of the signal first."""
        ends = np.cumsum([len(free.indices) for free in self.free])[:-1]
        every = zip(self.free, np.split(u, ends), self.others, strict=True)
        return tuple(value for free, coordinates, others in every for value in free.values(coordinates, others))

    def penalised(self, value: float, gradient: Array, values: tuple[float, ...]) -> tuple[float, Array]:
        """A value and its gradient by all values, with the penalties of the learned priors, if there are any."""
        for priors, span in zip(self.priors, self._spans(), strict=False):
            value, gradient[span] = priors.penalised(value, gradient[span], values[span])
        return value, gradient

    def by_coordinates(self, gradient: Array, values: tuple[float, ...]) -> Array:
        """The gradient (p,) by the coordinates from that by all values."""
        pairs = zip(self.free, self._spans(), strict=True)
        return np.concatenate([free.by_coordinates(gradient[span], values[span]) for free, span in pairs])


def _known(free: FreeParameters, kernel: Kernel, priors: LearnedPriors) -> ParameterPriors:
    """What is known of parameters before the data; a view shows rows that have no next ones, also of one column."""
    columns = dict(free.scales.columns)
    columns.pop(None, None)
    return FreeParameters.of(kernel.expr, replace(free.scales, columns=columns, priors=priors)).priors()


@dataclass(frozen=True, eq=False)
class SymmetricFunction:
    """A group with its parameters, on the columns of a table; a view, called with rows.

    ``f(x) = level + sum_i s_i g(inputs(g_i x)) / sqrt(G)``: the inputs are in standard units, the target is in its
    own, less ``centre``.
    """

    group: FittedStructure
    columns: tuple[str, ...]
    numbers: tuple[int, ...]  # places of the columns on which the group acts
    centre: float
    size: float

    @property
    def categories(self) -> tuple[int, ...]:
        """Places of the other columns."""
        return tuple(place for place in range(len(self.columns)) if place not in self.numbers)

    def rows(self, X: Array) -> Rows:
        """Rows (n, d) of the table, numbers apart from categories."""
        return Rows(X[:, list(self.numbers)], X[:, list(self.categories)])

    def __call__(self, X: Array) -> Viewed:
        """The inputs at all images of rows, and the codes of categories."""
        rows, signs = self.rows(X), self.group.model.signs
        images = self.group.model.inputs(rows, self.group.u)[1]
        points = np.concatenate([images, np.broadcast_to(rows.codes, (*images.shape[:2], rows.codes.shape[1]))], axis=2)
        return Viewed(points, np.repeat(signs[:, None] / np.sqrt(len(signs)), len(X), axis=1))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The names of what the view shows."""
        names = [self.columns[place] for place in self.numbers]
        inputs = [name for block in self.group.structure.blocks for name in _names(block, names)]
        return (*inputs, *(self.columns[place] for place in self.categories))

    @cached_property
    def latent(self) -> Latent:
        """The kernel of what the view shows, and the noise."""
        model, u = self.group.model, self.group.u
        factors, names = [], iter(self.shown)
        for place in model.lengths:
            factors.append(leaf("SE", next(names), lengthscale=exp(u[place]), sd=1.0))
        for column, name in enumerate(names):
            rate = exp(-2.0 * u[model.names.index(("category", (column,)))])
            factors.append(leaf("Cat", name, contrast=expm1(rate), sd=1.0))
        signal = Kernel.product((leaf("C", sd=self.size * exp(u[0])), *factors))
        return Latent(signal, leaf("WN", sd=self.size * exp(u[1])))


@dataclass(frozen=True, eq=False)
class InvariantPrior:
    """The prior of the function with its level, whatever the part; without matrices of all images."""

    function: SymmetricFunction

    def matrix(self, part: Kernel | None, A: Array, B: Array | None = None) -> Array:
        """Covariances (a, b) between rows, or (a, a) among them; zero of no part."""
        if part is None:
            return np.zeros((len(A), len(A if B is None else B)))
        left, right = (self.function.rows(rows) for rows in (A, A if B is None else B))
        return self.function.size**2 * self.function.group.model.covariance(left, right, self.function.group.u)

    def variance(self, part: Kernel | None, A: Array) -> Array:
        """Variances (a,)."""
        if part is None:
            return np.zeros(len(A))
        group = self.function.group
        return self.function.size**2 * group.model.variance(self.function.rows(A), group.u)


def symmetric_function(
    result: SymmetryResult,
    X: Array,
    y: Array,
    columns: tuple[str, ...],
    numbers: tuple[int, ...],
    rng: np.random.Generator,
) -> tuple[SymmetricFunction, SymmetricFit]:
    """The function with the symmetries of the most probable group, given all rows (n, d) and targets (n,)."""
    centre, size = result.target
    function = SymmetricFunction(result.best, columns, numbers, centre, size)
    group = refined(result.best, function.rows(X), (y - centre) / size, rng)
    function = replace(function, group=group)
    prior, latent = InvariantPrior(function), function.latent
    K = prior.matrix(latent.signal, X)
    K[np.diag_indices_from(K)] += size**2 * exp(2.0 * group.u[1])
    return function, SymmetricFit(latent, conditioned(prior, X, y - centre, K))


def level(function: SymmetricFunction, posterior: Conditioned) -> tuple[float, float]:
    """The level about which an odd function turns, and its standard deviation, given the data."""
    variance = LEVEL_VARIANCE * function.size**2
    whitened = posterior.whitened(np.column_stack([np.ones(len(posterior.y)), posterior.y]))
    ones, y = whitened.T
    return function.centre + variance * float(ones @ y), sqrt(max(variance - variance**2 * float(ones @ ones), 0.0))


def _names(block: LengthscaleGroup, names: list[str]) -> list[str]:
    """The inputs of a block in words; what is combined or goes round is named after its columns."""
    together = " and ".join(names[column] for column in block.columns)
    if block.periodic:
        return [f"cosine of {together}", f"sine of {together}"]
    if block.combined or len(block.columns) > 1:
        count = 1 if block.combined else block.basis.shape[1]
        return [f"{together} ({place + 1})" if count > 1 else together for place in range(count)]
    return [together]
