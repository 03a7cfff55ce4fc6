"""TODO"""

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.forms import Filling
from autostatistician.regressors.effects import (
    SMOOTHNESS,
    Clock,
    CovariateScale,
    Effect,
    effects_of,
    features,
    of_values,
    prior_sds,
)
from autostatistician.regressors.forecasts import COURSES, filled, filling_of, likely_courses, unplanned

X = np.arange(24.0)


def test_a_plan_is_kept_and_the_rest_is_as_a_season_before() -> None:
    values = np.append(np.sin(X), 9.0)  # the row after the last target is a plan
    columns = Covariates(np.append(X, 24.0), (Covariate("temperature", values),))
    after = np.arange(24.0, 27.0)
    clock = Clock(0.0, 23.0, 1.0, 12.0)
    assert filled(columns, after, clock).of("temperature", after).tolist() == [9.0, np.sin(13.0), np.sin(14.0)]
    assert unplanned(columns, after, clock) == ("temperature",)
    assert unplanned(columns, after[:1], clock) == ()


def test_without_a_season_numbers_stay_and_flags_are_as_usual() -> None:
    columns = Covariates(X, (Covariate("price", 5.0 + 0.1 * X), Covariate("promo", (X == 23.0).astype(float))))
    after = np.array([24.0, 25.0])
    later = filled(columns, after, Clock(0.0, 23.0, 1.0, 0.0))
    assert later.of("price", after) == pytest.approx([7.3, 7.3])
    assert np.isnan(later.of("promo", after)).all()


def test_rows_between_the_data_and_the_first_asked_are_there_for_what_comes_late() -> None:
    columns = Covariates(X, (Covariate("price", X),))
    later = filled(columns, np.array([27.0]), Clock(0.0, 23.0, 1.0, 12.0))
    assert later.of("price", np.array([25.0, 27.0])).tolist() == [13.0, 15.0]


def test_the_past_is_left_alone() -> None:
    columns = Covariates(X, (Covariate("price", X),))
    assert filled(columns, X, Clock(0.0, 23.0, 1.0, 12.0)) is columns


def test_days_are_as_whole_weeks_before_that_make_a_year() -> None:
    """A week alone would repeat that of Christmas until the spring."""
    axis = Axis("day", "day", "day", 1.0, "2014-01-01")
    days = np.arange(365.0)
    clock = Clock.of(Dataset(days[:, None], days, ("day",), "y", axis))
    assert (clock.season, clock.before, clock.shift) == (7.0, 365.2425, 364.0)
    columns = Covariates(days, (Covariate("temperature", days),))
    after = np.array([365.0, 400.0])
    assert filled(columns, after, clock).of("temperature", after).tolist() == [1.0, 36.0]


CLOCK = Clock(0.0, 23.0, 1.0, 12.0)
SCALE = CovariateScale("price", 5.0, 2.0, 1.0, 9.0, 20)


def _columns(values: NDArray[np.float64], name: str = "price") -> Covariates:
    return Covariates(np.arange(len(values), dtype=float), (Covariate(name, values),))


@pytest.mark.parametrize("lengthscale", SMOOTHNESS)
def test_the_basis_of_a_curve_has_the_covariances_of_its_kernel(lengthscale: float) -> None:
    effect, scale = Effect("u", "smooth", lengthscale=lengthscale), CovariateScale("u", 0.0, 1.0, -1.0, 1.0, 50)
    u = np.linspace(-1.0, 1.0, 41)
    waves = of_values(effect, scale, u)[:, 1:] * prior_sds(effect, scale)[1:]
    at_usual = np.exp(-0.5 * (u / lengthscale) ** 2)
    kernel = np.exp(-0.5 * ((u[:, None] - u) / lengthscale) ** 2)
    pinned = kernel - at_usual[:, None] - at_usual + 1.0  # of a function less its value at the usual place
    assert np.abs(waves @ waves.T - pinned).max() < 0.02


def test_an_effect_that_comes_late_is_that_of_the_value_before() -> None:
    values = np.arange(24.0)
    late = features(Effect("price", lag=3), SCALE, CLOCK, _columns(values), np.arange(24.0))[:, 0]
    assert late[3:].tolist() == ((values[:-3] - 5.0) / 2.0).tolist()
    assert late[:3].tolist() == [0.0, 0.0, 0.0]  # nothing is known of what came before the data


