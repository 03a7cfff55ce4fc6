"""Predictions as values: what they hang on, and that their forms agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.inference.predictive.predictive import Predictive
from autostatistician.model.ensemble import backtested
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.predictions import Options, Predictor, predicted_curve
from autostatistician.search.run import Settings
from autostatistician.search.scores.backtest import Backtest, Stretch

X = np.arange(40.0)
WAVE = 2.5 + np.sin(X / 4.0) + 0.4 * np.random.default_rng(0).normal(size=40)
AHEAD = np.array([[3.5], [39.0], [41.0], [70.0]])
OPTIONS = [
    Options(),
    Options(average=False),
    Options(weights="backtest"),
    Options(calibrate=True),
    Options(limits=(0.0, 3.0)),
    Options(False, limits=(0.0, 3.0)),
    Options(limits=None),
]


@pytest.fixture(scope="module", params=["none", "log"])
def model(request: pytest.FixtureRequest) -> Model:
    """A small model of a wave, or of its logarithm."""
    settings = Settings(max_depth=2, restarts=2, n_jobs=1, transform=request.param)
    return fit_model(from_arrays(X, np.abs(WAVE)), "extended", settings)


def _missed(model: Model) -> Stretch:
    """A test in which every model was too sure of itself."""
    count, m = len(backtested(model).candidates), 40
    means, sds = np.zeros((count, m)), np.ones((count, m))
    y = np.tile([4.0, -4.0], m // 2)
    return Stretch(0.0, np.arange(m), y, Predictive(means, sds, np.full(count, 1.0 / count), Transform()))


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
@pytest.mark.parametrize("signal", [True, False])
def test_joint_moments_have_those_of_single_values(model: Model, options: Options, signal: bool) -> None:
    predictor = Predictor(model, options)
    single = predictor.predictive(AHEAD, signal=signal)
    mean, cov = predictor.joint(AHEAD, signal=signal)
    np.testing.assert_allclose(mean, single.mean, rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), single.std, rtol=1e-5)
    assert np.linalg.eigvalsh(cov).min() > -1e-9 * cov.diagonal().max()


@pytest.mark.parametrize("options", [Options(), Options(average=False), Options(limits=None)], ids=repr)
def test_a_value_that_ends_the_data_is_reckoned_with_both_ways(model: Model, options: Options) -> None:
    value = float(model.dataset.y.max()) * 3.0
    ending = Screening((Outlier(40.0, value, 2.0, ending=True),), lasting=0.6)
    plain, both = Predictor(model, options), Predictor(replace(model, screening=ending), options)
    ahead = AHEAD[2:]
    low, high = both.predictive(ahead).quantiles((0.025, 0.975)).T
    assert (low <= plain.predictive(ahead).quantiles((0.5,))[:, 0]).all()
    assert (high >= 0.7 * value).all()
    mean, cov = both.joint(ahead)
    np.testing.assert_allclose(mean, both.predictive(ahead).mean, rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), both.predictive(ahead).std, rtol=1e-5)
    np.testing.assert_allclose(both.predictive(AHEAD[:2]).mean, plain.predictive(AHEAD[:2]).mean, rtol=1e-12)
    assert (both.ahead(1)[0][0], plain.ahead(1)[0][0]) == (41.0, 40.0)
    back, lasting = (replace(both, lasts=lasts).predictive(ahead).mean for lasts in (False, True))
    np.testing.assert_allclose(back, plain.predictive(ahead).mean, rtol=1e-9)
    np.testing.assert_allclose(0.4 * back + 0.6 * lasting, both.predictive(ahead).mean, rtol=1e-9)


@pytest.mark.slow
def test_the_forecast_of_two_cases_lies_with_the_likelier_one(model: Model) -> None:
    value = float(model.dataset.y.max()) * 3.0
    ending = Screening((Outlier(40.0, value, 2.0, ending=True),), lasting=0.2)
    both = Predictor(replace(model, screening=ending))
    x, made = AHEAD[2:, 0], both.predictive(AHEAD[2:])
    back, lasting = (replace(both, lasts=lasts).predictive(AHEAD[2:]).mean for lasts in (False, True))
    told = predicted_curve(x, made, (-np.inf, np.inf), of_counts=True, in_two_ways=True).middle
    mean = predicted_curve(x, made, (-np.inf, np.inf), of_counts=True).middle
    assert (np.abs(told - back) < 0.5 * np.abs(mean - back)).all()
    assert (np.abs(mean - back) < np.abs(lasting - back)).all()


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_what_was_asked_before_changes_nothing(model: Model, options: Options) -> None:
    for other in OPTIONS:
        Predictor(model, other).predictive(AHEAD)
    found, alone = (Predictor(one, options).predictive(AHEAD) for one in (model, replace(model)))
    np.testing.assert_array_equal(found.mean, alone.mean)
    np.testing.assert_array_equal(found.quantiles((0.025, 0.975)), alone.quantiles((0.025, 0.975)))
    assert (found.low, found.high) == (alone.low, alone.high)


CHANGES = [{"average": False}, {"weights": "backtest"}, {"limits": (0.0, 3.0)}]


@pytest.mark.parametrize("changed", CHANGES, ids=repr)
def test_every_option_counts(model: Model, changed: dict[str, Any]) -> None:
    plain, other = (Predictor(model, one).predictive(AHEAD) for one in (Options(), Options(**changed)))
    assert np.abs(plain.quantiles((0.025, 0.975)) - other.quantiles((0.025, 0.975))).max() > 1e-6


def test_bands_that_were_too_narrow_are_widened_where_asked(model: Model) -> None:
    narrow = replace(backtested(model), test=Backtest((), (_missed(model),)))
    known = replace(model)
    known.once("backtested", lambda: narrow)
    wide, plain = (Predictor(known, Options(calibrate=asked)).predictive(AHEAD).sds for asked in (True, False))
    if not model.transform.is_log:  # its spreads have an end
        assert (wide[:, 2:] > 1.05 * plain[:, 2:]).all()  # beyond the data
    assert (wide[:, 2:] >= plain[:, 2:]).all()
    np.testing.assert_array_equal(wide[:, :2], plain[:, :2])


def test_no_value_lies_beyond_limits_but_the_function_may(model: Model) -> None:
    within = Predictor(model, Options(limits=(2.0, 3.0)))
    assert within.predictive(AHEAD).quantiles((0.001, 0.999)).min() == 2.0
    assert within.predictive(AHEAD).quantiles((0.001, 0.999)).max() == 3.0
    assert within.predictive(AHEAD, signal=True).quantiles((0.999,)).max() > 3.0


def test_the_best_model_alone_is_one_structure(model: Model) -> None:
    assert Predictor(model, Options(average=False)).structures == 1
    assert Predictor(model).structures >= 1


def test_a_model_of_several_inputs_has_no_next_rows() -> None:
    plane = from_arrays(np.column_stack([X, WAVE]), WAVE)
    found = fit_model(plane, "linear", Settings(max_depth=1, restarts=1, n_jobs=1))
    with pytest.raises(InputError, match="use predict"):
        Predictor(found).ahead(3)


@pytest.mark.parametrize("steps", [0, -1, 1.5, 10**6])
def test_steps_of_a_forecast(model: Model, steps: Any) -> None:
    with pytest.raises(InputError, match="steps as a whole number from 1"):
        Predictor(model).ahead(steps)


@pytest.mark.parametrize("options", [Options(), Options(average=False)], ids=repr)
def test_a_day_of_the_calendar_is_foreseen_as_it_was(model: Model, options: Options) -> None:
    axis = Axis("day", "day", "day", 1.0, "2020-12-20")
    rows = tuple(Outlier(x, 0.5, 2.0, returns="date 0 25 0") for x in (5.0, 36.0))
    data = replace(model.dataset, axis=axis)
    plain = Predictor(replace(model, dataset=data), options)
    found = Predictor(replace(model, dataset=data, screening=Screening(rows)), options)
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
