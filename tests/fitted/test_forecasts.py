"""Forecasts of models: horizons, breaks, growth, sharpness and other scales."""

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.signal import lfilter
from tests.there import there

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.fitted import transform_averaging
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.growth_curves import GOES_ON_BY_PERCENT, MOST_ROWS, GrowthCurves, Pool, pool
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor, may_break, predicted_curve, with_breaks
from autostatistician.fitted.settings import default_horizon
from autostatistician.fitted.temperature_scaling import temperature_of, tempered
from autostatistician.fitted.transform_averaging import share_of_other
from autostatistician.gp import Problem, condition
from autostatistician.gp.predictive import Predictive
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.run import Settings

X = np.arange(40.0)[:, None]
Y = 50.0 + X[:, 0] + np.random.default_rng(1).normal(size=40)
PLACES = np.array([[-1.0], [20.0], [39.0], [41.0]])
OUTSIDE = np.array([True, False, False, True])


@pytest.fixture(scope="module")
def model() -> Model:
    return AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1).fit(X, Y).model_


def test_only_observations_outside_a_series_may_follow_a_break(model: Model) -> None:
    np.testing.assert_array_equal(may_break(model, PLACES), OUTSIDE)
    table = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1).fit(np.column_stack([X, np.sin(X)]), Y).model_
    assert not may_break(table, np.zeros((2, 2))).any()


@pytest.mark.parametrize("averages", [True, False])
def test_errors_of_an_average_are_larger_where_a_break_may_be(model: Model, averages: bool) -> None:
    levels = (0.025, 0.1, 0.5, 0.9, 0.975)
    options = Options(average=averages)
    with_them, without = (
        Predictor(model, each).predictive(PLACES) for each in (options, replace(options, breaks=False))
    )
    np.testing.assert_allclose(with_them.mean, without.mean, rtol=1e-6)
    wide, narrow = (each.quantiles(levels) - each.quantiles([0.5]) for each in (with_them, without))
    changed = OUTSIDE & averages
    np.testing.assert_allclose(wide[~changed], narrow[~changed])
    if averages:
        outer, inner = (
            wide[changed][:, [low, high]] / narrow[changed][:, [low, high]] for low, high in ((0, 4), (1, 3))
        )
        assert (outer > 1.1 * inner).all()
        assert (inner > 1.0).all()


def test_the_function_has_no_break_but_its_observations(model: Model) -> None:
    sds = [Predictor(model, Options(breaks=breaks)).predictive(PLACES, signal=True).std for breaks in (True, False)]
    np.testing.assert_allclose(*sds)


def test_means_of_a_logarithm_stay_and_no_spread_passes_the_widest() -> None:
    log = Transform("log", 10.0)
    moments = np.array([[0.1, 0.2], [0.3, -0.4]]), np.array([[0.2, 0.3], [0.4, 0.9]])
    weights, rows = np.array([0.3, 0.7]), np.array([True, True])
    before = Predictive(*moments, weights, log)
    after = Predictive(*with_breaks(moments, weights, rows, log, chance=0.1, widest=0.8), log)
    np.testing.assert_allclose(after.mean, before.mean)
    assert after.sds.max() == 0.9  # what was wider stays
    assert (after.sds[2:, 0] <= 0.8).all()


COUNT = np.arange(30.0)


def _series(n: int, frequency: str) -> Dataset:
    return load(pd.Series(np.arange(float(n)), index=pd.date_range("2000-01-03", periods=n, freq=frequency)))


@pytest.mark.parametrize(
    ("n", "frequency", "steps"),
    [(144, "MS", 24), (40, "MS", 10), (100, "QS", 8), (500, "D", 60), (500, "h", 72), (30, "YS", 3), (5, "D", 2)],
)
def test_usual_horizons(n: int, frequency: str, steps: int) -> None:
    assert default_horizon(_series(n, frequency)) == steps


@pytest.mark.parametrize(
    ("n", "period", "steps"), [(900, 365.2425, 366), (700, 365.2425, 60), (900, 7.0, 60), (740, 365.2425, 366)]
)
def test_a_forecast_shows_a_whole_turn_of_a_cycle_that_was_seen_twice(n: int, period: float, steps: int) -> None:
    kernel = leaf("Per", lengthscale=1.0, period=period, sd=1.0) + leaf("WN", sd=1.0)
    assert default_horizon(_series(n, "D"), kernel) == steps


