"""Tables of reports on tables: effects, columns, checks, fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.classes import ChanceCourse
from autostatistician.describe.facts.effect import ColumnRelevance, EffectCourse, ErrorCheck
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import InputColumn
from autostatistician.describe.facts.judgement import effect_share, hardly_matters, is_open
from autostatistician.describe.facts.kinds import Quantity
from autostatistician.describe.facts.search import FittedNumber, SearchFindings
from autostatistician.describe.words.amounts import by
from autostatistician.describe.words.search import among
from autostatistician.forms import CheckKind
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, fixed, joined, p_value, percent

__all__ = ["checks_table", "columns_table", "effects_table", "numbers_table"]

_NONE = "–"
_ASKED = {
    CheckKind.DISTRIBUTION: "how the errors are spread",
    CheckKind.SPREAD: "whether errors are larger where predictions are high",
}


def effects_table(effects: Sequence[tuple[str, tuple[Fact, ...]]], scale: Scale) -> Table:
    """One row per effect: its share in the variation, and its size."""
    rows = []
    for title, facts in effects:
        share = effect_share(facts)
        courses = [fact for fact in facts if isinstance(fact, EffectCourse)]
        size = courses[0] if len(courses) == 1 else None
        span = "" if share.interval is None else f"{_per_cent(share.interval[0])} to {_per_cent(share.interval[1])}"
        rows.append((title, percent(share.number), span, _NONE if size is None else _size(size, scale)))
    whole = "all that decides on a class" if scale.is_class else "that of the values"
    note = (
        f"Share: the variation of the effect over the data relative to {whole}. Effects of columns that go together "
        "may cancel or add up, so shares need not add up to 100%."
    )
    header = ["Effect of", "Share", "95% range"]
    if any(row[-1] != _NONE for row in rows):
        header.append("Chance" if scale.is_class else "Highest less lowest")
        note += f" {header[-1]}: of an effect of one column."
    cells = tuple(row[: len(header)] for row in rows)
    numeric = (False, *[True] * (len(header) - 1))
    return Table("table-effects", "The effects, the largest first.", tuple(header), cells, numeric, note)


def _size(fact: EffectCourse, scale: Scale) -> str:
    """The highest of an effect less its lowest; of chances both."""
    if isinstance(fact, ChanceCourse):
        every = [at.chance for at in fact.chances]
        return f"{_per_cent(min(every))} to {_per_cent(max(every))}"
    return by(fact.number, fact.interval or (0.0, 0.0), scale).removeprefix("by ").partition(" (")[0]


def _per_cent(share: float) -> str:
    return f"{fixed(100.0 * share, 0 if share >= 0.1 else 1)}%"


def columns_table(columns: Sequence[ColumnRelevance], inputs: Sequence[InputColumn], search: SearchFindings) -> Table:
    """One row per column: its values, what hangs on it, with which others, and how probable it is that it matters."""
    by_name = {column.name: column for column in inputs}
    rows = []
    for fact in columns:
        column = by_name[fact.column]
        values = f"{amount(column.low, 4)} to {amount(column.high, 4)}"
        values = _categories(len(column.levels)) if column.levels else values
        span = fact.interval if fact.used and fact.interval else None
        alone = ["alone"] if fact.alone else []
        how = (
            joined([*alone, *(f"with {quoted(partner)}" for partner in fact.partners)])
            if alone or fact.partners
            else _NONE
        )
        rows.append(
            (
                " ".join(fact.column.split()),
                values,
                percent(fact.number),
                _NONE if span is None else f"{_per_cent(span[0])} to {_per_cent(span[1])}",
                how,
                _probability(fact),
            )
        )
    note = (
        f"Probability: of all models with an effect of the column, among those {among(search)}; open: this one has "
        "it and others that fit do not, or the other way round."
    )
    header = ("Column", "Values", "Hangs on it", "95% range", "How it acts", "Probability that it matters")
    numeric = (False, False, True, True, False, True)
    return Table("table-columns", "The columns, the most relevant first.", header, tuple(rows), numeric, note)


def _probability(fact: ColumnRelevance) -> str:
    if is_open(fact):
        return "open"
    return percent(fact.probability) if fact.used and not hardly_matters(fact) else _NONE


def _categories(count: int) -> str:
    """How many categories a column has.

    >>> _categories(5)
    '5 categories'
    """
    return "1 category" if count == 1 else f"{count} categories"


def checks_table(every: Sequence[ErrorCheck]) -> Table:
    """One row per check of the errors."""
    rows = tuple(
        (
            _ASKED.get(check.kind, f"whether a pattern along {quoted(check.column or '')} is left"),
            p_value(check.number),
            p_value(check.adjusted),
        )
        for check in every
    )
    note = (
        "p-value: how often simulations from the model show as much. Corrected: for the number of checks (Benjamini "
        "and Yekutieli 2001). The numbers of the model were fitted to the same data, which makes the checks lenient."
    )
    header = ("What was looked at", "p-value", "Corrected")
    return Table("table-checks", "The checks of the errors.", header, rows, (False, True, True), note)


def numbers_table(numbers: Sequence[FittedNumber]) -> Table:
    """All fitted numbers, effect by effect."""
    rows = tuple((number.where, _meaning(number), amount(number.value, 4)) for number in numbers)
    note = (
        "In a product, the sizes of the factors multiply. Lengths and places are in the units of their columns, sizes "
        "in those of what is modelled."
    )
    header = ("Where", "What", "Value")
    return Table("table-numbers", "The numbers of the model.", header, rows, (False, False, True), note)


def _meaning(number: FittedNumber) -> str:
    match number.quantity:
        case Quantity.LENGTH:
            return "period" if number.name == "period" else "length over which it changes"
        case Quantity.PLACE:
            return "where it crosses zero" if number.name == "location" else number.name
        case Quantity.SLOPE:
            return "size of the slope"
        case Quantity.DIFFUSION:
            return "size of the steps"
        case Quantity.SIZE:
            return "size"
    return number.name
