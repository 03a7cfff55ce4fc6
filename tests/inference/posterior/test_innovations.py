"""New observations given those before them are what the whole model says of them one by one."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior import given_before
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf

X = np.sort(np.random.default_rng(0).uniform(0.0, 10.0, 40))[:, None]
Y = np.sin(X[:, 0]) + 0.1 * np.random.default_rng(1).standard_normal(40)


def test_each_is_predicted_from_all_before() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=0.1)
    posterior = condition(kernel, Problem(X[:30], Y[:30], ("x",)))
    means, sds = given_before(Y[30:], *posterior.observations_joint(X[30:]))
    for row in range(30, 40):
        mean, sd = condition(kernel, Problem(X[:row], Y[:row], ("x",))).observations(X[row : row + 1])
        np.testing.assert_allclose([means[row - 30], sds[row - 30]], [mean[0], sd[0]], rtol=1e-7)
