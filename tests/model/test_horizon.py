"""How far ahead forecasts go where nobody says it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.language.kernel import leaf
from autostatistician.model.horizon import default_horizon

X = np.arange(30.0)


def _series(n: int, frequency: str) -> Dataset:
    return load(pd.Series(np.arange(float(n)), index=pd.date_range("2000-01-03", periods=n, freq=frequency)))


@pytest.mark.parametrize(
    ("n", "frequency", "steps"),
    [(144, "MS", 24), (40, "MS", 10), (100, "QS", 8), (500, "D", 60), (500, "h", 72), (30, "YS", 3), (5, "D", 2)],
)
def test_usual_horizons(n: int, frequency: str, steps: int) -> None:
    assert default_horizon(_series(n, frequency)) == steps


@pytest.mark.parametrize(
    ("n", "period", "steps"), [(900, 365.2425, 366), (700, 365.2425, 60), (900, 7.0, 60), (740, 365.2425, 366)]
)
def test_a_forecast_shows_a_whole_turn_of_a_cycle_that_was_seen_twice(n: int, period: float, steps: int) -> None:
    kernel = leaf("Per", lengthscale=1.0, period=period, sd=1.0) + leaf("WN", sd=1.0)
    assert default_horizon(_series(n, "D"), kernel) == steps


def test_horizons_of_numbers_and_of_several_inputs() -> None:
    assert default_horizon(load(pd.DataFrame({"x": X / 7.0, "y": X**2}), axis="raw")) == 3
    assert default_horizon(from_arrays(np.arange(8.0).reshape(4, 2), np.zeros(4))) == 0
