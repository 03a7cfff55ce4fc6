"""The section on the checks of a model and on the test of its forecasts."""

from __future__ import annotations

from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Block, Paragraph, Section, Table
from autostatistician.describe.document.series.check_pictures import checks_figure, spreads_figure
from autostatistician.describe.facts.findings import SeriesChecks
from autostatistician.describe.facts.judgement import failed_checks
from autostatistician.describe.facts.whole import ForecastTest, ModelCheck
from autostatistician.describe.words.checks import alarm_text, forecast_test_text
from autostatistician.forms import CheckKind
from autostatistician.wording.numbers import capital, count, p_value, plural

__all__ = ["checks_section"]

_ASKED = {
    CheckKind.DISTRIBUTION: "how the errors are spread",
    CheckKind.AUTOCORRELATION: "whether neighbouring errors are alike",
    CheckKind.PERIODOGRAM: "whether a cycle is left in the errors",
    CheckKind.COURSE: "whether errors are of one kind throughout",
}
_ASKED_OF_A_PART = {
    CheckKind.DISTRIBUTION: "whether it is as large as the model says",
    CheckKind.QUANTILES: "whether its values are spread as the model says",
    CheckKind.AUTOCORRELATION: "whether it swings as the model says",
    CheckKind.PERIODOGRAM: "whether one cycle stands out in it",
    CheckKind.COURSE: "whether it is of one kind throughout",
}


def checks_section(checks: SeriesChecks | None, test: ForecastTest | None, units: Units) -> tuple[Section, ...]:
    """The section of the report; none where nothing was checked."""
    if checks is None:
        return ()
    alarms = [check for check in failed_checks(checks.facts) if isinstance(check, ModelCheck)]
    blocks: list[Block] = [Paragraph(_summary(checks, len(alarms)), tuple(fact.id for fact in checks.facts))]
    blocks += [Paragraph(alarm_text(alarm, units)) for alarm in alarms]
    blocks += [Paragraph(forecast_test_text(test, units), (test.id,))] if test else []
    blocks.append(checks_figure(checks.errors, test))
    spreads = (spreads_figure(checks.spreads),) if checks.spreads else ()
    table = Section("check-table", "Every check", (_table(checks), *spreads), folded=True)
    return (Section("checks", "Does the model fit?", tuple(blocks), (table,)),)


def _summary(checks: SeriesChecks, alarms: int) -> str:
    asked = (
        f"{capital(plural(len(checks.facts), 'check'))} compared the data and the parts of the model with "
        "simulations of what the model expects."
    )
    if not alarms:
        least = p_value(min(check.adjusted for check in checks.facts))
        return f"{asked} None found anything unusual (smallest p-value, corrected for their number: {least})."
    return f"{asked} {capital(count(alarms))} found something unusual:"


def _table(checks: SeriesChecks) -> Table:
    rows = [
        (
            f"Part {check.part}" if check.part else "The whole model",
            (_ASKED_OF_A_PART if check.part else _ASKED)[check.kind],
            p_value(check.number),
            p_value(check.adjusted),
        )
        for check in checks.facts
    ]
    notes = (
        "p-value: how often simulations from the model show as much. Corrected: for the number of checks (Benjamini "
        "and Yekutieli 2001). Errors are those of predicting each value from all before it, divided by what the model "
        "expects; a part is compared with what such errors would make of it. The numbers of the model were fitted to "
        "the same data, which makes the checks somewhat lenient."
    )
    header = ("Of", "What was looked at", "p-value", "Corrected")
    return Table("table-checks", "The checks of the model.", header, tuple(rows), (False, False, True, True), notes)
