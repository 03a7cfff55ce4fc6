"""Why a series changed, in words whose amounts add up as they are written."""

from __future__ import annotations

from dataclasses import replace

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.differences import difference_texts, when_text

MONTH = Units(Axis("month", "year", "month", 1 / 12), 2020.0, 2025.5, 1 / 12, 10.0, target="sales")
TIMES = ("July 2025", "July 2024")
SHARES = (("trend", 40.04, 5.0), ("'price'", 95.04, 10.0), ("'promo'", -15.04, 2.0), ("chance", -0.08, 6.1))


def test_golden_sentences() -> None:
    assert difference_texts(TIMES, (620.0, 500.04), (True, True), 119.96, SHARES, MONTH) == (
        "'sales': July 2025 (620) is 120 above July 2024 (500): trend +40, 'price' +95, 'promo' −15, chance 0 ± 12.",
        "trend +40 (95% range +30 to +50)",
        "'price' +95 (95% range +75 to +115)",
        "'promo' −15 (95% range −19 to −11)",
        "chance 0 (95% range −12 to +12)",
    )
    text = difference_texts(TIMES, (5.0, 5.0), (False, True), 0.0, (("chance", 0.0, 0.0),), MONTH)[0]
    assert text == "'sales': what is expected for July 2025 (5) is 0 above July 2024 (5): chance 0 ± 0."


def test_of_a_logarithm_parts_are_per_cent() -> None:
    shares = (("trend", 0.0953, 0.01), ("chance", -0.2007, 0.05))
    assert difference_texts(TIMES, (9.0, 10.0), (True, True), -0.1054, shares, replace(MONTH, level=10.0)) == (
        "'sales': July 2025 (9) is 10% below July 2024 (10): trend +10%, chance −18.2% ± 10.3%.",
        "trend +10% (95% range +7.9% to +12.2%)",
        "chance −18.2% (95% range −25.8% to −9.8%)",
        "The parts multiply: each per cent is of what the others make.",
    )


def test_times_are_named_as_asked() -> None:
    week = replace(MONTH, axis=Axis("week", "day", "week", 7.0, "2024-01-01"), first=0.0, last=400.0, gap=7.0)
    assert when_text("2025-07", [2025.5], MONTH) == "July 2025"
    assert when_text("2024-02", [35.0, 42.0], week) == "February 2024"
    assert when_text("2024", [35.0, 42.0], week) == "2024"
    assert when_text("2024-02-05", [35.0], week) == "5 February 2024"
