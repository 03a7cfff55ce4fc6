"""Facts about the columns beside a series: what each adds, how surely, and what is taken of them for the forecast."""

from __future__ import annotations

from dataclasses import dataclass, field

from autostatistician.describe.facts.curves import SeriesCurves
from autostatistician.describe.facts.fact import OF_WHOLE, UNRECORDED, Fact, ProbableFact, Span
from autostatistician.describe.facts.whole import ForecastRange, ForecastReach
from autostatistician.forms import ColumnKind, Curve, EffectShape, Filling, Varying

__all__ = [
    "ColumnsAhead", "CovariateColumn", "CovariateEffect", "CovariateEvent", "CovariateFindings", "EffectAtMoment",
    "EffectAtValue", "EventTotal", "Neighbours", "is_clear",
]  # fmt: skip

ACTS, OPEN = 0.9, 0.2  # probabilities from which a column is told as one that matters, and from which that is open
OF_TIME = 0.1  # share of the movement of a column: with less of its own, it goes with the trend
ALONG = 0.5  # correlation with the time structure


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """What a plain regression of differences of neighbouring rows says (``number``), and whether it ``agrees``.

    Where a season is short, they are of rows one of it apart, so many ``rows``.
    """

    number: float
    interval: Span
    agrees: bool
    rows: int = field(default=1, metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class CovariateEffect(ProbableFact):
    """What a column adds (``number``) to a series if it matters at all, of which it has a ``probability``.

    Of a number that is the effect of a ``step`` more of it, on average from ``low`` to ``high``; of a flag or of
    categories that of the value ``other`` in the place of the ``usual`` one. It comes ``lag`` steps late (by the data
    between ``lags``); of one that fades, it is the effect at once, of which ``kept`` is left a step later. It explains
    a ``share`` of the variation of the series. ``apart`` is the share of the movement of the column that does not go
    with time, ``along`` its correlation with the time structure. ``is_only`` says that there is no other column.
    That of a ``calendar`` may be of a day so many ``days`` after an ``event``.
    """

    column: str
    kind: ColumnKind
    shape: EffectShape
    levels: tuple[str, ...]
    usual: float
    other: float
    low: float
    high: float
    step: float
    lag: int
    lags: tuple[int, int]
    kept: float = field(metadata=OF_WHOLE)
    varying: Varying
    season: float
    share: float = field(metadata=OF_WHOLE)
    apart: float = field(metadata=OF_WHOLE)
    along: float
    neighbours: Neighbours | None
    is_only: bool
    event: str = ""
    days: int = 0
    calendar: str = ""
    instead: tuple[str, ...] = ()  # near copies, of which with it one surely acts

    @property
    def is_blurred(self) -> bool:
        """Whether the data can hardly part the column from the course in time."""
        return self.apart < OF_TIME and abs(self.along) > ALONG

    @property
    def matters(self) -> bool:
        """Whether it is told as a column that matters."""
        return (self.probability or 0.0) >= ACTS

    @property
    def is_open(self) -> bool:
        """Whether it may matter or not, or a near copy does in its place."""
        return not self.matters and bool(self.instead or (self.probability or 0.0) >= OPEN)


@dataclass(frozen=True, kw_only=True)
class EffectAtValue(ProbableFact):
    """What a column adds where it has a ``value`` (a category: the name ``level``), compared with its usual one."""

    column: str
    value: float
    level: str


@dataclass(frozen=True, kw_only=True)
class EffectAtMoment(ProbableFact):
    """What a column adds at a ``position``, of an effect that changes with the season or over time."""

    column: str
    position: float


@dataclass(frozen=True, kw_only=True)
class EventTotal(ProbableFact):
    """What the days of an ``event`` of a ``calendar`` add in all (``number``), if they matter; where it came."""

    event: str
    calendar: str
    places: tuple[float, ...]

    @property
    def seen(self) -> int:
        """How often it came."""
        return len(self.places)


@dataclass(frozen=True, kw_only=True)
class ColumnsAhead(Fact):
    """What is taken of the columns for the forecast: those of ``planned`` are known to its end.

    Days of the calendar are among neither. What stands in for the others is named for each of ``unplanned``
    (``number``: how many); ``until`` is the position that all plans reach (None: there is none), ``season`` the cycle
    by which they are filled. ``beyond`` are columns whose plan leaves the range that was seen.
    """

    planned: tuple[str, ...]
    unplanned: tuple[tuple[str, Filling], ...]
    until: float | None
    season: float
    beyond: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CovariateColumn:
    """One column: its effect, where and when it is what, its curve over its values and over time."""

    effect: CovariateEffect
    values: tuple[EffectAtValue, ...]
    moments: tuple[EffectAtMoment, ...]
    curve: Curve
    added: Curve

    @property
    def is_told(self) -> bool:
        """Whether it matters, or may matter."""
        return self.effect.matters or self.effect.is_open


@dataclass(frozen=True, eq=False)
class CovariateEvent:
    """A holiday or event with the columns of its days, the day itself first."""

    total: EventTotal
    columns: tuple[CovariateColumn, ...]

    @property
    def matters(self) -> bool:
        """Whether it is told as one that matters."""
        return self.columns[0].effect.matters

    @property
    def is_open(self) -> bool:
        """Whether it may matter or not."""
        return self.columns[0].effect.is_open

    @property
    def days(self) -> tuple[CovariateEffect, ...]:
        """The effects of the days that are told: those whose own range is off zero, else the largest."""
        facts = [column.effect for column in self.columns]
        clear = tuple(fact for fact in facts if is_clear(fact))
        return clear or (max(facts, key=lambda fact: abs(fact.number)),)

    @property
    def main(self) -> CovariateEffect:
        """The effect of the day itself, where that is clear, else the largest: what the event is judged by."""
        days = self.days
        return days[0] if not days[0].days else max(days, key=lambda fact: abs(fact.number))

    def on(self, days: int) -> CovariateEffect | None:
        """The effect so many days after the event (before: negative)."""
        return next((column.effect for column in self.columns if column.effect.days == days), None)


def is_clear(fact: Fact) -> bool:
    """Whether the range of a number is off zero."""
    low, high = fact.interval or (fact.number, fact.number)
    return low > 0.0 or high < 0.0


@dataclass(frozen=True, eq=False)
class CovariateFindings:
    """All columns, the surest first, and the series with them: as it was observed, with the model and its forecast.

    ``course`` is the time structure alone. ``events`` tell the columns of the days of a calendar together.
    """

    columns: tuple[CovariateColumn, ...]
    ahead: ColumnsAhead | None
    forecast: tuple[ForecastRange | ForecastReach, ...]
    curves: SeriesCurves
    course: Curve
    events: tuple[CovariateEvent, ...] = ()

    @property
    def told(self) -> tuple[CovariateColumn, ...]:
        """Those that matter or may matter."""
        return tuple(column for column in self.columns if column.is_told)

    @property
    def plain(self) -> tuple[CovariateColumn, ...]:
        """Those that are no days around an event, which are told by themselves."""
        return tuple(column for column in self.columns if not column.effect.event)

    @property
    def blurred(self) -> tuple[CovariateColumn, ...]:
        """Those that hardly matter as far as the data show, which can hardly part them from time."""
        return tuple(column for column in self.plain if column.effect.is_blurred and not column.is_told)

    @property
    def silent(self) -> tuple[CovariateColumn, ...]:
        """Those that say nothing."""
        return tuple(column for column in self.plain if not column.is_told and not column.effect.is_blurred)

    @property
    def mattering(self) -> tuple[CovariateColumn, ...]:
        """Those that matter."""
        return tuple(column for column in self.columns if column.effect.matters)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts."""
        of_columns = (fact for one in self.columns for fact in (one.effect, *one.values, *one.moments))
        of_events = (event.total for event in self.events)
        return (*of_columns, *of_events, *filter(None, [self.ahead]), *self.forecast)
