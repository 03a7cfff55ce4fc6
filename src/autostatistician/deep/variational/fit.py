"""The fit of a deep Gaussian process: stochastic steps up the bound from several starts, and what is kept of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.deep.variational.last import Posterior
from autostatistician.deep.variational.network import Network, bound, draws, posterior_of
from autostatistician.deep.variational.starts import deepened, linear_map, shallow, spread_points

__all__ = ["Fit", "Settings", "ascend", "fit"]

Array = NDArray[np.float64]

ROWS = 1000  # of a step, counted once for each draw
FEWEST, MOST = 2, 10  # draws of a step
FINAL_ROWS, FINAL_FEWEST, FINAL_MOST = 20_000, 8, 100  # the same where fits are compared
MEMORIES = (0.9, 0.99)  # of slopes and of their squares (Kingma and Ba 2015)


@dataclass(frozen=True)
class Settings:
    """What a fit may use."""

    layers: int = 2  # hidden ones and the last
    width: int | None = None  # functions of a hidden layer; as many as there are columns
    inducing: int = 50  # points of a layer
    steps: int = 1000
    restarts: int = 2  # starts, by turns near the identity and bent
    rate: float = 0.02  # of the first half of the steps


@dataclass(frozen=True, eq=False)
class Fit:
    """The best of the networks that were found."""

    network: Network
    known: Posterior
    bound: float  # with many draws that no step has seen
    trace: Array  # (steps,), the bound at each step with the draws of that step


def fit(X: Array, y: Array, settings: Settings, rng: np.random.Generator) -> Fit:
    """Fit to standardised rows (n, D) and observations (n,).

    Examples
    --------
    >>> X = np.linspace(-1.5, 1.5, 20)[:, None]
    >>> found = fit(X, np.sign(X[:, 0]), Settings(steps=100, inducing=10), np.random.default_rng(0))
    >>> one = fit(X, np.sign(X[:, 0]), Settings(layers=1, inducing=10), np.random.default_rng(0))
    >>> bool(found.bound > one.bound + 5.0)
    True
    """
    maps = _maps(X, settings)
    Z = spread_points(X, settings.inducing, int(rng.integers(2**31)))
    shallows, inputs = [shallow(X, y, Z)], X
    for linear in maps:
        inputs, Z = inputs @ linear, Z @ linear
        same = linear.shape[0] == linear.shape[1]
        shallows.append(shallows[-1] if same else shallow(inputs, y, Z))
    bent = posterior_of(shallows[0], X, y, [])
    starts = [
        deepened(shallows, maps, bent if place % 2 else None) for place in range(settings.restarts if maps else 1)
    ]
    settings = settings if maps else replace(settings, steps=0)
    found = [ascend(one, X, y, settings, own) for one, own in zip(starts, rng.spawn(len(starts)), strict=True)]
    unseen = _final_draws(X, maps, rng)
    bounds = [bound(one, X, y, unseen)[0] for one, _ in found]
    best = int(np.argmax(bounds))
    network, trace = found[best]
    return Fit(network, posterior_of(network, X, y, unseen), bounds[best], trace)


def _maps(X: Array, settings: Settings) -> list[Array]:
    maps, inputs = [], X
    for _ in range(settings.layers - 1):
        maps.append(linear_map(inputs, settings.width or X.shape[1]))
        inputs = inputs @ maps[-1]
    return maps


def _final_draws(X: Array, maps: Sequence[Array], rng: np.random.Generator) -> list[Array]:
    count = int(np.clip(FINAL_ROWS // len(X), FINAL_FEWEST, FINAL_MOST))
    return draws(rng, count, len(X), [one.shape[1] for one in maps])


def ascend(network: Network, X: Array, y: Array, settings: Settings, rng: np.random.Generator) -> tuple[Network, Array]:
    """Steps up the bound with new draws in each, smaller and smaller in the second half; and the bounds on the way."""
    count = int(np.clip(round(ROWS / len(X)), FEWEST, MOST))
    widths = [one.shape[1] for one in network.linear]
    numbers, (low, high) = network.numbers, network.limits
    slope, square, trace = np.zeros_like(numbers), np.zeros_like(numbers), []
    for step in range(1, settings.steps + 1):
        value, new = bound(network.with_numbers(numbers), X, y, draws(rng, count, len(X), widths))
        trace.append(value)
        slope = MEMORIES[0] * slope + (1.0 - MEMORIES[0]) * new
        square = MEMORIES[1] * square + (1.0 - MEMORIES[1]) * new**2
        first, second = slope / (1.0 - MEMORIES[0] ** step), square / (1.0 - MEMORIES[1] ** step)
        rate = settings.rate * min(1.0, 2.0 * (1.0 - (step - 1) / settings.steps))
        numbers = np.clip(numbers + rate * first / (np.sqrt(second) + 1e-8), low, high)
    return network.with_numbers(numbers), np.array(trace)
