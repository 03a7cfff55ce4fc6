"""Laws of balancing: the covariance stays, and every scale that is given up has size one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.covariance.matrices import covariance, prior_variance
from autostatistician.inference.parameters.balance import balanced
from autostatistician.inference.parameters.scales import Scales, measure
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.text import parse_kernel

X = np.linspace(1.0, 3.0, 12)[:, None]


def _scales() -> Scales:
    return measure(X, np.sin(X[:, 0]), ("x",))


@given(kernels(max_leaves=6))
def test_the_covariance_stays(kernel: Kernel) -> None:
    moved = balanced(kernel, _scales())
    K = covariance(kernel, X)
    assert moved.expr == kernel.expr
    assert covariance(moved, X) == pytest.approx(K, rel=1e-7, abs=1e-9 * float(np.abs(K).max() or 1.0))


def test_the_keeper_carries_the_size_of_the_product() -> None:
    kernel = leaf("Lin", sd=0.001, location=-100.0) * leaf("WN", sd=2.0)
    line, noise = balanced(kernel, _scales()).parts
    x = X[:, 0] - line.named()["location"]
    assert np.sqrt(np.mean((line.named()["sd"] * x) ** 2)) == pytest.approx(1.0, rel=1e-4)
    assert noise.named()["sd"] == pytest.approx(2.0 * 0.001 * 102.0, rel=0.01)


@pytest.mark.parametrize("text", ["Wiener(sd=5, location=1)", "IOU(lengthscale=0.7, sd=5, location=1)"])
def test_a_walk_that_gives_up_its_size_has_root_mean_square_one(text: str) -> None:
    walk, noise = balanced(parse_kernel(f"{text} * WN(sd=2)"), _scales()).parts
    places = np.linspace(1.0, 3.0, 2001)
    assert np.mean(prior_variance(walk, places)) == pytest.approx(1.0, rel=0.01)
    assert noise.named()["sd"] > 2.0