def test_a_fading_effect_is_a_geometric_sum() -> None:
    flag = (np.arange(24.0) == 4.0).astype(float)
    scale = CovariateScale("promo", 0.0, 1.0, 0.0, 1.0, 2)
    fading = features(Effect("promo", decay=0.5), scale, CLOCK, _columns(flag, "promo"), np.arange(24.0))[:, 0]
    assert fading[:8] == pytest.approx([0, 0, 0, 0, 1.0, 0.5, 0.25, 0.125])


def test_effects_over_season_and_time_multiply_features() -> None:
    x = np.arange(24.0)
    columns = _columns(np.full(24, 7.0))
    seasonal = features(Effect("price", over="season"), SCALE, CLOCK, columns, x)
    assert seasonal[:, 1] == pytest.approx(np.cos(2 * np.pi * x / 12))
    drifting = features(Effect("price", over="time"), SCALE, CLOCK, columns, x)
    assert drifting[[0, -1], 1].tolist() == [-1.0, 1.0]


def test_levels_are_compared_with_the_most_frequent() -> None:
    scale = CovariateScale.of(Covariate("shop", np.array([0.0, 1.0, 1.0, 2.0]), ("a", "b", "c")))
    assert scale.usual == 1.0
    assert of_values(Effect("shop", "levels"), scale, np.array([0.0, 1.0, 2.0, np.nan])).tolist() == [
        [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0],
    ]  # fmt: skip


def test_what_a_column_may_do_has_shares_that_add_up() -> None:
    possible = effects_of(SCALE, CLOCK)
    assert sum(share for _, share in possible) == pytest.approx(1.0)
    assert {effect.lag for effect, _ in possible} == set(range(CLOCK.lags + 1))
    assert not any(effect.lag or effect.decay for effect, _ in effects_of(SCALE, Clock(0.0, 23.0, 0.0, 0.0)))
    assert effects_of(CovariateScale("shop", 0.0, 1.0, 0.0, 2.0, 3, ("a", "b", "c")), CLOCK) == [
        (Effect("shop", "levels"), 1.0)
    ]


def test_a_value_beyond_those_seen_goes_on_in_a_straight_line() -> None:
    effect = Effect("price", "smooth", lengthscale=1.0)
    inside, beyond, far = of_values(effect, SCALE, np.array([9.0, 11.0, 13.0]))
    assert beyond[1:].tolist() == inside[1:].tolist() == far[1:].tolist()
    assert far[0] - beyond[0] == beyond[0] - inside[0]


@pytest.mark.parametrize(
    ("name", "filling"), [("rhythm", Filling.SEASON_BEFORE), ("chance", Filling.USUAL), ("walk", Filling.LAST)]
)
def test_columns_go_on_as_their_past_would_have_foreseen_them(name: str, filling: Filling) -> None:
    x, rng = np.arange(96.0) / 12.0, np.random.default_rng(0)
    made = {"rhythm": np.isin(np.arange(96) % 12, [3, 10]) * 1.0, "chance": (rng.uniform(size=96) < 0.3) * 1.0}
    values = made[name] if name in made else np.cumsum(np.random.default_rng(1).normal(size=96))
    column = Covariate(name, values[:80])
    columns, clock = Covariates(x[:80], (column,)), Clock(0.0, x[79], 1.0 / 12.0, 1.0, 1.0, 1.0)
    assert filling_of(column, x[:80], clock, 16) is filling
    ahead = x[79] + np.arange(1, 17) / 12.0 * (1.0 + 1e-12)
    drawn = np.array([course.of(name, ahead) for course in likely_courses(columns, ahead, clock, 0)])
    if name == "rhythm":
        assert (drawn == values[80:]).all()
    elif name == "chance":
        assert set(np.unique(drawn)) == {0.0, 1.0}
        assert drawn.mean() == pytest.approx(column.values.mean(), abs=0.1)
    else:
        assert drawn[:, 0].mean() == pytest.approx(column.values[-1], abs=1.0)
        assert drawn[:, -1].std() > 2.0 * drawn[:, 0].std()


def test_a_plan_is_no_matter_of_chance() -> None:
    columns = Covariates(X, (Covariate("promo", (np.arange(24) % 5 == 0) * 1.0),))
    drawn = likely_courses(columns, np.array([19.0, 20.0, 26.0]), Clock(0.0, 19.0, 1.0, 0.0), 0)
    assert len(drawn) == COURSES
    assert all(course.of("promo", np.array([20.0])) == [1.0] for course in drawn)
    assert len({float(course.of("promo", np.array([26.0]))[0]) for course in drawn}) == 2
    assert len(likely_courses(columns, X[:5], Clock(0.0, 19.0, 1.0, 0.0), 0)) == 1