def test_horizons_of_numbers_and_of_several_inputs() -> None:
    assert default_horizon(load(pd.DataFrame({"x": COUNT / 7.0, "y": COUNT**2}), axis="raw")) == 3
    assert default_horizon(from_arrays(np.arange(8.0).reshape(4, 2), np.zeros(4))) == 0


PAST = np.arange(30.0)[:, None]
GROWN = 100.0 + 2.0 * PAST[:, 0] + np.random.default_rng(0).normal(size=30)
AHEAD = np.array([[10.0], [29.0], [30.0], [39.0]])
LEVEL, NOISE = leaf("C", sd=100.0), leaf("WN", sd=1.0)
WALK = leaf("Wiener", sd=3.0, location=0.0)


def _pool(kernel: Kernel, y: np.ndarray = GROWN) -> Pool:
    return there(pool(condition(kernel, Problem(PAST, y, ("x",))), is_log=False))


def _growth(y: np.ndarray, steps: float = 10.0, *, is_log: bool = False) -> float:
    """By how much a series rises after its end."""
    n = float(len(y))
    now, later = GrowthCurves(np.arange(n), y, is_log).ahead(np.array([n - 1.0 + 1e-6, n - 1.0 + steps]))[0]
    return float(later - now)


def test_a_line_goes_on_as_a_line_and_on_a_logarithm_by_a_part() -> None:
    assert _growth(GROWN) == pytest.approx(20.0, rel=0.1)
    assert _growth(GROWN, is_log=True) == pytest.approx(20.0 * GOES_ON_BY_PERCENT, rel=0.1)


def test_a_steady_late_slope_overrules_the_line_through_all_rows_and_a_walk_does_not() -> None:
    x, noise = np.arange(90.0), np.random.default_rng(3).normal(size=90)
    bent, approached = np.abs(x - 60.0) + noise, 50.0 - 50.0 * np.exp(-x / 20.0) + noise
    assert _growth(bent) == pytest.approx(10.0, abs=1.0)
    assert _growth(approached) == pytest.approx(0.5, abs=1.0)
    assert abs(_growth(np.cumsum(noise))) < 2.0


def test_ranges_of_a_walk_hold_what_comes() -> None:
    rng = np.random.default_rng(0)
    walks = 0.5 * np.arange(50.0) + rng.normal(size=(200, 50)).cumsum(axis=1) + rng.normal(size=(200, 50))
    mean, variance = zip(
        *(GrowthCurves(np.arange(40.0), walk[:40]).ahead(np.arange(40.0, 50.0)) for walk in walks[:60]), strict=True
    )
    held = np.abs(walks[:60, 40:] - np.array(mean)) < 1.96 * np.sqrt(np.array(variance))
    assert 0.9 < held.mean() < 0.99


def test_a_slope_that_is_damped_goes_on_ever_less() -> None:
    slopes = lfilter([1.0], [1.0, -0.9], np.random.default_rng(1).normal(size=100))
    soon, late = (_growth(np.cumsum(slopes), steps) for steps in (10.0, 60.0))
    assert soon == pytest.approx(slopes[-1] * 0.9 * (1.0 - 0.9**9) / 0.1, rel=0.3)
    assert abs(late - soon) < 0.6 * abs(soon)


def test_what_never_falls_walks_as_fast_as_it_grows() -> None:
    """Of a wave of events that is over, nothing more is expected, and that for nearly certain."""
    rate = 40.0 / np.cosh((np.arange(60.0) - 25.0) / 4.0) ** 2
    total = np.cumsum(np.random.default_rng(0).poisson(rate)).astype(float)
    mean, variance = GrowthCurves(np.arange(60.0), total).ahead(np.array([70.0]))
    assert mean[0] == pytest.approx(total[-1], abs=2.0)
    assert np.sqrt(variance[0]) < 4.0


def test_few_rows_and_many_have_no_curves() -> None:
    for n in (5, MOST_ROWS + 1):
        x = np.arange(float(n))[:, None]
        assert pool(condition(LEVEL + NOISE, Problem(x, x[:, 0], ("x",))), is_log=False) is None
    assert pool(condition(leaf("Per", lengthscale=1.0, period=5.0, sd=1.0), Problem(PAST, GROWN)), is_log=False) is None


