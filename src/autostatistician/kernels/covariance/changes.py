"""How much weight the two operands of a change have along the input: the one place where its shape is evaluated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician.kernels.expr import ChangePoint, ChangeWindow

__all__ = ["change_weights", "weights_and_slopes"]

Array = NDArray[np.float64]


def change_weights(expr: ChangePoint | ChangeWindow, x: Array, values: tuple[float, ...]) -> tuple[Array, Array]:
    """The weights (n,) of the two operands at positions x (n,); they sum to one, and the smaller one keeps its digits.

    Change point: the first operand weighs ``a(x) = (1 - tanh(steepness (x - location))) / 2``. Change window: the
    second operand weighs ``w(x) = (1 + tanh(steepness (x - start))) (1 - tanh(steepness (x - end))) / 4`` with
    start and end ``width / 2`` off the location (Lloyd et al. 2014, with the tanh written as a logistic function).

    >>> from autostatistician.kernels.expr import Leaf
    >>> step = ChangePoint(Leaf("C"), Leaf("SE"))
    >>> before, after = change_weights(step, np.array([0.0, 30.0]), (0.0, 1.0))
    >>> before.tolist(), after.tolist()
    ([0.5, 8.75651076269652e-27], [0.5, 1.0])
    """
    if isinstance(expr, ChangePoint):
        location, steepness = values
        after, before = _sigmoids(2.0 * steepness * (x - location))
        return before, after
    rise, not_yet, fall, over = _edges(x, values)
    return not_yet + rise * over, rise * fall


def weights_and_slopes(
    expr: ChangePoint | ChangeWindow, x: Array, values: tuple[float, ...]
) -> tuple[tuple[Array, Array], tuple[Array, ...]]:
    """The same, and the derivatives of the first weight by location, log steepness (and log width)."""
    location, steepness = values[:2]
    if isinstance(expr, ChangePoint):
        before, after = change_weights(expr, x, values)
        falling = 2.0 * steepness * before * after
        return (before, after), (falling, -falling * (x - location))
    half = 0.5 * values[2]
    rise, not_yet, fall, over = _edges(x, values)
    # d rise / d(argument) = 2 steepness rise (1 - rise); the window is rise * fall and the outside 1 - window.
    rising = 2.0 * steepness * rise * not_yet * fall
    falling = 2.0 * steepness * fall * over * rise
    slopes = (
        rising - falling,
        -(rising * (x - location + half) + falling * (location + half - x)),
        -half * (rising + falling),
    )
    return (not_yet + rise * over, rise * fall), slopes


def _edges(x: Array, values: tuple[float, ...]) -> tuple[Array, Array, Array, Array]:
    """Of both edges of a window the sigmoid that is one within it, and what it lacks of one."""
    location, steepness, width = values
    rise, not_yet = _sigmoids(2.0 * steepness * (x - location + 0.5 * width))
    over, fall = _sigmoids(2.0 * steepness * (x - location - 0.5 * width))
    return rise, not_yet, fall, over


def _sigmoids(z: Array) -> tuple[Array, Array]:
    """``1 / (1 + exp(-z))`` and ``1 / (1 + exp(z))``, each to all its digits."""
    return np.asarray(expit(z)), np.asarray(expit(-z))
