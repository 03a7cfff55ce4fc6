"""Maps of a target whose shape is learned from the data: powers (Box and Cox 1964), and one for either sign.

Both leave the typical level where it is and have the slope one there, so numbers on the scale of the model are, near
that level, numbers in the units of the data. Both are one-to-one from all values that a target can have to all numbers
that a normal variable can take, so what comes back from the model is a proper distribution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.wording.numbers import as_written

__all__ = ["WARPS", "BoxCox", "SinhArcsinh", "Warp"]

Array = NDArray[np.float64]

LEAST_POWER = 1e-6  # nearer to zero a power is the logarithm
MOST_EXPONENT = 300.0  # exponents beyond are cut, so that all numbers and their squares stay finite
SHARES = (0.16, 0.84)  # of the values, between which they lie as a normal variable within one standard deviation


class Warp(Protocol):
    """A monotone map of a target with few numbers that data choose."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers that data choose."""
        ...

    @property
    def centre(self) -> float:
        """The usual level, which the map leaves where it is, with a slope of one."""
        ...

    @property
    def positive(self) -> bool:
        """Whether only values above zero can be mapped."""
        ...

    def forward(self, y: Array) -> Array:
        """Values on the scale of the model."""
        ...

    def back(self, t: Array) -> Array:
        """The inverse of `forward`."""
        ...

    def log_slope(self, y: Array) -> Array:
        """Log dt/dy at each value."""
        ...


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
    >>> root = BoxCox.of(np.array([1.0, 4.0, 16.0]), (0.5,))
    >>> t = root.forward(np.array([0.25, 1.0, 4.0, 16.0]))
    >>> t.round(3).tolist(), root.back(t).round(6).tolist()
    ([-2.773, 0.0, 4.0, 12.0], [0.25, 1.0, 4.0, 16.0])
    """

    power: float
    centre: float
    edge: float

    @classmethod
    def of(cls, y: Array, numbers: tuple[float, ...]) -> BoxCox:
        """With this power, for data ``y`` (n,) in their own units."""
        smallest = float(y.min())
        if smallest <= 0.0:
            expected = "data above zero for transform 'box-cox'"
            raise InputError.of(expected, as_written(smallest), "use transform 'sinh-arcsinh', 'none' or 'auto'")
        (power,) = numbers
        return cls(power, float(np.exp(np.mean(np.log(y)))), smallest if power > 0.0 else float(y.max()))

    @property
    def numbers(self) -> tuple[float, ...]:
        """The power."""
        return (self.power,)

    @property
    def positive(self) -> bool:
        """Always."""
        return True

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


@dataclass(frozen=True, slots=True)
class SinhArcsinh:
    """A map of values of any sign: in standard units sinh(exp(tail) arsinh(z) - skew).

    Of the values of a normal variable it makes those of the sinh-arcsinh distribution of Jones and Pewsey (2009,
    equation 1). Here it is moved and divided so that the centre stays where it is and has the slope one.

    Parameters
    ----------
    skew : float
        Above zero high values lie farther apart than low ones.
    tail : float
        Below zero values far from the centre lie farther apart than of a normal variable, above it nearer.
    centre, width : float
        The median of the data, and half of what their middle 68 % span: the units of z.

    Examples
    --------
    >>> warp = SinhArcsinh(0.5, -0.2, 10.0, 2.0)
    >>> t = warp.forward(np.array([6.0, 10.0, 14.0]))
    >>> t.round(3).tolist(), warp.back(t).round(6).tolist()
    ([5.507, 10.0, 12.723], [6.0, 10.0, 14.0])
    """

    skew: float
    tail: float
    centre: float
    width: float

    @classmethod
    def of(cls, y: Array, numbers: tuple[float, ...]) -> SinhArcsinh:
        """With this skew and tail, for data ``y`` (n,) in their own units."""
        (skew, tail), (low, high) = numbers, np.quantile(y, SHARES)
        return cls(skew, tail, float(np.median(y)), float(0.5 * (high - low)) or float(np.std(y)) or 1.0)

    @property
    def numbers(self) -> tuple[float, ...]:
        """Skew and tail."""
        return self.skew, self.tail

    @property
    def positive(self) -> bool:
        """Never."""
        return False

    def forward(self, y: Array) -> Array:
        """Values on the scale of the model; in their units at the centre."""
        raw = np.sinh(self._angle(y))
        return np.asarray(self.centre + self.width * (raw + np.sinh(self.skew)) / self._unit)

    def back(self, t: Array) -> Array:
        """The inverse."""
        raw = self._unit * (t - self.centre) / self.width - np.sinh(self.skew)
        angle = (np.arcsinh(raw) + self.skew) * np.exp(-self.tail)
        return np.asarray(self.centre + self.width * np.sinh(np.clip(angle, -MOST_EXPONENT, MOST_EXPONENT)))

    def log_slope(self, y: Array) -> Array:
        """Log dt/dy at values; 0 at the centre."""
        angle, z = self._angle(y), (y - self.centre) / self.width
        cosh = np.logaddexp(angle, -angle) - np.log(2.0)
        return np.asarray(cosh - 0.5 * np.log1p(z**2) - np.log(np.cosh(self.skew)))

    def _angle(self, y: Array) -> Array:
        angle = np.exp(self.tail) * np.arcsinh((y - self.centre) / self.width) - self.skew
        return np.asarray(np.clip(angle, -MOST_EXPONENT, MOST_EXPONENT))

    @property
    def _unit(self) -> float:
        return float(np.exp(self.tail) * np.cosh(self.skew))


WARPS: dict[str, type[BoxCox] | type[SinhArcsinh]] = {"box-cox": BoxCox, "sinh-arcsinh": SinhArcsinh}


def to_json(warp: Warp) -> dict[str, Any]:
    """A JSON-ready record."""
    return asdict(warp)  # type: ignore[call-overload, no-any-return]


def from_json(name: str, record: dict[str, Any]) -> Warp:
    """What `to_json` wrote of the warp of this name."""
    made = cast(Callable[..., BoxCox | SinhArcsinh], WARPS[name])
    warp = made(**{key: float(value) for key, value in record.items()})
    above = (warp.centre, warp.edge) if isinstance(warp, BoxCox) else (warp.width,)
    if not (np.isfinite([*asdict(warp).values()]).all() and min(above) > 0.0):
        raise ValueError(f"no map of a target with {record}")
    return warp
