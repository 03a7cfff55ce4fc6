"""What is plain about data before any model is told, in words."""

from __future__ import annotations

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import ExactLine, FewRows, ManyZeros, NoneOrSome, OneValue, PossibleStructure
from autostatistician.describe.words.nouns import find
from autostatistician.wording.numbers import amount, capital, fixed, percent, plural

__all__ = ["few_rows_text", "line_text", "nothing_text", "some_text", "zeros_text"]


_MINUS = "\N{MINUS SIGN}"


_DIGITS = 6  # of the numbers of a formula: enough for all that are written by people


def few_rows_text(facts: tuple[Fact, ...]) -> str:
    """How little so few rows show; "" where there are more."""
    few = find(facts, FewRows)
    if few is None:
        return ""
    return (
        f"{capital(plural(int(few.number), 'row'))} show little: {_looked_for(few)}, and nothing else was looked for. "
        "What is said here may be chance, and probabilities compare only these few kinds of models."
    )


def _looked_for(few: FewRows) -> str:
    if not few.wandering:
        return "a level, a straight line, a smooth curve or a single step at most"
    cycle = ", a cycle of the calendar that they cover nearly twice" if few.cycles else ""
    return f"a level that stays or wanders, a trend, a smooth curve{cycle} or a single step at most"


def zeros_text(facts: tuple[Fact, ...]) -> str:
    """How many of the values are zero, and what the others are where these have a law of their own; else ""."""
    zeros, apart = find(facts, ManyZeros), find(facts, NoneOrSome)
    texts = []
    if zeros is not None:
        share, late = (fixed(100.0 * part, 0) for part in (zeros.number, zeros.late))
        texts.append(f"{share}% of the values are zero, {late}% of the last {zeros.rows}.")
    if apart is not None:
        texts.append(f"Those above zero are mostly {some_text(apart)}, and what is said of a course is about them.")
    return " ".join(texts)


def some_text(apart: NoneOrSome) -> str:
    """Between what most counts above zero lie.

    >>> some_text(NoneOrSome(id="n", number=0.6, unit="share", evidence="e", low=4.0, high=9.0))
    '4 to 9'
    """
    return amount(apart.low) if apart.low == apart.high else f"{amount(apart.low)} to {amount(apart.high)}"


def nothing_text(facts: tuple[Fact, ...]) -> str:
    """What is said of data in which nothing is sure, of few rows, and of values that are all the same; else ""."""
    few, possible = find(facts, FewRows), find(facts, PossibleStructure)
    if find(facts, OneValue) is None and possible is not None:
        return (
            f"No structure is sure: that there is some, beyond random scatter, has a probability of "
            f"{percent(possible.number)}. That is too little to tell one; forecasts reckon with it."
        )
    if few is None or find(facts, OneValue) is not None:
        return _one_value(facts)
    wandering = ", no level that wanders" if few.wandering else ""
    return (
        f"No structure was found: no line, no step{wandering} and no smooth curve describes these values better than "
        "random scatter. More rows may show what these cannot."
    )


def _one_value(facts: tuple[Fact, ...]) -> str:
    same = find(facts, OneValue)
    if same is None:
        return ""
    value = amount(same.number, _DIGITS)
    return f"All values are the same: {value}. There is nothing to explain, and no noise that can be seen."


def line_text(facts: tuple[Fact, ...], units: Units) -> str:
    """The formula of an exact line; "" where the data are none."""
    line = find(facts, ExactLine)
    if line is None:
        return ""
    target, axis = _symbol(units.target), _symbol(" ".join(units.axis.column.split()))
    return f"No noise can be seen: the data follow {target} = {_formula(line, axis, units)}."


def _formula(line: ExactLine, axis: str, units: Units) -> str:
    slope, intercept = amount(abs(line.number), _DIGITS), amount(abs(line.intercept), _DIGITS)
    term = axis if slope == "1" else f"{slope} {axis}"
    if abs(line.intercept) < 1e-5 * units.spread:
        return term if line.number >= 0 else f"{_MINUS}{term}"
    start = intercept if line.intercept >= 0 else f"{_MINUS}{intercept}"
    return f"{start} {'+' if line.number >= 0 else _MINUS} {term}"


def _symbol(name: str) -> str:
    """A name as it stands in a formula."""
    return name if name.isidentifier() else f"'{name}'"
