"""What comes next, word for word, from facts alone."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import ForecastCondition, ForecastRange, ForecastReach
from autostatistician.describe.words.forecast import forecast_short, same_forecast
from autostatistician.wording.messages import spoken_in

UNITS = units_on(MONTHLY, MONTHS)
FIRST = ForecastRange(id="f", number=5.0, unit="target", evidence="e", interval=(3.0, 7.0), position=1961.0)


def test_forecasts_that_do_not_change_are_told_once() -> None:
    first = ForecastRange(id="f", number=5.0, unit="target", evidence="e", interval=(3.0, 7.0), position=1961.0)
    same = forecast_short((first, replace(first, position=1962.0)), UNITS)
    assert same == (
        "If the model holds, the forecast of 'sales' is 5.0 all the way from January 1961 to January 1962 (95% range: "
        "3.0 to 7.0)."
    )
    assert forecast_short((), UNITS) == ""


def test_what_a_forecast_takes_for_granted_stands_before_it() -> None:
    told = forecast_short((FIRST,), UNITS, beside="'price' is as planned")
    assert told == (
        "If the model holds, and 'price' is as planned, the forecast of 'sales' is 5.0 for January 1961 "
        "(95% range: 3.0 to 7.0)."
    )
    rises = ForecastCondition(
        id="c", number=4.0, unit="target", evidence="e", kind=Taken.GOES_ON, size=1.0, at=1957.0, position=1961.0,
        end=5.0,
    )  # fmt: skip
    assert forecast_short((rises, FIRST), UNITS).startswith("If the recent rise goes on, the forecast of 'sales' is")
    with spoken_in("de"):
        told = forecast_short((FIRST, replace(FIRST, position=1962.0)), UNITS)
    assert told == (
        "Wenn das Modell gilt, ist die Prognose von 'sales' von Januar 1961 bis Januar 1962 durchweg 5,0 "
        "(95-%-Bereich: 3,0 bis 7,0)."
    )


def test_forecasts_are_the_same_where_they_are_told_by_the_same_numbers() -> None:
    assert same_forecast((FIRST,), (replace(FIRST, number=5.01),), UNITS)
    assert same_forecast((FIRST,), (), UNITS)
    assert not same_forecast((FIRST,), (replace(FIRST, number=6.0),), UNITS)
    assert not same_forecast((), (FIRST,), UNITS)


def test_forecasts_that_end_as_they_begin_are_not_the_same_all_the_way() -> None:
    first = ForecastRange(id="f", number=285.0, unit="target", evidence="e", interval=(260.0, 310.0), position=1961.0)
    reach = ForecastReach(
        id="r", number=283.0, unit="target", evidence="e", interval=(218.0, 501.0), low=218.0, low_at=1961.25,
        high=501.0, high_at=1961.5, crosses=False,
    )  # fmt: skip
    told = forecast_short((first, replace(first, position=1962.0), reach), UNITS)
    assert "between 218 and 501 from January 1961 to January 1962 (95% range at both ends: 260 to 310)" in told
    near = replace(reach, low=284.8, high=285.2, number=0.4)
    assert "all the way" in forecast_short((first, replace(first, position=1962.0), near), UNITS)
