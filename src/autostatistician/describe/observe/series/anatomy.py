"""A component's kernel laid out for description: the changes it sits behind, and its factors by kind.

A component is one product of leaves, perhaps inside change points and windows whose other operand is
the leaf "0". Its operators are peeled off from the outside in (Lloyd et al. 2014, section 4). What wanders off
from a level comes with that level, and so does a straight line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from math import exp, inf, isfinite, pi, prod, sqrt, tanh
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import LevelChange
from autostatistician.decompose.records.series import Component
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import TENTHS
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import Decay, LeafKind
from autostatistician.kernels.leaves import LEAVES, is_leaf_of

__all__ = [
    "SINUSOID_FROM",
    "Anatomy",
    "ComponentView",
    "Gate",
    "GateSide",
    "anatomy",
    "component_view",
    "intersect",
    "noise_sd",
    "place_told",
    "smooth_length",
    "spans",
    "within_period",
]  # fmt: skip


Span = tuple[float, float]

_NOTHING = Leaf("0")

# Leaves that are as large at one place as at any other.
_EVEN = (LeafKind.SMOOTH, LeafKind.WANDERING, LeafKind.CYCLIC, LeafKind.CONSTANT, LeafKind.NOISE)

SLIGHT_OPENING = 1e-5  # of its size, which is free: a part that never opens further applies nowhere

Vector = NDArray[np.float64]

ENDS_OF_95 = (0.025, 0.975)

ROUNDING = 1e-9

ROWS_NEAR = 3.0  # from where the model has a change to where the data show it

RIGHT_BEFORE = 0.01  # of a step: that close before a row is no row


class GateSide(Enum):
    """On which side of a change a component acts."""

    BEFORE = auto()
    AFTER = auto()
    INSIDE = auto()
    OUTSIDE = auto()


@dataclass(frozen=True)
class Gate:
    """One change that switches a component; ``width`` is that of a window, 0 for a change point.

    ``seen``: which of its edges stand where the data show a sudden change, and not where the model happens to have it.
    """

    side: GateSide
    location: float
    steepness: float
    width: float = 0.0
    seen: tuple[bool, ...] = (False, False)

    @property
    def duration(self) -> float:
        """How long it takes from 10 % to 90 %."""
        return TENTHS / self.steepness

    @property
    def edges(self) -> tuple[float, ...]:
        """Where the component is switched on or off."""
        if self.side in (GateSide.BEFORE, GateSide.AFTER):
            return (self.location,)
        return (self.location - self.width / 2, self.location + self.width / 2)


@dataclass(frozen=True)
class Anatomy:
    """A component's gates, outermost first, and its leaves with their numbers."""

    gates: tuple[Gate, ...]
    leaves: tuple[Kernel, ...]
    has_level: bool = False  # from which its leaf wanders off, or on which its line stands
    steps: tuple[Gate, ...] = ()  # of a level, at which it changes

    def of(self, *kinds: LeafKind) -> tuple[dict[str, float], ...]:
        """The numbers of all leaves of these kinds."""
        return tuple(part.named() for part in self.leaves if is_leaf_of(part.expr, *kinds))

    @property
    def switches(self) -> tuple[Gate, ...]:
        """Its gates, or those at which a level steps."""
        return self.gates or self.steps

    @property
    def rough(self) -> bool:
        """Whether a factor has no slope anywhere: a level that wanders."""
        return any(decay.power == 1 for decay in self._decays) or self.walks

    @property
    def walks(self) -> bool:
        """Whether a factor is a level that wanders off; without a length of memory it has no slope."""
        return any("lengthscale" not in numbers for numbers in self.of(LeafKind.UNBOUNDED))

    @property
    def several_scales(self) -> bool:
        """Whether a factor varies on several scales at once."""
        return any(decay.mixed for decay in self._decays)

    @property
    def _decays(self) -> list[Decay]:
        rows = [LEAVES[part.expr.symbol] for part in self.leaves if isinstance(part.expr, Leaf)]
        return [row.decay for row in rows if row.decay is not None]


def anatomy(kernel: Kernel) -> Anatomy:
    """Lay out the kernel of one component.

    Raises
    ------
    ValueError
        When the kernel is not one product of leaves inside changes with one empty side, nor a walk or a line with its
        level, nor a level that steps.
    """
    match kernel.expr:
        case Leaf():
            return Anatomy((), (kernel,))
        case Product():
            parts = [anatomy(part) for part in kernel.parts]
            return Anatomy(
                tuple(g for part in parts for g in part.gates), tuple(x for part in parts for x in part.leaves)
            )
        case ChangePoint():
            return _behind(kernel, (GateSide.BEFORE, GateSide.AFTER))
        case ChangeWindow():
            return _behind(kernel, (GateSide.OUTSIDE, GateSide.INSIDE))
        case Sum():
            carriers = [part for part in kernel.parts if not is_leaf_of(part.expr, LeafKind.CONSTANT)]
            levels = [part for part in kernel.parts if is_leaf_of(part.expr, LeafKind.CONSTANT)]
            gated = [anatomy(carrier) for carrier in carriers if isinstance(carrier.expr, ChangePoint | ChangeWindow)]
            if len(gated) == len(carriers) and all(map(_is_level, gated)):
                steps = tuple(gate for carrier in gated for gate in carrier.gates)
                return Anatomy((), tuple(levels[:1]) or gated[0].leaves, has_level=True, steps=steps)
            if len(carriers) == len(levels) == 1 and _carries(carriers[0].expr):
                return Anatomy((), anatomy(carriers[0]).leaves, has_level=True)
            raise ValueError("expected the kernel of one component; found a sum; take the model apart first")


