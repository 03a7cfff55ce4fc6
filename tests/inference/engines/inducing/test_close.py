"""Inducing points that are as good as all rows, or say that they are not."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from autostatistician.inference.engines.inducing import close
from autostatistician.inference.engines.inducing.close import CloseObjective, closely_conditioned
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

X = np.sort(np.random.default_rng(5).uniform(0.0, 300.0, 250))
PROBLEM = Problem(X, np.sin(X / 70.0) + 1e-4 * np.random.default_rng(6).normal(size=250))
KERNEL = parse_kernel("SE(lengthscale=100, sd=1) + WN(sd=1e-4)")


def test_points_are_chosen_anew_where_those_of_before_leave_too_much() -> None:
    objective = CloseObjective(KERNEL.expr, PROBLEM)
    for values in (KERNEL.values, (20.0, 1.0, 1e-4)):
        exact = LagSpace().objective(KERNEL.expr, PROBLEM).value(values)
        assert objective.value(values) == pytest.approx(exact, abs=0.05)


def test_too_few_points_have_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(close, "MOST_POINTS", 3)
    assert CloseObjective(KERNEL.expr, PROBLEM).value(KERNEL.values) == inf
    assert closely_conditioned(KERNEL, PROBLEM) is None
