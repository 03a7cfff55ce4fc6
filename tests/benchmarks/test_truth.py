"""The command that scores reports."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest


def test_an_unknown_generator_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["truth", "--only", "nothing"])
    with pytest.raises(SystemExit):
        runpy.run_path(str(folder / "truth.py"), run_name="__main__")
    assert "found nothing" in capsys.readouterr().err


def test_a_draw_is_the_same_each_time(folder: Path) -> None:
    module = runpy.run_path(str(folder / "truth.py"))
    first, again, other = (module["made"]("line", draw).columns for draw in (3, 3, 4))
    assert first == again != other


def test_records_are_kept_by_version_and_judged_again(folder: Path, tmp_path: Path) -> None:
    module = runpy.run_path(str(folder / "truth.py"))
    kept = module["kept_record"]
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "line-3.json").write_text('{"function": []}')
    assert kept("line", 3, tmp_path, "old") == {"function": []}
    with pytest.raises(FileNotFoundError, match=r"line-4\.json; found none"):
        kept("line", 4, tmp_path, "old")
