"""What is observed of forecasts and checks: conditions and alarms."""

from dataclasses import replace

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.checks import FINE, alarm, checked, trial, trial_fact
from tests.describe.factory import airline
from tests.describe.function_cases import COURSE, EVENT, UNITS, sure

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import Estimate, FunctionCourse
from autostatistician.decompose.records.series import Checks, Decomposition, HeldRanges
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import ForecastCondition
from autostatistician.describe.observe.series.findings import checks_of, condition_facts, forecast_test
from autostatistician.describe.observe.series.function import function_claims

STEP = replace(EVENT, before=1957.0, at=1957.0 + 1 / 12, until=None)
QUIET = replace(COURSE, sudden=(), seasons=(), scatter=None)


def conditions(course: FunctionCourse, found: Decomposition | None = None) -> tuple[ForecastCondition, ...]:
    d = replace(found or airline(), function=course)
    return condition_facts(d, function_claims(d, UNITS))


def test_a_change_of_late_lasts_and_undone_it_is_taken_off() -> None:
    (fact,) = conditions(replace(QUIET, sudden=(STEP,)))
    assert (fact.kind, fact.at, fact.size) == (Taken.LASTS, STEP.at, -150.0)
    assert fact.end == airline().forecast.mean[-1]
    assert fact.number == pytest.approx(fact.end + 150.0)


@pytest.mark.parametrize(
    ("end", "pace", "held"),
    [
        (470.0, 0.0, 1.0),
        (610.0, 0.0, None),  # back at the level before
        (500.0, 0.0, 0.8),
        (610.0, 140.0, 1.0),  # as the whole rises
    ],
)
def test_a_forecast_that_goes_back_by_itself_does_not_assume_that_a_change_lasts(
    end: float, pace: float, held: float | None
) -> None:
    d = airline()
    curve = replace(d.forecast, mean=np.linspace(470.0, end, len(d.forecast.x)))
    growth = sure(pace / (curve.x[-1] - d.x[-1]))
    told = conditions(replace(QUIET, sudden=(STEP,), growth=growth), replace(d, forecast=curve))
    lasting = [fact.number for fact in told if fact.kind is Taken.LASTS]
    assert lasting == ([] if held is None else [pytest.approx(end + 150.0 * held)])


def test_of_a_logarithm_it_is_a_factor() -> None:
    found = replace(airline(), transform=Transform("log", 280.0))
    (fact,) = conditions(replace(QUIET, sudden=(STEP,)), found)  # from 300 to 150
    assert fact.number == pytest.approx(2.0 * fact.end)


def test_an_event_that_is_over_does_not_come_again() -> None:
    late = replace(EVENT, before=1957.0, at=1957.0 + 1 / 12, until=1958.0)
    (fact,) = conditions(replace(QUIET, sudden=(late,)))
    assert (fact.kind, fact.number) == (Taken.PASSED, pytest.approx(fact.end - 150.0))
    assert conditions(replace(QUIET, sudden=(replace(late, rows=1),))) == ()


def test_what_lies_far_back_is_the_usual_state() -> None:
    assert conditions(replace(QUIET, sudden=(replace(STEP, at=1951.0),))) == ()


def _falling(found: Decomposition, slope: float) -> Decomposition:
    curve = found.forecast
    return replace(found, forecast=replace(curve, mean=400.0 + slope * (curve.x - curve.x[0])))


@pytest.mark.parametrize(
    ("slope", "wander", "ahead", "told"),
    [
        (sure(-40.0), 0.3, -38.0, [Taken.GOES_ON]),  # against the rise of the whole
        (sure(60.0), 0.3, 55.0, [Taken.GOES_ON]),  # steeper
        (sure(-40.0), 0.01, -38.0, []),  # a line
        (sure(-40.0), 0.3, -0.1, []),  # the forecast does not go on with it
        (sure(-40.0), 0.3, 20.0, []),
        (sure(-40.0), 0.3, -15.0, [Taken.OTHER_PACE]),
        (sure(35.0), 0.3, 70.0, [Taken.OTHER_PACE]),
        (sure(35.0), 0.3, 35.0, []),  # as steep as the whole
        (Estimate(-40.0, -90.0, 10.0, 0.9), 0.3, -38.0, []),  # not sure
    ],
)
def test_a_last_slope_is_carried_on_or_not(slope: Estimate, wander: float, ahead: float, told: list[Taken]) -> None:
    d = _falling(airline(), ahead)
    found = conditions(replace(QUIET, slope=slope, wander=wander), d)
    assert [fact.kind for fact in found] == told
    for fact in found:
        span = float(np.ptp(d.forecast.x))
        assert fact.number == pytest.approx(400.0 + (slope.number * span if fact.kind is Taken.OTHER_PACE else 0.0))


