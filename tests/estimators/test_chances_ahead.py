"""Chances at a time that is to come."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatisticianClassifier
from autostatistician.errors import InputError


def test_two_classes_over_time_are_asked() -> None:
    rng = np.random.default_rng(4)
    days = pd.date_range("2024-01-01", periods=50)
    rain = np.where(rng.uniform(size=50) < np.arange(50) / 50.0, "yes", "no")
    model = AutomaticStatisticianClassifier(language="linear", max_depth=1, n_restarts=1, n_jobs=1)
    model.fit(pd.DataFrame({"day": days, "rain": rain}), "rain")
    told = model.ask("forecast", at="2024-02-21")
    (fact,) = told.facts
    frame = model.forecast(2)
    assert fact["number"] == pytest.approx(100.0 * frame["probability"][1])
    assert told.sentences[0].startswith("The chance of 'rain' = 'yes' for 21 February 2024 is ")
    with pytest.raises(InputError, match="a time after the data"):
        model.ask("forecast", at="2024-01-05")
    with pytest.raises(InputError, match="name one"):
        model.ask("forecast")
