"""Cycles that stand out are tried in the place of every curve that bends with them, and beside all terms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Kernel, leaf, parameters
from autostatistician.language.languages import LANGUAGES, Operator
from autostatistician.search.run import Settings, search
from autostatistician.search.series.cycles import cycled

N = 240
ROWS = np.arange(float(N))
Y = 8.0 * np.sin(2 * np.pi * ROWS / 12.0) + 5.0 * np.sin(2 * np.pi * ROWS / 41.0)
Y = (Y + np.random.default_rng(102).normal(0.0, 2.0, N)) / 7.0
POINTS = Problem(ROWS[:, None] / (N - 1), Y, ("x",))
SHORT = leaf("Per", sd=1.1, lengthscale=1.5, period=12.0 / (N - 1))
NOISE = leaf("WN", sd=0.3)
BENDING = SHORT + leaf("SE", sd=0.5, lengthscale=0.03) + NOISE


def _periods(kernel: Kernel) -> list[float]:
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    return sorted((N - 1) * value for one, value in every if one.name == "period")


def test_a_curve_that_bends_with_a_cycle_gives_way_to_it() -> None:
    found = {str(one): _periods(one) for one in cycled(BENDING, POINTS, LANGUAGES["extended"])}
    assert found["Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)
    assert found["SE * Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)


def test_a_cycle_that_changes_as_quickly_as_it_turns_gives_way_to_the_one_that_it_follows() -> None:
    rhythm = leaf("SE", sd=0.5, lengthscale=0.1) * leaf("Per", sd=1.0, lengthscale=3.8, period=60.0 / (N - 1))
    found = {str(one): _periods(one) for one in cycled(SHORT + rhythm + NOISE, POINTS, LANGUAGES["extended"])}
    assert found["Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)


def test_a_cycle_in_what_is_left_is_added() -> None:
    found = {str(one): _periods(one) for one in cycled(SHORT + NOISE, POINTS, LANGUAGES["extended"])}
    assert set(found) == {"Per + Per + WN", "SE * Per + Per + WN"}
    assert found["Per + Per + WN"] == pytest.approx([12.0, 41.0], abs=0.6)


def test_a_cycle_begins_with_its_size_however_high_the_level_is() -> None:
    spread = 1e-4
    high = Problem(POINTS.X, 1.0 + spread * POINTS.y, ("x",))
    level = leaf("C", sd=1.0) + leaf("WN", sd=spread)
    sizes = [
        value
        for kernel in cycled(level, high, LANGUAGES["interpretable"])
        for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True)
        if parameter.name == "sd" and parameter.node in (Leaf("Per"), Leaf("SE"))
    ]
    sizes = [size for size in sizes if size != 1.0]  # which is that of the other factor
    assert sizes
    assert all(value < 2.0 * spread for value in sizes)


def test_cycles_that_a_model_has_are_not_proposed_again() -> None:
    both = SHORT + leaf("Per", sd=0.7, lengthscale=1.5, period=41.0 / (N - 1)) + NOISE
    found = [period for one in cycled(both, POINTS, LANGUAGES["extended"]) for period in _periods(one)[:-2]]
    assert all(period < 5.0 for period in found)  # at most a quick one that the noise shows


def test_a_language_without_cycles_has_none() -> None:
    assert cycled(BENDING, POINTS, LANGUAGES["mkl"]) == []


def test_a_language_without_products_keeps_cycles_as_they_are() -> None:
    sums = replace(LANGUAGES["extended"], operators=frozenset({Operator.ADD}))
    (kernel,) = cycled(SHORT + NOISE, POINTS, sums)
    assert str(kernel) == "Per + Per + WN"


@pytest.mark.long
@pytest.mark.slow
def test_the_search_finds_a_long_cycle_beside_a_short_one() -> None:
    found = search(from_arrays(ROWS, 50.0 + 7.0 * Y), LANGUAGES["extended"], Settings(n_jobs=1)).best.kernel
    every = zip(parameters(found.expr), found.values, strict=True)
    assert sorted(value for one, value in every if one.name == "period") == pytest.approx([12.0, 41.0], rel=0.02)
