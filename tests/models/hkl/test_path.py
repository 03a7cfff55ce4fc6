"""Paths: the whole problem over all subsets, solved and proven."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from autostatistician.models.hkl.hull import Hull, PackedTriangle, closure, column_of, members
from autostatistician.models.hkl.path import (
    LogisticLoss,
    Loss,
    Outside,
    PathSettings,
    Reduced,
    Solution,
    SquaredLoss,
    folds_of,
    held_out_losses,
    path,
)

RNG_LINE = np.random.default_rng(6)
X_LINE = RNG_LINE.normal(size=(30, 2))
Y_LINE = X_LINE[:, 0] + 0.1 * RNG_LINE.normal(size=30)
SETTINGS_LINE = PathSettings(sharpness=0.0625, rank=30, root_weight=0.1, growth=2.0, most=4, gap=1e-3)


def test_held_out_losses_are_those_of_fits_without_the_rows() -> None:
    folds = folds_of(np.zeros(30), 3, RNG_LINE)
    found = held_out_losses(X_LINE, SquaredLoss(Y_LINE), folds, (1.0, 1e-4), SETTINGS_LINE)
    errors = np.empty((2, 30))
    for fold in range(3):
        rest = folds != fold
        fits = path(X_LINE[rest], SquaredLoss(Y_LINE[rest]), (1.0, 1e-4), SETTINGS_LINE)
        for place, one in enumerate(fits):
            errors[place, ~rest] = Y_LINE[~rest] - one.values(X_LINE[~rest])
    assert found == pytest.approx(0.5 * np.mean(errors**2, axis=1))
    assert found[1] < 0.1 * found[0]


def test_folds_have_like_shares_of_the_groups() -> None:
    groups = np.repeat([0.0, 1.0], [20, 10])
    folds = folds_of(groups, 5, RNG_LINE)
    assert np.bincount(folds[:20]).tolist() == [4] * 5
    assert np.bincount(folds[20:]).tolist() == [2] * 5


RNG_ONE = np.random.default_rng(1)
ROOT = RNG_ONE.normal(size=(30, 3))
CENTRED = ROOT - ROOT.mean(axis=0)
K = CENTRED @ CENTRED.T
LOSSES_ONE = [
    SquaredLoss(ROOT[:, 0] + RNG_ONE.normal(size=30)),
    LogisticLoss((ROOT[:, 0] + RNG_ONE.normal(size=30) > 0.3).astype(float)),
]
PENALTIES_ONE = (1.0, 0.03, 1e-5)


@pytest.mark.parametrize("loss", LOSSES_ONE, ids=["square", "logistic"])
@pytest.mark.parametrize("penalty", PENALTIES_ONE)
def test_the_best_function_is_that_of_a_generic_method(loss: Loss, penalty: float) -> None:
    def objective(u: np.ndarray) -> float:
        return loss.mean(CENTRED @ u[1:] + u[0]) + 0.5 * penalty * float(u[1:] @ u[1:])

    weights, level = loss.solve(K, penalty, np.zeros(30))
    found = loss.mean(K @ weights + level) + 0.5 * penalty * float(weights @ K @ weights)
    assert found == pytest.approx(minimize(objective, np.zeros(4), tol=1e-12).fun, abs=1e-8)
    assert weights.sum() == pytest.approx(0.0, abs=1e-9 * np.abs(weights).sum())
    assert loss.dual(weights, penalty) - 0.5 * penalty * float(weights @ K @ weights) == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("loss", LOSSES_ONE, ids=["square", "logistic"])
def test_no_dual_is_above_a_primal(loss: Loss) -> None:
    for penalty in PENALTIES_ONE:
        weights, _ = loss.solve(K, 3.0 * penalty, np.zeros(30))  # feasible, and not the best
        weights = 0.9 * weights
        dual = loss.dual(weights, penalty) - 0.5 * penalty * float(weights @ K @ weights)
        best, level = loss.solve(K, penalty, np.zeros(30))
        assert dual < loss.mean(K @ best + level) + 0.5 * penalty * float(best @ K @ best)


def test_separable_classes_end() -> None:
    loss = LogisticLoss((CENTRED[:, 0] > 0.0).astype(float))
    weights, level = loss.solve(K, 1e-8, np.zeros(30))
    assert loss.mean(K @ weights + level) < 1e-3


RNG_PAIR = np.random.default_rng(3)
X_PAIR = RNG_PAIR.normal(size=(30, 3))
Y_PAIR = X_PAIR[:, 0] * X_PAIR[:, 1] + 0.3 * RNG_PAIR.normal(size=30)
LOSSES_PAIR: list[Loss] = [SquaredLoss(Y_PAIR), LogisticLoss((Y_PAIR > 0.0).astype(float))]
START = np.zeros(30)


def _reduced(loss: Loss, penalty: float = 1e-3) -> Reduced:
    triangle = PackedTriangle(30)
    features = [column_of(x, 0.3, 30).features(x) for x in X_PAIR.T]
    hull = Hull(np.array([triangle.pack(one @ one.T) for one in features]), 8)
    hull.add([1, 2, 4, 3, 5])
    return Reduced(hull, triangle, loss, np.where(hull.sizes == 0.0, 0.1, 2.0**hull.sizes), penalty)


@pytest.mark.parametrize("loss", LOSSES_PAIR, ids=["square", "logistic"])
def test_slopes_are_those_of_the_objective(loss: Loss) -> None:
    reduced, shares = _reduced(loss), np.array([0.2, 0.1, 0.3, 0.1, 0.25, 0.05])
    slopes = reduced.at(shares, START).slopes
    for place in range(6):
        step = 1e-5 * np.eye(6)[place]
        rise = reduced.at(shares + step, START).value - reduced.at(shares - step, START).value
        assert rise / 2e-5 == pytest.approx(-0.5 * reduced.penalty * slopes[place], rel=1e-4, abs=1e-7)


@given(shares=st.lists(st.floats(0.01, 1.0), min_size=6, max_size=6), at=st.sampled_from([0, 1]))
def test_no_gap_is_negative(shares: list[float], at: int) -> None:
    reduced = _reduced(LOSSES_PAIR[at])
    point = reduced.at(np.array(shares) / sum(shares), START)
    assert reduced.gap(point) >= -1e-10
    assert point.primal <= point.value + 1e-12


@pytest.mark.parametrize("loss", LOSSES_PAIR, ids=["square", "logistic"])
@pytest.mark.parametrize("penalty", [1e-1, 1e-3, 1e-6])
def test_it_is_solved(loss: Loss, penalty: float) -> None:
    reduced = _reduced(loss, penalty)
    point = reduced.solve(np.ones(6), START, 1e-6)
    assert 0.0 <= reduced.gap(point) + 1e-10 <= 2e-6
    assert point.shares.sum() == pytest.approx(1.0)
    assert reduced.level(point, 1e-4) > point.slopes.max()


RNG_SETS = np.random.default_rng(2)
N, P, GROWTH = 9, 4, 3.0
TRIANGLE = PackedTriangle(N)
KERNELS = [root @ root.T for root in RNG_SETS.normal(size=(P, N, 2))]
WEIGHTS = RNG_SETS.normal(size=N)


def _outside() -> Outside:
    hull = Hull(np.array([TRIANGLE.pack(K) for K in KERNELS]), 16)
    hull.add([0b0001, 0b0010, 0b0100, 0b0011])
    return Outside(hull, TRIANGLE, GROWTH)


def _form(subset: int) -> float:
    K = np.prod([KERNELS[column] for column in members(subset)], axis=0)
    return float(WEIGHTS @ K @ WEIGHTS)


def test_a_source_alone() -> None:
    outside = _outside()
    expected = [_form(source) / GROWTH ** (2 * source.bit_count()) for source in outside.sources]
    assert sorted(outside.sources) == [0b0101, 0b0110, 0b1000]
    assert outside.alone(WEIGHTS) == pytest.approx(expected)


def test_a_source_with_all_that_contain_it() -> None:
    outside = _outside()
    expected = []
    for source in outside.sources:
        above = [one for one in range(1 << P) if one & source == source]
        between = {one: [v for v in closure([one]) if v & source == source] for one in above}
        costs = {one: sum(GROWTH ** v.bit_count() for v in between[one]) for one in above}
        expected.append(sum(_form(one) / costs[one] ** 2 for one in above))
    assert outside.with_all_above(WEIGHTS) == pytest.approx(expected)
    assert (outside.with_all_above(WEIGHTS) >= outside.alone(WEIGHTS)).all()


RNG = np.random.default_rng(4)
X = RNG.normal(size=(40, 4))
F = np.sin(2.0 * X[:, 0]) + X[:, 1] + X[:, 0] * X[:, 1]
Y = F + 0.2 * RNG.normal(size=40)
LOSSES: list[Loss] = [SquaredLoss(Y / Y.std()), LogisticLoss((Y > 0.0).astype(float))]
SETTINGS = PathSettings(sharpness=0.0625, rank=2, root_weight=0.1, growth=2.0, most=16, gap=1e-5)
PENALTIES = 10.0 ** np.arange(0.0, -5.0, -1.0)


def _all_at_once(loss: Loss, penalty: float) -> float:
    """The least objective over all sixteen subsets, in features, by a generic method with slightly rounded norms."""
    of_columns = [column_of(x, SETTINGS.sharpness, SETTINGS.rank).features(x) for x in X.T]
    features, starts = [np.ones((40, 1))], [0, 1]
    for subset in range(1, 16):
        product = np.ones((40, 1))
        for column in members(subset):
            product = (product[:, :, None] * of_columns[column][:, None, :]).reshape(40, -1)
        features.append(product)
        starts.append(starts[-1] + product.shape[1])
    whole = np.hstack(features)
    groups = [np.array([one & v == v for one in range(16)], dtype=float) for v in range(16)]
    costs = SETTINGS.costs(np.array([v.bit_count() for v in range(16)], dtype=float))

    def objective(u: np.ndarray) -> tuple[float, np.ndarray]:
        squares = np.add.reduceat(u[1:] ** 2, starts[:-1])
        norms = np.array([np.sqrt(group @ squares + 1e-12) for group in groups])
        values, total = whole @ u[1:] + u[0], float(costs @ norms)
        fitted = values if isinstance(loss, SquaredLoss) else 1.0 / (1.0 + np.exp(-values))
        by_values = (fitted - loss.y) / 40.0
        by_squares = sum(cost / norm * group for cost, norm, group in zip(costs, norms, groups, strict=True))
        inner = penalty * total * np.repeat(by_squares, np.diff(starts)) * u[1:]
        gradient = np.append(by_values.sum(), whole.T @ by_values + inner)
        return loss.mean(values) + 0.5 * penalty * total**2, gradient

    start = np.append(0.0, 1e-3 * RNG.normal(size=starts[-1]))
    options = {"maxiter": 3000, "maxfun": 6000, "ftol": 1e-12, "gtol": 1e-9, "maxcor": 30}
    return float(minimize(objective, start, jac=True, method="L-BFGS-B", options=options).fun)


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES, ids=["square", "logistic"])
def test_the_proven_bounds_hold_what_a_generic_method_finds(loss: Loss) -> None:
    for solution in path(X, loss, PENALTIES, SETTINGS):
        found = _all_at_once(loss, solution.penalty)
        assert solution.proven
        assert -1e-9 <= solution.gap <= SETTINGS.gap
        assert solution.primal - solution.gap - 1e-9 <= found <= solution.primal + 1e-4


@pytest.mark.parametrize("loss", LOSSES, ids=["square", "logistic"])
def test_with_the_penalty_falls_the_objective(loss: Loss) -> None:
    solutions = list(path(X, loss, PENALTIES, SETTINGS))
    for before, after in itertools.pairwise(solutions):
        assert after.primal <= before.primal + before.gap
        assert after.loss <= before.loss + before.gap / 0.9
    for solution in solutions:
        chosen = _numbers(solution)
        assert closure(chosen) == set(chosen)
        assert solution.subsets[0] == ()
        assert solution.active[0]


def _numbers(solution: Solution) -> list[int]:
    return [sum(1 << one for one in subset) for subset, on in zip(solution.subsets, solution.active, strict=True) if on]


def test_a_limit_leaves_a_gap_that_is_told() -> None:
    limited = list(path(X, LOSSES[0], PENALTIES, replace(SETTINGS, most=3)))[-1]
    full = list(path(X, LOSSES[0], PENALTIES, SETTINGS))[-1]
    assert not limited.proven
    assert len(limited.subsets) == 3
    assert limited.primal - limited.gap <= full.primal < limited.primal


def test_values_at_the_data_are_those_that_were_fitted() -> None:
    for loss in LOSSES:
        solution = list(path(X, loss, PENALTIES, SETTINGS))[-1]
        assert loss.mean(solution.values(X)) == pytest.approx(solution.loss, rel=1e-6)


def test_the_subsets_that_matter_are_found() -> None:
    rng = np.random.default_rng(5)
    many = rng.uniform(-1.7, 1.7, size=(150, 12))
    y = np.sin(2.0 * many[:, 0]) + many[:, 1] ** 2 + 1.5 * many[:, 0] * many[:, 1] + 0.1 * rng.normal(size=150)
    target = (y - y.mean()) / y.std()
    settings = replace(SETTINGS, sharpness=0.25, rank=30, most=100, gap=1e-3)
    solutions = list(path(many, SquaredLoss(target), 10.0 ** np.arange(0.0, -4.0, -0.5), settings))
    assert any(sorted(_numbers(one)) == [0, 1, 2, 3] for one in solutions)
    last = solutions[-1]  # fits well, and has more, of which each is small
    largest = sorted(zip(last.norms, last.subsets, strict=True))[-3:]
    assert 2.0 * last.loss < 0.1
    assert {subset for _, subset in largest} == {(0,), (1,), (0, 1)}
