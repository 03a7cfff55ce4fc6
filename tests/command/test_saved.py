"""Commands that ask a saved model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.promoted import fitted

from autostatistician.command.main import main


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """A saved model of sales with promotions and prices."""
    fitted().save(tmp_path / "model.json")
    return str(tmp_path / "model.json")


def test_explain_says_why_and_closes(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", saved, "--at", "2025-01-06", "--against", "2024-01-08"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("'sales': 6 January 2025 (")
    assert main(["explain", saved, "--at", "2025-01-06", "--against", "2024-01-08", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert sum(part["mean"] for part in record["parts"]) == pytest.approx(record["difference"])
    assert record["sentences"] == text.splitlines()


def test_explain_names_a_time_that_is_not_there(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", saved, "--at", "2020-01-06", "--against", "2024-01-08"]) == 2
    assert "the nearest row is 2024-01-01" in capsys.readouterr().err
