"""The rules of description, continued: where a part applies, the units of lengths and places, and the future."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import (
    DAILY,
    DAYS,
    DEPTHS,
    HOURLY,
    PLAIN,
    YEARLY,
    YEARS,
    beyond,
    long,
    observed,
    short,
    units_on,
)
from tests.describe.words.test_description import Rule
from tests.describe.words.test_nouns import (
    DOWN,
    UP,
    WIENER,
    WN,
    C,
    around,
    damped,
    lin,
    matern,
    per,
    rq,
    se,
    since,
    until,
    within,
)

from autostatistician.describe.facts.part import Amplitude, ChangeSteepness
from autostatistician.describe.words.extents import size_text, steepness_text
from autostatistician.describe.words.nouns import head_of
from autostatistician.wording.messages import spoken_in

# Of monthly data from January 1949 to December 1960, where nothing else is given.
PLACES = (
    Rule(
        "before a change",
        short,
        until(per(1.0), 1955.0),
        "A yearly cycle that repeats exactly, which applies until January 1955.",
    ),
    Rule(
        "after a change",
        short,
        since(per(1.0), 1955.0),
        "A yearly cycle that repeats exactly, which applies from January 1955 onwards.",
    ),
    Rule(
        "within a window",
        short,
        within(per(1.0), 1955.0, 2.0),
        "A yearly cycle that repeats exactly, which applies from January 1954 until January 1956.",
    ),
    Rule(
        "around a window",
        short,
        around(per(1.0), 1955.0, 2.0),
        "A yearly cycle that repeats exactly, which applies until January 1954 and from January 1956 onwards.",
    ),
    Rule(
        "a change inside of a window",
        short,
        until(around(per(1.0), 1955.0, 2.0), 1959.0),
        "A yearly cycle that repeats exactly, which applies until January 1954 and from January 1956 until "
        "January 1959.",
    ),
    Rule(
        "a window inside of a window",
        short,
        around(within(per(1.0), 1955.0, 8.0), 1955.0, 2.0),
        "A yearly cycle that repeats exactly, which applies from January 1951 until January 1954 and from "
        "January 1956 until January 1959.",
    ),
    Rule(
        "nothing is left",
        short,
        until(since(per(1.0), 1957.0), 1953.0),
        "A yearly cycle that repeats exactly, which applies only outside of the data.",
    ),
    Rule(
        "an abrupt change",
        long,
        since(C, 1955.0, 40.0),
        "This part is a constant: it adds −7.3 (95% range: −9.2 to −5.3) to the values of 'passengers' where "
        "it applies. It applies from January 1955 onwards; the change is abrupt, within one step of the data.",
    ),
    Rule(
        "a gradual change",
        long,
        since(C, 1955.0, 1.0),
        "This part is a constant: it adds −7.3 (95% range: −9.2 to −5.3) to the values of 'passengers' where "
        "it applies. It applies from January 1955 onwards; the change takes about 2.2 years.",
    ),
    Rule(
        "changes of several lengths",
        long,
        until(around(C, 1955.0, 2.0), 1959.0),
        "This part is a constant: it adds 4.6 (95% range: 2.7 to 6.6) to the values of 'passengers' where it "
        "applies. It applies until January 1954 and from January 1956 until January 1959; the changes around "
        "January 1954 and January 1956 are abrupt and the change around January 1959 takes about 6.6 months.",
    ),
    Rule(
        "a window that never opens",
        long,
        within(C, 1955.0, 1.0, 1.0),
        "This part is a constant: it adds 1.2 (95% range: −0.8 to 3.2) to the values of 'passengers' where it"
        " applies. It applies from July 1954 until July 1955; both changes take about 2.2 years, and even at "
        "its height it has only 53.4% of its full size.",
    ),
    Rule("a step apart", short, within(C, 1955.46, 0.02), "A constant level of −1.3, which applies around June 1955."),
    Rule("lengths in years", short, se(1.0), "A smooth, irregular variation that changes course within about 1 year."),
    Rule(
        "lengths in months", short, se(0.5), "A smooth, irregular variation that changes course within about 6 months."
    ),
    Rule(
        "lengths in weeks", short, se(0.1), "A smooth, irregular variation that changes course within about 5.2 weeks."
    ),
    Rule(
        "lengths in days",
        short,
        se(11.0),
        "A smooth, irregular variation that changes course within about 11 days.",
        {"axis": DAILY, "x": DAYS},
    ),
    Rule(
        "lengths in hours",
        short,
        se(30.0),
        "A smooth, irregular variation that changes course within about 30 hours.",
        {"axis": HOURLY, "x": DAYS},
    ),
    Rule(
        "lengths without a unit",
        short,
        se(1.0),
        "A smooth, irregular variation that changes course within about 1 unit of 'depth'.",
        {"axis": PLAIN, "x": DEPTHS},
    ),
    Rule(
        "places by the year in long series",
        short,
        until(C, 1700.5),
        "A constant level of 6.2, which applies until 1700.",
        {"axis": YEARLY, "x": YEARS},
    ),
    Rule("places by the month", short, until(C, 1952.2), "A constant level of 7.2, which applies until March 1952."),
    Rule(
        "places by the day",
        short,
        until(C, 60.0),
        "A constant level of 5.7, which applies until 2 March 2001.",
        {"axis": DAILY, "x": np.arange(300.0)},
    ),
    Rule(
        "places by the hour",
        short,
        until(C, 30.5),
        "A constant level of 7.2, which applies until 2 January 2001, 06:00.",
        {"axis": HOURLY, "x": np.arange(60.0)},
    ),
    Rule(
        "places on a plain axis",
        short,
        until(C, 2.5),
        "A constant level of 6.5, which applies until 'depth' = 2.5.",
        {"axis": PLAIN, "x": DEPTHS},
    ),
    Rule(
        "leap years count",
        short,
        until(C, 365.0 * 3 + 59),
        "A constant level of 3.3, which applies until February 2004.",
        {"axis": DAILY, "x": DAYS[:1400]},
    ),
)

BEYOND = (
    Rule("a constant stays", beyond, C, "The level is assumed to stay as it is."),
    Rule(
        "noise goes on",
        beyond,
        WN,
        "The noise goes on, so single values stay uncertain, however good the rest of the forecast.",
    ),
    Rule(
        "very smooth",
        beyond,
        se(20.0),
        "The trend continues smoothly. Its band widens, and far beyond the data (over more than 20 years) the"
        " forecast of it returns to zero.",
    ),
    Rule(
        "very smooth and rising",
        beyond,
        se(20.0),
        "The trend goes on rising smoothly at first. Its band widens, and far beyond the data (over more than"
        " 20 years) the forecast of it returns to zero.",
        {"mean": UP},
    ),
    Rule(
        "very smooth and probably rising",
        beyond,
        se(20.0),
        "The trend probably goes on rising smoothly at first. Its band widens, and far beyond the data (over "
        "more than 20 years) the forecast of it returns to zero.",
        {"mean": UP, "slope_sd": 5.0},
    ),
    Rule(
        "smooth",
        beyond,
        se(2.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as "
        "zero, give or take its usual ups and downs.",
    ),
    Rule(
        "rapid",
        beyond,
        se(0.05),
        "The data determine its course no further than they reach. Beyond that, the forecast takes it as "
        "zero, give or take its usual ups and downs.",
    ),
    Rule(
        "several scales",
        beyond,
        rq(2.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as "
        "zero, give or take its usual ups and downs.",
    ),
    Rule(
        "a wandering level",
        beyond,
        matern("12", 50.0),
        "It may move either way, so the forecast of it stays near its last value, and its band widens with "
        "the distance.",
    ),
    Rule(
        "a level without memory",
        beyond,
        WIENER,
        "It may move either way, so the forecast of it stays near its last value, and its band widens with "
        "the distance.",
    ),
    Rule(
        "a trend that levels off",
        beyond,
        damped(3.0),
        "Its last slope carries on at first, less and less: within about 6 years the forecast of it levels "
        "off. New rises or falls cannot be told in advance, so its band widens with the distance.",
    ),
    Rule(
        "a trend whose slope changes slowly",
        beyond,
        damped(30.0),
        "Its last slope carries on and changes only slowly; how it changes cannot be told, so its band widens.",
    ),
    Rule(
        "a wandering slope",
        beyond,
        matern("32", 50.0),
        "Its last slope carries on at first; where it turns next cannot be told, so its band widens quickly.",
    ),
    Rule(
        "a rough curve that forgets",
        beyond,
        matern("12", 1.0),
        "Its last values fade out of the forecast over about 1 year. Beyond that, the forecast takes it as "
        "zero, give or take its usual ups and downs.",
    ),
    Rule("a line", beyond, lin(1940.0), "The line is assumed to go on rising by 8.39 per year.", {"mean": UP}),
    Rule(
        "a line that probably falls",
        beyond,
        lin(1940.0),
        "The line is assumed to go on straight; it probably falls, by 8.39 per year.",
        {"mean": DOWN, "slope_sd": 5.0},
    ),
    Rule(
        "a line without a direction",
        beyond,
        lin(1940.0),
        "The line is assumed to go on straight, in a direction that is uncertain.",
        {"mean": UP, "slope_sd": 9.0},
    ),
    Rule(
        "a polynomial",
        beyond,
        lin(1940.0, 1950.0),
        "The curve is assumed to go on by the same formula; such curves run away quickly, so distant "
        "forecasts deserve distrust.",
    ),
    Rule("an exact cycle", beyond, per(1.0), "The pattern is assumed to repeat exactly every year without end."),
    Rule(
        "a slowly changing cycle",
        beyond,
        se(8.0) * per(1.0),
        "The pattern is assumed to repeat every year; its shape changes so slowly (over about 8 years) that "
        "the next cycles should look like the last ones.",
    ),
    Rule(
        "a changing cycle",
        beyond,
        se(3.0) * per(1.0),
        "The pattern is assumed to repeat every year, but its shape goes on changing, so over about 3 years "
        "the forecast of it flattens towards zero: later cycles will come, but the model cannot tell in what "
        "shape, or how large.",
    ),
    Rule(
        "a rhythm",
        beyond,
        se(0.5) * per(1.0),
        "The rhythm is assumed to go on, but its shape goes on changing, so over about 6 months the forecast "
        "of it flattens towards zero: later cycles will come, but the model cannot tell exactly when, or how "
        "large.",
    ),
    Rule(
        "several cycles",
        beyond,
        per(1.0) * per(0.25),
        "The cycles are assumed to go on exactly as they are, without end.",
    ),
    Rule(
        "several changing cycles",
        beyond,
        se(3.0) * per(1.0) * per(0.25),
        "The pattern is assumed to go on with the same periods, but its shape goes on changing, so over about"
        " 3 years the forecast of it flattens towards zero: later cycles will come, but the model cannot tell"
        " in what shape, or how large.",
    ),
    Rule(
        "a line makes it grow",
        beyond,
        per(1.0) * lin(1940.0),
        "The pattern is assumed to come back every year in the same shape, without end. Its swings go on "
        "growing in a straight line.",
    ),
    Rule(
        "a line makes it shrink, then grow",
        beyond,
        WN * lin(1962.0),
        "The noise goes on, so single values stay uncertain, however good the rest of the forecast. Its size "
        "goes on shrinking until around January 1962 and then grows again.",
    ),
    Rule(
        "a line far away makes it shrink",
        beyond,
        se(2.0) * lin(1999.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as "
        "zero, give or take its usual ups and downs. Its swings go on shrinking in the same way.",
    ),
    Rule(
        "two lines",
        beyond,
        se(2.0) * lin(1940.0, 1942.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as "
        "zero, give or take its usual ups and downs. Its swings go on growing in the same way.",
    ),
    Rule(
        "lines on both sides",
        beyond,
        se(2.0) * lin(1940.0, 1955.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as "
        "zero, give or take its usual ups and downs. Its swings go on changing by the same formula.",
    ),
    Rule(
        "what has ended",
        beyond,
        until(se(2.0), 1955.0),
        "This part has ended before the end of the data (January 1955), so it adds nothing to the forecast.",
    ),
    Rule(
        "what will end",
        beyond,
        until(C, 1965.0),
        "The level is assumed to stay as it is. It ends around January 1965.",
    ),
    Rule(
        "what has not begun",
        beyond,
        since(C, 1965.0),
        "This part sets in only around January 1965; the data tell nothing about it.",
    ),
    Rule(
        "what is never there",
        beyond,
        until(since(C, 1957.0), 1953.0),
        "This part has ended before the end of the data, so it adds nothing to the forecast.",
    ),
)


@pytest.mark.parametrize("rule", PLACES + BEYOND, ids=lambda rule: rule.name)
def test_each_rule_makes_its_sentence(rule: Rule) -> None:
    assert rule.told(rule.kernel, **rule.given) == rule.text


CHANGE = ChangeSteepness(
    id="change", number=0.5, unit="axis", evidence="", location=1955.0, abrupt=False, openness=1.0, inside=True
)
SIZE = Amplitude(id="size", number=100.0, unit="target", evidence="", low=0.0, high=150.0, first=0.0, last=100.0)


def test_many_changes_of_one_length() -> None:
    changes = tuple(replace(CHANGE, location=1950.0 + 3.0 * k) for k in range(3))
    told = steepness_text(changes, units_on(YEARLY, YEARS))
    assert told == "; all three changes take about 6 months"
    with spoken_in("de"):
        assert steepness_text(changes[:2], units_on(YEARLY, YEARS)) == "; beide Wechsel dauern etwa 6 Monate"


def test_a_part_may_go_beyond_one_of_its_ends() -> None:
    facts, units = observed(lin(1940.0))
    head = head_of(facts)
    assert size_text(head, (head, SIZE), units) == (
        "Over the data its contribution to 'passengers' goes from 0 to 100, by way of 150 at the highest."
    )
    assert size_text(head, (head, replace(SIZE, low=-40.0, high=100.0)), units).endswith("by way of −40 at the lowest.")
