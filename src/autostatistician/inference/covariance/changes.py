"""How much weight the first operand of a change has along the input."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.language.expr import ChangePoint, Expr

__all__ = ["change_weight"]

Vector = NDArray[np.float64]


def change_weight(expr: Expr, x: Vector, own: tuple[float, ...]) -> tuple[Vector, tuple[Vector, ...]]:
    """The profile of the first operand and its derivatives by location, log steepness (and log width)."""
    location, steepness = own[0], own[1]
    if isinstance(expr, ChangePoint):
        edge = np.tanh(steepness * (x - location))
        slope = 0.5 * steepness * (1.0 - edge**2)
        return 0.5 * (1.0 - edge), (slope, -slope * (x - location))
    half = 0.5 * own[2]
    from_left, to_right = x - location + half, location + half - x
    rise = 0.5 * (1.0 + np.tanh(steepness * from_left))
    fall = 0.5 * (1.0 + np.tanh(steepness * to_right))
    # d rise / d(argument) = 2 steepness rise (1 - rise); the window is rise * fall and the outside 1 - window.
    rising = 2.0 * steepness * rise * (1.0 - rise) * fall
    falling = 2.0 * steepness * fall * (1.0 - fall) * rise
    return 1.0 - rise * fall, (
        rising - falling,
        -(rising * from_left + falling * to_right),
        -half * (rising + falling),
    )
