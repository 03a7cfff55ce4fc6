from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.there import there

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.transform import Transform
from autostatistician.fitted.covariate_effects import added_by_columns, first_effects
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.fitted.storage import from_json, to_json
from autostatistician.gp import Problem, condition
from autostatistician.gp.posterior import with_functions
from autostatistician.gp.posterior.functionals import ColumnPrior
from autostatistician.gp.posterior.posterior import covariance_of
from autostatistician.gp.problem import Basis
from autostatistician.search.run import Settings

ROWS = 60


def _table(*, factor: bool = False) -> Dataset:
    rng = np.random.default_rng(2)
    x = np.arange(float(ROWS))
    promo = (rng.random(ROWS + 6) < 0.3).astype(float)
    y = 50.0 + 0.3 * x + 8.0 * promo[:ROWS] + rng.normal(0.0, 1.5, ROWS)
    if factor:
        y = np.exp(0.02 * x + 0.4 * promo[:ROWS] + rng.normal(0.0, 0.05, ROWS))
    noise = rng.standard_normal(ROWS + 6)
    columns = Covariates(np.arange(ROWS + 6.0), (Covariate("promo", promo), Covariate("noise", noise)))
    return replace(from_arrays(x, y), covariates=columns)


@cache
def _model(*, factor: bool = False) -> Model:
    settings = Settings(n_jobs=1, max_depth=1, transform="log" if factor else "none")
    return fit_model(_table(factor=factor), "linear", settings)


@pytest.mark.slow
def test_the_series_without_effects_and_the_effects_make_the_series() -> None:
    for factor in (False, True):
        model = _model(factor=factor)
        assert model.observed == pytest.approx(_table(factor=factor).y, rel=1e-10)


@pytest.mark.slow
def test_effects_are_found_beside_the_trend() -> None:
    effects = there(_model().effects)
    assert effects.acting == ("promo",)
    low, high = np.quantile(effects.curve("promo", np.array([1.0])), [0.025, 0.975])
    assert low < 8.0 < high
    assert high - low < 4.0


@pytest.mark.slow
def test_forecasts_follow_the_plan() -> None:
    model, planned = _model(), np.arange(float(ROWS), ROWS + 6.0)[:, None]
    promo = model.effects.columns.of("promo", planned[:, 0])  # type: ignore[union-attr]
    with_columns, usual = Predictor(model), Predictor(model, Options(columns=False))
    more = with_columns.predictive(planned).mean - usual.predictive(planned).mean
    assert more == pytest.approx(8.0 * promo, abs=1.5)
    assert set(promo.tolist()) == {0.0, 1.0}


@pytest.mark.slow
def test_factors_multiply_forecasts() -> None:
    model, planned = _model(factor=True), np.arange(float(ROWS), ROWS + 6.0)[:, None]
    promo = model.effects.columns.of("promo", planned[:, 0])  # type: ignore[union-attr]
    usual = Predictor(model, Options(columns=False))
    ratio = Predictor(model).predictive(planned).mean / usual.predictive(planned).mean
    assert ratio == pytest.approx(np.exp(0.4 * promo), rel=0.05)


@pytest.mark.slow
def test_joint_forecasts_have_the_moments_of_single_ones() -> None:
    planned = np.arange(float(ROWS), ROWS + 6.0)[:, None]
    for factor in (False, True):
        predictor = Predictor(_model(factor=factor), Options(limits=None))
        mean, cov = predictor.joint(planned)
        single = predictor.predictive(planned)
        assert mean == pytest.approx(single.mean, rel=1e-6)
        assert np.sqrt(cov.diagonal()) == pytest.approx(single.std, rel=1e-6)


def test_what_columns_add_has_the_spread_of_the_joint_model() -> None:
    """Against functions with normal coefficients beside the prior, whose posterior is exact."""
    model = _model()
    effects = there(model.effects)
    rng = np.random.default_rng(0)
    slope = replace(effects, effects=effects.effects[:1], shapes=(1.0,))
    feature = slope.matrix(model.problem.X[:, 0])[:, :1]
    observed = model.problem.y + feature[:, 0] * 8.0
    problem = replace(model.problem, y=observed)
    posterior = condition(model.kernel, problem)
    matrix = covariance_of(model.kernel, problem)
    vague = Basis(feature, np.array([1e-4]))
    exact = there(with_functions(ColumnPrior(problem.columns), problem.X, observed, matrix, vague))
    draws = exact.coefficients + rng.standard_normal((4000, 1)) * np.sqrt(exact.covariance)
    single = replace(slope, draws=draws)
    at = np.arange(ROWS - 10.0, ROWS + 6.0)
    joint = exact.project(model.posterior.halves[0], at[:, None], single.matrix(at))
    mean, deviations = added_by_columns(replace(model, effects=single), at)
    known = posterior.project(model.posterior.halves[0], at[:, None])  # type: ignore[arg-type]
    assert np.sqrt(known.variance + np.mean(deviations**2, axis=0)) == pytest.approx(joint.sd, rel=0.05)
    assert mean.shape == at.shape


def test_a_saved_model_forecasts_the_same() -> None:
    model = _model()
    again = from_json(to_json(model))
    ahead = np.arange(float(ROWS), ROWS + 4.0)[:, None]
    assert Predictor(again).predictive(ahead).mean == pytest.approx(Predictor(model).predictive(ahead).mean, rel=1e-9)


def test_columns_of_curves_and_of_very_few_rows_are_left_alone() -> None:
    few = _table()
    few = replace(few, X=few.X[:6], y=few.y[:6])
    assert first_effects(few, Transform(), Settings())[1] is None
    shuffled = replace(_table(), shuffled=True)
    assert first_effects(shuffled, Transform(), Settings())[1] is None


def test_the_problem_is_that_of_the_series_without_effects() -> None:
    model = _model()
    assert isinstance(model.problem, Problem)
    assert model.problem.y.std() < _table().y.std()
