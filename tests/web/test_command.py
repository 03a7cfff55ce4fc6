"""The command that serves the page."""

from __future__ import annotations

import re
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.web.conftest import served

from autostatistician.command.main import main
from autostatistician.lock import held
from autostatistician.web.command import is_loopback
from autostatistician.web.store import RunState, Store


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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="ends the server by a signal")
def test_a_server_with_many_slow_readers_ends_though_nobody_reads_its_log(tmp_path: Path) -> None:
    """The tracebacks of their requests would fill a pipe, and the server would wait for its reader."""
    store = Store(tmp_path)
    run = store.add("visitor", "a.csv", "table.csv", b"")
    (store.place(run.id) / "model.json").write_bytes(b" " * 2_000_000)
    store.set(run.id, RunState.DONE)
    asked = f"GET /api/reports/{run.id}/files/model.json HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with served(tmp_path) as server, ExitStack() as held:
        for _ in range(45):  # an address has fifty
            reader = held.enter_context(socket.create_connection(("127.0.0.1", server.port), 10.0))
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.sendall(asked)
            assert reader.recv(12) == b"HTTP/1.1 200"
        server.process.terminate()
        server.process.wait(20)
        assert server.process.stderr is not None
        told = server.process.stderr.read()
        server.process.stderr.close()
    assert re.search(r"Cancel \d+ running", told)
    assert "Traceback" not in told
