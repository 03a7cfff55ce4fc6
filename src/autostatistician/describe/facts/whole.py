"""Facts about a model as a whole: what its parts explain together, what it forecasts, and how it was checked."""

from __future__ import annotations

from dataclasses import dataclass, field

from autostatistician.describe.facts.fact import OF_WHOLE, UNRECORDED, Fact
from autostatistician.describe.facts.kinds import Taken

__all__ = [
    "BaselineError", "ChanceOfNone", "CountScatter",
    "FewRows",
    "ForecastCondition", "ForecastRange",
    "ForecastReach", "ForecastTest", "LogScale", "ManyZeros", "MissingTimes", "NaturalLimit", "NextSum",
    "NoneOrSome",
    "OneValue",
    "PossibleStructure", "ShapedScale", "TwoWays",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LogScale(Fact):
    """The logarithm is modelled: by how much it lowers the BIC on reference models (``number``; NaN: as was asked).

    With ``by_evidence`` the number is not of BIC but of twice the negative log evidence of all of these together, and
    ``probability`` is that of the scale that is modelled against the other. ``level`` is the geometric mean of the
    data, which is zero on that scale; None where the data themselves are modelled and their logarithm is not ruled out.
    """

    level: float | None
    by_evidence: bool = field(default=False, metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class ShapedScale(Fact):
    """A learned ``power`` of the data is modelled; ``number`` is their usual level.

    There amounts are in the units of the data. Where the data are ``low`` and ``high`` (5 % of them lie beyond each)
    they are ``low_times`` and ``high_times`` as large.
    """

    power: float
    low: float
    low_times: float
    high: float
    high_times: float


@dataclass(frozen=True, kw_only=True)
class CountScatter(Fact):
    """The values are counts: their variance about the rate over what chance alone gives (``number``)."""


@dataclass(frozen=True, kw_only=True)
class NoneOrSome(Fact):
    """A value of zero has a chance of its own (``number``); of the others, 80 % are ``low`` to ``high``."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class ChanceOfNone(Fact):
    """The probability (``number``) of a count of zero at a position of the forecast."""

    position: float


@dataclass(frozen=True, kw_only=True)
class NextSum(Fact):
    """What the next ``steps`` come to in sum (``number``); it is less than that of as many ``before`` so probably.

    Values that are no ``amounts``, which counts are, have means rather than sums.
    """

    steps: int
    before: float
    amounts: bool


@dataclass(frozen=True, kw_only=True)
class FewRows(Fact):
    """There are only ``number`` rows: few kinds of parts were tried."""


@dataclass(frozen=True, kw_only=True)
class PossibleStructure(Fact):
    """None is told, though there is some with the probability ``number``, which is above one half."""


@dataclass(frozen=True, kw_only=True)
class OneValue(Fact):
    """All values are the same: ``number``."""


@dataclass(frozen=True, kw_only=True)
class ManyZeros(Fact):
    """The share of zeros among whole numbers (``number``), and that among the last ``rows``."""

    late: float = field(metadata=OF_WHOLE)
    rows: int


@dataclass(frozen=True, kw_only=True)
class BaselineError(Fact):
    """Mean absolute error of predicting the mean of the data, beside which those of the model stand."""


@dataclass(frozen=True, kw_only=True)
class ForecastRange(Fact):
    """The forecast at a position: the median of what may come there, of counts the mean."""

    position: float


@dataclass(frozen=True, kw_only=True)
class ForecastReach(Fact):
    """The lowest and the highest value of a forecast (``interval``); ``number`` is the distance.

    ``crosses`` tells that its range runs below zero though the data never do.
    """

    low: float
    high: float
    crosses: bool


@dataclass(frozen=True, kw_only=True)
class ForecastTest(Fact):
    """How 95 % ranges held on later rows: the share of ``rows`` that lay inside; ``worth`` independent rows.

    ``origins`` are the ends of the data that the
    test knew, to which the numbers of the model may have been ``refitted``, ``levels`` those of all ranges that were
    tested and ``held`` the shares inside them; ``narrow`` says whether the ranges held clearly less than they should
    (None: too few rows to tell). Its forecasts missed by ``error`` on average, repeating the last ``season`` (the last
    value where it is None) by ``naive``.
    """

    rows: int
    worth: float
    error: float
    naive: float | None = None
    season: float | None = None
    origins: tuple[float, ...] = field(default=(), metadata=UNRECORDED)
    levels: tuple[float, ...] = field(default=(), metadata=UNRECORDED)
    held: tuple[float, ...] = field(default=(), metadata=UNRECORDED)
    narrow: bool | None = field(default=None, metadata=UNRECORDED)
    refitted: bool = field(default=True, metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class ForecastCondition(Fact):
    """What a forecast takes for granted: if it were not so, ``number`` would come at ``position`` instead of ``end``.

    ``size`` is that of the change (on the scale of the models) or of the slope (in units of the data), ``at`` where it
    began, ``pace`` the slope of the forecast.
    """

    kind: Taken
    size: float
    at: float
    position: float
    end: float
    pace: float = 0.0


@dataclass(frozen=True, kw_only=True)
class NaturalLimit(Fact):
    """A value (``number``) beyond which no observation lies, and at which ranges stop; ``upper`` or else lower."""

    upper: bool


@dataclass(frozen=True, kw_only=True)
class MissingTimes(Fact):
    """Which share of the times from the first to the last row has no value (``number``): so ``many`` of ``of``.

    The ``longest`` gap is so many of them, from ``start`` to ``stop``.
    """

    many: int
    of: int
    longest: int
    start: float
    stop: float


@dataclass(frozen=True, kw_only=True)
class TwoWays(Fact):
    """The forecast at a position if the last ``rows``, set aside, are past (``number``), or begin a new level.

    Then ``lasting`` is forecast, with the ``odds`` (a probability); what is forecast is of both.
    """

    position: float
    lasting: float
    odds: float = field(metadata=OF_WHOLE)
    rows: int
