"""How much weight the two operands of a change have along the input: the one place where sigmoids are evaluated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician.language.expr import ChangePoint, ChangeWindow

__all__ = ["change_weights", "weight_slopes"]

Array = NDArray[np.float64]


def change_weights(expr: ChangePoint | ChangeWindow, x: Array, own: tuple[float, ...]) -> tuple[Array, Array]:
    """The weights (n,) of the two operands at positions x (n,); they sum to one, and the smaller one keeps its digits.

    Change point: the first operand weighs ``a(x) = (1 - tanh(steepness (x - location))) / 2``. Change window: the
    second operand weighs ``w(x) = (1 + tanh(steepness (x - start))) (1 - tanh(steepness (x - end))) / 4`` with
    start and end ``width / 2`` off the location (Lloyd et al. 2014, with the tanh written as a logistic function).

    >>> from autostatistician.language.expr import Leaf
    >>> step = ChangePoint(Leaf("C"), Leaf("SE"))
    >>> before, after = change_weights(step, np.array([0.0, 30.0]), (0.0, 1.0))
    >>> before.tolist(), after.tolist()
    ([0.5, 8.75651076269652e-27], [0.5, 1.0])
    """
    if isinstance(expr, ChangePoint):
        location, steepness = own
        signed = 2.0 * steepness * (x - location)
        return np.asarray(expit(-signed)), np.asarray(expit(signed))
    (rise, not_yet), (fall, over) = _edges(x, own)
    return not_yet + rise * over, rise * fall


def weight_slopes(expr: ChangePoint | ChangeWindow, x: Array, own: tuple[float, ...]) -> tuple[Array, ...]:
    """The derivatives of the weight of the first operand by location, log steepness (and log width)."""
    location, steepness = own[:2]
    if isinstance(expr, ChangePoint):
        first, second = change_weights(expr, x, own)
        falling = 2.0 * steepness * first * second
        return falling, -falling * (x - location)
    half = 0.5 * own[2]
    (rise, not_yet), (fall, over) = _edges(x, own)
    # d rise / d(argument) = 2 steepness rise (1 - rise); the window is rise * fall and the outside 1 - window.
    rising = 2.0 * steepness * rise * not_yet * fall
    falling = 2.0 * steepness * fall * over * rise
    return (
        rising - falling,
        -(rising * (x - location + half) + falling * (location + half - x)),
        -half * (rising + falling),
    )


def _edges(x: Array, own: tuple[float, ...]) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Of both edges of a window the sigmoid that is one within it, and what it lacks of one."""
    location, steepness, width = own
    started = 2.0 * steepness * (x - location + 0.5 * width)
    ended = 2.0 * steepness * (x - location - 0.5 * width)
    return (
        (np.asarray(expit(started)), np.asarray(expit(-started))),
        (np.asarray(expit(-ended)), np.asarray(expit(ended))),
    )
