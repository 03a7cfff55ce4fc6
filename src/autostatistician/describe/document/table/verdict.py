"""What to be careful with in the model of a table."""

from __future__ import annotations

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.claims.kinds import Form
from autostatistician.describe.facts.effect import ColumnRelevance, ErrorCheck
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.facts.judgement import failed_checks, standing_of
from autostatistician.describe.words.outliers import far_off_text
from autostatistician.describe.words.search import cut_text
from autostatistician.describe.words.table_fit import check_text
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import joined, percent

__all__ = ["CAUSES", "careful_with", "made_texts"]

ROWS_PER_COLUMN = 10  # with fewer, effects are little known
CAUSES = message("Causes: a column that goes with the target need not be what changes it.")
OPTIMISTIC = 0.15  # share of the variation by which a fit may look better than predictions of values left out


def careful_with(findings: TableFindings, scale: Scale) -> tuple[str, ...]:
    """Judge from leaving values out and from the checks of the errors."""
    alarms = [check for check in failed_checks(findings.checks) if isinstance(check, ErrorCheck)]
    fit, held = findings.fit, findings.ranges
    items = [cut_text(findings.search), *(f"{check_text(alarm)}." for alarm in alarms if alarm.column is None)]
    patterns = [quoted(alarm.column) for alarm in alarms if alarm.column is not None]
    if patterns:
        items.append(
            say_count(
                len(patterns),
                "What is said of {columns}: patterns along it are left in the errors.",
                "What is said of {columns}: patterns along them are left in the errors.",
                columns=joined(patterns),
            )
        )
    items += made_texts(findings.columns, scale)
    if held.too_narrow:
        share = percent(held.number)
        items.append(say("Ranges of predictions: only {share} of the values left out lay in 95% ranges.", share=share))
    items.append(far_off_text(findings.outliers))
    if fit.number - fit.left_out > OPTIMISTIC:
        items.append(say("The fit to these rows: rows left out are predicted clearly worse."))
    if findings.n < ROWS_PER_COLUMN * len(findings.columns):
        items.append(say("Effects of single columns: there are few rows for so many columns."))
    return tuple(filter(None, [*items, say(CAUSES)]))


def made_texts(columns: tuple[ColumnRelevance, ...], scale: Scale) -> list[str]:
    """The columns that may say nothing but what the target does, and those that a single row speaks for."""
    carried = [
        say("What is seen of {column} rests on row {row} alone.", column=quoted(fact.column), row=fact.carried)
        for fact in columns
        if fact.carried is not None and standing_of(fact) is Form.MAY
    ]
    return carried + [
        say(
            "What is said of {column}: its values part those of {target} without any overlap, as if it were made from "
            "them. If so, model without it.",
            column=quoted(fact.column), target=scale.it,
        )
        for fact in columns
        if fact.used and fact.parts
    ]  # fmt: skip
