"""Sums and products of terms ``diag(a) T(v) diag(a)``, and the way back through them.

A kernel on given points is such a sum over profiles ``a`` (see `profiles`). Products of terms multiply their profiles
and what stands at each lag; white noise counts at lag zero of a point with itself only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.covariance.nodes import is_nothing

__all__ = [
    "BLOCK_LENGTH", "Profile", "Slot", "Terms", "noise_of_product", "with_factor",
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
    d: float = 0.0
    rise: Vector | None = None

    def at_zero(self) -> float:
        """The value of ``v`` at lag zero."""
        return self.v if isinstance(self.v, float) else float(self.v[0])


Terms = dict[Profile, Slot]


def with_factor(key: Profile, factor: int) -> Profile:
    """The profile with one factor more."""
    return tuple(sorted((*key, factor)))


def noise_of_product(a: Slot, b: Slot) -> float:
    """The noise of a product of two slots: of either with what the other is at lag zero, and of both."""
    noise = 0.0 if is_nothing(a.d) else a.d * (b.d + b.at_zero())
    return noise if is_nothing(b.d) else noise + b.d * a.at_zero()
