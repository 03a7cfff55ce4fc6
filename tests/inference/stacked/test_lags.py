"""Vectors over lags as matrices and back, for a stack."""

from dataclasses import replace

import numpy as np

from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked.lags import is_stackable, shared_lags, triangles_for
from autostatistician.language.text import parse


def test_collapsing_is_the_adjoint_of_expanding() -> None:
    for x in (np.arange(5.0), np.array([0.0, 1.0, 3.0, 4.0, 9.0]), np.array([0.0, 1.0, 2.7, 3.1, 9.0])):
        lags, (work, _) = shared_lags(Problem(x, np.ones(5))), triangles_for(5)
        values = np.random.default_rng(0).normal(size=(2, lags.lags.shape[1]))
        lags.expand(values, work.matrices[:2])
        full = work.matrices[:2] + np.triu(work.matrices[:2], 1).transpose(0, 2, 1)
        assert np.allclose((values * lags.collapse(work, 2)).sum(axis=1), (full**2).sum(axis=(1, 2)))


def test_rows_with_a_noise_of_their_own_are_not_stacked() -> None:
    problem = Problem(np.arange(8.0), np.ones(8), ("x",))
    assert is_stackable(parse("SE + WN"), problem)
    assert not is_stackable(parse("SE + WN"), replace(problem, noise=np.full(8, 0.5)))
