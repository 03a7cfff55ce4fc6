"""What checks of a model and tests of its forecasts found, as facts and in words, with their table and picture."""

from __future__ import annotations

from autostatistician.decompose.records.series import Calibration, Checks
from autostatistician.describe.axis import Units
from autostatistician.describe.document.check_pictures import checks_figure, spreads_figure
from autostatistician.describe.document.document import Paragraph, Section, Table
from autostatistician.describe.observe.checks import check_facts, failed
from autostatistician.describe.words.checks import _summary, alarm_text, calibration_text
from autostatistician.wording.numbers import p_value

__all__ = ["checks_section"]


_ASKED = {
    "distribution": "how the errors are spread",
    "autocorrelation": "whether neighbouring errors are alike",
    "periodogram": "whether a cycle is left in the errors",
    "course": "whether errors are of one kind throughout",
}
_ASKED_OF_A_PART = {
    "distribution": "whether it is as large as the model says",
    "quantiles": "whether its values are spread as the model says",
    "autocorrelation": "whether it swings as the model says",
    "periodogram": "whether one cycle stands out in it",
    "course": "whether it is of one kind throughout",
}


# --- words ------------------------------------------------------------------------------------------------------------


def checks_section(
    checks: Checks | None, calibration: Calibration | None, units: Units, changes: tuple[float, ...] = ()
) -> tuple[Section, ...]:
    """The section of the report; none where nothing was checked. ``changes`` lie in the test of the forecasts."""
    if checks is None:
        return ()
    alarms = failed(checks)
    blocks = [Paragraph(_summary(checks), tuple(fact.id for fact in check_facts(checks, None)))]
    blocks += [Paragraph(alarm_text(one, units)) for one in alarms]
    blocks += [Paragraph(calibration_text(calibration, units, changes), ("test/forecasts",))] if calibration else []
    spreads = (spreads_figure(checks),) if checks.spreads else ()
    table = Section("check-table", "Every check", (_table(checks, units), *spreads), folded=True)
    return (Section("checks", "Does the model fit?", (*blocks, checks_figure(checks, calibration)), (table,)),)


def _table(checks: Checks, units: Units) -> Table:
    rows = [
        (
            f"Part {one.part}" if one.part else "The whole model",
            (_ASKED_OF_A_PART if one.part else _ASKED)[one.kind],
            p_value(one.p),
            p_value(one.adjusted),
        )
        for one in checks.every
    ]
    notes = (
        "p-value: how often simulations from the model show as much. Corrected: for the number of checks (Benjamini "
        "and Yekutieli 2001). Errors are those of predicting each value from all before it, divided by what the model "
        "expects; a part is compared with what such errors would make of it. The numbers of the model were fitted to "
        "the same data, which makes the checks somewhat lenient."
    )
    header = ("Of", "What was looked at", "p-value", "Corrected")
    return Table("table-checks", "The checks of the model.", header, tuple(rows), (False, False, True, True), notes)
