"""Words grow more careful as probabilities fall."""

from __future__ import annotations

import pytest

from autostatistician.describe.facts.judgement import LIKELY, SURE
from autostatistician.describe.words.hedges import be, does, probably


@pytest.mark.parametrize(
    ("probability", "adverb", "verb", "state"),
    [
        (None, "", "grows", "is"),
        (1.0, "", "grows", "is"),
        (SURE, "", "grows", "is"),
        (SURE - 1e-9, "probably ", "probably grows", "is probably"),
        (LIKELY, "probably ", "probably grows", "is probably"),
        (LIKELY - 1e-9, "probably ", "may grow", "may be"),
    ],
)
def test_hedges(probability: float | None, adverb: str, verb: str, state: str) -> None:
    assert probably(probability) == adverb
    assert does("grow", "s", probability) == verb
    assert be("is", probability) == state
