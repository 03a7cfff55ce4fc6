"""Sums and products of terms ``diag(a) T(v) diag(a)``, and the way back through them.

A kernel on given points is such a sum over profiles ``a`` (see `profiles`). Products of terms multiply their profiles
and what stands at each lag; white noise counts at lag zero of a point with itself only.

All of it holds for stacks of kernels as well (see `stacked`): vectors are then matrices with a row for each kernel, and
what is the same at all lags is a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BLOCK_LENGTH", "Profile", "Slot", "Terms", "is_nothing", "is_one_number", "noise_of_product", "total",
    "with_factor",
]  # fmt: skip

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


def noise_of_product(a: Slot, b: Slot) -> Any:
    """The noise of a product of two slots: of either with what the other is at lag zero, and of both."""
    noise = 0.0 if is_nothing(a.d) else a.d * (b.d + b.at_zero())
    return noise if is_nothing(b.d) else noise + b.d * a.at_zero()


def total(v: Vector | float) -> Any:
    """The sum over all lags, of a number itself; of a stack those of its rows, as a column."""
    if isinstance(v, float):
        return v
    return float(v.sum()) if v.ndim == 1 else v.sum(axis=1, keepdims=True)
