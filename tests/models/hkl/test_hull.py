"""Hulls: sets of subsets with all subsets of their members."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.models.hkl.hull import LEFT_OUT, Hull, PackedTriangle, closure, column_of, members

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


COLUMNS = np.random.default_rng(0).normal(size=(5, 6))
subsets = st.sets(st.integers(0, 31), max_size=6)


def _hull(subsets: set[int]) -> Hull:
    hull = Hull(COLUMNS, 32)
    hull.add(sorted(closure(subsets) - {0}, key=lambda one: (one.bit_count(), one)))
    return hull


@given(subsets)
def test_a_closure_has_all_subsets_and_no_more(found: set[int]) -> None:
    assert closure(found) == {0} | {below for one in found for below in range(32) if below | one == one}


@given(subsets)
def test_kernels_are_products_and_orders_are_those_of_sets(found: set[int]) -> None:
    hull = _hull(found)
    for place, subset in enumerate(hull.subsets):
        assert hull.kernels[place] == pytest.approx(np.prod(COLUMNS[list(members(subset))], axis=0))
        assert hull.below[place].astype(bool).tolist() == [one | subset == subset for one in hull.subsets]


@given(subsets)
def test_sources_are_those_whose_subsets_are_all_inside(found: set[int]) -> None:
    hull = _hull(found)
    inside = set(hull.subsets)
    expected = {one for one in range(32) if one not in inside and closure([one]) - {one} <= inside}
    assert {source for _, _, source in hull.sources()} == expected
    assert all(hull.subsets[place] | 1 << column == source for place, column, source in hull.sources())


@given(subsets, subsets)
def test_what_is_kept_has_its_kernels(found: set[int], kept: set[int]) -> None:
    hull = _hull(found | kept)
    hull.keep(np.array([subset in closure(kept) for subset in hull.subsets]))
    assert set(hull.subsets) == closure(kept)
    for place, subset in enumerate(hull.subsets):
        assert hull.kernels[place] == pytest.approx(np.prod(COLUMNS[list(members(subset))], axis=0))


def test_a_subset_needs_its_own() -> None:
    with pytest.raises(AssertionError):
        Hull(COLUMNS, 8).add([0b11])
