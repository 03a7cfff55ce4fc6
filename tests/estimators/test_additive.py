"""Additive kernels: polynomials against double loops, gradients, identities, effects and shares."""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autostatistician import AdditiveGPClassifier, AdditiveGPRegressor
from autostatistician.errors import InputError
from autostatistician.estimators.additive import AdditiveEstimator

RNG = np.random.default_rng(0)
POINTS = pd.DataFrame(RNG.standard_normal((90, 3)), columns=["a", "b", "c"])

SIDES = np.where(1.5 * np.sin(2.0 * POINTS["a"]) + POINTS["b"] + 0.3 * RNG.standard_normal(90) > 0.0, "up", "down")


@pytest.fixture(scope="module")
def classifier() -> AdditiveGPClassifier:
    return AdditiveGPClassifier(max_order=2, orthogonal=True).fit(POINTS, SIDES)


def test_what_columns_do(classifier: AdditiveGPClassifier) -> None:
    assert set(classifier.relevance_["column"][:2]) == {"a", "b"}
    assert classifier.relevance_["share"][2] < 10.0
    at = POINTS.iloc[:2].assign(a=[np.pi / 4.0, -np.pi / 4.0])
    effect, sd = classifier.effect("a", at)
    assert effect[0] > effect[1] + 1.0
    assert (sd > 0.0).all()
    assert classifier.sobol()["share"].sum() == pytest.approx(100.0, abs=1e-6)
    assert classifier.orders_["order"].tolist() == [1, 2]
    assert len(classifier.plot_effects(most=2).axes) == 2


def test_a_constant_is_always_there(classifier: AdditiveGPClassifier) -> None:
    assert classifier.fitted_.kernel.layout.orders == (0, 1, 2)
    first = AdditiveGPClassifier(orders=(1,), inference="laplace").fit(POINTS, SIDES)
    assert first.fitted_.kernel.layout.orders == (0, 1)


def test_no_effects_of_several_functions() -> None:
    three = np.select([POINTS["a"] > 0.5, POINTS["a"] > -0.5], [0, 1], 2)
    classifier = AdditiveGPClassifier(max_order=1, inference="laplace").fit(
        POINTS, np.where(RNG.random(90) < 0.2, 1, three)
    )
    with pytest.raises(InputError, match="two classes; found 3, with a function for each"):
        classifier.effect("a", POINTS)


N = 60
CHANCE = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "size": CHANCE.uniform(0.0, 10.0, N),
        "kind": np.array(["flat", "house"])[CHANCE.integers(0, 2, N)],
        "place": pd.Categorical(np.array(["west", "north", "south"])[np.arange(N) % 3], ["north", "south", "west"]),
        "garden": CHANCE.integers(0, 2, N) > 0,
    }
)

LEVEL = FRAME["place"].map({"north": 3.0, "south": 0.0, "west": -1.5}).to_numpy(dtype=float)
SLOPE = np.where(FRAME["kind"] == "house", 1.0, -1.0)
PRICES = LEVEL + SLOPE * np.sin(FRAME["size"].to_numpy()) + 0.1 * CHANCE.standard_normal(N)


@pytest.fixture(scope="module")
def model() -> AdditiveGPRegressor:
    return AdditiveGPRegressor(max_order=2, n_restarts=2).fit(FRAME, PRICES)


@pytest.mark.parametrize("orthogonal", [False, True])
def test_levels_and_curves_of_categories_are_found(orthogonal: bool) -> None:
    model = AdditiveGPRegressor(max_order=2, n_restarts=2, orthogonal=orthogonal).fit(FRAME, PRICES)
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


@pytest.mark.parametrize("orthogonal", [False, True])
def test_new_categories_are_refused_or_uncertain(orthogonal: bool) -> None:
    fitted = AdditiveGPRegressor(max_order=2, n_restarts=1, orthogonal=orthogonal).fit(FRAME, PRICES)
    strange = FRAME[:1].assign(place="east")
    with pytest.raises(InputError, match=r"a category of column 'place' that the data had .* found 'east' in row 1"):
        fitted.predict(strange)
    fitted.unseen = "new"
    mean, sd = fitted.predict(strange, return_std=True)
    known, own = fitted.predict(pd.concat([strange.assign(place=one) for one in ("north", "west")]), return_std=True)
    assert known[1] < mean[0] < known[0]
    assert sd[0] > 3.0 * own.max()


def test_bases_fit_the_kind_of_the_column() -> None:
    listed = AdditiveGPRegressor(["Matern32", "Cat", "Cat", "Cat"], max_order=1, n_restarts=1).fit(FRAME, PRICES)
    named = AdditiveGPRegressor({"size": "Matern32"}, max_order=1, n_restarts=1).fit(FRAME, PRICES)
    assert np.array_equal(listed.predict(FRAME), named.predict(FRAME))
    with pytest.raises(InputError, match="a leaf for a column of categories; found 'SE' for 'kind'; choose 'Cat'"):
        AdditiveGPRegressor({"kind": "SE"}).fit(FRAME, PRICES)
    with pytest.raises(InputError, match="a leaf for a column of numbers; found 'Cat' for 'size'"):
        AdditiveGPRegressor("Cat").fit(FRAME, PRICES)


