"""Claims are told apart by what they are about."""

from __future__ import annotations

from autostatistician.describe.facts.claim import Claim
from autostatistician.describe.facts.kinds import ClaimKind


def test_claims_of_one_kind_differ_by_number_or_columns() -> None:
    same = {Claim(ClaimKind.CYCLE, 1.0), Claim(ClaimKind.CYCLE, 1.0), Claim(ClaimKind.CYCLE, 2.0)}
    assert len(same) == 2
    assert Claim(ClaimKind.MATTERS, columns=("a",)) != Claim(ClaimKind.MATTERS, columns=("b",))
    assert Claim(ClaimKind.MATTERS, columns=("a",)) != Claim(ClaimKind.SCATTER, columns=("a",))
