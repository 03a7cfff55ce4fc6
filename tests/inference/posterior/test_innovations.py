"""Errors of new observations, given all before: those of the whole model, whatever number is looked at at once."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior import innovations as module
from autostatistician.inference.posterior.innovations import foreseen
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf

X = np.sort(np.random.default_rng(0).uniform(0.0, 10.0, 40))[:, None]
Y = np.sin(X[:, 0]) + 0.1 * np.random.default_rng(1).standard_normal(40)
KERNEL = leaf("SE", sd=1.0, lengthscale=1.0) + leaf("WN", sd=0.1)


@pytest.mark.parametrize("at_once", [1, 4, 250])
def test_errors_are_the_innovations_of_all(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS_AT_ONCE", at_once)
    whole = condition(KERNEL, Problem(X, Y))
    errors, grown = foreseen(condition(KERNEL, Problem(X[:30], Y[:30])), X[30:], Y[30:])
    np.testing.assert_allclose(errors, whole.innovations()[30:], rtol=1e-8)
    np.testing.assert_allclose(grown.signal()[0], whole.signal()[0], rtol=1e-8)
