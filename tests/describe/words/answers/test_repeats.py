"""What repeats, in words."""

from __future__ import annotations

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.repeats import repeats_texts

MONTH = Units(Axis("month", "year", "month", 1 / 12), 2010.0, 2025.5, 1 / 12, 10.0, target="sales")


def test_golden_sentences() -> None:
    assert repeats_texts("", 1.0, (0.8712, 0.83, 0.902), 0.05, MONTH) == (
        "Of the variation of 'sales', noise left out, 87.1% is the same every year (95% range: 83% to 90.2%).",
        "Without the data, the model would expect 5%.",
    )
    assert repeats_texts("smooth curve", 0.25, (0.1, 0.0, 0.2), 0.05, MONTH)[0] == (
        "Of the variation of the part 'smooth curve', 10% is the same every quarter of a year (95% range: 0% to 20%)."
    )
