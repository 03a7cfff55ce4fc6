"""A value given the blocks before its own, and what is left of it for those after."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.semiseparable.assembly import Assembly
from autostatistician.inference.engines.semiseparable.chain import chained
from autostatistician.inference.engines.semiseparable.orders import Wanted
from autostatistician.inference.engines.semiseparable.view import Given, View
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

LEVEL, NOISE = parse_kernel("Matern12(lengthscale=4, sd=1)"), parse_kernel("WN(sd=0.4)")
X = np.linspace(0.0, 15.0, 18)


def test_what_is_left_is_the_covariance_given_the_blocks_before() -> None:
    assembly = Assembly(LEVEL + NOISE, Problem(X, X), Wanted.alike(1e-6, X), block=6)
    chain = chained(assembly, np.zeros((3, 6)))
    assert chain is not None
    place, which = np.array([7.7]), assembly.find(LEVEL)
    assert which is not None
    p, r = assembly.at(which, place, np.array([1]))
    view = View(1, np.array([0]), p, covariance(LEVEL, place, X[6:12]), r)
    given = Given.of(view, chain.section(0), assembly.columns_among_all(which))
    K, cross = covariance(LEVEL + NOISE, X[:12]), covariance(LEVEL, place, X)
    explained = p @ given.XP + given.half.T @ given.half
    np.testing.assert_allclose(explained, cross[:, :12] @ np.linalg.solve(K, cross[:, :12].T), atol=1e-10)
    left = cross[:, 12:] - cross[:, :12] @ np.linalg.solve(K, covariance(LEVEL, X[:12], X[12:]))
    U = assembly.at(which, X[12:], np.full(6, 2))[0]
    np.testing.assert_allclose(given.D @ U.T, left, atol=1e-10)
