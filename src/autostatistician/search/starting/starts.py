"""Starting values for the open parameters of a kernel, in standard units.

The base is the original's rules (Lloyd et al. 2014, released code): broad draws around the scales of the
data. To these come draws around what the data suggest (`hints`). Parameters that are known are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp, isnan, log

import numpy as np

from autostatistician.gp import Scales
from autostatistician.gp.parameters import SURE_CYCLES, FreeParameters, balanced
from autostatistician.kernels.expr import Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel, Parameter, parameters
from autostatistician.kernels.leaf_row import LeafKind, Role, Start
from autostatistician.kernels.leaves import LEAVES, is_leaf_of
from autostatistician.search.starting.hints import ColumnHints
from autostatistician.search.starting.standardisation import unit_slope

__all__ = ["Context", "at_centre", "draws", "releases"]


@dataclass(frozen=True, slots=True)
class Context:
    """What draws are made from: the scales of the data and the hints for every column."""

    scales: Scales
    data: ColumnHints
    residual: ColumnHints
    learned: Scales | None = None  # with what was learned of parameters, where fits are of the data alone
    finest: float = 0.0  # lengthscale from which smooth functions begin, in ranges: on tables no neighbours are close

    @property
    def centres(self) -> Scales | None:
        """The scales with what was learned of parameters, from which starts are made; None where there are none."""
        scales = self.learned or self.scales
        return scales if scales.priors is not None and scales.priors.rows else None


MOST_LIKELY_PERIODS = 8
SAME_PERIOD = 0.03  # relative difference of two periods that count as one


class NodeRole(Enum):
    """What a new node does to the rest of the model."""

    ADDED = "a term of its own"
    FACTOR = "multiplies something that is known"
    PART = "a term of a factor that multiplies something that is known"


@dataclass(frozen=True, slots=True)
class _Draw:
    """One start in the making: gentle starts leave the model nearly as it was, bold ones may upset it."""

    context: Context
    rng: np.random.Generator
    gentle: bool
    release: bool


def draws(kernel: Kernel, context: Context, rng: np.random.Generator, count: int) -> list[Kernel]:
    """Complete starts inside the bounds: open parameters drawn, gently and boldly in turn; known ones kept.

    In every fourth start known lengthscales are lengthened: what the new part explains, a short function may have
    stood in for until now, and it must let go of it.
    """
    learned = context.centres
    # What was learned is the best start of all; periods are tried in turn.
    periods = [] if learned is None else _likely_periods(kernel, context)[: max(count - 1, 1)]
    centres = [at_centre(kernel, learned, period) for period in periods[:count]] if learned is not None else []
    if len(centres) == count:
        return centres
    places = _places(kernel)
    free = FreeParameters.of(kernel.expr, context.scales)
    drawn = [
        _complete(kernel, places, free, _Draw(context, rng, number % 2 == 0, releases(number)))
        for number in range(len(centres), count)
    ]
    return centres + drawn


def _likely_periods(kernel: Kernel, context: Context) -> list[float]:
    """Where an open period is looked for, in this order: the calendar's, those of the residual, a part of the range.

    Periods that the kernel has already come last: another function of the same period adds next to nothing.
    """
    opened = [column for column, value in kernel.periods if isnan(value)]
    if not opened:
        return [1.0]
    scale = context.scales.column(opened[0])
    taken = [value for column, value in kernel.periods if column == opened[0] and not isnan(value)]
    likely = [*scale.seasons, *context.residual.of(opened[0]).periods][:MOST_LIKELY_PERIODS]
    return sorted(likely or [0.25 * scale.range], key=lambda period: any(_is_same(period, other) for other in taken))


def _is_same(period: float, other: float) -> bool:
    return abs(period - other) <= SAME_PERIOD * other


def at_centre(kernel: Kernel, scales: Scales, period: float) -> Kernel:
    """The kernel with open parameters at the centres of their priors, and open periods at the one given."""
    kernel = balanced(kernel, scales)  # so that what is open is alone in having a size
    free = FreeParameters.of(kernel.expr, scales)
    named = zip(parameters(kernel.expr), kernel.values, strict=True)
    values = [period if parameter.name == "period" and isnan(value) else value for parameter, value in named]
    pairs = zip(free.completed(values), free.bounds, strict=True)
    return Kernel(kernel.expr, free.inside([min(max(value, low), high) for value, (low, high) in pairs]))


def releases(number: int) -> bool:
    """Whether the start of this number lengthens known lengthscales."""
    return number % 4 == 3


def _complete(kernel: Kernel, places: list[NodeRole], free: FreeParameters, draw: _Draw) -> Kernel:
    values = []
    every = zip(parameters(kernel.expr), kernel.values, places, free.bounds, strict=True)
    for parameter, value, place, between in every:
        if isnan(value):
            value = _new(parameter, place, between, draw)
        elif draw.release and _is_lengthscale(parameter):
            value *= exp(abs(draw.rng.normal(0.0, 1.5)))
        values.append(value)
    return Kernel(kernel.expr, _with_unit_lines(kernel, places, list(free.inside(values))))


def _is_lengthscale(parameter: Parameter) -> bool:
    node = parameter.node
    starts = (Start.LENGTHSCALE, Start.MEMORY)
    return isinstance(node, Leaf) and LEAVES[node.symbol].parameter(parameter.name).start in starts


def _with_unit_lines(kernel: Kernel, places: list[NodeRole], values: list[float]) -> tuple[float, ...]:
    """New linear factors get root mean square one over the data, wherever their zero is (standard units)."""
    for index, parameter in enumerate(parameters(kernel.expr)):
        new = isnan(kernel.values[index]) and places[index] is NodeRole.FACTOR
        if new and is_leaf_of(parameter.node, LeafKind.LINE) and parameter.role is Role.SLOPE:
            values[index] = unit_slope(values[index + 1])
    return tuple(values)


def _places(kernel: Kernel, place: NodeRole = NodeRole.ADDED) -> list[NodeRole]:
    """The place of every value of a kernel."""
    places = [place] * len(kernel.own)
    for part in kernel.parts:
        others = [other for other in kernel.parts if other is not part]
        inner = place
        if isinstance(kernel.expr, Product) and any(not isnan(value) for other in others for value in other.values):
            inner = NodeRole.FACTOR
        elif isinstance(kernel.expr, Sum) and place is NodeRole.FACTOR:
            inner = NodeRole.PART
        places += _places(part, inner)
    return places


def _new(parameter: Parameter, place: NodeRole, limits: tuple[float, float], draw: _Draw) -> float:
    node = parameter.node
    if isinstance(node, Leaf):
        return _of_leaf(node, parameter.name, place, limits, draw)
    match parameter.name:
        case "steepness":
            return exp(draw.rng.normal(3.3, 1.0))
        case "width":
            return exp(draw.rng.normal(log(0.1), 1.0))
        case _:
            return _location(getattr(node, "column", None), draw)


def _of_leaf(leaf: Leaf, name: str, place: NodeRole, limits: tuple[float, float], draw: _Draw) -> float:
    row, column = LEAVES[leaf.symbol], leaf.column
    match row.parameter(name).start:
        case Start.SIZE:
            return _sd(row.kind, column, place, draw)
        case Start.MEMORY:
            return _memory(max(draw.context.scales.column(column).gap, draw.context.finest), place, draw)
        case Start.LENGTHSCALE:
            return _lengthscale(max(draw.context.scales.column(column).gap, draw.context.finest), place, draw)
        case Start.PERIOD:
            return _period(limits, column, draw)
        case Start.CONTRAST:
            return _contrast(place, draw)
        case Start.SHAPE:
            return exp(draw.rng.normal(0.0, 1.0))
        case Start.ORIGIN:
            return _zero(place, draw)
        case Start.FIRST:
            return limits[0]


def _lengthscale(gap: float, place: NodeRole, draw: _Draw) -> float:
    """Evenly over all scales the data can show; long ones hardly change what they multiply."""
    if place is not NodeRole.ADDED and draw.gentle:
        return exp(draw.rng.uniform(log(0.3), log(5.0)))
    if draw.rng.random() < 0.33:
        return exp(draw.rng.normal(log(0.5), 1.0))
    return exp(draw.rng.uniform(log(gap), log(1.0)))


def _memory(gap: float, place: NodeRole, draw: _Draw) -> float:
    """Evenly over all scales up to several ranges: what wanders freely has a memory longer than the data."""
    shortest = 0.3 if place is not NodeRole.ADDED and draw.gentle else gap
    return exp(draw.rng.uniform(log(shortest), log(8.0)))


def _contrast(place: NodeRole, draw: _Draw) -> float:
    """A term holds the level of the target, too, beside which differences may be small; a gentle factor is shared."""
    if place is not NodeRole.ADDED:
        return exp(draw.rng.normal(-1.5 if draw.gentle else 0.0, 1.0))
    scales = draw.context.scales
    usual = log(np.clip(scales.y_sd / scales.y_rms, 1e-2, 1.0))  # above one where rows have noise by themselves
    return exp(draw.rng.uniform(2.0 * usual, 0.0) + draw.rng.normal(0.0, 1.0))


def _zero(place: NodeRole, draw: _Draw) -> float:
    """Where a linear function crosses zero; as a gentle factor, outside the data on either side."""
    if place is NodeRole.FACTOR and draw.gentle:
        distance = exp(draw.rng.uniform(log(0.1), log(5.0)))
        return -distance if draw.rng.random() < 0.5 else 1.0 + distance
    return float(draw.rng.uniform(-1.0, 2.0))


def _period(limits: tuple[float, float], column: str | None, draw: _Draw) -> float:
    rng = draw.rng
    data, residual = draw.context.data.of(column).periods, draw.context.residual.of(column).periods
    chance = rng.random()
    scale = draw.context.scales.column(column)
    natural = [period for period in scale.natural_periods if period <= limits[1]]
    proposals: Sequence[float] = residual if chance < 0.45 else data if chance < 0.8 else ()
    if natural and chance > 0.9:
        proposals = natural
    if not proposals:
        # Fits find long periods from afar, and few of them are believed.
        often = min(max(scale.covered / SURE_CYCLES, 2.0 * limits[0]), limits[1])
        return exp(rng.uniform(*np.log((limits[0], often) if chance < 0.96 else (often, limits[1]))))
    # The first proposals are the strongest peaks: geometric weights.
    index = min(int(rng.geometric(0.45)) - 1, len(proposals) - 1)
    multiple = rng.choice([1.0, 2.0, 3.0, 4.0], p=[0.82, 0.08, 0.05, 0.05])
    period = proposals[index] * multiple
    # A peak fixes the period to about a fraction of period / range of itself.
    return float(period * exp(0.1 * period * rng.standard_normal()))


def _location(column: str | None, draw: _Draw) -> float:
    chance = draw.rng.random()
    context = draw.context
    proposals = context.residual.of(column).changes if chance < 0.35 else context.data.of(column).changes
    if chance > 0.6 or not proposals:
        return float(draw.rng.uniform(0.03, 0.97))
    index = min(int(draw.rng.geometric(0.4)) - 1, len(proposals) - 1)
    return float(proposals[index] + 0.01 * draw.rng.standard_normal())


def _sd(kind: LeafKind, column: str | None, place: NodeRole, draw: _Draw) -> float:
    """Factors are of order one; added terms take a size that the data or the residual have."""
    rng = draw.rng
    if place is NodeRole.FACTOR:
        return 1.0
    if place is NodeRole.PART:
        usual = 1.0 if kind is LeafKind.CONSTANT else 0.3
        return usual * exp(rng.normal(0.0, 0.5))
    size = max(float(rng.choice(_sizes(kind, column, draw.context))), 1e-4)
    return size * exp(rng.uniform(-2.0, 0.0) if draw.gentle else rng.normal(0.0, 0.7))


def _sizes(kind: LeafKind, column: str | None, context: Context) -> list[float]:
    residual, data, scales = context.residual.of(column), context.data.of(column), context.scales
    match kind:
        case LeafKind.NOISE:
            return [residual.sd, max(residual.roughness, scales.noise_floor), 0.1 * scales.y_sd]
        case LeafKind.CONSTANT | LeafKind.CATEGORIES:
            return [abs(scales.y_mean), scales.y_sd, residual.sd]
        case _:
            return [scales.y_sd, data.sd, residual.sd]
