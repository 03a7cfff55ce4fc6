"""Golden sentences: where a part applies, how its swings grow, and what it does beyond the data."""

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
    long,
    observed,
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

from autostatistician.describe.axis.places import from_place_to
from autostatistician.describe.axis.units import units_of
from autostatistician.describe.facts.kinds import Pace
from autostatistician.describe.facts.part import (
    Amplitude,
    CombinedCycles,
    LinearTrend,
    Periodicity,
    SmoothVariation,
    Trend,
)
from autostatistician.describe.words.description import description, extrapolation
from autostatistician.describe.words.parts import head_of, statement
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
from autostatistician.kernels.kernel import Kernel, leaf


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
    slow = SmoothVariation(id="p", number=9.0, unit="1", evidence="e", pace=Pace.SLOW)
    falls = Trend(id="p", number=-3.0, unit="1", evidence="e", direction=-1, steady=True, probability=0.93)
    yield extrapolation((slow, falls), UNITS_OF_EXTRAPOLATION)


def tell_several_cycles_whose_shapes_change_slowly_go_on() -> Iterator[str]:
    year = Periodicity(id="p", number=1.0, unit="1", evidence="e", drift=30.0, steady=True, detail=0.5)
    both = CombinedCycles(id="p", number=1.0, unit="1", evidence="e", cycles=(year, replace(year, number=0.25)))
    yield extrapolation((both,), UNITS_OF_EXTRAPOLATION)


def tell_what_wanders_off_from_a_level_is_told_as_a_level() -> Iterator[str]:
    turning = 300.0 + 40.0 * np.sin(np.linspace(0.0, 6.0, 144))
    for kernel in (WIENER + C, damped(3.0) + C):
        facts, units = observed(kernel, mean=turning)
        yield statement(facts, units)
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
    yield from_place_to("January 1961", "May 1962")
    first = named_place("3", DEPTHS_OF_TIMES)
    yield from_place_to(first, "9")
