"""Values and rows that stand out, word for word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.describe.factory import DAILY, MONTHLY, MONTHS, units_on

from autostatistician.describe.facts.whole import ReturningDay, StandingOut, TwoWays
from autostatistician.describe.words.outliers import (
    aside_text,
    comes_again_text,
    ending_text,
    far_named,
    far_off_text,
    kept_text,
    look_up,
    returning_text,
    set_aside_text,
    two_ways_assumed,
    two_ways_text,
)
from autostatistician.wording.messages import spoken_in

UNITS = units_on(MONTHLY, MONTHS)
ONE = StandingOut(
    id="outliers/1", number=146.0, unit="target", evidence="e", position=1955.0, expected=50.2, aside=True, gain=57.0,
    values=144,
)  # fmt: skip


def test_one_value_is_told_in_the_singular_and_several_in_the_plural() -> None:
    assert "January 1955: 146, expected about 50. No trend, cycle or step explains this value" in aside_text(
        [ONE], UNITS
    )
    many = aside_text([ONE, replace(ONE, position=1956.0)], UNITS)
    assert "explains these values" in many
    assert "January 1955: 146, expected about 50; January 1956: 146" in many


def test_a_reference_model_that_gained_nothing_is_not_praised() -> None:
    assert "describes the other 144 values as well:" not in aside_text([ONE], UNITS)
    equal = " a reference model that was fitted without it describes the other 144 values as well. "
    assert equal in aside_text([replace(ONE, gain=0.0)], UNITS)
    little = " a reference model that was fitted without it describes the other 144 values better. "
    assert little in aside_text([replace(ONE, gain=0.05)], UNITS)


def test_of_many_some_are_named_and_the_others_counted() -> None:
    many = [replace(ONE, position=1950.0 + year) for year in range(4)]
    assert set_aside_text(many, UNITS) == (
        "What the model was made without, because nothing in the data explains it: January 1950: 146, expected about "
        "50; January 1951: 146, expected about 50; January 1952: 146, expected about 50; and one more."
    )
    far = [(1950.0 + year, 146.0) for year in range(6)]
    assert far_named(far, UNITS).endswith(", January 1954 (146), and one more")
    assert far_named([*far, (1956.0, 146.0)], UNITS).endswith(", and two more")


def test_chances_are_told_the_least_sure_first() -> None:
    sure = [replace(ONE, position=1950.0 + year, chance=0.9995) for year in range(4)]
    assert aside_text([replace(ONE, chance=0.97)], UNITS).endswith(
        " January 1955 is an outlier with a chance of 97%, given how far the other values scatter."
    )
    assert aside_text(sure, UNITS).endswith(
        " Each of them is an outlier with a chance of more than 99.9%, given how far the other values scatter."
    )
    assert aside_text([*sure, replace(ONE, chance=0.97)], UNITS).endswith(
        " January 1955 is an outlier with a chance of 97%, January 1950 with one of more than 99.9%, and January 1951 "
        "with one of more than 99.9%, given how far the other values scatter."
    )


def test_what_is_kept_is_told_apart() -> None:
    kept = replace(ONE, aside=False)
    assert kept_text([kept], UNITS).startswith("January 1955: 146, expected about 50. This value stands at an end")
    assert (aside_text([kept], UNITS), kept_text([ONE], UNITS), set_aside_text([kept], UNITS)) == ("", "", "")


def test_what_ends_the_data_is_told_with_what_it_may_be() -> None:
    ending = replace(ONE, ending=True, lasting=0.556)
    told = ending_text([ending], UNITS)
    assert told.startswith("The last value stands out (January 1955: 146, expected about 50). So far one value cannot")
    assert "is January 1955 complete?" in told
    assert "has a probability of 55.6%" in told
    assert (aside_text([ending], UNITS), ending_text([ONE], UNITS)) == ("", "")


def test_of_many_three_are_named() -> None:
    many = [replace(ONE, position=1950.0 + year) for year in range(5)]
    assert set_aside_text(many, UNITS).endswith("; and two more.")
    assert look_up(many, UNITS).count("January") == 3
    assert look_up([], UNITS) == ""


def test_rows_of_tables_are_named_by_their_number() -> None:
    told = far_off_text([replace(ONE, position=18.0, aside=False)])
    assert "row 18 (146, expected about 50)" in told
    assert far_off_text([]) == ""


def test_a_day_that_comes_back_is_told_with_what_it_is_and_what_forecasts_make_of_it() -> None:
    fact = ReturningDay(
        id="outliers/day 1", number=-80.0, unit="target", evidence="e", day="25 December each year", level=20.3,
        times=3, since=358.0,
    )  # fmt: skip
    told = returning_text([fact], units_on(DAILY, np.arange(1096.0)))
    assert told == (
        "On 25 December each year 'sales' falls to about 20, where other days suggest about 100 (three times since "
        "25 December 2001). Forecasts have that, too; what follows is about the other days."
    )
    assert returning_text([], UNITS) == ""


def test_values_that_lie_close_beside_each_other_are_told_apart() -> None:
    units = replace(UNITS, spread=0.4)
    far = [(1950.0 + year, 1360.2 + 0.23 * year) for year in range(5)]
    told = far_named(far, units)
    assert [f"({value})" in told for value in ("1,360.2", "1,360.43", "1,360.66")] == [True] * 3
    with spoken_in("de"):
        assert "(1.360,43)" in far_named(far, units)
    of_log = replace(units, spread=0.4 / 1360.0, level=1360.0)
    assert "(1,360.43)" in far_named(far, of_log)


def test_several_values_that_were_set_aside_may_come_again() -> None:
    few = [replace(ONE, position=1950.0 + year, number=3.0) for year in range(2)]
    assert comes_again_text(few, UNITS) == ""
    told = comes_again_text([*few, replace(few[0], position=1953.0)], UNITS)
    assert told.startswith(
        "Forecasts are without what was set aside: three of 147 values of 'sales' were far lower than the others "
        "suggest, so such values may come again."
    )
    ending = replace(ONE, position=1960.0, ending=True, lasting=0.1)
    told = comes_again_text([*few, replace(few[0], position=1953.0), ending], UNITS)
    assert told.startswith("Forecasts are without what was set aside before the last value: three of 148 values of")


def test_a_forecast_that_weighs_two_cases_says_both_with_the_odds() -> None:
    ways = TwoWays(
        id="w", number=1519.2, unit="target", evidence="e", position=1961.0, lasting=2130.4, odds=0.537, rows=2
    )
    assert two_ways_text([ways], UNITS) == (
        "That weighs two cases: for January 1961 about 1,519 is expected, or about 2,130 if the last two values begin "
        "a new level (53.7%)."
    )
    assert two_ways_assumed([replace(ways, rows=1)]).startswith("The last value begins a new level with a probability")
    assert (two_ways_text([ONE], UNITS), two_ways_assumed([ONE])) == ("", "")