def _is_level(part: Anatomy) -> bool:
    return all(is_leaf_of(leaf.expr, LeafKind.CONSTANT) for leaf in part.leaves)


def _carries(expr: Expr) -> bool:
    """Whether a level is one with such a part: a walk, a line, a polynomial."""
    factors = expr.factors if isinstance(expr, Product) else (expr,)
    lines = all(is_leaf_of(factor, LeafKind.LINE) for factor in factors)
    return lines or is_leaf_of(expr, LeafKind.UNBOUNDED)


def _behind(kernel: Kernel, sides: tuple[GateSide, GateSide]) -> Anatomy:
    filled = [(part, side) for part, side in zip(kernel.parts, sides, strict=True) if part.expr != _NOTHING]
    if len(filled) != 1:
        raise ValueError("expected a change with one empty side; found two parts; take the model apart first")
    part, side = filled[0]
    numbers = kernel.named()
    inner = anatomy(part)
    gate = Gate(side, numbers["location"], numbers["steepness"], numbers.get("width", 0.0))
    return Anatomy((gate, *inner.gates), inner.leaves)


def intersect(left: tuple[Span, ...], right: tuple[Span, ...]) -> tuple[Span, ...]:
    """The common part of two lists of intervals, each ascending; empty pieces are dropped.

    >>> intersect(((0.0, 5.0), (7.0, 9.0)), ((4.0, 8.0),))
    ((4.0, 5.0), (7.0, 8.0))
    """
    pieces = [(max(a, c), min(b, d)) for a, b in left for c, d in right]
    return tuple(sorted(piece for piece in pieces if piece[0] < piece[1]))


def spans(gates: tuple[Gate, ...]) -> tuple[Span, ...]:
    """Where a component behind these gates acts.

    >>> spans((Gate(GateSide.OUTSIDE, 5.0, 1.0, 2.0), Gate(GateSide.AFTER, 1.0, 1.0)))
    ((1.0, 4.0), (6.0, inf))
    """
    acting: tuple[Span, ...] = ((-inf, inf),)
    for gate in gates:
        acting = intersect(acting, _gate_spans(gate))
    return acting or _passing(gates)


def _passing(gates: tuple[Gate, ...]) -> tuple[Span, ...]:
    """The stretch between two gradual changes that cross: there, both are still open a little, and nowhere more.

    >>> _passing((Gate(GateSide.BEFORE, 5.0, 1.0), Gate(GateSide.AFTER, 6.0, 1.0)))
    ((5.0, 6.0),)
    >>> _passing((Gate(GateSide.BEFORE, 5.0, 1.0), Gate(GateSide.AFTER, 60.0, 1.0)))
    ()
    """
    if any(gate.side is GateSide.OUTSIDE for gate in gates):
        return ()
    pieces = [_gate_spans(gate)[0] for gate in gates]
    start, end = max(low for low, _ in pieces), min(high for _, high in pieces)
    weight = prod(_open_at(gate, 0.5 * (start + end)) for gate in gates)
    return ((end, start),) if end < start and weight > SLIGHT_OPENING else ()


def _open_at(gate: Gate, position: float) -> float:
    """How far a gate is open at a position, from 0 to 1."""
    after = [0.5 + 0.5 * tanh(gate.steepness * (position - edge)) for edge in gate.edges]
    match gate.side:
        case GateSide.BEFORE:
            return 1.0 - after[0]
        case GateSide.AFTER:
            return after[0]
        case _:
            return after[0] * (1.0 - after[-1])


def _gate_spans(gate: Gate) -> tuple[Span, ...]:
    low, high = gate.edges[0], gate.edges[-1]
    match gate.side:
        case GateSide.BEFORE:
            return ((-inf, low),)
        case GateSide.AFTER:
            return ((low, inf),)
        case GateSide.INSIDE:
            return ((low, high),)
        case _:
            return ((-inf, low), (high, inf))


def smooth_length(part: Anatomy) -> float | None:
    """The lengthscale of all smooth factors together: 1/l^2 is the sum of their 1/l^2; None without any."""
    lengths = [numbers["lengthscale"] for numbers in part.of(LeafKind.SMOOTH, LeafKind.WANDERING)]
    return None if not lengths else sqrt(1.0 / sum(1.0 / value**2 for value in lengths))


AnyPosition = TypeVar("AnyPosition", float, NDArray[np.float64])


