"""What must be known of the data of a panel: series without a model, what was left out, steps that differ."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.panels.facts import Kind
from autostatistician.describe.panels.words import names_text
from autostatistician.wording.lists import counted
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import article

__all__ = ["kind_text", "steps_text"]

FEW = 4  # names that are told
MOST_STEPS = 5
LONGEST = 300  # signs of a note
NAMELESS = "(no name)"


def kind_text(kind: Kind, of: int) -> str:
    """A failure or a note with the number of series that have it, of so many.

    >>> kind_text(Kind("too few rows", ("north",)), 3), kind_text(Kind("too few rows", ("",)), 3)
    ("'north': too few rows", '(no name): too few rows')
    """
    number = len(kind.names)
    text = clean_name(kind.text, LONGEST)
    if kind.same and number == of > 1:
        return f"all series: {text}"
    name = quoted(kind.names[0]) if kind.names[0].strip() else NAMELESS
    if number == 1:
        return f"{name}: {text}"
    others = counted(number - 1, "other")
    if kind.same:
        return f"{name}, and likewise {others}: {text}"
    has, its = ("has", "its") if number == 2 else ("have", "their")
    return f"{name}: {text} ({others} {has} a note like it, with names and numbers of {its} own)"


def steps_text(steps: Sequence[Kind]) -> str:
    """That the steps from row to row are not the same in all series; "" where they are.

    >>> steps_text([Kind("month", ("a", "b")), Kind("", ("c",))])
    "The steps from row to row differ: a month in 2 series, no regular one in 1 ('c')."
    """
    if len(steps) < 2:
        return ""
    first, *others = steps[:MOST_STEPS]
    clauses = [f"{_step(first)} in {len(first.names):,} series"]
    for kind in others:
        few = f" ({names_text(kind.names)})" if len(kind.names) <= FEW else ""
        clauses.append(f"{_step(kind)} in {len(kind.names):,}{few}")
    more = ", and others in the rest" if len(steps) > MOST_STEPS else ""
    return f"The steps from row to row differ: {', '.join(clauses)}{more}."


def _step(kind: Kind) -> str:
    if not kind.text:
        return "no regular one"
    return kind.text if kind.text[:1].isdigit() else article(kind.text)
