"""What checks of a model and tests of its forecasts found, in words."""

from __future__ import annotations

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import FEWEST_TESTED
from autostatistician.describe.facts.whole import ForecastTest, ModelCheck
from autostatistician.describe.words.amounts import POINTS
from autostatistician.describe.words.outliers import far_named
from autostatistician.forms import CheckKind
from autostatistician.wording.numbers import capital, count, fixed, joined, p_value, pair, plural

__all__ = ["alarm_text", "changes_named", "forecast_test_text", "left_out_text", "worse_text"]


def alarm_text(check: ModelCheck, units: Units) -> str:
    """What a failed check found and what it may mean, in two sentences."""
    text = _of_a_part(check, units) if check.part else _of_the_model(check, units)
    return f"{text} (corrected p-value {p_value(check.adjusted)})."


def _of_the_model(check: ModelCheck, units: Units) -> str:
    match check.kind, check.side:
        case CheckKind.DISTRIBUTION, 1 if check.counts:
            lead = "Single errors are larger than the model expects, as counts are large now and then"
            return f"{lead}: no value need be a mistake, but more than one in 20 may lie outside of 95% ranges"
        case CheckKind.DISTRIBUTION, 1 if check.heavy:
            lead = "Single errors are larger than the model expects, as large ones of all sizes are common here"
            named = far_named(check.far, units)
            return f"{lead}: more values than told may lie far outside of ranges{f', as did {named}' if named else ''}"
        case CheckKind.DISTRIBUTION, 1:
            lead = "Single errors are larger than the model expects, so there are outliers, or ranges are too narrow"
            named = far_named(check.far, units)
            return f"{lead}; look at {f'these values: {named}' if named else 'the values that stand out'}"
        case CheckKind.DISTRIBUTION, _:
            return "The errors are smaller than the model expects, so its ranges are wider than they need be"
        case CheckKind.AUTOCORRELATION, side:
            lag = "neighbouring values" if check.place == 1.0 else f"values {fixed(check.place or 0.0, 0)} rows apart"
            alike = "alike" if side > 0 else "opposite"
            return f"Errors of {lag} are {alike}: ranges of single values hold, those of sums and means may not"
        case CheckKind.PERIODOGRAM, _:
            cycle = length(check.place or 0.0, units)
            return f"A cycle of about {cycle} is left in the errors; the model may have missed something that repeats"
    change = "larger" if check.side > 0 else "smaller"
    return f"The errors are not of one kind throughout: in the later half they are {change} (ranges are for both)"


def _of_a_part(check: ModelCheck, units: Units) -> str:
    match check.kind, check.side:
        case CheckKind.DISTRIBUTION, side:
            size = "larger" if side > 0 else "smaller"
            return f"Part {check.part} is {size} than the model expects, so what it does beyond the data is less sure"
        case CheckKind.QUANTILES, 1:
            where = f", most of all around {place(check.place, units)}" if check.place is not None else ""
            text = f"Some values of part {check.part} stand out more than the model expects{where}"
            return f"{text}; ask what happened there"
        case CheckKind.QUANTILES, _:
            return f"The values of part {check.part} are more alike than the model expects, so it may have limits"
        case CheckKind.AUTOCORRELATION, _:
            return f"Part {check.part} swings otherwise than the model expects, so its shape may stand in for another"
        case CheckKind.PERIODOGRAM, _:
            more = "more than the model expects; it may hide something that repeats"
            return f"One cycle stands out in part {check.part} {more}"
    change = "larger" if check.side > 0 else "smaller"
    return f"Part {check.part} is not of one kind throughout: in the later half it is {change} than the model expects"


def forecast_test_text(test: ForecastTest, units: Units) -> str:
    """How forecasts of the later rows came out, and whether changes in them make that a hard test."""
    held, rows = fixed(100.0 * test.number, 0), plural(test.rows, "value")
    given = "the numbers of the model were fitted anew to" if test.refitted else "the model was given only"
    text = (
        f"To test the forecasts, {given} the data until {_until(test, units)}, "
        f"and the last {rows} predicted: {held}% of them lay in their 95% ranges."
    )
    text += left_out_text(test) + _beside_naive(test, units)
    verdict = {None: " These are too few to judge by.", True: " The ranges were too narrow.", False: ""}
    structure = "The structure of the model" if test.refitted else "The model, with its numbers,"
    note = f" {structure} had been found on all data, so true forecasts may do somewhat worse."
    return text + verdict[test.narrow] + (_spans(test.changes, units) if test.changes else "") + note


def left_out_text(test: ForecastTest) -> str:
    """That values which were set aside were not tested, in a sentence that follows another; "" for none.

    >>> about = {"id": "t", "number": 0.9, "unit": "share", "evidence": "e"}
    >>> left_out_text(ForecastTest(**about, rows=9, worth=9.0, error=1.0, aside=2))
    ' Two of the later values, which were set aside, are left out of this.'
    """
    if not test.aside:
        return ""
    which = "which was set aside, is" if test.aside == 1 else "which were set aside, are"
    return f" {capital(count(test.aside))} of the later values, {which} left out of this."


def _beside_naive(test: ForecastTest, units: Units) -> str:
    """How far the forecasts missed, beside the simplest ones that know the calendar."""
    return f" They {_missed(test, units)}." if test.naive is not None else ""


def worse_text(test: ForecastTest, units: Units) -> str:
    """That forecasts missed by more than the simplest ones, for a list; "" where they did not, or that was not seen."""
    if test.naive is None or test.rows < FEWEST_TESTED or len(set(pair(test.error, test.naive, 2))) == 1:
        return ""
    if test.error < test.naive:
        return ""
    return f"The forecast: in a test on later data such forecasts {_missed(test, units)}."


def _missed(test: ForecastTest, units: Units) -> str:
    assert test.naive is not None
    repeated = "value" if test.season is None else cycle(test.season, units).after_every
    times, sign = units.in_per_cent, f" {POINTS}" if units.is_odds else ""
    missed, naive = pair(times * test.error, times * test.naive, 3)
    return f"missed by {missed}{sign} on average, where repeating the last {repeated} would have missed by {naive}"


def _spans(changes: tuple[float, ...], units: Units) -> str:
    return (
        f" The test spans {changes_named(changes, units)}, or begins shortly after: the data before tell little about "
        "what came then, so the test says little about forecasts made now."
    )


def changes_named(changes: tuple[float, ...], units: Units) -> str:
    """Changes by their places: "the change around February 1974", "the changes around 1948 and 1967"."""
    places = list(dict.fromkeys(place(change, units) for change in changes))
    return f"the change{'' if len(places) == 1 else 's'} around {joined(places)}"


def _until(test: ForecastTest, units: Units) -> str:
    """The ends of the data that the tests knew, in words."""
    ends = [place(origin, units) for origin in test.origins]
    return f"{ends[0]}, then until {ends[1]}" if len(set(ends)) == 2 else ends[0]
