"""Golden traces: what searches of each kind do, level by level. A constant of the search that is changed fails one.

Where a trace is meant to change, `tests/search/traced.py` writes it anew.
"""

import json
from typing import Any

import pytest
from tests.search.traced import CASES, FOLDER, build, schedules, traced

# Of deviances, that another build of the algebra moves: far less than what a search calls an improvement (0.1).
TOLERANCE = 0.02


LONG = ("three-stages", "onwards")  # what else they do "staged" does, too


def _marks(name: str, is_slow: bool) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] * is_slow + [pytest.mark.long] * (name in LONG)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name, case.is_slow)) for name, case in CASES.items()])
def test_a_search_does_what_it_did(name: str) -> None:
    kept = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    now = traced(CASES[name])
    assert _efforts(now) == _efforts(kept)
    assert _levels(now) == _levels(kept)
    assert now["outliers"] == kept["outliers"]
    assert _scores(now) == pytest.approx(_scores(kept), abs=TOLERANCE)
    if kept["build"] == build():  # to the last digit where digits are the same
        assert _counts(now) == _counts(kept)
        assert [one | {"score": 0.0} for one in now["models"]] == [one | {"score": 0.0} for one in kept["models"]]
        scores, before = ([*_scores(trace), *(one["score"] for one in trace["models"])] for trace in (now, kept))
        assert scores == pytest.approx(before, rel=1e-6)


def test_schedules_are_as_they_were() -> None:
    assert schedules() == (FOLDER / "schedules.txt").read_text(encoding="utf-8")


def test_every_trace_has_its_search() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CASES)


def _efforts(trace: dict[str, Any]) -> list[dict[str, int]]:
    return [*(step["efforts"] for step in trace["levels"]), trace["efforts on the other scale"]]


def _levels(trace: dict[str, Any]) -> list[Any]:
    levels = [[step[key] for key in ("level", "rows", "candidates", "expression")] for step in trace["levels"]]
    return [trace["transform"], *levels, trace["models"][0]["expression"]]


def _scores(trace: dict[str, Any]) -> list[float]:
    return [trace["gain"] or 0.0, *(step["score"] for step in trace["levels"]), trace["models"][0]["score"]]


def _counts(trace: dict[str, Any]) -> list[int]:
    return [step["evaluations"] for step in trace["levels"]]
