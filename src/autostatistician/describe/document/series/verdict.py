"""What can be relied on in the model of a series, what cannot, and what to try next."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.verdict import Verdict
from autostatistician.describe.facts.findings import SeriesFindings
from autostatistician.describe.facts.judgement import MAJORITY, failed_checks
from autostatistician.describe.facts.whole import FewRows, ForecastTest, ModelCheck
from autostatistician.describe.words.checks import changes_named, left_out_text, worse_text
from autostatistician.describe.words.claims import Statement
from autostatistician.describe.words.column_values import ahead_text, assumed_ranges_text, beyond_text
from autostatistician.describe.words.covariates import doubtful_columns_text, relied_columns_text
from autostatistician.describe.words.events import ask_text
from autostatistician.describe.words.forecast import break_text
from autostatistician.describe.words.function import relied_text
from autostatistician.describe.words.outliers import comes_again_text, far_named, look_up, set_aside_text
from autostatistician.describe.words.parts import find
from autostatistician.describe.words.search import cut_text, search_longer
from autostatistician.forms import CheckKind
from autostatistician.wording.messages import message, say
from autostatistician.wording.numbers import joined, lowered, rounded_percent

__all__ = ["series_verdict"]

LEAST_HELD = 0.9  # of later values in 95 % ranges: with less they are not praised
MOST_NAMED = 3  # statements


def series_verdict(findings: SeriesFindings, statements: Sequence[Statement], units: Units) -> Verdict:
    """Judge from the checks, the test of the forecasts, the probabilities of statements and the length of the data."""
    alarms = [] if findings.checks is None else list(failed_checks(findings.checks.facts))
    return Verdict(
        tuple(_rely(findings, alarms, units)),
        tuple(_doubt(findings, statements, alarms, units)),
        tuple(_next(findings, alarms, units)),
    )


def _rely(findings: SeriesFindings, alarms: Sequence[object], units: Units) -> list[str]:
    test = findings.test
    items: list[str] = []
    sure = [relied_text(fact, units) for fact in findings.function if fact.told]
    few = find(findings.facts, FewRows) is not None
    if any(sure) and not (findings.search.cut or few):
        shown = joined(list(filter(None, sure)))
        items.append(say("What models and plain statistics of the data both show: {shown}.", shown=shown))
    if findings.covariates is not None:
        items += filter(None, [relied_columns_text(findings.covariates)])
    if findings.checks is not None and not alarms:
        items.append(say("The model: no check of it against the data found anything unusual."))
    if test is not None and test.narrow is False and test.number >= LEAST_HELD and not worse_text(test, units):
        tested = (
            say(
                "The ranges of the forecast: in a test on later data, whose columns were known, {held} of the values "
                "lay in 95% ranges.",
                held=_held(test),
            )
            if _acting(findings)
            else say(
                "The ranges of the forecast: in a test on later data, {held} of the values lay in 95% ranges.",
                held=_held(test),
            )
        )
        items.append(f"{tested}{left_out_text(test)}")
    return items


def _held(test: ForecastTest) -> str:
    return rounded_percent(test.number)


def _doubt(
    findings: SeriesFindings, statements: Sequence[Statement], alarms: Sequence[object], units: Units
) -> list[str]:
    items = [cut_text(findings.search), set_aside_text(findings.facts, units)]
    if findings.curves.forecast.x.size:
        items.append(comes_again_text(findings.facts, units))
    shaky = [
        lowered(statement.text) for statement in statements if statement.in_best and statement.probability < MAJORITY
    ][:MOST_NAMED]
    if shaky:
        items.append(say("Said here, but not by most of the models that fit: {statements}.", statements=joined(shaky)))
    elif findings.search.weight < MAJORITY:
        items.append(say("The exact form of the model: others fit the data about as well and say much the same."))
    worse = "" if findings.test is None else worse_text(findings.test, units)
    items += [worse, _of_ranges(findings, units), break_text(findings.facts, units)]
    if alarms:
        items.append(say("The model: some checks of it failed (see '{section}').", section=say("Does the model fit?")))
    beside, ahead = findings.covariates, findings.curves.forecast.x
    if beside is not None:
        items.append(doubtful_columns_text(beside))
        items += [] if beside.ahead is None else [beyond_text(beside.ahead), assumed_ranges_text(beside.ahead, units)]
    if ahead.size:
        far = length(float(ahead[-1]) - units.last, units)
        items.append(say("Anything beyond {length} after the data, or after a change of circumstances.", length=far))
    return [item for item in items if item]


def _acting(findings: SeriesFindings) -> bool:
    """Whether columns beside the series matter."""
    return findings.covariates is not None and bool(findings.covariates.told)


def _of_ranges(findings: SeriesFindings, units: Units) -> str:
    """What the test of the forecasts leaves in doubt; "" for nothing."""
    test = findings.test
    if test is None or test.narrow is None:
        few: str = say("The ranges of the forecast: there are too few data to test them.")
        return few if findings.curves.forecast.x.size else ""
    if test.narrow:
        few = (
            say(
                "The ranges of the forecast: in a test only {held} of later values lay in 95% ranges; the test spans "
                "{changes}, which it could not foresee, and such changes may come again.",
                held=_held(test), changes=changes_named(test.changes, units),
            )
            if test.changes
            else say(
                "The ranges of the forecast: in a test only {held} of later values lay in 95% ranges.",
                held=_held(test),
            )
        )  # fmt: skip
        return f"{few}{left_out_text(test)}"
    if test.number >= LEAST_HELD:
        return ""
    perhaps = say(
        "The ranges of the forecast: in a test {held} of later values lay in 95% ranges; that may be chance, as such "
        "misses come together.",
        held=_held(test),
    )
    return f"{perhaps}{left_out_text(test)}"


def _next(findings: SeriesFindings, alarms: Sequence[object], units: Units) -> list[str]:
    happened = ask_text(findings.function, units)
    items, test = [search_longer(findings.search), look_up(findings.facts, units), happened], findings.test
    kinds = {alarm.kind: alarm for alarm in alarms if isinstance(alarm, ModelCheck) and alarm.part == 0}
    if CheckKind.PERIODOGRAM in kinds:
        cycle = length(kinds[CheckKind.PERIODOGRAM].place or 0.0, units)
        items.append(
            say("Find out what repeats every {length}, or search longer: the model has left it out.", length=cycle)
        )
    errors = kinds.get(CheckKind.DISTRIBUTION)
    if errors is not None and errors.side > 0 and not errors.counts:
        named = far_named(errors.far, units)
        items.append(say(_LOOK_AT[bool(named), bool(errors.heavy)], values=named))
    if CheckKind.COURSE in kinds and not happened:
        items.append(
            say("Find out what changed along the way, or was measured otherwise; model the later part by itself.")
        )
    if test is not None and test.narrow:
        items.append(
            say(
                "Plan with wider ranges than those shown, and come back when there are more data since {change}.",
                change=changes_named(test.changes[-1:], units),
            )
            if test.changes
            else say("Plan with wider ranges than those shown, and come back when there are more data.")
        )
    if findings.covariates is not None and findings.covariates.ahead is not None:
        items.append(ahead_text(findings.covariates.ahead, units))
    come_back = (
        say("Come back with new data: the next values will tell whether the forecast holds.")
        if findings.curves.forecast.x.size
        else say("Come back with new data: they will tell whether the model holds.")
    )
    return [item for item in items if item] or [come_back]


# By whether the values are named, and whether large deviations are common.
_LOOK_AT = {
    (True, True): message(
        "Look at {values}: correct mistakes, but leave out nothing only because it lies far off: much does here."
    ),
    (True, False): message("Look at {values}: correct mistakes, or leave out what will not come again."),
    (False, True): message(
        "Look at the values that stand out: correct mistakes, but leave out nothing only because it lies far off: much "
        "does here."
    ),
    (False, False): message(
        "Look at the values that stand out: correct mistakes, or leave out what will not come again."
    ),
}
