"""Golden sentences: where a part applies, how its swings grow, and what it does beyond the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.describe.factory import (
    DAILY,
    DAYS,
    DEPTHS,
    HOURLY,
    MONTHLY,
    MONTHS,
    PLAIN,
    YEARLY,
    YEARS,
    beyond,
    component,
    decomposition,
    long,
    observed,
    ran,
    short,
    units_on,
)
from tests.describe.spoken.nouns import (
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
    rule,
    se,
    since,
    until,
    within,
)

from autostatistician.decompose.series.components import legs
from autostatistician.describe.axis.places import told_span
from autostatistician.describe.axis.units import units_of
from autostatistician.describe.facts.kinds import Exactness, Growth
from autostatistician.describe.facts.part import (
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    CombinedCycles,
    LinearTrend,
    Periodicity,
    SmoothVariation,
    SwingGrowth,
    Trend,
    Way,
)
from autostatistician.describe.observe.series.parts import component_facts, units_for
from autostatistician.describe.tell import sentences
from autostatistician.describe.words.description import description
from autostatistician.describe.words.extents import size_text, steepness_text
from autostatistician.describe.words.extrapolation import extrapolation
from autostatistician.describe.words.growth import change_clause, change_text, grown_clause, grown_text, swings
from autostatistician.describe.words.nouns import head_of
from autostatistician.describe.words.ranges import (
    named_for,
    named_place,
    period_range,
    place_range,
    places_text,
    ratio_text,
    told_for,
    told_in,
)
from autostatistician.describe.words.runs import runs_text
from autostatistician.describe.words.statement import statement
from autostatistician.forms import Leg
from autostatistician.language.kernel import Kernel, leaf


# Of monthly data from January 1949 to December 1960, where nothing else is given.
def tell_places() -> Iterator[str]:
    yield rule("before a change", short, until(per(1.0), 1955.0))
    yield rule("after a change", short, since(per(1.0), 1955.0))
    yield rule("within a window", short, within(per(1.0), 1955.0, 2.0))
    yield rule("around a window", short, around(per(1.0), 1955.0, 2.0))
    yield rule("a change inside of a window", short, until(around(per(1.0), 1955.0, 2.0), 1959.0))
    yield rule("a window inside of a window", short, around(within(per(1.0), 1955.0, 8.0), 1955.0, 2.0))
    yield rule("nothing is left", short, until(since(per(1.0), 1957.0), 1953.0))
    yield rule("an abrupt change", long, since(C, 1955.0, 40.0))
    yield rule("a gradual change", long, since(C, 1955.0, 1.0))
    yield rule("changes of several lengths", long, until(around(C, 1955.0, 2.0), 1959.0))
    yield rule("a window that never opens", long, within(C, 1955.0, 1.0, 1.0))
    yield rule("lengths in years", short, se(1.0))
    yield rule("lengths in months", short, se(0.5))
    yield rule("lengths in weeks", short, se(0.1))
    yield rule("lengths in days", short, se(11.0), axis=DAILY, x=DAYS)
    yield rule("lengths in hours", short, se(30.0), axis=HOURLY, x=DAYS)
    yield rule("lengths without a unit", short, se(1.0), axis=PLAIN, x=DEPTHS)
    yield rule("places by the year in long series", short, until(C, 1700.5), axis=YEARLY, x=YEARS)
    yield rule("places by the month", short, until(C, 1952.2))
    yield rule("places by the day", short, until(C, 60.0), axis=DAILY, x=np.arange(300.0))
    yield rule("places by the hour", short, until(C, 30.5), axis=HOURLY, x=np.arange(60.0))
    yield rule("places on a plain axis", short, until(C, 2.5), axis=PLAIN, x=DEPTHS)
    yield rule("leap years count", short, until(C, 365.0 * 3 + 59), axis=DAILY, x=DAYS[:1400])


def tell_what_comes_beyond() -> Iterator[str]:
    yield rule("very smooth and rising", beyond, se(20.0), mean=UP)
    yield rule("very smooth and probably rising", beyond, se(20.0), mean=UP, slope_sd=5.0)
    yield rule("a wandering level", beyond, matern("12", 50.0))
    yield rule("a level without memory", beyond, WIENER)
    yield rule("a trend that levels off", beyond, damped(3.0))
    yield rule("a trend whose slope changes slowly", beyond, damped(30.0))
    yield rule("a wandering slope", beyond, matern("32", 50.0))
    yield rule("a line", beyond, lin(1940.0), mean=UP)
    yield rule("a line that probably falls", beyond, lin(1940.0), mean=DOWN, slope_sd=5.0)
    yield rule("a line without a direction", beyond, lin(1940.0), mean=UP, slope_sd=9.0)
    yield rule("several changing cycles", beyond, se(3.0) * per(1.0) * per(0.25))
    yield rule("a line makes it grow", beyond, per(1.0) * lin(1940.0))
    yield rule("a line makes it shrink, then grow", beyond, WN * lin(1962.0))
    yield rule("a line far away makes it shrink", beyond, se(2.0) * lin(1999.0))
    yield rule("two lines", beyond, se(2.0) * lin(1940.0, 1942.0))
    yield rule("what has ended", beyond, until(se(2.0), 1955.0))
    yield rule("what will end", beyond, until(C, 1965.0))
    yield rule("what has not begun", beyond, since(C, 1965.0))
    yield rule("what is never there", beyond, until(since(C, 1957.0), 1953.0))


CHANGE = ChangeSteepness(
    id="change", number=0.5, unit="axis", evidence="", location=1955.0, abrupt=False, openness=1.0, inside=True
)
SIZE = Amplitude(id="size", number=100.0, unit="target", evidence="", low=0.0, high=150.0, first=0.0, last=100.0)


def tell_many_changes_of_one_length() -> Iterator[str]:
    changes = tuple(replace(CHANGE, location=1950.0 + 3.0 * k) for k in range(3))
    yield steepness_text(changes, units_on(YEARLY, YEARS))
    yield steepness_text(changes[:2], units_on(YEARLY, YEARS))


def tell_a_part_may_go_beyond_one_of_its_ends() -> Iterator[str]:
    facts, units = observed(lin(1940.0))
    head = head_of(facts)
    yield size_text(head, (head, SIZE), units)
    yield size_text(head, (head, replace(SIZE, low=-40.0, high=100.0)), units)


UNITS = units_on(MONTHLY, MONTHS)
CYCLE, STEPS, NOISE = (head_of(observed(kernel)[0]) for kernel in (per(1.0), WIENER, WN))
CHANGE_OF_GROWTH = AmplitudeChange(
    id="change", number=2.5, unit="1", interval=(2.0, 3.0), evidence="", probability=0.99, kind=Growth.GROWS, degree=1,
    location=None,
)  # fmt: skip
SHRUNK = SwingGrowth(id="growth", number=0.5, unit="1", interval=(0.4, 0.6), evidence="")


def tell_what_grows() -> Iterator[str]:
    yield from [swings(head) for head in (CYCLE, STEPS, NOISE)]


def tell_clauses_grow_more_careful() -> Iterator[str]:
    changes = [replace(CHANGE_OF_GROWTH, probability=probability) for probability in (0.99, 0.93, 0.7)]
    yield from (change_clause(change, CYCLE, UNITS) for change in changes)


def tell_ends_are_compared_in_a_sentence() -> Iterator[str]:
    yield change_text(CHANGE_OF_GROWTH, CYCLE, UNITS)
    fading = replace(CHANGE_OF_GROWTH, kind=Growth.SHRINKS, number=0.001, degree=2)
    yield change_text(fading, NOISE, UNITS)
    doubtful = replace(CHANGE_OF_GROWTH, number=1.2, probability=0.7)
    yield change_text(doubtful, NOISE, UNITS)


def tell_swings_that_came_out_smaller() -> Iterator[str]:
    yield grown_clause(SHRUNK, 1.25, UNITS)
    yield grown_clause(replace(SHRUNK, interval=(0.4, 1.1)), 1.25, UNITS)
    yield grown_text(SHRUNK, limited=True)
    yield grown_text(None, limited=False)


def tell_what_began_as_nothing() -> Iterator[str]:
    yield change_text(replace(CHANGE_OF_GROWTH, number=80.0), NOISE, UNITS)


def tell_swings_that_came_out_smaller_along_numbers() -> Iterator[str]:
    yield grown_clause(SHRUNK, 1.25, units_on(PLAIN, DEPTHS))


UNITS_OF_EXTRAPOLATION = replace(units_on(MONTHLY, MONTHS), level=None)


def tell_parts_go_on_as_their_kind_does() -> Iterator[str]:
    for given in (C, WN, per(1.0), matern(32, 50.0), se(3.0)):
        yield beyond(given)


def tell_parts_that_do_not_act_at_the_end_add_nothing() -> Iterator[str]:
    for kernel in (until(C, 1955.0), since(C, 1990.0)):
        yield beyond(kernel)


def tell_what_is_probable_only_is_said_to_be() -> Iterator[str]:
    line = LinearTrend(id="p", number=8.0, unit="1", evidence="e", direction=1, probability=0.93)
    yield extrapolation((line,), UNITS_OF_EXTRAPOLATION)
    slow = SmoothVariation(id="p", number=9.0, unit="1", evidence="e", slow=True)
    falls = Trend(id="p", number=-3.0, unit="1", evidence="e", direction=-1, steady=True, share=1.0, probability=0.93)
    yield extrapolation((slow, falls), UNITS_OF_EXTRAPOLATION)


def tell_several_cycles_whose_shapes_change_slowly_go_on() -> Iterator[str]:
    year = Periodicity(
        id="p",
        number=1.0,
        unit="1",
        evidence="e",
        exactness=Exactness.APPROXIMATE,
        drift=30.0,
        steady=True,
        several_scales=False,
        detail=0.5,
    )
    both = CombinedCycles(id="p", number=1.0, unit="1", evidence="e", cycles=(year, replace(year, number=0.25)))
    yield extrapolation((both,), UNITS_OF_EXTRAPOLATION)


def tell_what_wanders_off_from_a_level_is_told_as_a_level() -> Iterator[str]:
    turning = 300.0 + 40.0 * np.sin(np.linspace(0.0, 6.0, 144))
    for kernel in (WIENER + C, damped(3.0) + C):
        facts, units = observed(kernel, mean=turning)
        yield statement(facts, units)
        yield size_text(head_of(facts), facts, units)
    facts, units = observed(WIENER, mean=turning)
    yield statement(facts, units)


def tell_a_level_and_a_line_are_one_sentence() -> Iterator[str]:
    facts, units = observed(lin(1940.0) + C, mean=UP + 300.0)
    yield statement(facts, units)
    facts, units = observed(lin(1940.0) * lin(1950.0) + C, mean=UP + 300.0)
    yield statement(facts, units)
    level = 300.0 + 0.01 * np.sin(np.linspace(0.0, 6.0, 144))
    facts, units = observed(lin(1940.0) + C, mean=level)
    yield statement(facts, units)


def tell_a_level_that_steps_is_told_level_by_level() -> Iterator[str]:
    kernel = C + since(C, 1955.04, 400.0)
    facts, units = observed(kernel, mean=np.where(MONTHS < 1955.04, 200.0, 300.0))
    yield statement(facts, units)
    yield description(facts, units)
    facts, units = observed(kernel, mean=np.where(MONTHS < 1955.04, 200.0, 200.1))
    yield statement(facts, units)


def tell_a_line_that_falls_from_a_level_and_one_that_ends_where_it_began() -> Iterator[str]:
    facts, units = observed(lin(1940.0), mean=UP[::-1])
    head = head_of(facts)
    size = Amplitude(
        id="size",
        number=100.0,
        unit="target",
        evidence="",
        low=300.0,
        high=400.0,
        first=400.0,
        last=300.0,
        is_level=True,
    )
    yield statement((head, size), units)
    yield statement((head, size), replace(units, level=50.0))
    yield statement((head, size), replace(units, open_scale=True))
    facts, units = observed(damped(3.0), mean=UP)
    same = replace(size, low=0.0, high=0.1, first=0.1, last=0.1, is_level=False)
    facts = tuple(same if isinstance(fact, Amplitude) else fact for fact in facts)
    yield statement(facts, replace(units, level=50.0))


def known(kernel: Kernel, **spread: float) -> np.ndarray:
    """Even draws of the numbers of a kernel: those named by their place differ by up to the given amount."""
    draws = np.tile(kernel.values, (201, 1))
    for place, width in spread.items():
        draws[:, int(place[1:])] += np.linspace(-width, width, 201)
    return draws


def tell_periods() -> Iterator[str]:
    for axis, x, period, interval in (
        (YEARLY, YEARS, 10.8, (10.53, 11.12)),
        (DAILY, DAYS, 18.0, (17.2, 18.9)),
        (DAILY, DAYS, 7.0, (6.9, 7.1)),
        (PLAIN, DEPTHS, 2.5, (2.4, 2.61)),
        (PLAIN, DEPTHS, 1.0, (0.99, 1.01)),
        (YEARLY, YEARS, 10.8, (10.8, 10.8)),
        (YEARLY, YEARS, 10.8, None),
    ):
        yield period_range(period, interval, units_of(axis, x, x, "y"))


def tell_places_and_ratios() -> Iterator[str]:
    units = units_of(MONTHLY, MONTHS, MONTHS, "y")
    yield place_range((1951.0, 1952.5), units)
    yield place_range((1951.0, 1951.01), units)
    yield place_range(None, units)
    yield ratio_text(1.94, (1.65, 2.34))
    yield ratio_text(4.4, (3.31, 7.7))
    yield ratio_text(30.0, (20.0, 49.0))
    yield ratio_text(4.4, None)


def tell_places_of_changes_have_a_range() -> Iterator[str]:
    for steepness, width in ((2.0, 1.0), (90.0, 0.1), (90.0, 0.001)):
        kernel = Kernel.change_point(leaf("C", sd=1.0), leaf("0"), 1955.01, steepness)
        yield long(kernel, numbers=known(kernel, _0=width))


def tell_a_change_between_two_rows_applies_until_the_one_and_from_the_other() -> Iterator[str]:
    kernel = Kernel.change_point(leaf("C", sd=7.0), leaf("0"), 1955.53, 90.0)
    yield long(kernel)
    after = Kernel.change_point(leaf("0"), leaf("C", sd=7.0), 1955.53, 90.0)
    yield long(after)


def tell_days_share_one_preposition() -> Iterator[str]:
    days = units_on(DAILY, np.arange(300.0))
    yield places_text((0.0, 59.0), days)


TIMES, DEPTHS_OF_TIMES = units_on(MONTHLY, MONTHS), units_on(PLAIN, MONTHS)


def tell_numbers_are_told_for_a_time_or_a_place_on_an_axis_with_its_name() -> Iterator[str]:
    yield told_for(1961.0, TIMES)
    yield told_in(1961.0, TIMES)
    yield named_for(1961.0, TIMES)
    yield named_for(1961.0, DEPTHS_OF_TIMES)


def tell_a_stretch_goes_from_one_place_to_another() -> Iterator[str]:
    yield told_span("January 1961", "May 1962", TIMES)
    first = named_place("3", DEPTHS_OF_TIMES)
    yield told_span(first, "9", DEPTHS_OF_TIMES)


YEARS_OF_RUNS = 1950.0 + np.arange(60)
SURE = 1e-4 * np.eye(60)
SMOOTH = leaf("SE", lengthscale=8.0, sd=30.0)
SLOW = leaf("SE", lengthscale=40.0, sd=30.0)
WANDERING = leaf("Matern12", lengthscale=900.0, sd=30.0)
PEAK = np.where(YEARS_OF_RUNS < 1981, 2.2 * (YEARS_OF_RUNS - 1950), 68.2 - 1.6 * (YEARS_OF_RUNS - 1981))
TROUGH = 100.0 - 1.0 * (YEARS_OF_RUNS - 1950) - 60.0 * np.exp(-0.5 * ((YEARS_OF_RUNS - 1976) / 4.0) ** 2)


def both_texts(kernel: Kernel, mean: np.ndarray, cov: np.ndarray = SURE) -> tuple[str, str]:
    joint = replace(ran(falling=float(np.all(np.diff(mean) < 0))), legs=legs(YEARS_OF_RUNS, mean, cov))
    part = component(kernel, YEARS_OF_RUNS, mean, joint=joint)
    found = decomposition((part,), YEARS_OF_RUNS, mean + 0.1 * np.cos(7.0 * YEARS_OF_RUNS), YEARLY, target="y")
    return sentences(found)[0], description(component_facts(found.components[0], found), units_for(found))


def tell_a_trend_that_has_fallen_for_decades_is_not_rising() -> Iterator[str]:
    for kernel in (SMOOTH, SLOW, WANDERING):
        short, long = both_texts(kernel, PEAK)
        yield short
        yield long


def tell_a_fall_does_not_hide_a_trough() -> Iterator[str]:
    short, long = both_texts(WANDERING, TROUGH)
    yield short
    yield long


def tell_an_even_rise_has_no_time_when_it_moved_most() -> Iterator[str]:
    yield both_texts(WANDERING, 3.0 * (YEARS_OF_RUNS - 1950))[1]


def tell_small_turns_leave_the_direction_and_are_told() -> Iterator[str]:
    mean = 3.0 * (YEARS_OF_RUNS - 1950) - 42.0 * np.exp(-0.5 * ((YEARS_OF_RUNS - 1976) / 2.0) ** 2)
    short, long = both_texts(WANDERING, mean)
    yield short
    yield long


def tell_many_turns_are_told_by_the_largest() -> Iterator[str]:
    mean = 20.0 * np.sin(2.0 * np.pi * (YEARS_OF_RUNS - 1950) / 12.0) + 0.3 * (YEARS_OF_RUNS - 1950)
    short, long = both_texts(SMOOTH, mean)
    yield short
    yield long


def tell_a_rise_within_one_year_has_one_date() -> Iterator[str]:
    changes = (1.0, -1.0, 9.0, -8.0, 1.0)
    starts = 1980.0 + 0.05 * np.arange(5)
    runs = tuple(
        (
            Leg(start, start + 0.05, 0.0, by, (start, start + 0.05), by)
            for start, by in zip(starts, changes, strict=True)
        )
    )
    rise, fall = (Way(starts[row], starts[row] + 0.05, changes[row]) for row in (2, 3))
    trend = Trend(
        id="t",
        number=1.0,
        unit="1",
        evidence="e",
        direction=0,
        steady=False,
        share=0.0,
        legs=runs,
        highest_at=rise.stop,
        lowest_at=starts[0],
        rise=rise,
        fall=fall,
    )
    yield runs_text(trend, units_on(YEARLY, YEARS_OF_RUNS))


def tell_the_largest_fall_is_from_high_to_low_whatever_is_in_between() -> Iterator[str]:
    x = YEARS_OF_RUNS - 1950
    mean = np.interp(
        x, [0, 12, 17, 20, 21, 25, 38, 50, 59], [16.0, -66.0, 36.0, -30.0, -15.0, -76.0, 56.0, -40.0, -5.0]
    )
    cov = np.diag(np.where(x > 48, 900.0, 0.0001))
    yield both_texts(SMOOTH, mean, cov)[1]


def tell_a_curve_that_last_rose() -> Iterator[str]:
    rise = np.where(YEARS_OF_RUNS < 1971, 100.0 - 4.0 * (YEARS_OF_RUNS - 1950), 16.0)
    rise = rise + 90.0 / (1.0 + np.exp(-1.5 * (YEARS_OF_RUNS - 1990.0)))
    short, long = both_texts(WANDERING, rise)
    yield short
    yield long