def test_a_walk_goes_a_good_part_of_the_way_to_a_line_and_the_data_stay() -> None:
    posterior = condition(LEVEL + WALK + NOISE, Problem(PAST, GROWN, ("x",)))
    before = posterior.observations(AHEAD)
    ((mean, sd),) = _pool(LEVEL + WALK + NOISE).pooled(AHEAD, [before], signal=False)
    np.testing.assert_array_equal([mean[:2], sd[:2]], [before[0][:2], before[1][:2]])
    assert 0.4 * 20.0 < mean[3] - before[0][3] < 1.1 * 20.0
    assert (sd[2:] < before[1][2:]).all()


def test_the_pool_is_geometric_and_the_same_of_covariances() -> None:
    own = _pool(LEVEL + WALK + NOISE)
    by_curves, variance = own.curves.ahead(AHEAD[2:, 0])
    mean, cov = np.array([1.0, 2.0, 3.0, 4.0]), np.diag([1.0, 4.0, 9.0, 16.0]) + 0.5
    (pooled, sds), (same, covs) = own.pooled(AHEAD, [(mean, np.sqrt(cov.diagonal())), (mean, cov)], signal=False)
    precisions = own.share / variance, (1.0 - own.share) / cov.diagonal()[2:]
    np.testing.assert_allclose(sds[2:] ** -2.0, sum(precisions))
    np.testing.assert_allclose(pooled[2:], (precisions[0] * by_curves + precisions[1] * mean[2:]) * sds[2:] ** 2)
    np.testing.assert_allclose(same, pooled)
    np.testing.assert_allclose(covs.diagonal(), sds**2)
    signal = own.pooled(AHEAD, [(mean, np.sqrt(cov.diagonal()))], signal=True)[0][1]
    assert (signal[2:] < sds[2:]).all()


def test_the_better_a_curve_explains_the_data_the_more_it_counts() -> None:
    walk = np.cumsum(3.0 * np.random.default_rng(1).normal(size=30))
    assert _pool(LEVEL + WALK + NOISE).share > 0.6
    assert _pool(LEVEL + WALK + NOISE).share > _pool(LEVEL + WALK + NOISE, walk).share


def test_a_step_is_none_to_curves() -> None:
    step = Kernel.change_point(leaf("C", sd=50.0), leaf("C", sd=50.0), location=14.5, steepness=100.0)
    stepped = GROWN - 2.0 * PAST[:, 0] + 40.0 * (PAST[:, 0] > 14.5)
    assert np.ptp(stepped) > 40.0
    assert np.ptp(_pool(LEVEL + step + NOISE, stepped).curves.y) < 6.0


def test_a_season_is_that_of_the_model() -> None:
    cycle = leaf("Per", sd=5.0, lengthscale=1.0, period=7.0)
    season = 5.0 * np.sin(2.0 * np.pi * PAST[:, 0] / 7.0)
    posterior = condition(LEVEL + cycle + WALK + NOISE, Problem(PAST, GROWN + season, ("x",)))
    ahead = np.arange(30.0, 37.0)[:, None]
    ((mean, _),) = there(pool(posterior, is_log=False)).pooled(ahead, [posterior.observations(ahead)], signal=False)
    np.testing.assert_allclose(
        np.argsort(mean - 2.0 * ahead[:, 0]), np.argsort(np.sin(2.0 * np.pi * ahead[:, 0] / 7.0))
    )


def test_further_rows_move_the_curves() -> None:
    own = _pool(LEVEL + WALK + NOISE)
    grown = own.given(np.array([[30.0], [31.0]]), np.array([200.0, 202.0]))
    assert grown.curves.x[-1] == 31.0
    assert grown.curves.ahead(np.array([32.0]))[0] > own.curves.ahead(np.array([32.0]))[0] + 10.0


RNG = np.random.default_rng(1)
CHANCE = RNG.uniform(0.02, 0.98, 3000)
CAME = RNG.uniform(size=3000) < CHANCE


@pytest.mark.parametrize("power", [0.6, 1.0, 2.0])
def test_what_chances_were_raised_to_is_taken_back(power: float) -> None:
    assert temperature_of(tempered(CHANCE, 1.0 / power), CAME) == pytest.approx(power, rel=0.08)


