"""How often the 95 % ranges of numbers hold the truth, on data drawn from known models."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from autostatistician.decompose.uncertainty import uncertainty_of
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.rewrite import components

X = np.linspace(0.0, 10.0, 90)[:, None]
SETS = 40
NOISE = leaf("WN", sd=0.4)
CYCLE = leaf("Per", lengthscale=1.5, period=1.7, sd=1.0) + NOISE
SMOOTH = leaf("SE", lengthscale=0.8, sd=1.0) + NOISE
ABRUPT = Kernel.change_point(leaf("C", sd=1.0), leaf("C", sd=2.0), 5.03, 40.0) + NOISE
GRADUAL = Kernel.change_point(leaf("C", sd=1.0), leaf("SE", lengthscale=0.7, sd=1.5), 5.0, 2.0) + NOISE


@cache
def _numbers(model: Kernel, seed: int) -> dict[str, np.ndarray]:
    """Draws of the numbers of every part, from data drawn from the model."""
    spread = np.linalg.cholesky(covariance(model, X, None, ("x",)) + 1e-9 * np.eye(90))
    y = spread @ np.random.default_rng(seed).standard_normal(90)
    fitted = fit(model, Problem(X, y, ("x",)), measure(X, y, ("x",)), max_steps=60).kernel
    parts = components(fitted)
    drawn = uncertainty_of(condition(fitted, Problem(X, y, ("x",))), np.random.default_rng(0), most=1).parameters
    return {str(part): numbers for part, numbers in zip(parts, drawn, strict=True) if numbers is not None}


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "part", "index", "truth", "least"),
    [
        (CYCLE, "Per", 1, 1.7, 0.85),
        (CYCLE, "WN", 0, 0.4, 0.8),
        (SMOOTH, "SE", 0, 0.8, 0.85),
        (SMOOTH, "WN", 0, 0.4, 0.85),
        (ABRUPT, "CP(C, 0) + CP(0, C)", 0, 5.03, 0.9),
        (GRADUAL, "CP(C, 0)", 0, 5.0, 0.85),
    ],
)
def test_ranges_hold_the_truth(model: Kernel, part: str, index: int, truth: float, least: float) -> None:
    ranges = [np.quantile(_numbers(model, seed)[part][:, index], [0.025, 0.975]) for seed in range(SETS)]
    held = np.mean([low <= truth <= high for low, high in ranges])
    assert held >= least
