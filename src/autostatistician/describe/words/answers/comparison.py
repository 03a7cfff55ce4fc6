"""What new rows say of a model, in words: forecasts that were missed, and parts that moved."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words import amounts
from autostatistician.describe.words.times import told_for
from autostatistician.wording.lists import in_turn
from autostatistician.wording.messages import say, say_count
from autostatistician.wording.numbers import amount, fixed, in_percent

__all__ = ["MissedForecast", "MovedPart", "missed_text", "moved_text"]

# Position, value, the range of 95 % that was forecast, and what has moved most to that side ("": nothing).
MissedForecast = tuple[float, float, float, float, str]
MovedPart = tuple[str, float, float, float]  # name, position, change and its standard deviation

MOST_NAMED = 5
HALF_OF_RANGE = 1.959964  # standard deviations


def missed_text(rows: int, missed: Sequence[MissedForecast], units: Units) -> str:
    """Which forecasts were missed, and how many are by chance."""
    every = fixed(rows, 0)
    if not missed:
        return say_count(
            rows, "The new row lies within the 95% ranges that were forecast.",
            "All {n} new rows lie within the 95% ranges that were forecast.", n=every,
        )  # fmt: skip
    named = [_missed(row, units) for row in missed[:MOST_NAMED]]
    more = [say("and {n} more", n=len(missed) - MOST_NAMED)] if len(missed) > MOST_NAMED else []
    return say_count(
        len(missed), "{n} row lies outside the 95% range that was forecast (about {expected} of {rows} would by "
        "chance): {missed}.", "{n} rows lie outside the 95% range that was forecast (about {expected} of {rows} would "
        "by chance): {missed}.", n=len(missed), expected=amount(0.05 * rows, 1), rows=every,
        missed=in_turn([*named, *more]),
    )  # fmt: skip


def _missed(row: MissedForecast, units: Units) -> str:
    position, value, low, high, by = row
    ends = amounts.values(low, high, units)
    told = {
        "when": stamp(position, units),
        "value": amounts.value(value, units, 4, high - low),
        "low": ends[0],
        "high": ends[1],
    }
    if by:
        return say("{when} {value} (forecast {low} to {high}; most moved: {part})", part=by, **told)
    return say("{when} {value} (forecast {low} to {high})", **told)


def moved_text(moved: Sequence[MovedPart], units: Units) -> str:
    """Which parts moved, and where by how much."""
    if not moved:
        return say("No part of the model and no effect of a column moved beyond its error.")
    texts: list[str] = []
    for name, position, change, sd in moved:
        told = {
            "name": name, "size": _size(abs(change), units), "when": told_for(position, units),
            "error": _size(HALF_OF_RANGE * sd, units),
        }  # fmt: skip
        texts.append(
            say("{name} is {size} above what was forecast of it {when} (give or take {error})", **told)
            if change > 0.0
            else say("{name} is {size} below what was forecast of it {when} (give or take {error})", **told)
        )
    return say("Moved: {parts}.", parts=in_turn(texts))


def _size(value: float, units: Units) -> str:
    if units.is_odds:
        return amounts.size(value, units, 2)
    return in_percent(fixed(amounts.per_cent(value), 1, trim=True)) if units.is_log else amount(value, 2)
