"""The comparison of told claims with the truth, on claims made by hand."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def compare(folder: Path) -> ModuleType:
    import truth_compare

    return truth_compare


def test_a_true_a_false_and_a_misplaced_claim(compare: ModuleType) -> None:
    truths = [compare.Truth("step", 20.0, at=2018.0, slack=0.1), compare.Truth("slope", 2.0, small=0.1)]
    claims = {
        compare.Claim("step", 22.0, (18.0, 26.0), 2018.05): True,
        compare.Claim("step", 22.0, (18.0, 26.0), 2018.5): False,
        compare.Claim("step", -20.0, None, 2018.0): False,
        compare.Claim("step", 22.0): None,
        compare.Claim("slope", 1.0, (0.5, 2.1)): True,
        compare.Claim("slope", 1.0, (0.5, 1.5)): False,
        compare.Claim("season", 1.0): False,
        compare.Claim("return", 1.0): None,
    }
    assert [compare.judged(claim, truths) for claim in claims] == list(claims.values())


def test_claims_truths_and_ranges_are_counted(compare: ModuleType) -> None:
    truths = [compare.Truth("slope", 2.0), compare.Truth("season", 1.0)]
    claims = [compare.Claim("slope", 2.1, (2.05, 2.2)), compare.Claim("season", 3.0), compare.Claim("season", None)]
    slope, season = (compare.counts(claims, truths, kind) for kind in ("slope", "season"))
    assert slope == {"claims": 1, "true": 1, "false": 0, "unjudged": 0, "truths": 1, "told": 1, "ranges": 1, "hold": 0}
    assert season == {"claims": 2, "true": 0, "false": 1, "unjudged": 1, "truths": 1, "told": 0, "ranges": 0, "hold": 0}


def test_a_denied_rise_is_false_only_beside_a_prominent_one(compare: ModuleType) -> None:
    denied = compare.Claim("rise", 0.0, denied=True)
    for prominent in (True, False):
        assert compare.judged(denied, [compare.Truth("rise", 9.0, prominent=prominent)]) is not prominent


def test_both_records_become_claims(compare: ModuleType) -> None:
    def fact(name: str, number: float, **more: Any) -> dict[str, Any]:
        return {"fact": name, "number": number, "interval": None} | more

    facts = [fact("LinearTrend", 2.0), fact("StandingOut", 40.0, expected=100.0, position=2016.5)]
    statements = [{"text": "A trend", "probability": 0.01}]
    today = compare.claims_of({"facts": facts, "statements": statements})
    assert [(claim.kind, claim.number, claim.denied) for claim in today] == [
        ("slope", 2.0, False),
        ("event", -60.0, False),
        ("rise", 0.0, True),
    ]
    entry = {"kind": "step", "number": 5.0, "interval": [4.0, 6.0], "at": "2018-07-01", "told": True}
    (claim,) = compare.claims_of({"function": [entry, entry | {"told": False}]})
    assert (claim.kind, claim.number, claim.at) == ("step", 5.0, 2018.5)
