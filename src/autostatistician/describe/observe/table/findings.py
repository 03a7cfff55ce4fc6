"""All that is known of a table, from the records of its decomposition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np

from autostatistician.claims.claim import Claim, shown
from autostatistician.claims.kinds import KINDS, LIMITS, Kind
from autostatistician.decompose.records.table import LeaveOneOut, TableDecomposition
from autostatistician.describe.axis.units import Scale, units_of
from autostatistician.describe.facts.findings import ClassFindings, EffectFindings, TableFindings
from autostatistician.describe.facts.judgement import acting_together
from autostatistician.describe.observe.search import outlier_claim, search_of, shape_facts, weighed_claims
from autostatistician.describe.observe.table.chances import (
    ahead_claim,
    ahead_curve,
    calibration_claim,
    foresight_claim,
    ranking_claim,
    surprise_claims,
)
from autostatistician.describe.observe.table.effects import (
    check_claims,
    column_claims,
    effect_claims,
    effect_id,
    exactness_claim,
    fit_claim,
    is_told,
    noise_claims,
    ranges_claim,
)
from autostatistician.i18n.messages import again
from autostatistician.kernels.expr import format_expr
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import columns_of, is_noise

__all__ = ["class_findings", "scale_for", "structure_claims", "table_findings"]


def scale_for(d: TableDecomposition) -> Scale:
    """The scale that the effects are on; over time with its axis."""
    if d.classes:
        other, event = map(again, d.classes)
        if d.axis is None:
            return Scale(target=d.target, event=event, other=other)
        x = np.sort(d.effects[0].along[0].at) if d.effects else np.array([d.columns[0].low, d.columns[0].high])
        return replace(units_of(d.axis, x, d.y, d.target), event=event, other=other)
    scale = Scale(target=d.target, level=d.transform.scale if d.transform.is_log else None)
    return scale if d.counts is None else replace(scale, counts=True, law=d.counts.law)


def table_findings(d: TableDecomposition) -> TableFindings:
    """The facts of every effect, column and error, what the search claims, and curves."""
    out = d.left_out
    assert out is not None
    checks = check_claims(out)
    return TableFindings(
        **_of_columns(d), noise=noise_claims(d), fit=fit_claim(d, out), ranges=ranges_claim(out),
        checks=checks, outliers=far_off(out, d), y=d.y, left_out=out, from_exact=exactness_claim(d),
        shape=next(iter(shape_facts(d.transform, d.y)), None),
    )  # fmt: skip


def class_findings(d: TableDecomposition) -> ClassFindings:
    """The facts of every effect and column, how well classes are foreseen, and what the search claims."""
    out = d.foreseen
    assert out is not None
    return ClassFindings(
        **_of_columns(d),
        foresight=foresight_claim(out, int(out.came.sum())),
        ranking=ranking_claim(out),
        calibration=calibration_claim(out),
        surprises=surprise_claims(out, [again(name) for name in d.classes], d.number_of),
        roc=out.roc,
        ahead=None if d.ahead is None else ahead_claim(d.ahead),
        ahead_curve=None if d.ahead is None else ahead_curve(d.ahead),
    )


def _of_columns(d: TableDecomposition) -> dict[str, Any]:
    """What is known of columns (a `ColumnFindings`), whatever the target."""
    effects = _effects(d)
    together = [acting_together(effect.claims) for effect in effects if effect.told]
    search = search_of(d, [d.fitted.kernel])
    untried = bool(search.cut) and search.levels == 0 and not effects
    return {
        "name": d.name, "n": len(d.y), "warnings": tuple(map(again, d.warnings)), "choice": again(d.choice),
        "transform": d.transform.to_json(),
        "search": search,
        "claims": (*column_claims(d, together, untried=untried), *structure_claims(d.alternatives)),
        "inputs": d.columns,
        "parts": effects,
        "together_p": d.together_p, "alike": d.alike,
    }  # fmt: skip


def _effects(d: TableDecomposition) -> tuple[EffectFindings, ...]:
    return tuple(
        EffectFindings(
            id=effect_id(effect, d), columns=effect.columns, told=is_told(effect), claims=effect_claims(effect, d),
            expression=" + ".join(format_expr(kernel.expr) for kernel in effect.kernels), mean=effect.mean,
            sd=effect.sd, share=effect.share, record=effect,
        )
        for effect in d.effects
    )  # fmt: skip


# --- What models of a table are made of beside single columns -------------------------------------------------------


def structure_claims(models: Sequence[tuple[Kernel, float]]) -> tuple[Claim, ...]:
    """Which columns act together, and which change the scatter, by weighted models, the best first.

    >>> from autostatistician.kernels.kernel import leaf
    >>> one = leaf("SE", "age", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0)
    >>> two = one + leaf("SE", "age", lengthscale=1.0, sd=1.0) * leaf("SE", "ash", lengthscale=1.0, sd=1.0)
    >>> [(told.kind.value, told.columns, told.probability) for told in structure_claims([(two, 0.6), (one, 0.4)])]
    [('act together', ('age', 'ash'), 0.6)]
    """
    return weighed_claims(models, _claims, lambda claim, other: claim == other)


def _claims(kernel: Kernel) -> Iterator[Claim]:
    for part in components(kernel):
        columns = sorted(columns_of(part.expr))
        if is_noise(part.expr):
            yield from (shown(Kind.SCATTER, columns=(name,)) for name in columns)
        elif len(columns) == 2:  # of more, a product does not tell which of them do
            yield shown(Kind.TOGETHER, columns=tuple(columns))


# --- Rows of a table that all others let expect otherwise -----------------------------------------------------------


def far_off(out: LeaveOneOut, d: TableDecomposition) -> tuple[Claim, ...]:
    """Rows, by their numbers in the table, whose prediction from all others is further off than chance would bring."""
    n = len(d.y)
    if not out.checks:  # of too few rows
        return ()
    least = KINDS[Kind.OUTLIER]
    limit = max(least.smallest, -NormalDist().inv_cdf(0.5 * (1.0 - least.told) / n))
    rows = np.flatnonzero(np.abs(out.errors) > limit)
    if len(rows) > max(1.0, LIMITS["outlying_rows"] * n):
        return ()
    return tuple(
        outlier_claim(rank, float(d.number_of(row)), float(d.y[row]), float(out.predicted[row]), n - 1)
        for rank, row in enumerate(rows.tolist(), 1)
    )
