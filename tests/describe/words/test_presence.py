"""The probability beside a part."""

from __future__ import annotations

import pytest

from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.part import Presence
from autostatistician.describe.words.presence import presence_mark, presence_share


@pytest.mark.parametrize(
    ("share", "mark", "cell"),
    [
        (0.9996, "", "more than 99.9%"),
        (MAJORITY, "", "50%"),
        (MAJORITY - 1e-9, " (open: most of the other models do without it)", "open"),
    ],
)
def test_marks(share: float, mark: str, cell: str) -> None:
    fact = Presence(id="part-1/presence", number=share, unit=SHARE, evidence="e", models=3)
    assert (presence_mark(fact), presence_share(fact)) == (mark, cell)


def test_what_is_not_known_has_no_mark() -> None:
    assert (presence_mark(None), presence_share(None)) == ("", "–")
