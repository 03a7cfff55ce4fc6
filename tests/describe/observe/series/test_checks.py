"""Checks and tests of forecasts as facts, with their numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.checks import FINE, alarm, checked, trial, trial_fact
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition

from autostatistician.data.outliers import Outlier, Screening
from autostatistician.decompose.records.series import Checks, HeldRanges
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.observe.series.checks import checks_of, forecast_test, spanned_changes
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.words.checks import alarm_text, forecast_test_text, left_out_text
from autostatistician.language.kernel import Kernel, leaf


@pytest.mark.parametrize(
    ("calibration", "narrow"),
    [
        (trial(0.0, rows=5), None),
        (trial(0.95), False),
        (trial(1.0), False),
        (trial(0.9), False),  # one miss more than two of forty is chance
        (trial(0.6), True),
        (trial(0.6, worth=2.0), False),  # one event
    ],
)
def test_ranges_are_too_narrow_only_where_chance_cannot_be_the_reason(
    calibration: HeldRanges, narrow: bool | None
) -> None:
    assert trial_fact(calibration).narrow is narrow


def test_what_was_not_checked_is_no_fact() -> None:
    assert checks_of(None) is None
    assert forecast_test(factory.noise_only()) is None


def test_facts_carry_the_numbers() -> None:
    records = [fact_json(fact) for fact in (*checked(FINE).facts, trial_fact(trial(0.9), (2008.5,)))]
    assert [one["id"] for one in records] == ["check/model/course", "test/forecasts"]
    assert (records[0]["number"], records[0]["adjusted"], records[1]["number"]) == (0.6, 0.9, 90.0)
    assert records[1]["changes"] == [2008.5]


def test_the_check_of_single_values_names_those_far_off_and_knows_counts() -> None:
    errors, x = np.array([0.5, -3.0, 0.1, 6.0] * 5), np.arange(20.0)
    checks = Checks((alarm("distribution"), FINE), errors)
    known = checks_of(checks, x, np.round(10.0 + errors))
    assert known is not None
    assert (known.facts[0].far[0], len(known.facts[0].far)) == ((3.0, 16.0), 10)
    assert not known.facts[0].counts
    assert known.facts[1].far == ()
    zeros = checks_of(checks, x, np.round(3.0 + errors), counts=True)
    assert zeros is not None
    assert zeros.facts[0].counts


@pytest.mark.parametrize(("place", "named"), [(1955.0, True), (1953.5, True), (1951.0, False), (1970.0, False)])
def test_changes_within_or_shortly_before_the_test_are_named(place: float, named: bool) -> None:
    changed = Kernel.change_point(leaf("C", sd=1.0), leaf("0"), place, 2.0)
    parts = (component(changed, MONTHS), component(leaf("WN", sd=1.0), MONTHS))
    d = decomposition(parts, MONTHS, MONTHS, MONTHLY, calibration=HeldRanges((1954.5, 1957.0), 40, 40.0, (), (), 1.0))
    assert spanned_changes(d) == ((place,) if named else ())


def test_values_set_aside_in_the_time_of_a_test_are_counted() -> None:
    tested = replace(factory.noise_only(), calibration=trial(0.9))  # knew the data until 2008, then until 2009
    aside = (Outlier(2007.0, 9.0, 1.0), Outlier(2008.5, 9.0, 1.0), Outlier(2009.5, 9.0, 1.0, aside=False))
    found = forecast_test(replace(tested, screening=Screening(aside)))
    assert found is not None
    assert found.aside == 1
    assert left_out_text(found) == " One of the later values, which was set aside, is left out of this."
    assert left_out_text(replace(found, aside=0)) == ""
    assert " One of the later values" in forecast_test_text(found, units_for(tested))


def test_large_errors_of_heavy_tails_are_no_mistakes() -> None:
    checks = Checks((alarm("distribution"),), np.array([0.1, -6.0]))
    known = checks_of(checks, np.array([2000.0, 2001.0]), np.array([5.0, 1.0]), heavy=True)
    assert known is not None
    told = alarm_text(known.facts[0], units_for(factory.noise_only()))
    assert "outliers" not in told
    assert "as large ones of all sizes are common here" in told


def test_a_change_of_the_noise_alone_is_no_reason_for_misses() -> None:
    noise = Kernel.change_point(leaf("WN", sd=1.0), leaf("0"), 1955.0, 2.0)
    d = decomposition(
        (component(leaf("SE", lengthscale=1.0, sd=1.0), MONTHS), component(noise, MONTHS)), MONTHS, MONTHS, MONTHLY,
        calibration=HeldRanges((1954.5, 1957.0), 40, 40.0, (), (), 1.0),
    )  # fmt: skip
    assert spanned_changes(d) == ()
