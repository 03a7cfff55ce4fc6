"""Checks of a model against data, the cover of its bands, and rows."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import ks_2samp, kstest
from tests.decompose.series.series import LEVEL, NOISE, TREND, Y
from tests.decompose.series.series import MODEL as MODEL_OF_BANDS
from tests.decompose.series.series import SMOOTH as SMOOTH_OF_BANDS
from tests.decompose.series.series import X as X_OF_BANDS

from autostatistician.decompose.records.series import Check
from autostatistician.decompose.series.checks import _OfErrors, check
from autostatistician.decompose.series.parts import (
    FEWEST_MEMBERS,
    MOST_MEMBERS,
    ConditionedPart,
    bands,
    part_of,
    thinned_for_bands,
    zero_projection,
)
from autostatistician.decompose.statistics import evenly_spaced, in_stretches, typical
from autostatistician.decompose.turning_points import contrast, is_sure, turning_points
from autostatistician.decompose.uncertainty import ConditionedModel, ParameterDraws, fixed_parameters, uncertainty_of
from autostatistician.forms import CheckKind
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.fitting import fit as fit_of_coverage
from autostatistician.gp.parameters.scales import measure
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.posterior.projection import Projection, total
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.rewrite import components

X = np.arange(120.0)[:, None]
SMOOTH = leaf("SE", sd=2.0, lengthscale=15.0)
MODEL = SMOOTH + leaf("WN", sd=0.7)
K = covariance(MODEL, X)
Vector = NDArray[np.float64]


def _drawn(seed: int) -> Vector:
    return np.linalg.cholesky(K) @ np.random.default_rng(seed).standard_normal(len(X))


def _checked(y: Vector, seed: int = 0, parts: tuple[Kernel, ...] = ()) -> list[Check]:
    found = check(condition(MODEL, Problem(X, y)), parts, seed)
    assert found is not None
    return list(found.every)


def test_errors_are_independent_and_standard_normal_under_the_model() -> None:
    errors = np.array([condition(MODEL, Problem(X, _drawn(seed))).innovations() for seed in range(200)])
    assert np.abs(np.cov(errors.T) - np.eye(len(X))).max() < 0.4
    assert np.var(errors) == pytest.approx(1.0, abs=0.02)


def test_an_error_is_that_of_predicting_a_value_from_those_before() -> None:
    y = _drawn(3)
    known = condition(MODEL, Problem(X[:50], y[:50]))
    mean, sd = known.observations(X[50:51])
    assert condition(MODEL, Problem(X, y)).innovations()[50] == pytest.approx((y[50] - mean[0]) / sd[0])


CYCLE = leaf("Per", sd=1.0, period=12.0, lengthscale=1.0)
BOTH = SMOOTH + CYCLE + leaf("WN", sd=0.7)
SHORT = X[:72]


@pytest.fixture(scope="module")
def right() -> list[list[Check]]:
    """Checks of 100 data sets that are drawn from the model."""
    root, found = np.linalg.cholesky(covariance(BOTH, SHORT)), []
    for seed in range(100):
        y = root @ np.random.default_rng(seed).standard_normal(len(SHORT))
        checks = check(condition(BOTH, Problem(SHORT, y)), (SMOOTH, CYCLE), seed)
        assert checks is not None
        found.append(list(checks.every))
    return found


@pytest.mark.long
def test_p_values_are_uniform_where_the_model_is_right(right: list[list[Check]]) -> None:
    p = {(one.part, one.kind): [known[index].p for known in right] for index, one in enumerate(right[0])}
    assert len(p) == 4 + 5 + 5
    far = {key: kstest(values, "uniform").pvalue for key, values in p.items()}
    assert min(far.values()) * len(far) > 0.05, far


@pytest.mark.long
def test_the_right_model_raises_few_alarms(right: list[list[Check]]) -> None:
    alarms = [min(one.adjusted for one in known) < 0.05 for known in right]
    assert np.mean(alarms) <= 0.05


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("distribution", lambda y: y + 6.0 * (np.arange(120) % 17 == 5)),
        ("periodogram", lambda y: y + 1.4 * np.sin(np.arange(120) * 2 * np.pi / 5)),
        ("autocorrelation", lambda y: y + 1.2 * (-1.0) ** np.arange(120)),
        ("course", lambda y: np.where(np.arange(120) > 80, 3.0 * y, y)),
    ],
)
def test_planted_faults_are_found(kind: str, fault: object) -> None:
    found = {one.kind: one for one in _checked(fault(_drawn(1)))}  # type: ignore[operator]
    assert found[kind].adjusted < 0.05


def test_a_cycle_that_is_left_is_named_by_its_length() -> None:
    found = {one.kind: one for one in _checked(_drawn(1) + 1.4 * np.sin(np.arange(120) * 2 * np.pi / 5))}
    assert found["periodogram"].place == pytest.approx(5.0, rel=0.05)


LONG = np.arange(300.0)
ROUGH = leaf("SE", sd=2.0, lengthscale=2.5)
USUAL = np.linalg.cholesky(covariance(ROUGH, LONG[:, None]) + 1e-9 * np.eye(300)) @ np.random.default_rng(0).normal(
    size=300
)


@pytest.mark.parametrize(
    ("kind", "side", "part"),
    [
        ("distribution", 1, 2.0 * USUAL),
        ("distribution", -1, 0.5 * USUAL),
        ("quantiles", 1, 0.5 * USUAL + 14.0 * np.exp(-0.5 * ((LONG - 60.0) / 4.0) ** 2)),
        ("autocorrelation", -1, 2.8 * np.sin(LONG * 2 * np.pi / 30)),
        ("periodogram", 1, 2.8 * np.sin(LONG * 2 * np.pi / 30)),
        ("course", 1, 1.5 * USUAL * (LONG > 150)),
    ],
)
def test_a_part_unlike_what_the_model_expects_is_found(kind: str, side: int, part: Vector) -> None:
    noise = 0.7 * np.random.default_rng(0).standard_normal(300)
    model = ROUGH + leaf("WN", sd=0.7)
    checks = check(condition(model, Problem(LONG[:, None], part + noise)), (ROUGH,), 0)
    assert checks is not None
    found = {one.kind: one for one in checks.every if one.part == 1}
    assert set(found) == {"distribution", "quantiles", "autocorrelation", "periodogram", "course"}
    assert found[kind].adjusted < 0.05
    assert found[kind].side == side


def test_a_part_that_the_data_show_nothing_of_is_not_checked() -> None:
    hidden = leaf("SE", sd=1e-4, lengthscale=9.0)
    model = MODEL + hidden
    found = check(condition(model, Problem(X, _drawn(0))), (SMOOTH, hidden), 0)
    assert found is not None
    assert {one.part for one in found.every} == {0, 1}


def test_constants_lines_and_noise_have_no_checks_of_their_own() -> None:
    plain = (leaf("C", sd=1.0), leaf("Lin", sd=1.0, location=0.0), leaf("WN", sd=1.0))
    assert {one.part for one in _checked(_drawn(0), parts=plain)} == {0}


def test_few_rows_are_not_checked() -> None:
    assert check(condition(MODEL, Problem(X[:10], _drawn(0)[:10])), (), 0) is None


def test_the_same_seed_gives_the_same_values() -> None:
    assert _checked(_drawn(2), 5, (SMOOTH,)) == _checked(_drawn(2), 5, (SMOOTH,))


@pytest.mark.slow
def test_many_rows_are_checked_without_simulating_them_all() -> None:
    """A quick cycle is looked at where its places can be told apart; a planted one is found."""
    x = np.arange(6000.0)[:, None]
    kernel = leaf("Matern12", sd=2.0, lengthscale=300.0) + leaf("Per", sd=1.0, period=12.0, lengthscale=1.0)
    level = np.convolve(np.random.default_rng(0).normal(size=6999), np.exp(-np.arange(1000) / 300.0), "valid")
    cycle = covariance(kernel.parts[1], x[:12]) + 1e-9 * np.eye(
        12
    )  # drawn from the model: a sine is no usual draw of it
    drawn = np.resize(np.linalg.cholesky(cycle) @ np.random.default_rng(2).normal(size=12), 6000)
    y = 0.16 * level + drawn + 0.7 * np.random.default_rng(1).normal(size=6000)
    whole = kernel + leaf("WN", sd=0.7)
    right = check(condition(whole, Problem(x, y)), kernel.parts, 0)
    assert right is not None
    assert min(one.adjusted for one in right.every) > 0.05
    planted = y + 0.3 * np.sin(2.0 * np.pi * x[:, 0] / 7.0)
    wrong = check(condition(whole, Problem(x, planted)), kernel.parts, 0)
    assert wrong is not None
    loudest = min(wrong.every, key=lambda one: one.adjusted)
    assert (loudest.part, loudest.place) == (0, pytest.approx(7.0, rel=0.01))


@pytest.mark.slow
def test_tails_that_are_heavy_throughout_are_no_change_along_the_way() -> None:
    """Nor are single large errors; a scatter that grows is one, whatever else is in the errors."""
    heavy = np.random.default_rng(5).standard_t(3, size=(12, len(X)))
    assert sum(_course(errors) < 0.05 for errors in heavy) <= 2
    single = heavy[0].copy()
    single[100] = -12.0
    assert _course(single) == _course(np.where(single == -12.0, -1e4, single))
    assert _course(np.where(np.arange(len(X)) > 80, 4.0 * single, single)) < 0.01


def _course(errors: Vector) -> float:
    found = check(condition(MODEL, Problem(X, errors)), (), 0, errors=errors)
    assert found is not None
    return next(single.p for single in found.every if single.kind == "course")


GRID = np.linspace(-1.0, 12.0, 9)
SIGNAL = (SMOOTH_OF_BANDS, TREND, LEVEL)


def _uncertainty(*posteriors: Posterior) -> ParameterDraws:
    """Under models with the same three parts of signal, and noise, in that order."""
    members = [ConditionedModel(one, _parts(one.kernel)) for one in posteriors]
    return ParameterDraws(members[0], tuple(members[1:]), (None,) * 4)


def _parts(kernel: Kernel) -> tuple[Kernel, ...]:
    return tuple(sorted(kernel.parts, key=lambda part: ["SE", "Lin", "C", "WN"].index(str(part))))


def _told(posterior: Posterior) -> list[ConditionedPart]:
    return [part_of(kernel, posterior, (), (), GRID[:, None]) for kernel in _parts(posterior.kernel)]


@pytest.fixture(scope="module")
def fit() -> Posterior:
    return condition(MODEL_OF_BANDS, Problem(X_OF_BANDS, Y))


@pytest.fixture(scope="module")
def stiff() -> Posterior:
    """The same parts with other numbers, given the same data."""
    other = leaf("SE", lengthscale=0.6, sd=0.8) + leaf("Lin", sd=1.0, location=-1.0) + LEVEL + leaf("WN", sd=0.3)
    return condition(other, Problem(X_OF_BANDS, Y))


def test_with_the_numbers_held_they_are_those_of_sums_of_parts(fit: Posterior) -> None:
    found = bands(_told(fit), _uncertainty(fit), GRID)
    for index, part in enumerate(SIGNAL):
        np.testing.assert_allclose(found.at_data[index], fit.project(part).sd, atol=1e-9)
        np.testing.assert_allclose(found.on_grid[index], fit.project(part, GRID[:, None]).sd, atol=1e-9)
        until = fit.project(Kernel.sum(SIGNAL[: index + 1]), GRID[:, None])
        np.testing.assert_allclose(found.cumulative[index] ** 2, until.variance, atol=1e-9)
    np.testing.assert_allclose(found.signal, fit.signal(GRID[:, None])[1], atol=1e-7)
    np.testing.assert_allclose(found.noise, 0.2)


def test_other_numbers_give_the_variance_of_their_mixture_about_the_fit(fit: Posterior, stiff: Posterior) -> None:
    found = bands(_told(fit), _uncertainty(fit, fit, stiff), GRID)
    for index, kernel in enumerate(SIGNAL):
        own = fit.project(kernel, GRID[:, None])
        other = stiff.project(_parts(stiff.kernel)[index], GRID[:, None])
        mixture = 0.5 * (own.variance + other.variance + (other.mean - own.mean) ** 2)
        np.testing.assert_allclose(found.on_grid[index] ** 2, mixture, atol=1e-9)
    np.testing.assert_allclose(found.noise, np.sqrt(0.5 * (0.2**2 + 0.3**2)))


def test_noise_alone_leaves_no_signal() -> None:
    noise = condition(NOISE, Problem(X_OF_BANDS, Y))
    found = bands([part_of(NOISE, noise, (), (), GRID[:, None])], fixed_parameters(noise), GRID)
    assert not found.signal.any()


@pytest.mark.parametrize(("rows", "count"), [(41, MOST_MEMBERS), (400, MOST_MEMBERS // 2), (4000, FEWEST_MEMBERS)])
def test_of_many_rows_few_other_models_are_asked(rows: int, count: int) -> None:
    x = np.arange(float(rows))
    uncertainty = fixed_parameters(condition(leaf("WN", sd=1.0), Problem(x, np.sin(x))))
    assert (
        len(thinned_for_bands(ParameterDraws(uncertainty.fit, (uncertainty.fit,) * 60, uncertainty.parameters)).others)
        == count
    )


def test_zero_adds_nothing(fit: Posterior) -> None:
    one: Projection = fit.project(SMOOTH_OF_BANDS, GRID[:, None])
    both = total([one, zero_projection(one)])
    np.testing.assert_array_equal(both.mean, one.mean)
    np.testing.assert_array_equal(both.covariance(), one.covariance())


X_OF_COVERAGE = np.linspace(0.0, 10.0, 90)[:, None]
SETS = 40
NOISE_OF_COVERAGE = leaf("WN", sd=0.4)
CYCLE_OF_COVERAGE = leaf("Per", lengthscale=1.5, period=1.7, sd=1.0) + NOISE_OF_COVERAGE
SMOOTH_OF_COVERAGE = leaf("SE", lengthscale=0.8, sd=1.0) + NOISE_OF_COVERAGE
ABRUPT = Kernel.change_point(leaf("C", sd=1.0), leaf("C", sd=2.0), 5.03, 40.0) + NOISE_OF_COVERAGE
GRADUAL = Kernel.change_point(leaf("C", sd=1.0), leaf("SE", lengthscale=0.7, sd=1.5), 5.0, 2.0) + NOISE_OF_COVERAGE


@cache
def _numbers(model: Kernel, seed: int) -> dict[str, np.ndarray]:
    """Draws of the numbers of every part, from data drawn from the model."""
    spread = np.linalg.cholesky(covariance(model, X_OF_COVERAGE, None, ("x",)) + 1e-9 * np.eye(90))
    y = spread @ np.random.default_rng(seed).standard_normal(90)
    fitted = fit_of_coverage(
        model, Problem(X_OF_COVERAGE, y, ("x",)), measure(X_OF_COVERAGE, y, ("x",)), max_steps=60
    ).kernel
    parts = components(fitted)
    drawn = uncertainty_of(
        condition(fitted, Problem(X_OF_COVERAGE, y, ("x",))), np.random.default_rng(0), most=1
    ).parameters
    return {str(part): numbers for part, numbers in zip(parts, drawn, strict=True) if numbers is not None}


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "part", "index", "truth", "least"),
    [
        (CYCLE_OF_COVERAGE, "Per", 1, 1.7, 0.85),
        (CYCLE_OF_COVERAGE, "WN", 0, 0.4, 0.8),
        (SMOOTH_OF_COVERAGE, "SE", 0, 0.8, 0.85),
        (SMOOTH_OF_COVERAGE, "WN", 0, 0.4, 0.85),
        (ABRUPT, "CP(C, 0) + CP(0, C)", 0, 5.03, 0.9),
        (GRADUAL, "CP(C, 0)", 0, 5.0, 0.85),
    ],
)
def test_ranges_hold_the_truth(model: Kernel, part: str, index: int, truth: float, least: float) -> None:
    ranges = [np.quantile(_numbers(model, seed)[part][:, index], [0.025, 0.975]) for seed in range(SETS)]
    held = np.mean([low <= truth <= high for low, high in ranges])
    assert held >= least


@given(st.integers(1, 3000), st.integers(2, 400))
def test_they_are_distinct_hold_both_ends_and_leave_gaps_of_one_size(n: int, most: int) -> None:
    rows = evenly_spaced(n, most)
    assert len(rows) == min(n, most)
    assert (rows[0], rows[-1]) == (0, n - 1)
    gaps = np.diff(rows)
    assert gaps.size == 0 or 1 <= gaps.min() <= gaps.max() <= gaps.min() + 1


def test_of_none_there_are_none() -> None:
    assert evenly_spaced(0, 5).tolist() == []
    assert evenly_spaced(5, 1).tolist() == [0]


def test_stretches_of_neighbours_reach_from_end_to_end() -> None:
    rows = in_stretches(100_000, 20_000)
    assert (rows[0], rows[-1], len(rows)) == (0, 99_999, 20_000)
    assert float(np.mean(np.diff(rows) == 1)) > 0.97
    assert np.diff(rows).max() < 300


def test_typical_rows_have_the_means_of_all() -> None:
    X = np.random.default_rng(0).normal(size=(150, 3))
    few, spaced = (
        np.abs([(X[rows] ** power).mean(axis=0) - (X**power).mean(axis=0) for power in (1, 2)])
        for rows in (typical(X, 40), evenly_spaced(150, 40))
    )
    assert few.max() < 0.06
    assert spaced.max() > 0.1
    assert len(np.unique(typical(X, 40))) == 40
    assert typical(np.zeros((5, 0)), 3).size == 3


CURVES = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=25).map(np.array)


@given(st.permutations(range(12)).map(lambda values: np.array(values, dtype=float)))
def test_without_doubt_and_details_they_are_the_extremes(mean: np.ndarray) -> None:
    cov = 1e-12 * np.eye(len(mean))
    extremes = [
        place
        for place in range(1, 11)
        if mean[place] in (mean[place - 1 : place + 2].max(), mean[place - 1 : place + 2].min())
    ]
    assert turning_points(mean, cov, 1e-3) == [0, *extremes, 11]


@given(CURVES, st.floats(0.01, 9.0))
def test_every_leg_between_several_stops_is_sure(mean: np.ndarray, sd: float) -> None:
    cov, size = sd**2 * np.eye(len(mean)), float(np.ptp(mean))
    stops = turning_points(mean, cov, size)
    assert stops == sorted(set(stops))
    if len(stops) == 2:
        assert stops == [0, len(mean) - 1]
    else:
        assert all(is_sure(contrast(mean, cov, *leg), size) for leg in pairwise(stops))


def test_the_least_of_what_is_unsure_goes_first() -> None:
    mean = np.array([0.0, 10.0, 9.5, 9.9, 4.0])
    assert turning_points(mean, 1e-6 * np.eye(5), 10.0) == [0, 1, 4]


def test_a_flat_top_or_bottom_is_one_turn_where_the_curve_comes_to_rest() -> None:
    cov = 1e-12 * np.eye(7)
    assert turning_points(np.array([0.0, 2.0, 2.0, 2.0, 1.0, 1.0, 3.0]), cov, 2.0) == [0, 1, 4, 6]
    assert turning_points(np.array([0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0]), cov, 2.0) == [0, 6]


@given(CURVES)
def test_legs_go_up_and_down_in_turn(mean: np.ndarray) -> None:
    stops = turning_points(mean, 1e-12 * np.eye(len(mean)), 1e-3)
    signs = np.sign(np.diff(mean[stops]))
    assert len(stops) == 2 or (signs[1:] == -signs[:-1]).all()


def test_what_two_places_share_is_not_in_their_difference() -> None:
    cov = np.full((2, 2), 4.0) + 1e-4 * np.eye(2)
    assert is_sure(contrast(np.array([0.0, 0.1]), cov, 0, 1), 0.1)
    assert not is_sure(contrast(np.array([0.0, 0.1]), 4.0 * np.eye(2), 0, 1), 0.1)


def test_a_turn_is_the_highest_place_also_where_a_rise_to_it_is_unsure() -> None:
    mean = np.array([0.0, 3.0, 2.5, 3.4, 0.0])
    unsure_at_the_top = np.diag([1e-4, 1e-4, 1e-4, 1.0, 1e-4])  # the fall from the first top is sure, the rise is not
    assert turning_points(mean, unsure_at_the_top, 3.4) == [0, 3, 4]


@pytest.mark.parametrize("doubt", [30.0, 50.0, 200.0])
def test_a_doubtful_end_takes_no_sure_turn_with_it(doubt: float) -> None:
    x = np.arange(60)
    mean = np.interp(x, [0, 12, 17, 25, 38, 50, 59], [16.0, -66.0, 36.0, -76.0, 56.0, -40.0, -5.0])
    for late, turns in ((x > 48, [12, 17, 25, 38]), (x < 12, [17, 25, 38, 50])):
        stops = turning_points(mean, np.diag(np.where(late, doubt**2, 1e-4)), 132.0)
        assert set(turns) <= set(stops)


def test_statistics_of_many_errors_are_distributed_as_those_of_fewer() -> None:
    rng = np.random.default_rng(4)
    of_many = _OfErrors(rng.standard_normal(12_000), 1.0)
    many, few = (rng.standard_normal((150, n)) for n in (12_000, 3000))
    for key in (CheckKind.DISTRIBUTION, CheckKind.AUTOCORRELATION, CheckKind.PERIODOGRAM):
        statistic = of_many.statistics[key, 0]
        assert ks_2samp(statistic(many), statistic(few)).pvalue > 0.01
