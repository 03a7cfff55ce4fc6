"""Categories from the caller's frame to predictions: no encoding, no surprise with new ones, all languages."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.inspection import permutation_importance
from sklearn.model_selection import cross_val_score

from autostatistician import AutomaticStatistician
from autostatistician.errors import InputError
from autostatistician.kernels.grammar import LANGUAGES

RNG = np.random.default_rng(0)
N = 45
FRAME = pd.DataFrame(
    {"x": RNG.uniform(0.0, 10.0, N).round(2), "colour": np.array(["red", "green", "blue"])[np.arange(N) % 3]}
)
LEVEL = FRAME["colour"].map({"red": 2.0, "green": 0.0, "blue": -1.0}).to_numpy()
Y = 3.0 + np.sin(FRAME["x"].to_numpy()) + LEVEL + 0.1 * RNG.standard_normal(N)
QUICK: dict[str, Any] = {"language": "interpretable", "max_depth": 3, "n_restarts": 3, "n_jobs": 1}


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK).fit(FRAME, Y)


def test_the_search_finds_the_levels(model: AutomaticStatistician) -> None:
    assert "Cat[colour]" in str(model.kernel_)
    assert "[colour]" not in str(model.kernel_).replace("Cat[colour]", "")
    found = model.predict(pd.DataFrame({"x": [5.0] * 3, "colour": ["red", "green", "blue"]}))
    np.testing.assert_allclose(found - found[1], [2.0, 0.0, -1.0], atol=0.25)


DECLARED = FRAME.astype({"colour": pd.CategoricalDtype(["blue", "green", "red"])})


@pytest.mark.slow
@pytest.mark.parametrize("frame", [pl.from_pandas(FRAME), DECLARED], ids=["polars", "declared"])
def test_the_kind_of_frame_does_not_matter(model: AutomaticStatistician, frame: Any) -> None:
    again = AutomaticStatistician(**QUICK).fit(frame, Y)
    assert again.kernel_ == model.kernel_
    np.testing.assert_array_equal(again.predict(frame[:5]), model.predict(FRAME[:5]))


def test_the_order_of_levels_and_of_rows_hardly_matters(model: AutomaticStatistician) -> None:
    order = np.random.default_rng(1).permutation(N)
    turned = FRAME.astype({"colour": pd.CategoricalDtype(["red", "blue", "green"])}).iloc[order]
    again = AutomaticStatistician(**QUICK).fit(turned, Y[order])
    assert again.dataset_.levels == {"colour": ("red", "blue", "green")}
    np.testing.assert_allclose(again.predict(turned[:9]), model.predict(FRAME.iloc[order[:9]]), atol=0.1)


@pytest.mark.parametrize("average", [True, False])
def test_new_categories_are_refused_or_uncertain(model: AutomaticStatistician, average: bool) -> None:
    pink = pd.DataFrame({"x": [5.0], "colour": ["pink"]})
    twin = AutomaticStatistician(**QUICK, average=average).fit(FRAME, Y)
    with pytest.raises(InputError, match="'pink' in row 1"):
        twin.predict(pink)
    twin.unseen = "new"
    mean, sd = twin.predict(pink, return_std=True)
    known, own = twin.predict(pink.assign(colour="red"), return_std=True)
    assert mean[0] < known[0]
    assert sd[0] > 3.0 * own[0]


def test_unknown_wishes_are_said() -> None:
    with pytest.raises(InputError, match="unseen='error' or unseen='new'"):
        AutomaticStatistician(**QUICK, unseen="ignore").fit(FRAME, Y)


def test_a_saved_model_knows_its_levels(model: AutomaticStatistician, tmp_path: Any) -> None:
    model.save(tmp_path / "model.json")
    again = AutomaticStatistician.load(tmp_path / "model.json")
    assert again.dataset_.levels == {"colour": ("blue", "green", "red")}
    np.testing.assert_array_equal(again.predict(FRAME), model.predict(FRAME))
    swapped = FRAME[["colour", "x"]]  # a model from a file finds the columns by their names
    np.testing.assert_array_equal(again.predict(swapped), model.predict(FRAME))


def test_columns_are_those_of_the_fit(model: AutomaticStatistician) -> None:
    assert model.feature_names_in_.tolist() == ["x", "colour"]
    assert model.n_features_in_ == 2
    with pytest.raises(ValueError, match="feature names"):
        model.predict(FRAME[["x"]])


@pytest.mark.slow
def test_the_names_of_rows_are_no_categories() -> None:
    named = FRAME.set_index(pd.Index([f"row {k}" for k in range(N)]))
    assert AutomaticStatistician(**QUICK).fit(named, Y).dataset_.columns == ("x", "colour")


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_takes_tables_with_categories(language: str) -> None:
    settings = QUICK | {"language": language, "max_depth": 1, "n_restarts": 1}
    model = AutomaticStatistician(**settings).fit(FRAME, Y)
    assert np.isfinite(model.predict(FRAME)).all()


@pytest.mark.parametrize("frame", [FRAME[["colour"]], FRAME.assign(other="same"), FRAME.assign(flag=FRAME["x"] > 5.0)])
def test_one_column_alone_constant_ones_and_truth_values(frame: pd.DataFrame) -> None:
    model = AutomaticStatistician(**(QUICK | {"max_depth": 2})).fit(frame, Y)
    mean, sd = model.predict(frame, return_std=True)
    assert np.isfinite(mean).all()
    assert (sd > 0.0).all()


@pytest.mark.slow
def test_the_tools_of_scikit_learn_take_them(model: AutomaticStatistician) -> None:
    quick = clone(model).set_params(max_depth=2, n_restarts=1)
    assert cross_val_score(quick, FRAME, Y, cv=2).min() > 0.3
    importance = permutation_importance(model, FRAME, Y, n_repeats=2, random_state=0)
    assert importance.importances_mean.min() > 0.1


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_workers(model: AutomaticStatistician) -> None:
    again = AutomaticStatistician(**(QUICK | {"n_jobs": 2})).fit(FRAME, Y)
    assert again.kernel_ == model.kernel_
