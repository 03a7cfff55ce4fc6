"""Laplace for several classes beside plain algebra with the whole matrices."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.classes.several_classes import laplace_of_several
from autostatistician.inference.covariance.factor import NotPositiveDefinite
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.likelihoods.softmax import Softmax
from autostatistician.language.kernel import leaf

RNG = np.random.default_rng(0)
X, Y, SOFTMAX = RNG.standard_normal((12, 1)), RNG.integers(0, 3, 12).astype(float), Softmax(3)


def _prior(lengthscale: float) -> np.ndarray:
    return covariance(leaf("SE", sd=1.5, lengthscale=lengthscale) + leaf("WN", sd=0.01), X)


def test_as_plain_algebra() -> None:
    K = _prior(0.7)
    found = laplace_of_several(K, Y, SOFTMAX)
    f = K @ found.alpha
    pi = SOFTMAX.probability(f)
    np.testing.assert_allclose(np.linalg.solve(K, f), SOFTMAX.seen(Y) - pi, atol=1e-6)
    W = np.zeros((3, 12, 3, 12))
    for row in range(12):
        W[:, row, :, row] = np.diag(pi[row]) - np.outer(pi[row], pi[row])
    whole, W = np.kron(np.eye(3), K), W.reshape(36, 36)
    height = SOFTMAX.log_density(Y, f).sum() - 0.5 * np.sum(found.alpha * f)
    assert found.log_evidence == pytest.approx(height - 0.5 * np.linalg.slogdet(np.eye(36) + whole @ W)[1])
    posterior = np.linalg.inv(np.linalg.inv(whole) + W).reshape(3, 12, 3, 12)
    expected = np.einsum("cidi->icd", posterior)
    np.testing.assert_allclose(found.covariance(K, K.diagonal()), expected, atol=1e-8)


def test_the_adjoint_gives_the_slope() -> None:
    step = 1e-5
    slope = (_prior(0.7 + step) - _prior(0.7 - step)) / (2.0 * step)
    high, low = (laplace_of_several(_prior(0.7 + one), Y, SOFTMAX).log_evidence for one in (step, -step))
    found = 0.5 * float(np.sum(laplace_of_several(_prior(0.7), Y, SOFTMAX).adjoint() * slope))
    assert found == pytest.approx(-(high - low) / (2.0 * step), abs=1e-6)


def test_the_value_does_not_hang_on_the_start() -> None:
    plain = laplace_of_several(30.0 * _prior(0.5), Y, SOFTMAX)
    other = laplace_of_several(30.0 * _prior(0.5), Y, SOFTMAX, RNG.standard_normal((12, 3)))
    assert other.log_evidence == pytest.approx(plain.log_evidence, abs=1e-9)
    assert plain.settled


def test_no_covariance_is_refused() -> None:
    with pytest.raises(NotPositiveDefinite):
        laplace_of_several(-9.0 * np.eye(12), Y, SOFTMAX)
