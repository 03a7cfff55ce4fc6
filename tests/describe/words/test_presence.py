"""The probability beside a part."""

from __future__ import annotations

import pytest

from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.part import Presence
from autostatistician.describe.words.presence import presence_mark


@pytest.mark.parametrize(
    ("share", "cut", "mark"),
    [
        (0.9996, False, " (P = more than 99.9%)"),
        (MAJORITY, False, " (P = 50%)"),
        (MAJORITY - 1e-9, False, " (open: most of the other models do without it)"),
        (0.8, True, " (P = 80% among the models tried)"),
        (0.2, True, " (open: most of the other models do without it)"),
    ],
)
def test_marks(share: float, cut: bool, mark: str) -> None:
    fact = Presence(id="part-1/presence", number=share, unit=SHARE, evidence="e", models=3)
    assert presence_mark(fact, cut=cut) == mark


def test_what_is_not_known_has_no_mark() -> None:
    assert presence_mark(None) == ""
