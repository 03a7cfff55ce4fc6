"""What can be relied on in the model of a table, what cannot, and what to try next."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.verdict import Verdict
from autostatistician.describe.facts.effect import ColumnRelevance, ErrorCheck
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.facts.judgement import MAJORITY, RELIABLE, failed_checks, is_open, standing_of
from autostatistician.describe.facts.kinds import Standing
from autostatistician.describe.words.outliers import far_off_text
from autostatistician.describe.words.search import cut_text, search_longer
from autostatistician.describe.words.table_fit import check_text
from autostatistician.forms import CheckKind
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import joined, percent

__all__ = ["CAUSES", "WIDE_BANDS", "relied_text", "table_verdict"]

MOST_NAMED = 4  # columns
ROWS_PER_COLUMN = 10  # with fewer, effects are little known
CAUSES = message("Rows unlike those at hand, and causes: a column that matters need not be what makes the difference.")
WIDE_BANDS = message("Collect rows where the bands of the effects are wide: there they tell most.")
OPTIMISTIC = 0.15  # share of the variation by which a fit may look better than predictions of values left out


def table_verdict(findings: TableFindings, scale: Scale) -> Verdict:
    """Judge from leaving values out, from the checks of the errors, and from the probabilities of the columns."""
    alarms = [check for check in failed_checks(findings.checks) if isinstance(check, ErrorCheck)]
    rely, doubt, after = _rely(findings, alarms), _doubt(findings, alarms, scale), _next(findings, alarms, scale)
    return Verdict(tuple(rely), tuple(doubt), tuple(after))


def _rely(findings: TableFindings, alarms: Sequence[ErrorCheck]) -> list[str]:
    fit, held = findings.fit, findings.ranges
    items: list[str] = []
    sure = [
        fact
        for fact in findings.columns
        if standing_of(fact) is Standing.MATTERS and fact.probability >= RELIABLE and fact.carried is None
    ]
    if sure and not findings.search.cut:
        items.append(relied_text([fact.column for fact in sure]))
    if fit.left_out > 0.0:
        share = percent(fit.left_out)
        items.append(say("Predictions for rows like those at hand: {share} of the variation is foreseen.", share=share))
    spread = {CheckKind.DISTRIBUTION, CheckKind.SPREAD} & {alarm.kind for alarm in alarms}
    if not held.too_narrow and not held.too_wide and not spread:
        share = percent(held.number)
        items.append(say("The ranges of predictions: {share} of the values left out lay in 95% ranges.", share=share))
    if not alarms:
        items.append(say("The model: no check of its errors found anything that it has missed."))
    return items


def relied_text(columns: Sequence[str]) -> str:
    """That these columns matter for sure; the first few are named."""
    names, more = joined([quoted(column) for column in columns[:MOST_NAMED]]), len(columns) - MOST_NAMED
    if more > 0:
        return say(
            "That {names} (and {more} more) matter: nearly every model that fits the data uses them.",
            names=names, more=more,
        )  # fmt: skip
    return say_count(
        len(columns),
        "That {names} matters: nearly every model that fits the data uses it.",
        "That {names} matter: nearly every model that fits the data uses them.",
        names=names,
    )


def _doubt(findings: TableFindings, alarms: Sequence[ErrorCheck], scale: Scale) -> list[str]:
    items, fit, held = [cut_text(findings.search)], findings.fit, findings.ranges
    items += [f"{check_text(alarm)}." for alarm in alarms if alarm.column is None]
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
    items += [_made_text(fact, scale) for fact in findings.columns if fact.used and fact.parts]
    items += [_either_text(fact) for fact in findings.columns if fact.used and fact.instead]
    if held.too_narrow:
        share = percent(held.number)
        items.append(
            say("The ranges of predictions: only {share} of the values left out lay in 95% ranges.", share=share)
        )
    items.append(far_off_text(findings.outliers))
    if fit.number - fit.left_out > OPTIMISTIC:
        items.append(
            say("The fit to the values at hand: values left out are predicted clearly worse, so part of it is chance.")
        )
    if findings.search.weight < MAJORITY:
        items.append(say("The exact form of the model: others fit the data about as well."))
    if findings.n < ROWS_PER_COLUMN * len(findings.columns):
        items.append(say("Effects of single columns: there are few rows for so many columns."))
    items.append(say(CAUSES))
    return [item for item in items if item]


def _either_text(fact: ColumnRelevance) -> str:
    """That others may act in the place of a column."""
    names = joined([quoted(name) for name in (fact.column, *fact.instead)])
    return say("Which of {columns} matters: models with one or the other fit the data about as well.", columns=names)


def _made_text(fact: ColumnRelevance, scale: Scale) -> str:
    """That a column may say nothing but what the target does."""
    return say(
        "What is said of {column}: its values part those of {target} without any overlap, as if it were made from "
        "them. If so, model without it.",
        column=quoted(fact.column), target=scale.it,
    )  # fmt: skip


def _next(findings: TableFindings, alarms: Sequence[ErrorCheck], scale: Scale) -> list[str]:
    items = [search_longer(findings.search)] if findings.search.cut else []
    kinds, positive = {alarm.kind: alarm for alarm in alarms}, float(findings.left_out.y.min()) > 0.0
    if CheckKind.PATTERN in kinds and not findings.search.cut:
        items.append(say("Search with more levels: the model has not used all that is there."))
    if CheckKind.DISTRIBUTION in kinds and kinds[CheckKind.DISTRIBUTION].side > 0:
        items.append(say("Look at the rows that lie far off their predictions: correct mistakes in them."))
    mapped = scale.is_log or findings.shape is not None
    if CheckKind.SPREAD in kinds and kinds[CheckKind.SPREAD].side > 0 and not mapped and positive:
        items.append(say("Model the logarithm (transform 'log'): the errors grow with the values."))
    if findings.ranges.too_narrow:
        items.append(say("Plan with wider ranges than those shown."))
    idle = [quoted(fact.column) for fact in findings.columns if _is_idle(fact)]
    if idle and not items:
        items.append(
            say_count(
                len(idle),
                "Leave out {columns} when new rows are collected: nothing was found to hang on it.",
                "Leave out {columns} when new rows are collected: nothing was found to hang on them.",
                columns=joined(idle[:MOST_NAMED]),
            )
        )
    return items or [say(WIDE_BANDS)]


def _is_idle(fact: ColumnRelevance) -> bool:
    return not (fact.used or fact.scatter or fact.left or is_open(fact))
