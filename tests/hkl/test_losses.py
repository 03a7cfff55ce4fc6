"""Losses, their duals and the best function for one kernel."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from autostatistician.hkl.losses import LogisticLoss, Loss, SquaredLoss

RNG = np.random.default_rng(1)
ROOT = RNG.normal(size=(30, 3))
CENTRED = ROOT - ROOT.mean(axis=0)
K = CENTRED @ CENTRED.T
LOSSES = [
    SquaredLoss(ROOT[:, 0] + RNG.normal(size=30)),
    LogisticLoss((ROOT[:, 0] + RNG.normal(size=30) > 0.3).astype(float)),
]
PENALTIES = (1.0, 0.03, 1e-5)


@pytest.mark.parametrize("loss", LOSSES, ids=["square", "logistic"])
@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_best_function_is_that_of_a_generic_method(loss: Loss, penalty: float) -> None:
    def objective(u: np.ndarray) -> float:
        return loss.mean(CENTRED @ u[1:] + u[0]) + 0.5 * penalty * float(u[1:] @ u[1:])

    weights, level = loss.solve(K, penalty, np.zeros(30))
    found = loss.mean(K @ weights + level) + 0.5 * penalty * float(weights @ K @ weights)
    assert found == pytest.approx(minimize(objective, np.zeros(4), tol=1e-12).fun, abs=1e-8)
    assert weights.sum() == pytest.approx(0.0, abs=1e-9 * np.abs(weights).sum())
    assert loss.dual(weights, penalty) - 0.5 * penalty * float(weights @ K @ weights) == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("loss", LOSSES, ids=["square", "logistic"])
def test_no_dual_is_above_a_primal(loss: Loss) -> None:
    for penalty in PENALTIES:
        weights, _ = loss.solve(K, 3.0 * penalty, np.zeros(30))  # feasible, and not the best
        weights = 0.9 * weights
        dual = loss.dual(weights, penalty) - 0.5 * penalty * float(weights @ K @ weights)
        best, level = loss.solve(K, penalty, np.zeros(30))
        assert dual < loss.mean(K @ best + level) + 0.5 * penalty * float(best @ K @ best)


def test_separable_classes_end() -> None:
    loss = LogisticLoss((CENTRED[:, 0] > 0.0).astype(float))
    weights, level = loss.solve(K, 1e-8, np.zeros(30))
    assert loss.mean(K @ weights + level) < 1e-3
