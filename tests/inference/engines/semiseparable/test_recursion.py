"""The recursion over blocks against one dense matrix and finite differences."""

from __future__ import annotations

from dataclasses import replace
from math import log, pi

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.engines.semiseparable.recursion import BlockMatrices, backward, forward

Array = NDArray[np.float64]

B, M, R = 4, 5, 3


def _blocks() -> BlockMatrices:
    rng = np.random.default_rng(3)
    U, V = rng.normal(size=(2, B, M, R)) * 0.5
    root = rng.normal(size=(B, M, M))
    K = root @ root.transpose(0, 2, 1) + 6.0 * np.eye(M)
    return BlockMatrices.of(K, U, V, rng.uniform(0.3, 1.0, (B, R)), rng.normal(size=(B, M)))


def _dense(blocks: BlockMatrices) -> Array:
    K = np.zeros((B * M, B * M))
    for i in range(B):
        rows = slice(i * M, (i + 1) * M)
        K[rows, rows] = blocks.K[i]
        for j in range(i):
            damping = np.prod(blocks.phi[j + 1 : i], axis=0)
            between = (blocks.U[i] * damping) @ blocks.V[j].T
            K[rows, j * M : (j + 1) * M] = between
            K[j * M : (j + 1) * M, rows] = between.T
    return K


def test_value_is_that_of_the_dense_matrix() -> None:
    blocks = _blocks()
    K, y = _dense(blocks), blocks.y.ravel()
    sign, logdet = np.linalg.slogdet(K)
    assert sign == 1.0
    expected = 0.5 * (y @ np.linalg.solve(K, y) + logdet + len(y) * log(2.0 * pi))
    found = forward(blocks, len(y))
    assert found is not None
    assert found.nll == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["K", "U", "V", "phi"])
def test_adjoints_are_the_derivatives(name: str) -> None:
    blocks = _blocks()
    found = forward(blocks, B * M)
    assert found is not None
    adjoint = getattr(backward(blocks, found), name)
    direction = np.random.default_rng(8).normal(size=adjoint.shape)
    if name in ("U", "phi"):
        direction[..., -1] = 0.0  # the column of the observations
    if name == "K":
        direction = direction + direction.transpose(0, 2, 1)

    def nll(step: float) -> float:
        moved = forward(replace(blocks, **{name: getattr(blocks, name) + step * direction}), B * M)
        assert moved is not None
        return moved.nll

    h = 1e-3
    difference = (nll(-2 * h) - 8 * nll(-h) + 8 * nll(h) - nll(2 * h)) / (12 * h)
    assert np.sum(adjoint * direction) == pytest.approx(difference, rel=1e-7)


def test_places_that_only_fill_change_nothing() -> None:
    blocks = _blocks()
    K = blocks.K.copy()
    K[-1, -2:] = K[-1, :, -2:] = 0.0
    K[-1, -1, -1] = K[-1, -2, -2] = 1.0
    empty = np.array([1.0, 1.0, 1.0, 0.0, 0.0])
    last = np.ones((B, M))
    last[-1] = empty
    filled = BlockMatrices(K, blocks.U * last[..., None], blocks.V * last[..., None], blocks.phi)
    n = B * M - 2
    dense, y = _dense(filled)[:n, :n], filled.y.ravel()[:n]
    expected = 0.5 * (y @ np.linalg.solve(dense, y) + np.linalg.slogdet(dense)[1] + n * log(2.0 * pi))
    found = forward(filled, n)
    assert found is not None
    assert found.nll == pytest.approx(expected, rel=1e-12)


def test_a_block_that_is_not_positive_definite_is_told() -> None:
    blocks = _blocks()
    assert forward(replace(blocks, K=blocks.K - 20.0 * np.eye(M)), B * M) is None
