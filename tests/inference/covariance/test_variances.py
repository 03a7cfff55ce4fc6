"""Variances of signal and noise are the diagonal of the covariance, with a true gradient."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.covariance.matrices import prior_variance, signal_and_noise
from autostatistician.inference.covariance.variances import variances
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.text import parse

RNG = np.random.default_rng(5)
X = RNG.uniform(0.2, 3.0, (12, 2))
COLUMNS = ("a", "b")
BY_SIGNAL, BY_NOISE = RNG.normal(size=12), RNG.normal(size=12)


def _total(kernel: Kernel, values: tuple[float, ...]) -> float:
    found = variances(kernel.expr, values, X, COLUMNS)
    return float(np.sum(BY_SIGNAL * found.signal) + np.sum(BY_NOISE * found.noise))


def _check_slopes(kernel: Kernel) -> None:
    slopes = [0.0] * len(kernel.values)
    variances(kernel.expr, kernel.values, X, COLUMNS).back(BY_SIGNAL, BY_NOISE, slopes)
    for index, one in enumerate(parameters(kernel.expr)):
        at = []
        for step in (-1e-6, 1e-6):
            values = list(kernel.values)
            values[index] = values[index] * np.exp(step) if one.role.positive else values[index] + step
            at.append(_total(kernel, tuple(values)))
        size = float(np.max(prior_variance(kernel, X, COLUMNS)))
        assert slopes[index] == pytest.approx((at[1] - at[0]) / 2e-6, rel=1e-4, abs=1e-4 * (1.0 + size))


@given(kernels(columns=COLUMNS, symbols=("SE", "RQ", "Per", "Lin", "C", "WN"), max_leaves=6))
def test_both_halves_of_the_diagonal(kernel: Kernel) -> None:
    found = variances(kernel.expr, kernel.values, X, COLUMNS)
    for half, own in zip(signal_and_noise(kernel), (found.signal, found.noise), strict=True):
        expected = np.zeros(len(X)) if half is None else prior_variance(half, X, COLUMNS)
        np.testing.assert_allclose(np.zeros(len(X)) + own, expected, rtol=1e-9, atol=1e-12)
    _check_slopes(kernel)


@pytest.mark.parametrize("text", ["Wiener[a] * Lin[b]", "CW[b](IOU[a], WN)", "Cat3r2[c] + WN * Cat3r2[c]"])
def test_leaves_that_are_not_the_same_everywhere(text: str) -> None:
    expr = parse(text)
    kernel = Kernel(expr, tuple(0.1 + 0.05 * index for index in range(len(parameters(expr)))))
    points = np.column_stack([X[:, :1], X[:, 1:], np.arange(12.0) % 3.0])
    found = variances(expr, kernel.values, points, ("a", "b", "c"))
    every = np.zeros(12) + found.signal + found.noise
    np.testing.assert_allclose(every, prior_variance(kernel, points, ("a", "b", "c")), rtol=1e-9)


def test_noise_of_one_size_is_one_number() -> None:
    kernel = Kernel(parse("SE[a] + WN * C + WN"), (1.0, 1.0, 2.0, 3.0, 1.0))
    assert variances(kernel.expr, kernel.values, X, COLUMNS).noise == 37.0
    _check_slopes(kernel)
