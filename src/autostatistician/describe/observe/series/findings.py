"""All that is known of a series, from the records of its decomposition."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.findings import SeriesFindings, SeriesPart
from autostatistician.describe.facts.function import FunctionFact, SuddenChange
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.series.checks import checks_of, forecast_test
from autostatistician.describe.observe.series.claims import series_claims
from autostatistician.describe.observe.series.conditions import condition_facts
from autostatistician.describe.observe.series.covariates import covariate_findings
from autostatistician.describe.observe.series.curves import part_curves, series_curves
from autostatistician.describe.observe.series.function import function_facts
from autostatistician.describe.observe.series.parts import component_facts, component_id, on_scale, units_for
from autostatistician.describe.observe.series.plain import plain_facts
from autostatistician.describe.observe.series.whole import model_facts
from autostatistician.language.format import format_expr
from autostatistician.wording.messages import again

__all__ = ["series_findings"]


def series_findings(d: Decomposition) -> SeriesFindings:
    """The facts of the whole and of every part, what the search claims, checks, and curves."""
    function = function_facts(d, units_for(d))
    parts = _parts(d, _sudden(function))
    plain = on_scale(plain_facts(d, tuple(part.facts[0] for part in parts)), d)
    return SeriesFindings(
        name=d.name, n=int(d.x.size), warnings=tuple(map(again, d.warnings)),
        choice=again(d.choice), transform=d.transform.to_json(),
        search=search_of(d, [part.kernel for part in d.components]), claims=series_claims(d.alternatives, units_for(d)),
        facts=(*plain, *model_facts(d), *condition_facts(d, function)), function=function, parts=parts,
        checks=checks_of(d.checks, d.x, d.y, counts=d.are_counts, heavy=d.screening.heavy > 0),
        test=forecast_test(d), curves=series_curves(d), averaged=d.averaged,
        share_of_other=d.share_of_other, plain_other=d.plain_other, shift=d.transform.shift,
        counts_level=bool(d.transform.parameters),
        covariates=covariate_findings(d),
    )  # fmt: skip


def _sudden(function: Sequence[FunctionFact]) -> tuple[SuddenChange, ...]:
    """What changed from one row to the next: a stretch that comes or goes gradually has no such rows."""
    changes = (fact for fact in function if isinstance(fact, SuddenChange))
    return tuple(change for change in changes if change.told and change.far_off is None)


def _parts(d: Decomposition, happened: tuple[SuddenChange, ...]) -> tuple[SeriesPart, ...]:
    return tuple(
        SeriesPart(
            id=component_id(part, d), number=number, expression=format_expr(part.kernel.expr), is_noise=part.is_noise,
            facts=component_facts(part, d, happened), mean=part.mean, sd=part.sd, share=part.variance_share,
            curves=curves,
        )
        for number, (part, curves) in enumerate(zip(d.components, part_curves(d), strict=True), 1)
    )  # fmt: skip
