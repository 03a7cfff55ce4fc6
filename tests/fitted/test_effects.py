"""Effects: of days, events and columns, in plain forms and what they would have been."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.promoted import PRICE, PROMOTION, ROWS, fitted, table
from tests.there import there

from autostatistician import GPClassifier
from autostatistician.data.covariates import Covariates
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.holidays import Event, Holidays
from autostatistician.data.inputs import InputColumns
from autostatistician.data.load import load
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.scenarios import Change
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.estimators.classes import AveragedFunction
from autostatistician.fitted import impact
from autostatistician.fitted.baseline_models import raced
from autostatistician.fitted.covariate_forecasts import changed, forecast_covariates
from autostatistician.fitted.covariate_record import events_beside
from autostatistician.fitted.differences import Amounts, difference, what_if
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.impact import EffectSize, impact_of
from autostatistician.fitted.model import Model
from autostatistician.fitted.ols_effects import ols_effects, season_in_steps
from autostatistician.fitted.predictions import Options, Predictor, at_positions, measured
from autostatistician.fitted.temperature_scaling import tempered
from autostatistician.gp import Problem
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import is_noise
from autostatistician.regressors.effects import Clock, CovariateScale, Effect
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.search.run import Settings

CHRISTMAS = CalendarDay("date", 12, 25)
DAILY = Axis("day", "day", "day", 1.0, "2021-01-01")


def test_ranges_with_the_variance_of_an_effect_hold_the_next_value_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    inside = []
    for _ in range(2000):
        deviations = -80.0 + rng.normal(0.0, 3.0, 6)
        effect = measured(CHRISTMAS, deviations[:5], np.full(5, 9.0))
        inside.append(abs(deviations[5] - effect.size) < 1.96 * np.sqrt(9.0 + effect.variance))
    assert 0.93 < np.mean(inside) < 0.99


def test_values_that_differ_more_than_the_noise_widen_what_is_foreseen() -> None:
    even, uneven = (measured(CHRISTMAS, np.array([-80.0 - d, -80.0 + d]), np.ones(2)) for d in (0.5, 20.0))
    assert even.variance == 0.5
    assert uneven.variance > 400.0


def test_effects_of_several_days_stand_on_their_days_alone() -> None:
    effects = [
        measured(CHRISTMAS, np.array([-80.0]), np.ones(1)),
        measured(CalendarDay("end"), np.array([5.0]), np.ones(1)),
    ]
    shift, variance = at_positions(effects, DAILY, np.array([30.0, 357.0, 358.0, 364.0]))
    assert shift.tolist() == [5.0, 0.0, -80.0, 5.0]
    assert variance.tolist() == [1.0, 0.0, 1.0, 1.0]
    assert at_positions([], None, np.zeros(2))[0].tolist() == [0.0, 0.0]


X = np.arange(800.0)
FEAST = Event.of("feast", np.array(["2023-03-01", "2023-03-02", "2024-03-01"], dtype="M8[D]"), before=1, after=0)


@pytest.fixture
def effects() -> CovariateEffects:
    """A feast that adds 20, and 5 on the day before; one that never acts."""
    calendar = Holidays(Axis("day", "day", "day", 1.0, "2023-01-01"), (FEAST,), "DE")
    columns = Covariates(X, (), (calendar,))
    scales = tuple(CovariateScale.of(column) for column in columns.at(X))
    draws = np.random.default_rng(0).normal([20.0, 5.0], 0.1, (100, 2))
    kinds = tuple(Effect(scale.name) for scale in scales)
    return CovariateEffects(columns, Clock(0.0, 799.0, 1.0, 0.0), scales, kinds, draws, {"feast": 1.0}, (1.0, 1.0))


def test_days_are_summed_and_occurrences_counted(effects: CovariateEffects) -> None:
    (event,) = events_beside(effects, X)
    assert event.name == "feast"
    assert event.total.number == pytest.approx(25.0, abs=0.1)
    assert event.total.low < 25.0 < event.total.high
    assert event.places == (59.0, 425.0)  # two days in a row are one


def test_draws_in_which_an_event_does_not_act_are_left_out(effects: CovariateEffects) -> None:
    draws = effects.draws.copy()
    draws[:60] = 0.0
    (event,) = events_beside(replace(effects, draws=draws), X)
    assert event.total.low > 24.0
    (rarely,) = events_beside(replace(effects, draws=np.where(np.arange(100)[:, None] < 95, 0.0, draws)), X)
    assert rarely.total.low == 0.0


def test_columns_that_were_not_used_make_no_event(effects: CovariateEffects) -> None:
    assert events_beside(replace(effects, scales=(), effects=(), draws=np.zeros((100, 0)), shapes=()), X) == ()
    (event,) = events_beside(replace(effects, scales=effects.scales[1:], effects=effects.effects[1:],
                                     draws=effects.draws[:, 1:], shapes=(1.0,)), X)  # fmt: skip
    assert event.total.number == pytest.approx(5.0, abs=0.1)
    assert len(event.places) == 2


QUICK = Settings(1, 2, n_jobs=1)
DAYS = np.arange(60.0)
Y = 10.0 + 0.3 * DAYS + np.random.default_rng(1).standard_normal(60)


def _event(size: float) -> Dataset:
    return from_arrays(DAYS, Y + size * (DAYS >= 50.0))


@pytest.mark.slow
def test_an_effect_is_found_and_no_effect_is_not() -> None:
    answer = impact_of(_event(5.0), 50.0, "linear", QUICK, Options())
    assert answer.average.lower < 5.0 < answer.average.upper
    assert answer.total.mean == pytest.approx(10.0 * answer.average.mean)
    assert there(answer.share).mean == pytest.approx(answer.total.mean / answer.mean.sum())
    assert answer.is_event
    assert len(answer.placebos) >= 12
    none = impact_of(_event(0.0), 50.0, "linear", QUICK, Options())
    assert none.average.lower < 0.0 < none.average.upper
    assert not none.is_event
    np.testing.assert_array_equal(none.mean, answer.mean)  # of the rows before alone
    np.testing.assert_array_equal(none.placebos, answer.placebos)


@pytest.mark.slow
def test_columns_are_as_they_were_after_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "PLACEBOS", 2)
    rows = table()[:ROWS]
    rows.loc[52:, "promo"] = 1.0 - rows.loc[52:, "promo"]
    rows["sales"] += 20.0 * (rows["promo"] - table()[:ROWS]["promo"])
    answer = impact_of(load(rows, target="sales"), fitted().dataset_.x[52], "linear", QUICK, Options())
    assert abs(answer.average.mean) < 1.0
    assert there(answer.model.effects).clock.last == fitted().dataset_.x[51]


def test_placebos_have_the_size_of_chance() -> None:
    noise = [from_arrays(DAYS, 10.0 + np.random.default_rng(seed).standard_normal(60)) for seed in range(4)]
    sizes = np.concatenate([impact_of(data, 55.0, "linear", QUICK, Options()).placebos for data in noise])
    assert 0.5 < np.sqrt(np.mean(sizes**2)) < 1.6


def test_few_earlier_dates_are_no_test() -> None:
    answer = impact_of(from_arrays(DAYS[:16], Y[:16] + 9.0 * (DAYS[:16] >= 14.0)), 14.0, "linear", QUICK, Options())
    assert not answer.tested
    assert answer.is_event == (answer.p_value < 0.05)
    tested = replace(answer, placebos=np.zeros(19), size=1.0)
    assert tested.tested
    assert tested.placebo_p == 0.05
    assert replace(answer, placebos=np.array([2.0, -2.0, 0.1]), size=1.0).placebo_p == 0.75


def test_dates_without_rows_around_them_are_refused() -> None:
    for since in (5.0, 99.0):
        with pytest.raises(InputError, match="before the event"):
            impact_of(_event(0.0), since, "linear", QUICK, Options())


def test_estimates_have_their_ends_in_order() -> None:
    assert EffectSize.of(-10.0, 1.0, 2.0).lower == pytest.approx(-5.98, abs=1e-3)


RNG = np.random.default_rng(5)
STEPS = np.arange(200.0)
FLAG = (RNG.random(200) < 0.3).astype(float)


def test_effects_are_found_beside_a_trend() -> None:
    price = RNG.normal(size=200)
    y = 25.0 * FLAG - 6.0 * price + 0.5 * STEPS + RNG.normal(size=200)
    made = there(ols_effects(STEPS, y, np.column_stack([FLAG, price]), 1.0, 1))
    assert made.coefficients == pytest.approx([25.0, -6.0], abs=0.7)
    assert (np.abs(made.coefficients - [25.0, -6.0]) < 3.5 * made.errors).all()


def test_errors_are_those_of_repetitions() -> None:
    estimates, errors = [], []
    for _ in range(200):
        made = there(ols_effects(STEPS, RNG.normal(size=200), FLAG[:, None], 1.0, 1))
        estimates.append(made.coefficients[0])
        errors.append(made.errors[0])
    assert np.mean(errors) == pytest.approx(np.std(estimates), rel=0.2)


def test_seasons_of_few_steps_are_differences_of_seasons() -> None:
    assert season_in_steps((24.0, 168.0), 1.0, 2000) == 24
    assert season_in_steps((12.0,), 1.0, 40) == 1
    assert season_in_steps((365.25,), 7.0, 300) == 1
    y = 25.0 * FLAG + 30.0 * np.sin(2.0 * np.pi * STEPS / 7.0) + 0.1 * RNG.normal(size=200)
    made = there(ols_effects(STEPS, y, FLAG[:, None], 1.0, 7))
    assert made.coefficients[0] == pytest.approx(25.0, abs=0.1)


def test_rows_across_a_gap_are_not_compared() -> None:
    kept = (STEPS < 80) | (STEPS > 120)
    y = np.where(STEPS > 100, 1e6, 0.0) + 3.0 * FLAG
    made = there(ols_effects(STEPS[kept], y[kept], FLAG[kept][:, None], 1.0, 1))
    assert made.coefficients[0] == pytest.approx(3.0)


def test_too_few_rows_and_columns_that_never_change_give_none() -> None:
    assert ols_effects(STEPS[:6], STEPS[:6], FLAG[:6, None], 1.0, 1) is None
    assert ols_effects(STEPS, STEPS, np.ones((200, 1)), 1.0, 1) is None


@pytest.mark.parametrize("apart", [1, 7])
def test_ranges_of_what_is_rare_hold(apart: int) -> None:
    rng = np.random.default_rng(9)
    x, held, reaches = np.arange(600.0), 0, []
    rare = np.zeros(600)
    rare[[100, 310, 470]] = 1.0
    for _ in range(200):
        y = 20.0 * rare + 5.0 * np.sin(2.0 * np.pi * x / 7.0) * (apart == 7) + rng.normal(size=600)
        made = there(ols_effects(x, y, rare[:, None], 1.0, apart))
        held += abs(made.coefficients[0] - 20.0) <= made.reaches[0]
        reaches.append(made.reaches[0])
    assert held >= 190
    assert np.median(reaches) < 4.0


def test_the_range_of_what_came_once_is_that_of_all_errors() -> None:
    x, once = np.arange(300.0), np.zeros(300)
    once[150] = 1.0
    made = there(ols_effects(x, 20.0 * once + np.random.default_rng(3).normal(size=300), once[:, None], 1.0, 1))
    assert made.errors[0] < 0.7 * made.reaches[0] / 1.96
    assert made.reaches[0] == pytest.approx(1.96 * np.sqrt(1.5), rel=0.2)
    often = there(ols_effects(STEPS, RNG.normal(size=200), FLAG[:, None], 1.0, 1))
    assert often.reaches == pytest.approx(1.96 * often.errors)


CHANCE = np.random.default_rng(0)
NAMES = tuple(f"x{place}" for place in range(12))
TABLE = CHANCE.standard_normal((160, len(NAMES)))
SIDES = np.where(TABLE[:, 0] + TABLE[:, 1] - TABLE[:, 2] + 0.7 * CHANCE.standard_normal(160) > 0.0, 1.0, -1.0)


def test_the_likeliest_form_comes_first_and_weights_are_shares() -> None:
    race = raced(InputColumns(NAMES, {}), Problem(TABLE, SIDES, NAMES, likelihood=Bernoulli()), "laplace")
    logs = [fit.log_evidence for fit in race.fits]
    assert logs == sorted(logs, reverse=True)
    assert str(race.fits[0].kernel).startswith("Lin[x0] + Lin[x1]")
    assert race.weights.sum() == pytest.approx(1.0)
    assert race.weights[0] == race.weights.max()
    assert race.log_evidence < logs[0]


def test_chances_are_averages_over_the_forms() -> None:
    model = GPClassifier(inference="laplace").fit(TABLE, SIDES)
    (average,) = model.functions_
    assert isinstance(average, AveragedFunction)
    rows, likelihood = model._new(TABLE), Bernoulli()
    each = [likelihood.averaged(mean, sd**2) for mean, sd in (one.moments(rows) for one in average.functions)]
    expected = tempered(average.weights @ np.array(each), average.sharpness)
    assert 1.0 < average.sharpness < 1.5
    np.testing.assert_allclose(model.predict_proba(TABLE)[:, 1], expected)
    low, high = model.probability_interval(TABLE, level=0.8)
    narrow, wide = model.probability_interval(TABLE, level=0.5)
    assert ((low <= narrow) & (narrow <= wide) & (wide <= high)).all()
    ends = model.probability_interval(TABLE)
    assert ((ends[0] <= expected) & (expected <= ends[1])).all()
    mean, sd = model.latent_mean_and_std(TABLE)
    assert mean.shape == sd.shape == (160,)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
def test_categories_and_several_classes_take_part() -> None:
    frame = pd.DataFrame(TABLE[:, :2], columns=["a", "b"]).assign(kind=CHANCE.choice(["u", "v", "w"], 160))
    y = np.select([frame["a"] > 0.6, frame["kind"] == "u"], ["high", "marked"], "rest")
    model = GPClassifier(inference="laplace").fit(frame, y)
    np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1.0)
    assert model.score(frame, y) > 0.8


def test_forms_have_no_numbers_of_their_own() -> None:
    with pytest.raises(InputError, match="a kernel with all its numbers; found 'auto'"):
        GPClassifier(n_restarts=0).fit(TABLE, SIDES)


def _pair(model: Model, x: np.ndarray, value: float) -> tuple[Predictor, Predictor]:
    first = changed(forecast_covariates(model, x), [Change("promo", "set", 0.0)], there(model.effects))
    second = changed(first, [Change("promo", "set", value)], there(model.effects))
    return Predictor(model, courses=first.columns), Predictor(model, courses=second.columns)


def test_the_difference_is_that_of_the_column() -> None:
    model = fitted().model_
    x = there(model.dataset.axis).future(model.last, 3)
    answer = what_if(*_pair(model, x, 1.0), x)
    np.testing.assert_allclose(answer.difference.mean, answer.second.mean - answer.first.mean, rtol=1e-6)
    assert answer.total.mean == pytest.approx(3.0 * answer.average.mean)
    assert float(answer.average.lower) < PROMOTION + 0.5
    assert float(answer.average.upper) > PROMOTION - 0.5
    assert float(answer.share.mean) == pytest.approx(float(answer.total.mean) / answer.first.mean.sum())
    same = what_if(*_pair(model, x, 0.0), x)
    assert (same.difference.lower == 0.0).all()
    assert (same.difference.upper == 0.0).all()


def test_effects_on_a_logarithm_are_factors() -> None:
    model = fitted().model_
    x = there(model.dataset.axis).future(model.last, 2)
    y = np.log(model.dataset.y / 100.0)
    effects = replace(there(model.effects), draws=there(model.effects).draws / 100.0)
    choice, data = replace(model.choice, transform=Transform("log", 100.0)), replace(model.dataset, y=100.0 * np.exp(y))
    logged = replace(model, dataset=data, choice=choice, effects=effects)
    answer = what_if(*_pair(logged, x, 1.0), x)
    np.testing.assert_allclose(answer.difference.mean, answer.second.mean - answer.first.mean)
    assert (answer.difference.lower < answer.difference.mean).all()
    assert (answer.difference.mean < answer.difference.upper).all()


def test_ranges_of_draws() -> None:
    amounts = Amounts.of_draws(np.arange(101.0)[:, None] * np.array([1.0, 2.0]), np.array([7.0, 8.0]))
    np.testing.assert_allclose(amounts.upper, [97.5, 195.0])
    assert amounts.mean.tolist() == [7.0, 8.0]


@pytest.fixture(scope="module")
def model() -> Model:
    return fitted().model_


def test_the_sum_closes_and_columns_give_what_they_do(model: Model) -> None:
    frame, x, parts = table(), model.dataset.x, components(model.kernel)
    change = difference(model, parts, x[50:51], x[10:11])
    assert change.total == pytest.approx(frame["sales"][50] - frame["sales"][10])
    assert sum(share.mean for share in change.shares) == pytest.approx(change.total, abs=1e-12)
    assert change.shares[-1].kind == "chance"
    assert change.seen == (True, True)
    wanted = {
        "promo": PROMOTION * (frame["promo"][50] - frame["promo"][10]),
        "price": PRICE * (frame["price"][50] - frame["price"][10]),
    }
    for share in change.shares:
        if share.kind == "column":
            assert abs(share.mean - wanted[share.name]) < 4.0 * share.sd + 1e-9
    sizes = [abs(share.mean) for share in change.shares if share.kind == "column"]
    assert sizes == sorted(sizes, reverse=True)


def test_parts_are_those_of_the_posterior_without_columns(model: Model) -> None:
    plain = replace(model, effects=None)
    x, parts = model.dataset.x, components(model.kernel)
    signal = [part for part in parts if not is_noise(part)]
    change = difference(plain, parts, x[50:51], x[10:11])
    means = [plain.posterior.project(part, x[[50, 10], None]).mean for part in signal]
    wanted = [mean[0] - mean[1] for mean in means if mean[0] != mean[1]]
    assert [share.mean for share in change.shares[:-1]] == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(3))
def test_ranges_are_those_of_a_straight_line_whose_zero_and_level_are_open(seed: int) -> None:
    x = np.arange(40.0)
    y = 3.0 + 0.4 * x + 1.5 * np.random.default_rng(seed).standard_normal(40)
    line = fit_model(from_arrays(x, y), "linear", Settings(1, 4, "bic", None, 1))
    change = difference(line, components(line.kernel), x[-1:], x[:1])
    _, cov = np.polyfit(x, y, 1, cov=True)
    wanted = 39.0 * np.sqrt(cov[0, 0])
    assert [share.sd for share in change.shares if share.index == 0] == pytest.approx([wanted], rel=0.15)
    assert change.shares[-1].sd == pytest.approx(wanted, rel=0.15)


def test_what_is_expected_stands_where_there_is_no_value(model: Model) -> None:
    x = model.dataset.x
    change = difference(model, components(model.kernel), x[-1:] + 14.0, x[-1:])
    assert change.seen == (False, True)
    noise = float(np.sqrt(model.posterior.noise_variance(x[:1, None])[0]))
    assert change.shares[-1].sd >= noise
    assert sum(share.mean for share in change.shares) == pytest.approx(change.total, abs=1e-12)


def test_a_value_that_was_set_aside_is_one_of_the_data(model: Model) -> None:
    kept = replace(model.dataset, X=model.dataset.X[:-1], y=model.dataset.y[:-1])
    outlier = Outlier(float(model.dataset.x[-1]), 500.0, 130.0)
    plain = replace(model, dataset=kept, screening=Screening((outlier,)), effects=None)
    change = difference(plain, components(plain.kernel), model.dataset.x[-1:], model.dataset.x[:1])
    assert change.values[0] == 500.0
    assert change.shares[-1].mean > 300.0


def test_times_have_rows_and_not_too_many(model: Model) -> None:
    parts = components(model.kernel)
    for at, against in ((np.zeros(0), np.zeros(1)), (np.zeros(3000), np.zeros(1))):
        with pytest.raises(InputError, match="two times"):
            difference(model, parts, at, against)
