"""Paths: the whole problem over all subsets, solved and proven."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from autostatistician.hkl.columns import column_of
from autostatistician.hkl.hull import closure, members
from autostatistician.hkl.losses import LogisticLoss, Loss, SquaredLoss
from autostatistician.hkl.path import PathSettings, Solution, path

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
