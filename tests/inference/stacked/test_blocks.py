"""Held by the comparisons of test_objective; here what is told of members without a covariance."""

import numpy as np

from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import StackedObjective
from autostatistician.language.text import parse


def test_a_singular_covariance_is_helped_by_jitter_as_alone() -> None:
    objective = StackedObjective(parse("C"), Problem(np.arange(4.0), np.ones(4)))
    nll, gradient = objective.value_and_gradient(np.array([[1.0], [2.0]]))
    assert np.isfinite(nll).all()
    assert np.isfinite(gradient).all()
