"""What is measured of the data for words: their span, their spacing, their spread, the noise that shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.factory import MONTHLY, MONTHS, PLAIN

from autostatistician.describe.axis.units import units_of


def test_span_gap_and_spread_are_those_of_the_data() -> None:
    x, y = np.array([0.0, 1.0, 1.0, 4.0, 6.0]), np.array([1.0, 5.0, 3.0, 2.0, 9.0])
    units = units_of(PLAIN, x, y, " two\nlines ")
    assert (units.first, units.last, units.span) == (0.0, 6.0, 6.0)
    assert units.gap == 2.0  # the median of 1, 3 and 2: equal places are no gap
    assert units.spread == pytest.approx(y.std())
    assert units.target == "two lines"
    assert units_of(MONTHLY, MONTHS, MONTHS, "y").gap == MONTHLY.step


def test_values_that_are_all_the_same_are_spread_by_their_size() -> None:
    assert units_of(PLAIN, np.arange(3.0), np.full(3, -4.0), "y").spread == 4.0


def test_noise_shows_above_its_floor_and_above_rounding() -> None:
    units = replace(units_of(PLAIN, np.arange(3.0), np.array([0.0, 1.0, 2.0]), "y"), noise_floor=0.1)
    assert not units.shows_noise(0.14)
    assert units.shows_noise(0.16)
    assert not replace(units, noise_floor=0.0).shows_noise(1e-7)
