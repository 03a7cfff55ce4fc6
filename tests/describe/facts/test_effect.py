"""Shares of facts on tables are fractions, and recorded in per cent."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.effect_cases import BASE, COLUMN, EFFECT, TOGETHER

from autostatistician.describe.document.record import fact_json


def test_shares_are_recorded_in_per_cent() -> None:
    record = fact_json(replace(EFFECT, beyond=0.25))
    assert (record["number"], record["interval"], record["beyond"], record["unit"]) == (60.0, [50.0, 70.0], 25.0, "%")
    assert fact_json(COLUMN)["number"] == 40.0
    together = fact_json(TOGETHER)
    assert (together["share"], together["share_interval"], together["number"]) == (9.0, [6.0, 12.0], 6.0)


def test_what_is_no_share_is_recorded_as_it_is() -> None:
    record = fact_json(BASE)
    assert (record["number"], record["interval"], record["unit"]) == (30.0, [26.0, 34.0], "strength")
    assert record["kind"] == "rising"
    assert type(record["kind"]) is str
