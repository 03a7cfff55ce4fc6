"""The option ``--plan``: it prints what a search would do, and neither searches nor writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autostatistician.command.main import main
from autostatistician.search.racing.runner import Runner


@pytest.fixture(autouse=True)
def _nothing_is_fitted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    def fits(*_: object) -> None:
        raise AssertionError("a plan fits nothing")

    monkeypatch.setattr(Runner, "fits", fits)


@pytest.mark.parametrize("command", ["report", "fit"])
def test_a_plan_is_printed_and_nothing_is_searched_or_written(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([command, "nile", "--plan", "--quiet", "--jobs", "1", "--depth", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "Target: flow",
        "The search has one stage.",
        "Stage 1: 100 rows, by evidence, up to 4 levels; ends after a level without improvement.",
    ]
    assert "    45 complete kernels on 100 rows: 1 fit of 12 steps each" in lines
    assert lines[-1] == "Times are for 1 worker, and rough."
    assert list(tmp_path.iterdir()) == []


def test_a_plan_is_an_object_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "nile", "--plan", "--json", "--criterion", "bic", "--jobs", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    (stage,) = found["plan"]["stages"]
    assert (found["target"], stage["criterion"], stage["rows"], stage["patience"]) == ("flow", "bic", 100, 2)
    assert stage["races"][0]["rounds"][0]["candidates"] > 0


def test_what_cannot_be_read_cannot_be_planned(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "nowhere.csv", "--plan"]) == 2
    assert capsys.readouterr().err.startswith("error: ")