PLANE = np.random.default_rng(0).standard_normal((20, 2))
PARITY = np.arange(20) % 2


@pytest.mark.parametrize("face", [AdditiveGPRegressor, AdditiveGPClassifier])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kernel": "Spline"}, "a leaf among SE"),
        ({"orders": "few"}, "orders 'free' or 'all-subsets'"),
        ({"orders": (3,)}, "orders from 1 to 2"),
        ({"max_order": 0}, "max_order as a whole number from 1"),
        ({"unseen": "guess"}, "unseen='error' or unseen='new'"),
    ],
)
def test_settings_that_will_not_do(face: type[AdditiveEstimator], settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        face(**settings).fit(PLANE, PARITY)


NOISE = np.random.default_rng(0)
X = NOISE.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * NOISE.normal(size=25)


def test_predictions_are_those_of_the_textbook() -> None:
    model = AdditiveGPRegressor(n_restarts=1).fit(X, Y)
    kernel, new = model.fitted_.kernel, X[:5] + 0.3
    K = kernel.matrix(model.X_train_) + kernel.noise_variance * np.eye(25)
    cross = kernel.covariance((new - model.centre_) / model.scale_, model.X_train_)
    mean, cov = model.predict(new, return_cov=True)
    expected = model.y_mean_ + cross @ np.linalg.solve(K, Y - model.y_mean_)
    assert mean == pytest.approx(expected)
    _, sd = model.predict(new, return_std=True)
    assert sd == pytest.approx(np.sqrt(cov.diagonal()))
    z = (Y[:5] - mean) / sd
    assert model.log_density(new, Y[:5]) == pytest.approx(-0.5 * z**2 - np.log(sd * np.sqrt(2 * np.pi)))


def test_a_sum_of_columns_is_found_and_carries_beyond_the_data() -> None:
    """Trained on an L of two arms, the sum is known in the corner between them (Duvenaud et al. 2011, figure 5)."""
    side = np.linspace(0.0, 3.0, 15)
    arms = np.array([*[(a, 0.0) for a in side], *[(0.0, b) for b in side], *[(0.3, b) for b in side]])
    noise = 0.02 * np.random.default_rng(0).normal(size=len(arms))
    model = AdditiveGPRegressor().fit(arms, np.sin(arms[:, 0]) + np.cos(arms[:, 1]) + noise)
    assert model.orders_["share"][0] > 90.0
    corner = np.array([[2.0, 2.0], [1.5, 2.5]])
    assert model.predict(corner) == pytest.approx(np.sin(corner[:, 0]) + np.cos(corner[:, 1]), abs=0.3)


def test_limits_leave_room_for_smooth_functions() -> None:
    """They have large variances, and beside those a column that does not matter needs a very long lengthscale."""
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(80, 5))
    y = inputs[:, 0] * inputs[:, 1] + inputs[:, 1] * inputs[:, 2] + 0.2 * rng.normal(size=80)
    model = AdditiveGPRegressor(n_restarts=1, learned_priors=False).fit(inputs, y)
    assert model.log_evidence_ > -35.0  # -37.4 with tighter limits


def test_a_base_for_each_column() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    listed = AdditiveGPRegressor(["Per", "SE", "Lin"], n_restarts=1).fit(frame, Y)
    named = AdditiveGPRegressor({"a": "Per", 2: "Lin"}, n_restarts=1).fit(frame, Y)
    assert [base.symbol for base in listed.fitted_.kernel.layout.bases] == ["Per", "SE", "Lin"]
    assert np.array_equal(listed.predict(frame), named.predict(frame))


def test_orders_can_be_chosen() -> None:
    model = AdditiveGPRegressor(orders=(3, 1), n_restarts=1).fit(X, Y)
    assert model.fitted_.kernel.layout.orders == (1, 3)
    assert model.orders_["order"].tolist() == [1, 2, 3]  # a product of three columns holds what two of them do


def test_orders_of_orthogonal_kernels_have_the_variance_of_their_terms() -> None:
    """Which is not one: what is constant has been taken off."""
    model = AdditiveGPRegressor(orthogonal=True, max_order=2, n_restarts=1).fit(X, Y)
    kernel = model.fitted_.kernel
    numbers, scales, _, _ = kernel.layout.split(kernel.u)
    base = kernel.layout.bases[0]
    z = [base.value(x, x, one) for x, one in zip(model.X_train_.T, kernel.layout.by_column(numbers), strict=True)]
    each = kernel.layout.term_variances(scales)
    expected = np.mean(sum(z)) * each[1], np.mean(z[0] * z[1] + z[0] * z[2] + z[1] * z[2]) * each[2]
    assert kernel.order_variances(model.X_train_)[1:] == pytest.approx(np.array(expected))


