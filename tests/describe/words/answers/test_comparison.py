"""What new rows say of a model, in words."""

from __future__ import annotations

from dataclasses import replace

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.comparison import missed_text, moved_text

MONTH = Units(Axis("month", "year", "month", 1 / 12), 2020.0, 2025.0, 1 / 12, 10.0, target="sales")
ROW = (2025.0, 250.0, 210.0, 230.0, "")


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


def test_a_missed_forecast_names_what_moved_most() -> None:
    assert missed_text(20, [(*ROW[:4], "'promo'")], MONTH).endswith(
        "January 2025 250 (forecast 210 to 230; most moved: 'promo')."
    )


def test_moved_parts() -> None:
    assert moved_text([], MONTH) == "No part of the model and no effect of a column moved beyond its error."
    assert moved_text([("yearly cycle", 2025.0, -12.0, 2.0), ("'promo'", 2025.0, 3.0, 1.0)], MONTH) == (
        "Moved: yearly cycle is 12 below what was forecast of it for January 2025 (give or take 3.9); 'promo' is 3 "
        "above what was forecast of it for January 2025 (give or take 2)."
    )
    assert moved_text([("trend", 2025.0, 0.0953, 0.01)], replace(MONTH, level=10.0)) == (
        "Moved: trend is 10% above what was forecast of it for January 2025 (give or take 2%)."
    )
