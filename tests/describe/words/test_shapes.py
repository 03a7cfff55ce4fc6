"""A learned scale in words; the golden lines hold every sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.spoken_shapes import POWER

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.words.shapes import shape_sentence, shape_text

SALES = Scale(target="sales")


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(0.7, 1.4, "further up than down"), (1.6, 0.8, "further down than up"), (1.5, 1.5, "widen away"),
     (0.7, 0.7, "narrow away"), (1.0, 1.01, "hardly differs")],
)  # fmt: skip
def test_to_which_side_ranges_reach(low: float, high: float, told: str) -> None:
    assert told in shape_text(replace(POWER, low_times=low, high_times=high), SALES)


def test_numbers_and_level_are_told() -> None:
    assert "learned from the data: 0.50 (1 would be" in shape_text(POWER, SALES)
    assert shape_sentence(POWER, SALES).endswith("hold near its usual level of 23.1.")
