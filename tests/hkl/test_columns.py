"""Kernels of columns by few features, and packed symmetric matrices."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.hkl.columns import LEFT_OUT, PackedTriangle, column_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=40)


def _centred(x: np.ndarray, other: np.ndarray, sharpness: float) -> np.ndarray:
    """The kernel of the functions less their means over ``X``, written out."""

    def k(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.exp(-sharpness * (a[:, None] - b[None]) ** 2)

    rows, columns, whole = k(x, X).mean(axis=1), k(X, other).mean(axis=0), k(X, X).mean()
    return k(x, other) - rows[:, None] - columns[None] + whole


@pytest.mark.parametrize("sharpness", [0.0625, 2.0])
def test_features_make_the_centred_kernel(sharpness: float) -> None:
    column = column_of(X, sharpness, 40)
    new = RNG.normal(size=5)
    assert column.features(X) @ column.features(X).T == pytest.approx(_centred(X, X, sharpness), abs=2 * LEFT_OUT)
    assert column.features(new) @ column.features(X).T == pytest.approx(_centred(new, X, sharpness), abs=0.02)


def test_the_rank_is_a_limit() -> None:
    assert [len(column_of(X, 5.0, rank).pivots) for rank in (3, 100)] == [3, pytest.approx(20, abs=8)]


def test_a_constant_column_has_no_kernel() -> None:
    column = column_of(np.ones(6), 1.0, 30)
    assert column.features(np.ones(3)) == pytest.approx(0.0)


def test_triangles_are_matrices() -> None:
    triangle, a = PackedTriangle(7), RNG.normal(size=7)
    root = RNG.normal(size=(7, 7))
    K = root @ root.T
    assert np.array_equal(triangle.unpack(triangle.pack(K)), K)
    assert triangle.outer(a) @ triangle.pack(K) == pytest.approx(a @ K @ a)
