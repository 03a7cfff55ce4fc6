"""The season that the series of a panel have in common, as a column that is known at every date of an axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from autostatistician.data.arrays import Floats
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.records import Record
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import MONTHS, WEEKDAYS, WORKING_DAYS, weekdays_of
from autostatistician.data.times.periods import dates_of, has_months
from autostatistician.forms import COMMON_SEASON
from autostatistician.i18n.messages import message, note

__all__ = ["FEWEST_SERIES", "CommonSeason", "Profiles", "column_name", "cycle_of", "profile_of"]

ORDINALS = (
    message("first"), message("second"), message("third"), message("fourth"), message("fifth"), message("sixth"),
)  # fmt: skip
TOO_SHORT = message(
    "The series is too short to show its {cycle} alone. What the other series have in common stands beside it as "
    "'{cycle} of the other series' (highest {top}, lowest {bottom}); its own data say how far it follows."
)
CYCLES = {
    "yearly": message("yearly cycle"), "weekly": message("weekly cycle"), "daily": message("daily cycle"),
}  # fmt: skip
FEWEST_SERIES = 5  # that show a season to another one
CHANCE = 1e-3  # of phases that differ as much in series without a common season
CYCLES_OF_TREND = 3  # from which a running mean over a cycle is the trend
LEAST_SPREAD = 1e-9  # of the largest value, about the trend
MOST_OF_ONE = 3.0  # of a series' own standard deviation, that it says of a phase


@dataclass(frozen=True, slots=True)
class Season:
    """A cycle of the calendar in whole steps: its name, and how many phases it has."""

    name: str
    phases: int


def cycle_of(axis: Axis) -> Season | None:
    """The cycle whose phases the steps of an axis are: months or quarters of a year, days of a week, hours of a day.

    >>> cycle_of(Axis("t", "year", "month", 1 / 12)), cycle_of(Axis("t", "", "", 1.0))
    (Season(name='yearly', phases=12), None)
    """
    if has_months(axis):
        months = round(12.0 * (axis.step or 1.0))
        return Season("yearly", 12 // months) if 12 % months == 0 else None
    if axis.step != 1.0:
        return None
    return {"day": Season("weekly", 7), "business day": Season("weekly", 5), "hour": Season("daily", 24)}.get(axis.unit)


def phases_of(axis: Axis, x: Floats) -> NDArray[np.intp]:
    """The phase (m,) of each position, from zero on."""
    if axis.unit == "year":
        months = dates_of(axis, x).astype("M8[M]").astype(np.int64)
        return np.asarray(months % 12 // round(12.0 * (axis.step or 1.0)), dtype=np.intp)
    if axis.unit == "hour":
        return np.asarray(np.asarray(axis.times(x)).astype("M8[h]").astype(np.int64) % 24, dtype=np.intp)
    last = WORKING_DAYS.count("1") - 1 if axis.unit == "business day" else len(WEEKDAYS) - 1
    return np.asarray(np.minimum(weekdays_of(dates_of(axis, x)), last), dtype=np.intp)


def phase_name(cycle: Season, phase: int) -> str:
    """A phase in words.

    >>> phase_name(Season("yearly", 12), 6), phase_name(Season("weekly", 5), 0), phase_name(Season("daily", 24), 9)
    ('in July', 'on Monday', 'around 09:00')
    """
    if cycle.name == "daily":
        return note("around {hours}", hours=f"{phase:02d}:00")
    if cycle.name == "weekly":
        return note("on {weekday}", weekday=note(WEEKDAYS[phase]))
    if cycle.phases == len(MONTHS):
        return note("in {months}", months=note(MONTHS[phase]))
    told = note(ORDINALS[phase])
    if cycle.phases == 4:
        return note("in the {which} quarter", which=told)
    return note("in the {which} part of the year", which=told)


def column_name(cycle: Season) -> str:
    """How the column of a cycle is called.

    >>> column_name(Season("yearly", 12))
    'yearly cycle of the other series'
    """
    return f"{cycle.name} cycle of the other series"


@dataclass(frozen=True, eq=False)
class CommonSeason(Record):
    """A value for each phase of the cycle of an axis, of median zero and one from the lowest to the highest.

    >>> season = CommonSeason(Axis("t", "year", "quarter", 0.25), (0.5, -0.5, 0.2, -0.2))
    >>> [column.values.tolist() for column in season.columns(np.array([2024.0, 2024.25]))]
    [[0.5, -0.5]]
    """

    KIND = "common season"

    axis: Axis
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        cycle = cycle_of(self.axis)
        if cycle is None or len(self.values) != cycle.phases:
            raise ValueError("a season of another axis")

    @property
    def cycle(self) -> Season:
        """The cycle whose phases it has."""
        cycle = cycle_of(self.axis)
        assert cycle is not None
        return cycle

    def columns(self, x: Floats) -> tuple[Covariate, ...]:
        """The column at positions (m,)."""
        values = np.array(self.values)[phases_of(self.axis, np.asarray(x, dtype=np.float64))]
        return (Covariate(column_name(self.cycle), values, group=COMMON_SEASON, calendar=COMMON_SEASON),)

    def beside(self, x: Floats, covariates: Covariates | None) -> Covariates:
        """The columns of a series at positions (n,) with this one."""
        columns = covariates or Covariates(np.unique(x), ())
        return Covariates(columns.x, columns.table, (*columns.calendar, self))

    @property
    def note(self) -> str:
        """That it stands beside a series, and what it is like.

        >>> CommonSeason(Axis("t", "year", "quarter", 0.25), (0.5, -0.5, 0.2, -0.2)).note[-64:]
        'est in the second quarter); its own data say how far it follows.'
        """
        top, bottom = (phase_name(self.cycle, int(place(self.values))) for place in (np.argmax, np.argmin))
        return note(TOO_SHORT, cycle=note(CYCLES[self.cycle.name]), top=top, bottom=bottom)


def profile_of(axis: Axis, x: Floats, y: Floats) -> Floats | None:
    """What a series says of each phase (p,): in its standard deviations about its trend, NaN of phases it lacks.

    Of positive values it is their logarithm. None where there is no cycle, or too little to take a trend off.

    >>> month = Axis("t", "year", "month", 1 / 12)
    >>> x = 2000.0 + np.arange(24) / 12
    >>> profile_of(month, x, 5.0 + x - 2000.0 + np.cos(2.0 * np.pi * x)).round(1)[[0, 6]].tolist()
    [1.4, -1.5]
    """
    cycle = cycle_of(axis)
    if cycle is None or len(x) <= cycle.phases:
        return None
    order = np.argsort(x, kind="stable")
    values = np.log(y[order]) if y.min() > 0.0 else y[order]
    phases = phases_of(axis, x[order])
    about = _about_trend(x[order], values, phases, cycle.phases)
    known = np.isfinite(about)
    spread = float(np.std(about[known]))
    if not spread > LEAST_SPREAD * float(np.abs(values).max()):
        return None
    counts = np.bincount(phases[known], minlength=cycle.phases).astype(np.float64)
    counts[counts == 0.0] = np.nan
    means = np.bincount(phases[known], about[known], minlength=cycle.phases) / counts
    return np.asarray(np.clip((means - np.nanmean(means)) / spread, -MOST_OF_ONE, MOST_OF_ONE))


def _about_trend(x: Floats, values: Floats, phases: NDArray[np.intp], count: int) -> Floats:
    """Values (n,) less a running mean over a cycle where they hold several, NaN where it does not reach.

    Of fewer, less a straight line that equal phases alone tell: one through all of a year and a half is not level.
    """
    if len(values) >= CYCLES_OF_TREND * count:
        window = np.ones(count) if count % 2 else np.concatenate([[0.5], np.ones(count - 1), [0.5]])
        about, half = np.full_like(values, np.nan), len(window) // 2
        about[half:-half] = values[half:-half] - np.convolve(values, window / count, mode="valid")
        return about
    each = (phases[:, None] == np.unique(phases)).astype(np.float64)
    slope = np.linalg.lstsq(np.column_stack([x - x.mean(), each]), values, rcond=None)[0][0]
    return np.asarray(values - slope * (x - x.mean()))


@dataclass(frozen=True, eq=False)
class Profiles:
    """What many series (k,) of one step say of each phase, from which the season of the others of each follows."""

    values: Floats  # (k, p)

    def common(self, axis: Axis, without: Floats | None = None) -> CommonSeason | None:
        """The season in common, without what one of them says; None where they have none.

        They have one where the means of the phases are farther apart than those of series that know nothing of each
        other would be by chance.
        """
        others = self.values
        if without is not None:
            same = np.flatnonzero((np.nan_to_num(others) == np.nan_to_num(without)).all(axis=1))
            others = np.delete(others, same[:1], axis=0)
        counts = np.isfinite(others).sum(axis=0)
        if len(others) < FEWEST_SERIES or counts.min() < FEWEST_SERIES:
            return None
        means = np.nanmean(others, axis=0)
        errors = np.nanstd(others, axis=0, ddof=1) / np.sqrt(counts)
        apart = float(np.sum((means / np.maximum(errors, 1e-9)) ** 2))
        if apart < chdtri(len(means) - 1, CHANCE) or not np.ptp(means) > 0.0:
            return None
        scaled = (means - np.median(means)) / np.ptp(means)
        return CommonSeason(axis, tuple(np.round(scaled, 3).tolist()))
