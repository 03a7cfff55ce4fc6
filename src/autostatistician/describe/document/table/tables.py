"""Tables of reports on tables: columns, checks, fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.claims.kinds import Form
from autostatistician.describe.claims.quantity import Measure
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.classes import ChanceCourse
from autostatistician.describe.facts.effect import ColumnRelevance, EffectCourse, ErrorCheck
from autostatistician.describe.facts.findings import EffectFindings, InputColumn
from autostatistician.describe.facts.judgement import clear_courses, standing_of
from autostatistician.describe.facts.search import FittedNumber
from autostatistician.describe.words.amounts import difference_alone
from autostatistician.describe.words.table_fit import lost_share
from autostatistician.forms import CheckKind
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import (
    amount,
    joined,
    p_value,
    pair,
    percent,
    rounded_percent,
)

__all__ = ["checks_table", "columns_table", "numbers_table"]

_NONE = "–"
MOST_ROWS = 30  # columns
_ASKED = {
    CheckKind.DISTRIBUTION: message("how the errors are spread"),
    CheckKind.SPREAD: message("whether errors are larger where predictions are high"),
}


def columns_table(
    columns: Sequence[ColumnRelevance], inputs: Sequence[InputColumn], effects: Sequence[EffectFindings], scale: Scale
) -> Table:
    """One row per column: its values, whether it acts, how much it changes, and what is lost without it."""
    by_name = {column.name: column for column in inputs}
    courses = [fact for effect in reversed(effects) for fact in clear_courses(effect.facts)]
    sizes = {course.column: _size(course, scale) for course in courses}
    rows = tuple(
        (
            " ".join(fact.column.split()),
            _values(by_name[fact.column]),
            _acts(fact),
            sizes.get(fact.column, _NONE) if _is_told(fact) else _NONE,
            lost_share(fact) if _is_told(fact) else _NONE,
            percent(fact.probability) if _is_told(fact) else _NONE,
        )
        for fact in columns[:MOST_ROWS]
    )
    size = say("Chance, low to high") if scale.is_class else say("Highest less lowest")
    header = (say("Column"), say("Values"), say("Acts"), size, say("Lost without it"), say("Probability"))
    note = say(
        "Lost without it: share of the variation of rows left out (95% range), by least squares on curves of the "
        "columns. Probability: of all models with the column together."
    )
    return Table(
        "table-columns", say("The columns, the most relevant first."), header, rows,
        (False, False, False, True, True, True), note,
    )  # fmt: skip


def _acts(fact: ColumnRelevance) -> str:
    match standing_of(fact):
        case Form.MATTERS:
            with_others = joined([quoted(partner) for partner in fact.partners])
            return say("yes, with {columns}", columns=with_others) if with_others else say_as("whether it acts", "yes")
        case Form.EITHER:
            return say("it or {columns}", columns=joined([quoted(name) for name in fact.instead]))
        case Form.MAY:
            return say_as("whether a column matters", "open")
        case Form.SCATTERS:
            return say("on the scatter")
    return say_as("whether it acts", "no")


def _is_told(fact: ColumnRelevance) -> bool:
    return standing_of(fact) in (Form.MATTERS, Form.EITHER, Form.MAY)


def _size(course: EffectCourse, scale: Scale) -> str:
    """The highest of an effect less its lowest; of chances both."""
    if isinstance(course, ChanceCourse):
        every = [at.chance for at in course.chances]
        low, high = rounded_percent(min(every)), rounded_percent(max(every))
        return say_as("cell of a table", "{low} to {high}", low=low, high=high)
    return difference_alone(course.number, course.interval or (0.0, 0.0), scale)


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
        case Measure.SPAN:
            return say("period") if number.name == "period" else say("length over which it changes")
        case Measure.PLACE:
            return say("where it crosses zero") if number.name == "location" else number.name
        case Measure.SLOPE:
            return say("size of the slope")
        case Measure.DIFFUSION:
            return say("size of the steps")
        case Measure.DIFFERENCE:
            return say_as("of a number", "size")
    return say(number.name)  # "contrast" is a word; the other names are symbols
