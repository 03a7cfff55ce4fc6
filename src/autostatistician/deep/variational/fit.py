"""The fit of a deep Gaussian process: stochastic steps up the bound from several starts, and what is kept of them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from autostatistician.deep.variational.expressions import LayerForm
from autostatistician.deep.variational.last import LastLayerPosterior
from autostatistician.deep.variational.network import Network, bound, draws, posterior_of
from autostatistician.deep.variational.starts import LayerStart, deepened, linear_map, shallow, spread_points
from autostatistician.inference.fitting import wandered

__all__ = ["DeepFit", "DeepSettings", "ascend", "fit", "shallows_of", "weights_of"]

Array = NDArray[np.float64]

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

    places = wandered(estimate, network.parameters, network.limits, settings.steps, settings.rate)
    return network.with_parameters(places[-1]), np.array(trace)
