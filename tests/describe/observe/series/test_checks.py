"""Checks and tests of forecasts as facts, with their numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.checks import FINE, alarm, checked, trial, trial_fact
from tests.describe.factory import MONTHLY, MONTHS, component, decomposition

from autostatistician.decompose.records.series import Checks, HeldRanges
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.observe.series.checks import checks_of, forecast_test, spanned_changes
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
