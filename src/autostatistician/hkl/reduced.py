"""The problem on the subsets of a hull: the best shares of the penalty, and the gap that they leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.hkl.columns import PackedTriangle
from autostatistician.hkl.hull import Hull
from autostatistician.hkl.losses import Loss

__all__ = ["Point", "Reduced"]

Array = NDArray[np.float64]

LEAST_SHARE = 1e-12
MOST_STEPS = 150
FASTER, SLOWER = 1.5, 0.4  # of the power of the slopes, after steps down and up


@dataclass(frozen=True, eq=False)
class Point:
    """What shares (m,) of the penalty, which sum to one, make the best function, and how good that is."""

    shares: Array
    scales: Array  # (m,) of the kernels in their sum
    weights: Array  # (n,) of the rows
    level: float
    forms: Array  # (m,) weights' K weights
    norms: Array  # (m,) of the part of the function on a subset and all that contain it
    slopes: Array  # (m,) of the objective by the shares, downwards, over half the penalty
    value: float  # the objective of the shares
    loss: float
    primal: float
    dual_of_loss: float


class Reduced:
    """The problem of a penalty on a hull; ``cost`` (m,) are the weights of the norms."""

    def __init__(self, hull: Hull, triangle: PackedTriangle, loss: Loss, cost: Array, penalty: float) -> None:
        self.hull, self.triangle, self.loss, self.cost, self.penalty = hull, triangle, loss, cost, penalty
        self.below = hull.below

    def at(self, shares: Array, start: Array) -> Point:
        """The best function for shares; ``start`` (n,) are weights to begin with."""
        eta = shares / self.cost**2
        scales = 1.0 / (self.below @ (1.0 / eta))
        K = self.triangle.unpack(scales @ self.hull.kernels)
        mean = K.mean(axis=0)
        K -= mean[:, None]
        K -= mean - mean.mean()
        weights, level = self.loss.solve(K, self.penalty, start)
        forms = np.maximum(self.hull.kernels @ self.triangle.outer(weights), 0.0)
        norms = np.sqrt(self.below.T @ (scales**2 * forms))
        slopes = (norms / shares * self.cost) ** 2
        of_loss = self.loss.mean(K @ weights + level)
        return Point(
            shares=shares,
            scales=scales,
            weights=weights,
            level=level,
            forms=forms,
            norms=norms,
            slopes=slopes,
            value=of_loss + 0.5 * self.penalty * float(scales @ forms),
            loss=of_loss,
            primal=of_loss + 0.5 * self.penalty * float(self.cost @ norms) ** 2,
            dual_of_loss=self.loss.dual(weights, self.penalty),
        )

    def gap(self, point: Point, outside: float = 0.0) -> float:
        """Primal less dual, where ``outside`` bounds what the subsets outside could have."""
        return point.primal - point.dual_of_loss + 0.5 * self.penalty * max(float(point.slopes.max()), outside)

    def level(self, point: Point, gap: float) -> float:
        """What slopes and bounds may reach at most for a gap."""
        return 2.0 * (gap + point.dual_of_loss - point.primal) / self.penalty

    def solve(self, shares: Array, start: Array, enough: float) -> Point:
        """Shares whose gap on the hull is at most ``enough``, or the best after many steps.

        Shares grow by a power of the slope that they have, which is larger after every step that was one down.
        """
        point, power = self.at(_whole(shares), start), 1.0
        for _ in range(MOST_STEPS):
            if self.gap(point) <= enough:
                break
            slopes = np.maximum(point.slopes / float(point.shares @ point.slopes), LEAST_SHARE)
            now = self.at(_whole(point.shares * slopes**power), point.weights)
            if now.value <= point.value:
                point, power = now, power * FASTER
            else:
                power *= SLOWER
        return point


def _whole(shares: Array) -> Array:
    shares = np.maximum(shares / shares.sum(), LEAST_SHARE)
    return np.asarray(shares / shares.sum())
