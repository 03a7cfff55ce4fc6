"""When a curve without a formula turned and moved most: dates, sizes, and no direction that hides them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.describe.factory import YEARLY, component, decomposition, ran, units_on

from autostatistician.decompose.series.legs import legs
from autostatistician.describe.facts.part import Trend, Way
from autostatistician.describe.observe.series.parts import component_facts, units_for
from autostatistician.describe.tell import sentences
from autostatistician.describe.words.description import description
from autostatistician.describe.words.runs import runs_text
from autostatistician.forms import Leg
from autostatistician.language.kernel import Kernel, leaf

YEARS = 1950.0 + np.arange(60)
SURE = 1e-4 * np.eye(60)
SMOOTH = leaf("SE", lengthscale=8.0, sd=30.0)
SLOW = leaf("SE", lengthscale=40.0, sd=30.0)
WANDERING = leaf("Matern12", lengthscale=900.0, sd=30.0)

PEAK = np.where(YEARS < 1981, 2.2 * (YEARS - 1950), 68.2 - 1.6 * (YEARS - 1981))
TROUGH = 100.0 - 1.0 * (YEARS - 1950) - 60.0 * np.exp(-0.5 * ((YEARS - 1976) / 4.0) ** 2)
COLLAPSE = 28000.0 / (1.0 + np.exp(1.9 * (YEARS - 1988.5))) + 500.0 - (YEARS - 1950)


def _both(kernel: Kernel, mean: np.ndarray, cov: np.ndarray = SURE) -> tuple[str, str]:
    joint = replace(ran(falling=float(np.all(np.diff(mean) < 0))), legs=legs(YEARS, mean, cov))
    part = component(kernel, YEARS, mean, joint=joint)
    found = decomposition((part,), YEARS, mean + 0.1 * np.cos(7.0 * YEARS), YEARLY, target="y")
    return sentences(found)[0], description(component_facts(found.components[0], found), units_for(found))


def test_a_trend_that_has_fallen_for_decades_is_not_rising() -> None:
    for kernel, noun in ((SMOOTH, "A smooth, irregular variation"), (SLOW, "A slow, smooth trend"),
                         (WANDERING, "A wandering level")):  # fmt: skip
        short, long = _both(kernel, PEAK)
        assert short.startswith(f"{noun} that rises until around 1981 and then falls; it adds between 0 and 68.")
        assert "It rises by 68.2 until around 1981 and then falls by 44.8." in long


def test_a_fall_does_not_hide_a_trough() -> None:
    short, long = _both(WANDERING, TROUGH)
    assert short.startswith("A wandering level that falls until around 1976, rises until around 1987, and then falls;")
    assert "overall" not in long
    assert "until around 1976, rises by" in long


def test_a_collapse_is_told_by_its_years() -> None:
    short, long = _both(WANDERING, COLLAPSE)
    assert short.startswith("A wandering level that falls throughout; ")
    told = long.partition("It moves most between ")[2].partition(".")[0]
    first, last = int(told[:4]), int(told[9:13])
    assert 1985 <= first < last <= 1991
    rows = np.isin(YEARS, (first, last))
    fall = float(-np.diff(COLLAPSE[rows])[0])
    assert fall > 0.66 * np.ptp(COLLAPSE)
    assert f"there it falls by {round(fall, -2):,.0f}" in long


def test_an_even_rise_has_no_time_when_it_moved_most() -> None:
    assert "moves most" not in _both(WANDERING, 3.0 * (YEARS - 1950))[1]


def test_small_turns_leave_the_direction_and_are_told() -> None:
    mean = 3.0 * (YEARS - 1950) - 42.0 * np.exp(-0.5 * ((YEARS - 1976) / 2.0) ** 2)
    short, long = _both(WANDERING, mean)
    assert short.startswith("A wandering level that rises overall")
    assert "From end to end of the data it rises, on average by 3 per year." in long
    assert "falls by" in long


def test_many_turns_are_told_by_the_largest() -> None:
    mean = 20.0 * np.sin(2.0 * np.pi * (YEARS - 1950) / 12.0) + 0.3 * (YEARS - 1950)
    short, long = _both(SMOOTH, mean)
    assert " that is highest around 2001 and lowest around 1959; " in short
    assert "It turns ten times and is highest around 2001 and lowest around 1959; its largest rise, by" in long


def test_turns_within_their_doubt_are_none() -> None:
    wiggle = 3.0 * (YEARS - 1950) + 10.0 * np.sin(YEARS)
    assert len(legs(YEARS, wiggle, SURE)) == 1  # details of the whole
    assert legs(YEARS, np.sin(YEARS), np.eye(60)) == ()
    assert len(legs(YEARS, TROUGH, 400.0 * np.eye(60))) == 1


def test_where_most_of_a_leg_lies() -> None:
    (leg,) = legs(YEARS, COLLAPSE, SURE)
    assert isinstance(leg, Leg)
    assert not leg.rises
    within = (leg.most[0] <= YEARS) & (leg.most[1] >= YEARS)
    assert leg.moved == COLLAPSE[within][-1] - COLLAPSE[within][0]
    shorter = [
        COLLAPSE[i] - COLLAPSE[j] for i in range(60) for j in range(i, 60) if YEARS[j] - YEARS[i] < np.ptp(leg.most)
    ]
    assert max(shorter) < 2.0 / 3.0 * abs(leg.change)


def test_a_rise_within_one_year_has_one_date() -> None:
    changes = (1.0, -1.0, 9.0, -8.0, 1.0)
    starts = 1980.0 + 0.05 * np.arange(5)
    runs = tuple(
        Leg(start, start + 0.05, 0.0, by, (start, start + 0.05), by) for start, by in zip(starts, changes, strict=True)
    )
    rise, fall = (Way(starts[row], starts[row] + 0.05, changes[row]) for row in (2, 3))
    trend = Trend(id="t", number=1.0, unit="1", evidence="e", direction=0, steady=False, share=0.0, legs=runs,
                  highest_at=rise.stop, lowest_at=starts[0], rise=rise, fall=fall)  # fmt: skip
    text = runs_text(trend, units_on(YEARLY, YEARS))
    assert text.endswith("its largest rise, by 9, is around 1980 and its largest fall, by 8, is around 1980.")


def test_the_largest_fall_is_from_high_to_low_whatever_is_in_between() -> None:
    """A small turn that is sure does not break a fall, nor does a doubtful end hide the highest place."""
    x = YEARS - 1950
    mean = np.interp(
        x, [0, 12, 17, 20, 21, 25, 38, 50, 59], [16.0, -66.0, 36.0, -30.0, -15.0, -76.0, 56.0, -40.0, -5.0]
    )
    cov = np.diag(np.where(x > 48, 900.0, 1e-4))
    text = _both(SMOOTH, mean, cov)[1]
    assert "times and is highest around 1988 and lowest around 1975; " in text
    assert "its largest rise, by 132, is from around 1975 until around 1988" in text
    assert "its largest fall, by 112, is from around 1967 until around 1975" in text


def test_a_curve_that_last_rose() -> None:
    rise = np.where(YEARS < 1971, 100.0 - 4.0 * (YEARS - 1950), 16.0)
    rise = rise + 90.0 / (1.0 + np.exp(-1.5 * (YEARS - 1990.0)))
    short, long = _both(WANDERING, rise)
    assert short.startswith("A wandering level that falls until around 1971 and then rises; ")
    assert "It falls by 84 until around 1971 and then rises by 90." in long
    assert " It moves most between 1988 and 1991: there it rises by 69.3. " in long
