"""What checks of a model and tests of its forecasts found, as facts and in words, with their table and picture."""

from __future__ import annotations

from autostatistician.decompose.records import Calibration, Check, Checks
from autostatistician.describe.check_pictures import FEW, checks_figure, spreads_figure
from autostatistician.describe.document import Paragraph, Section, Table
from autostatistician.describe.numbers import capital, count, fixed, p_value, plural
from autostatistician.describe.overall import ForecastTest, ModelCheck
from autostatistician.describe.tested import changes_named
from autostatistician.describe.units import Units, length, place

__all__ = ["ALARM", "alarm_text", "calibration_text", "check_facts", "checks_section", "failed", "too_narrow"]

ALARM = 0.05  # adjusted p-values below are told

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


def check_facts(
    checks: Checks | None, calibration: Calibration | None, changes: tuple[float, ...] = ()
) -> tuple[ModelCheck | ForecastTest, ...]:
    """The facts; none where nothing was checked. ``changes`` of the model lie in the test of the forecasts."""
    every = () if checks is None else checks.every
    found: list[ModelCheck | ForecastTest] = [_fact(one) for one in every]
    if calibration is not None:
        found.append(
            ForecastTest(
                id="test/forecasts", number=100.0 * calibration.held[-1], unit="%", rows=calibration.rows,
                worth=calibration.worth, error=calibration.error, changes=changes,
                evidence="numbers refitted to earlier rows, structure found on all",
            )
        )  # fmt: skip
    return tuple(found)


def _fact(one: Check) -> ModelCheck:
    return ModelCheck(
        id=f"check/{f'part-{one.part}' if one.part else 'model'}/{one.kind}", number=one.p, unit="1",
        evidence="simulations from the model", part=one.part, kind=one.kind, adjusted=one.adjusted, place=one.place,
        side=one.side,
    )  # fmt: skip


def failed(checks: Checks | None) -> tuple[Check, ...]:
    """The checks that raise an alarm, the clearest first."""
    every = () if checks is None else checks.every
    return tuple(sorted((one for one in every if one.adjusted < ALARM), key=lambda one: (one.adjusted, one.part)))


def too_narrow(calibration: Calibration | None) -> bool | None:
    """Whether 95 % ranges held clearly less than they should in the test; None where it tells too little.

    Clearly: fewer than chance would leave outside in one of twenty tests with as many independent rows.
    """
    if calibration is None or calibration.rows < FEW:
        return None
    from scipy.stats import binom

    worth = max(round(calibration.worth), 1)
    missed = round((1.0 - calibration.held[-1]) * worth)
    return bool(binom.sf(missed - 1, worth, 0.05) < ALARM) if missed else False


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


def _summary(checks: Checks) -> str:
    alarms, most = failed(checks), min(one.adjusted for one in checks.every)
    asked = (
        f"{capital(plural(len(checks.every), 'check'))} compared the data and the parts of the model with "
        "simulations of what the model expects."
    )
    if not alarms:
        return f"{asked} None found anything unusual (smallest p-value, corrected for their number: {p_value(most)})."
    return f"{asked} {capital(count(len(alarms)))} found something unusual:"


def alarm_text(one: Check, units: Units) -> str:
    """What a failed check found and what it may mean, in two sentences."""
    told = _of_a_part(one) if one.part else _of_the_model(one, units)
    return f"{told} (corrected p-value {p_value(one.adjusted)})."


def _of_the_model(one: Check, units: Units) -> str:
    match one.kind, one.side:
        case "distribution", 1:
            found = "Single errors are larger than the model expects, so there are outliers, or ranges are too narrow"
            return f"{found}; look at the values that stand out"
        case "distribution", _:
            return "The errors are smaller than the model expects, so its ranges are wider than they need be"
        case "autocorrelation", side:
            lag = "neighbouring values" if one.place == 1.0 else f"values {fixed(one.place or 0.0, 0)} rows apart"
            alike = "alike" if side > 0 else "opposite"
            return f"Errors of {lag} are {alike}: ranges of single values hold, those of sums and means may not"
        case "periodogram", _:
            cycle = length(one.place or 0.0, units)
            return f"A cycle of about {cycle} is left in the errors; the model may have missed something that repeats"
    change = "larger" if one.side > 0 else "smaller"
    return f"The errors are not of one kind throughout: in the later half they are {change} (ranges are for both)"


def _of_a_part(one: Check) -> str:
    match one.kind, one.side:
        case "distribution", side:
            size = "larger" if side > 0 else "smaller"
            return f"Part {one.part} is {size} than the model expects, so what it does beyond the data is less sure"
        case "quantiles", 1:
            return f"Some values of part {one.part} stand out more than the model expects; ask what happened there"
        case "quantiles", _:
            return f"The values of part {one.part} are more alike than the model expects, so it may have limits"
        case "autocorrelation", _:
            return f"Part {one.part} swings otherwise than the model expects, so its shape may stand in for another"
        case "periodogram", _:
            more = "more than the model expects; it may hide something that repeats"
            return f"One cycle stands out in part {one.part} {more}"
    change = "larger" if one.side > 0 else "smaller"
    return f"Part {one.part} is not of one kind throughout: in the later half it is {change} than the model expects"


def calibration_text(calibration: Calibration, units: Units, changes: tuple[float, ...] = ()) -> str:
    """How forecasts of the later rows came out, and whether ``changes`` in them make that a hard test."""
    held, rows = fixed(100.0 * calibration.held[-1], 0), plural(calibration.rows, "value")
    told = (
        "To test the forecasts, the numbers of the model were fitted anew to the data until "
        f"{_until(calibration, units)}, and the last {rows} predicted: {held}% of them lay in their 95% ranges."
    )
    verdict = {None: " These are too few to judge by.", True: " The ranges were too narrow.", False: ""}
    note = " The structure of the model had been found on all data, so true forecasts may do somewhat worse."
    return told + verdict[too_narrow(calibration)] + (_spans(changes, units) if changes else "") + note


def _spans(changes: tuple[float, ...], units: Units) -> str:
    return (
        f" The test spans {changes_named(changes, units)}, or begins shortly after: the data before tell little about "
        "what came then, so the test says little about forecasts made now."
    )


def _until(calibration: Calibration, units: Units) -> str:
    """The ends of the data that the tests knew, in words."""
    ends = [place(origin, units) for origin in calibration.origins]
    return f"{ends[0]}, then until {ends[1]}" if len(set(ends)) == 2 else ends[0]


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
