"""Losses: the square and the logistic one, each with its dual and the best function for one kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import entr, expit

__all__ = ["LogisticLoss", "Loss", "SquaredLoss"]

Array = NDArray[np.float64]

NEWTON_STEPS = 50
CLOSE = 1e-7  # of the mean loss: where Newton's method ends


class Loss(Protocol):
    """The mean over the rows of what values miss their targets by."""

    @property
    def y(self) -> Array:
        """The targets (n,)."""
        ...

    def mean(self, values: Array) -> float:
        """The loss of values (n,)."""
        ...

    def dual(self, weights: Array, penalty: float) -> float:
        """The part of the dual that is of the loss, at weights (n,) that sum to zero."""
        ...

    def solve(self, K: Array, penalty: float, start: Array) -> tuple[Array, float]:
        """Weights (n,), which sum to zero, and the constant that minimise loss and penalty; K (n, n) is centred."""
        ...


@dataclass(frozen=True, eq=False)
class SquaredLoss:
    """Half of the squared error."""

    y: Array

    def mean(self, values: Array) -> float:
        """As of every loss."""
        return 0.5 * float(np.mean((self.y - values) ** 2))

    def dual(self, weights: Array, penalty: float) -> float:
        """As of every loss."""
        n = len(self.y)
        return penalty * float(weights @ self.y) - 0.5 * n * penalty**2 * float(weights @ weights)

    def solve(self, K: Array, penalty: float, start: Array) -> tuple[Array, float]:
        """One linear system."""
        ridged = K.T.copy(order="F")
        ridged.flat[:: len(K) + 1] += len(K) * penalty
        level = float(self.y.mean())
        weights = cho_solve(cho_factor(ridged, lower=True, overwrite_a=True, check_finite=False), self.y - level)
        return weights - weights.mean(), level


@dataclass(frozen=True, eq=False)
class LogisticLoss:
    """The negative log probability of classes 0 and 1, the values being log odds."""

    y: Array

    def mean(self, values: Array) -> float:
        """As of every loss."""
        return float(np.mean(np.logaddexp(0.0, values) - self.y * values))

    def dual(self, weights: Array, penalty: float) -> float:
        """The mean entropy; chances are in bounds but for rounding."""
        chances = np.clip(self.y - len(self.y) * penalty * weights, 0.0, 1.0)
        return float(np.mean(entr(chances) + entr(1.0 - chances)))

    def solve(self, K: Array, penalty: float, start: Array) -> tuple[Array, float]:
        """Newton's method with halved steps, then weights that are exactly those of a constant and a function."""
        weights, level = start, self._level(K @ start, 0.0)
        reached = self._whole(K, penalty, weights, level)
        for _ in range(NEWTON_STEPS):
            to, to_level = self._newton(K, penalty, weights, level)
            before, step = reached, 1.0
            while (
                now := self._whole(K, penalty, *_between(weights, to, level, to_level, step))
            ) > before and step > 1e-4:
                step *= 0.5
            if now <= before:
                (weights, level), reached = _between(weights, to, level, to_level, step), now
            if before - reached < CLOSE:
                break
        values = K @ weights
        level = self._level(values, level)
        weights = (self.y - expit(values + level)) / (len(self.y) * penalty)
        return weights - weights.mean(), self._level(K @ weights, level)

    def _whole(self, K: Array, penalty: float, weights: Array, level: float) -> float:
        values = K @ weights
        return self.mean(values + level) + 0.5 * penalty * float(weights @ values)

    def _newton(self, K: Array, penalty: float, weights: Array, level: float) -> tuple[Array, float]:
        values = K @ weights + level
        chances = expit(values)
        curvature = np.maximum(chances * (1.0 - chances), 1e-10)
        root = np.sqrt(curvature / (len(K) * penalty))
        B = (K * root[:, None]).T  # in the order of LAPACK, as K is symmetric
        B *= root[:, None]
        B.T.flat[:: len(K) + 1] += 1.0
        factor = cho_factor(B, lower=True, overwrite_a=True, check_finite=False)
        working = values + (self.y - chances) / curvature
        of_working, of_one = (root * cho_solve(factor, root * values) for values in (working, np.ones(len(K))))
        level = float(of_working.sum() / of_one.sum())
        return of_working - level * of_one, level

    def _level(self, values: Array, start: float) -> float:
        """The constant at which as many rows are expected in class 1 as there are."""
        level = start
        for _ in range(NEWTON_STEPS):
            chances = expit(values + level)
            step = float((self.y - chances).sum() / max(float((chances * (1.0 - chances)).sum()), 1e-10))
            level += min(max(step, -1.0), 1.0)
            if abs(step) < 1e-13:
                break
        return level


def _between(weights: Array, to: Array, level: float, to_level: float, step: float) -> tuple[Array, float]:
    return weights + step * (to - weights), level + step * (to_level - level)
