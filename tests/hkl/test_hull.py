"""Hulls: sets of subsets with all subsets of their members."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.hkl.hull import Hull, closure, members

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
