"""All that is known of a table, from the records of its decomposition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import units_of
from autostatistician.describe.facts.effect import ErrorCheck
from autostatistician.describe.facts.findings import ClassFindings, EffectFindings, InputColumn, TableFindings
from autostatistician.describe.facts.judgement import acting_together
from autostatistician.describe.observe.scale import shape_facts
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.table.chances import (
    ahead_curve,
    ahead_fact,
    calibration_fact,
    foresight_fact,
    persistence_fact,
    ranking_fact,
    roc_of,
    surprise_facts,
)
from autostatistician.describe.observe.table.claims import table_claims
from autostatistician.describe.observe.table.curves import effect_curves, left_out_curves
from autostatistician.describe.observe.table.effects import (
    check_facts,
    column_facts,
    effect_facts,
    effect_id,
    fit_fact,
    from_exact_fact,
    is_told,
    noise_facts,
    ranges_fact,
)
from autostatistician.describe.observe.table.outliers import far_off
from autostatistician.language.format import format_expr
from autostatistician.wording.messages import again

__all__ = ["class_findings", "scale_for", "table_findings"]


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
    checks = check_facts(out)
    return TableFindings(
        **_of_columns(d, checks),
        noise=noise_facts(d),
        fit=fit_fact(d, out),
        ranges=ranges_fact(out),
        checks=checks,
        outliers=far_off(out, d),
        left_out=left_out_curves(d.y, out),
        from_exact=from_exact_fact(d),
        shape=next(iter(shape_facts(d.transform, d.y)), None),
    )


def class_findings(d: TableDecomposition) -> ClassFindings:
    """The facts of every effect and column, how well classes are foreseen, and what the search claims."""
    out = d.foreseen
    assert out is not None
    return ClassFindings(
        **_of_columns(d, ()),
        foresight=foresight_fact(out, int(out.came.sum())),
        ranking=ranking_fact(out),
        calibration=calibration_fact(out),
        surprises=surprise_facts(out, d.number_of),
        roc=roc_of(out),
        ahead=None if d.ahead is None else ahead_fact(d.ahead),
        ahead_curve=None if d.ahead is None else ahead_curve(d.ahead),
        persistence=persistence_fact(d.effects[0].along[0].at, out.came) if _is_over_time(d) else None,
    )


def _is_over_time(d: TableDecomposition) -> bool:
    return d.axis is not None and d.axis.is_calendar and bool(d.effects)


def _of_columns(d: TableDecomposition, checks: Sequence[ErrorCheck]) -> dict[str, Any]:
    """What is known of columns (a `ColumnFindings`), whatever the target."""
    effects = _effects(d)
    together = [acting_together(effect.facts) for effect in effects if effect.told]
    search = search_of(d, [d.fitted.kernel])
    cut = bool(search.cut)
    untried = cut and search.levels == 0 and not effects
    return {
        "name": d.name,
        "n": len(d.y),
        "warnings": tuple(map(again, d.warnings)),
        "choice": again(d.choice),
        "transform": d.transform.to_json(),
        "search": search,
        "claims": table_claims(d.alternatives),
        "inputs": tuple(InputColumn(column.name, column.low, column.high, column.levels) for column in d.columns),
        "parts": effects,
        "columns": tuple(replace(fact, untried=untried, cut=cut) for fact in column_facts(d, together, checks)),
    }


def _effects(d: TableDecomposition) -> tuple[EffectFindings, ...]:
    return tuple(
        EffectFindings(
            id=effect_id(effect, d), columns=effect.columns, told=is_told(effect), facts=effect_facts(effect, d),
            expression=" + ".join(format_expr(kernel.expr) for kernel in effect.kernels), mean=effect.mean,
            sd=effect.sd, share=effect.share, curves=effect_curves(effect, d),
        )
        for effect in d.effects
    )  # fmt: skip
