"""Within how far of the rest the values lie is read off the residuals; where the model expects another range, that too.

Also: what linear factors say of swings is told only where the curve of the part does not contradict it.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition, observed, scatter

from autostatistician.describe.facts.part import AmplitudeChange, DampedTrend, Periodicity, SmoothVariation, Wandering
from autostatistician.describe.tell import sentences
from autostatistician.describe.words.description import description
from autostatistician.describe.words.extrapolation import extrapolation
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.statement import statement
from autostatistician.language.kernel import Kernel, leaf

RNG = np.random.default_rng(8)
WN = leaf("WN", sd=3.0)
NORMAL = scatter(WN, MONTHS)
FILES = {  # residuals that are not those of a normal noise of size 3
    "taken up by the other parts": 0.6 * NORMAL,
    "heavy tails": 3.0 * RNG.standard_t(1.6, size=144),
    "two sizes": np.where(np.arange(144) < 100, 0.1, 2.2) * NORMAL,
}


@pytest.mark.parametrize("name", FILES)
def test_the_words_hold_of_the_residuals(name: str) -> None:
    left = FILES[name]
    facts, units = observed(WN, mean=left)
    told = description(facts, units)
    within = float(told.partition("95% lie within ±")[2].split()[0])
    thirds = float(told.partition("two thirds within ±")[2].split()[0].rstrip("."))
    assert 0.93 <= np.mean(np.abs(left) <= within * 1.03) <= 0.97
    assert 0.64 <= np.mean(np.abs(left) <= thirds * 1.03) <= 0.74
    assert "The model expects 95% of new values within ±5.9 of it." in told
    assert f"95% of it lies within ±{within:g}." in statement(facts, units)  # one number on the page


def test_noise_as_the_model_has_it_is_told_once() -> None:
    facts, units = observed(WN, mean=NORMAL)
    assert "expects" not in description(facts, units)


CYCLE = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
WAVE = np.cos(2.0 * np.pi * MONTHS)


def _change(place: float, mean: np.ndarray) -> AmplitudeChange | None:
    kernel = leaf("SE", lengthscale=4.0, sd=1.0) * CYCLE * leaf("Lin", sd=1.0, location=place)
    return find(observed(kernel, mean=mean)[0], AmplitudeChange)


@pytest.mark.parametrize(
    ("place", "size", "told"),
    [
        (1940.0, np.linspace(1.0, 9.0, 144), True),
        (1940.0, np.linspace(9.0, 1.0, 144), False),
        (1970.0, np.linspace(9.0, 1.0, 144), True),
        (1970.0, np.linspace(1.0, 9.0, 144), False),
        (1955.0, 1.0 + np.abs(np.linspace(-6.0, 6.0, 144)), True),
        (1955.0, 8.0 - np.abs(np.linspace(-6.0, 6.0, 144)), False),
        (1955.0, np.linspace(9.0, 1.0, 144), False),
    ],
)
def test_swings_are_said_to_change_as_they_did(place: float, size: np.ndarray, told: bool) -> None:
    assert (_change(place, size * WAVE) is not None) is told


def test_a_place_that_is_hardly_known_is_not_told_beyond_the_data() -> None:
    kernel = CYCLE * leaf("Lin", sd=1.0, location=1966.0)
    size = np.linspace(9.0, 2.0, 144)
    for spread, told in ((0.5, True), (9.0, False)):
        rows = np.array([[*kernel.values[:-1], 1966.0 + shift] for shift in np.linspace(-spread, spread, 40)])
        text = extrapolation(*observed(kernel, mean=size * WAVE, numbers=rows))
        assert ("until around January 1966 and then" in text) is told
        assert ("shrinking at first." in text) is not told


def test_two_gradual_changes_that_cross_leave_a_part_between_them() -> None:
    level = leaf("C", sd=9.0)
    inner = Kernel.change_point(leaf("0"), level, 1955.2, 2.0)
    between = Kernel.change_point(inner, leaf("0"), 1954.8, 2.0)
    bump = 5.0 * np.exp(-(((MONTHS - 1955.0) / 0.5) ** 2))
    part = component(between, MONTHS, bump)
    found = decomposition((part,), MONTHS, bump + 0.1 * np.cos(7.0 * MONTHS), MONTHLY)
    assert sentences(found)[0].startswith("A constant level of 4.9, which applies from November 1954 until March 1955")


def test_of_twelve_values_the_scatter_is_told_that_is_seen_and_beside_it_what_the_model_expects() -> None:
    left = np.linspace(-37.0, 35.0, 12)
    facts, units = observed(leaf("WN", sd=51.0), x=MONTHS[:12], mean=left)
    assert "95% of it lies within ±37." in statement(facts, units)
    told = description(facts, units)
    assert "95% lie within ±37 of the rest of the model" in told
    assert "The model expects 95% of new values within ±100 of it." in told


def test_a_slope_that_is_forgotten_within_a_row_is_a_level_that_wanders() -> None:
    kernels = [leaf("IOU", sd=3.0, lengthscale=memory, location=1949.0) for memory in (0.01, 2.0)]
    heads = [type(observed(kernel, mean=np.cumsum(NORMAL))[0][0]) for kernel in kernels]
    assert heads == [Wandering, DampedTrend]


@pytest.mark.parametrize("true", [0.7, 1.0, 2.1])
def test_a_cycle_that_changes_quickly_has_the_period_of_its_curve(true: float) -> None:
    kernel = leaf("SE", lengthscale=0.6, sd=1.0) * leaf("Per", lengthscale=3.8, period=1.0, sd=1.0)
    facts, units = observed(kernel, mean=9.0 * np.sin(2.0 * np.pi * MONTHS / true))
    cycle = find(facts, Periodicity)
    assert cycle is not None
    assert cycle.number == pytest.approx(true, rel=0.03)
    assert ("every year" in description(facts, units)) is (true == 1.0)


def test_a_cycle_whose_curve_has_no_rhythm_is_a_curve() -> None:
    kernel = leaf("SE", lengthscale=0.6, sd=1.0) * leaf("Per", lengthscale=3.8, period=1.0, sd=1.0)
    facts, _ = observed(kernel, mean=np.linspace(0.0, 9.0, len(MONTHS)))
    assert find(facts, Periodicity) is None
    assert find(facts, SmoothVariation) is not None
