"""What the days around holidays add, word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.covariate_cases import EASTER, FEASTS, around, findings, holiday
from tests.describe.factory import DAILY, DAYS, MONTHLY, MONTHS, PLAIN, units_on

from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.covariates import ColumnEffect
from autostatistician.decompose.records.function import Witness
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.holidays import (
    calendar_title,
    day_name,
    event_text,
    holiday_texts,
    holidays_doubt,
    is_daily,
    months_of,
    named_events,
    step_with,
    with_it,
)

DAY_UNITS, MONTH_UNITS = units_on(DAILY, DAYS), units_on(MONTHLY, MONTHS)


def told(*days: ColumnEffect, units: Units = DAY_UNITS) -> tuple[str, ...]:
    return tuple(event_text(event, units) for event in findings(*days).events)


def summary(*days: ColumnEffect, units: Units = DAY_UNITS) -> str:
    (text,) = holiday_texts(findings(*days).events, units)
    return text


def test_an_event_is_told_by_its_days_and_their_sum() -> None:
    assert told(*EASTER) == (
        "'Easter': 'sales' is 40.0 higher on the day (95% range: 38.0 to 42.0), 12.0 higher the day before (10.0 to "
        "14.0), and 5.0 lower the day after (3.0 to 7.0); 47.0 higher in all (43.0 to 51.0).",
    )
    assert told(*holiday("fair")(8.0, 1.0)) == ("'fair': 'sales' is 8.0 higher on the day (95% range: 6.0 to 10.0).",)
    assert told(*holiday("fair")(1.0, 0.5)) == ("'fair': 'sales' is 1.0 higher on the day (95% range: −1.0 to 3.0).",)
    logs = replace(DAY_UNITS, level=250.0)
    days = [replace(day, size=around(0.01 * day.size.number, 0.02)) for day in EASTER[:2]]
    assert told(*days, units=logs)[0].endswith(
        "is 49.2% higher on the day (95% range: 46.2% to 52.2%) and 12.7% higher the day before (10.5% to 15.0%)."
    )


def test_what_may_be_and_what_is_not_is_said() -> None:
    assert told(*holiday("fair", probability=0.45)(8.0)) == (
        "It is open whether 'fair' matters (probability 45%); if it does, 'sales' is 8.0 higher on the day (95% range: "
        "6.0 to 10.0).",
    )
    assert told(*holiday("fair", probability=0.04)(8.0)) == (
        "'fair' says nothing about 'sales' beyond time (probability that it does: 4%).",
    )


def test_in_longer_steps_an_event_is_of_a_step_and_may_move() -> None:
    assert told(EASTER[0], units=MONTH_UNITS) == (
        "'Easter' (it moves between March and April): 'sales' is 40.0 higher in a month with it (95% range: 38.0 to "
        "42.0).",
    )
    weeks = replace(EASTER[0], high=7.0)
    assert "40.0 higher for each of its days in a month (" in told(weeks, units=MONTH_UNITS)[0]
    (event,) = findings(EASTER[0]).events
    many = replace(event, total=replace(event.total, places=tuple(1951 + k / 12 for k in range(7))))
    assert event_text(many, MONTH_UNITS).startswith("'Easter' (it moves through the year): ")
    fixed = replace(event, total=replace(event.total, places=(1951.0, 1952.0)))
    assert months_of(fixed, MONTH_UNITS) == ()
    quarters = units_on(replace(MONTHLY, frequency="quarter", step=0.25), MONTHS[::3])
    assert months_of(event, quarters) == ("quarter 1", "quarter 2")
    assert step_with(quarters) == "quarter"
    assert step_with(units_on(PLAIN, np.arange(60.0))) == "year"
    assert is_daily(DAY_UNITS)
    assert not is_daily(MONTH_UNITS)


def test_what_most_have_in_common_is_told_once() -> None:
    assert summary(*FEASTS) == (
        "Holidays of DE: on most of them 'sales' is about 30 lower and the day before about 12 higher; 'Christmas' "
        "stands out (51 lower); of one other the data show nothing clear."
    )
    two = (*FEASTS, *holiday("Easter")(-29.0), *holiday("Whitsun")(-28.0, 12.0), *holiday("Carnival")(20.0, 12.0))
    assert "'Christmas' and 'Carnival' stand out (51 lower and 20 higher); " not in summary(*two)
    assert "'Carnival' and 'Christmas' stand out (20 higher and 51 lower); " in summary(*two)
    alike = summary(*(day for day in FEASTS if day.event != "Christmas"))
    assert alike == (
        "Holidays of DE: on most of them 'sales' is about 29 lower and the day before about 12 higher; of one other "
        "the data show nothing clear."
    )
    months = [replace(day, days=0) for day in FEASTS if not day.days]
    assert summary(*months, units=MONTH_UNITS).startswith(
        "Holidays of DE: in a month with one 'sales' is mostly about 30 lower; 'Christmas' stands out (51 lower); "
    )
    percents = [replace(day, size=around(0.01 * day.size.number, 0.02)) for day in FEASTS]
    assert "is about 26% lower and the day before about 13% higher" in summary(
        *percents, units=replace(DAY_UNITS, level=250.0)
    )


def test_of_many_that_stand_out_the_furthest_are_named() -> None:
    alike = [day for name in "abcdefghi" for day in holiday(name)(-30.0)]
    out = [day for name, size in (("v", -60.0), ("w", 10.0), ("x", 20.0), ("y", -55.0)) for day in holiday(name)(size)]
    assert summary(*alike, *out) == (
        "Holidays of DE: on most of them 'sales' is about 30 lower; 'x', 'w', and 'v' stand out (20 higher, 10 higher, "
        "and 60 lower), and one more differs."
    )
    more = summary(*alike, *out, *holiday("z")(-52.0))
    assert more.endswith(", and two more differ.")


def test_where_each_has_a_size_of_its_own_the_largest_are_told() -> None:
    days = (*holiday("a")(40.0), *holiday("b")(-10.0, 5.0), *holiday("c")(90.0), *holiday("d")(20.0))
    assert summary(*days) == (
        "Holidays of DE: around 'c' 'sales' is 90.0 higher on the day (95% range: 88.0 to 92.0), around 'a' 40.0 "
        "higher on the day (95% range: 38.0 to 42.0), and around 'd' 20.0 higher on the day (95% range: 18.0 to 22.0); "
        "one more matters, too."
    )
    assert summary(*days, *holiday("e")(3.0)).endswith("; two more matter, too.")
    assert named_events(findings(*days).events) == "four holidays"
    assert named_events(findings(*days[:4]).events) == "'a' and 'b'"


def test_where_none_acts_one_sentence_says_so() -> None:
    nothing = [replace(day, probability=0.12) for day in EASTER]
    assert summary(*nothing) == (
        "Holidays of DE: none says anything clear about 'sales' beyond time (probability at most 12%)."
    )
    perhaps = holiday("fair", probability=0.45)(8.0)
    assert summary(*perhaps) == (
        "Holidays of DE: whether 'fair' matters is open; the data show no clear effect on 'sales'."
    )
    both = (*perhaps, *holiday("feast", probability=0.3)(8.0))
    assert summary(*EASTER, *both).endswith("; whether 'fair' and 'feast' matter is open.")
    others = (*EASTER, *holiday("x", probability=0.01)(0.1), *holiday("y", probability=0.01)(0.1))
    assert summary(*others).endswith("; of two others the data show nothing clear.")


def test_each_calendar_has_its_name_and_sentence() -> None:
    own = holiday("fair", "folder/events.csv")(8.0)
    assert [text.partition(":")[0] for text in holiday_texts(findings(*EASTER, *own).events, DAY_UNITS)] == [
        "Holidays of DE", "Events of 'events.csv'",
    ]  # fmt: skip
    assert calendar_title("") == "Holidays"
    assert named_events(findings(*(day for name in "abcd" for day in holiday(name, "e.csv")(8.0))).events) == (
        "four events"
    )


def test_a_plain_comparison_that_differs_is_told_by_event() -> None:
    other = Witness("least squares", -3.0, -8.0, 2.0, agrees=False)
    doubt = holidays_doubt(findings(replace(EASTER[0], witness=other), *EASTER[1:]).events, DAY_UNITS)
    assert doubt == "A plain comparison of neighbouring rows says something else of 'Easter' (−3 (−8 to 2))."
    assert holidays_doubt(findings(*EASTER).events, DAY_UNITS) == ""
    many = [replace(holiday(name)(8.0)[0], witness=other) for name in "abcde"]
    assert holidays_doubt(findings(*many).events, DAY_UNITS).endswith("'c' (−3 (−8 to 2)), and two more.")
    assert holidays_doubt(findings(*many[:-1]).events, DAY_UNITS).endswith("'c' (−3 (−8 to 2)), and one more.")


@pytest.mark.parametrize(
    ("axis", "step", "name"),
    [(DAILY, 7.0, "in a week with it"), (MONTHLY, 0.25, "in a quarter with it"), (MONTHLY, 1.0, "in a year with it")],
)
def test_steps_with_an_event_have_names(axis: Axis, step: float, name: str) -> None:
    assert with_it(units_on(replace(axis, step=step), step * np.arange(60.0))) == name


@pytest.mark.parametrize(("days", "name"), [(0, "on the day"), (1, "the day after"), (-3, "three days before")])
def test_days_have_names(days: int, name: str) -> None:
    assert day_name(days) == name
