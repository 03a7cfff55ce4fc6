"""A component as the facts about it are read off: laid out, with its data and with draws of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Component
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.function import SuddenChange
from autostatistician.describe.observe.series.anatomy import TENTHS, Anatomy, Gate, anatomy, spans
from autostatistician.language.kernel import Kernel

__all__ = ["ComponentView", "component_view", "places_of"]

Vector = NDArray[np.float64]
Span = tuple[float, float]

_TAILS = (0.025, 0.975)
_ROUNDING = 1e-9
ROWS_NEAR = 3.0  # from where the model has a change to where the data show it


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
    happened: tuple[SuddenChange, ...] = ()

    def interval(self, measure: Callable[[Anatomy], float]) -> Span | None:
        """The 95 % range of what is measured; None where the data leave nothing open or it is not known."""
        values = [measure(draw) for draw in self.draws]
        if not values or not all(isfinite(value) for value in values):
            return None
        low, high = (float(end) for end in np.quantile(values, _TAILS))
        return (low, high) if high - low > _ROUNDING * max(abs(low), abs(high)) else None

    def share(self, holds: Callable[[Anatomy], bool]) -> float | None:
        """The probability that something holds of the numbers; None where they are not known."""
        return sum(map(holds, self.draws)) / len(self.draws) if self.draws else None


def component_view(
    name: str, component: Component, x: Vector, units: Units, happened: tuple[SuddenChange, ...] = ()
) -> ComponentView:
    """Lay a component out over the data at ``x`` (n,); its changes stand where the data show what ``happened``."""
    part, numbers = anatomy(component.kernel), component.numbers
    places = [place for change in happened for place in places_of(change, units)]
    gates, steps = (tuple(_where_seen(gate, places, units) for gate in of) for of in (part.gates, part.steps))
    part = replace(part, gates=gates, steps=steps)
    rows = [] if numbers is None else numbers.tolist()
    draws = tuple(anatomy(Kernel(component.kernel.expr, tuple(row))) for row in rows)
    return ComponentView(name, part, component, units, x, _acting(part, component, x), draws, happened)


def places_of(change: SuddenChange, units: Units) -> tuple[float, ...]:
    """Between which rows a sudden change begins, and ends where it does."""
    begins = 0.5 * (change.before + change.at)
    return (begins,) if change.until is None else (begins, change.until - 0.5 * units.gap)


def _where_seen(gate: Gate, places: Sequence[float], units: Units) -> Gate:
    """A gate with its edges at the places that lie near them: the model knows these to a few rows only."""
    near = max(ROWS_NEAR * units.gap, 0.5 * gate.duration)
    seen = [min(places, key=lambda place: abs(place - edge), default=inf) for edge in gate.edges]
    edges = [place if abs(place - edge) <= near else edge for place, edge in zip(seen, gate.edges, strict=True)]
    if tuple(edges) == gate.edges or edges[0] >= edges[-1] > edges[0] - gate.width:
        return gate
    steepness = max(gate.steepness, TENTHS / units.gap)
    return Gate(gate.side, 0.5 * (edges[0] + edges[-1]), steepness, edges[-1] - edges[0], seen=True)


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
