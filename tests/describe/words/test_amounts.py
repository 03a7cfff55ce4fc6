"""Amounts on both scales, for series and tables alike."""

from __future__ import annotations

from math import exp, inf

import numpy as np
import pytest
from tests.describe.factory import MONTHLY
from tests.describe.spoken.wholes import LOG
from tests.describe.spoken.wholes import PLAIN_OF_AMOUNTS as PLAIN
from tests.describe.spoken.wholes import UNITS_OF_AMOUNTS as UNITS

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.amounts import (
    around,
    drawn,
    drawn_level,
    error,
    errors,
    per_cent,
    steepness,
    within,
)


@pytest.mark.parametrize("scale", [PLAIN, LOG])
@pytest.mark.parametrize("sd", [0.004, 0.1, 0.9])
def test_tables_and_series_tell_a_range_alike(scale: Scale, sd: float) -> None:
    units = Units(MONTHLY, 0.0, 9.0, 1 / 12, 0.4, target="y", level=scale.level)
    assert around(sd, scale) == around(sd, units)
    assert within(sd, scale) == within(sd, units)


def test_errors_show_their_difference() -> None:
    assert error(0.1, LOG) == "10.5%"
    first, last = errors(1.00001, 1.00002, PLAIN)
    assert first != last


def test_what_is_too_large_stays_a_number() -> None:
    assert np.isfinite(per_cent(1e9))
    assert per_cent(inf) == inf
    assert np.isfinite(drawn(np.array([1e9, -1e9]), LOG)).all()
    assert np.isfinite(drawn_level(np.array([1e9]), LOG)).all()


def test_pictures_show_what_words_tell() -> None:
    values = np.array([-0.3, 0.0, 0.4])
    np.testing.assert_allclose(drawn(values, LOG), [per_cent(value) for value in values.tolist()])
    np.testing.assert_allclose(drawn_level(values, LOG), [5.0 * exp(value) for value in values.tolist()])
    assert drawn(values, PLAIN) is values
    assert drawn_level(values, PLAIN) is values


def test_steepness_is_the_size_of_a_slope() -> None:
    assert steepness(-0.1, UNITS) == pytest.approx(100.0 * (1.0 - exp(-0.1)))
