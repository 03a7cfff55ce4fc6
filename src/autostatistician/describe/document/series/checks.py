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
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.numbers import capital, count, p_value

__all__ = ["checks_section"]

_ASKED = {
    CheckKind.DISTRIBUTION: message("how the errors are spread"),
    CheckKind.AUTOCORRELATION: message("whether neighbouring errors are alike"),
    CheckKind.PERIODOGRAM: message("whether a cycle is left in the errors"),
    CheckKind.COURSE: message("whether errors are of one kind throughout"),
}
_ASKED_OF_A_PART = {
    CheckKind.DISTRIBUTION: message("whether it is as large as the model says"),
    CheckKind.QUANTILES: message("whether its values are spread as the model says"),
    CheckKind.AUTOCORRELATION: message("whether it swings as the model says"),
    CheckKind.PERIODOGRAM: message("whether one cycle stands out in it"),
    CheckKind.COURSE: message("whether it is of one kind throughout"),
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
    table = Section("check-table", say("Every check"), (_table(checks), *spreads), folded=True)
    return (Section("checks", say("Does the model fit?"), tuple(blocks), (table,)),)


def _summary(checks: SeriesChecks, alarms: int) -> str:
    number = len(checks.facts)
    asked = say_count(
        number,
        "One check compared the data and the parts of the model with simulations of what the model expects.",
        "{checks} checks compared the data and the parts of the model with simulations of what the model expects.",
        checks=capital(count(number)),
    )
    if not alarms:
        least = p_value(min(check.adjusted for check in checks.facts))
        result = say(
            "None found anything unusual (smallest p-value, corrected for their number: {least}).", least=least
        )
        return f"{asked} {result}"
    result = say_count(
        alarms, "One found something unusual:", "{checks} found something unusual:", checks=capital(count(alarms))
    )
    return f"{asked} {result}"


def _table(checks: SeriesChecks) -> Table:
    rows = [
        (
            say("Part {number}", number=check.part) if check.part else say("The whole model"),
            say((_ASKED_OF_A_PART if check.part else _ASKED)[check.kind]),
            p_value(check.number),
            p_value(check.adjusted),
        )
        for check in checks.facts
    ]
    notes = say(
        "p-value: how often simulations from the model show as much. Corrected: for the number of checks (Benjamini "
        "and Yekutieli 2001). Errors are those of predicting each value from all before it, divided by what the model "
        "expects; a part is compared with what such errors would make of it. The numbers of the model were fitted to "
        "the same data, which makes the checks somewhat lenient."
    )
    header = (say_as("of a check", "Of"), say("What was looked at"), say("p-value"), say_as("of p-values", "Corrected"))
    caption, numeric = say("The checks of the model."), (False, False, True, True)
    return Table("table-checks", caption, header, tuple(rows), numeric, notes)
