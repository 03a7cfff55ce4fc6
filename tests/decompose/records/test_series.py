"""Records of a series: what they derive from what they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.series.series import X, Y, toy

from autostatistician.data.transform import Transform


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
