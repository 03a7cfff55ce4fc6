"""What checks of a model and tests of its forecasts found, in words."""

from __future__ import annotations

from autostatistician.claims.claim import Claim
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import length, uncounted
from autostatistician.describe.axis.places import place, until_place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import FEWEST_TESTED
from autostatistician.describe.facts.whole import ForecastTest
from autostatistician.describe.words.amounts import percentage_points
from autostatistician.describe.words.outliers import far_named
from autostatistician.forms import CheckKind
from autostatistician.i18n.messages import message, say
from autostatistician.i18n.numbers import amount, fixed, pair

__all__ = ["alarm_text", "forecast_test_text", "missed_text", "worse_text"]


def alarm_text(check: Claim, units: Units) -> str:
    """What a failed check found and what it may mean, without a full stop."""
    if check["part"]:
        return _of_a_part(check)
    match check.form, check["side"]:
        case CheckKind.DISTRIBUTION, 0:
            return say(
                "The errors are lopsided, which the model does not expect; its ranges are too wide on one side, and "
                "too narrow on the other"
            )
        case CheckKind.DISTRIBUTION, 1:
            return _larger_errors(check, units)
        case CheckKind.DISTRIBUTION, _:
            return say("The errors are smaller than the model expects, so its ranges are wider than they need be")
        case CheckKind.AUTOCORRELATION, side:
            return _like_errors(check.get("place") or 0.0, alike=side > 0)
        case CheckKind.PERIODOGRAM, _:
            return say(
                "A cycle of about {length} is left in the errors; the model may have missed something that repeats",
                length=length(check.get("place") or 0.0, units),
            )  # fmt: skip
    if check["side"] > 0:
        return say("The errors are not of one kind throughout: in the later half they are larger (ranges are for both)")
    return say("The errors are not of one kind throughout: in the later half they are smaller (ranges are for both)")


def _larger_errors(check: Claim, units: Units) -> str:
    """That single errors are larger than expected, and what to make of them."""
    named = far_named([(row.at[0], row.value) for row in check.parts], units)
    text = say("Single errors are larger than the model expects, so there are outliers, or ranges are too narrow")
    return say("{text}; look at these values: {values}", text=text, values=named) if named else text


_LIKE_ERRORS = {  # by whether they are of neighbours, and alike
    (True, True): message("Errors of neighbouring values are alike"),
    (True, False): message("Errors of neighbouring values are opposite"),
    (False, True): message("Errors of values {lag} rows apart are alike"),
    (False, False): message("Errors of values {lag} rows apart are opposite"),
}


def _like_errors(lag: float, *, alike: bool) -> str:
    text = say(_LIKE_ERRORS[lag == 1.0, alike], lag=fixed(lag, 0))
    return say("{text}: ranges of single values hold, those of sums and means may not", text=text)


def _of_a_part(check: Claim) -> str:
    part = round(check["part"])
    match check.form:
        case CheckKind.AUTOCORRELATION:
            return say(
                "Part {part} swings otherwise than the model expects, so its shape may stand in for another", part=part
            )
        case CheckKind.PERIODOGRAM:
            return say(
                "One cycle stands out in part {part} more than the model expects; it may hide something that repeats",
                part=part,
            )  # fmt: skip
    return say(
        "The values of part {part} are not spread as the model expects, so what it does beyond the data is less sure",
        part=part,
    )


def forecast_test_text(test: ForecastTest, units: Units) -> str:
    """How forecasts were tested, and what the model knew of the rows that it was tested on."""
    if test.refitted:
        return say(
            "The test of the forecasts fitted the numbers of the model anew to the data {until}, and predicted what "
            "came later. As its structure had been found on all data, true forecasts may do somewhat worse.",
            until=_until(test, units),
        )
    return say(
        "The test of the forecasts gave the model only the data {until}, and predicted what came later. As the model, "
        "with its numbers, had been found on all data, true forecasts may do somewhat worse.",
        until=_until(test, units),
    )


def worse_text(test: ForecastTest, units: Units) -> str:
    """That forecasts missed by more than the simplest ones, for a list; "" where they did not, or that was not seen."""
    if test.naive is None or test.rows < FEWEST_TESTED or len(set(pair(test.error, test.naive, 2))) == 1:
        return ""
    if test.error < test.naive:
        return ""
    return say("The forecast: in a test on later data such forecasts {missed}.", missed=missed_text(test, units))


def missed_text(test: ForecastTest, units: Units) -> str:
    """How far forecasts missed, beside the simplest ones that know the calendar, after a subject."""
    times = units.in_per_cent
    if test.naive is None:
        return say("missed by {missed} on average", missed=amount(times * test.error, 2))
    missed, naive = pair(times * test.error, times * test.naive, 2)
    if units.is_odds:
        missed = percentage_points(missed)
    told = {"missed": missed, "naive": naive}
    of_counts = units.counts and not units.is_odds
    if test.season is None:
        return say(_MISSED_BESIDE_LAST[of_counts], **told)
    return say(_MISSED_BESIDE_CYCLE[of_counts], cycle=uncounted(cycle(test.season, units).every), **told)


# By whether counts were forecast, whose misses are told by their mean square.
_MISSED_BESIDE_LAST = {
    False: message(
        "missed by {missed} on average, where repeating the last value known then would have missed by {naive}"
    ),
    True: message(
        "missed by {missed} (root mean square), where repeating the last value known then would have missed by {naive}"
    ),
}
_MISSED_BESIDE_CYCLE = {
    False: message("missed by {missed} on average, where repeating the last {cycle} would have missed by {naive}"),
    True: message(
        "missed by {missed} (root mean square), where repeating the last {cycle} would have missed by {naive}"
    ),
}


def _until(test: ForecastTest, units: Units) -> str:
    """The ends of the data that the tests knew, in words."""
    ends = [until_place(place(origin, units)) for origin in test.origins]
    return say("{first}, then {last}", first=ends[0], last=ends[1]) if len(set(ends)) == 2 else ends[0]