def test_a_way_back_to_the_mean_has_no_pace() -> None:
    d = airline()
    span = float(np.ptp(d.forecast.x))
    since = (d.forecast.x - d.forecast.x[0]) / span
    course = replace(QUIET, slope=sure(-40.0), wander=0.3)
    for later, kinds in ((-1.0, [Taken.OTHER_PACE]), (1.0, [])):  # most of the fall is over at once
        mean = 400.0 - 15.0 * span * np.minimum(1.0, 10.0 * since) + later * since
        assert [fact.kind for fact in conditions(course, replace(d, forecast=replace(d.forecast, mean=mean)))] == kinds


def test_a_pace_of_the_forecast_is_told_only_over_more_than_a_cycle() -> None:
    d = _falling(airline(), -15.0)
    span = float(np.ptp(d.forecast.x))
    for period, kinds in ((span / 2.0, [Taken.OTHER_PACE]), (span + 1 / 12, []), (2.0 * span, [])):
        course = replace(QUIET, slope=sure(-40.0), wander=0.3, seasons=(replace(COURSE.seasons[0], period=period),))
        assert [fact.kind for fact in conditions(course, d)] == kinds


def test_the_pace_of_late_is_carried_on_from_the_end_of_the_data() -> None:
    """At half the pace weekly values were to be lower by 0.15 after a year, which is that of four weeks."""
    d = _falling(airline(), -15.0)
    ahead = float(d.forecast.x[-1] - d.x[-1])
    flat = replace(COURSE.seasons[0], period=0.9 * ahead, course=tuple(0.0 for _ in COURSE.seasons[0].course))
    end = 400.0 + 15.0 * float(d.forecast.x[0] - d.x[-1])
    course = replace(QUIET, slope=sure(-40.0), wander=0.3, seasons=(flat,), end=end)
    (fact,) = conditions(course, d)
    assert (fact.kind, fact.pace) == (Taken.OTHER_PACE, pytest.approx(-15.0))
    assert fact.number == pytest.approx(end - 40.0 * ahead)


def test_without_a_forecast_nothing_is_taken_for_granted() -> None:
    d = airline()
    empty = replace(d.forecast, **{name: getattr(d.forecast, name)[:0] for name in ("x", "mean", "sd")})
    assert conditions(replace(QUIET, sudden=(STEP,)), replace(d, forecast=empty)) == ()
    assert condition_facts(replace(d, function=None), ()) == ()


@pytest.mark.parametrize(
    ("calibration", "narrow"),
    [
        (trial(0.0, rows=5), None),
        (trial(0.95), False),
        (trial(1.0), False),
        (trial(0.9), False),  # one miss more than two of forty is chance
        (trial(0.6), True),
        (trial(0.6, worth=2.0), False),  # one event
    ],
)
def test_ranges_are_too_narrow_only_where_chance_cannot_be_the_reason(
    calibration: HeldRanges, narrow: bool | None
) -> None:
    assert trial_fact(calibration).narrow is narrow


def test_what_was_not_checked_is_no_fact() -> None:
    assert checks_of(None) is None
    assert forecast_test(factory.noise_only()) is None


def test_facts_carry_the_numbers() -> None:
    records = [fact_json(fact) for fact in (*checked(FINE).claims, trial_fact(trial(0.9)))]
    assert [one["id"] for one in records] == ["check/model/course", "test/forecasts"]
    assert (records[0]["number"], records[0]["adjusted"], records[1]["number"]) == (0.6, 0.9, 90.0)


def test_the_check_of_single_values_names_those_far_off() -> None:
    errors, x = np.array([0.5, -3.0, 0.1, 6.0] * 5), np.arange(20.0)
    checks = Checks((alarm("distribution"), FINE), errors)
    known = checks_of(checks, x, np.round(10.0 + errors))
    assert known is not None
    first, other = known.claims
    assert (first.parts[0].at, first.parts[0].value, len(first.parts)) == ((3.0,), 16.0, 10)
    assert other.parts == ()
