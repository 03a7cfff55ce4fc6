"""Covariances with inducing points, and their reverse pass."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.deep.variational.whitened import JITTER, ARDKernel, whitened

RNG = np.random.default_rng(0)
Z, H = RNG.normal(size=(4, 2)), RNG.normal(size=(6, 2))
KERNEL = ARDKernel(0.3, np.array([0.2, -0.4]))


def test_covariances_are_those_of_the_formula() -> None:
    gaps = (Z[:, None] - H) / np.exp(KERNEL.log_scales)
    assert KERNEL(Z, H) == pytest.approx(np.exp(0.3 - 0.5 * np.sum(gaps**2, axis=2)))


def test_what_is_known_from_inducing_points() -> None:
    of = whitened(KERNEL, Z, H)
    own = KERNEL(Z, Z) + JITTER * np.exp(0.3) * np.eye(4)
    known = KERNEL(H, Z) @ np.linalg.solve(own, KERNEL(Z, H))
    products = of.A.T @ of.A
    assert products == pytest.approx(known)


def test_slopes_are_those_of_differences() -> None:
    weights = RNG.normal(size=(4, 6))

    def value(numbers: np.ndarray) -> float:
        kernel = ARDKernel(numbers[0], numbers[1:3])
        return float(np.sum(weights * whitened(kernel, numbers[3:11].reshape(4, 2), numbers[11:].reshape(6, 2)).A))

    at = np.concatenate([[0.3], KERNEL.log_scales, Z.ravel(), H.ravel()])
    steps = 1e-5 * np.eye(len(at))
    found = whitened(KERNEL, Z, H).slopes(weights)
    told = np.concatenate([found.kernel, found.Z.ravel(), found.H.ravel()])
    assert told == pytest.approx([(value(at + s) - value(at - s)) / 2e-5 for s in steps], rel=1e-5, abs=1e-6)
