"""What is said of checks, of tests of forecasts, and as a verdict: golden sentences, and when they are said."""

from __future__ import annotations

import numpy as np
import pytest
from autostatistician.describe.document.checks import checks_section

from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Calibration, Check, Checks
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Figure, Paragraph
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.observe.series.checks import check_facts, failed, too_narrow
from autostatistician.describe.words.checks import alarm_text, calibration_text

UNITS = Units(Axis("month", "year", "month", 1 / 12), 2000.0, 2010.0, 1 / 12, "sales", 10.0)
ERRORS = np.random.default_rng(0).standard_normal(60)


def trial(held: float, rows: int = 40, worth: float = 40.0) -> Calibration:
    return Calibration((2008.0, 2009.0), rows, worth, (0.5, 0.8, 0.95), (0.5, 0.8, held), 3.0)


def alarm(kind: str, part: int = 0, side: int = 1, place: float | None = None) -> Check:
    return Check(part, kind, 1.0, 0.001, 0.004, place, side)


FINE = Check(0, "course", 0.1, 0.6, 0.9)


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (
            alarm("distribution"),
            "Single errors are larger than the model expects, so there are outliers, or ranges are too narrow; look at "
            "the values that stand out (corrected p-value 0.004).",
        ),
        (
            alarm("distribution", side=-1),
            "The errors are smaller than the model expects, so its ranges are wider than they need be "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("autocorrelation", place=1.0),
            "Errors of neighbouring values are alike: ranges of single values hold, those of sums and means may not "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("autocorrelation", side=-1, place=12.0),
            "Errors of values 12 rows apart are opposite: ranges of single values hold, those of sums and means "
            "may not (corrected p-value 0.004).",
        ),
        (
            alarm("periodogram", place=0.25),
            "A cycle of about 3 months is left in the errors; the model may have missed something that repeats "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("course"),
            "The errors are not of one kind throughout: in the later half they are larger (ranges are for both) "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("distribution", part=2),
            "Part 2 is larger than the model expects, so what it does beyond the data is less sure "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("autocorrelation", part=1),
            "Part 1 swings otherwise than the model expects, so its shape may stand in for another "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("periodogram", part=3),
            "One cycle stands out in part 3 more than the model expects; it may hide something that repeats "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("quantiles", part=2),
            "Some values of part 2 stand out more than the model expects; ask what happened there "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("quantiles", part=2, side=-1),
            "The values of part 2 are more alike than the model expects, so it may have limits "
            "(corrected p-value 0.004).",
        ),
        (
            alarm("course", part=1),
            "Part 1 is not of one kind throughout: in the later half it is larger than the model expects "
            "(corrected p-value 0.004).",
        ),
    ],
)  # fmt: skip
def test_every_alarm_says_what_was_found_and_what_it_may_mean(check: Check, text: str) -> None:
    assert alarm_text(check, UNITS) == text


@pytest.mark.parametrize(
    ("calibration", "narrow"),
    [
        (None, None),
        (trial(0.0, rows=5), None),
        (trial(0.95), False),
        (trial(1.0), False),
        (trial(0.9), False),  # one miss more than two of forty is chance
        (trial(0.6), True),
        (trial(0.6, worth=2.0), False),  # one event
    ],
)
def test_ranges_are_too_narrow_only_where_chance_cannot_be_the_reason(
    calibration: Calibration | None, narrow: bool | None
) -> None:
    assert too_narrow(calibration) is narrow


def test_a_test_of_forecasts_states_its_leak() -> None:
    assert calibration_text(trial(0.6), UNITS) == (
        "To test the forecasts, the numbers of the model were fitted anew to the data until January 2008, "
        "then until January 2009, and the last 40 values predicted: 60% of them lay in their 95% ranges. The ranges "
        "were too narrow. The structure of the model had been found on all data, so true forecasts "
        "may do somewhat worse."
    )
    assert "too few to judge by" in calibration_text(trial(0.6, rows=4), UNITS)


def test_the_section_tells_alarms_only() -> None:
    found = alarm("periodogram", place=0.25)
    (section,) = checks_section(Checks((FINE, found), ERRORS), trial(0.95), UNITS)
    texts = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert texts[0].startswith("Two checks compared the data and the parts of the model with simulations")
    assert texts[0].endswith("One found something unusual:")
    assert texts[1] == alarm_text(found, UNITS)
    (figure,) = [block for block in section.blocks if isinstance(block, Figure)]
    assert len(figure.panels) == 3
    (section,) = checks_section(Checks((FINE,), ERRORS), None, UNITS)
    assert section.blocks[0].text.endswith(  # type: ignore[union-attr]
        "None found anything unusual (smallest p-value, corrected for their number: 0.90)."
    )
    assert checks_section(None, None, UNITS) == ()


def test_alarms_come_clearest_first() -> None:
    weak, strong = Check(0, "course", 1.0, 0.02, 0.04), Check(2, "periodogram", 1.0, 0.001, 0.01)
    assert failed(Checks((FINE, weak, strong), ERRORS)) == (strong, weak)
    assert failed(None) == ()


def test_facts_carry_the_numbers() -> None:
    found = [fact_json(fact) for fact in check_facts(Checks((FINE,), ERRORS), trial(0.9))]
    assert [one["id"] for one in found] == ["check/model/course", "test/forecasts"]
    assert (found[0]["number"], found[0]["adjusted"], found[1]["number"]) == (0.6, 0.9, 90.0)


def test_a_change_inside_of_the_test_is_told() -> None:
    text = calibration_text(trial(0.5), UNITS, (2008.5, 2009.25))
    assert (
        "The test spans the changes around July 2008 and April 2009, or begins shortly after: the data before tell "
        "little about what came then, so the test says little about forecasts made now."
    ) in text
    assert "spans" not in calibration_text(trial(0.5), UNITS)
    (fact,) = check_facts(None, trial(0.5), (2008.5,))
    assert fact_json(fact)["changes"] == [2008.5]
