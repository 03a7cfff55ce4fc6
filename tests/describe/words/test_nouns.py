"""Golden sentences: what is said of every leaf, product and change, word for word."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from tests.describe.factory import BUSINESS, DAILY, DAYS, DEPTHS, HOURLY, PLAIN, ZERO, beyond, long, short

from autostatistician.language.kernel import Kernel, leaf

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


SUMMARIES = [
    (C, "A constant level of 0.6."),
    (WN, "Random noise."),
    (matern("12", 30.0), "A wandering level."),
    (matern("12", 30.0) * lin(1940.0), "A wandering level whose steps grow steadily."),
    (since(matern("12", 30.0), 1955.0), "A wandering level, which applies from January 1955 onwards."),
    (matern("12", 1.0), "An irregular, jumpy variation."),
    (matern("32", 30.0), "A trend with a wandering slope."),
    (matern("32", 1.0), "An irregular variation with sudden turns."),
    (WIENER, "A wandering level."),
    (WIENER * lin(1940.0), "A wandering level whose steps grow steadily."),
    (WIENER * se(20.0), "A wandering level."),
    (WIENER * per(1.0), "A yearly cycle whose shape changes slowly."),
    (WIENER * WN, "Random noise."),
    (since(WIENER, 1955.0), "A wandering level, which applies from January 1955 onwards."),
    (damped(3.0), "A trend that levels off within about 6 years."),
    (damped(1.6), "A trend that levels off within about 3 years."),
    (damped(0.5), "A trend that levels off within about 1 year."),
    (damped(3.9), "A trend that levels off within about 8 years."),
    (damped(4.1), "A trend whose slope changes slowly."),
    (damped(300.0), "A trend whose slope changes slowly."),
    (damped(3.0) * lin(1940.0), "A trend that levels off within about 6 years and whose swings grow steadily."),
    (damped(3.0) * per(1.0), "A yearly cycle whose shape changes slowly."),
    (damped(3.0) * WIENER, "A wandering level."),
    (until(damped(3.0), 1955.0), "A trend that levels off within about 6 years, which applies until January 1955."),
    (matern("12", 30.0) * per(1.0), "A yearly cycle whose shape changes slowly."),
    (matern("12", 30.0) * WN, "Random noise."),
    (WN * lin(1940.0), "Random noise whose size grows steadily."),
    (WN * lin(1970.0), "Random noise whose size shrinks steadily."),
    (WN * lin(1955.0), "Random noise whose size is smallest around January 1955 and grows on both sides of it."),
    (WN * lin(1940.0, 1955.0), "Random noise whose size is smallest around January 1955."),
    (se(20.0), "A slow, smooth trend."),
    (se(2.0), "A smooth, irregular variation that changes course within about 2 years."),
    (se(0.05), "A rapid, irregular variation that is scatter from one value to the next."),
    (
        se(2.0) * lin(1940.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings grow steadily.",
    ),
    (
        se(2.0) * lin(1940.0, 1945.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings grow faster and "
        "faster.",
    ),
    (
        se(2.0) * lin(1970.0, 1975.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings shrink more and "
        "more slowly.",
    ),
    (
        se(2.0) * lin(1940.0, 1950.0, 1955.0, 1956.0, 1957.0, 1958.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings change over time.",
    ),
    (
        rq(2.0),
        "An irregular variation with slow and quick changes at once that typically changes course within about 2 "
        "years.",
    ),
    (
        rq(2.0) * lin(1940.0),
        "An irregular variation with slow and quick changes at once that typically changes course within about 2 "
        "years and whose swings grow steadily.",
    ),
    (lin(1940.0, 1950.0), "A curved trend with at most one turn."),
    (lin(1940.0, 1950.0, 1955.0), "A curved trend with at most two turns."),
    (lin(1.0, 2.0, 3.0, 4.0), "A curved trend with at most three turns."),
    (lin(1.0, 2.0, 3.0, 4.0, 5.0), "A curved trend with at most four turns."),
    (lin(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), "A curved trend with at most five turns."),
    (per(1.0), "A yearly cycle that repeats exactly."),
    (per(1.0, 9.0), "A yearly sinusoidal wave that repeats exactly."),
    (cos(1.0), "A yearly sinusoidal wave that repeats exactly."),
    (per(8.0), "An 8-year cycle that is seen only about 1.5 times and may be no cycle at all."),
    (se(100.0) * per(1.0), "A yearly cycle whose shape hardly changes."),
    (se(8.0) * per(1.0), "A yearly cycle whose shape changes slowly."),
    (se(3.0) * per(1.0), "A yearly cycle whose shape changes over about 3 years."),
    (se(3.0) * cos(1.0), "A yearly sinusoidal wave whose shape changes over about 3 years."),
    (se(0.5) * per(1.0), "A rough rhythm, about every year, whose shape hardly repeats."),
    (rq(3.0) * per(1.0), "A yearly cycle whose shape changes over about 3 years, by slow and quick changes at once."),
    (rq(0.5) * per(1.0), "A rough rhythm, about every year, whose shape hardly repeats."),
    (per(1.0) * lin(1940.0), "A yearly cycle whose shape stays the same and whose swings grow steadily."),
    (se(8.0) * per(1.0) * lin(1940.0), "A yearly cycle whose shape changes slowly and whose swings grow steadily."),
    (per(1.0) * per(0.25), "The product of a yearly cycle and a quarterly cycle."),
    (
        per(0.25) * per(1.0) * cos(4.0),
        "The product of a 4-year sinusoidal wave, a yearly cycle, and a quarterly cycle.",
    ),
    (
        se(3.0) * per(1.0) * per(0.25) * lin(1940.0),
        "The product of a yearly cycle and a quarterly cycle, whose shape changes over about 3 years and whose "
        "swings grow steadily.",
    ),
    (until(C, 1955.4), "A constant level of 6.9, which applies until May 1955."),
    (since(C, 1955.4), "A constant level of −7.6, which applies from June 1955 onwards."),
    (within(C, 1955.0, 2.0), "A constant level of 1.2, which applies from January 1954 until January 1956."),
    (around(C, 1955.0, 2.0), "A constant level of 0, which applies until January 1954 and from January 1956 onwards."),
    (within(C, 1955.46, 0.02), "A constant level of −1.3, which applies around June 1955."),
    (
        until(around(C, 1955.0, 2.0), 1959.0),
        "A constant level of 4.6, which applies until January 1954 and from January 1956 until January 1959.",
    ),
    (since(C, 1970.0), "A constant level of 0.6, which applies only outside of the data."),
    (until(C, 1970.0), "A constant level of 0.6."),
]


@pytest.mark.parametrize(("kernel", "text"), SUMMARIES, ids=[text for _, text in SUMMARIES])
def test_summaries(kernel: Kernel, text: str) -> None:
    assert short(kernel) == text


@pytest.mark.parametrize(
    ("kernel", "mean", "sd", "text"),
    [
        (lin(1940.0), UP, 0.1, "A linearly increasing trend."),
        (lin(1940.0), DOWN, 0.1, "A linearly decreasing trend."),
        (lin(1940.0), UP, 9.0, "A straight line whose direction is uncertain."),
        (lin(1940.0), UP, 5.0, "A straight line that probably rises."),
        (lin(1940.0), DOWN, 5.0, "A straight line that probably falls."),
        (lin(1940.0), 0 * UP, 0.0, "A straight line whose direction is uncertain."),
        (lin(1940.0), UP, nan, "A straight line whose direction is uncertain."),
        (se(20.0), UP, 0.1, "A slow, steadily rising trend."),
        (se(20.0), DOWN, 0.1, "A slow, steadily falling trend."),
        (se(20.0), DOWN, 9.0, "A slow, smooth trend."),
        (se(2.0), UP, 0.1, "A smooth, steadily rising curve."),
        (
            rq(2.0),
            DOWN,
            0.1,
            "A steadily falling variation with slow and quick changes at once.",
        ),
    ],
)
def test_directions(kernel: Kernel, mean: np.ndarray, sd: float, text: str) -> None:
    assert short(kernel, mean=mean, slope_sd=sd) == text


def test_other_axes() -> None:
    assert short(per(2.0), PLAIN, DEPTHS) == "A cycle with a period of 2 units of 'depth' that repeats exactly."
    assert short(se(1.0) * lin(5.0), PLAIN, DEPTHS) == (
        "A smooth, irregular variation that changes course within about 1 unit of 'depth' "
        "and whose swings are smallest around 'depth' = 5 and grow on both sides of it."
    )
    assert short(per(7.01), DAILY, DAYS) == "A weekly cycle that repeats exactly."
    assert short(per(18.0), DAILY, DAYS) == "An 18-day cycle that repeats exactly."
    assert short(se(700.0) * per(11.0), DAILY, DAYS) == "An 11-day cycle whose shape changes over about 1.9 years."
    assert short(per(24.0), HOURLY, DAYS) == "A daily cycle that repeats exactly."
    assert short(per(5.0), BUSINESS, DAYS) == "A weekly cycle that repeats exactly."
    assert (
        short(around(C, 700.0, 5.0), HOURLY, DAYS)
        == "A constant level of 0.6, which applies except around 30 January 2001."
    )
    assert short(until(C, 700.0), HOURLY, DAYS) == "A constant level of 7.6, which applies until 30 January 2001."


DESCRIPTIONS = [
    (
        matern("12", 30.0) * lin(1940.0),
        "This part wanders: its level may change at any time, and nothing pulls it back. Over the data it adds "
        "between −10 and 10 to 'passengers'. The steps grow in a straight line over time: at the end they are 2.3 "
        "times as large as at the start.",
    ),
    (
        matern("32", 1.0),
        "This part is an irregular curve: its slope may change at any time, and what it did is forgotten after "
        "about 1 year. Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    (
        C,
        "This part is a constant: it adds 0.6 (95% range: −1.4 to 2.6) to every value of 'passengers'.",
    ),
    (
        WN,
        "This part is random scatter: it differs from one observation to the next and follows no pattern. Of the "
        "values of 'passengers', 95% lie within ±5.9 of the rest of the model, and about two thirds within ±3.",
    ),
    (
        WN * lin(1940.0),
        "This part is random scatter: it differs from one observation to the next and follows no pattern. Of the "
        "values of 'passengers', 95% lie within ±130 of the rest of the model in the first third of the data, and "
        "within ±220 in the last. Its size grows in a straight line over time: in the last third it is 66% larger "
        "than in the first.",
    ),
    (
        se(20.0),
        "This part is a very smooth curve without a formula: it takes longer than the data last to change its "
        "course. Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    (
        se(2.0) * lin(1970.0),
        "This part is a smooth curve that neither repeats nor follows a formula; where it heads at one moment "
        "tells little about where it heads 2 years later. Over the data it adds between −10 and 10 to "
        "'passengers'. The swings shrink in a straight line over time: at the end they are 57% smaller than at the"
        " start.",
    ),
    (
        se(0.05),
        "This part is scatter: it changes from one value to the next, as noise does, and follows no pattern. Over the "
        "data it adds between −10 and 10 to 'passengers'.",
    ),
    (
        rq(2.0),
        "This part is a curve that varies on several scales at once, with slow changes and quick ones; typical "
        "changes take about 2 years. Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    (
        lin(1940.0, 1950.0, 1955.0),
        "This part is a curve with at most two turns (a polynomial of degree 3). Over the data it adds between −10"
        " and 10 to 'passengers'.",
    ),
    (
        cos(1.0),
        "This part is a pattern that repeats exactly every year. Within each cycle it rises and falls once, like "
        "a pure wave (a sinusoid). Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    (
        se(3.0) * per(1.0) * lin(1961.0),
        "This part is a pattern that repeats every year, but not exactly: its shape changes over about 3 years, "
        "so cycles close to each other look alike and distant ones may differ. Within each cycle it changes "
        "course within about 5.8 weeks. Over the data it adds between −10 and 10 to 'passengers'. The swings "
        "shrink in a straight line over time: in the end they are almost nothing.",
    ),
    (
        se(0.5) * per(1.0),
        "This part rises and falls about once every year, but so irregularly (it changes over about 6 months) "
        "that one cycle tells little about the next. Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    (
        per(1.0) * per(0.25),
        "This part is the product of a yearly cycle and a quarterly cycle: each scales the swings of the others. "
        "The pattern is exact: the same cycles go on through all of the data. Over the data it adds between −10 "
        "and 10 to 'passengers'.",
    ),
    (
        until(since(per(1.0), 1951.0), 1958.0, 100.0),
        "This part is a pattern that repeats exactly every year. Within each cycle it changes course within about "
        "5.8 weeks. Where it applies it adds between −10 and 10 to 'passengers'. It applies from January 1951 "
        "until January 1958; the change around January 1951 takes about 6.6 months and the change around January "
        "1958 is abrupt.",
    ),
    (
        within(WN, 1955.0, 1.0, 1.0),
        "This part is random scatter: it differs from one observation to the next and follows no pattern. Of the "
        "values of 'passengers', 95% lie within ±5.9 of the rest of the model, and about two thirds within ±3.5. "
        "It applies from July 1954 until July 1955; both changes take about 2.2 years, and even at its height it "
        "has only 53.4% of its full size.",
    ),
    (
        around(C, 1955.0, 1.0, 1.0),
        "This part is a constant: it adds 0 (95% range: −2 to 2) to the values of 'passengers' where it applies. "
        "It applies until July 1954 and from July 1955 onwards; both changes take about 2.2 years, and even in "
        "between 46.6% of its size remains.",
    ),
    (
        around(C, 1955.0, 2.0),
        "This part is a constant: it adds 0 (95% range: −2 to 2) to the values of 'passengers' where it applies. "
        "It applies until January 1954 and from January 1956 onwards; both changes are abrupt, within one step of"
        " the data.",
    ),
    (
        since(se(2.0), 1970.0),
        "This part is a smooth curve that neither repeats nor follows a formula; where it heads at one moment "
        "tells little about where it heads 2 years later. It applies only outside of the data.",
    ),
]


@pytest.mark.parametrize(("kernel", "text"), DESCRIPTIONS)
def test_descriptions(kernel: Kernel, text: str) -> None:
    assert long(kernel) == text


def test_a_line_tells_its_slope_and_where_it_goes() -> None:
    assert long(lin(1940.0), mean=120 + 3.76 * UP, slope_sd=0.7) == (
        "This part is a straight line that rises by 31.6 per year (95% range: 30.2 to 32.9). "
        "Over the data its contribution to 'passengers' goes from 120 to 496."
    )
    assert "falls by 8.4 per year (95% range: 6.4 to 10.4)" in long(lin(1940.0), mean=DOWN, slope_sd=1.0)
    assert "whose direction the data leave open: it changes by 8 per year" in long(lin(1940.0), mean=UP, slope_sd=9.0)


def test_a_certain_level_goes_without_a_range() -> None:
    assert long(C, mean=np.full(144, 1360.654), sd=np.full(144, 1e-4)) == (
        "This part is a constant: it adds 1,360.7 to every value of 'passengers'."
    )


def test_a_steady_trend_tells_its_average_slope() -> None:
    assert long(se(20.0), mean=DOWN) == (
        "This part is a very smooth curve without a formula: it takes longer than the data last to change its course. "
        "Within the data it falls all the time, on average by 8.39 per year. "
        "Over the data its contribution to 'passengers' goes from 100 to 0."
    )


EXTRAPOLATIONS = [
    (
        matern("12", 30.0) * lin(1940.0),
        "It may move either way, so the forecast of it stays near its last value, and its band widens with the "
        "distance. Its steps go on growing in a straight line.",
    ),
    (
        matern("32", 30.0),
        "Its last slope carries on at first; where it turns next cannot be told, so its band widens quickly.",
    ),
    (
        matern("12", 1.0),
        "Its last values fade out of the forecast over about 1 year. Beyond that, the forecast takes it as zero, "
        "give or take its usual ups and downs.",
    ),
    (C, "The level is assumed to stay as it is."),
    (
        WN,
        "The noise goes on, so single values stay uncertain, however good the rest of the forecast.",
    ),
    (
        se(20.0),
        "The trend continues smoothly. Its band widens, and far beyond the data (over more than 20 years) the "
        "forecast of it returns to zero.",
    ),
    (
        se(2.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as zero, "
        "give or take its usual ups and downs.",
    ),
    (
        rq(2.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as zero, "
        "give or take its usual ups and downs.",
    ),
    (
        se(0.05),
        "The data determine its course no further than they reach. Beyond that, the forecast takes it as zero, "
        "give or take its usual ups and downs.",
    ),
    (
        se(2.0) * lin(1940.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as zero, "
        "give or take its usual ups and downs. Its swings go on growing in a straight line.",
    ),
    (
        se(2.0) * lin(1970.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as zero, "
        "give or take its usual ups and downs. Its swings go on shrinking until around January 1970 and then grow "
        "again.",
    ),
    (
        se(2.0) * lin(1940.0, 1955.0),
        "The data determine its course for roughly another 2 years. Beyond that, the forecast takes it as zero, "
        "give or take its usual ups and downs. Its swings go on changing by the same formula.",
    ),
    (
        lin(1940.0, 1950.0),
        "The curve is assumed to go on by the same formula; such curves run away quickly, so distant forecasts "
        "deserve distrust.",
    ),
    (per(1.0), "The pattern is assumed to repeat exactly every year without end."),
    (per(1.0) * per(0.25), "The cycles are assumed to go on exactly as they are, without end."),
    (
        se(8.0) * per(1.0),
        "The pattern is assumed to repeat every year; its shape changes so slowly (over about 8 years) "
        "that the next cycles "
        "should look like the last ones.",
    ),
    (
        se(3.0) * per(1.0),
        "The pattern is assumed to repeat every year, but its shape goes on changing, so over about 3 years the "
        "forecast of it flattens towards zero: later cycles will come, but the model cannot tell in what shape, or "
        "how large.",
    ),
    (
        se(0.5) * per(1.0),
        "The rhythm is assumed to go on, but its shape goes on changing, so over about 6 months the forecast of it"
        " flattens towards zero: later cycles will come, but the model cannot tell exactly when, or how large.",
    ),
    (
        WN * lin(1970.0),
        "The noise goes on, so single values stay uncertain, however good the rest of the forecast. Its size goes"
        " on shrinking until around January 1970 and then grows again.",
    ),
    (
        within(C, 1955.0, 2.0),
        "This part has ended before the end of the data (January 1956), so it adds nothing to the forecast.",
    ),
    (around(C, 1955.0, 2.0), "The level is assumed to stay as it is."),
    (until(C, 1970.0), "The level is assumed to stay as it is. It ends around January 1970."),
    (since(C, 1970.0), "This part sets in only around January 1970; the data tell nothing about it."),
]


@pytest.mark.parametrize(("kernel", "text"), EXTRAPOLATIONS)
def test_extrapolations(kernel: Kernel, text: str) -> None:
    assert beyond(kernel) == text


def test_lines_and_trends_go_on_in_their_direction() -> None:
    assert beyond(lin(1940.0), mean=UP) == "The line is assumed to go on rising by 8.39 per year."
    assert beyond(lin(1940.0), mean=DOWN) == "The line is assumed to go on falling by 8.39 per year."
    assert beyond(lin(1940.0), mean=UP, slope_sd=9.0) == (
        "The line is assumed to go on straight, in a direction that is uncertain."
    )
    assert beyond(se(20.0), mean=UP).startswith("The trend goes on rising smoothly at first. Its band widens, and")


def test_a_cycle_that_is_seen_a_few_times_may_be_none() -> None:
    wave = per(3.4)
    assert short(wave, PLAIN, DEPTHS) == (
        "A cycle with a period of 3.4 units of 'depth' that is seen only about 3 times and may be no cycle at all."
    )
    assert long(wave, PLAIN, DEPTHS).startswith(
        "This part looks like a pattern that repeats every 3.4 units of 'depth' (95% range: 2.82 to 3.98 units of "
        "'depth'). The data show it only about 3 times, so it may be no cycle at all: "
    )
    assert beyond(wave, PLAIN, DEPTHS).endswith("The data show it only about 3 times, so this is a guess.")


def test_a_cycle_of_the_calendar_is_none_the_less() -> None:
    assert short(per(7.0), DAILY, DAYS[:20]) == "A weekly cycle that repeats exactly."


def test_half_a_week_on_days_is_a_pattern_of_the_week() -> None:
    assert short(cos(2.5), BUSINESS, DAYS) == "A weekly cycle that repeats exactly."
    assert short(per(2.5), BUSINESS, DAYS) == "A weekly cycle that repeats exactly."
    assert "Within each cycle it rises and falls twice." in long(per(3.5), DAILY, DAYS)
    assert "Within each cycle it rises and falls five times." in long(per(0.2))
    assert short(per(0.5)) == "A half-yearly cycle that repeats exactly."  # six months are whole months
    assert short(per(12.0), HOURLY, DAYS) == "A half-daily cycle that repeats exactly."


def test_the_number_of_weekdays_in_a_month_is_named_where_it_makes_a_wave() -> None:
    assert "the days of the week matter" in long(cos(1.0 / 0.348125 / 12.0))
    assert "the days of the week matter" not in long(cos(3.1 / 12.0))
    assert "the days of the week matter" not in long(cos(1.0 / 0.348125), DAILY, DAYS)
