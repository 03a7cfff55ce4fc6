"""What is known of the columns beside a series: what each adds, and what is taken of them for the forecast."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Standing
from autostatistician.describe.facts.curves import SeriesCurves
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import ForecastRange, ForecastReach
from autostatistician.forms import Curve, Filling

__all__ = ["ColumnsAhead", "CovariateColumn", "CovariateEvent", "CovariateFindings"]


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
    """One column: the claim on what it adds, its curve over its values and over time."""

    effect: Claim
    curve: Curve
    added: Curve

    @property
    def is_told(self) -> bool:
        """Whether it matters, or may matter."""
        return self.effect.standing is not Standing.DENIED


@dataclass(frozen=True, eq=False)
class CovariateEvent:
    """A holiday or event, the claim on what its days add in ``total``, with their columns, the day itself first."""

    total: Claim
    columns: tuple[CovariateColumn, ...]

    @property
    def matters(self) -> bool:
        """Whether it is told as one that matters."""
        return self.columns[0].effect.told

    @property
    def is_open(self) -> bool:
        """Whether it may matter or not."""
        return self.columns[0].effect.standing is Standing.OPEN

    @property
    def days(self) -> tuple[Claim, ...]:
        """The effects of the days that are told: those whose own range is off zero, else the largest."""
        effects = [column.effect for column in self.columns]
        clear = tuple(effect for effect in effects if effect.number.is_clear)
        return clear or (max(effects, key=lambda effect: abs(effect.value)),)

    @property
    def main(self) -> Claim:
        """The effect of the day itself, where that is clear, else the largest: what the event is judged by."""
        days = self.days
        return days[0] if not days[0]["days"] else max(days, key=lambda effect: abs(effect.value))

    def on(self, days: int) -> Claim | None:
        """The effect so many days after the event (before: negative)."""
        return next((column.effect for column in self.columns if column.effect["days"] == days), None)


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
        return tuple(column for column in self.columns if not column.effect.named["event"])

    @property
    def blurred(self) -> tuple[CovariateColumn, ...]:
        """Those that hardly matter as far as the data show, which can hardly part them from time."""
        return tuple(column for column in self.plain if "blurred" in column.effect.marks and not column.is_told)

    @property
    def silent(self) -> tuple[CovariateColumn, ...]:
        """Those that say nothing."""
        return tuple(column for column in self.plain if not (column.is_told or "blurred" in column.effect.marks))

    @property
    def mattering(self) -> tuple[CovariateColumn, ...]:
        """Those that matter."""
        return tuple(column for column in self.columns if column.effect.told)

    @property
    def facts(self) -> tuple[Fact | Claim, ...]:
        """All claims and facts."""
        claims = (*(column.effect for column in self.columns), *(event.total for event in self.events))
        return (*claims, *filter(None, [self.ahead]), *self.forecast)
