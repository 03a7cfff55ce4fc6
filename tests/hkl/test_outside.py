"""The conditions by which subsets come in are those that are written out over all subsets."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.hkl.columns import PackedTriangle
from autostatistician.hkl.hull import Hull, closure, members
from autostatistician.hkl.outside import Outside

RNG = np.random.default_rng(2)
N, P, GROWTH = 9, 4, 3.0
TRIANGLE = PackedTriangle(N)
KERNELS = [root @ root.T for root in RNG.normal(size=(P, N, 2))]
WEIGHTS = RNG.normal(size=N)


def _outside() -> Outside:
    hull = Hull(np.array([TRIANGLE.pack(K) for K in KERNELS]), 16)
    hull.add([0b0001, 0b0010, 0b0100, 0b0011])
    return Outside(hull, TRIANGLE, GROWTH)


def _form(subset: int) -> float:
    K = np.prod([KERNELS[column] for column in members(subset)], axis=0)
    return float(WEIGHTS @ K @ WEIGHTS)


def test_a_source_alone() -> None:
    outside = _outside()
    expected = [_form(source) / GROWTH ** (2 * source.bit_count()) for source in outside.sources]
    assert sorted(outside.sources) == [0b0101, 0b0110, 0b1000]
    assert outside.alone(WEIGHTS) == pytest.approx(expected)


def test_a_source_with_all_that_contain_it() -> None:
    outside = _outside()
    expected = []
    for source in outside.sources:
        above = [one for one in range(1 << P) if one & source == source]
        between = {one: [v for v in closure([one]) if v & source == source] for one in above}
        costs = {one: sum(GROWTH ** v.bit_count() for v in between[one]) for one in above}
        expected.append(sum(_form(one) / costs[one] ** 2 for one in above))
    assert outside.with_all_above(WEIGHTS) == pytest.approx(expected)
    assert (outside.with_all_above(WEIGHTS) >= outside.alone(WEIGHTS)).all()
