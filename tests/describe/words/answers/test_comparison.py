"""What new rows say of a model, in words."""

from __future__ import annotations

from tests.describe.spoken.answers import MONTH, ROW

from autostatistician.describe.words.answers.comparison import missed_text


def test_missed_forecasts() -> None:
    assert missed_text(12, [], MONTH) == "All 12 new rows lie within the 95% ranges that were forecast."
    assert missed_text(1, [], MONTH) == "The new row lies within the 95% ranges that were forecast."
    assert missed_text(20, [ROW], MONTH) == (
        "1 row lies outside the 95% range that was forecast (about 1 of 20 would by chance): January 2025 250 "
        "(forecast 210 to 230)."
    )
    assert missed_text(40, [ROW] * 6, MONTH) == (
        "6 rows lie outside the 95% range that was forecast (about 2 of 40 would by chance): "
        + "; ".join(["January 2025 250 (forecast 210 to 230)"] * 5)
        + "; and 1 more."
    )
