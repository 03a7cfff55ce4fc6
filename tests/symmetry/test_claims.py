"""Which symmetries are looked for."""

from __future__ import annotations

import numpy as np

from autostatistician.symmetry.claims import Claim, Kind, proposals

ROWS = np.random.default_rng(0).uniform(-1.0, 1.0, (30, 4))


def _kinds(X: np.ndarray) -> set[Kind]:
    return {claim.kind for claim in proposals(X, range(X.shape[1]))}


def test_all_kinds_of_columns_that_are_alike() -> None:
    assert _kinds(ROWS) == set(Kind)
    blocks = {claim.columns for claim in proposals(ROWS, range(4)) if claim.kind is Kind.BLOCKS}
    assert blocks == {(0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2)}


def test_columns_of_other_units_are_not_exchanged_or_added() -> None:
    apart = _kinds(ROWS * [1.0, 100.0, 1e4, 1e6])
    assert apart == {Kind.MIRROR, Kind.POINT, Kind.SHIFT, Kind.COMBINATION, Kind.PERIOD}


def test_few_values_have_no_mirror_and_constant_columns_nothing() -> None:
    two = np.column_stack([ROWS[:, 0] > 0.0, ROWS[:, 1] > 0.0, np.ones(30)]).astype(float)
    assert {claim.kind for claim in proposals(two, range(3))} == {Kind.SHIFT, Kind.EXCHANGE, Kind.COMMON_SHIFT} | {
        Kind.COUNTER_SHIFT
    }
    assert all(2 not in claim.columns for claim in proposals(two, range(3)))
    assert Claim(Kind.EXCHANGE, (0, 1), odd=True) in proposals(two, range(3))
