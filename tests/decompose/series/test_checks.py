"""Checks of a model: calibrated where the model is right, and able to find planted faults."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import kstest

from autostatistician.decompose.records.series import Check
from autostatistician.decompose.series.checks import check
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf

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
@pytest.mark.slow
def test_p_values_are_uniform_where_the_model_is_right(right: list[list[Check]]) -> None:
    p = {(one.part, one.kind): [known[index].p for known in right] for index, one in enumerate(right[0])}
    assert len(p) == 4 + 5 + 5
    far = {key: kstest(values, "uniform").pvalue for key, values in p.items()}
    assert min(far.values()) * len(far) > 0.05, far


@pytest.mark.long
@pytest.mark.slow
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
    assert [one.part for one in found.spreads] == [1]


def test_the_picture_of_a_part_holds_its_values_in_order() -> None:
    checks = check(condition(MODEL, Problem(X, _drawn(0))), (SMOOTH,), 0)
    assert checks is not None
    (spread,) = checks.spreads
    assert (np.diff(spread.values) >= 0.0).all()
    assert (spread.lower <= spread.upper).all()
    assert np.mean((spread.lower <= spread.values) & (spread.values <= spread.upper)) > 0.5


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
