"""The command that serves the page."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from autostatistician.command.main import main
from autostatistician.lock import held
from autostatistician.web.command import is_loopback


def test_a_second_server_on_a_folder_does_not_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with held(tmp_path / "runs", "server", "--folder"):
        assert main(["serve", "--port", "0", "--folder", str(tmp_path / "runs")]) == 2
    assert "another server has it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "own"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("a.b", False)]
)
def test_only_this_machine_is_reached_without_a_warning(host: str, own: bool) -> None:
    assert is_loopback(host) == own


def test_a_port_that_is_taken_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--folder", str(tmp_path / "runs")]) == 2
    assert "choose another --port or --host" in capsys.readouterr().err
