"""What must be known of the data of a panel: series without a model, what was left out, steps that differ."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.panels.facts import Kind
from autostatistician.describe.panels.phrases import names_text
from autostatistician.wording.messages import again, message, say, say_count
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import article, fixed

__all__ = ["kind_text", "steps_text"]

FEW = 4  # names that are told
MOST_STEPS = 5
LONGEST = 300  # signs of a note
NAMELESS = message("(no name)")


def kind_text(kind: Kind, of: int) -> str:
    """A failure or a note with the number of series that have it, of so many.

    >>> kind_text(Kind("too few rows", ("north",)), 3), kind_text(Kind("too few rows", ("",)), 3)
    ("'north': too few rows", '(no name): too few rows')
    """
    number = len(kind.names)
    text = clean_name(again(kind.text), LONGEST)
    if kind.same and number == of > 1:
        return say("all series: {text}", text=text)
    name = quoted(kind.names[0]) if kind.names[0].strip() else say(NAMELESS)
    if number == 1:
        return say("{name}: {text}", name=name, text=text)
    if kind.same:
        return say_count(
            number - 1, "{name}, and likewise {n} other: {text}", "{name}, and likewise {n} others: {text}",
            name=name, n=number - 1, text=text,
        )  # fmt: skip
    return say_count(
        number - 1, "{name}: {text} ({n} other has a note like it, with names and numbers of its own)",
        "{name}: {text} ({n} others have a note like it, with names and numbers of their own)",
        name=name, n=number - 1, text=text,
    )  # fmt: skip


def steps_text(steps: Sequence[Kind]) -> str:
    """That the steps from row to row are not the same in all series; "" where they are.

    >>> steps_text([Kind("month", ("a", "b")), Kind("", ("c",))])
    "The steps from row to row differ: a month in 2 series, no regular one in 1 ('c')."
    """
    if len(steps) < 2:
        return ""
    first, *others = steps[:MOST_STEPS]
    clauses = [say("{step} in {n} series", step=_step(first), n=fixed(len(first.names), 0))]
    for kind in others:
        values = {"step": _step(kind), "n": fixed(len(kind.names), 0)}
        clauses.append(
            say("{step} in {n} ({names})", names=names_text(kind.names), **values)
            if len(kind.names) <= FEW
            else say("{step} in {n}", **values)
        )
    told = ", ".join(clauses)
    if len(steps) > MOST_STEPS:
        return say("The steps from row to row differ: {steps}, and others in the rest.", steps=told)
    return say("The steps from row to row differ: {steps}.", steps=told)


_STEPS = {
    "year": message("a year"), "quarter": message("a quarter"), "month": message("a month"), "week": message("a week"),
    "day": message("a day"), "business day": message("a business day"), "hour": message("an hour"),
    "minute": message("a minute"), "second": message("a second"),
}  # fmt: skip


def _step(kind: Kind) -> str:
    if not kind.text:
        return say("no regular one")
    if kind.text in _STEPS:
        return say(_STEPS[kind.text])
    return kind.text if kind.text[:1].isdigit() else article(kind.text)