def test_few_rows_say_little_and_rows_that_are_all_right_not_everything() -> None:
    assert temperature_of(tempered(CHANCE[:15], 0.5), CAME[:15]) < 1.6
    right = temperature_of(np.full(300, 0.9), np.ones(300, dtype=bool))
    assert 1.2 < right < 3.0


def test_sharper_chances_keep_their_order_and_their_side() -> None:
    ranked = np.array([0.0, 0.2, 0.5, 0.6, 1.0])
    sharper = tempered(ranked, 1.7)
    assert (np.diff(sharper) > 0.0).all()
    assert sharper[2] == pytest.approx(0.5)
    assert tempered(ranked, 1.0) is ranked


N = 16
DATES = pd.DataFrame({"date": pd.date_range("1990", periods=N + 4, freq="YS")})


def _growing(n: int) -> np.ndarray:
    return np.asarray(np.exp(4.0 + 0.08 * np.arange(n) + 0.05 * np.random.default_rng(3).normal(size=n)))


@pytest.fixture(scope="module")
def scales() -> AutomaticStatistician:
    return AutomaticStatistician(n_jobs=1, max_depth=2).fit(DATES[:N], _growing(N))


def test_both_scales_are_searched(scales: AutomaticStatistician) -> None:
    other = there(scales.model_.on_other_scale)
    assert other.transform.is_log != scales.model_.transform.is_log
    np.testing.assert_allclose(other.transform.back(other.modelled.y), scales.model_.dataset.y)
    assert other.on_other_scale is None


def test_forecasts_average_over_both_and_the_past_does_not(scales: AutomaticStatistician) -> None:
    alone = copy(scales)
    alone.model_ = replace(scales.model_, other=None)
    np.testing.assert_array_equal(scales.predict(DATES[:N]), alone.predict(DATES[:N]))
    ahead = scales.predictive(DATES[N:])
    np.testing.assert_allclose(ahead.share, share_of_other(scales.model_.choice))
    np.testing.assert_array_equal(ahead.first.mean, alone.predict(DATES[N:]))
    assert not np.allclose(ahead.first.mean, ahead.second.mean)
    mean, cov = scales.predict(DATES[N - 2 :], return_cov=True)
    np.testing.assert_allclose(mean, scales.predict(DATES[N - 2 :]))
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), scales.predictive(DATES[N - 2 :]).std)


@pytest.mark.parametrize(
    "setting", [{"target_options": TargetOptions(transform="log")}, {"criterion": "bic"}, {"average": False}]
)
def test_a_scale_that_was_asked_for_or_not_compared_is_alone(setting: dict[str, object]) -> None:
    asked = AutomaticStatistician(n_jobs=1, max_depth=1, **setting).fit(DATES[:N], _growing(N))
    assert not hasattr(asked.predictive(DATES[N:]), "share")


def test_a_search_that_is_interrupted_on_the_other_scale_leaves_the_chosen_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(transform_averaging, "search", interrupted)
    found = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], _growing(N))
    assert found.model_.choice.gain is not None
    assert found.model_.other is None


def test_a_long_series_is_searched_on_the_chosen_scale_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transform_averaging, "MOST_ROWS", N - 1)  # the rows of `model`, which has both scales
    long = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], _growing(N))
    assert long.model_.choice.gain is not None
    assert long.model_.other is None


def test_a_line_with_odds_against_the_logarithm_has_no_share_of_it() -> None:
    line = 50.0 + 4.0 * np.arange(N) + np.random.default_rng(1).normal(size=N)
    scales = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], line).model_
    assert not scales.transform.is_log
    assert scales.choice.probability > 0.95
    assert scales.other is None


def test_new_rows_reach_both(scales: AutomaticStatistician) -> None:
    grown = copy(scales)
    before = grown.forecast(1)["mean"][0]
    grown.update(DATES[N : N + 1], [2.0 * before])
    other = there(grown.model_.on_other_scale)
    assert other.dataset.n == N + 1
    assert other.search.best.nll > scales.model_.other.search.best.nll
    assert grown.forecast(1)["mean"][0] > before


def test_a_value_below_zero_leaves_no_logarithm() -> None:
    line = 60.0 + 2.0 * np.arange(N) + 5.0 * np.random.default_rng(1).normal(size=N)
    grown = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], line)
    assert not grown.model_.transform.is_log
    assert grown.model_.other is not None
    grown.update(DATES[N : N + 1], [-1.0])
    assert grown.model_.other is None


