"""How long a cycle is by draws of the function, whatever the models say of its period."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.decompose.series.periods import period_of

X = np.arange(240.0)


def _draws(period: float) -> np.ndarray:
    rng = np.random.default_rng(0)
    year, bend = 8.0 * np.sin(2.0 * np.pi * X / 12.0), 0.001 * (X - 100.0) ** 2
    rough = np.cumsum(rng.normal(0.0, 0.1, (40, 240)), axis=1)
    return 5.0 * np.sin(2.0 * np.pi * X / period) + year + bend + rough


@pytest.mark.parametrize(("period", "modelled"), [(41.0, 38.5), (30.0, 31.0), (9.6, 10.0)])
def test_the_period_is_that_of_the_function(period: float, modelled: float) -> None:
    length = period_of(X, _draws(period), modelled, (12.0,), 1.0)
    assert length.number == pytest.approx(period, rel=0.015)
    assert length.low <= length.number <= length.high


def test_a_cycle_between_others_keeps_the_period_of_the_models() -> None:
    assert period_of(X, _draws(41.0), 12.0, (12.0, 9.5, 14.5, 11.0, 13.2, 10.3), 1.0).number == 12.0
