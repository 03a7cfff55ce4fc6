"""The axis of a series with the span and the spacing of its data, and the scale of its values."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, log1p, sqrt
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.kinds import LIMITS
from autostatistician.data.times.axes import Axis
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import clean_name, quoted
from autostatistician.i18n.numbers import fixed, joined

__all__ = ["DAY", "ROUNDING", "SECONDS", "YEAR", "Scale", "Units", "axis_seconds", "is_over_time", "units_of"]


Floats = NDArray[np.float64]

_VISIBLE = 1.5  # times what could be seen at least

ROUNDING = 1e-6  # of a number: a smaller difference is of the arithmetic

DAY = 86400.0

YEAR = 365.25 * DAY

SECONDS = {
    "year": YEAR, "quarter": YEAR / 4, "month": YEAR / 12, "week": 7 * DAY, "day": DAY, "business day": 1.4 * DAY,
    "hour": 3600.0, "minute": 60.0, "second": 1.0,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The name of the target and, where its logarithm is modelled, the geometric mean of the values (``level``).

    Of ``counts`` it is the logarithm of their rate, about which they scatter by chance, and the level a typical rate.
    Of classes, what is told are chances of one of them, the ``event``, against the ``other``.
    """

    target: str
    level: float | None = None
    event: str = ""
    other: str = ""
    counts: bool = False
    law: str = "poisson"  # of counts about their rate
    dispersion: float = 0.0  # of the law: the variance of a rate over its square
    top: float = 0.0  # the largest value there can be, where odds are modelled
    sizes: str = ""  # the column of what they are counted in, or of what they are a part
    copies: tuple[tuple[str, str, float], ...] = ()  # columns that the data do not tell apart, and their correlation

    @property
    def is_log(self) -> bool:
        """Whether parts multiply, so that what they add is told in per cent."""
        return self.level is not None

    @property
    def is_odds(self) -> bool:
        """Whether what parts multiply are odds."""
        return self.top > 0.0

    def column(self, name: str) -> str:
        """The name of a column, with its near copies.

        >>> [Scale(target="y", copies=(("dose", "mg", size),)).column("dose") for size in (0.999, 0.891)]
        ["'dose' (or, nearly the same, 'mg')", "'dose' (or 'mg', going with it at r = 0.89)"]
        """
        others = {other: size for first, other, size in self.copies if first == name}
        if not others:
            return quoted(name)
        least = min(others.values())
        nearly, copies = least >= LIMITS["copy"], joined(list(map(quoted, others)))
        return sentence("column.or_copy", nearly=nearly, column=quoted(name), copies=copies, number=fixed(least, 2))

    @property
    def in_per_cent(self) -> float:
        """By what shares are multiplied to be told in per cent; one of all else.

        >>> [Scale(target="share", level=0.5, top=top).in_per_cent for top in (0.0, 1.0, 100.0)]
        [1.0, 100.0, 1.0]
        """
        return 100.0 / self.top if self.is_odds else 1.0

    @property
    def slope_of_typical(self) -> float:
        """By how much a typical share changes for each unit of the logarithm of its odds."""
        assert self.level is not None
        return self.level * (1.0 - self.level / self.top)

    @property
    def spread_of_values(self) -> float:
        """How far the values of the target lie apart, in its own units: what they are told as finely as; 0: unknown."""
        return 0.0

    def level_at(self, values: Floats) -> Floats:
        """What parts that add up to ``values`` stand for, in the units of the data.

        >>> Scale(target="share", level=0.5, top=1.0).level_at(np.log([3.0])).round(6).tolist()
        [0.75]
        """
        if self.level is None:
            return values
        if not self.is_odds:
            return np.asarray(self.level * np.exp(values))
        odds = self.level / (self.top - self.level) * np.exp(values)
        return np.asarray(self.top * odds / (1.0 + odds))

    @property
    def typical(self) -> str:
        """What is predicted where nothing is known, beside which average misses are told.

        >>> Scale(target="cases", level=4.0, counts=True).typical, Scale(target="sales", level=4.0).typical
        ('mean', 'geometric mean')
        """
        scale = "odds" if self.is_odds else "log" if self.is_log and not self.counts else "plain"
        return sentence("scale.typical", scale=scale)

    @property
    def is_class(self) -> bool:
        """Whether chances of a class are told."""
        return bool(self.event)

    @property
    def it(self) -> str:
        """The name of the target in quotes, or the chance of its class.

        >>> Scale(target="number  of passengers").it, Scale(target="rain", event="yes", other="no").it
        ("'number of passengers'", "the chance of 'rain' = 'yes'")
        """
        name = quoted(self.target)
        return sentence("scale.chance", name=name, event=quoted(self.event)) if self.event else name

    @property
    def varying(self) -> str:
        """What shares of a variation are of."""
        name = quoted(self.target) if self.event else self.it
        return sentence("scale.varying", of_class=self.is_class, name=name)


@dataclass(frozen=True)
class Units(Scale):
    """What the words need to know about a series: axis, span, and the scale and the spread of its values.

    ``gap`` is the typical distance of neighbouring observations. ``spread`` is that of the values or, where their
    logarithm is modelled, of the logarithms. Noise with a standard deviation of ``noise_floor`` or less could not be
    seen. With an ``open_scale`` the data tell the values and their logarithm not apart. Rows of a curve came
    in no order.
    """

    axis: Axis
    first: float
    last: float
    gap: float
    spread: float
    noise_floor: float = 0.0
    open_scale: bool = False
    is_curve: bool = False

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
        return hypot(sd, sqrt(log1p(self.dispersion))) >= max(_VISIBLE * self.noise_floor, ROUNDING * self.spread)


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
