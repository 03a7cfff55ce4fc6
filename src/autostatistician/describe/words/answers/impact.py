"""What an event did to a series, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.plans import Range, ranged
from autostatistician.wording.lists import counted, listed
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import p_value, percent

__all__ = ["impact_texts"]


def impact_texts(
    since: float,
    rows: int,
    effects: tuple[Range, Range, Range | None],
    placebos: tuple[int, int, float],
    verdict: tuple[bool, bool],
    columns: Sequence[str],
    units: Units,
) -> tuple[str, ...]:
    """The effect on average, in total and as a share; the test on earlier dates; and what it rests on.

    ``placebos``: how many earlier dates there were, how many of them look as much like an event, and the p-value.
    ``verdict``: whether it is more than chance gives, and whether the earlier dates were enough to tell.
    """
    average, total, share = effects
    target = quoted(units.target)
    whole = f", in total {ranged(total)}" if rows > 1 else ""
    mean = " on average" if rows > 1 else ""
    ratio = "" if share is None else f": {_signed(share)} of what was to be expected"
    since_then = f"Since {stamp(since, units)} ({counted(rows, 'row')})"
    size = f"{since_then} {target} is {ranged(average)}{mean} than without the event{whole}{ratio}."
    return size, _test(placebos, *verdict), _caveat(columns, target)


def _signed(share: Range) -> str:
    low, high = (percent(end) for end in share[1:])
    return f"{percent(share[0])} (95% range {low} to {high})"


def _test(placebos: tuple[int, int, float], is_event: bool, tested: bool) -> str:
    dates, alike, p = placebos
    if not tested:
        there = f"only {counted(dates, 'earlier date')}" if dates else "no earlier date"
        are = "are" if dates > 1 else "is"
        by_range = "more than the model puts down to chance" if is_event else "no more than chance gives"
        return f"There {are} {there} to compare it with, too few for a test: by its range it is {by_range}."
    text = p_value(p)
    chance = f"p {text}" if text.startswith("below") else f"p = {text}"
    looks = f"Of {dates} earlier dates {alike or 'none'} {'looks' if alike == 1 else 'look'} as much like an event"
    if is_event:
        return f"{looks} ({chance}): it is more than chance gives."
    return f"{looks} ({chance}): chance gives as much, so no effect can be told."


def _caveat(columns: Sequence[str], target: str) -> str:
    if columns:
        beside = f" and the columns {listed(list(columns))} as they were since"
        moved = ", and if the event did not move the columns"
    else:
        beside = moved = ""
    return (
        f"What {target} would have been is forecast from the rows before{beside}; "
        f"the difference is the effect of the event only if nothing else changed then{moved}."
    )
