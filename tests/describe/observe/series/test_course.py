"""How trends run and when cycles peak, judged with the uncertainty of the posterior."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.factory import DAILY, DAYS, HOURLY, MONTHS, PLAIN, long, observed, ran, short

from autostatistician.decompose.records.series import Bend, Joint
from autostatistician.describe.facts.part import CyclePhase
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.statement import statement
from autostatistician.language.kernel import Kernel, leaf

T = np.linspace(0.0, 12.0, 144)
SQUARE = leaf("Lin", sd=2.0, location=1940.0) * leaf("Lin", sd=2.0, location=1941.0)
SLOW = leaf("SE", lengthscale=20.0, sd=10.0)
BEND = Bend(early=10.0, late=30.0, change=20.0, change_sd=2.0)
TURN = Bend(early=30.0, late=-30.0, change=-60.0, change_sd=2.0)
STEEPER, FLATTER = ran(rising=1.0, convex=0.99), ran(falling=1.0, convex=0.99)
PEAK, DIP = ran(concave=1.0, peak=0.99), ran(convex=0.8, dip=0.98)
STRAIGHT, VAGUE = ran(rising=1.0, convex=0.6), ran(rising=0.8, convex=0.7, dip=0.1)
PROBABLY = ran(rising=0.93, convex=0.91)
MIXED = ran(rising=0.99, convex=0.94)


@pytest.mark.parametrize(
    ("kernel", "mean", "joint", "text"),
    [
        (SQUARE, T**2, STEEPER, "A trend that rises more and more steeply."),
        (SQUARE, (12 - T) ** 2, FLATTER, "A trend that falls more and more slowly."),
        (SQUARE, -((T - 6) ** 2), PEAK, "A trend that first rises and then falls."),
        (SQUARE, (T - 6) ** 2, DIP, "A trend that first falls and then rises."),
        (SQUARE, T, STRAIGHT, "A trend that rises throughout."),
        (SQUARE, T**2, MIXED, "A trend that rises throughout."),
        (SQUARE, T**2, PROBABLY, "A trend that probably rises more and more steeply."),
        (SQUARE, T**2, VAGUE, "A curved trend with at most one turn."),
        (SLOW, T**2, STEEPER, "A slow trend that rises more and more steeply."),
        (SLOW, -((T - 6) ** 2), PEAK, "A slow trend that first rises and then falls."),
        (SLOW, T, STRAIGHT, "A slow, steadily rising trend."),
        (SLOW, T, VAGUE, "A slow, rising trend."),
    ],
)
def test_trends_run_as_the_joint_posterior_says(kernel: Kernel, mean: np.ndarray, joint: Joint, text: str) -> None:
    assert short(kernel, mean=mean, bend=BEND, joint=joint) == text


def test_the_slopes_of_both_halves_are_told() -> None:
    assert long(SQUARE, mean=T**2, bend=BEND, joint=STEEPER) == (
        "This part is a curve that rises more and more steeply (a polynomial of degree 2). "
        "In the first half of the data it rises by 10 per year on average, in the second by 30. "
        "Over the data its contribution to 'passengers' goes from 0 to 144."
    )
    told = long(SQUARE, mean=-((T - 6) ** 2), bend=TURN, joint=PEAK)
    assert "it rises by 30 per year on average, in the second it falls by 30." in told
    for joint in (VAGUE, PROBABLY):
        assert "half" not in long(SQUARE, mean=T**2, bend=BEND, joint=joint)


def _cycle(period: float) -> Kernel:
    return leaf("Per", lengthscale=1.0, period=period, sd=10.0)


def test_the_month_the_weekday_and_the_hour_of_the_peak() -> None:
    yearly = 10 * np.cos(2 * np.pi * (MONTHS - 6 / 12))
    assert statement(*observed(_cycle(1.0), mean=yearly)) == (
        "A yearly cycle that repeats exactly; it adds between −10 and 10, most from June to August and least "
        "from December to February."
    )
    weekly = 10 * np.cos(2 * np.pi * (DAYS - 5) / 7)  # 1 January 2001 was a Monday
    assert "It is highest on Saturdays and lowest on" in long(_cycle(7.0), DAILY, DAYS, weekly)
    daily = 10 * np.cos(2 * np.pi * (DAYS - 15) / 24)
    assert "It is highest between 14:00 and 16:00 and lowest between 02:00 and 04:00." in long(
        _cycle(24.0), HOURLY, DAYS, daily
    )


def test_sparse_data_show_the_phase_of_a_cycle_that_stays() -> None:
    every_fifth = np.arange(0.0, 1500.0, 5.0)
    mean = 10 * np.cos(2 * np.pi * (every_fifth - 5) / 7)
    assert "It is highest on Saturdays and lowest on" in long(_cycle(7.0), DAILY, every_fifth, mean)
    changing = leaf("SE", lengthscale=1.5, sd=1.0) * _cycle(7.0)  # hardly repeats
    assert "highest" not in long(changing, DAILY, every_fifth, mean)
    yearly = 10 * np.cos(2 * np.pi * (every_fifth - 200) / 365.25)
    assert "It is highest from June to September and lowest from December to February." in long(
        _cycle(365.25), DAILY, every_fifth, yearly
    )


def test_cycles_without_names_tell_their_last_peak() -> None:
    x = np.linspace(0.0, 20.0, 200)
    told = long(_cycle(3.0), PLAIN, x, 10 * np.cos(2 * np.pi * (x - 1.0) / 3.0))
    assert "Its last peak within the data lies around 'depth' = 19." in told


def test_peaks_that_wander_or_that_the_posterior_does_not_see_are_not_told() -> None:
    wandering = 10 * np.cos(2 * np.pi * MONTHS * 1.13)
    faint = 1.5 * np.cos(2 * np.pi * MONTHS)
    for mean in (wandering, faint):
        assert find(observed(_cycle(1.0), mean=mean)[0], CyclePhase) is None
