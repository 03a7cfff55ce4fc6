"""Checks of a model: calibrated where the model is right, and able to find planted faults."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.checks import check, course_distance, innovations
from autostatistician.decompose.records import Check
from autostatistician.inference.covariance import covariance
from autostatistician.inference.posterior import condition_arrays
from autostatistician.language.kernel import Kernel, leaf

X = np.arange(120.0)[:, None]
SMOOTH = leaf("SE", sd=2.0, lengthscale=15.0)
MODEL = SMOOTH + leaf("WN", sd=0.7)
K = covariance(MODEL, X)
Vector = NDArray[np.float64]


def _drawn(seed: int) -> Vector:
    return np.linalg.cholesky(K) @ np.random.default_rng(seed).standard_normal(len(X))


def _checked(y: Vector, seed: int = 0, parts: tuple[Kernel, ...] = ()) -> list[Check]:
    found = check(condition_arrays(MODEL, X, y), parts, seed)
    assert found is not None
    return list(found.every)


def test_errors_are_independent_and_standard_normal_under_the_model() -> None:
    errors = np.array([innovations(condition_arrays(MODEL, X, _drawn(seed))) for seed in range(200)])
    assert np.abs(np.cov(errors.T) - np.eye(len(X))).max() < 0.4
    assert np.var(errors) == pytest.approx(1.0, abs=0.02)


def test_an_error_is_that_of_predicting_a_value_from_those_before() -> None:
    y = _drawn(3)
    known = condition_arrays(MODEL, X[:50], y[:50])
    mean, sd = known.observations(X[50:51])
    assert innovations(condition_arrays(MODEL, X, y))[50] == pytest.approx((y[50] - mean[0]) / sd[0])


def test_p_values_are_uniform_where_the_model_is_right() -> None:
    p = np.array([[one.p for one in _checked(_drawn(seed), seed)] for seed in range(60)])
    assert p.shape == (60, 4)
    assert np.all(np.abs(p.mean(axis=0) - 0.5) < 0.15)
    assert np.all((p < 0.1).mean(axis=0) < 0.25)


def test_parts_of_the_right_model_raise_few_alarms() -> None:
    alarms = [min(one.adjusted for one in _checked(_drawn(seed), seed, (SMOOTH,))) < 0.05 for seed in range(20)]
    assert sum(alarms) <= 2


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("distribution", lambda y: y + 6.0 * (np.arange(120) % 17 == 5)),
        ("periodogram", lambda y: y + 1.4 * np.sin(np.arange(120) * 2 * np.pi / 5)),
        ("autocorrelation", lambda y: y + 1.2 * (-1.0) ** np.arange(120)),
        ("course", lambda y: np.where(np.arange(120) > 80, 2.5 * y, y)),
    ],
)
def test_planted_faults_are_found(kind: str, fault: object) -> None:
    found = {one.kind: one for one in _checked(fault(_drawn(1)))}  # type: ignore[operator]
    assert found[kind].adjusted < 0.05


def test_a_cycle_that_is_left_is_named_by_its_length() -> None:
    found = {one.kind: one for one in _checked(_drawn(1) + 1.4 * np.sin(np.arange(120) * 2 * np.pi / 5))}
    assert found["periodogram"].place == pytest.approx(5.0, rel=0.05)


def test_a_part_much_larger_than_its_prior_is_found() -> None:
    y = 12.0 * np.sin(np.arange(120) * 2 * np.pi / 24)
    found = [one for one in _checked(y, parts=(SMOOTH,)) if one.part == 1]
    assert {one.kind for one in found} == {"distribution", "autocorrelation", "periodogram"}
    size = next(one for one in found if one.kind == "distribution")
    assert size.adjusted < 0.05
    assert size.side == 1


def test_constants_lines_and_noise_have_no_checks_of_their_own() -> None:
    plain = (leaf("C", sd=1.0), leaf("Lin", sd=1.0, location=0.0), leaf("WN", sd=1.0))
    assert {one.part for one in _checked(_drawn(0), parts=plain)} == {0}


def test_few_rows_are_not_checked() -> None:
    assert check(condition_arrays(MODEL, X[:10], _drawn(0)[:10]), (), 0) is None


def test_the_same_seed_gives_the_same_values() -> None:
    assert _checked(_drawn(2), 5, (SMOOTH,)) == _checked(_drawn(2), 5, (SMOOTH,))


def test_the_distance_of_courses_is_that_of_the_double_loop() -> None:
    errors, rng = np.array([0.3, -1.2, 2.0]), np.random.default_rng(0)
    normal = rng.standard_normal(400_000)
    times = np.linspace(0.0, 1.0, 3)
    total = 0.0
    for s, a in zip(times, errors, strict=True):
        for t, b in zip(times, errors, strict=True):
            near = np.exp(-0.5 * ((s - t) / 0.15) ** 2)
            one, two = (np.exp(-0.5 * (value - normal) ** 2).mean() for value in (a, b))
            both = np.exp(-0.5 * (normal[:200_000] - normal[200_000:]) ** 2).mean()
            total += near * (np.exp(-0.5 * (a - b) ** 2) - one - two + both) / 9.0
    assert course_distance(errors) == pytest.approx(total, abs=2e-3)
