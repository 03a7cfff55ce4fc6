"""The record of columns beside a series, from a small search."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.promoted import AHEAD, fitted, table
from tests.promoted import ROWS as KNOWN
from tests.saved_models.models import kept
from tests.there import there

from autostatistician import AutomaticStatistician
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.new_rows import read_plan
from autostatistician.data.scenarios import plan_of
from autostatistician.decompose.records.series import ColumnEffect, ColumnsBeside, Decomposition
from autostatistician.errors import InputError
from autostatistician.fitted import covariate_forecasts
from autostatistician.fitted.covariate_forecasts import changed, forecast_covariates, typical
from autostatistician.fitted.covariate_record import columns_beside
from autostatistician.fitted.explanation import explain
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.forms import ColumnKind, EffectShape, Filling, Varying
from autostatistician.regressors.effects import Effect, basis_size
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.regressors.forecasts import beyond


def _model() -> tuple[Model, np.ndarray]:
    model = fitted().model_
    return model, there(model.dataset.axis).future(model.last, AHEAD)


def test_a_plan_is_the_one_course() -> None:
    model, x = _model()
    plan = read_plan(table()[KNOWN:], there(model.dataset.covariates), there(model.dataset.axis), model.last).columns
    taken = forecast_covariates(model, x, plan)
    assert taken.assumed == taken.forecast == ()
    assert taken.columns[0].of("promo", x).tolist() == plan.table[0].values.tolist()
    planned = fitted(True).model_
    np.testing.assert_allclose(
        Predictor(model, courses=taken.columns).predictive(x[:, None]).mean,
        Predictor(planned).predictive(x[:, None]).mean, rtol=1e-9,
    )  # fmt: skip


def test_without_a_plan_columns_are_as_before_and_named() -> None:
    model, x = _model()
    taken = forecast_covariates(model, x)
    assert taken.assumed == (("promo", Filling.USUAL), ("price", Filling.SEASON_BEFORE))
    assert len(taken.columns) == covariate_forecasts.COURSES
    for options in (Options(), Options(average=False)):
        likely, plain = (Predictor(model, options, one) for one in (taken.columns, ()))
        np.testing.assert_array_equal(likely.predictive(x[:, None]).std, plain.predictive(x[:, None]).std)
        known = Predictor(model, options, (typical(taken.columns),))
        assert (plain.predictive(x[:, None]).std > known.predictive(x[:, None]).std).all()
    assert forecast_covariates(replace(model, effects=None), x).columns == ()


@pytest.mark.slow
def test_forecast_columns_widen_the_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    model, x = _model()
    monkeypatch.setattr(covariate_forecasts, "DEPTH", 1)
    monkeypatch.setattr(covariate_forecasts, "MOST_ROWS", 30)
    taken = forecast_covariates(model, x, "auto")
    assert taken.forecast == ("promo", "price")
    assert len(taken.columns) == covariate_forecasts.COURSES
    promo = np.array([columns.of("promo", x) for columns in taken.columns])
    assert set(np.unique(promo)) == {0.0, 1.0}
    before = np.array([columns.of("price", model.dataset.x) for columns in taken.columns])
    assert np.ptp(before, axis=0).max() == 0.0
    wide = Predictor(model, courses=taken.columns)
    narrow = Predictor(model, courses=(typical(taken.columns),))
    assert (wide.predictive(x[:, None]).std > 3.0 * narrow.predictive(x[:, None]).std).all()


def test_categories_are_drawn_by_their_chances() -> None:
    drawn = covariate_forecasts._states(
        np.array([[0.2, 1.0], [0.5, 0.0], [0.3, 0.0]]), np.arange(3.0), np.random.default_rng(0)
    )
    assert set(np.unique(drawn[:, 0])) == {0.0, 1.0, 2.0}
    assert (drawn[:, 1] == 0.0).all()


def test_changes_hold_after_the_data_alone() -> None:
    model, x = _model()
    assert model.effects is not None
    other = changed(forecast_covariates(model, x), plan_of("promo=1"), model.effects)
    assert (other.columns[0].of("promo", x) == 1.0).all()
    before = model.dataset.x
    np.testing.assert_array_equal(other.columns[0].of("promo", before), model.effects.columns.of("promo", before))
    with pytest.raises(InputError, match="coupon"):
        changed(forecast_covariates(model, x), plan_of("coupon=1"), model.effects)


def test_values_beyond_those_seen_are_named() -> None:
    model, x = _model()
    assert model.effects is not None
    other = changed(forecast_covariates(model, x), plan_of("price=99"), model.effects)
    ((name, low, high),) = beyond(model.effects, other.columns[0], x)
    assert (name, low, high) == ("price", table()["price"][:KNOWN].min(), table()["price"][:KNOWN].max())
    assert beyond(model.effects, forecast_covariates(model, x).columns[0], x) == ()


def test_the_middle_of_several_courses() -> None:
    x, several = np.arange(2.0), []
    for promo, price in ((0.0, 4.0), (1.0, 5.0), (1.0, 9.0)):
        columns = (Covariate("promo", np.array([0.0, promo])), Covariate("price", np.array([np.nan, price])))
        several.append(Covariates(x, columns))
    promo, price = typical(several).table
    assert promo.values.tolist() == [0.0, 1.0]
    assert np.isnan(price.values[0])
    assert price.values[1] == 6.0


def test_too_many_steps_are_refused() -> None:
    model, x = _model()
    with pytest.raises(InputError, match="give a plan"):
        forecast_covariates(model, x[0] + 7.0 * np.arange(2000.0), "auto")


ROWS, PLANNED = 90, 4


@kept("weather")
def weeks() -> AutomaticStatistician:
    """Weeks with a promotion, a price, the weather and noise; four weeks of a plan."""
    rng = np.random.default_rng(2)
    n = ROWS + PLANNED
    t = np.arange(n)
    promo, price = (rng.random(n) < 0.3).astype(int), (5.0 + rng.normal(size=n)).round(2)
    weather = rng.choice(["rain", "sun"], n, p=[0.25, 0.75])
    sales = 100.0 + 0.4 * t + 25.0 * promo - 6.0 * (price - 5.0) - 12.0 * (weather == "rain") + rng.normal(size=n)
    weeks = pd.date_range("2023-01-02", periods=n, freq="W-MON")
    frame = pd.DataFrame({
        "week": weeks, "sales": sales.round(1), "price": price, "promo": promo, "weather": weather,
        "noise": rng.normal(size=n).round(2),
    })  # fmt: skip
    frame.loc[ROWS:, "sales"] = np.nan
    return AutomaticStatistician("linear", max_depth=1, n_jobs=1).fit(frame, "sales")


@pytest.fixture(scope="module")
def model(weeks: AutomaticStatistician) -> Model:
    return weeks.model_


@pytest.fixture(scope="module")
def record(model: Model) -> Decomposition:
    made = explain(Predictor(model), 6)
    assert isinstance(made, Decomposition)
    return made


@pytest.fixture(scope="module")
def beside(record: Decomposition) -> ColumnsBeside:
    return there(record.covariates)


def _of(beside: ColumnsBeside, name: str) -> ColumnEffect:
    return next(effect for effect in beside.effects if effect.name == name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "truth"),
    [("promo", ColumnKind.FLAG, 25.0), ("price", ColumnKind.NUMBER, -6.0), ("weather", ColumnKind.CATEGORY, -12.0)],
)
def test_effects_hold_the_truth_and_plain_statistics_agree(
    beside: ColumnsBeside, name: str, kind: ColumnKind, truth: float
) -> None:
    effect = _of(beside, name)
    assert effect.kind is kind
    assert effect.probability > 0.99
    assert effect.size.low - 0.3 < truth < effect.size.high + 0.3
    assert effect.shape is EffectShape.STRAIGHT
    assert (effect.lag, effect.kept, effect.varying) == (0, 0.0, Varying.NOTHING)
    assert there(effect.witness).agrees
    assert effect.apart > 0.5


@pytest.mark.slow
def test_noise_is_told_with_its_probability_alone(beside: ColumnsBeside) -> None:
    noise = _of(beside, "noise")
    assert noise.probability < 0.2
    assert noise.witness is None
    assert noise.share < 0.01


def test_the_likeliest_and_largest_come_first(beside: ColumnsBeside) -> None:
    shares = [effect.share for effect in beside.effects]
    assert shares == sorted(shares, reverse=True)
    assert beside.effects[0].name == "promo"
    assert beside.effects[-1].name == "noise"


def test_the_series_is_as_it_was_observed(model: Model, record: Decomposition, beside: ColumnsBeside) -> None:
    assert beside.y == pytest.approx(model.observed)
    errors = beside.y - beside.fit.mean
    assert np.std(errors) < 2.0
    assert np.mean((beside.y > beside.fit.lower) & (beside.y < beside.fit.upper)) > 0.9
    parts = record.signal.mean
    assert np.std(np.interp(record.x, record.signal.x, parts) - beside.y) > 5.0


def test_a_forecast_follows_its_plan_and_what_stands_in_beyond(beside: ColumnsBeside) -> None:
    promo = _of(beside, "promo")
    assert len(beside.forecast.x) == 6
    assert beside.planned_until == pytest.approx(beside.forecast.x[PLANNED - 1])
    assert dict(beside.fillings) == dict.fromkeys(("promo", "price", "weather"), Filling.USUAL)
    assert promo.added.x[-6:] == pytest.approx(beside.forecast.x)


def test_a_model_without_columns_has_no_record(model: Model, record: Decomposition) -> None:
    assert columns_beside(Predictor(replace(model, effects=None)), record) is None


def _effects(model: Model, *effects: tuple[Effect, tuple[float, ...]]) -> Model:
    """The model with other effects of its flag, each drawn about its coefficients."""
    assert model.effects is not None
    rng = np.random.default_rng(0)
    coefficients = np.concatenate([values for _, values in effects])
    draws = coefficients + 0.1 * rng.normal(size=(200, len(coefficients)))
    kinds = tuple(effect for effect, _ in effects)
    shapes = tuple(1.0 / len(kinds) for _ in kinds)
    scale = model.effects.scale_of(kinds[0].column)
    one = CovariateEffects(
        model.effects.columns.only([scale.name]), model.effects.clock, (scale,), kinds, draws, {scale.name: 1.0}, shapes
    )
    return replace(model, effects=one)


def _only(model: Model, record: Decomposition) -> ColumnEffect:
    made = there(columns_beside(Predictor(model), record))
    (effect,) = made.effects
    return effect


def test_what_comes_late_and_what_fades_is_told(model: Model, record: Decomposition) -> None:
    late = _only(_effects(model, (Effect("promo", lag=2), (25.0,))), record)
    assert (late.lag, late.lags, late.kept) == (2, (2, 2), 0.0)
    fading = _only(_effects(model, (Effect("promo", decay=0.7), (25.0,))), record)
    assert (fading.lag, fading.kept) == (0, pytest.approx(0.7))
    assert fading.size.number == pytest.approx(25.0, abs=0.2)


def test_what_changes_over_time_is_told_at_both_ends(model: Model, record: Decomposition) -> None:
    grown = _only(_effects(model, (Effect("promo", over="time"), (25.0, 10.0))), record)
    assert grown.varying is Varying.TIME
    assert [round(moment.effect.number) for moment in grown.moments] == [15, 35]


def test_curves_that_turn_are_told_with_the_place(model: Model, record: Decomposition) -> None:
    line_and_waves = 1 + basis_size(1.0)
    wave = np.zeros(line_and_waves)
    wave[1] = 20.0  # the first function of the basis has its top in the middle of the range
    turning = _only(_effects(model, (Effect("price", "smooth", lengthscale=1.0), tuple(wave))), record)
    assert turning.shape is EffectShape.TURNING
    assert len(turning.places) == 3
    assert turning.places[1].place == pytest.approx(0.5 * (turning.low + turning.high), abs=0.3)
    line = (9.0, *np.zeros(line_and_waves - 1))
    rising = _only(_effects(model, (Effect("price", "smooth", lengthscale=1.0), line)), record)
    assert rising.shape is EffectShape.CURVED
    assert len(rising.places) == 2


def test_plans_beyond_what_was_seen_are_named(model: Model, record: Decomposition) -> None:
    effects = there(model.effects)
    ahead = record.forecast.x
    columns = Covariates(np.concatenate([effects.columns.x[:ROWS], ahead]), tuple(
        replace(one, values=np.concatenate([one.values[:ROWS], np.full(len(ahead), 99.0)]))
        for one in effects.columns.table
        if one.name == "price"
    ))  # fmt: skip
    price = there(_effects(model, (Effect("price"), (-6.0,))).effects)
    made = there(columns_beside(Predictor(replace(model, effects=replace(price, columns=columns))), record))
    assert (made.beyond, made.fillings, made.planned_until) == (("price",), (), pytest.approx(ahead[-1]))


def test_an_effect_that_changes_is_averaged_where_the_column_is_in_use(model: Model, record: Decomposition) -> None:
    late = np.where(np.arange(ROWS + PLANNED) > 60, 1.0, 0.0)
    changed = _effects(model, (Effect("promo", over="time"), (25.0, 10.0)))
    columns = there(changed.effects).columns
    moved = replace(columns, table=(replace(columns.table[0], values=late),))
    made = _only(replace(changed, effects=replace(there(changed.effects), columns=moved)), record)
    assert made.size.number == pytest.approx(25.0 + 10.0 * 0.68, abs=0.7)
