"""The command that serves agents."""

import sys
from pathlib import Path

import pytest

from autostatistician.cli.main import main


def test_without_the_package_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    for name in [name for name in sys.modules if name.startswith(("mcp.", "autostatistician.mcp.server"))]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["mcp", "--folder", str(tmp_path)]) == 2
    assert "pip install mcp\n" in capsys.readouterr().err


def test_the_folder_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--folder", str(tmp_path / "none")]) == 2
    assert "does not exist" in capsys.readouterr().err
