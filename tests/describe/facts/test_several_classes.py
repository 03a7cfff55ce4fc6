"""Facts about several classes."""

from __future__ import annotations

from tests.describe.spoken.classes import BEST, SURPRISE, TAKEN

from autostatistician.describe.document.record import fact_json


def test_facts_are_plain_values() -> None:
    assert fact_json(TAKEN)["number"] == 3.0
    assert fact_json(BEST)["places"] == [33.0, 1.0]
    assert fact_json(SURPRISE)["number"] == 3.0  # per cent
    assert "expected" not in fact_json(SURPRISE)
