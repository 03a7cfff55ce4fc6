"""scikit-learn's contract of the additive regressor, and the tools of scikit-learn that people use with it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.estimators.contract import once_each

from autostatistician import AdditiveGPRegressor

RNG = np.random.default_rng(3)
FRAME = pd.DataFrame(RNG.uniform(-2.0, 2.0, (40, 3)), columns=["a", "b", "c"])
Y = np.sin(FRAME["a"]) * 2.0 + FRAME["b"] + 0.05 * RNG.normal(size=40)
QUICK = {"max_order": 2, "n_restarts": 1}


@pytest.mark.slow
@once_each(AdditiveGPRegressor(max_order=1, n_restarts=1))
def test_scikit_learn_accepts_it(estimator: AdditiveGPRegressor, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def test_in_a_pipeline_the_units_of_the_columns_do_not_matter() -> None:
    plain = AdditiveGPRegressor(**QUICK).fit(FRAME, Y)
    piped = make_pipeline(StandardScaler(), AdditiveGPRegressor(**QUICK)).fit(FRAME * [1.0, 100.0, 0.01], Y)
    mean, sd = piped.predict(FRAME * [1.0, 100.0, 0.01], return_std=True)
    assert mean == pytest.approx(plain.predict(FRAME), abs=1e-4)
    assert (sd > 0.0).all()


def test_importance_and_partial_dependence_are_those_of_the_function() -> None:
    model = AdditiveGPRegressor(**QUICK).fit(FRAME, Y)
    importance = permutation_importance(model, FRAME, Y, n_repeats=3, random_state=0).importances_mean
    assert np.argsort(-importance).tolist() == [0, 1, 2]
    found = partial_dependence(model, FRAME, ["a"], kind="average", grid_resolution=9)
    at, average = found["grid_values"][0], found["average"][0]
    assert average - average[4] == pytest.approx(2.0 * (np.sin(at) - np.sin(at[4])), abs=0.2)
    own = model.effect("a", pd.DataFrame({"a": at, "b": 0.0, "c": 0.0}))[0]
    assert own == pytest.approx(average - model.predict(_everywhere()).mean(), abs=1e-6)


def _everywhere() -> pd.DataFrame:
    """Each value of the first column with each row of the others: the two are made independent."""
    tables = [FRAME.assign(a=value) for value in FRAME["a"]]
    return pd.concat(tables, ignore_index=True)


def test_predictions_need_the_columns_of_the_fit_and_numbers() -> None:
    model = AdditiveGPRegressor(**QUICK).fit(FRAME, Y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(FRAME.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="NaN"):
        model.predict(FRAME.assign(a=np.nan))