TIMES = np.arange(40.0)
WAVE = 2.5 + np.sin(TIMES / 4.0) + 0.4 * np.random.default_rng(0).normal(size=40)
PLACED = np.array([[3.5], [39.0], [41.0], [70.0]])
OPTIONS = [
    Options(),
    Options(average=False),
    Options(limits=(0.0, 3.0)),
    Options(False, limits=(0.0, 3.0)),
    Options(limits=None),
]


@pytest.fixture(scope="module", params=["none", "log"])
def wave(request: pytest.FixtureRequest) -> Model:
    """A small model of a wave, or of its logarithm."""
    settings = Settings(max_depth=2, restarts=2, n_jobs=1, transform=request.param)
    return fit_model(from_arrays(TIMES, np.abs(WAVE)), "extended", settings)


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
@pytest.mark.parametrize("signal", [True, False])
def test_joint_moments_have_those_of_single_values(wave: Model, options: Options, signal: bool) -> None:
    predictor = Predictor(wave, options)
    single = predictor.predictive(PLACED, signal=signal)
    mean, cov = predictor.joint(PLACED, signal=signal)
    np.testing.assert_allclose(mean, single.mean, rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), single.std, rtol=1e-5)
    assert np.linalg.eigvalsh(cov).min() > -1e-9 * cov.diagonal().max()


@pytest.mark.parametrize("options", [Options(), Options(average=False), Options(limits=None)], ids=repr)
def test_a_value_that_ends_the_data_is_reckoned_with_both_ways(wave: Model, options: Options) -> None:
    value = float(wave.dataset.y.max()) * 3.0
    ending = Screening((Outlier(40.0, value, 2.0, ending=True),), lasting=0.6)
    plain, both = (Predictor(wave, options), Predictor(replace(wave, screening=ending), options))
    ahead = PLACED[2:]
    low, high = both.predictive(ahead).quantiles((0.025, 0.975)).T
    assert (low <= plain.predictive(ahead).quantiles((0.5,))[:, 0]).all()
    assert (high >= 0.7 * value).all()
    mean, cov = both.joint(ahead)
    np.testing.assert_allclose(mean, both.predictive(ahead).mean, rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), both.predictive(ahead).std, rtol=1e-5)
    np.testing.assert_allclose(both.predictive(PLACED[:2]).mean, plain.predictive(PLACED[:2]).mean, rtol=1e-12)
    assert (both.ahead(1)[0][0], plain.ahead(1)[0][0]) == (41.0, 40.0)
    back, lasting = (replace(both, lasts=lasts).predictive(ahead).mean for lasts in (False, True))
    np.testing.assert_allclose(back, plain.predictive(ahead).mean, rtol=1e-9)
    np.testing.assert_allclose(0.4 * back + 0.6 * lasting, both.predictive(ahead).mean, rtol=1e-9)


@pytest.mark.slow
def test_the_forecast_of_two_cases_lies_with_the_likelier_one(wave: Model) -> None:
    value = float(wave.dataset.y.max()) * 3.0
    ending = Screening((Outlier(40.0, value, 2.0, ending=True),), lasting=0.2)
    both = Predictor(replace(wave, screening=ending))
    x, made = PLACED[2:, 0], both.predictive(PLACED[2:])
    back, lasting = (replace(both, lasts=lasts).predictive(PLACED[2:]).mean for lasts in (False, True))
    told = predicted_curve(x, made).middle
    mean = predicted_curve(x, made, expected=True).middle
    assert (np.abs(told - back) < 0.5 * np.abs(mean - back)).all()
    assert (np.abs(mean - back) < np.abs(lasting - back)).all()


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_what_was_asked_before_changes_nothing(wave: Model, options: Options) -> None:
    for other in OPTIONS:
        Predictor(wave, other).predictive(PLACED)
    found, alone = (Predictor(one, options).predictive(PLACED) for one in (wave, replace(wave)))
    np.testing.assert_array_equal(found.mean, alone.mean)
    np.testing.assert_array_equal(found.quantiles((0.025, 0.975)), alone.quantiles((0.025, 0.975)))
    assert (found.low, found.high) == (alone.low, alone.high)


CHANGES = [{"average": False}, {"limits": (0.0, 3.0)}]


