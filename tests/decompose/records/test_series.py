"""Records of a series: what they derive from what they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decompose.series.series import X, Y, toy

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import BAND_SDS, Curve, Leg

FINITE = st.floats(-1e6, 1e6)


def test_limits_are_those_given_or_of_a_normal_distribution() -> None:
    x, mean, sd = np.arange(3.0), np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.0, 2.0])
    low, high = Curve(x, mean, sd).limits
    np.testing.assert_allclose((high - low) / (2.0 * BAND_SDS), sd)
    np.testing.assert_allclose((high + low) / 2.0, mean)
    assert Curve(x, mean, sd, x, mean).limits == (x, mean)
    np.testing.assert_array_equal(Curve(x, mean, sd, x).limits, (low, high))  # one end alone is none


@given(FINITE, FINITE)
def test_a_leg_rises_where_its_change_is_above_zero(first: float, last: float) -> None:
    leg = Leg(0.0, 1.0, first, last, (0.0, 1.0), last - first)
    assert leg.change == last - first
    assert leg.rises is (leg.change > 0.0)


def test_kernels_are_one_to_a_part_in_its_order() -> None:
    assert toy().kernels == tuple((part.kernel,) for part in toy().components)


def test_the_modelled_data_are_what_the_parts_add_up_to() -> None:
    np.testing.assert_allclose(toy().modelled, sum(part.mean for part in toy().components), atol=1e-8)
    np.testing.assert_allclose(replace(toy(), y=Y + 100.0, offset=100.0).modelled, Y)
    assert toy().level is None


def test_logarithms_are_about_the_typical_level() -> None:
    grown = replace(toy(), y=20.0 * np.exp(X), transform=Transform("log", 20.0))
    assert grown.level == pytest.approx(20.0)
    np.testing.assert_allclose(grown.modelled, X, atol=1e-9)
