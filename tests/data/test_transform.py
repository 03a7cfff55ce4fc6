"""Maps between the data and the scale of the model."""

import numpy as np
import pytest
from scipy import stats

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform, modelled, power_of, transform_of
from autostatistician.errors import InputError

POWERS = (-1.5, -0.5, 0.0, 1e-9, 0.3, 1.0, 2.0)
SKEWED = np.random.default_rng(0).lognormal(1.0, 0.6, 50)
MAPS = [power_of(SKEWED, power) for power in POWERS]
beyond = np.geomspace(0.3 * SKEWED.min(), 3.0 * SKEWED.max(), 60)  # of the data to both sides


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_maps_lead_there_and_back_and_upwards(transform: Transform) -> None:
    t = transform.forward(beyond)
    assert np.all(np.diff(t) > 0.0)
    assert transform.back(t) == pytest.approx(beyond, rel=1e-7)
    assert Transform.from_json(transform.to_json()) == transform


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_the_slope_is_the_derivative(transform: Transform) -> None:
    step = 1e-6 * beyond
    numeric = (transform.forward(beyond + step) - transform.forward(beyond - step)) / (2.0 * step)
    assert np.exp(transform.log_slope(beyond)) == pytest.approx(numeric, rel=1e-5)


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_the_usual_level_stays_with_a_slope_of_one(transform: Transform) -> None:
    centre = np.array([transform.scale])
    assert transform.forward(centre) == pytest.approx(centre)
    assert transform.log_slope(centre) == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_whatever_a_normal_variable_is_comes_back_as_a_value(transform: Transform) -> None:
    back = transform.back(np.linspace(-1e4, 1e4, 201))
    assert np.all(np.isfinite(back))
    assert np.all(np.diff(back) >= 0.0)
    assert np.all(back > 0.0)


def test_a_density_adds_up_to_one() -> None:
    for transform in (power_of(SKEWED, 0.5), power_of(SKEWED, -0.8)):
        y = transform.back(np.linspace(-40.0, 40.0, 20_001))
        density = stats.norm(2.0, 3.0).pdf(transform.forward(y)) * np.exp(transform.log_slope(y))
        assert np.trapezoid(density, y) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("power", [-0.7, 0.0, 0.4, 1.3])
def test_the_likelihood_of_white_noise_is_that_of_scipy(power: float) -> None:
    """Of a mean and a variance at their best (Box and Cox 1964, equation 8)."""
    transform = power_of(SKEWED, power)
    ours = -0.5 * len(SKEWED) * np.log(np.var(transform.forward(SKEWED))) + transform.log_jacobian(SKEWED)
    assert ours == pytest.approx(stats.boxcox_llf(power, SKEWED))


@pytest.mark.parametrize("transform", [MAPS[1], MAPS[4]], ids=str)
def test_moments_are_those_of_draws(transform: Transform) -> None:
    mean, sd = np.array([3.0]), np.array([0.6])
    draws = transform.back(3.0 + 0.6 * np.random.default_rng(1).standard_normal(400_000))
    middle, spread = transform.moments(mean, sd)
    assert middle == pytest.approx(draws.mean(), rel=5e-3)
    assert spread == pytest.approx(draws.std(), rel=2e-2)
    within, _ = transform.moments_within(mean, sd, 3.0, np.inf)
    assert within == pytest.approx(np.maximum(draws, 3.0).mean(), rel=5e-3)
    _, cov = transform.joint(np.array([3.0, 3.0]), np.array([[0.36, 0.18], [0.18, 0.36]]))
    assert np.sqrt(cov.diagonal()) == pytest.approx(float(spread[0]))


def test_zero_has_no_power() -> None:
    with pytest.raises(InputError, match="above zero for transform 'box-cox'"):
        power_of(np.array([0.0, 1.0]), 0.5)


@pytest.mark.parametrize("changes", [{"centre": -1.0}, {"edge": 0.0}, {"power": float("nan")}])
def test_a_map_that_cannot_be_is_not_read(changes: dict[str, float]) -> None:
    record = MAPS[0].to_json()
    with pytest.raises(ValueError, match="no power"):
        Transform.from_json(record | {"warp": record["warp"] | changes})


Y = np.array([2.0, 5.0, 40.0])


def test_zero_lies_four_standard_deviations_below_the_geometric_mean() -> None:
    log = transform_of("log", Y)
    assert log.scale == pytest.approx(stats.gmean(Y))
    assert log.forward(Y).mean() == pytest.approx(4.0 * np.log(Y).std())
    assert log.unshifted.forward(Y).sum() == pytest.approx(0.0, abs=1e-12)
    for one in (log, log.unshifted):
        assert one.back(one.forward(Y)) == pytest.approx(Y)


def test_a_zero_that_is_fitted_counts_as_a_number() -> None:
    assert [one.parameters for one in (transform_of("log", Y), Transform("log", 3.0), Transform())] == [0, 1, 0]


def test_the_jacobian_makes_the_density_of_the_data() -> None:
    log, sd = transform_of("log", Y), 0.7
    on_scale = stats.norm(0.0, sd).logpdf(log.forward(Y)).sum() + log.log_jacobian(Y)
    assert on_scale == pytest.approx(stats.lognorm(sd, scale=log.scale * np.exp(-log.shift)).logpdf(Y).sum())


