"""What a look for outliers found: values that stand out from a series, and what was done with them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, label_text, time_labels
from autostatistician.data.records import Record
from autostatistician.data.times.calendar_days import CalendarDay
from autostatistician.i18n.messages import message, note, note_count
from autostatistician.i18n.numbers import noted_amount

__all__ = ["NO_SCREENING", "OUTLIERS", "Outlier", "Screening", "are_counts", "noted", "off_alike"]

OUTLIERS = ("auto", "keep")  # set aside what stands out, or use every row
ON_DAY = message(
    "{target} lies far from what other days suggest on {day} ({n} times); these values were set aside, and forecasts "
    "have them again on that day."
)
IN_YEAR = message(
    "{target} lies far from what the rest of the year suggests in {day} ({n} times); these values were set aside, and "
    "forecasts have them again."
)
RETURNS_FROM = 0.35  # of the size of those far out: then a value is off to the same side


@dataclass(frozen=True, slots=True)
class Outlier:
    """A value ``y`` at position ``x`` of the axis where about ``expected`` was expected from all others.

    ``aside``: the model was made without it. Whether values ``ending`` the data are single or the start of something
    new only later values can tell: forecasts reckon with both. ``returns`` is the day of the calendar that brings such
    a value again (`CalendarDay.to_text`), "" where none does. ``chance`` is that of being an outlier, not an error of
    the size that others have nor the start of something new; None where nobody asked.
    """

    x: float
    y: float
    expected: float
    aside: bool = True
    ending: bool = False
    returns: str = ""
    chance: float | None = None

    def __post_init__(self) -> None:
        if self.chance is not None and not 0.0 <= self.chance <= 1.0:
            raise ValueError("a chance outside of 0 to 1")
        if self.returns:
            CalendarDay.from_text(self.returns)


@dataclass(frozen=True, slots=True)
class Screening(Record):
    """Outliers of a series by position; ``gain`` is how much lower the BIC of a reference model is for the others.

    ``heavy`` counts values that stand out where they are so many, or the others so spread, that nothing was set aside:
    the noise has heavy tails, by ``tails`` nats more probably than one size; ``far`` are these values, the furthest
    first. ``lasting`` is the probability that the values ending the data begin a new level.
    """

    rows: tuple[Outlier, ...] = ()
    gain: float = 0.0
    heavy: int = 0
    lasting: float = 0.0
    tails: float = 0.0
    far: tuple[Outlier, ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 <= self.lasting <= 1.0:
            raise ValueError("a probability outside of 0 to 1")

    @property
    def aside(self) -> tuple[Outlier, ...]:
        """Those that the model was made without."""
        return tuple(outlier for outlier in self.rows if outlier.aside)

    @property
    def ending(self) -> tuple[Outlier, ...]:
        """Those at the end of the data, of which nobody can know yet whether they last."""
        return tuple(outlier for outlier in self.rows if outlier.ending)

    @property
    def returning(self) -> dict[CalendarDay, tuple[Outlier, ...]]:
        """Those that come back on a day of the calendar, by that day."""
        days = dict.fromkeys(outlier.returns for outlier in self.rows if outlier.returns)
        return {CalendarDay.from_text(day): tuple(row for row in self.rows if row.returns == day) for day in days}


NO_SCREENING = Screening()


def are_counts(y: NDArray[np.float64]) -> bool:
    """Whether all values are whole and none is below zero, which some are.

    >>> are_counts(np.array([0.0, 3.0])), are_counts(np.array([1.0, 3.0])), are_counts(np.array([0.0, 0.5]))
    (True, False, False)
    """
    return bool(y.min() == 0.0 and (y == np.round(y)).all())


def off_alike(off: NDArray[np.float64], typical: float) -> NDArray[np.bool_]:
    """Which values on a day, this much ``off`` (n,) what other days suggest, lie off as is ``typical`` of it.

    >>> off_alike(np.array([9.0, 0.1, -8.0]), 8.0).tolist()
    [True, False, False]
    """
    return np.asarray(off * np.sign(typical) > RETURNS_FROM * abs(typical))


def noted(dataset: Dataset, screening: Screening) -> Dataset:
    """A data set with a warning for every outlier, or for many.

    >>> from autostatistician.data.dataset import from_arrays
    >>> data = from_arrays([1.0, 2.0], [0.5, 0.7])
    >>> noted(data, Screening((Outlier(3.0, 146.0, 50.04),))).warnings
    ("3: 'y' is 146 where about 50.04 was expected; set aside, the model was made without it.",)
    """
    if screening.heavy:
        text = note_count(
            screening.heavy,
            "{n} value of {target} lies far from what was expected; large deviations are common, so none was "
            "set aside.",
            "{n} values of {target} lie far from what was expected; large deviations are common, so none was "
            "set aside.",
            n=screening.heavy, target=repr(dataset.target),
        )  # fmt: skip
        return replace(dataset, warnings=(*dataset.warnings, text))
    singles = (_single(dataset, outlier) for outlier in screening.rows if not outlier.returns)
    back = (
        note(ON_DAY if day.step == "day" else IN_YEAR, target=repr(dataset.target), day=day.text, n=len(rows))
        for day, rows in screening.returning.items()
    )  # fmt: skip
    return replace(dataset, warnings=(*dataset.warnings, *singles, *back))


def _single(dataset: Dataset, outlier: Outlier) -> str:
    y, expected = outlier.y, outlier.expected
    return note(
        "{when}: {target} is {value} where about {expected} was expected; {what}",
        when=label_text(time_labels(dataset, np.array([outlier.x]))[0]), target=repr(dataset.target),
        value=noted_amount(y, 4, abs(y - expected)), expected=noted_amount(expected, 4, abs(y - expected)),
        what=_done_with(outlier),
    )  # fmt: skip


def _done_with(outlier: Outlier) -> str:
    if outlier.ending:
        return note("set aside, as only later values can tell whether it lasts; forecasts reckon with both.")
    if outlier.aside:
        return note("set aside, the model was made without it.")
    return note("kept, as it stands at an end of the data.")
