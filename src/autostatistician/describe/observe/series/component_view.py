"""A component as the facts about it are read off: laid out, with its data and with draws of its numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Component
from autostatistician.describe.axis.units import Units
from autostatistician.describe.observe.series.anatomy import Anatomy, anatomy, spans
from autostatistician.language.kernel import Kernel

__all__ = ["ComponentView", "component_view"]

Vector = NDArray[np.float64]
Span = tuple[float, float]

_TAILS = (0.025, 0.975)
_ROUNDING = 1e-9


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
        low, high = (float(end) for end in np.quantile(values, _TAILS))
        return (low, high) if high - low > _ROUNDING * max(abs(low), abs(high)) else None

    def share(self, holds: Callable[[Anatomy], bool]) -> float | None:
        """The probability that something holds of the numbers; None where they are not known."""
        return sum(map(holds, self.draws)) / len(self.draws) if self.draws else None


def component_view(name: str, component: Component, x: Vector, units: Units) -> ComponentView:
    """Lay a component out over the data at ``x`` (n,)."""
    part, numbers = anatomy(component.kernel), component.numbers
    rows = [] if numbers is None else numbers.tolist()
    draws = tuple(anatomy(Kernel(component.kernel.expr, tuple(row))) for row in rows)
    return ComponentView(name, part, component, units, x, _acting(part, component, x), draws)


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
