"""What checks of a model and tests of its forecasts found, in words."""

from __future__ import annotations

from autostatistician.decompose.records.series import Calibration, Check, Checks
from autostatistician.describe.axis import Units, length, place
from autostatistician.describe.observe.checks import failed, too_narrow
from autostatistician.describe.words.forecast_test import changes_named
from autostatistician.wording.numbers import capital, count, fixed, p_value, plural

__all__ = ["alarm_text", "calibration_text"]


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
