"""The section on checks: what it tells, and when there is none."""

from __future__ import annotations

from tests.describe.checks import FINE, alarm, checked, fact_of, trial, trial_fact

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Figure, Paragraph
from autostatistician.describe.document.series.checks import checks_section
from autostatistician.describe.words.checks import alarm_text

UNITS = Units(Axis("month", "year", "month", 1 / 12), 2000.0, 2010.0, 1 / 12, 10.0, target="sales")


def test_the_section_tells_alarms_only() -> None:
    cycle = alarm("periodogram", place=0.25)
    (section,) = checks_section(checked(FINE, cycle), trial_fact(trial(0.95)), UNITS)
    texts = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert texts[0].startswith("Two checks compared the data and the parts of the model with simulations")
    assert texts[0].endswith("One found something unusual:")
    assert texts[1] == alarm_text(fact_of(cycle), UNITS)
    (figure,) = [block for block in section.blocks if isinstance(block, Figure)]
    assert len(figure.panels) == 3
    (section,) = checks_section(checked(FINE), None, UNITS)
    assert section.blocks[0].text.endswith(  # type: ignore[union-attr]
        "None found anything unusual (smallest p-value, corrected for their number: 0.90)."
    )
    assert checks_section(None, None, UNITS) == ()
