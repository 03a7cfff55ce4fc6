"""Tables of reports on tables: columns, checks, fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.claims.claim import Claim, extremes
from autostatistician.claims.kinds import Form, Kind
from autostatistician.decompose.records.table import ColumnRecord
from autostatistician.describe.axis.places import are_years
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.findings import EffectFindings
from autostatistician.describe.facts.judgement import clear_courses, is_likely
from autostatistician.describe.facts.search import FittedNumber
from autostatistician.describe.words.amounts import MINUS, difference_alone
from autostatistician.describe.words.table_fit import lost_share
from autostatistician.forms import CourseKind
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import amount, joined, p_value, pair, percent, rounded_percent

__all__ = ["checks_table", "columns_table", "numbers_table"]

_NONE = "–"
_TOLD = (Form.MATTERS, Form.EITHER, Form.MAY)  # with numbers
MOST_ROWS = 30  # columns


def columns_table(
    columns: Sequence[Claim], inputs: Sequence[ColumnRecord], effects: Sequence[EffectFindings], scale: Scale
) -> Table:
    """One row per column: its values, whether it acts, how much it changes, and what is lost without it."""
    by_name = {column.name: column for column in inputs}
    courses = [course for effect in reversed(effects) for course in clear_courses(effect.claims)]
    sizes = {course.columns[0]: _size(course, scale) for course in courses}
    rows = tuple(
        (
            " ".join(claim.columns[0].split()),
            _values(by_name[claim.columns[0]]),
            _acts(claim),
            sizes.get(claim.columns[0], _NONE) if claim.form in _TOLD else _NONE,
            lost_share(claim) if claim.form in _TOLD and _is_known(claim) else _NONE,
            percent(claim.probability or 0.0) if _has_probability(claim) else _NONE,
        )
        for claim in columns[:MOST_ROWS]
    )
    size = "chances" if scale.is_class else "size"
    header = tuple(_head(name) for name in ("column", "values", "acts", size, "lost", "probability"))
    return Table(
        "table-columns", sentence("table.caption", of="columns"), header, rows,
        (False, False, False, True, True, True), sentence("table.note", of=size),
    )  # fmt: skip


def _is_known(claim: Claim) -> bool:
    """Whether rows tell what is lost without a column: a range from nothing to all says nothing."""
    return "unseen" not in claim.marks and claim.number.interval[1] - claim.number.interval[0] < 1.0


def _has_probability(claim: Claim) -> bool:
    """Whether a probability is told: none of an open column of which models alone are sure."""
    return claim.form in _TOLD and is_likely(claim) and not (claim.form == Form.MAY and claim.sure)


def _head(name: str) -> str:
    return sentence("table.head", column=name)


def _acts(claim: Claim) -> str:
    names = claim.others["instead" if claim.form == Form.EITHER else "partners"]
    others = joined([quoted(name) for name in names])
    return sentence("table.acts", standing=claim.form, others=bool(others), columns=others)


def _size(course: Claim, scale: Scale) -> str:
    """The change of an effect from end to end, of one that turns, and of categories, without sign."""
    is_steady = course.form in (CourseKind.RISING, CourseKind.FALLING, CourseKind.STRAIGHT) and not course.levels
    if scale.is_class:
        chances = course.of(Kind.CHANCE)
        ends = (chances[0], chances[-1]) if is_steady else extremes(chances)
        low, high = (rounded_percent(at.value) for at in ends)
        return sentence("clusters.range", ends="apart", low=low, high=high)
    number = course.more["change"] if is_steady and course.form == CourseKind.STRAIGHT else course.number
    size = difference_alone(number.value, number.interval, scale)
    return f"{'+' if course['highest'] > course['lowest'] else MINUS}{size}" if is_steady else size


def _values(column: ColumnRecord) -> str:
    """What a column holds."""
    if column.levels:
        return sentence("table.categories", n=len(column.levels))
    span = column.low, column.high
    low, high = (f"{end:.0f}" for end in span) if are_years(*span) else pair(*span, 4)
    return sentence("clusters.range", ends="apart", low=low, high=high)


def checks_table(every: Sequence[Claim]) -> Table:
    """One row per check of the errors."""
    rows = tuple((_asked(check), p_value(check.value), p_value(check["adjusted"])) for check in every)
    header = tuple(_head(name) for name in ("asked", "p", "corrected"))
    caption, note = sentence("table.caption", of="checks"), sentence("table.note", of="checks")
    return Table("table-checks", caption, header, rows, (False, True, True), note)


def _asked(check: Claim) -> str:
    """What a check of the errors looked at."""
    return sentence("table.asked", kind=check.form, column=quoted("".join(check.columns)))


def numbers_table(numbers: Sequence[FittedNumber]) -> Table:
    """All fitted numbers, effect by effect."""
    rows = tuple((number.where, _meaning(number), amount(number.value, 4)) for number in numbers)
    header = tuple(_head(name) for name in ("where", "what", "value"))
    caption, note = sentence("table.caption", of="numbers"), sentence("table.note", of="numbers")
    return Table("table-numbers", caption, header, rows, (False, False, True), note)


def _meaning(number: FittedNumber) -> str:
    """What a number is; "contrast" is a word, the names of others are symbols."""
    return sentence("table.meaning", quantity=number.quantity, name=number.name, symbol=number.name)