def test_orders_are_told() -> None:
    model = AdditiveGPRegressor(n_restarts=1, max_order=2).fit(X, Y)
    assert model.orders_["sets"].tolist() == [3, comb(3, 2)]
    assert model.orders_["share"].sum() == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"orthogonal": True, "kernel": "RQ"}, "kernel='SE'"),
        ({"kernel": ["SE", "SE"]}, "one leaf for each of the 3 columns"),
        ({"kernel": {"z": "SE"}}, "a column among column 0"),
        ({"orders": (0, 4)}, "orders from 1 to 3"),
        ({"order_lengthscales": "sqrt"}, "order_lengthscales"),
        ({"n_restarts": 0}, "n_restarts as a whole number from 1"),
    ],
)
def test_settings_are_checked(setting: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        AdditiveGPRegressor(**setting).fit(X, Y)


def test_hard_tables() -> None:
    wide = NOISE.normal(size=(6, 9))
    assert np.isfinite(AdditiveGPRegressor(n_restarts=1, max_order=2).fit(wide, wide[:, 0]).predict(wide)).all()
    constant = np.column_stack([X, np.ones(25)])
    assert np.isfinite(AdditiveGPRegressor(n_restarts=1).fit(constant, Y).predict(constant)).all()
    assert AdditiveGPRegressor(n_restarts=1).fit(X, np.full(25, 2.0)).predict(X) == pytest.approx(2.0, abs=1e-6)
    with pytest.raises(InputError, match="at most 1000000 rows"):
        AdditiveGPRegressor().fit(np.broadcast_to(0.0, (1_000_001, 1)), np.broadcast_to(0.0, 1_000_001))
    with pytest.raises(InputError, match="different columns"):
        AdditiveGPRegressor(n_restarts=1).fit(X, Y).effect((0, 0), X)


def test_joint_predictions_and_draws_agree_with_densities() -> None:
    model = AdditiveGPRegressor(max_order=2, n_restarts=1).fit(X, Y)
    mean, cov = model.predict(X[:4] + 0.3, return_cov=True)
    assert model.predict(X[:4] + 0.3, return_std=True)[1] == pytest.approx(np.sqrt(cov.diagonal()))
    drawn = model.sample_y(X[:4] + 0.3, 4000)
    assert drawn.shape == (4, 4000)
    assert drawn.mean(axis=1) == pytest.approx(mean, abs=0.1)
    density = np.exp(model.log_density(np.repeat(X[:1] + 0.3, 2000, axis=0), np.linspace(-15.0, 15.0, 2000)))
    assert density.sum() * 30.0 / 2000.0 == pytest.approx(1.0, abs=0.01)


DRAWN = np.random.default_rng(3)
THREE = pd.DataFrame(DRAWN.uniform(-2.0, 2.0, (40, 3)), columns=["a", "b", "c"])
SUMS = np.sin(THREE["a"]) * 2.0 + THREE["b"] + 0.05 * DRAWN.normal(size=40)
QUICK = {"max_order": 2, "n_restarts": 1}


def test_in_a_pipeline_the_units_of_the_columns_do_not_matter() -> None:
    plain = AdditiveGPRegressor(**QUICK).fit(THREE, SUMS)
    piped = make_pipeline(StandardScaler(), AdditiveGPRegressor(**QUICK)).fit(THREE * [1.0, 100.0, 0.01], SUMS)
    mean, sd = piped.predict(THREE * [1.0, 100.0, 0.01], return_std=True)
    assert mean == pytest.approx(plain.predict(THREE), abs=1e-4)
    assert (sd > 0.0).all()


def test_importance_and_partial_dependence_are_those_of_the_function() -> None:
    model = AdditiveGPRegressor(**QUICK).fit(THREE, SUMS)
    importance = permutation_importance(model, THREE, SUMS, n_repeats=3, random_state=0).importances_mean
    assert np.argsort(-importance).tolist() == [0, 1, 2]
    found = partial_dependence(model, THREE, ["a"], kind="average", grid_resolution=9)
    at, average = found["grid_values"][0], found["average"][0]
    assert average - average[4] == pytest.approx(2.0 * (np.sin(at) - np.sin(at[4])), abs=0.2)
    own = model.effect("a", pd.DataFrame({"a": at, "b": 0.0, "c": 0.0}))[0]
    assert own == pytest.approx(average - model.predict(_everywhere()).mean(), abs=1e-6)


def _everywhere() -> pd.DataFrame:
    """Each value of the first column with each row of the others: the two are made independent."""
    tables = [THREE.assign(a=value) for value in THREE["a"]]
    return pd.concat(tables, ignore_index=True)


def test_predictions_need_the_columns_of_the_fit_and_numbers() -> None:
    model = AdditiveGPRegressor(**QUICK).fit(THREE, SUMS)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(THREE.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="NaN"):
        model.predict(THREE.assign(a=np.nan))