def noise_sd(part: Anatomy, position: AnyPosition) -> AnyPosition | float:
    """Prior standard deviation of the component at positions where its gates are open."""
    flat = prod(numbers["sd"] for numbers in part.of(*_EVEN))
    lines = prod(numbers["sd"] * abs(position - numbers["location"]) for numbers in part.of(LeafKind.LINE))
    walks = [leaf for leaf in part.leaves if is_leaf_of(leaf.expr, LeafKind.UNBOUNDED)]
    return flat * lines * prod(_walk_sd(walk, position) for walk in walks)


def _walk_sd(walk: Kernel, position: AnyPosition) -> AnyPosition:
    """The standard deviation of what has come together since it began."""
    *values, location = walk.own
    assert isinstance(walk.expr, Leaf)
    rise = LEAVES[walk.expr.symbol].of_increments
    assert rise is not None
    return cast(AnyPosition, np.sqrt(2.0 * rise.value(np.asarray(position - location), *values)))


def within_period(numbers: dict[str, float]) -> float:
    """The lengthscale of a periodic leaf along the axis: its relative one times p / (2 pi) (Lloyd et al. 2014).

    Of pure waves it is that with one, in which the correlation falls off as it does in a smooth curve.
    """
    return numbers.get("lengthscale", 1.0) * numbers["period"] / (2 * pi)


SINUSOID_FROM = exp(2.0)  # relative lengthscale from which a cycle is hardly distinguishable from a pure wave


# --- A component as the facts about it are read off -----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ComponentView:
    """One component with all that its facts are read off."""

    name: str
    part: Anatomy
    component: Component
    units: Units
    x: Vector  # (n,) where the data are
    where: NDArray[np.bool_]  # (n,) which data it acts on; all of them when it acts on none
    draws: tuple[Anatomy, ...]  # its numbers as the data leave them open; none where that is not known

    def interval(self, measure: Callable[[Anatomy], float]) -> Span | None:
        """The 95 % range of what is measured; None where the data leave nothing open or it is not known."""
        values = [measure(draw) for draw in self.draws]
        if not values or not all(isfinite(value) for value in values):
            return None
        low, high = (float(end) for end in np.quantile(values, ENDS_OF_95))
        return (low, high) if high - low > ROUNDING * max(abs(low), abs(high)) else None

    def share(self, holds: Callable[[Anatomy], bool]) -> float | None:
        """The probability that something holds of the numbers; None where they are not known."""
        return sum(map(holds, self.draws)) / len(self.draws) if self.draws else None


def component_view(
    name: str, component: Component, x: Vector, units: Units, happened: tuple[LevelChange, ...] = ()
) -> ComponentView:
    """Lay a component out over the data at ``x`` (n,); its changes stand where the data show what ``happened``."""
    part, numbers = anatomy(component.kernel), component.numbers
    gates, steps = (tuple(_where_seen(gate, happened, units) for gate in of) for of in (part.gates, part.steps))
    part = replace(part, gates=gates, steps=steps)
    rows = [] if numbers is None else numbers.tolist()
    draws = tuple(anatomy(Kernel(component.kernel.expr, tuple(row))) for row in rows)
    return ComponentView(name, part, component, units, x, _acting(part, component, x), draws)


def place_told(edge: float, happened: Sequence[LevelChange], units: Units, near: float = 0.0) -> float | None:
    """Right before which row something ``happened`` begins, or ends, where a change of a model lies; None for none.

    The model knows its place to a few rows only, or to those that lie ``near``; the data may know a range of rows.
    """
    rows = [((change.begins or (change.at, change.at)), change.at) for change in happened]
    rows += [((change.until, change.until), change.until) for change in happened if change.until is not None]
    near = max(near, ROWS_NEAR * units.gap)
    close = [row for (first, last), row in rows if first - near <= edge <= last + near]
    return min(close, key=lambda row: abs(row - edge)) - RIGHT_BEFORE * units.gap if close else None


def _where_seen(gate: Gate, happened: Sequence[LevelChange], units: Units) -> Gate:
    """A gate with its edges where what happened near them is told."""
    told = [place_told(edge, happened, units, 0.5 * gate.duration) for edge in gate.edges]
    edges = [edge if place is None else place for place, edge in zip(told, gate.edges, strict=True)]
    if tuple(edges) == gate.edges or edges[0] >= edges[-1] > edges[0] - gate.width:
        return gate
    steepness, seen = max(gate.steepness, TENTHS / units.gap), tuple(place is not None for place in told)
    return Gate(gate.side, 0.5 * (edges[0] + edges[-1]), steepness, edges[-1] - edges[0], seen)


def _acting(part: Anatomy, component: Component, x: Vector) -> NDArray[np.bool_]:
    mask = np.zeros(x.shape, dtype=bool)
    for low, high in spans(part.gates):
        mask |= (x >= low) & (x <= high)
    if not mask.any() and (acting := spans(part.gates)):  # between two rows: the nearest
        nearest = int(np.abs(x - 0.5 * (acting[0][0] + acting[0][1])).argmin())
        mask[nearest] = x[0] < acting[0][1] and acting[0][0] < x[-1]
    if component.active is not None:
        inner = mask & (x >= component.active[0]) & (x <= component.active[1])
        mask = inner if inner.any() else mask
    return mask if mask.any() else np.ones(x.shape, dtype=bool)
