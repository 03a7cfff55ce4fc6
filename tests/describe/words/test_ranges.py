"""95 % ranges in words."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.factory import (
    MONTHLY,
    MONTHS,
    YEARLY,
    YEARS,
    long,
    observed,
    ran,
)
from tests.describe.spoken.extents import known

from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    ChangeSteepness,
    NoiseLevel,
    Periodicity,
    SmoothVariation,
    SwingGrowth,
)
from autostatistician.describe.words.description import description
from autostatistician.describe.words.nouns import find, summary
from autostatistician.language.kernel import Kernel, leaf

CYCLE = leaf("SE", lengthscale=30.0, sd=1.0) * leaf("Per", lengthscale=1.0, period=10.8, sd=2.0)


def _facts(kernel: Kernel, draws: np.ndarray, **given: object) -> tuple[Fact, ...]:
    return observed(kernel, numbers=draws, **given)[0]  # type: ignore[arg-type]


def test_facts_carry_the_range_of_the_draws() -> None:
    period = find(_facts(CYCLE, known(CYCLE, _3=1.0), axis=YEARLY, x=YEARS), Periodicity)
    assert period is not None
    half = np.hypot(0.95, 0.05 * 10.8**2 / (YEARS[-1] - YEARS[0]))  # a twentieth of a turn lost or gained over the data
    assert period.interval == (pytest.approx(10.8 - half), pytest.approx(10.8 + half))
    assert period.drift_interval is None
    smooth = leaf("SE", lengthscale=2.0, sd=1.0)
    length = find(_facts(smooth, known(smooth, _0=0.2)), SmoothVariation)
    assert length is not None
    assert length.interval == (pytest.approx(1.81), pytest.approx(2.19))
    noise = leaf("WN", sd=3.0)
    level = find(_facts(noise, known(noise, _0=1.0)), NoiseLevel)
    assert level is not None
    assert level.interval == (pytest.approx(2.05), pytest.approx(3.95))


def test_draws_of_another_cycle_are_in_no_range() -> None:
    draws = known(CYCLE, _3=0.1)
    draws[:40, 3] = 41.2
    period = find(_facts(CYCLE, draws, axis=YEARLY, x=YEARS), Periodicity)
    assert period is not None
    assert period.interval is not None
    assert 10.5 < period.interval[0] < 10.8 < period.interval[1] < 11.1


@pytest.mark.parametrize(("width", "number"), [(0.05, 1.0), (0.002, 0.975)])
def test_a_period_near_a_year_is_a_year_where_its_range_is_wide(width: float, number: float) -> None:
    cycle = leaf("Per", lengthscale=1.0, period=0.975, sd=1.0)
    months = 1949.0 + np.arange(480) / 12.0
    period = find(_facts(cycle, known(cycle, _1=width), axis=MONTHLY, x=months), Periodicity)
    assert period is not None
    assert period.number == number
    assert period.interval is not None
    assert period.interval[0] <= period.number <= period.interval[1]


def test_without_draws_a_period_has_the_range_that_the_data_resolve() -> None:
    fact = find(observed(leaf("Per", lengthscale=1.0, period=2.0, sd=1.0))[0], Periodicity)
    assert fact is not None
    half = 0.5 * 2.0**2 / (MONTHS[-1] - MONTHS[0])
    assert fact.interval == (pytest.approx(2.0 - half), pytest.approx(2.0 + half))


def test_two_changes_have_two_ranges() -> None:
    kernel = Kernel.change_window(leaf("0"), leaf("C", sd=1.0), 1955.0, 2.0, 4.0)
    told = long(kernel, numbers=known(kernel, _0=1.0))
    assert told.endswith(
        "It applies from January 1953 until January 1957; both changes take about 1.1 years; they lie between January "
        "1952 and January 1954 and between January 1956 and January 1958 (95% ranges)."
    )
    facts = observed(kernel, numbers=known(kernel, _0=1.0))[0]
    change = find(facts, ChangeSteepness)
    assert change is not None
    assert change.location_interval == (pytest.approx(1952.05), pytest.approx(1953.95))


@pytest.mark.parametrize(
    ("width", "clause"),
    [(1.0, "grow steadily"), (3.3, "probably grow steadily"), (20.0, "may grow steadily")],
)
def test_the_growth_of_swings_is_as_sure_as_the_place_of_its_line(width: float, clause: str) -> None:
    kernel = leaf("SE", lengthscale=2.0, sd=1.0) * leaf("Lin", sd=1.0, location=1946.2)
    facts, units = observed(kernel, numbers=known(kernel, _3=width))
    change = find(facts, AmplitudeChange)
    assert change is not None
    assert change.probability is not None
    assert summary(facts, units).endswith(f"whose swings {clause}.")
    assert ("in the best fit, at the end they are" in description(facts, units)) is (change.probability < 0.9)


@pytest.mark.parametrize(
    ("growth", "word"),
    [((1.9, 1.6, 2.3), "grown"), ((0.6, 0.5, 0.7), "shrunk"), ((1.1, 1.05, 1.2), ""), ((1.9, 0.9, 3.0), "")],
)
def test_swings_that_grew_without_being_told_to(growth: tuple[float, float, float], word: str) -> None:
    facts, units = observed(CYCLE, YEARLY, YEARS, joint=ran(growth))
    fact = find(facts, SwingGrowth)
    assert fact is not None
    assert (fact.number, fact.interval) == (growth[0], growth[1:])
    assert (f"whose swings have {word}" in summary(facts, units)) is bool(word)


def test_growth_needs_three_cycles_and_a_cycle_that_can_change() -> None:
    for kernel in (leaf("Per", lengthscale=1.0, period=1.0, sd=1.0), CYCLE):
        assert find(observed(kernel, joint=ran((2.0, 1.5, 2.5)))[0], SwingGrowth) is None


def test_a_range_that_does_not_hold_the_place_of_its_change_is_not_told() -> None:
    kernel = Kernel.change_point(leaf("C", sd=1.0), leaf("0"), 1955.01, 2.0)
    numbers = known(kernel, _0=1.0)
    assert "(95% range)" in long(kernel, numbers=numbers)
    numbers[:, 0] += 3.0  # as where a curve bends at the edge of the data and the numbers know no single place
    assert "It applies until January 1955; the change takes about 1.1 years." in long(kernel, numbers=numbers)
