"""Facts as plain values."""

from __future__ import annotations

import json
from math import inf, nan

import pytest

from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.facts.part import CyclePhase, Trend, VarianceExplained
from autostatistician.forms import Leg

TREND = Trend(id="t", number=1.0, unit="target per axis", evidence="e", direction=1, steady=False, share=0.5,
              legs=(Leg(0.0, 1.0, 2.0, 5.0, (0.2, 0.6), inf),))  # fmt: skip


def test_shares_are_written_in_per_cent() -> None:
    fact = VarianceExplained(
        id="v", number=0.5, unit=SHARE, evidence="e", before=0.25, after=0.625, noise=False, gain=0.375
    )
    record = fact_json(fact)
    assert (record["number"], record["unit"], record["before"], record["after"]) == (50.0, "%", 25.0, 62.5)
    assert "gain" not in record


def test_other_units_are_left_alone() -> None:
    record = fact_json(TREND)
    assert (record["number"], record["unit"], record["share"]) == (1.0, "target per axis", 0.5)


def test_records_inside_of_records_and_numbers_without_end() -> None:
    (leg,) = fact_json(TREND)["legs"]  # type: ignore[misc]
    assert leg == {"start": 0.0, "stop": 1.0, "first": 2.0, "last": 5.0, "most": [0.2, 0.6], "moved": None}


def test_kinds_are_plain_text() -> None:
    fact = CyclePhase(id="p", number=1.0, unit="axis", evidence="e", kind=Phase.MONTH, high=(7,), low=())
    assert json.loads(json.dumps(fact_json(fact)))["kind"] == "month"
    assert type(fact_json(fact)["kind"]) is str


@pytest.mark.parametrize(
    ("value", "text"), [(nan, None), (-inf, None), (1 / 3, 0.3333333333), (12345678901.2, 1.23456789e10)]
)
def test_numbers_have_ten_digits(value: float, text: float | None) -> None:
    assert stored(value) == text


def test_the_kind_of_a_fact_is_its_name() -> None:
    assert fact_json(Fact(id="a", number=1.0, unit="1", evidence="e")) == {
        "fact": "Fact", "id": "a", "number": 1.0, "unit": "1", "evidence": "e", "interval": None,
    }  # fmt: skip
