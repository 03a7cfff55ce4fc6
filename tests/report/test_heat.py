"""Steps of colour hold every value, and their limits are round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.report.heat import steps_of

NUMBERS = st.floats(-1e6, 1e6).filter(lambda value: value == 0.0 or abs(value) > 1e-6)


@given(NUMBERS, st.floats(1e-3, 1e6))
def test_steps_hold_all_values_and_are_even(low: float, reach: float) -> None:
    limits = steps_of(low, low + reach)
    assert limits[0] <= low + 1e-9 * abs(low)
    assert limits[-1] >= (low + reach) * (1.0 - 1e-9 * np.sign(low + reach))
    np.testing.assert_allclose(np.diff(limits), limits[1] - limits[0], rtol=1e-6)
    assert 2 <= len(limits) <= 10


@pytest.mark.parametrize(("low", "high", "step"), [(0.0, 1.0, 0.2), (0.0, 17.0, 2.5), (-50.0, 50.0, 20.0)])
def test_steps_are_round(low: float, high: float, step: float) -> None:
    limits = steps_of(low, high)
    assert limits[1] - limits[0] == pytest.approx(step)
