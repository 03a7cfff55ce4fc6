"""What to be careful with in the model of a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim, told
from autostatistician.claims.kinds import LIMITS, SEVERAL, Form, Kind
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.findings import ColumnFindings, TableFindings
from autostatistician.describe.facts.judgement import failed_checks, may_be_codes
from autostatistician.describe.words.outliers import far_off_text
from autostatistician.describe.words.search import cut_text
from autostatistician.describe.words.table_fit import check_text
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import count, fixed, joined, percent

__all__ = ["ROWS_PER_COLUMN", "careful_with", "code_texts", "codes_texts", "is_optimistic", "made_texts", "order_text"]

ROWS_PER_COLUMN = 10  # or of the rarer class (Peduzzi et al. 1996); with fewer, effects are little known


def careful_with(findings: TableFindings, scale: Scale) -> tuple[str, ...]:
    """Judge from leaving values out and from the checks of the errors."""
    alarms = failed_checks(findings.checks)
    fit, held = findings.fit, findings.ranges
    items = [cut_text(findings.search), *(f"{check_text(alarm)}." for alarm in alarms if not alarm.columns)]
    patterns = [quoted(name) for alarm in alarms for name in alarm.columns]
    items += [sentence("careful.patterns", n=len(patterns), columns=joined(patterns))] if patterns else []
    items += made_texts(findings.columns, scale)
    items += [*codes_texts(findings.y, scale), *code_texts(findings, scale)]
    items += [sentence("careful.ranges", share=percent(held.value))] if "narrow" in held.marks else []
    items.append(far_off_text(findings.outliers))
    items.append((_groups_text(fit) if "groups" in fit.more else "") or order_text(findings))
    items += [sentence("careful.optimistic")] if is_optimistic(fit) else []
    items += [sentence("careful.few_rows")] if findings.n < ROWS_PER_COLUMN * len(findings.columns) else []
    return tuple(filter(None, [*items, sentence("careful.causes")]))


def codes_texts(y: NDArray[np.float64], scale: Scale) -> list[str]:
    """That a target of a few whole numbers in a row may be one of codes of classes."""
    values = np.unique(y)
    if not 3 <= values.size <= SEVERAL or values[0] not in (0.0, 1.0) or np.any(np.diff(values) != 1.0):
        return []
    return [sentence("careful.codes", target=scale.it, values=joined([f"{value:.0f}" for value in values]))]


def is_optimistic(fit: Claim) -> bool:
    """Whether a fit looks better than predictions of values left out."""
    return fit.value - fit["left_out"] > LIMITS["optimistic"]


def _groups_text(fit: Claim) -> str:
    """That rows come in groups, of which those left out as a whole are foreseen worse; "" where they are not."""
    if fit["left_out"] - fit["groups_left_out"] <= LIMITS["optimistic"]:
        return ""
    shares = {"left_out": percent(fit["left_out"]), "share": percent(max(fit["groups_left_out"], 0.0))}
    return sentence("careful.groups", n=count(int(fit["groups"])), column=quoted(fit.columns[0]), **shares)


def code_texts(findings: ColumnFindings, scale: Scale) -> list[str]:
    """The columns of numbers that may be codes of categories."""
    courses = [claim for effect in findings.effects for claim in told(effect.claims, Kind.COURSE)]
    codes = [(quoted(claim.columns[0]), claim.at) for claim in courses if may_be_codes(claim) and not claim.levels]
    ends = [(column, fixed(at[0], 0), fixed(at[-1], 0)) for column, at in codes]
    return [sentence("careful.numbers", column=column, it=scale.it, first=low, last=high) for column, low, high in ends]


def order_text(findings: ColumnFindings) -> str:
    """That rows are alike by their order; "" where they are not."""
    if findings.alike is None:
        return ""
    lag, correlation = findings.alike
    return sentence("careful.order", next=lag == 1, lag=fixed(lag, 0), correlation=fixed(correlation, 2))


def made_texts(columns: tuple[Claim, ...], scale: Scale) -> list[str]:
    """The columns that may say nothing but what the target does, and those that a single row speaks for."""
    carried = [
        sentence("careful.carried", column=quoted(claim.columns[0]), row=str(round(claim["carried"])))
        for claim in columns
        if "carried" in claim.more and claim.form in (Form.MATTERS, Form.MAY)
    ]
    made = [claim for claim in columns if claim.in_best and "parts" in claim.marks]
    return carried + [_made_text(claim, scale) for claim in made]


def _made_text(claim: Claim, scale: Scale) -> str:
    """That a column and the target look as if one were made from the other."""
    target = quoted(scale.target) if scale.is_class else scale.it
    return sentence("careful.made", column=quoted(claim.columns[0]), target=target, **{"class": scale.is_class})
