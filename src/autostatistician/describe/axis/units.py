"""The axis of a series with the span and the spacing of its data, and the scale of its values."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, log1p, sqrt
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.scale import Scale
from autostatistician.wording.names import clean_name

__all__ = ["DAY", "SECONDS", "YEAR", "Units", "axis_seconds", "is_over_time", "units_of"]

_VISIBLE, _ROUNDING = 1.5, 1e-6  # times what could be seen at least, and the spread of the values
DAY = 86400.0
YEAR = 365.25 * DAY
SECONDS = {
    "year": YEAR, "quarter": YEAR / 4, "month": YEAR / 12, "week": 7 * DAY, "day": DAY, "business day": 1.4 * DAY,
    "hour": 3600.0, "minute": 60.0, "second": 1.0,
}  # fmt: skip


@dataclass(frozen=True)
class Units(Scale):
    """What the words need to know about a series: axis, span, and the scale and the spread of its values.

    ``gap`` is the typical distance of neighbouring observations. ``spread`` is that of the values or, where their
    logarithm is modelled, of the logarithms. Noise with a standard deviation of ``noise_floor`` or less could not be
    seen. With an ``open_scale`` the data tell the values and their logarithm not apart.
    """

    axis: Axis
    first: float
    last: float
    gap: float
    spread: float
    noise_floor: float = 0.0
    open_scale: bool = False

    @property
    def span(self) -> float:
        """Length of the data along the axis."""
        return self.last - self.first

    @property
    def spread_of_values(self) -> float:
        """How far the values lie apart, in their own units.

        >>> axis = Axis("year", "year", "year", 1.0)
        >>> Units(axis, 1900.0, 1950.0, 1.0, 0.25, target="share", level=0.5, top=1.0).spread_of_values
        0.0625
        """
        if self.level is None:
            return self.spread
        return self.spread * (self.slope_of_typical if self.is_odds else abs(self.level))

    def shows_noise(self, sd: float) -> bool:
        """Whether noise of this standard deviation can be seen, or is as small as the search lets it be.

        The law of counts may add scatter of its own to that of their rate.
        """
        return hypot(sd, sqrt(log1p(self.dispersion))) >= max(_VISIBLE * self.noise_floor, _ROUNDING * self.spread)


def is_over_time(scale: Scale) -> TypeGuard[Units]:
    """Whether the data lie along a calendar: then words name dates, and time is no column among others."""
    return isinstance(scale, Units) and scale.axis.is_calendar


def units_of(
    axis: Axis, x: NDArray[np.float64], y: NDArray[np.float64], target: str, level: float | None = None
) -> Units:
    """The units of a data set with positions ``x`` and values ``y`` (as they are modelled)."""
    gaps = np.diff(np.unique(x))
    gap = axis.step if axis.step else float(np.median(gaps)) if gaps.size else 1.0
    spread = float(np.std(y)) or abs(float(np.mean(y)))
    return Units(axis, float(x[0]), float(x[-1]), gap, spread, target=clean_name(target), level=level)


def axis_seconds(units: Units) -> float | None:
    """Seconds in one unit of the axis; None on axes without a time unit."""
    return SECONDS.get(units.axis.unit)
