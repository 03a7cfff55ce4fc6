"""The legs of a curve: they join, they add up to its change, and the fastest stretch is the shortest there is."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.decompose.series.legs import MOST_OF_A_LEG, legs

# Curves that are nowhere flat.
CURVES = st.lists(st.integers(-9, 9).filter(bool), min_size=1, max_size=20).map(lambda steps: np.cumsum([0.0, *steps]))
EXACT = 1e-9


@given(CURVES)
def test_they_join_and_go_up_and_down_in_turn(mean: np.ndarray) -> None:
    x = np.arange(float(len(mean)))
    found = legs(x, mean, EXACT * np.eye(len(mean)))
    if not np.ptp(mean):
        assert found == ()
        return
    assert (found[0].start, found[-1].stop) == (x[0], x[-1])
    assert sum(leg.change for leg in found) == pytest.approx(mean[-1] - mean[0])
    for one, other in pairwise(found):
        assert (one.stop, one.last) == (other.start, other.first)
        assert one.rises is not other.rises


@given(CURVES, st.randoms(use_true_random=False))
def test_most_of_a_leg_lies_in_the_shortest_stretch_that_holds_two_thirds(mean: np.ndarray, random: object) -> None:
    x = np.cumsum([random.choice([0.5, 1.0, 3.0]) for _ in mean])  # type: ignore[attr-defined]
    for leg in legs(x, mean, EXACT * np.eye(len(mean))):
        inside = np.flatnonzero((x >= leg.start) & (x <= leg.stop))
        lengths = [
            x[stop] - x[start]
            for start in inside
            for stop in inside[inside > start]
            if (mean[stop] - mean[start]) * np.sign(leg.change) >= MOST_OF_A_LEG * abs(leg.change)
        ]
        if not leg.change:
            continue
        assert leg.most[1] - leg.most[0] == pytest.approx(min(lengths))
        assert leg.moved * np.sign(leg.change) >= MOST_OF_A_LEG * abs(leg.change)


def test_a_curve_within_its_doubt_has_none() -> None:
    x, mean = np.arange(5.0), np.array([0.0, 1.0, 0.0, 1.0, 0.5])
    assert legs(x, mean, np.eye(5)) == ()
    assert len(legs(x, mean, 1e-4 * np.eye(5))) == 4
