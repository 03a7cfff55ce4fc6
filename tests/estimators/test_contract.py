"""What users of scikit-learn do with an estimator: pipelines, grids, frames, importances, partial dependence."""

from collections import Counter
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from matplotlib import pyplot
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone, is_classifier
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import StackingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.inspection import PartialDependenceDisplay, partial_dependence, permutation_importance
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, TimeSeriesSplit, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler

import autostatistician
from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.errors import InputError
from autostatistician.search.state import Watched

N = 30
RNG = np.random.default_rng(0)
PLANE = pd.DataFrame({"age": RNG.uniform(0.0, 10.0, N), "mass": RNG.uniform(0.0, 10.0, N)}, index=range(100, 100 + N))
PLANE_Y = 2.0 * PLANE["mass"].to_numpy() + 0.1 * RNG.normal(size=N)
PLANE_CLASS = PLANE_Y + 4.0 * np.cos(7.0 * PLANE["age"].to_numpy()) > np.median(PLANE_Y)  # of no clear border
X = np.arange(float(N))[:, None]
Y = 0.5 * X[:, 0] + np.sin(X[:, 0] * np.pi / 3.0) + 0.1 * RNG.normal(size=N)
MONTHS = pd.DataFrame({"month": pd.date_range("2020-01-01", periods=N, freq="MS")})


PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
QUICK: dict[str, Any] = {"language": "linear", "max_depth": 1, "n_restarts": 1, "n_jobs": 1, "average": False}


def _quick(**settings: Any) -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK | {"target_options": PLAIN} | settings)


@pytest.fixture(scope="module")
def plane() -> AutomaticStatistician:
    """A straight line over one of two columns."""
    return _quick(language="interpretable").fit(PLANE, PLANE_Y)


@pytest.fixture(scope="module")
def wave() -> AutomaticStatistician:
    """A trend and a wave."""
    return _quick(language="interpretable", max_depth=2, n_restarts=3).fit(X, Y)


# --- every estimator ---------------------------------------------------------------------------------------------

EVERY: dict[str, tuple[dict[str, Any], dict[str, list[Any]]]] = {  # settings that are quick, and a grid
    "AdditiveGPRegressor": ({"n_restarts": 1}, {"max_order": [1, 2]}),
    "AutomaticStatistician": (QUICK | {"target_options": PLAIN}, {"max_depth": [0, 1]}),
    "AutomaticStatisticianClassifier": (QUICK, {"max_depth": [1, 2]}),
    "AdditiveGPClassifier": ({"n_restarts": 1}, {"max_order": [1, 2]}),
    "DeepGPRegressor": ({"n_restarts": 1, "max_iter": 50}, {"layers": [1, 2]}),
    "GPRegressor": ({"n_restarts": 1}, {"n_restarts": [1, 2]}),
    "GPClassifier": ({"n_restarts": 1}, {"inference": ["ep", "laplace"]}),
    "HKLClassifier": ({"lambdas": (1e-3, 1e-4)}, {"cv": [2, 3]}),
    "HKLRegressor": ({"lambdas": (1e-3, 1e-4)}, {"cv": [2, 3]}),
    "MultiOutputGPRegressor": ({"n_restarts": 1}, {"n_restarts": [1, 2]}),
    "SemiParametricGPRegressor": ({"n_restarts": 1}, {"n_restarts": [1, 2]}),
    "SymmetricGPRegressor": ({"n_restarts": 1}, {"kernel": ["SE[age] + SE[mass] + WN", "SE[age] + WN"]}),
}


def test_none_is_forgotten() -> None:
    offered = {name: getattr(autostatistician, name) for name in autostatistician.__all__}
    kinds = (RegressorMixin, ClassifierMixin)  # those without a target have contracts of their own
    wanted = [name for name, one in offered.items() if isinstance(one, type) and issubclass(one, kinds)]
    assert sorted(EVERY) == sorted(wanted)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.gp.classes.approximations.SeparableWarning")
@pytest.mark.parametrize("name", sorted(EVERY))
def test_every_estimator_works_in_pipelines_grids_and_inspection(name: str) -> None:
    settings, grid = EVERY[name]
    model = getattr(autostatistician, name)(**settings)
    y, least_score, least_importance = (PLANE_CLASS, 0.8, 0.2) if is_classifier(model) else (PLANE_Y, 0.9, 0.5)
    assert clone(model).get_params() == model.get_params()
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), clone(model))
    assert pipeline.fit(PLANE, y).score(PLANE, y) > least_score
    found = GridSearchCV(model, grid, cv=2, error_score="raise").fit(PLANE, y)
    assert set(found.best_params_) == set(grid)
    best = found.best_estimator_
    age, mass = permutation_importance(best, PLANE, y, n_repeats=2, random_state=0).importances_mean
    assert mass > least_importance > abs(age)
    average = partial_dependence(best, PLANE, ["mass"], grid_resolution=4)["average"][0]
    assert np.all(np.diff(average) > 0.0)