@pytest.mark.parametrize("changed", CHANGES, ids=repr)
def test_every_option_counts(wave: Model, changed: dict[str, Any]) -> None:
    plain, other = (Predictor(wave, one).predictive(PLACED) for one in (Options(), Options(**changed)))
    assert np.abs(plain.quantiles((0.025, 0.975)) - other.quantiles((0.025, 0.975))).max() > 1e-6


def test_no_value_lies_beyond_limits_but_the_function_may(wave: Model) -> None:
    within = Predictor(wave, Options(limits=(2.0, 3.0)))
    assert within.predictive(PLACED).quantiles((0.001, 0.999)).min() == 2.0
    assert within.predictive(PLACED).quantiles((0.001, 0.999)).max() == 3.0
    assert within.predictive(PLACED, signal=True).quantiles((0.999,)).max() > 3.0


def test_the_best_model_alone_is_one_structure(wave: Model) -> None:
    assert Predictor(wave, Options(average=False)).structures == 1
    assert Predictor(wave).structures >= 1


@pytest.mark.parametrize("steps", [0, -1, 1.5, 10**6])
def test_steps_of_a_forecast(wave: Model, steps: Any) -> None:
    with pytest.raises(InputError, match="steps as a whole number from 1"):
        Predictor(wave).ahead(steps)


@pytest.mark.parametrize("options", [Options(), Options(average=False)], ids=repr)
def test_a_day_of_the_calendar_is_foreseen_as_it_was(wave: Model, options: Options) -> None:
    axis = Axis("day", "day", "day", 1.0, "2020-12-20")
    rows = tuple(Outlier(x, 0.5, 2.0, returns="date 0 25 0") for x in (5.0, 36.0))
    data = replace(wave.dataset, axis=axis)
    plain = Predictor(replace(wave, dataset=data), options)
    found = Predictor(replace(wave, dataset=data, screening=Screening(rows)), options)
    days = np.array([[66.0], [67.0], [68.0]])  # 24 to 26 February
    ahead, before = found.predictive(days), plain.predictive(days)
    np.testing.assert_allclose(ahead.mean[[0, 2]], before.mean[[0, 2]], rtol=1e-12)
    low, high = ahead.quantiles((0.025, 0.975))[1]
    assert low < 0.5 + (before.quantiles((0.5,))[1, 0] - 2.5) < high
    assert ahead.mean[1] < before.mean[1] - 1.0
    assert ahead.std[1] > 0.0
    mean, cov = found.joint(days)
    np.testing.assert_allclose(mean, ahead.mean, rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), ahead.std, rtol=1e-5)


@pytest.mark.parametrize(("weeks", "closed"), [(30, True), (12, False)])
def test_what_was_zero_on_every_sunday_is_so_on_the_next(weeks: int, closed: bool) -> None:
    days = pd.date_range("2024-01-01", periods=7 * weeks)
    sales = np.where(days.day_of_week == 6, 0.0, 90.0 + 9.0 * np.random.default_rng(2).normal(size=len(days)))
    made = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1).fit(days.to_frame(), sales)
    ahead = made.forecast(7)
    assert (ahead["upper"].iloc[6] == 0.0) == closed
    assert (ahead["mean"].iloc[6] < 1.0) == closed
    assert ahead["upper"].iloc[5] > 90.0


def test_what_a_calendar_foretells_is_foreseen_with_others_and_may_come_again() -> None:
    days = pd.date_range("2024-01-01", periods=7 * 30)
    sales = np.where(days.day_of_week == 6, 7.0, 90.0 + 9.0 * np.random.default_rng(2).normal(size=len(days)))
    made = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1).fit(days.to_frame(), sales)
    sunday = days[-1] + pd.DateOffset(days=7)
    assert made.forecast(1)["time"].iloc[0] == days[-1] + pd.DateOffset(days=1)
    mean, cov = made.predict(pd.DataFrame({0: [sunday - pd.DateOffset(days=1), sunday]}), return_cov=True)
    np.testing.assert_allclose((mean[1], cov[0, 1], cov[1, 1]), (7.0, 0.0, 0.0), atol=1e-12)
    assert cov[0, 0] > 9.0
    week = pd.date_range(days[-1] + pd.DateOffset(days=1), periods=7)
    made.update(week.to_frame(), np.where(week.day_of_week == 6, 7.0, 90.0))
    assert made.forecast(1)["time"].iloc[0] == week[-1] + pd.DateOffset(days=1)
