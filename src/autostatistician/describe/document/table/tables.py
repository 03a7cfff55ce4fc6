"""Tables of reports on tables: effects, columns, checks, fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.classes import ChanceCourse
from autostatistician.describe.facts.effect import ColumnRelevance, EffectCourse, ErrorCheck
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import InputColumn
from autostatistician.describe.facts.judgement import effect_share, hardly_matters, is_open
from autostatistician.describe.facts.kinds import Quantity
from autostatistician.describe.facts.search import FittedNumber, SearchFindings
from autostatistician.describe.words.amounts import difference_alone
from autostatistician.describe.words.search import among
from autostatistician.forms import CheckKind
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import (
    amount,
    capital,
    joined,
    p_value,
    pair,
    percent,
    rounded_percent,
)

__all__ = ["checks_table", "columns_table", "effects_table", "numbers_table"]

_NONE = "–"
_ASKED = {
    CheckKind.DISTRIBUTION: message("how the errors are spread"),
    CheckKind.SPREAD: message("whether errors are larger where predictions are high"),
}


def effects_table(effects: Sequence[tuple[str, tuple[Fact, ...]]], scale: Scale) -> Table:
    """One row per effect: its share in the variation, and its size."""
    rows = []
    for title, facts in effects:
        share = effect_share(facts)
        courses = [fact for fact in facts if isinstance(fact, EffectCourse)]
        size = courses[0] if len(courses) == 1 else None
        span = "" if share.interval is None else _span(*share.interval)
        rows.append((title, percent(share.number), span, _NONE if size is None else _size(size, scale)))
    notes: list[str] = [say(_SHARES_OF_CLASSES) if scale.is_class else say(_SHARES)]
    header: list[str] = [say("Effect of"), say_as("of the variation", "Share"), capital(say("95% range"))]
    if any(row[-1] != _NONE for row in rows):
        header.append(say("Chance") if scale.is_class else say("Highest less lowest"))
        notes.append(say("{column}: of an effect of one column.", column=header[-1]))
    cells = tuple(row[: len(header)] for row in rows)
    numeric = (False, *[True] * (len(header) - 1))
    return Table(
        "table-effects", say("The effects, the largest first."), tuple(header), cells, numeric, " ".join(notes)
    )


_SHARES = message(
    "Share: the variation of the effect over the data relative to that of the values. Effects of columns that go "
    "together may cancel or add up, so shares need not add up to 100%."
)
_SHARES_OF_CLASSES = message(
    "Share: the variation of the effect over the data relative to all that decides on a class. Effects of columns that "
    "go together may cancel or add up, so shares need not add up to 100%."
)


def _size(fact: EffectCourse, scale: Scale) -> str:
    """The highest of an effect less its lowest; of chances both."""
    if isinstance(fact, ChanceCourse):
        every = [at.chance for at in fact.chances]
        return _span(min(every), max(every))
    return difference_alone(fact.number, fact.interval or (0.0, 0.0), scale)


def _per_cent(share: float) -> str:
    return rounded_percent(share, 0 if share >= 0.1 else 1)


def _span(low: float, high: float) -> str:
    return say_as("cell of a table", "{low} to {high}", low=_per_cent(low), high=_per_cent(high))


def columns_table(columns: Sequence[ColumnRelevance], inputs: Sequence[InputColumn], search: SearchFindings) -> Table:
    """One row per column: its values, what hangs on it, with which others, and how probable it is that it matters."""
    by_name = {column.name: column for column in inputs}
    rows = []
    for fact in columns:
        column = by_name[fact.column]
        span = fact.interval if fact.used and fact.interval else None
        alone = [say_as("how a column acts", "alone")] if fact.alone else []
        how = (
            joined([*alone, *(say("with {partner}", partner=quoted(partner)) for partner in fact.partners)])
            if alone or fact.partners
            else _NONE
        )
        rows.append(
            (
                " ".join(fact.column.split()),
                _values(column),
                percent(fact.number),
                _NONE if span is None else _span(*span),
                how,
                _probability(fact),
            )
        )
    note = say(
        "Probability: of all models with an effect of the column, among those {among}; open: this one has it and "
        "others that fit do not, or the other way round.",
        among=among(search),
    )
    header = (
        say("Column"), say("Values"), say("Hangs on it"), capital(say("95% range")), say("How it acts"),
        say("Probability that it matters"),
    )  # fmt: skip
    numeric = (False, False, True, True, False, True)
    return Table("table-columns", say("The columns, the most relevant first."), header, tuple(rows), numeric, note)


def _probability(fact: ColumnRelevance) -> str:
    if is_open(fact):
        return say_as("whether a column matters", "open")
    return percent(fact.probability) if fact.used and not hardly_matters(fact) else _NONE


def _values(column: InputColumn) -> str:
    """What a column holds."""
    if column.levels:
        return _categories(len(column.levels))
    low, high = pair(column.low, column.high, 4)
    return say_as("cell of a table", "{low} to {high}", low=low, high=high)


def _categories(count: int) -> str:
    """How many categories a column has.

    >>> _categories(5)
    '5 categories'
    """
    return say_count(count, "{n} category", "{n} categories", n=count)


def checks_table(every: Sequence[ErrorCheck]) -> Table:
    """One row per check of the errors."""
    rows = tuple(
        (
            _asked(check),
            p_value(check.number),
            p_value(check.adjusted),
        )
        for check in every
    )
    note = say(
        "p-value: how often simulations from the model show as much. Corrected: for the number of checks (Benjamini "
        "and Yekutieli 2001). The numbers of the model were fitted to the same data, which makes the checks lenient."
    )
    header = (say("What was looked at"), say("p-value"), say_as("of p-values", "Corrected"))
    return Table("table-checks", say("The checks of the errors."), header, rows, (False, True, True), note)


def _asked(check: ErrorCheck) -> str:
    """What a check of the errors looked at."""
    if check.kind in _ASKED:
        return say(_ASKED[check.kind])
    return say("whether a pattern along {column} is left", column=quoted(check.column or ""))


def numbers_table(numbers: Sequence[FittedNumber]) -> Table:
    """All fitted numbers, effect by effect."""
    rows = tuple((number.where, _meaning(number), amount(number.value, 4)) for number in numbers)
    note = say(
        "In a product, the sizes of the factors multiply. Lengths and places are in the units of their columns, sizes "
        "in those of what is modelled."
    )
    header = (say("Where"), say_as("of a number", "What"), say("Value"))
    return Table("table-numbers", say("The numbers of the model."), header, rows, (False, False, True), note)


def _meaning(number: FittedNumber) -> str:
    match number.quantity:
        case Quantity.LENGTH:
            return say("period") if number.name == "period" else say("length over which it changes")
        case Quantity.PLACE:
            return say("where it crosses zero") if number.name == "location" else number.name
        case Quantity.SLOPE:
            return say("size of the slope")
        case Quantity.DIFFUSION:
            return say("size of the steps")
        case Quantity.SIZE:
            return say_as("of a number", "size")
    return say(number.name)  # "contrast" is a word; the other names are symbols
