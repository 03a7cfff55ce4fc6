"""Words grow more careful as probabilities fall."""

from __future__ import annotations

import pytest

from autostatistician.describe.facts.judgement import LIKELY, SURE
from autostatistician.describe.words.hedges import hedged, is_sure


@pytest.mark.parametrize(
    ("probability", "sure", "said"),
    [
        (None, True, "grows"),
        (1.0, True, "grows"),
        (SURE, True, "grows"),
        (SURE - 1e-9, False, "probably grows"),
        (LIKELY, False, "probably grows"),
        (LIKELY - 1e-9, False, "may grow"),
    ],
)
def test_hedges(probability: float | None, sure: bool, said: str) -> None:
    assert is_sure(probability) == sure
    assert hedged(probability, "grows", "probably grows", "may grow") == said
