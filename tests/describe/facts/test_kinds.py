"""Kinds of facts are told apart."""

from __future__ import annotations

from autostatistician.describe.facts import kinds
from autostatistician.describe.facts.claim import BOUNDS
from autostatistician.describe.facts.kinds import ClaimKind, Phase


def test_values_are_told_apart() -> None:
    for name in kinds.__all__:
        values = [one.value for one in getattr(kinds, name)]
        assert len(values) == len(set(values))


def test_what_has_no_name_is_false() -> None:
    assert [one for one in Phase if not one] == [Phase.UNNAMED]
    assert BOUNDS == (ClaimKind.BEGINNING, ClaimKind.END)
