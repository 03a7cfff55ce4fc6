"""What an event did to a series, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.plans import Range, ranged
from autostatistician.i18n.messages import say, say_count
from autostatistician.i18n.names import listed, quoted
from autostatistician.i18n.numbers import p_text, percent

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
    return _size(since, rows, effects, units), _test(placebos, *verdict), _caveat(columns, quoted(units.target))


def _size(since: float, rows: int, effects: tuple[Range, Range, Range | None], units: Units) -> str:
    average, total, share = effects
    told = {"when": stamp(since, units), "target": quoted(units.target), "average": ranged(average)}
    text = (
        say(
            "Since {when} ({n} rows) {target} is {average} on average than without the event, in total {total}", n=rows,
            total=ranged(total), **told,
        )
        if rows > 1
        else say("Since {when} (1 row) {target} is {average} than without the event", **told)
    )  # fmt: skip
    if share is None:
        return f"{text}."
    return say("{text}: {share} of what was to be expected.", text=text, share=_signed(share))


def _signed(share: Range) -> str:
    middle, low, high = map(percent, share)
    return say("{middle} (95% range {low} to {high})", middle=middle, low=low, high=high)


def _test(placebos: tuple[int, int, float], is_event: bool, tested: bool) -> str:
    dates, alike, p = placebos
    if not tested:
        return _untested(dates, is_event)
    looks = (
        say_count(
            alike, "Of {dates} earlier dates {n} looks as much like an event",
            "Of {dates} earlier dates {n} look as much like an event", dates=dates, n=alike,
        )
        if alike
        else say("Of {dates} earlier dates none look as much like an event", dates=dates)
    )  # fmt: skip
    if is_event:
        return say("{text} ({p}): it is more than chance gives.", text=looks, p=p_text(p))
    return say("{text} ({p}): chance gives as much, so no effect can be told.", text=looks, p=p_text(p))


def _untested(dates: int, is_event: bool) -> str:
    there = (
        say_count(
            dates, "There is only {n} earlier date to compare it with, too few for a test",
            "There are only {n} earlier dates to compare it with, too few for a test", n=dates,
        )
        if dates
        else say("There is no earlier date to compare it with, too few for a test")
    )  # fmt: skip
    if is_event:
        return say("{text}: by its range it is more than the model puts down to chance.", text=there)
    return say("{text}: by its range it is no more than chance gives.", text=there)


def _caveat(columns: Sequence[str], target: str) -> str:
    if not columns:
        return say(
            "What {target} would have been is forecast from the rows before; the difference is the effect of the event "
            "only if nothing else changed then.", target=target,
        )  # fmt: skip
    return say(
        "What {target} would have been is forecast from the rows before and the columns {columns} as they were since; "
        "the difference is the effect of the event only if nothing else changed then, and if the event did not move "
        "the columns.", target=target, columns=listed(list(columns)),
    )  # fmt: skip
