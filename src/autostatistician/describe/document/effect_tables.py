"""Tables of reports on tables: effects, columns, checks, fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.effect import ColumnRelevance, Course, EffectShare, ErrorCheck, TableFact
from autostatistician.describe.words.effects import Scale, hardly, is_open
from autostatistician.describe.words.search import among
from autostatistician.language.format import format_expr
from autostatistician.language.kernel import Parameter, parameters
from autostatistician.language.leaf_row import Role
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, fixed, joined, p_value, percent

__all__ = ["checks_table", "columns_table", "effects_table", "numbers_table"]

_NONE = "–"
_ASKED = {
    "distribution": "how the errors are spread",
    "spread": "whether errors are larger where predictions are high",
}


def effects_table(told: Sequence[tuple[str, tuple[TableFact, ...]]], scale: Scale) -> Table:
    """One row per effect: its share in the variation, and its size."""
    rows = []
    for title, facts in told:
        share = next(fact for fact in facts if isinstance(fact, EffectShare))
        courses = [fact for fact in facts if isinstance(fact, Course)]
        size = courses[0] if len(courses) == 1 else None
        span = "" if share.interval is None else f"{_per_cent(share.interval[0])} to {_per_cent(share.interval[1])}"
        told_size = _NONE if size is None else scale.by(size.number, size.interval or (0.0, 0.0)).removeprefix("by ")
        rows.append((title, percent(share.number), span, told_size.partition(" (")[0]))
    note = (
        "Share: the variation of the effect over the data relative to that of the values. Effects of columns that go "
        "together may cancel or add up, so shares need not add up to 100%."
    )
    header = ["Effect of", "Share", "95% range"]
    if any(row[-1] != _NONE for row in rows):
        header.append("Highest less lowest")
        note += " Highest less lowest: of an effect of one column."
    cells = tuple(row[: len(header)] for row in rows)
    numeric = (False, *[True] * (len(header) - 1))
    return Table("table-effects", "The effects, the largest first.", tuple(header), cells, numeric, note)


def _per_cent(value: float) -> str:
    return f"{fixed(value, 0 if value >= 10.0 else 1)}%"


def columns_table(columns: Sequence[ColumnRelevance], d: TableDecomposition) -> Table:
    """One row per column: its values, what hangs on it, with which others, and how probable it is that it matters."""
    known = {column.name: column for column in d.columns}
    rows = []
    for fact in columns:
        column = known[fact.column]
        values = f"{amount(column.low, 4)} to {amount(column.high, 4)}"
        values = plural_levels(len(column.levels)) if column.levels else values
        span = fact.interval if fact.used and fact.interval else None
        alone = ["alone"] if fact.alone else []
        how = joined([*alone, *(f"with {quoted(one)}" for one in fact.partners)]) if alone or fact.partners else _NONE
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
        f"Probability: of all models with an effect of the column, among those {among(d)}; open: most of them do "
        "without it, or this one does and others do not."
    )
    header = ("Column", "Values", "Hangs on it", "95% range", "How it acts", "Probability that it matters")
    numeric = (False, False, True, True, False, True)
    return Table("table-columns", "The columns, the most relevant first.", header, tuple(rows), numeric, note)


def _probability(fact: ColumnRelevance) -> str:
    if is_open(fact):
        return "open"
    return percent(100.0 * fact.probability) if fact.used and not hardly(fact) else _NONE


def plural_levels(count: int) -> str:
    """How many categories a column has.

    >>> plural_levels(5)
    '5 categories'
    """
    return "1 category" if count == 1 else f"{count} categories"


def checks_table(every: Sequence[ErrorCheck]) -> Table:
    """One row per check of the errors."""
    rows = tuple(
        (
            _ASKED.get(one.kind, f"whether a pattern along {quoted(one.column or '')} is left"),
            p_value(one.number),
            p_value(one.adjusted),
        )
        for one in every
    )
    note = (
        "p-value: how often simulations from the model show as much. Corrected: for the number of checks (Benjamini "
        "and Yekutieli 2001). The numbers of the model were fitted to the same data, which makes the checks lenient."
    )
    header = ("What was looked at", "p-value", "Corrected")
    return Table("table-checks", "The checks of the errors.", header, rows, (False, True, True), note)


def numbers_table(d: TableDecomposition) -> Table:
    """All fitted numbers, effect by effect."""
    kernel = d.fitted.kernel
    rows = []
    for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True):
        rows.append((format_expr(parameter.node), _meaning(parameter), amount(value, 4)))
    note = (
        "In a product, the sizes of the factors multiply. Lengths and places are in the units of their columns, sizes "
        "in those of what is modelled."
    )
    header = ("Where", "What", "Value")
    return Table("table-numbers", "The numbers of the model.", header, tuple(rows), (False, False, True), note)


def _meaning(parameter: Parameter) -> str:
    match parameter.role:
        case Role.LENGTH:
            return "period" if parameter.name == "period" else "length over which it changes"
        case Role.LOCATION:
            return "where it crosses zero" if parameter.name == "location" else parameter.name
        case Role.SLOPE:
            return "size of the slope"
        case Role.SD:
            return "size"
    return parameter.name
