"""ULISSE (Filippone and Engler 2015, Enabling scalable stochastic gradient-based inference for Gaussian processes).

The gradient of the log evidence by a number is ``y' K^-1 K_i K^-1 y / 2 - tr(K^-1 K_i) / 2``. With probes r of random
signs it is, on average, ``y' K^-1 K_i K^-1 y / 2 - r' K^-1 K_i r / 2``, which takes solutions of linear systems alone.
Conjugate gradients give these as a sum of steps. Cut off anywhere, the sum is biased; cut off at random, with its later
steps divided by the probability of having come to them, it is right on average. Systems are made easier by inducing
points (Cutajar et al. 2016, Preconditioning kernel matrices).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ard import Numbers
from common import Array

__all__ = ["Ulisse", "ascended", "unbiased_gradient", "unbiased_solution"]

POINTS = 300  # of the preconditioner
SURE, GOES_ON = 1e-2, 0.7  # relative error until which steps are sure; probability of each step after that
CONVERGED, MOST = 1e-8, 300
STEPS, RATE, MEMORIES = 25, 0.05, (0.8, 0.95)
ROWS_AT_A_TIME = 1000

Product = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Ulisse:
    """The covariance of the observations at some numbers, held as one matrix, and an approximate inverse."""

    numbers: Numbers
    X: Array
    K: Array  # (n, n) with the noise
    eased: Product

    @classmethod
    def at(cls, numbers: Numbers, X: Array, points: Array) -> Ulisse:
        """For rows (n, d), with inducing points (M, d) of the approximate inverse."""
        K = np.empty((len(X), len(X)))
        for start in range(0, len(X), ROWS_AT_A_TIME):
            K[start : start + ROWS_AT_A_TIME] = numbers.covariance(X[start : start + ROWS_AT_A_TIME], X)
        K[np.diag_indices_from(K)] += numbers.noise
        cross, own = numbers.covariance(X, points), numbers.covariance(points, points)
        own[np.diag_indices_from(own)] += 1e-6 * numbers.variance
        inner = cho_factor(own * numbers.noise + cross.T @ cross)
        return cls(numbers, X, K, lambda b: (b - cross @ cho_solve(inner, cross.T @ b)) / numbers.noise)

    def quadratic(self, a: Array, b: Array) -> Array:
        """``a' K_i b`` of vectors (n,) for all numbers (d + 2,), ``K_i`` the derivative by a logarithm."""
        found = np.zeros(self.X.shape[1] + 2)
        for start in range(0, len(self.X), ROWS_AT_A_TIME):
            rows = slice(start, start + ROWS_AT_A_TIME)
            own = self.X[rows]
            weights = self.K[rows] * b
            weights[np.arange(len(own)), np.arange(start, start + len(own))] -= self.numbers.noise * b[rows]
            weights *= a[rows, None]
            found[:-2] += weights.sum(axis=1) @ own**2 + weights.sum(axis=0) @ self.X**2
            found[:-2] -= 2.0 * np.einsum("nd,nd->d", own, weights @ self.X)
            found[-2] += 2.0 * weights.sum()
        found[:-2] *= np.exp(-2.0 * self.numbers.log_scales)
        found[-1] = 2.0 * self.numbers.noise * float(a @ b)
        return found


def unbiased_solution(
    K: Product, b: Array, eased: Product, rng: np.random.Generator | None, sure: float = SURE
) -> Array:
    """``K^-1 b`` on average over generators; without one, steps go on until they have converged."""
    x, r = np.zeros_like(b), b.copy()
    z = eased(r)
    p, rz, weight = z.copy(), float(r @ z), 1.0
    size = float(np.linalg.norm(b))
    for _ in range(MOST):
        Kp = K(p)
        step = rz / float(p @ Kp)
        x += weight * step * p
        r -= step * Kp
        error = float(np.linalg.norm(r)) / size
        if error < CONVERGED:
            break
        if rng is not None and error < sure:
            if rng.random() > GOES_ON:
                break
            weight /= GOES_ON
        z = eased(r)
        rz, before = float(r @ z), rz
        p = z + rz / before * p
    return x


def unbiased_gradient(system: Ulisse, y: Array, rng: np.random.Generator, sure: float = SURE) -> Array:
    """An estimate of the gradient of the log evidence by all numbers (d + 2,).

    The two solutions whose product is taken are drawn apart, so that the product is right on average, too.
    """

    def solved(b: Array) -> Array:
        return unbiased_solution(lambda p: system.K @ p, b, system.eased, rng, sure)

    probe = np.where(rng.random(len(y)) < 0.5, -1.0, 1.0)
    return 0.5 * (system.quadratic(solved(y), solved(y)) - system.quadratic(solved(probe), probe))


def ascended(numbers: Numbers, X: Array, y: Array, rng: np.random.Generator, steps: int = STEPS) -> Ulisse:
    """The system at numbers that stochastic steps up the evidence lead to: the mean of the last half of the places."""
    points = X[rng.choice(len(X), min(POINTS, len(X)), replace=False)]
    place, slope, square, places = numbers.vector, 0.0, 0.0, []
    for step in range(1, steps + 1):
        new = unbiased_gradient(Ulisse.at(Numbers.of(place), X, points), y, rng)
        slope = MEMORIES[0] * slope + (1.0 - MEMORIES[0]) * new
        square = MEMORIES[1] * square + (1.0 - MEMORIES[1]) * new**2
        first, second = slope / (1.0 - MEMORIES[0] ** step), square / (1.0 - MEMORIES[1] ** step)
        place = place + RATE * first / np.sqrt(second)
        places.append(place)
    return Ulisse.at(Numbers.of(np.mean(places[steps // 2 :], axis=0)), X, points)
