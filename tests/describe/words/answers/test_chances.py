"""The chance at a time in words."""

from __future__ import annotations

from tests.describe.words.test_chances import OVER_TIME

from autostatistician.describe.words.answers.chances import at_time_text


def test_a_time_has_its_chance() -> None:
    text = at_time_text(2021.0, (0.4, 0.3, 0.5), OVER_TIME)
    assert text == "The chance of 'rain' = 'yes' for January 2021 is 40% (95% range: 30% to 50%)."