def test_moments_are_those_of_the_lognormal() -> None:
    mean, sd = Transform("log", 3.0, 2.0).moments(np.array([2.2, 1.0]), np.array([0.5, 1.5]))
    for k, known in enumerate((stats.lognorm(0.5, scale=3 * np.exp(0.2)), stats.lognorm(1.5, scale=3 * np.exp(-1.0)))):
        assert mean[k] == pytest.approx(known.mean())
        assert sd[k] == pytest.approx(known.std())


def test_the_joint_moments_agree_with_draws() -> None:
    mean, cov = np.array([0.1, 0.4]), np.array([[0.09, 0.05], [0.05, 0.16]])
    draws = 2.0 * np.exp(np.random.default_rng(0).multivariate_normal(mean, cov, 400_000))
    middle, spread = Transform("log", 2.0).joint(mean, cov)
    assert middle == pytest.approx(draws.mean(axis=0), rel=5e-3)
    assert spread == pytest.approx(np.cov(draws.T), rel=2e-2)


def test_far_forecasts_stay_finite() -> None:
    mean, sd = Transform("log", 1e100).moments(np.array([1e4, 0.0]), np.array([100.0, 0.0]))
    assert np.isfinite(mean).all()
    assert np.isfinite(sd).all()
    assert sd[1] == 0.0


def test_none_changes_nothing() -> None:
    none = transform_of("none", -Y)
    assert none.forward(-Y).tolist() == (-Y).tolist()
    assert none.log_jacobian(-Y) == 0.0
    assert none.parameters == 0


def test_data_with_an_offset_are_whole_before_the_logarithm() -> None:
    data = Dataset(np.arange(3.0)[:, None], Y - 30.0, ("x",), "y", None, offset=30.0)
    found = modelled(data, transform_of("log", Y))
    assert found.offset == 0.0
    assert found.y == pytest.approx(np.log(Y) - np.log(Y).mean() + 4.0 * np.log(Y).std())


@pytest.mark.parametrize("smallest", [0.0, -1.0])
def test_a_logarithm_needs_positive_data(smallest: float) -> None:
    with pytest.raises(InputError, match="data above zero"):
        transform_of("log", np.array([1.0, smallest]))


def test_a_record_of_something_else_is_refused() -> None:
    log = Transform("log", 2.0, 1.5)
    assert Transform.from_json(log.to_json()) == log
    assert Transform.from_json({"name": "log", "scale": 2.0}) == log.unshifted  # as it was written once
    for record in ({"name": "root", "scale": 1.0}, {"name": "log", "scale": -1.0}):
        with pytest.raises(ValueError, match="no transform"):
            Transform.from_json(record)


SHARES = np.array([0.02, 0.3, 0.9])


def test_odds_go_there_and_back() -> None:
    for values, top in ((SHARES, 1.0), (100.0 * SHARES, 100.0)):
        odds = transform_of("logit", values)
        assert odds.top == top
        assert odds.back(odds.forward(values)) == pytest.approx(values)
        assert odds.unshifted.forward(values).mean() == pytest.approx(0.0, abs=1e-9)
        assert Transform.from_json(odds.to_json()) == odds
        assert odds.moved(values, np.log([3.0] * 3)) == pytest.approx(top * 3.0 * SHARES / (1.0 + 2.0 * SHARES))


def test_the_jacobian_of_odds_is_a_difference() -> None:
    odds, step = transform_of("logit", SHARES), 1e-7
    slopes = (odds.forward(SHARES + step) - odds.forward(SHARES - step)) / (2.0 * step)
    assert odds.log_slope(SHARES) == pytest.approx(np.log(slopes), abs=1e-6)


def test_moments_of_shares_agree_with_draws() -> None:
    odds = Transform("logit", 20.0, 1.0, top=100.0)
    draws = odds.back(0.4 + 0.9 * np.random.default_rng(0).standard_normal(400_000))
    mean, sd = odds.moments(np.array([0.4]), np.array([0.9]))
    assert mean == pytest.approx([draws.mean()], rel=2e-3)
    assert sd == pytest.approx([draws.std()], rel=5e-3)
    middle, cov = odds.joint(np.array([0.4, 0.4]), np.array([[0.81, 0.4], [0.4, 0.81]]))
    assert middle == pytest.approx([mean[0], mean[0]])
    assert np.sqrt(cov.diagonal()) == pytest.approx([sd[0], sd[0]])


def test_none_and_all_lie_half_as_far_from_the_ends_as_the_nearest_value() -> None:
    values = np.array([0.0, 10.0, 40.0, 100.0])
    odds = transform_of("logit", values)
    assert odds.least == 5.0
    assert odds.back(odds.forward(values)) == pytest.approx([5.0, 10.0, 40.0, 95.0])
    with pytest.raises(InputError, match="shares from 0 to 1 or 0 to 100"):
        transform_of("logit", np.array([-1.0, 120.0]))
    with pytest.raises(ValueError, match="no odds"):
        Transform.from_json(odds.to_json() | {"scale": 100.0})
