"""Facts on what a function does are recorded like all others."""

from __future__ import annotations

from autostatistician.describe.document.record import fact_json
from autostatistician.describe.facts.function import ScatterStep, SecondWitness


def test_a_fact_is_recorded_with_its_witness() -> None:
    witness = SecondWitness("errors", 3.9, (3.0, 5.0), True)
    fact = ScatterStep(
        id="function/scatter", number=4.0, unit="1", evidence="draws", told=True, witness=witness, at=2.0, before=2.0,
        after=8.0,
    )  # fmt: skip
    record = fact_json(fact)
    assert record["fact"] == "ScatterStep"
    assert record["witness"] == {"statistic": "errors", "number": 3.9, "interval": [3.0, 5.0], "agrees": True}
