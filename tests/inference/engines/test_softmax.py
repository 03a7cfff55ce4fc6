"""Several classes by any kernel: the gradient by differences, and predictions at the rows."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.softmax import SoftmaxObjective, given_classes
from autostatistician.inference.likelihoods.softmax import Softmax
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf

RNG = np.random.default_rng(0)
PROBLEM = Problem(RNG.standard_normal((20, 2)), RNG.integers(0, 3, 20), ("a", "b"))
KERNEL = leaf("SE", column="a", sd=1.2, lengthscale=0.8) + leaf("Lin", column="b", sd=0.5, location=0.2)


def test_the_gradient_is_that_of_differences() -> None:
    objective = SoftmaxObjective(KERNEL.expr, PROBLEM, Softmax(3))
    _, gradient = objective.value_and_gradient(KERNEL.values)
    for index, step in enumerate(1e-5 * np.array([*KERNEL.values[:3], 1.0])):
        high, low = (
            objective.value(tuple(np.array(KERNEL.values) + sign * step * np.eye(4)[index])) for sign in (1.0, -1.0)
        )
        np.testing.assert_allclose(gradient[index], (high - low) / 2e-5, atol=1e-5)
    with np.errstate(invalid="ignore"):
        assert objective.value((*KERNEL.values[:3], np.inf)) == np.inf


def test_predictions_at_the_rows_are_those_of_the_approximation() -> None:
    posterior = given_classes(KERNEL, PROBLEM, Softmax(3))
    mean, covariances = posterior.joint(PROBLEM.X)
    K = posterior.approximation.K
    np.testing.assert_allclose(mean, K @ posterior.approximation.alpha, atol=1e-9)
    np.testing.assert_allclose(covariances, posterior.approximation.covariance(K, K.diagonal()), atol=1e-9)
    assert posterior.log_evidence == -SoftmaxObjective(KERNEL.expr, PROBLEM, Softmax(3)).value(KERNEL.values)
