"""What new rows say of a model, in words: forecasts that were missed, and parts that moved."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words import amounts
from autostatistician.wording.lists import counted
from autostatistician.wording.numbers import amount, fixed

__all__ = ["MissedForecast", "MovedPart", "missed_text", "moved_text"]

# Position, value, the range of 95 % that was forecast, and what has moved most to that side ("": nothing).
MissedForecast = tuple[float, float, float, float, str]
MovedPart = tuple[str, float, float, float]  # name, position, change and its standard deviation

MOST_NAMED = 5
HALF_OF_RANGE = 1.959964  # standard deviations


def missed_text(rows: int, missed: Sequence[MissedForecast], units: Units) -> str:
    """Which forecasts were missed, and how many are by chance."""
    if not missed:
        every = f"All {rows:,} new rows lie" if rows > 1 else "The new row lies"
        return f"{every} within the 95% ranges that were forecast."
    chance = f"about {amount(0.05 * rows, 1)} of {rows:,} would by chance"
    named = "; ".join(_missed(row, units) for row in missed[:MOST_NAMED])
    more = f"; and {len(missed) - MOST_NAMED} more" if len(missed) > MOST_NAMED else ""
    lie = "lies" if len(missed) == 1 else "lie"
    return f"{counted(len(missed), 'row')} {lie} outside the 95% range that was forecast ({chance}): {named}{more}."


def _missed(row: MissedForecast, units: Units) -> str:
    position, value, low, high, by = row
    most = f"; most moved: {by}" if by else ""
    told, ends = amounts.value(value, units, 4), amounts.values(low, high, units)
    return f"{stamp(position, units)} {told} (forecast {' to '.join(ends)}{most})"


def moved_text(moved: Sequence[MovedPart], units: Units) -> str:
    """Which parts moved, and where by how much."""
    if not moved:
        return "No part of the model and no effect of a column moved beyond its error."
    texts = []
    for name, position, change, sd in moved:
        way = "above" if change > 0.0 else "below"
        size, error = _size(abs(change), units), _size(HALF_OF_RANGE * sd, units)
        when = stamp(position, units)
        texts.append(f"{name} is {size} {way} what was forecast of it for {when} (give or take {error})")
    return f"Moved: {'; '.join(texts)}."


def _size(value: float, units: Units) -> str:
    if units.is_odds:
        return amounts.size(value, units, 2)
    return f"{fixed(amounts.per_cent(value), 1, trim=True)}%" if units.is_log else amount(value, 2)
