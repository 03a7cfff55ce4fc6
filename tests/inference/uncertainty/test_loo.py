"""Leave-one-out deviances against leaving out by hand."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from scipy.stats import norm

from autostatistician.inference.engines.choice import condition
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.loo import leave_one_out_deviance, refitted_deviance
from autostatistician.language.kernel import leaf

X = np.linspace(0.0, 1.0, 12)[:, None]
Y = np.sin(6.0 * X[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=12)
KERNEL = leaf("SE", sd=1.0, lengthscale=0.3) + leaf("WN", sd=0.1)


def test_the_deviance_is_that_of_predictions_from_the_others() -> None:
    total = 0.0
    for row in range(12):
        rest = np.delete(np.arange(12), row)
        mean, sd = condition(KERNEL, Problem(X[rest], Y[rest])).observations(X[[row]])
        total -= 2.0 * float(norm.logpdf(Y[row], mean[0], sd[0]))
    assert leave_one_out_deviance(KERNEL, Problem(X, Y)) == pytest.approx(total)


def test_numbers_fitted_without_a_row_predict_it_no_better() -> None:
    problem = Problem(X, Y)
    assert refitted_deviance(KERNEL, problem, measure(X, Y, ("x",))) >= leave_one_out_deviance(KERNEL, problem)


def test_a_model_without_a_covariance_has_no_finite_deviance() -> None:
    problem = Problem(X, Y)
    broken = leaf("SE", sd=inf, lengthscale=0.3) + leaf("WN", sd=0.1)
    assert leave_one_out_deviance(broken, problem) == inf
    assert refitted_deviance(broken, problem, measure(X, Y, ("x",))) == inf
