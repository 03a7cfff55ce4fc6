"""What a forecast takes for granted, from records of functions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import airline
from tests.describe.function_cases import COURSE, EVENT, UNITS, sure

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import Estimate, FunctionCourse
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import ForecastCondition
from autostatistician.describe.observe.series.conditions import condition_facts
from autostatistician.describe.observe.series.function import function_facts

STEP = replace(EVENT, before=1957.0, at=1957.0 + 1 / 12, until=None)
QUIET = replace(COURSE, sudden=(), seasons=(), scatter=None)


def conditions(course: FunctionCourse, found: Decomposition | None = None) -> tuple[ForecastCondition, ...]:
    d = replace(found or airline(), function=course)
    return condition_facts(d, function_facts(d, UNITS))


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
    assert [fact.number for fact in told] == ([] if held is None else [pytest.approx(end + 150.0 * held)])


def test_of_a_logarithm_it_is_a_factor() -> None:
    found = replace(airline(), transform=Transform("log", 280.0))
    (fact,) = conditions(replace(QUIET, sudden=(replace(STEP, size=sure(np.log(0.5), 0.1), level=0.0),)), found)
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
        (sure(-40.0), 0.3, -38.0, True),  # against the rise of the whole
        (sure(60.0), 0.3, 55.0, True),  # steeper
        (sure(-40.0), 0.01, -38.0, False),  # a line
        (sure(-40.0), 0.3, -5.0, False),  # the forecast does not go on with it
        (sure(35.0), 0.3, 35.0, False),  # as steep as the whole
        (Estimate(-40.0, -90.0, 10.0, 0.9), 0.3, -38.0, False),  # not sure
    ],
)
def test_a_last_slope_that_is_carried_on(slope: Estimate, wander: float, ahead: float, told: bool) -> None:
    found = conditions(replace(QUIET, slope=slope, wander=wander), _falling(airline(), ahead))
    assert [fact.kind for fact in found] == ([Taken.GOES_ON] if told else [])
    if told:
        assert found[0].number == pytest.approx(400.0)


def test_without_a_forecast_nothing_is_taken_for_granted() -> None:
    d = airline()
    empty = replace(d.forecast, **{name: getattr(d.forecast, name)[:0] for name in ("x", "mean", "sd")})
    assert conditions(replace(QUIET, sudden=(STEP,)), replace(d, forecast=empty)) == ()
    assert condition_facts(replace(d, function=None), ()) == ()
