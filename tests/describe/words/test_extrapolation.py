"""What happens beyond the data: a sentence for every kind of part; the others are in `test_extents`."""

from __future__ import annotations

import re

import pytest
from tests.describe.spoken.extents import UNITS_OF_EXTRAPOLATION as UNITS

from autostatistician.describe.facts.kinds import Growth
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    Head,
    NoiseLevel,
    Wandering,
)
from autostatistician.describe.words.extrapolation import extrapolation
from autostatistician.wording.messages import spoken_in


@pytest.mark.parametrize(
    ("head", "probability", "goes"),
    [
        (NoiseLevel(id="p", number=3.0, unit="1", evidence="e", first=2.0, last=4.0), 0.93, "Its size probably goes"),
        (NoiseLevel(id="p", number=3.0, unit="1", evidence="e", first=2.0, last=4.0), 0.7, "Its size may go"),
        (Wandering(id="p", number=9.0, unit="1", evidence="e", rough=True, free=True), 0.93, "Its steps probably go"),
        (Wandering(id="p", number=9.0, unit="1", evidence="e", rough=True, free=True), 0.7, "Its steps may go"),
    ],
)
def test_sizes_go_on_as_surely_as_they_changed(head: Head, probability: float, goes: str) -> None:
    grows = AmplitudeChange(
        id="p", number=2.0, unit="1", evidence="e", kind=Growth.GROWS, degree=1, location=None, probability=probability
    )
    assert extrapolation((head, grows), UNITS).endswith(f" {goes} on growing in a straight line.")
    with spoken_in("de"):
        hedge = r"(wird|werden) vermutlich" if probability > 0.9 else "(kann|können)"
        assert re.search(f"{hedge} geradlinig weiterwachsen[.]$", extrapolation((head, grows), UNITS))
