"""What is said of checks and of tests of forecasts: golden sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.checks import alarm, fact_of, trial, trial_fact
from tests.describe.factory import DAILY, units_on

from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Check
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.checks import alarm_text, changes_named, forecast_test_text
from autostatistician.wording.messages import spoken_in

UNITS = Units(Axis("month", "year", "month", 1 / 12), 2000.0, 2010.0, 1 / 12, 10.0, target="sales")


def test_values_that_stand_out_are_named_five_at_most_and_counts_are_no_mistakes() -> None:
    fact = fact_of(alarm("distribution"))
    far = tuple((2000.0 + month / 12.0, 56.0 + month) for month in (5, 4, 7, 8, 10, 11, 1))
    text = alarm_text(replace(fact, far=far), UNITS)
    assert (
        "look at these values: May 2000 (60), June 2000 (61), August 2000 (63), September 2000 (64), November" in text
    )
    assert "November 2000 (66), and two more (corrected" in text
    assert "look at" not in alarm_text(replace(fact, far=far, counts=True), UNITS)
    part = alarm_text(fact_of(alarm("quantiles", part=2, place=2000.0 + 4.0 / 12.0)), UNITS)
    assert part.startswith(
        "Some values of part 2 stand out more than the model expects, most of all around May 2000; ask what happened "
        "there (corrected"
    )


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
            alarm("autocorrelation", side=-1, place=1.0),
            "Errors of neighbouring values are opposite: ranges of single values hold, those of sums and means may not "
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
    assert alarm_text(fact_of(check), UNITS) == text


def test_a_test_of_forecasts_states_its_leak() -> None:
    assert forecast_test_text(trial_fact(trial(0.6)), UNITS) == (
        "To test the forecasts, the numbers of the model were fitted anew to the data until January 2008, "
        "then until January 2009, and the last 40 values predicted: 60% of them lay in their 95% ranges. The ranges "
        "were too narrow. The structure of the model had been found on all data, so true forecasts "
        "may do somewhat worse."
    )
    assert "too few to judge by" in forecast_test_text(trial_fact(trial(0.6, rows=4)), UNITS)


def test_a_test_whose_numbers_are_those_of_all_rows_says_so() -> None:
    assert forecast_test_text(replace(trial_fact(trial(0.95)), refitted=False), UNITS) == (
        "To test the forecasts, the model was given only the data until January 2008, then until January 2009, and the "
        "last 40 values predicted: 95% of them lay in their 95% ranges. The model, with its numbers, had been found on "
        "all data, so true forecasts may do somewhat worse."
    )


def test_a_change_inside_of_the_test_is_told() -> None:
    text = forecast_test_text(trial_fact(trial(0.5), (2008.5, 2009.25)), UNITS)
    assert (
        "The test spans the changes around July 2008 and April 2009, or begins shortly after: the data before tell "
        "little about what came then, and such changes may come again."
    ) in text
    assert "spans" not in forecast_test_text(trial_fact(trial(0.5)), UNITS)


@pytest.mark.parametrize(("season", "repeated"), [(1.0, "year"), (None, "value")])
def test_the_error_of_forecasts_stands_beside_that_of_a_naive_one(season: float | None, repeated: str) -> None:
    text = forecast_test_text(trial_fact(replace(trial(0.95), naive=4.2, season=season)), UNITS)
    assert f" They missed by 3 on average, where repeating the last {repeated} would have missed by 4.2." in text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "the changes around 1 March 2001 and 22 March 2001"),
        ("de", "die Änderungen um den 1. März 2001 und 22. März 2001"),
    ],
)
def test_changes_on_days_have_their_article(language: str, text: str) -> None:
    with spoken_in(language):
        assert changes_named((59.0, 80.0), units_on(DAILY, np.arange(300.0))) == text
