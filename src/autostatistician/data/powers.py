"""Powers of a target (Box and Cox 1964), of which the data choose one.

They leave the typical level where it is and have the slope one there, so numbers on the scale of the model are, near
that level, numbers in the units of the data. They are one-to-one from all values above zero to all numbers that a
normal variable can take, so what comes back from the model is a proper distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["BoxCox"]

Array = NDArray[np.float64]

LEAST_POWER = 1e-6  # nearer to zero a power is the logarithm
MOST_EXPONENT = 300.0  # exponents beyond are cut, so that all numbers and their squares stay finite


@dataclass(frozen=True, slots=True)
class BoxCox:
    """A power of values above zero: t = centre + centre ((y / centre)^power - 1) / power.

    The map of Box and Cox (1964, equation 1) with their division by the slope at the geometric mean. By itself it leads
    to a part of the line only, for which no normal variable keeps. Beyond the ``edge`` it goes on without a kink: of
    a power above zero as a logarithm below the least datum, of one below zero as a line above the largest.

    Parameters
    ----------
    power : float
        1: a line; 0: the logarithm; -1: the reciprocal.
    centre : float
        The geometric mean of the data: their typical level.
    edge : float
        The least datum for a power above zero, the largest for one below.

    Examples
    --------
    >>> root = BoxCox(0.5, centre=4.0, edge=1.0)
    >>> t = root.forward(np.array([0.25, 1.0, 4.0, 16.0]))
    >>> t.round(3).tolist(), root.back(t).round(6).tolist()
    ([-2.773, 0.0, 4.0, 12.0], [0.25, 1.0, 4.0, 16.0])
    """

    power: float
    centre: float
    edge: float

    def forward(self, y: Array) -> Array:
        """Values above zero on the scale of the model; in their units at the centre."""
        inside = self._powered(self._inside(y))
        if abs(self.power) < LEAST_POWER:
            return inside
        with np.errstate(divide="ignore"):
            beyond = np.log(y / self.edge) * self.edge if self.power > 0.0 else y - self.edge
        return np.asarray(np.where(self._is_inside(y), inside, inside + self._slope_at_edge * beyond))

    def back(self, t: Array) -> Array:
        """The inverse; always above zero."""
        if abs(self.power) < LEAST_POWER:
            return np.asarray(self.centre * np.exp(np.clip(t / self.centre - 1.0, -MOST_EXPONENT, MOST_EXPONENT)))
        at_edge = float(self._powered(np.array([self.edge]))[0])
        inner = np.maximum(t, at_edge) if self.power > 0.0 else np.minimum(t, at_edge)
        logs = np.log1p(self.power * (inner / self.centre - 1.0)) / self.power
        inside = self.centre * np.exp(np.minimum(logs, MOST_EXPONENT))
        beyond = (t - inner) / self._slope_at_edge
        if self.power < 0.0:
            return np.asarray(inside + beyond)
        return np.asarray(inside * np.exp(np.maximum(beyond / self.edge, -MOST_EXPONENT)))

    def log_slope(self, y: Array) -> Array:
        """Log dt/dy at values above zero; 0 at the centre."""
        slope = (self.power - 1.0) * np.log(self._inside(y) / self.centre)
        if self.power < LEAST_POWER:
            return np.asarray(slope)
        with np.errstate(divide="ignore"):
            return np.asarray(slope - np.log(np.maximum(y, 0.0) / self._inside(y)) * ~self._is_inside(y))

    def _is_inside(self, y: Array) -> NDArray[np.bool_]:
        if abs(self.power) < LEAST_POWER:
            return np.ones(np.shape(y), dtype=np.bool_)
        return np.asarray(y >= self.edge if self.power > 0.0 else y <= self.edge)

    def _inside(self, y: Array) -> Array:
        return np.where(self._is_inside(y), y, self.edge)

    def _powered(self, y: Array) -> Array:
        logs = np.log(y / self.centre)
        changed = logs if abs(self.power) < LEAST_POWER else np.expm1(self.power * logs) / self.power
        return np.asarray(self.centre * (1.0 + changed))

    @property
    def _slope_at_edge(self) -> float:
        return float((self.edge / self.centre) ** (self.power - 1.0))
