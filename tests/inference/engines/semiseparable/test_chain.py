"""What the way there and back through blocks says of each observation; sections that are forgotten are made again."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.semiseparable import assembly, chain
from autostatistician.inference.engines.semiseparable.assembly import Assembly
from autostatistician.inference.engines.semiseparable.chain import Chain, chained
from autostatistician.inference.engines.semiseparable.orders import Wanted
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

KERNEL = parse_kernel("Matern32(lengthscale=2, sd=1) * Cos(period=5, sd=1) + WN(sd=0.4)")
X = np.sort(np.random.default_rng(1).uniform(0.0, 15.0, 43))
K = covariance(KERNEL, X)
Y = np.linalg.cholesky(K) @ np.random.default_rng(2).normal(size=len(X))
WANTED = Wanted.alike(1e-6, X)


@pytest.fixture(params=[0, 10**9])
def found(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Chain:
    monkeypatch.setattr(assembly, "NUMBERS_OF_A_SECTION", 600)
    monkeypatch.setattr(chain, "KEPT_NUMBERS", request.param)
    made = Assembly(KERNEL, Problem(X, Y), WANTED, block=6)
    known = chained(made, np.zeros(made.cut.places.shape))
    assert known is not None
    return known


def test_what_is_said_of_each_observation(found: Chain) -> None:
    inverse, lower = np.linalg.inv(K), np.linalg.cholesky(K)
    np.testing.assert_allclose(found.rows(found.alpha), inverse @ Y, atol=1e-9)
    np.testing.assert_allclose(found.rows(found.inverse_diagonal), inverse.diagonal(), atol=1e-9)
    np.testing.assert_allclose(found.rows(found.innovations), np.linalg.solve(lower, Y), atol=1e-9)
    np.testing.assert_allclose(found.rows(found.innovation_sd), lower.diagonal(), atol=1e-9)
    half = 0.5 * (Y @ inverse @ Y + np.linalg.slogdet(K)[1] + len(X) * np.log(2.0 * np.pi))
    assert found.nll == pytest.approx(half, abs=1e-9)


def test_halves_of_the_inverse(found: Chain) -> None:
    lower, c = np.linalg.cholesky(K), np.random.default_rng(3).normal(size=(len(X), 2))
    np.testing.assert_allclose(found.half_solve(c), np.linalg.solve(lower, c), atol=1e-9)
    np.testing.assert_allclose(found.back_solve(c), np.linalg.solve(lower.T, c), atol=1e-9)
    np.testing.assert_allclose(found.half_times(c), lower @ c, atol=1e-9)


def test_none_where_it_is_not_positive_definite() -> None:
    made = Assembly(KERNEL, Problem(X, Y), WANTED, block=6)
    assert chained(made, np.full(made.cut.places.shape, -1.0)) is None


def test_the_way_back_goes_as_far_as_it_must(found: Chain) -> None:
    inverse, last = np.linalg.inv(K), len(found.starts) - 1
    alpha = found.reach(last).copy()
    assert found._ends.keys() == {last, last - 1}
    which = found.assembly.sections[last]
    solved = found.assembly.cut.blocked(inverse @ Y)
    np.testing.assert_allclose(alpha[which], solved[which], atol=1e-9)
    assert found.section(0).first == 0
    np.testing.assert_allclose(found.alpha, solved, atol=1e-9)


def test_sums_before_and_after(found: Chain) -> None:
    flat, block = np.random.default_rng(4).normal(size=(len(X), 2)), 3
    left, right = found.sums(found.in_order(flat))
    rows = slice(block * 6, block * 6 + 6)
    U, V = found.assembly.at(found.assembly.every, X[rows], np.full(6, block))
    np.testing.assert_allclose(U @ left[block], K[rows, : block * 6] @ flat[: block * 6], atol=1e-9)
    np.testing.assert_allclose(V @ right[block], K[rows, block * 6 + 6 :] @ flat[block * 6 + 6 :], atol=1e-9)
