"""Fits in lockstep against those one by one."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting import Outcome, fit
from autostatistician.inference.parameters import learned_priors, measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import stacked_fits
from autostatistician.language.kernel import Kernel
from autostatistician.language.text import parse_kernel

START = parse_kernel("SE(lengthscale=0.3, sd=1) + Per(lengthscale=1, period=0.2, sd=0.5) + WN(sd=0.3)")


def series(seed: int) -> Problem:
    rng, x = np.random.default_rng(seed), np.linspace(0.0, 1.0, 40)
    y = np.sin(2.0 * np.pi * x * (1.0 + 0.2 * seed)) + 0.5 * np.cos(10.0 * np.pi * x) + rng.normal(0.0, 0.2, 40)
    return Problem(x[:, None], y)


@pytest.mark.parametrize("learned", [False, True])
def test_fits_are_as_good_as_one_by_one(learned: bool) -> None:
    data = [series(seed) for seed in range(5)]
    priors = learned_priors() if learned else None
    scales = [measure(problem.X, problem.y, problem.columns, (), priors) for problem in data]
    fits = stacked_fits([START] * 5, data, scales, [100] * 5, [None] * 5)
    for fitted, problem, scale in zip(fits, data, scales, strict=True):
        alone = fit(START, problem, scale, 100)
        assert fitted.loss < alone.loss + 1e-2
        assert fitted.outcome is Outcome.CONVERGED
        nll = objective_of(START.expr, problem).value(fitted.kernel.values)
        assert fitted.nll == pytest.approx(nll, abs=1e-6)


def test_no_fit_depends_on_the_others() -> None:
    data = [series(seed) for seed in range(3)]
    scales = [measure(problem.X, problem.y, problem.columns) for problem in data]
    together = stacked_fits([START] * 3, data, scales, [12] * 3, [None] * 3)
    alone = [stacked_fits([START], [a], [b], [12], [None])[0] for a, b in zip(data, scales, strict=True)]
    assert together == alone


def test_a_start_without_a_likelihood_fails_alone() -> None:
    data, broken = [series(0), series(1)], Problem(series(0).X, np.full(40, np.nan))
    scales = [measure(problem.X, problem.y, problem.columns) for problem in (*data, data[0])]
    fits = stacked_fits([START] * 3, [*data, broken], scales, [20] * 3, [None] * 3)
    assert [fitted.outcome is Outcome.FAILED for fitted in fits] == [False, False, True]
    assert isinstance(fits[2].kernel, Kernel)
