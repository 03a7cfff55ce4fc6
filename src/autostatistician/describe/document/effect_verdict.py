"""What can be relied on in the model of a table, what cannot, and what to try next."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.document.series_verdict import Verdict
from autostatistician.describe.facts.effect import ColumnRelevance, ErrorCheck, Explained, RangesHeld
from autostatistician.describe.observe.effects import ALARM
from autostatistician.describe.observe.outlying_rows import far_off
from autostatistician.describe.words.effects import check_text, hardly, is_open
from autostatistician.describe.words.outlying_rows import far_off_text
from autostatistician.describe.words.search import cut_text, search_longer
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import joined, percent

__all__ = ["failed", "table_verdict"]

SURE = 0.95  # probability of a statement to rely on
OPEN = 0.5  # a best model with less is one of several
MOST = 4  # columns that are named
SPARSE = 10  # rows per column below which effects are little known
OPTIMISTIC = 15.0  # per cent by which a fit may look better than predictions of values left out


def failed(facts: Sequence[object]) -> tuple[ErrorCheck, ...]:
    """The checks that raise an alarm, the clearest first."""
    every = [fact for fact in facts if isinstance(fact, ErrorCheck) and fact.adjusted < ALARM]
    return tuple(sorted(every, key=lambda one: (one.adjusted, one.number)))


def table_verdict(
    d: TableDecomposition,
    columns: Sequence[ColumnRelevance],
    errors: Sequence[Explained | RangesHeld | ErrorCheck],
) -> Verdict:
    """Judge from leaving values out, from the checks of the errors, and from the probabilities of the columns."""
    fit = next(fact for fact in errors if isinstance(fact, Explained))
    held = next(fact for fact in errors if isinstance(fact, RangesHeld))
    alarms = failed(errors)
    return Verdict(
        tuple(_rely(d, columns, fit, held, alarms)),
        tuple(_doubt(d, columns, fit, held, alarms)),
        tuple(_next(d, columns, held, alarms)),
    )


def _rely(
    d: TableDecomposition,
    columns: Sequence[ColumnRelevance],
    fit: Explained,
    held: RangesHeld,
    alarms: Sequence[ErrorCheck],
) -> list[str]:
    found = []
    sure = [fact for fact in columns if fact.used and not hardly(fact) and fact.probability >= SURE]
    if sure and not d.cut:
        names = joined([quoted(fact.column) for fact in sure[:MOST]])
        others = f" (and {len(sure) - MOST} more)" if len(sure) > MOST else ""
        verb, them = ("matters", "it") if len(sure) == 1 else ("matter", "them")
        found.append(f"That {names}{others} {verb}: nearly every model that fits the data uses {them}.")
    if fit.left_out > 0.0:
        found.append(f"Predictions for rows like those at hand: {percent(fit.left_out)} of the variation is foreseen.")
    if not held.too_narrow and not held.too_wide:
        found.append(f"The ranges of predictions: {percent(held.number)} of the values left out lay in 95% ranges.")
    if not alarms:
        found.append("The description: no check of the errors found anything that the model has missed.")
    return found


def _doubt(
    d: TableDecomposition,
    columns: Sequence[ColumnRelevance],
    fit: Explained,
    held: RangesHeld,
    alarms: Sequence[ErrorCheck],
) -> list[str]:
    found = [cut_text(d)] if d.cut else []
    found += [f"{check_text(one)}." for one in alarms if one.column is None]
    left = [quoted(one.column) for one in alarms if one.column is not None]
    if left:
        them = "it" if len(left) == 1 else "them"
        found.append(f"What is said of {joined(left)}: patterns along {them} are left in the errors.")
    if held.too_narrow:
        found.append(
            f"The ranges of predictions: only {percent(held.number)} of the values left out lay in 95% ranges."
        )
    found += filter(None, [far_off_text(far_off(d))])
    if fit.number - fit.left_out > OPTIMISTIC:
        found.append(
            "The fit to the values at hand: values left out are predicted clearly worse, so part of it is chance."
        )
    weight = d.alternatives[0][1] if d.alternatives else 1.0
    if weight < OPEN:
        found.append("The exact form of the model: others fit the data about as well.")
    if len(d.y) < SPARSE * len(columns):
        found.append("Effects of single columns: there are few rows for so many columns.")
    found.append("Rows unlike those at hand, and causes: a column that matters need not be what makes the difference.")
    return found


def _next(
    d: TableDecomposition, columns: Sequence[ColumnRelevance], held: RangesHeld, alarms: Sequence[ErrorCheck]
) -> list[str]:
    found = [search_longer(d)] if d.cut else []
    kinds = {one.kind: one for one in alarms}
    if "pattern" in kinds and not d.cut:
        found.append("Search longer, with more levels or without a budget: the model has not used all that is there.")
    if "distribution" in kinds and kinds["distribution"].side > 0:
        found.append("Look at the rows that lie far off their predictions: correct mistakes in them.")
    if "spread" in kinds and kinds["spread"].side > 0 and not d.transform.is_log and float(d.y.min()) > 0.0:
        found.append("Model the logarithm (transform 'log'): the errors grow with the values.")
    if held.too_narrow:
        found.append("Plan with wider ranges than those shown.")
    idle = [quoted(fact.column) for fact in columns if not (fact.used or fact.scatter or fact.left or is_open(fact))]
    if idle and not found:
        them = "it" if len(idle) == 1 else "them"
        found.append(
            f"Leave out {joined(idle[:MOST])} when new rows are collected: nothing was found to hang on {them}."
        )
    return found or ["Collect rows where the bands of the effects are wide: there they tell most."]
