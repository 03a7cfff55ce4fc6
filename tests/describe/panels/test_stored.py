"""English words in records of panels are found again in other languages."""

from __future__ import annotations

import pytest

from autostatistician.describe.panels.stored import cycle_adjective, cycle_noun, when_in_cycle
from autostatistician.wording.messages import spoken_in


@pytest.mark.parametrize("name", ["yearly", "half-daily", "10.8-year", "7-unit"])
def test_names_of_cycles_stay_in_english(name: str) -> None:
    assert (cycle_adjective(name), cycle_noun(name)) == (name, f"{name} cycle")


def test_cycles_and_their_peaks_are_translated() -> None:
    with spoken_in("de"):
        assert cycle_noun("weekly") == "wöchentlicher Zyklus"
        assert cycle_noun("10.8-year") == "10,8-jähriger Zyklus"
        assert "Dezember" in when_in_cycle("from December to February")
        assert when_in_cycle("at its end") == "at its end"
