"""All that is known of a table, from the records of its decomposition."""

from __future__ import annotations

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.facts.findings import Effect, InputColumn, TableFindings
from autostatistician.describe.facts.judgement import acting_together
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.table.claims import table_claims
from autostatistician.describe.observe.table.curves import effect_curves, left_out_curves
from autostatistician.describe.observe.table.effects import (
    check_facts,
    column_facts,
    effect_facts,
    effect_id,
    fit_fact,
    is_told,
    noise_facts,
    ranges_fact,
)
from autostatistician.describe.observe.table.outliers import far_off
from autostatistician.language.format import format_expr

__all__ = ["scale_for", "table_findings"]


def scale_for(d: TableDecomposition) -> Scale:
    """The scale that the effects are on."""
    return Scale(target=d.target, level=d.transform.scale if d.transform.is_log else None)


def table_findings(d: TableDecomposition) -> TableFindings:
    """The facts of every effect, column and error, what the search claims, and curves."""
    effects, checks = _effects(d), check_facts(d.left_out)
    together = [acting_together(effect.facts) for effect in effects if effect.told]
    return TableFindings(
        name=d.name,
        n=len(d.y),
        warnings=d.warnings,
        choice=d.choice,
        transform=d.transform.to_json(),
        search=search_of(d, [d.fitted.kernel]),
        claims=table_claims(d.alternatives),
        inputs=tuple(InputColumn(one.name, one.low, one.high, one.levels) for one in d.columns),
        parts=effects,
        columns=column_facts(d, together, checks),
        noise=noise_facts(d),
        fit=fit_fact(d),
        ranges=ranges_fact(d.left_out),
        checks=checks,
        outliers=far_off(d),
        left_out=left_out_curves(d.y, d.left_out),
    )


def _effects(d: TableDecomposition) -> tuple[Effect, ...]:
    return tuple(
        Effect(
            id=effect_id(effect, d), columns=effect.columns, told=is_told(effect), facts=effect_facts(effect, d),
            expression=" + ".join(format_expr(kernel.expr) for kernel in effect.kernels), mean=effect.mean,
            sd=effect.sd, share=effect.share, curves=effect_curves(effect, d),
        )
        for effect in d.effects
    )  # fmt: skip
