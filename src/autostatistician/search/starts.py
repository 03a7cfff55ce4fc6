"""Starting values for the open numbers of a kernel, in standard units.

The base is the original's rules (Lloyd et al. 2014, released code): broad draws around the scales of the
data. To these come draws around what the data suggest (`hints`). Numbers that are known are kept or jittered in
proportion to their scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isnan, log

import numpy as np

from autostatistician.inference.scales import Scales, bounds
from autostatistician.language.count import redundant_scales
from autostatistician.language.expr import Leaf, Product
from autostatistician.language.kernel import Kernel, Parameter, parameters
from autostatistician.search.hints import Hints

__all__ = ["Context", "draws"]

JITTER = 0.1  # standard deviation of the logarithm of inherited values
LOCATION_JITTER = 0.01  # ranges


@dataclass(frozen=True, slots=True)
class Context:
    """What draws are made from: the scales of the data and the hints for every column."""

    scales: Scales
    data: dict[str | None, Hints]
    residual: dict[str | None, Hints]


def draws(kernel: Kernel, context: Context, rng: np.random.Generator, count: int) -> list[Kernel]:
    """Complete starts: open numbers drawn, known ones kept in the first start and jittered in every second, in bounds."""
    every = parameters(kernel.expr)
    relative = redundant_scales(kernel.expr) | _modulating(kernel)
    limits = [bounds(parameter, context.scales) for parameter in every]
    found = []
    for number in range(count):
        values = []
        for index, (parameter, value) in enumerate(zip(every, kernel.values, strict=True)):
            if isnan(value):
                value = _new(parameter, index in relative, context, rng)
            elif number % 2 == 1:
                value = _jittered(parameter, value, rng)
            low, high = limits[index]
            values.append(min(max(value, low), high))
        found.append(Kernel(kernel.expr, tuple(values)))
    return found


def _modulating(kernel: Kernel, start: int = 0, inside: bool = False) -> frozenset[int]:
    """Indices of values in a factor whose partner in the product carries known numbers already."""
    found = frozenset(range(start, start + len(kernel.own))) if inside else frozenset()
    place = start + len(kernel.own)
    for part in kernel.parts:
        others = [other for other in kernel.parts if other is not part]
        partnered = isinstance(kernel.expr, Product) and any(not isnan(v) for other in others for v in other.values)
        found |= _modulating(part, place, inside or partnered)
        place += len(part.values)
    return found


def _jittered(parameter: Parameter, value: float, rng: np.random.Generator) -> float:
    if parameter.role.positive:
        return value * exp(JITTER * rng.standard_normal())
    return value + LOCATION_JITTER * rng.standard_normal()


def _new(parameter: Parameter, relative: bool, context: Context, rng: np.random.Generator) -> float:
    symbol = parameter.node.symbol if isinstance(parameter.node, Leaf) else ""
    if parameter.name == "sd":
        return _sd(symbol, parameter, relative, context, rng)
    column = getattr(parameter.node, "column", None)
    scale = context.scales.columns[column]
    low, high = bounds(parameter, context.scales)
    match symbol, parameter.name:
        case ("SE" | "RQ"), "lengthscale":
            return _lengthscale(scale.gap, rng)
        case _, "period":
            return _period(low, high, column, context, rng)
        case ("Per", "lengthscale") | ("RQ", "alpha"):
            return exp(rng.normal(0.0, 1.0))
        case "Lin", _:
            return float(rng.uniform(-1.0, 2.0))
        case _, "steepness":
            return exp(rng.normal(3.3, 1.0))
        case _, "width":
            return exp(rng.normal(log(0.1), 1.0))
        case _:
            return _location(column, context, rng)


def _lengthscale(gap: float, rng: np.random.Generator) -> float:
    """Evenly over all scales the data can show; a third of the draws long, as trends are."""
    if rng.random() < 0.33:
        return exp(rng.normal(log(0.5), 1.0))
    return exp(rng.uniform(log(gap), log(1.0)))


def _period(low: float, high: float, column: str | None, context: Context, rng: np.random.Generator) -> float:
    data, residual = context.data[column].periods, context.residual[column].periods
    chance = rng.random()
    proposals = residual if chance < 0.45 else data if chance < 0.85 else ()
    if not proposals:
        return exp(rng.uniform(log(low), log(high)))
    # The first proposals are the strongest peaks: geometric weights.
    index = min(int(rng.geometric(0.45)) - 1, len(proposals) - 1)
    multiple = rng.choice([1.0, 2.0, 3.0, 4.0], p=[0.82, 0.08, 0.05, 0.05])
    period = proposals[index] * multiple
    # A peak fixes the period to about a fraction of period / range of itself.
    return float(period * exp(0.1 * period * rng.standard_normal()))


def _location(column: str | None, context: Context, rng: np.random.Generator) -> float:
    chance = rng.random()
    proposals = context.residual[column].changes if chance < 0.35 else context.data[column].changes
    if chance > 0.6 or not proposals:
        return float(rng.uniform(0.03, 0.97))
    index = min(int(rng.geometric(0.4)) - 1, len(proposals) - 1)
    return float(proposals[index] + 0.01 * rng.standard_normal())


def _sd(symbol: str, parameter: Parameter, relative: bool, context: Context, rng: np.random.Generator) -> float:
    """Scales of modulating factors are of order one; additive ones take a size that the data or the residual have."""
    if relative:
        return exp(rng.normal(0.0, 0.5))
    column = getattr(parameter.node, "column", None)
    residual, data = context.residual[column], context.data[column]
    scales = context.scales
    match symbol:
        case "WN":
            sizes = [residual.sd, max(residual.roughness, scales.noise_floor), 0.1 * scales.y_sd]
        case "C":
            sizes = [abs(scales.y_mean), scales.y_sd, residual.sd]
        case _:
            sizes = [scales.y_sd, data.sd, residual.sd]
    return max(float(rng.choice(sizes)), 1e-4) * exp(rng.normal(0.0, 0.7))
