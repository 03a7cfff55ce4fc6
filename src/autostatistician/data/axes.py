"""The time axis: how positions of the model (float64) relate to the dates or numbers of the user."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Axis"]


@dataclass(frozen=True)
class Axis:
    """One input axis of a data set.

    Calendar axes are measured in ``unit`` ("year", "day", "hour", "minute", "second" or "business day") so that
    calendar steps are an exact grid: monthly, quarterly and yearly series in years of twelve equal months
    (position = year + (month - 1 + within) / 12), the others in units since ``origin``. Number axes keep the
    user's numbers and have the unit "" (unknown).
    """

    column: str  # name of the column as the user wrote it
    unit: str  # unit of the model positions; "" for plain numbers
    frequency: str  # "month", "quarter", "year", "week", "day", "business day", "hour", ...; "" when irregular or plain numbers
    step: float | None  # distance of neighbouring grid positions in model units; None when there is no grid
    origin: str = ""  # ISO 8601 time of model position 0 for axes in days, hours, ...; "" for years and numbers
    within: float = 0.0  # where in its month a monthly observation sits, as a fraction (0 start, 0.5 middle)

    @property
    def is_calendar(self) -> bool:
        """Whether positions stand for dates or times."""
        return self.unit != ""
