"""Questions that name times and changes, answered with numbers."""

from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from tests.promoted import AHEAD, PROMOTION, ROWS, fitted, table
from tests.saved_models.models import saved
from tests.schemas import check

from autostatistician import AutomaticStatistician
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.errors import InputError

PLAN = table()[ROWS:].drop(columns="sales")
JUMP = 40.0


def stepped() -> AutomaticStatistician:
    """A monthly series with a slope of 24 a year, a season of 20 and a jump in March 2013; nobody may change it."""
    model: AutomaticStatistician = saved("stepped")
    return model


def test_the_trend_between_two_times_is_without_the_season() -> None:
    told = stepped().ask("trend", start="2015", stop="2018")
    (number,) = told.numbers
    low, high = number.interval or (0.0, 0.0)
    assert low is not None
    assert high is not None
    assert low < 72.0 < high
    assert high - low < 10.0
    assert (number.start, number.stop, number.probability) == ("2015-01-01T00:00:00", "2018-12-01T00:00:00", 1.0)
    assert told.sentences[0].startswith("From 2015 to 2018 'sold' rose by 7")
    within = stepped().ask("trend", start="2014-01", stop="2014-07").numbers[0].number
    assert within == pytest.approx(12.0, abs=4.0)  # the season alone fell by more
    check(told.to_json(), "answer-1")


def test_the_trend_from_the_first_row_or_to_the_last_needs_no_time() -> None:
    model = stepped()
    since, until = model.ask("trend", start="2018-01"), model.ask("trend", stop="2011-12")
    assert since.numbers[0].stop == "2019-12-01T00:00:00"
    assert until.numbers[0].start == "2010-01-01T00:00:00"
    (begun,) = fitted().ask("trend", start="2024", stop="2025").numbers
    assert begun.stop == "2025-02-17T00:00:00"  # the year has weeks to come


@pytest.mark.slow
def test_events_are_those_of_the_stretch_or_of_the_time() -> None:
    model = stepped()
    for where in ({"at": "2013-03"}, {"start": "2013", "stop": "2014"}, {"stop": "2013-03"}):
        told = model.ask("events", **where)
        (number,) = [number for number in told.numbers if number.fact == "step"]
        assert (number.at, number.number) == ("2013-03-01T00:00:00", pytest.approx(JUMP, abs=5.0))
        assert number.sentence in told.sentences
        assert [fact["id"] for fact in told.facts] == [number.id for number in told.numbers]
    told = model.ask("events", start="2015")
    assert (told.numbers, told.sentences) == (
        (), ("No sudden change and no value that stands out is found in 'sold' from January 2015 to December 2019.",)
    )  # fmt: skip
    assert len(model.ask("events", at="2016-05").sentences) == 1


def test_a_forecast_of_a_stretch_is_that_of_its_rows() -> None:
    model = stepped()
    frame = model.forecast(6)
    told = model.ask("forecast", start="2020-02", stop="2020-04")
    assert [number.at for number in told.numbers] == [f"2020-0{month}-01T00:00:00" for month in (2, 3, 4)]
    assert [number.number for number in told.numbers] == pytest.approx(frame["median"][1:4].tolist())
    assert told.to_json() == model.ask("forecast", start="2020-02", stop="2020-04").to_json()
    assert len(model.ask("forecast", stop="2020").numbers) == 12
    check(told.to_json(), "answer-1")


def test_a_forecast_says_that_values_set_aside_may_come_again() -> None:
    model = stepped()
    rows = tuple(Outlier(place, 0.0, 90.0) for place in (2011.0, 2012.5, 2014.25, 2016.0))
    closed = copy(model)
    closed.model_ = replace(model.model_, screening=Screening(rows))
    said = "four of 124 values of 'sold' were far lower than the others suggest, so such values may come again."
    for asked in ({"at": "2020-02"}, {"at": "2020", "sum_by": "year"}):
        assert said in closed.ask("forecast", **asked).sentences[0]
        assert said not in model.ask("forecast", **asked).sentences[0]
    assert said in closed.forecast(2).attrs["notes"][0]
    assert said in closed.forecast(sum_by="year").attrs["notes"][0]


def test_what_if_is_told_on_average_in_total_and_row_by_row() -> None:
    model = fitted()
    told = model.ask("what-if", change={"promo": 1}, future=PLAN.assign(promo=0.0))
    average, total, *rows = told.numbers
    other = model.what_if({"promo": 1}, future=PLAN.assign(promo=0.0))
    assert (average.number, total.number) == pytest.approx((other.average[0], other.total[0]))
    assert len(rows) == AHEAD
    assert average.number == pytest.approx(PROMOTION, abs=2.0)
    assert average.sentence == told.sentences[0]
    check(told.to_json(), "answer-1")
    week = PLAN["week"].dt.strftime("%Y-%m-%d").tolist()
    some = model.ask("what-if", change="promo=1", start=week[1], stop=week[2], future=PLAN.assign(promo=0.0))
    assert [number.at for number in some.numbers[2:]] == [number.at for number in rows[1:3]]
    assert some.numbers[1].number == pytest.approx(sum(number.number or 0.0 for number in rows[1:3]), rel=1e-6)


def test_why_has_the_difference_and_its_shares() -> None:
    told = fitted().ask("why", at="2025-01-06", against="2024-01-08")
    whole, *shares = told.numbers
    assert (whole.fact, whole.start) == ("Difference", "2024-01-08T00:00:00")
    assert sum(share.number or 0.0 for share in shares) == pytest.approx(whole.number)
    assert {"part", "column", "chance"} == {fact["kind"] for fact in told.facts}
    check(told.to_json(), "answer-1")


@pytest.mark.parametrize(
    ("question", "said", "expected"),
    [
        ("seasons", {"at": "2015"}, "'at' with 'events' and 'forecast' and 'why' alone"),
        ("trend", {"against": "2015"}, "'against' with 'why' alone"),
        ("what", {"start": "2015"}, "'from' with"),
        ("events", {"at": "2015", "start": "2014"}, "found both"),
        ("events", {"start": "2016", "stop": "2015"}, "begins before it ends"),
        ("trend", {"stop": "2031"}, "a time of the data"),
        ("forecast", {}, "a time .at. after the data"),
        ("forecast", {"at": "2015-01"}, "after the data"),
        ("forecast", {"start": "2030"}, "an end"),
        ("forecast", {"start": "2015", "stop": "2016"}, "after the data"),
        ("why", {"at": "2015"}, "two times"),
        ("what-if", {}, "what shall change"),
        ("what-if", {"change": "promo=1"}, "a model with columns"),
        ("weather", {}, "one of what, trend"),
    ],
)
def test_what_cannot_be_answered_says_why(question: str, said: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        stepped().ask(question, **said)


def test_an_end_before_the_data_leaves_nothing_to_change() -> None:
    with pytest.raises(InputError, match="steps that come after the data"):
        fitted().ask("what-if", change="promo=1", start="2030-01-07", stop="2025-03-10")


def test_a_year_that_ends_with_the_data_is_asked_from_its_first_row() -> None:
    for asked in ({"start": "2019"}, {"start": "2019", "stop": "2019"}):
        (number,) = stepped().ask("trend", **asked).numbers
        assert (number.start, number.stop) == ("2019-01-01T00:00:00", "2019-12-01T00:00:00")
        assert number.number == pytest.approx(22.0, abs=4.0)
