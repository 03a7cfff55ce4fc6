"""Stated ranges against what is known of simulated data: least squares where they apply, the truth over many sets."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import ranges


def _told(ranges: dict[str, Any], kind: str, *sets: int) -> list[Any]:
    place = list(ranges.KINDS).index(kind)
    return [told for one in sets for told in ranges.KINDS[kind](np.random.default_rng([place, one]))]


@pytest.mark.parametrize("kind", ["line", "growth", "table, straight"])
def test_stated_ranges_are_as_wide_as_those_of_least_squares(kind: str) -> None:
    for told in _told(ranges, kind, 1, 2):
        wanted = told.squares[1] - told.squares[0]
        assert told.span[1] - told.span[0] == pytest.approx(wanted, rel=0.2)
        assert told.number == pytest.approx(np.mean(told.squares), abs=0.15 * wanted)


def test_the_levels_of_a_step_are_as_open_as_means_of_the_noise() -> None:
    for told in _told(ranges, "step", 0):
        if told.what != "place":  # each of some thirty rows with noise of size one
            assert 2.0 * 1.96 / np.sqrt(60.0) < told.span[1] - told.span[0] < 2.0 * 1.96 / np.sqrt(15.0)
        assert told.span[0] <= told.truth <= told.span[1]


@pytest.mark.long
def test_stated_ranges_hold_the_truth() -> None:
    held = defaultdict(list)
    for kind in ranges.KINDS:
        for told in _told(ranges, kind, *range(100, 106)):
            held[told.what].append(told.span[0] <= told.truth <= told.span[1])
    every = [one for found in held.values() for one in found]
    assert np.mean(every) >= 0.9
    assert min(np.mean(found) for found in held.values()) >= 0.6  # at most two of six are missed
