"""The fit of a deep Gaussian process: stochastic steps up the bound from several starts, and what is kept of them.

Kernels of layers that are any expression of the language, and where fits of kernels begin.

What the bound of doubly stochastic inference (Salimbeni and Deisenroth 2017) asks of a kernel are covariances and
variances at places that are draws, and how these change with its parameters and with the places. Every expression of
numbers has them, so no mean over uncertain places has to be known in closed form. For the squared exponential of all
columns `ARDKernel` does the same with fewer steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.cluster import KMeans

from autostatistician.gp.covariance import covariance, prior_variance, slopes_by_points, variance_slopes_by_points
from autostatistician.gp.fitting import adam, lowest
from autostatistician.gp.parameters import FreeParameters, measure
from autostatistician.kernels.covariance import DenseCovariance
from autostatistician.kernels.expr import Expr, Leaf, Product
from autostatistician.kernels.kernel import Kernel, parameters, rescaled
from autostatistician.kernels.leaf_row import Role
from autostatistician.models.deep.layers import (
    JITTER,
    ARDKernel,
    Hidden,
    Last,
    LastLayerPosterior,
    LayerKernel,
    SlopesOfCovariances,
    whitened,
)
from autostatistician.models.deep.network import Network, bound, draws, posterior_of

__all__ = [
    "DeepFit", "DeepSettings", "ExpressionKernel", "LayerForm", "ascend", "beginnings", "fit", "form_of", "shallows_of",
    "weights_of",
]  # fmt: skip


Array = NDArray[np.float64]

SCALES = (2.0, 0.5, 0.15)  # lengthscales of standardised columns that are tried first, times the root of their number
LEAST = 1e-9  # on the diagonal of k(Z, Z), where a variance may be zero


@dataclass(frozen=True)
class LayerForm:
    """An expression, without parameters and without noise, on the columns of the inputs of a layer."""

    expr: Expr
    columns: tuple[str, ...]


def form_of(expr: Expr, columns: tuple[str, ...]) -> LayerForm | None:
    """The form of an expression; None for the squared exponential of all columns, which is quicker as it is.

    >>> form_of(Leaf("SE", "x"), ("x",)), form_of(Leaf("RQ", "x"), ("x",))
    (None, LayerForm(expr=Leaf(symbol='RQ', column='x'), columns=('x',)))
    """
    leaves = expr.factors if isinstance(expr, Product) else (expr,)
    names = sorted(str(leaf.column) for leaf in leaves if isinstance(leaf, Leaf) and leaf.symbol == "SE")
    return None if len(names) == len(leaves) and names == sorted(columns) else LayerForm(expr, columns)


@dataclass(frozen=True, eq=False)
class ExpressionKernel:
    """An expression with its parameters, in the coordinates of fits."""

    form: LayerForm
    free: FreeParameters
    matrix: DenseCovariance
    values: tuple[float, ...]

    @property
    def kernel(self) -> Kernel:
        """The expression with its parameters."""
        return Kernel(self.form.expr, self.values)

    @property
    def parameters(self) -> Array:
        """The coordinates (p,) of the free parameters."""
        return self.free.coordinates(self.values)

    @property
    def limits(self) -> tuple[Array, Array]:
        """Their lowest and highest values."""
        return self.free.low, self.free.high

    def with_parameters(self, parameters: Array) -> ExpressionKernel:
        """The same with other parameters."""
        return replace(self, values=self.free.values(parameters, self.values))

    def resized(self, log_variance: float, X: Array) -> ExpressionKernel:
        """The same with a variance whose mean over rows (n, D) has that logarithm, as near as the limits allow."""
        now = float(self.prior(X).mean())
        if not now > 0.0:
            return self
        sized = rescaled(self.kernel, y_scale=float(np.exp(0.5 * log_variance) / np.sqrt(now)))
        return replace(self, values=self.free.inside(sized.values))

    def __call__(self, Z: Array, H: Array) -> Array:
        """Covariances (M, P) of places (M, D) and (P, D)."""
        return covariance(self.kernel, Z, H, self.form.columns)

    def own(self, Z: Array) -> Array:
        """Covariances (M, M) of places with each other, with the jitter."""
        among = covariance(self.kernel, Z, None, self.form.columns)
        among[np.diag_indices_from(among)] *= 1.0 + JITTER
        among[np.diag_indices_from(among)] += LEAST
        return among

    def prior(self, H: Array) -> Array:
        """Variances (P,) at places (P, D)."""
        return prior_variance(self.kernel, H, self.form.columns)

    def prior_slopes(self, H: Array, weights: Array) -> tuple[Array, Array]:
        """See `LayerKernel`."""
        nothing = np.zeros((len(H), 0))
        by_values = self.matrix.cross_gradient(self.values, H, H[:0], nothing, weights)
        by_places = variance_slopes_by_points(self.kernel, H, weights, self.form.columns)
        return self.free.by_coordinates(by_values, self.values), by_places

    def slopes(
        self, Z: Array, H: Array, covariances: tuple[Array, Array], weights: tuple[Array, Array]
    ) -> SlopesOfCovariances:
        """See `LayerKernel`."""
        of_K, of_own = weights[0], weights[1].copy()
        of_own[np.diag_indices_from(of_own)] *= 1.0 + JITTER
        by_values = self.matrix.cross_gradient(self.values, Z, H, of_K, np.zeros(len(Z)))
        by_values = by_values + self.matrix.gradient(self.values, Z, of_own)
        kernel, columns = self.kernel, self.form.columns
        by_Z, by_H = slopes_by_points(kernel, Z, H, of_K, columns)
        one, other = slopes_by_points(kernel, Z, Z, of_own, columns)
        return SlopesOfCovariances(self.free.by_coordinates(by_values, self.values), by_Z + one + other, by_H)


def beginnings(form: LayerForm | None, X: Array, y: Array) -> list[LayerKernel]:
    """Kernels of a form from which fits to standardised rows (n, D) and observations (n,) begin."""
    columns = X.shape[1]
    lengths = [scale * float(np.sqrt(columns)) for scale in SCALES]
    if form is None:
        return [ARDKernel(0.0, np.full(columns, np.log(length))) for length in lengths]
    free = FreeParameters.of(form.expr, measure(X, y, form.columns))
    matrix, begun = DenseCovariance(form.expr, form.columns), list[LayerKernel]()
    for length in lengths:
        values = [
            length if parameter.role is Role.LENGTH and parameter.name == "lengthscale" else usual
            for parameter, usual in zip(parameters(form.expr), free.usual, strict=True)
        ]
        begun.append(ExpressionKernel(form, free, matrix, free.inside(values)).resized(0.0, X))
    return begun


NOISE = 0.1  # variance of the noise there

RACE = ((40, 2), (200, 1))  # quasi-Newton steps, and how many go on

SURE = 0.1  # standard deviation of the whitened inducing variables of a bent layer at first

HIDDEN = 50  # inducing points of a hidden layer at most

ROWS = 1000  # of a step, counted once for each draw

FEWEST, MOST = 2, 10  # draws of a step

FINAL_ROWS, FINAL_FEWEST, FINAL_MOST = 20_000, 8, 100  # the same where fits are compared

LITTLE = (-4.0, -2.0)  # logarithms of the variance of what hidden layers add to their linear maps at first

FLATTENED = 10.0


@dataclass(frozen=True)
class DeepSettings:
    """What a fit may use."""

    layers: int = 2  # hidden ones and the last
    width: int | None = None  # functions of a hidden layer; as many as there are columns
    inducing: int = 100  # points of the last layer at most
    steps: int = 500
    restarts: int = 3
    rate: float = 0.02  # of the first half of the steps
    forms: tuple[LayerForm | None, ...] = ()  # of every layer; a squared exponential where there is none

    def form(self, layer: int) -> LayerForm | None:
        """The form of the kernel of a layer, counted from 0."""
        return self.forms[layer] if self.forms else None


@dataclass(frozen=True, eq=False)
class DeepFit:
    """What was found from one start."""

    network: Network
    known: LastLayerPosterior
    bound: float  # with many draws that no step has seen
    trace: Array  # (steps,), the bound at each step with the draws of that step


def shallows_of(X: Array, y: Array, settings: DeepSettings, rng: np.random.Generator) -> list[Network]:
    """The shallow processes on the inputs of every layer, from which `fit` goes on with the same generator."""
    seed, inputs = int(rng.integers(2**31)), X
    shallows = [shallow(X, y, spread_points(X, settings.inducing, seed), settings.form(0))]
    for layer, linear in enumerate(_maps(X, settings), start=1):
        inputs, form, Z = inputs @ linear, settings.form(layer), shallows[0].last.Z
        same = linear.shape[0] == linear.shape[1] and form == settings.form(layer - 1)
        shallows.append(shallows[-1] if same else shallow(inputs, y, spread_points(inputs, len(Z), seed), form))
    return shallows


def fit(
    X: Array, y: Array, settings: DeepSettings, rng: np.random.Generator, shallows: Sequence[Network] | None = None
) -> list[DeepFit]:
    """Fits to standardised rows (n, D) and observations (n,): what was found from every start, the best first.

    ``shallows`` are those of `shallows_of`, where they are known.

    Examples
    --------
    >>> X = np.linspace(-1.5, 1.5, 20)[:, None]
    >>> deep = fit(X, np.sign(X[:, 0]), DeepSettings(steps=100, inducing=15), np.random.default_rng(0))
    >>> shallow = fit(X, np.sign(X[:, 0]), DeepSettings(layers=1, inducing=15), np.random.default_rng(0))
    >>> bool(deep[0].bound > shallow[0].bound + 5.0)
    True
    """
    if shallows is None:
        shallows = shallows_of(X, y, settings, deepcopy(rng))
    maps, seed = _maps(X, settings), int(rng.integers(2**31))
    if not maps:
        settings = replace(settings, restarts=1, steps=0)
    Z = spread_points(X, min(settings.inducing, HIDDEN), seed)
    kinds = (*map(LayerStart, LITTLE), LayerStart(LITTLE[0], posterior_of(shallows[0], X, y, [])))
    starts = [deepened(shallows, maps, Z, kinds[place % len(kinds)]) for place in range(settings.restarts)]
    generators = rng.spawn(len(starts))
    ends = [ascend(start, X, y, settings, generator) for start, generator in zip(starts, generators, strict=True)]
    unseen = _final_draws(X, maps, rng)
    fits = [
        DeepFit(network, posterior_of(network, X, y, unseen), bound(network, X, y, unseen)[0], trace)
        for network, trace in ends
    ]
    return sorted(fits, key=lambda fitted: -fitted.bound)


def weights_of(bounds: Sequence[float]) -> Array:
    """Weights of fits in predictions, adding up to one: the higher the bound the larger.

    How far a bound lies below its evidence is not known, and differs by tens between fits, so a difference of
    `FLATTENED` counts as one of logarithms. A fit that is too sure of itself in a place then has others beside it.

    >>> weights_of([-20.0, -20.0, -300.0]).round(3).tolist()
    [0.5, 0.5, 0.0]
    """
    return np.asarray(softmax(np.asarray(bounds) / FLATTENED))


def _maps(X: Array, settings: DeepSettings) -> list[Array]:
    maps, inputs = [], X
    for _ in range(settings.layers - 1):
        maps.append(linear_map(inputs, settings.width or X.shape[1]))
        inputs = inputs @ maps[-1]
    return maps


def _final_draws(X: Array, maps: Sequence[Array], rng: np.random.Generator) -> list[Array]:
    count = int(np.clip(FINAL_ROWS // len(X), FINAL_FEWEST, FINAL_MOST))
    return draws(rng, count, len(X), [linear.shape[1] for linear in maps])


def ascend(
    network: Network, X: Array, y: Array, settings: DeepSettings, rng: np.random.Generator
) -> tuple[Network, Array]:
    """Steps up the bound with new draws in each, smaller and smaller in the second half; and the bounds on the way."""
    count = int(np.clip(round(ROWS / len(X)), FEWEST, MOST))
    widths = [linear.shape[1] for linear in network.linear]
    trace: list[float] = []

    def estimate(parameters: Array) -> tuple[float, Array]:
        value, slope = bound(network.with_parameters(parameters), X, y, draws(rng, count, len(X), widths))
        if np.isfinite(value):
            trace.append(value)
        return -value, -slope

    places = adam(estimate, network.parameters, network.limits, settings.steps, settings.rate)
    return network.with_parameters(places[-1]), np.array(trace)


# --- Where the fit of a deep Gaussian process begins ----------------------------------------------------------------


class LayerStart(NamedTuple):
    """How a fit begins."""

    log_variance: float  # of what a layer adds to its linear map
    # Of the first shallow process: the first layer adds its mean to each function.
    bend: LastLayerPosterior | None = None


def spread_points(X: Array, most: int, seed: int) -> Array:
    """At most ``most`` places among rows (n, D): all different ones if they are few, else the centres of clusters."""
    rows = np.unique(X, axis=0)
    if len(rows) <= most:
        return np.asarray(rows)
    return np.asarray(KMeans(most, n_init=1, random_state=seed).fit(rows).cluster_centers_)


def linear_map(X: Array, width: int) -> Array:
    """The linear part (D, width) of a hidden layer: the identity, with zeros beside it, or the principal axes of rows.

    >>> linear_map(np.array([[1.0, 1.0], [-1.0, -1.0]]), 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    >>> np.abs(linear_map(np.array([[1.0, 1.0], [-1.0, -1.0]]), 1)).round(4).tolist()
    [[0.7071], [0.7071]]
    """
    columns = X.shape[1]
    if width >= columns:
        return np.eye(columns, width)
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]
    axes = np.vstack([axes, np.zeros((max(width - len(axes), 0), columns))])[:width]
    largest = np.abs(axes).argmax(axis=1)
    signs = np.where(np.take_along_axis(axes, largest[:, None], axis=1) < 0.0, -1.0, 1.0)
    return np.asarray((axes * signs).T)


def shallow(X: Array, y: Array, Z: Array, form: LayerForm | None = None) -> Network:
    """The sparse process of one layer of a form with the highest bound, from inducing points ``Z`` (M, D)."""
    starts = [Network((), (), Last(kernel, Z, float(np.log(NOISE)))) for kernel in beginnings(form, X, y)]
    first = starts[0]

    def negative(parameters: Array) -> tuple[float, Array]:
        value, slope = bound(first.with_parameters(parameters), X, y, [])
        return -value, -slope

    limits = np.column_stack(first.limits)
    return first.with_parameters(lowest(negative, [network.parameters for network in starts], limits.tolist(), RACE))


def deepened(shallows: Sequence[Network], maps: Sequence[Array], Z: Array, start: LayerStart) -> Network:
    """Hidden layers that add little to their linear maps, below a shallow process.

    Parameters
    ----------
    shallows : sequence of Network
        The shallow processes on the inputs of every layer, the last one's too; hidden layers take their lengthscales.
    maps : sequence of array (D, W)
        The linear parts of the hidden layers.
    Z : array (M, D)
        The inducing points of the first layer; the next ones have what becomes of them.
    start : LayerStart
    """
    hidden: list[Hidden] = []
    top = shallows[0].last.Z
    for below, linear in zip(shallows[:-1], maps, strict=True):
        mean, roots = np.zeros((len(Z), linear.shape[1])), np.tile(np.eye(len(Z)), (linear.shape[1], 1, 1))
        layer = Hidden(below.last.kernel.resized(start.log_variance, Z), Z, mean, roots)
        Z, top = Z @ linear, top @ linear
        if start.bend is not None and not hidden:
            moved, top_moved = (start.bend.at(places)[0][:, None] for places in (layer.Z, shallows[0].last.Z))
            whitening = whitened(below.last.kernel, layer.Z, layer.Z[:1]).inverse
            layer = Hidden(below.last.kernel, layer.Z, mean + whitening @ moved, SURE * roots)
            Z, top = Z + moved, top + top_moved
        hidden.append(layer)
    return Network(tuple(hidden), tuple(maps), shallows[-1].last._replace(Z=top))
