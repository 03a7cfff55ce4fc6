"""A predictor of GluonTS."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.adapters.entries import predict_quantiles

pytest.importorskip("gluonts", reason="needs gluonts (extra 'gluonts')")

from gluonts.dataset.pandas import PandasDataset
from gluonts.model.predictor import Predictor

from autostatistician.adapters.gluonts import AutomaticStatisticianPredictor

SETTINGS = {"language": "linear", "max_depth": 1, "n_restarts": 1}
N = 30
NOISY = 10.0 + 2.0 * np.arange(N) + np.random.default_rng(0).normal(size=N)


def _data() -> PandasDataset:
    days = pd.period_range("2024-01-01", periods=N, freq="D")
    return PandasDataset({name: pd.Series(NOISY + shift, days) for name, shift in (("a", 0.0), ("b", 50.0))})


def test_forecasts_are_those_of_the_plain_function() -> None:
    predictor = AutomaticStatisticianPredictor(prediction_length=3, settings=SETTINGS)
    made = list(predictor.predict(_data()))
    simple = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1)
    quantiles, mean = predict_quantiles(_data(), 3, [0.1, 0.9], estimator=simple)
    assert [each.item_id for each in made] == ["a", "b"]
    assert made[0].start_date == pd.Period("2024-01-31", "D")
    np.testing.assert_allclose([each.mean for each in made], mean, rtol=1e-9)
    np.testing.assert_allclose([each.quantile("0.9") for each in made], quantiles[:, :, 1], rtol=1e-9)


def test_a_predictor_is_kept_in_a_folder(tmp_path: Path) -> None:
    predictor = AutomaticStatisticianPredictor(3, [0.25, 0.75], SETTINGS)
    predictor.serialize(tmp_path)
    again = Predictor.deserialize(tmp_path)
    assert again == predictor
    assert again.settings == SETTINGS
    assert next(again.predict(_data())).forecast_keys == ["mean", "0.25", "0.75"]
