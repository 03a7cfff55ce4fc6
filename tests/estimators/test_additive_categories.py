"""Columns of categories in additive models: kernels against double loops, the fit, new categories, pictures."""

from __future__ import annotations

import pickle
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician import AdditiveGPRegressor
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
N = 60
FRAME = pd.DataFrame(
    {
        "size": RNG.uniform(0.0, 10.0, N),
        "kind": np.array(["flat", "house"])[RNG.integers(0, 2, N)],
        "place": pd.Categorical(np.array(["west", "north", "south"])[np.arange(N) % 3], ["north", "south", "west"]),
        "garden": RNG.integers(0, 2, N) > 0,
    }
)
LEVEL = FRAME["place"].map({"north": 3.0, "south": 0.0, "west": -1.5}).to_numpy(dtype=float)
SLOPE = np.where(FRAME["kind"] == "house", 1.0, -1.0)
Y = LEVEL + SLOPE * np.sin(FRAME["size"].to_numpy()) + 0.1 * RNG.standard_normal(N)


@pytest.fixture(scope="module")
def model() -> AdditiveGPRegressor:
    return AdditiveGPRegressor(max_order=2, n_restarts=2).fit(FRAME, Y)


@pytest.mark.parametrize("orthogonal", [False, True])
def test_levels_and_curves_of_categories_are_found(orthogonal: bool) -> None:
    model = AdditiveGPRegressor(max_order=2, n_restarts=2, orthogonal=orthogonal).fit(FRAME, Y)
    assert [base.symbol for base in model.fitted_.kernel.layout.bases] == ["SE", "Cat", "Cat", "Cat"]
    new = pd.DataFrame({"size": [2.0] * 3, "kind": ["house"] * 3, "garden": [True] * 3})
    found = model.predict(new.assign(place=["north", "south", "west"])[list(FRAME.columns)])
    assert found == pytest.approx(np.sin(2.0) + np.array([3.0, 0.0, -1.5]), abs=0.25)
    shares = model.sobol().set_index("columns")["share"]
    assert shares.index[:2].tolist() == [("place",), ("size", "kind")]
    relevance = model.relevance_.set_index("column")
    assert relevance["share"]["garden"] < 1.0
    assert relevance["sentence"]["place"].startswith("place matters: ")


def test_effects_of_all_sets_sum_to_the_function(model: AdditiveGPRegressor) -> None:
    sets = [one for order in (0, 1, 2) for one in combinations(range(4), order)]
    total = sum(model.effect(one, FRAME)[0] for one in sets)
    assert total + model.y_mean_ == pytest.approx(model.predict(FRAME))
    assert model.effect("place", FRAME)[0].mean() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("frame", [pl.from_pandas(FRAME), FRAME.astype({"garden": str, "place": str})])
def test_the_kind_of_frame_does_not_matter(model: AdditiveGPRegressor, frame: object) -> None:
    again = AdditiveGPRegressor(max_order=2, n_restarts=2).fit(frame, Y)
    assert again.inputs_ == model.inputs_
    assert np.array_equal(again.predict(frame), model.predict(FRAME))


def test_the_order_of_levels_does_not_matter() -> None:
    turned = FRAME.astype({"place": pd.CategoricalDtype(["west", "south", "north"])})
    settings = {"max_order": 2, "n_restarts": 1, "orthogonal": True}
    one, other = (AdditiveGPRegressor(**settings).fit(frame, Y) for frame in (FRAME, turned))
    assert one.predict(FRAME) == pytest.approx(other.predict(turned), abs=1e-6)


@pytest.mark.parametrize("orthogonal", [False, True])
def test_new_categories_are_refused_or_uncertain(orthogonal: bool) -> None:
    fitted = AdditiveGPRegressor(max_order=2, n_restarts=1, orthogonal=orthogonal).fit(FRAME, Y)
    strange = FRAME[:1].assign(place="east")
    with pytest.raises(InputError, match=r"a category of column 'place' that the data had .* found 'east' in row 1"):
        fitted.predict(strange)
    fitted.unseen = "new"
    mean, sd = fitted.predict(strange, return_std=True)
    known, own = fitted.predict(pd.concat([strange.assign(place=one) for one in ("north", "west")]), return_std=True)
    assert known[1] < mean[0] < known[0]
    assert sd[0] > 3.0 * own.max()
    with pytest.raises(InputError, match="unseen='error' or unseen='new'"):
        AdditiveGPRegressor(unseen="ignore").fit(FRAME, Y)


def test_bases_fit_the_kind_of_the_column() -> None:
    listed = AdditiveGPRegressor(["Matern32", "Cat", "Cat", "Cat"], max_order=1, n_restarts=1).fit(FRAME, Y)
    named = AdditiveGPRegressor({"size": "Matern32"}, max_order=1, n_restarts=1).fit(FRAME, Y)
    assert np.array_equal(listed.predict(FRAME), named.predict(FRAME))
    with pytest.raises(InputError, match="a leaf for a column of categories; found 'SE' for 'kind'; choose 'Cat'"):
        AdditiveGPRegressor({"kind": "SE"}).fit(FRAME, Y)
    with pytest.raises(InputError, match="a leaf for a column of numbers; found 'Cat' for 'size'"):
        AdditiveGPRegressor("Cat").fit(FRAME, Y)


def test_pickles_know_their_levels(model: AdditiveGPRegressor) -> None:
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(FRAME), model.predict(FRAME))
