"""What records leave out of facts on the whole, and what they hold."""

from __future__ import annotations

from tests.describe.checks import trial, trial_fact

from autostatistician.describe.document.record import fact_json


def test_records_hold_the_outcome_of_a_test_and_not_its_workings() -> None:
    record = fact_json(trial_fact(trial(0.9), (2008.5,)))
    assert record["number"] == 90.0
    assert record["changes"] == [2008.5]
    assert not {"origins", "levels", "held", "narrow"} & record.keys()
