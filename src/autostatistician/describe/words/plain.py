"""What is plain about data before any model is told, in words."""

from __future__ import annotations

from autostatistician.describe.axis.places import from_place_to, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import (
    FewRows,
    ManyZeros,
    MissingTimes,
    NoneOrSome,
    OneValue,
    PossibleStructure,
)
from autostatistician.describe.words.parts import find
from autostatistician.i18n.messages import say, say_count, sentence
from autostatistician.i18n.numbers import EXACT, amount, capital, count, fixed, pair, rounded_percent

__all__ = ["few_rows_text", "missing_text", "nothing_text", "some_text", "zeros_text"]


def few_rows_text(facts: tuple[Fact, ...]) -> str:
    """How little so few rows show; "" where there are more."""
    few = find(facts, FewRows)
    if few is None:
        return ""
    return say_count(
        int(few.number),
        "{number} row shows little, so what is said here may be chance.",
        "{number} rows show little, so what is said here may be chance.",
        number=capital(count(int(few.number))),
    )


def missing_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How many times have no value, and which of them in a row; "" where few have none."""
    missing = find(facts, MissingTimes)
    if missing is None:
        return ""
    kind = "one" if missing.longest == 1 else "all" if missing.longest == missing.many else "some"
    return sentence(
        "data.missing", kind=kind, n=fixed(missing.many, 0), of=fixed(missing.of, 0), longest=count(missing.longest),
        span=from_place_to(stamp(missing.start, units), stamp(missing.stop, units)),
    )  # fmt: skip


def zeros_text(facts: tuple[Fact, ...]) -> str:
    """How many of the values are zero, and what the others are where these have a law of their own; else ""."""
    zeros, apart = find(facts, ManyZeros), find(facts, NoneOrSome)
    texts = []
    if zeros is not None:
        share, late = (rounded_percent(part) for part in (zeros.number, zeros.late))
        texts.append(
            say("{share} of the values are zero, {late} of the last {rows}.", share=share, late=late, rows=zeros.rows)
        )
    if apart is not None:
        text = say(
            "Those above zero are mostly {values}, and what is said of a course is about them.", values=some_text(apart)
        )
        texts.append(text)
    return " ".join(texts)


def some_text(apart: NoneOrSome) -> str:
    """Between what most counts above zero lie.

    >>> some_text(NoneOrSome(id="n", number=0.6, unit="share", evidence="e", low=4.0, high=9.0))
    '4 to 9'
    """
    low, high = pair(apart.low, apart.high)
    return low if apart.low == apart.high else say("{low} to {high}", low=low, high=high)


def nothing_text(facts: tuple[Fact, ...]) -> str:
    """What is said of data in which nothing is sure, of few rows, and of values that are all the same; else ""."""
    few, possible = find(facts, FewRows), find(facts, PossibleStructure)
    if find(facts, OneValue) is None and possible is not None:
        return say("No trend and no pattern is sure; what there may be is too weak to be named.")
    if few is None or find(facts, OneValue) is not None:
        return _one_value(facts)
    return say("No trend and no pattern was found; more rows may show what these cannot.")


def _one_value(facts: tuple[Fact, ...]) -> str:
    same = find(facts, OneValue)
    if same is None:
        return ""
    return say(
        "All values are the same: {value}. There is nothing to explain, and no noise that can be seen.",
        value=amount(same.number, EXACT),
    )
