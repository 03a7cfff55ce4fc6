"""Models of series and tables: fitting, settings, scores and functions."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician.data.classes import against_rest
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import from_arrays
from autostatistician.data.load import load
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.transform import Transform, transform_of
from autostatistician.errors import InputError
from autostatistician.fitted import fitting
from autostatistician.fitted.covariate_effects import with_columns
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.function import change_of, function_of
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.fitted.progress import SearchProgress, begun, watched_by
from autostatistician.fitted.rescoring import rescored
from autostatistician.fitted.several_classes import EachAgainstRest
from autostatistician.gp import condition
from autostatistician.gp.criteria import bic
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.parameters.scales import learned_priors
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import has_changes
from autostatistician.regressors.effects import Clock, CovariateScale, Effect
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.search.run import Settings, search
from autostatistician.search.state import SearchResult, Watched

QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)
X = np.arange(30.0)
DAYS = pd.date_range("2020-01-01", periods=30, freq="MS")


def test_a_model_says_what_it_is(model: Model) -> None:
    assert repr(model).startswith("Model('data': Lin + WN, nll=")
    assert model.kernel is model.search.best.kernel


def test_one_posterior_is_kept(model: Model) -> None:
    assert model.posterior is model.posterior
    mixed = replace(model.dataset, X=model.dataset.X[::-1], y=model.dataset.y[::-1])
    turned = replace(model, dataset=mixed).posterior  # rows in the order of their places, whatever it was
    np.testing.assert_array_equal(turned.X, model.posterior.X)
    assert turned.log_evidence == model.posterior.log_evidence


def test_what_is_kept_is_made_once_for_each_key(model: Model) -> None:
    made = []
    fresh = replace(model)
    for key in ("a", "b", "a"):
        assert fresh.once(key, lambda key=key: made.append(key) or key) == key
    assert made == ["a", "b"]


def test_a_model_of_a_search_that_goes_on_is_that_of_its_level() -> None:
    seen: list[Watched] = []
    data = load(pd.Series(np.exp(X / 9.0) + 1.0, index=DAYS, name="sales"))
    found = fit_model(data, "extended", QUICK, callback=seen.append)
    model = Model.so_far(data, "extended", seen[-1])
    assert model.kernel == found.kernel
    assert model.settings.criterion == found.settings.criterion
    assert model.transform == found.transform
    np.testing.assert_array_equal(model.posterior.y, found.posterior.y)


def test_scores_by_evidence_are_log_probabilities_of_the_data_themselves(by_evidence: Model) -> None:
    best, level = by_evidence.search.best, by_evidence.search.trace[-1]
    assert level.score == min(one.score for one in by_evidence.search.frontier)  # a simpler one may be told
    assert [one.score for one in by_evidence.search.trace] == sorted(
        (one.score for one in by_evidence.search.trace), reverse=True
    )
    found = search(by_evidence.modelled, LANGUAGES["extended"].with_priors, by_evidence.settings)
    jacobian = by_evidence.transform.log_jacobian(by_evidence.dataset.y)
    assert best.score == pytest.approx(found.best.score - 2.0 * jacobian)  # no penalty for the map
    assert level.bic == pytest.approx(found.trace[-1].bic - 2.0 * jacobian + by_evidence.penalty)


def test_a_model_knows_what_its_search_knew(by_evidence: Model, model: Model) -> None:
    assert by_evidence.priors == learned_priors()
    assert model.priors is None
    assert sum(weight for _, weight in by_evidence.structures) == pytest.approx(1.0)


def test_negative_numbers_of_workers_count_from_the_cores() -> None:
    found = fit_model(from_arrays(X, np.sin(X)), "se", replace(QUICK, n_jobs=-1))
    same = fit_model(from_arrays(X, np.sin(X)), "se", QUICK)
    assert found.kernel == same.kernel
    assert len(found.search.trace) == 2
    assert found.settings.n_jobs == -1


@pytest.mark.slow
def test_a_series_of_yes_and_no_gets_no_windows_of_noise() -> None:
    """A dry spell of a daily record of rain was told as two weeks without noise."""
    rain = (np.random.default_rng(3).uniform(size=80) < 0.4).astype(float)
    rain[30:50] = 0.0
    data = load(pd.Series(rain, index=pd.date_range("2021-01-01", periods=80), name="rain"))
    found = fit_model(data, "interpretable", replace(QUICK, max_depth=2))
    for one in found.search.frontier:
        assert not has_changes(one.kernel.expr)
        assert "*" not in str(one.kernel)
    assert any("two values only, 0 and 1" in warning for warning in data.warnings)


def test_one_step_of_a_series_with_two_values_is_a_step_all_the_same() -> None:
    step = from_arrays(X, np.where(X < 12.0, 3.0, 8.0))
    found = fit_model(step, "changepoint", replace(QUICK, max_depth=2, restarts=4))
    assert any(has_changes(one.kernel.expr) for one in found.search.frontier)


def test_what_comes_before_the_levels_takes_nothing_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[float | None] = []

    def watched(dataset: Any, language: Any, settings: Settings, *others: Any) -> SearchResult:
        budgets.append(settings.time_budget)
        return search(dataset, language, settings, *others)

    search = fitting.search
    monkeypatch.setattr(fitting, "search", watched)
    fit_model(from_arrays(X, X + np.sin(X)), "se", replace(QUICK, time_budget=100.0))
    assert budgets == [100.0]


@pytest.mark.slow
def test_a_report_of_a_small_budget_tells_what_was_tried() -> None:
    """White noise beside what a column adds was all that was fitted, and the column took the whole trend."""
    staff = np.random.default_rng(0).integers(8, 36, 30)
    sales = {"week": DAYS, "staff": staff, "sales": 100.0 * X + 5.0 * staff + np.random.default_rng(1).normal(size=30)}
    data = load(pd.DataFrame(sales), time="week", target="sales")
    found = fit_model(data, "extended", replace(QUICK, max_depth=3, time_budget=1e-6)).search
    assert (found.cut, [step.level for step in found.trace]) == ("budget", [0, 1])
    assert str(found.best.kernel) != "WN"


def test_growth_is_told_in_the_units_of_the_data(by_evidence: Model) -> None:
    course = there(function_of(by_evidence))
    assert 100.0 < course.first.height.number < 115.0
    assert 380.0 < course.last.height.number < 440.0
    assert course.rise.probability == 1.0
    assert course.rise_witness.agrees
    assert function_of(by_evidence) is course


def test_rows_of_a_curve_at_one_place_are_one() -> None:
    rng = np.random.default_rng(0)
    price = rng.integers(1, 11, 80).astype(float)
    units = 20.0 - 1.5 * price + 2.0 * rng.standard_normal(80)
    course = there(decomposition(fit_model(from_arrays(price, units), "linear", QUICK)).function)
    first, last = np.polyval(np.polyfit(price, units, 1), [1.0, 10.0])
    assert course.first.height.number == pytest.approx(first, abs=0.3)
    assert course.rise.number == pytest.approx(last - first, abs=0.5)
    assert course.rise_witness.agrees


@pytest.mark.long
def test_a_long_series_is_asked_at_some_of_its_places() -> None:
    x = np.arange(1200.0)
    y = 0.01 * x + 3.0 * np.cos(2.0 * np.pi * x / 24.0) + np.random.default_rng(0).normal(size=1200)
    settings = Settings(max_depth=1, restarts=1, n_jobs=1, criterion="bic")
    model = fit_model(from_arrays(x, y), "linear", settings)
    course = there(function_of(model))
    assert 9.0 < course.rise.number < 13.0
    change = change_of(model, np.array([101.0]), np.array([1101.0]))
    assert change.low < 10.0 < change.high
    assert change.high - change.low < 1.0


def test_a_watcher_hears_what_is_begun_inside_of_the_block_alone() -> None:
    heard: list[SearchProgress] = []
    with watched_by(heard.append):
        begun(SearchProgress.COLUMNS)
        with watched_by(lambda what: None):
            begun(SearchProgress.OUTLIERS)
        begun(SearchProgress.SCALE)
    begun(SearchProgress.COLUMNS)
    assert heard == [SearchProgress.COLUMNS, SearchProgress.SCALE]


LINE = np.arange(40.0)
DATA = from_arrays(LINE, 3.0 + 0.2 * LINE + np.random.default_rng(0).normal(size=40))


@pytest.mark.parametrize("criterion", ["evidence", "bic"])
def test_the_data_of_the_search_give_its_scores(criterion: str) -> None:
    model = fit_model(DATA, "linear", Settings(max_depth=1, restarts=2, n_jobs=1, criterion=criterion))
    posteriors = [condition(candidate.kernel, model.problem) for candidate, _ in model.structures]
    for again, (candidate, _) in zip(rescored(model, model, posteriors), model.structures, strict=True):
        assert again.kernel == candidate.kernel
        assert (again.nll, again.score) == pytest.approx((candidate.nll, candidate.score), rel=1e-9)


def test_other_parameters_cost_what_they_miss() -> None:
    model = fit_model(DATA, "linear", Settings(max_depth=1, restarts=2, n_jobs=1, criterion="bic"))
    kernels = [
        Kernel(candidate.kernel.expr, tuple(2.0 * value for value in candidate.kernel.values))
        for candidate, _ in model.structures
    ]
    best = rescored(model, model, [condition(kernel, model.problem) for kernel in kernels])[0]
    assert best.nll > model.search.best.nll + 1.0
    assert best.score - model.search.best.score == pytest.approx(
        bic(best.nll, best.kernel.expr, 40) - bic(model.search.best.nll, best.kernel.expr, 40)
    )


BAD: list[tuple[str, Settings, str]] = [
    ("ful", QUICK, "did you mean 'full'"),
    ("", QUICK, "a language among"),
    ("full", replace(QUICK, criterion="BIC"), "did you mean 'bic'"),
    ("full", replace(QUICK, max_depth=-1), "max_depth as a whole number from 0; found -1"),
    ("full", replace(QUICK, max_depth=1.5), "max_depth .*; found 1.5"),  # type: ignore[arg-type]
    ("full", replace(QUICK, restarts=0), "n_restarts as a whole number from 1; found 0"),
    ("full", replace(QUICK, n_jobs=0), "n_jobs"),
    ("full", replace(QUICK, n_jobs="two"), "n_jobs .*found 'two'"),  # type: ignore[arg-type]
    ("full", replace(QUICK, time_budget=-1.0), "time_budget as seconds above 0"),
    ("full", replace(QUICK, time_budget=float("nan")), "time_budget"),
    ("full", replace(QUICK, time_budget="1 h"), "time_budget"),  # type: ignore[arg-type]
    ("full", replace(QUICK, seed=-1), "seed"),
]


@pytest.mark.parametrize(("language", "settings", "message"), BAD)
def test_settings_out_of_range_are_said_in_one_line(language: str, settings: Settings, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        fit_model(from_arrays(X, X), language, settings)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def together() -> EachAgainstRest:
    rng = np.random.default_rng(1)
    X = rng.uniform(0.0, 3.0, (60, 2))
    data = replace(from_arrays(X, np.floor(X[:, 0])), classes=("a", "b", "c"))
    models = (
        fit_model(against_rest(data, place), "linear", Settings(1, 1, n_jobs=1), likelihood=Bernoulli())
        for place in range(3)
    )
    return EachAgainstRest(tuple(Predictor(model, Options(limits=None)) for model in models), data)


@pytest.mark.slow
def test_ranges_are_those_of_draws_and_hold_more_the_wider_they_are(together: EachAgainstRest) -> None:
    X = together.dataset.X[:7]
    narrow, wide = together.ranges(X, (0.25, 0.75)), together.ranges(X, (0.025, 0.975))
    assert narrow.shape == (2, 7, 3)
    assert (wide[0] <= narrow[0]).all()
    assert (narrow[1] <= wide[1]).all()
    np.testing.assert_array_equal(together.ranges(X, (0.25, 0.75)), narrow)
    told = together.told(X)
    assert all(((each.lower <= each.mean) & (each.mean <= each.upper)).all() for each in told)


@pytest.mark.slow
def test_what_is_explained_is_one_record_of_all(together: EachAgainstRest) -> None:
    found = together.explained()
    assert [record.classes for record in found.each] == [("not a", "a"), ("not b", "b"), ("not c", "c")]
    assert all(record.ahead is None for record in found.each)


PROMO = Covariate("promo", np.array([0.0, 1.0, 0.0, 0.0]))
EFFECTS = CovariateEffects(
    Covariates(np.arange(4.0), (PROMO,)), Clock(0.0, 3.0, 1.0, 0.0), (CovariateScale.of(PROMO),), (Effect("promo"),),
    np.full((5, 1), 0.5), {"promo": 1.0}, (1.0,),
)  # fmt: skip
SCREENING = Screening((Outlier(1.0, 150.0, 100.0), Outlier(2.0, 9.0, 1.0)), 9.0, far=(Outlier(1.0, -1.0, 2.0),))


def test_values_and_what_was_expected_move_together() -> None:
    moved = with_columns(SCREENING, EFFECTS, Transform())
    assert [(row.y, row.expected) for row in moved.rows] == [(150.5, 100.5), (9.0, 1.0)]
    assert with_columns(moved, EFFECTS, Transform(), times=-1.0) == SCREENING
    assert with_columns(Screening(), EFFECTS, Transform()) == Screening()


def test_on_logarithms_they_move_by_a_factor() -> None:
    moved = with_columns(SCREENING, EFFECTS, transform_of("log", np.array([100.0, 200.0])))
    assert moved.rows[0].y == pytest.approx(150.0 * np.exp(0.5))
    assert moved.far[0].y == -1.0


@pytest.mark.slow
@pytest.mark.as_for_users
def test_a_report_tells_what_the_table_held() -> None:
    rng = np.random.default_rng(4)
    n = 60
    price = (5.0 + rng.normal(size=n)).round(2)
    sales = (50.0 - 6.0 * (price - 5.0) + rng.normal(size=n)).round(1)
    sales[31] = 171.3
    frame = pd.DataFrame({"month": pd.date_range("2019-01-01", periods=n, freq="MS"), "sales": sales, "price": price})
    settings = Settings(max_depth=1, n_jobs=1, transform="none")
    model = fit_model(load(frame, target="sales"), "extended", settings)
    (outlier,) = decomposition(model, 0, checked=False).screening.rows
    assert outlier.y == pytest.approx(171.3)
    assert outlier.expected == pytest.approx(50.0 - 6.0 * (price[31] - 5.0), abs=2.0)
    assert any("'sales' is 171.3 where about" in warning for warning in model.dataset.warnings)
