"""Sums and products of terms ``diag(a) T(v) diag(a)``, and the way back through them.

A kernel on given points is such a sum over profiles ``a`` (see `profiles`). Products of terms multiply their profiles
and what stands at each lag; white noise counts at lag zero of a point with itself only.

All of it holds for stacks of kernels as well (see `stacked`): vectors are then matrices with a row for each kernel, and
what is the same at all lags is a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BLOCK_LENGTH",
    "Memory",
    "Profile",
    "Slot",
    "Terms",
    "added",
    "is_nothing",
    "is_one_number",
    "multiplied",
    "product_adjoint",
    "total",
    "with_factor",
]

Vector = NDArray[np.float64]
# A profile is the tuple of the numbers of its factors; () is the constant profile 1.
Profile = tuple[int, ...]

# Pairs of points come in hundreds of thousands: blocks of this size keep the steps of a leaf in the cache.
BLOCK_LENGTH = 16384


@dataclass(slots=True)
class Slot:
    """What stands between one profile: ``v`` over lags (a float when the same at all lags) and noise ``d``.

    Of functions with stationary increments also ``rise`` over the points: their covariance has ``rise + rise'``. Slots
    that are multiplied have none (see `profiles`).
    """

    v: Vector | float = 0.0
    d: Any = 0.0
    rise: Vector | None = None

    def at_zero(self) -> Any:
        """The value of ``v`` at lag zero."""
        if isinstance(self.v, float):
            return self.v
        return float(self.v[0]) if self.v.ndim == 1 else self.v[:, :1]


Terms = dict[Profile, Slot]


class Memory(Protocol):
    """Where vectors over the lags are kept."""

    def scratch(self, length: int) -> Vector:
        """A vector whose content has no meaning."""
        ...


def with_factor(key: Profile, factor: int) -> Profile:
    """The profile with one factor more."""
    return tuple(sorted((*key, factor)))


def is_nothing(part: Any) -> bool:
    """Whether a part of a slot is an exact zero.

    >>> is_nothing(0.0), is_nothing(np.zeros(2))
    (True, False)
    """
    return isinstance(part, float) and part == 0.0


def is_one_number(v: Vector | float) -> bool:
    """Whether what stands at the lags is the same at all: a number, or a column of them.

    >>> is_one_number(2.0), is_one_number(np.ones(1)), is_one_number(np.ones((3, 1)))
    (True, False, True)
    """
    return isinstance(v, float) or (v.ndim == 2 and v.shape[1] == 1)


def total(v: Vector | float) -> Any:
    """The sum over all lags, of a number itself; of a stack those of its rows, as a column."""
    if isinstance(v, float):
        return v
    return float(v.sum()) if v.ndim == 1 else v.sum(axis=1, keepdims=True)


def added(parts: Sequence[Terms], memory: Memory) -> Terms:
    """The sum."""
    total: Terms = {}
    for terms in parts:
        for key, slot in terms.items():
            if key in total:
                other = total[key]
                rises = [term.rise for term in (other, slot) if term.rise is not None]
                rise = rises[0] + rises[1] if len(rises) == 2 else next(iter(rises), None)
                total[key] = Slot(_plus(other.v, slot.v, memory), other.d + slot.d, rise)
            else:
                total[key] = slot
    return total


def multiplied(left: Terms, right: Terms, memory: Memory) -> Terms:
    """The product: (v1 + d1 delta)(v2 + d2 delta), where delta is one at lag zero of a point with itself only."""
    products = [
        {
            tuple(sorted(key + other)): Slot(
                _times(a.v, b.v, memory),
                _noise(a, b),
            )
        }
        for key, a in left.items()
        for other, b in right.items()
    ]
    return added(products, memory)


def _noise(a: Slot, b: Slot) -> Any:
    noise = 0.0 if is_nothing(a.d) else a.d * (b.d + b.at_zero())
    return noise if is_nothing(b.d) else noise + b.d * a.at_zero()


def product_adjoint(target: Terms, other: Terms, adjoints: Terms, memory: Memory) -> Terms:
    """The derivative with respect to ``target`` given that with respect to ``target * other``."""
    adjoint: Terms = {}
    for key, slot in target.items():
        parts = []
        for partner, b in other.items():
            up = adjoints[tuple(sorted(key + partner))]
            parts.append(_slot_adjoint(slot, b, up, memory))
        adjoint[key] = parts[0] if len(parts) == 1 else added([{(): part} for part in parts], memory)[()]
    return adjoint


def _times(v: Vector | float, w: Vector | float, memory: Memory) -> Vector | float:
    """The product; an exact zero (the lag part of white noise) stays one number and costs nothing later."""
    if isinstance(v, float) or isinstance(w, float):
        return 0.0 if is_nothing(v) or is_nothing(w) else v * w
    return np.multiply(v, w, out=memory.scratch(len(v))) if len(v) > BLOCK_LENGTH else v * w


def _plus(v: Vector | float, w: Vector | float, memory: Memory) -> Vector | float:
    if isinstance(v, np.ndarray) and isinstance(w, np.ndarray) and len(v) > BLOCK_LENGTH:
        return np.add(v, w, out=memory.scratch(len(v)))
    return v + w


def _slot_adjoint(slot: Slot, partner: Slot, up: Slot, memory: Memory) -> Slot:
    d = 0.0 if is_nothing(slot.d) else up.d * (partner.d + partner.at_zero())
    if is_nothing(slot.v):
        return Slot(0.0, d)
    v = _times(up.v, partner.v, memory)
    if not is_nothing(partner.d):  # a noisy partner passes the diagonal on through the value at lag zero
        if isinstance(slot.v, np.ndarray) and isinstance(v, float):
            v = np.zeros_like(slot.v)
        if isinstance(v, float):
            v += up.d * partner.d
        else:
            v[..., :1] += up.d * partner.d
    # A slot that is one number has one derivative; left as a vector it could not be added to those by other partners.
    return Slot(total(v) if is_one_number(slot.v) else v, d)
