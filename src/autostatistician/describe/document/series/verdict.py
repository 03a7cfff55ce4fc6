"""What to be careful with in the page of a series, and in a few sentences how sure it is."""

from __future__ import annotations

from autostatistician.describe.axis.cycles import phase_text
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.series.checks import named_alarms
from autostatistician.describe.facts.findings import SeriesFindings
from autostatistician.describe.facts.judgement import failed_checks
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import values
from autostatistician.describe.words.checks import alarm_text, missed_text, worse_text
from autostatistician.describe.words.column_values import ahead_text, assumed_ranges_text, beyond_text
from autostatistician.describe.words.covariates import doubtful_columns_text
from autostatistician.describe.words.outliers import comes_again_text
from autostatistician.describe.words.plain import few_rows_text, missing_text
from autostatistician.describe.words.search import cut_text
from autostatistician.i18n.messages import say, say_count
from autostatistician.i18n.numbers import capital, count, rounded_percent

__all__ = ["careful_texts", "sure_texts"]

LEAST_HELD = 0.9  # of later values in 95 % ranges: fewer are a doubt


def careful_texts(findings: SeriesFindings, units: Units) -> list[str]:
    """What a reader should not rely on, from the search, the test of the forecasts, the checks and the columns."""
    beside, test = findings.covariates, findings.test
    few = few_rows_text(findings.facts)
    items = [few, cut_text(findings.search), missing_text(findings.facts, units)]
    if findings.curves.forecast.x.size:
        items += [comes_again_text(findings.claims, units), _of_ranges(findings, few=bool(few))]
        items.append(_of_constants(findings, units))
    items.append("" if test is None else worse_text(test, units))
    alarms = [] if findings.checks is None else named_alarms(findings.checks)
    items += [f"{alarm_text(alarm, units)}." for alarm in alarms]
    if beside is not None:
        items.append(doubtful_columns_text(beside))
        items += [] if beside.ahead is None else [
            beyond_text(beside.ahead), assumed_ranges_text(beside.ahead, units), ahead_text(beside.ahead, units),
        ]  # fmt: skip
    return [item for item in items if item]


def _of_constants(findings: SeriesFindings, units: Units) -> str:
    """That some steps of the forecast are one number, which needs no model; "" where all have ranges."""
    ahead = findings.curves.forecast
    known = ahead.is_known
    if known.all() or not known.any():
        return ""
    value = values(*(float(ahead.middle[known][0]),) * 2, units)[0]
    days = units.axis.calendar.constant_weekdays
    return say(
        "{places} {it} is {value} nearly always: the model leaves these out, so that levels and patterns are those of "
        "all others, and the forecast has {value} there, without a range.",
        places=capital(phase_text(Phase.WEEKDAY, days) if days else say("at some hours or days of the week")),
        it=units.it, value=value,
    )  # fmt: skip


def _of_ranges(findings: SeriesFindings, *, few: bool) -> str:
    """What the test of the forecasts leaves in doubt; "" for nothing."""
    test = findings.test
    if test is None or test.narrow is None:
        return "" if few else say("The data are too few to test the ranges of the forecast.")
    told = {"held": rounded_percent(test.number)}
    if test.narrow:
        return say(
            "Plan with wider ranges than those shown: in a test only {held} of later values lay in 95% ranges.", **told
        )
    if test.number >= LEAST_HELD:
        return ""
    return say(
        "In a test {held} of later values lay in 95% ranges; that may be chance, as such misses come together.", **told
    )


# --- how sure it is ---------------------------------------------------------------------------------------------------


def sure_texts(findings: SeriesFindings, units: Units) -> list[str]:
    """How well the model fits and forecasts, in a few sentences."""
    return list(filter(None, [_checked(findings), _tested(findings, units), _averaged(findings)]))


def _checked(findings: SeriesFindings) -> str:
    """What the checks of the model found, in a sentence; "" where there were none."""
    if findings.checks is None:
        return ""
    n, alarms = len(findings.checks.claims), len(failed_checks(findings.checks.claims))
    if not alarms:
        return say_count(
            n, "One check of the model against the data found nothing unusual.",
            "{n} checks of the model against the data found nothing unusual.", n=capital(count(n)),
        )  # fmt: skip
    return say_count(
        alarms, "Of {all} checks of the model against the data one found something unusual.",
        "Of {all} checks of the model against the data {n} found something unusual.", n=count(alarms), all=count(n),
    )  # fmt: skip


def _tested(findings: SeriesFindings, units: Units) -> str:
    """How forecasts of the last values came out; "" where that was not tested, or is among the doubts."""
    test = findings.test
    if test is None or test.narrow is None or test.narrow or test.number < LEAST_HELD:
        return ""
    columns = findings.covariates is not None and bool(findings.covariates.told)
    told = {"held": rounded_percent(test.number), "n": count(test.rows), "missed": missed_text(test, units)}
    if columns:
        return say_count(
            test.rows,
            "When the last {n} value was forecast from those before, with columns known, {held} of it lay in the 95% "
            "range; forecasts {missed}.",
            "When the last {n} values were forecast from those before, with columns known, {held} of them lay in the "
            "95% ranges; forecasts {missed}.",
            **told,
        )
    return say_count(
        test.rows,
        "When the last {n} value was forecast from those before, {held} of it lay in the 95% range; forecasts "
        "{missed}.",
        "When the last {n} values were forecast from those before, {held} of them lay in the 95% ranges; forecasts "
        "{missed}.",
        **told,
    )


def _averaged(findings: SeriesFindings) -> str:
    """Over how many models the forecast averages; "" for one."""
    if findings.averaged < 2 or not findings.curves.forecast.x.size:
        return ""
    return say(
        "The forecast averages over {n} models, so its ranges include the doubt about the model.",
        n=count(findings.averaged),
    )  # fmt: skip
