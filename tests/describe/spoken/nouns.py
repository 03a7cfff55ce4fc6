"""Golden sentences: what every leaf, product and change is called and how its course goes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import nan

import numpy as np
from tests.describe.factory import (
    BUSINESS,
    DAILY,
    DAYS,
    DEPTHS,
    HOURLY,
    PLAIN,
    YEARLY,
    YEARS,
    ZERO,
    beyond,
    long,
    observed,
    ran,
    short,
)

from autostatistician.describe.words.description import description
from autostatistician.describe.words.parts import head_of
from autostatistician.kernels.kernel import Kernel, leaf

C, WN = leaf("C", sd=5.0), leaf("WN", sd=3.0)
UP = np.linspace(0.0, 100.0, 144)
DOWN = UP[::-1].copy()


def se(length: float) -> Kernel:
    return leaf("SE", lengthscale=length, sd=10.0)


def rq(length: float) -> Kernel:
    return leaf("RQ", lengthscale=length, sd=10.0, alpha=0.5)


def per(period: float, smoothness: float = 0.7) -> Kernel:
    return leaf("Per", lengthscale=smoothness, period=period, sd=10.0)


def cos(period: float) -> Kernel:
    return leaf("Cos", period=period, sd=10.0)


def lin(*places: float) -> Kernel:
    return Kernel.product(tuple(leaf("Lin", sd=2.0, location=place) for place in places))


def until(kernel: Kernel, location: float, steepness: float = 4.0) -> Kernel:
    return Kernel.change_point(kernel, ZERO, location, steepness)


def since(kernel: Kernel, location: float, steepness: float = 4.0) -> Kernel:
    return Kernel.change_point(ZERO, kernel, location, steepness)


def within(kernel: Kernel, location: float, width: float, steepness: float = 40.0) -> Kernel:
    return Kernel.change_window(ZERO, kernel, location, steepness, width)


def around(kernel: Kernel, location: float, width: float, steepness: float = 40.0) -> Kernel:
    return Kernel.change_window(kernel, ZERO, location, steepness, width)


def matern(order: str, length: float) -> Kernel:
    return leaf(f"Matern{order}", lengthscale=length, sd=10.0)


WIENER = leaf("Wiener", sd=3.0, location=1949.0)


def damped(constant: float) -> Kernel:
    return leaf("IOU", lengthscale=constant, sd=2.0, location=1949.0)


SUMMARISED = (
    C,
    WN,
    matern("12", 30.0),
    matern("12", 30.0) * lin(1940.0),
    since(matern("12", 30.0), 1955.0),
    matern("12", 1.0),
    matern("32", 30.0),
    matern("32", 1.0),
    WIENER,
    WIENER * lin(1940.0),
    WIENER * se(20.0),
    WIENER * per(1.0),
    WIENER * WN,
    since(WIENER, 1955.0),
    damped(3.0),
    damped(1.6),
    damped(0.5),
    damped(3.9),
    damped(4.1),
    damped(300.0),
    damped(3.0) * lin(1940.0),
    damped(3.0) * per(1.0),
    damped(3.0) * WIENER,
    until(damped(3.0), 1955.0),
    matern("12", 30.0) * per(1.0),
    matern("12", 30.0) * WN,
    WN * lin(1940.0),
    WN * lin(1970.0),
    WN * lin(1955.0),
    WN * lin(1940.0, 1955.0),
    se(20.0),
    se(2.0),
    se(0.05),
    se(2.0) * lin(1940.0),
    se(2.0) * lin(1940.0, 1945.0),
    se(2.0) * lin(1970.0, 1975.0),
    se(2.0) * lin(1940.0, 1950.0, 1955.0, 1956.0, 1957.0, 1958.0),
    rq(2.0),
    rq(2.0) * lin(1940.0),
    lin(1940.0, 1950.0),
    lin(1940.0, 1950.0, 1955.0),
    lin(1.0, 2.0, 3.0, 4.0),
    lin(1.0, 2.0, 3.0, 4.0, 5.0),
    lin(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    per(1.0),
    per(1.0, 9.0),
    cos(1.0),
    per(8.0),
    se(100.0) * per(1.0),
    se(8.0) * per(1.0),
    se(3.0) * per(1.0),
    se(3.0) * cos(1.0),
    se(0.5) * per(1.0),
    rq(3.0) * per(1.0),
    rq(0.5) * per(1.0),
    per(1.0) * lin(1940.0),
    se(8.0) * per(1.0) * lin(1940.0),
    per(1.0) * per(0.25),
    per(0.25) * per(1.0) * cos(4.0),
    se(3.0) * per(1.0) * per(0.25) * lin(1940.0),
    until(C, 1955.4),
    since(C, 1955.4),
    within(C, 1955.0, 2.0),
    around(C, 1955.0, 2.0),
    within(C, 1955.46, 0.02),
    until(around(C, 1955.0, 2.0), 1959.0),
    since(C, 1970.0),
    until(C, 1970.0),
)


def tell_summaries() -> Iterator[str]:
    for kernel in SUMMARISED:
        yield short(kernel)


def tell_directions() -> Iterator[str]:
    for kernel, mean, sd in (
        (lin(1940.0), UP, 0.1),
        (lin(1940.0), DOWN, 0.1),
        (lin(1940.0), UP, 9.0),
        (lin(1940.0), UP, 5.0),
        (lin(1940.0), DOWN, 5.0),
        (lin(1940.0), 0 * UP, 0.0),
        (lin(1940.0), UP, nan),
        (se(20.0), UP, 0.1),
        (se(20.0), DOWN, 0.1),
        (se(20.0), DOWN, 9.0),
        (se(2.0), UP, 0.1),
        (rq(2.0), DOWN, 0.1),
    ):
        yield short(kernel, mean=mean, slope_sd=sd)


def tell_other_axes() -> Iterator[str]:
    yield short(per(2.0), PLAIN, DEPTHS)
    yield short(se(1.0) * lin(5.0), PLAIN, DEPTHS)
    yield short(per(7.01), DAILY, DAYS)
    yield short(per(18.0), DAILY, DAYS)
    yield short(se(700.0) * per(11.0), DAILY, DAYS)
    yield short(per(24.0), HOURLY, DAYS)
    yield short(per(5.0), BUSINESS, DAYS)
    yield short(around(C, 700.0, 5.0), HOURLY, DAYS)
    yield short(until(C, 700.0), HOURLY, DAYS)


def tell_descriptions() -> Iterator[str]:
    for kernel in (
        matern("12", 30.0) * lin(1940.0),
        matern("32", 1.0),
        C,
        WN,
        WN * lin(1940.0),
        se(20.0),
        se(2.0) * lin(1970.0),
        se(0.05),
        rq(2.0),
        lin(1940.0, 1950.0, 1955.0),
        cos(1.0),
        se(3.0) * per(1.0) * lin(1961.0),
        se(0.5) * per(1.0),
        per(1.0) * per(0.25),
        until(since(per(1.0), 1951.0), 1958.0, 100.0),
        within(WN, 1955.0, 1.0, 1.0),
        around(C, 1955.0, 1.0, 1.0),
        around(C, 1955.0, 2.0),
        since(se(2.0), 1970.0),
    ):
        yield long(kernel)


def tell_a_line_tells_its_slope_and_where_it_goes() -> Iterator[str]:
    yield long(lin(1940.0), mean=120 + 3.76 * UP, slope_sd=0.7)
    yield long(lin(1940.0), mean=DOWN, slope_sd=1.0)
    yield long(lin(1940.0), mean=UP, slope_sd=9.0)


def tell_a_certain_level_goes_without_a_range() -> Iterator[str]:
    yield long(C, mean=np.full(144, 1360.654), sd=np.full(144, 0.0001))


def tell_a_steady_trend_tells_its_average_slope() -> Iterator[str]:
    yield long(se(20.0), mean=DOWN)


def tell_extrapolations() -> Iterator[str]:
    for kernel in (
        matern("12", 30.0) * lin(1940.0),
        matern("32", 30.0),
        matern("12", 1.0),
        C,
        WN,
        se(20.0),
        se(2.0),
        rq(2.0),
        se(0.05),
        se(2.0) * lin(1940.0),
        se(2.0) * lin(1970.0),
        se(2.0) * lin(1940.0, 1955.0),
        lin(1940.0, 1950.0),
        per(1.0),
        per(1.0) * per(0.25),
        se(8.0) * per(1.0),
        se(3.0) * per(1.0),
        se(0.5) * per(1.0),
        WN * lin(1970.0),
        within(C, 1955.0, 2.0),
        around(C, 1955.0, 2.0),
        until(C, 1970.0),
        since(C, 1970.0),
    ):
        yield beyond(kernel)


def tell_lines_and_trends_go_on_in_their_direction() -> Iterator[str]:
    yield beyond(lin(1940.0), mean=UP)
    yield beyond(lin(1940.0), mean=DOWN)
    yield beyond(lin(1940.0), mean=UP, slope_sd=9.0)
    yield beyond(se(20.0), mean=UP)


def tell_a_cycle_that_is_seen_a_few_times_may_be_none() -> Iterator[str]:
    wave = per(3.4)
    yield short(wave, PLAIN, DEPTHS)
    yield long(wave, PLAIN, DEPTHS)
    yield beyond(wave, PLAIN, DEPTHS)


def tell_a_cycle_of_the_calendar_is_none_the_less() -> Iterator[str]:
    yield short(per(7.0), DAILY, DAYS[:20])


def tell_half_a_week_on_days_is_a_pattern_of_the_week() -> Iterator[str]:
    yield short(cos(2.5), BUSINESS, DAYS)
    yield short(per(2.5), BUSINESS, DAYS)
    yield long(per(3.5), DAILY, DAYS)
    yield long(per(0.2))
    yield short(per(0.5))
    yield short(per(12.0), HOURLY, DAYS)


def rule(name: str, told: Callable[..., str], kernel: Kernel, **given: object) -> str:
    """What is told of a kernel by a rule, after the name of that rule."""
    return f"{name}: {told(kernel, **given)}"


# Of monthly data from January 1949 to December 1960, where nothing else is given.
def tell_rules() -> Iterator[str]:
    yield rule("noise before all other factors", short, WN * se(3.0) * per(1.0))
    yield rule("noise with one line from within the data", long, WN * lin(1955.0))
    yield rule("noise with two lines", short, WN * lin(1940.0, 1942.0))
    yield rule("noise with many lines", short, WN * lin(1940.0, 1950.0, 1955.0, 1958.0))
    yield rule("constants in products only scale", short, C * se(2.0))
    yield rule("very smooth from half of the data", short, se(6.1))
    yield rule("smooth below half of the data", short, se(5.9))
    yield rule("rapid below a two-hundredth of the data", short, se(0.055))
    yield rule("very smooth and rising", short, se(20.0), mean=UP)
    yield rule("very smooth and falling", long, se(20.0), mean=DOWN)
    yield rule("very smooth and probably rising", short, se(20.0), mean=UP, slope_sd=5.0)
    yield rule("very smooth without a direction", short, se(20.0), mean=UP, slope_sd=9.0)
    yield rule("smooth and falling", short, se(2.0), mean=DOWN)
    yield rule("rapid and rising", short, se(0.05), mean=UP)
    yield rule("rising overall, not throughout", long, se(2.0), mean=UP + 20.0 * np.sin(np.arange(144.0)))
    yield rule("several smooth factors have one length", short, se(3.0) * se(4.0))
    yield rule("smooth with one line from within the data", short, se(2.0) * lin(1955.0))
    yield rule("smooth with two lines", short, se(2.0) * lin(1940.0, 1942.0))
    yield rule("a line rises", short, lin(1940.0), mean=UP)
    yield rule("a line falls", long, lin(1940.0), mean=DOWN, slope_sd=0.5)
    yield rule("a line probably rises", long, lin(1940.0), mean=UP, slope_sd=5.0)
    yield rule("a line without a direction is not said to fall", short, lin(1940.0), mean=0.0 * UP)
    yield rule("a curve that rises", short, lin(1940.0, 1941.0), mean=UP**2, joint=ran(rising=1.0))
    yield rule("a cycle by its period", short, per(10.8), axis=YEARLY, x=YEARS)
    yield rule("a cycle with a very smooth factor", short, se(20.0) * per(1.0))
    yield rule("a cycle that hardly repeats", long, se(0.67) * per(1.0))
    yield rule("a cycle that barely repeats", short, se(0.68) * per(1.0))
    yield rule("a cycle with a line and a smooth factor", short, se(8.0) * per(1.0) * lin(1970.0))
    yield rule("a cycle is like a wave from exp(2) on", short, per(1.0, 7.4))
    yield rule("a cycle with detail within", long, per(1.0, 7.3))
    yield rule("three cycles, the longest first", short, per(0.25) * cos(4.0) * per(1.0))
    yield rule("several cycles without a unit", short, per(1.0) * per(2.5) * cos(0.4), axis=PLAIN, x=DEPTHS)
    yield rule("several cycles with a smooth factor and a line", long, se(3.0) * per(1.0) * per(0.25) * lin(1940.0))
    yield from _rules_of_rough_curves()


def _rules_of_rough_curves() -> Iterator[str]:
    yield rule("several scales before one", long, rq(2.0) * se(1.0))
    yield rule("several scales and a cycle", long, rq(2.0) * per(1.0))
    yield rule("several scales, rising", short, rq(2.0), mean=UP)
    yield rule("a rough curve that remembers", long, matern("12", 50.0))
    yield rule("a level without memory", long, WIENER)
    yield rule("a trend that levels off", long, damped(3.0))
    yield rule("a damped trend that rises", short, damped(3.0), mean=UP)
    yield rule("a trend that hardly levels off", long, damped(300.0), mean=UP)
    yield rule("a rough curve that rises", short, matern("12", 50.0), mean=UP)
    yield rule("a rough curve with a line", short, matern("12", 50.0) * lin(1940.0))
    yield rule("sudden turns, remembered", short, matern("32", 50.0), mean=UP)
    yield rule("sudden turns, forgotten", short, matern("32", 1.0), mean=UP, slope_sd=5.0)
    yield rule("two rough factors are as rough as the rougher", short, matern("12", 5.0) * matern("32", 6.0))
    yield rule("a rough factor that lasts only roughens a smooth one", short, matern("12", 500.0) * se(5.0))
    yield rule("a rough factor and a cycle", short, matern("32", 5.0) * per(1.0))


def tell_the_direction_of_a_change_at_a_constant_rate_may_be_open() -> Iterator[str]:
    facts, units = observed(lin(1940.0))
    line = replace(head_of(facts), direction=0, number=0.01, interval=(-0.01, 0.03))
    yield description((line,), replace(units, level=100.0))


def tell_a_polynomial_of_odds() -> Iterator[str]:
    facts, units = observed(lin(1940.0) * lin(1950.0))
    yield description((head_of(facts),), replace(units, level=0.5, top=1.0))