# --- one interface ----------------------------------------------------------------------------------------------

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "estimators.md"
ESTIMATORS = sorted(
    name
    for name in autostatistician.__all__
    if isinstance(getattr(autostatistician, name), type) and issubclass(getattr(autostatistician, name), BaseEstimator)
)
BY_PLACE = {
    "X",
    "y",
    "Z",
    "kernel",
    "columns",
    "path",
    "steps",
    "n_samples",
    "horizon",
    "saved",
    "input_features",
    "question",
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_constructors_are_short_and_only_the_first_setting_has_a_place(name: str) -> None:
    first, *others = signature(getattr(autostatistician, name)).parameters.values()
    assert len(others) < 10
    assert all(one.kind is Parameter.KEYWORD_ONLY for one in others), first


@pytest.mark.parametrize("name", ESTIMATORS)
def test_methods_take_the_data_by_place_and_all_else_by_name(name: str) -> None:
    kind = getattr(autostatistician, name)
    own = [one for base in kind.__mro__ if base.__module__.startswith("autostatistician") for one in vars(base)]
    for method in {one for one in own if not one.startswith("_") and callable(getattr(kind, one))}:
        given = signature(getattr(kind, method)).parameters.values()
        loose = {one.name for one in given if one.kind is Parameter.POSITIONAL_OR_KEYWORD} - {"self"}
        assert loose <= BY_PLACE, method


def test_settings_that_several_estimators_have_are_explained_on_one_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    alone = {"language", "max_depth", "criterion"}  # of searches
    alone |= {"max_order", "orders", "orthogonal", "order_lengthscales"}  # of additive models
    alone |= {"n_chains", "n_sweeps", "scaling"}  # of mixtures
    alone |= set(signature(autostatistician.HKLRegressor).parameters) - {"random_state"}
    counts = Counter(one for name in ESTIMATORS for one in signature(getattr(autostatistician, name)).parameters)
    shared = {name for name, times in counts.items() if times > 1} - alone
    assert not {name for name in shared if f"`{name}`" not in page and f"`{name}=" not in page}


# --- in company -------------------------------------------------------------------------------------------------


def test_it_ends_a_pipeline_and_hears_its_callback() -> None:
    told: list[Watched] = []
    pipeline = make_pipeline(StandardScaler(), _quick())
    pipeline.fit(PLANE, PLANE_Y, automaticstatistician__callback=told.append)
    assert [step.level for step in told] == [0, 1]
    assert pipeline.score(PLANE, PLANE_Y) > 0.99
    assert pipeline[-1].n_features_in_ == 2


def test_its_parts_feed_the_next_step_of_a_pipeline() -> None:
    pipeline = make_pipeline(_quick(), LinearRegression()).fit(X, Y)
    assert pipeline[-1].n_features_in_ == len(pipeline[0].get_feature_names_out())
    assert pipeline[-1].coef_ == pytest.approx(1.0, abs=0.1)
    assert pipeline.score(X, Y) > 0.9


@pytest.mark.slow
def test_it_works_inside_of_other_estimators() -> None:
    stacked = StackingRegressor([("ours", _quick()), ("line", LinearRegression())], cv=2).fit(PLANE, PLANE_Y)
    assert stacked.score(PLANE, PLANE_Y) > 0.9
    mapped = TransformedTargetRegressor(_quick(), func=np.sqrt, inverse_func=np.square).fit(X, 1.0 + X[:, 0] ** 2)
    assert mapped.score(X, 1.0 + X[:, 0] ** 2) > 0.9
    joined = make_union(_quick(), StandardScaler()).fit(PLANE, PLANE_Y)
    names = list(joined.get_feature_names_out())
    assert names[0].startswith("automaticstatistician__Lin")
    chosen = make_column_transformer((_quick(), ["mass"])).fit(PLANE, PLANE_Y)
    assert list(chosen.get_feature_names_out()) == ["automaticstatistician__Lin + C"]


@pytest.mark.slow
def test_a_grid_finds_the_language_and_the_depth() -> None:
    season = Y - 0.5 * X[:, 0]
    grid = {"language": ["linear", "interpretable"], "max_depth": [0, 1]}
    folds = KFold(3, shuffle=True, random_state=0)  # of twenty rows at least: in fewer no cycle is sought
    found = GridSearchCV(_quick(n_restarts=2), grid, cv=folds, error_score="raise").fit(X, season)
    assert found.best_params_ == {"language": "interpretable", "max_depth": 1}
    assert found.best_estimator_.get_params()["max_depth"] == 1
    assert found.score(X, season) > 0.9


def test_a_grid_over_dates() -> None:
    found = GridSearchCV(_quick(), {"max_depth": [0, 1]}, cv=TimeSeriesSplit(2), error_score="raise").fit(MONTHS, Y)
    assert found.best_params_ == {"max_depth": 1}
    assert found.best_estimator_.forecast(2)["time"].tolist() == [
        pd.Timestamp("2022-07-01"),
        pd.Timestamp("2022-08-01"),
    ]


def test_scores_and_predictions_of_folds() -> None:
    assert cross_val_score(_quick(), PLANE, PLANE_Y, cv=2, error_score="raise").min() > 0.9
    assert cross_val_predict(_quick(), PLANE, PLANE_Y, cv=2) == pytest.approx(PLANE_Y, abs=1.0)


# --- the transform ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wave", "plane"])
def test_the_columns_of_the_transform_add_up_to_the_prediction(kind: str, request: pytest.FixtureRequest) -> None:
    model, at = request.getfixturevalue(kind), X if kind == "wave" else PLANE
    parts = model.transform(at)
    assert parts.shape == (N, len(model.get_feature_names_out()))
    assert parts.sum(axis=1) + model.dataset_.offset == pytest.approx(model.predict_signal(at))


@pytest.mark.slow
def test_parts_are_those_of_decompose_without_the_noise(wave: AutomaticStatistician) -> None:
    known = {part.expression: part.mean for part in wave.decompose(X)}
    assert set(wave.get_feature_names_out()) == set(known) - {"WN"}
    for name, values in zip(wave.get_feature_names_out(), wave.transform(X).T, strict=True):
        np.testing.assert_allclose(values, known[name])


def test_fit_transform_is_fit_and_transform() -> None:
    np.testing.assert_array_equal(_quick().fit_transform(PLANE, PLANE_Y), _quick().fit(PLANE, PLANE_Y).transform(PLANE))


def test_frames_come_out_where_frames_are_asked_for() -> None:
    model = _quick().set_output(transform="pandas").fit(PLANE, PLANE_Y)
    found = model.transform(PLANE)
    assert list(found.columns) == list(model.get_feature_names_out())
    assert found.index.tolist() == PLANE.index.tolist()
    other = model.set_output(transform="polars").transform(PLANE)
    assert isinstance(other, pl.DataFrame)
    np.testing.assert_array_equal(other.to_numpy(), found.to_numpy())
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(_quick().fit_transform(PLANE, PLANE_Y), pd.DataFrame)
    assert clone(model).set_output(transform="default").fit(MONTHS, Y).transform(MONTHS).shape == (
        N,
        1,
    )  # a line and its level


def test_noise_alone_has_no_columns() -> None:
    model = _quick(language="interpretable", max_depth=0).fit(X, Y)
    assert model.transform(X).shape == (N, 0)
    assert list(model.get_feature_names_out()) == []
    with pytest.raises(InputError, match="parts along a single column; found none"):
        model.plot.correlation()


def test_before_the_fit_there_are_no_parts() -> None:
    for ask in ("get_feature_names_out", "component_covariance", "component_correlation"):
        with pytest.raises(NotFittedError):
            getattr(_quick(), ask)()
    with pytest.raises(NotFittedError):
        _quick().plot.correlation()
    with pytest.raises(NotFittedError):
        _quick().transform(X)


# --- what parts have to do with each other ----------------------------------------------------------------------


def test_correlations_are_drawn(wave: AutomaticStatistician, plane: AutomaticStatistician) -> None:
    names = list(wave.get_feature_names_out())
    figure = wave.plot.correlation(points=20)
    panels = figure.axes[: len(names) ** 2]
    assert [axes.get_title().replace("\n", " ") for axes in panels[: len(names)]] == names
    images = [axes.images[0] for axes in panels]
    assert all(image.get_clim() == (-0.5, 1.0) for image in images)
    np.testing.assert_allclose(images[1].get_array(), images[len(names)].get_array().T, atol=1e-12)
    assert plane.plot.correlation(points=5).axes[0].get_xlabel() == "mass"
    dated = _quick().fit(MONTHS, Y).plot.correlation(points=5)
    dated.canvas.draw()
    assert {"2020", "2021", "2022"} <= {tick.get_text() for tick in dated.axes[-2].get_xticklabels()}


def test_categories_are_drawn_by_their_names() -> None:
    kinds = np.array(["blue", "green", "red"])[np.arange(N) % 3]
    y = np.array([0.0, 1.0, 3.0])[np.arange(N) % 3] + 0.1 * RNG.normal(size=N)
    model = _quick(language="interpretable").fit(PLANE[["mass"]].assign(kind=kinds), y)
    assert list(model.get_feature_names_out()) == ["Cat[kind]"]
    figure = model.plot.correlation(points=9)
    figure.canvas.draw()
    panel = figure.axes[0]
    assert panel.images[0].get_array().shape == (3, 3)
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["blue", "green", "red"]


# --- inspection -------------------------------------------------------------------------------------------------


def test_partial_dependence_is_the_line_that_made_the_data(plane: AutomaticStatistician) -> None:
    display = PartialDependenceDisplay.from_estimator(plane, PLANE, ["age", "mass"], grid_resolution=5)
    try:
        assert [axes.get_xlabel() for axes in display.axes_.ravel()] == ["age", "mass"]
    finally:
        pyplot.close(display.figure_)
    found = partial_dependence(plane, PLANE, ["mass"], grid_resolution=5)
    (places,) = found["grid_values"]
    assert np.diff(found["average"][0]) / np.diff(places) == pytest.approx(2.0, abs=0.05)


# --- what cannot be predicted -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity")])
@pytest.mark.parametrize("ask", ["predict", "transform", "predict_quantiles", "component_covariance"])
def test_cells_without_a_number_are_named(plane: AutomaticStatistician, ask: str, value: float, word: str) -> None:
    rows = PLANE.copy()
    rows.iloc[[2, 5], 1] = value
    with pytest.raises(InputError) as caught:
        getattr(plane, ask)(rows)
    assert str(caught.value) == (
        f"expected finite numbers in column 'mass' of every row; found {word} in row 3 and something of the kind in "
        "1 other row; fill them in or leave such rows out"
    )


def test_cells_without_a_number_are_named_at_the_fit_and_on_a_line(wave: AutomaticStatistician) -> None:
    with pytest.raises(InputError, match="column 'age' of every row; found infinity in row 1; fill"):
        _quick().fit(PLANE.assign(age=[np.inf, *PLANE["age"][1:]]), PLANE_Y)
    with pytest.raises(InputError, match="target of every row; found NaN in row 2 and in 1 other row; leave"):
        _quick().fit(PLANE.iloc[:4], [1.0, np.nan, 2.0, np.nan])
    left = _quick().fit(PLANE.assign(y=[np.nan, *PLANE_Y[1:]]), "y")
    assert left.dataset_.n == N - 1
    with pytest.raises(InputError, match="column 'x2' of every row; found infinity in row 1"):
        _quick().fit([[1.0, np.inf], [2.0, 3.0]], [1.0, 2.0])
    with pytest.raises(InputError, match="column 'x' of every row; found NaN in row 1"):
        wave.predict([[np.nan]])


def test_columns_are_asked_for_by_name(plane: AutomaticStatistician, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="yet now missing:\n- mass"):
        plane.predict(PLANE[["age"]])
    with pytest.raises(InputError, match=r"a column 'mas' for the target; found .*; did you mean 'mass'"):
        _quick().fit(PLANE, "mas")
    plane.save(tmp_path / "m.json")
    loaded = AutomaticStatistician.load(tmp_path / "m.json")
    with pytest.raises(InputError, match="the columns 'age', 'mass'; found only 'age', 'weight'; add 'mass'"):
        loaded.predict(PLANE.rename(columns={"mass": "weight"}))
    np.testing.assert_array_equal(loaded.predict(PLANE[["mass", "age"]]), plane.predict(PLANE))
    np.testing.assert_array_equal(loaded.predict(PLANE.set_axis(["p", "q"], axis=1)), plane.predict(PLANE))


def test_a_column_that_never_varies_is_said() -> None:
    model = _quick().fit(PLANE.assign(same=1.0), PLANE_Y)
    assert "All rows have the same value of column 'same', so nothing can be said about it." in model.dataset_.warnings
    assert "same" not in str(model.kernel_)
