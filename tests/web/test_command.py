"""The command that serves the page."""

import http.client
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import uvicorn
from tests.web.conftest import served

from autostatistician._io.files import held
from autostatistician.cli.main import main
from autostatistician.web import safety
from autostatistician.web.app import make_app
from autostatistician.web.command import is_loopback
from autostatistician.web.safety import TimeoutProtocol
from autostatistician.web.store import RunState, Store

WHOLE = b"GET /static/page.css HTTP/1.1\r\nhost: localhost\r\n\r\n"

HALF = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nhost: loc",
    "half a body": b"POST /tables HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9000\r\n\r\nx",
    "half a head after a whole request": WHOLE + b"GET / HT",
}

LITTLE = {
    "HEAD_SECONDS": 0.5,
    "BODY_SECONDS": 0.5,
    "READING_SECONDS": 0.5,
    "LEAST_BYTES_PER_SECOND": 1e6,
    "TICK_SECONDS": 0.05,
    "MOST_CONNECTIONS": 24,
}


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with short timeouts, in a thread."""
    for name, value in LITTLE.items():
        monkeypatch.setattr(safety, name, value)
    config = uvicorn.Config(make_app(tmp_path, 0), log_level="critical", http=TimeoutProtocol, ws="none")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        yield int(listener.getsockname()[1])
        server.should_exit = True
        thread.join(20.0)


def opened(port: int, sent: bytes, source: str = "127.0.0.1") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=20.0, source_address=(source, 0))
    connection.sendall(sent)
    return connection


def ended(connection: socket.socket) -> bool:
    """Whether the other side ends the connection, after whatever it has to say."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def is_cut(connection: socket.socket, sent: bytes, times: int) -> bool:
    """Whether the other side cuts the connection while something is sent to it again and again."""
    try:
        for _ in range(times):
            connection.sendall(sent)
            time.sleep(0.05)
    except ConnectionError:
        return True
    return False


def is_answered(port: int) -> bool:
    with opened(port, WHOLE) as connection:
        return connection.recv(15) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize("kind", sorted(HALF))
def test_a_half_sent_request_ends(port: int, kind: str) -> None:
    with opened(port, HALF[kind]) as connection:
        assert ended(connection)


@pytest.mark.parametrize("kind", [kind for kind in sorted(HALF) if kind != "nothing"])
def test_a_request_that_drips_ends(port: int, kind: str) -> None:
    with opened(port, HALF[kind]) as connection:
        assert is_cut(connection, b"x", 400)


def test_an_answer_that_nobody_takes_ends(port: int) -> None:
    asked = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n" * 4000
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(20.0)
        connection.connect(("127.0.0.1", port))
        assert is_cut(connection, asked, 400)


def slow_reader(port: int, source: str = "127.0.0.1", buffer: int = 4096) -> socket.socket:
    """A connection that asks for more than is taken by any buffer, and reads nothing."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(20.0)
    connection.bind((source, 0))
    connection.connect(("127.0.0.1", port))
    connection.sendall(WHOLE * 1500)
    return connection


def test_answers_that_are_taken_too_slowly_end(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "LEAST_BYTES_PER_SECOND", 1e9)
    with slow_reader(port, buffer=200_000) as connection, pytest.raises(ConnectionError):  # noqa: PT012
        for _ in range(100):
            connection.recv(10_000)
            connection.sendall(b"G")
            time.sleep(0.03)


OTHER_ADDRESS = pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")


@OTHER_ADDRESS
def test_slow_readers_of_one_address_leave_room_for_another(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "READING_SECONDS", 60.0)
    held = [slow_reader(port, f"127.0.0.{number}") for number in range(2, 7) for _ in range(6)]
    time.sleep(0.5)
    assert [is_answered(port) for _ in range(5)] == [True] * 5
    for connection in held:
        connection.close()


@OTHER_ADDRESS
def test_one_address_has_a_quarter_of_all_places(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "HEAD_SECONDS", 60.0)
    first = opened(port, HALF["half a head"])
    held = [opened(port, HALF["half a head"], "127.0.0.2") for _ in range(10)]
    assert sum(ended(connection) for connection in held[:4]) == 4
    for connection in (first, *held[4:]):
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):
            connection.recv(1)
    for connection in (first, *held):
        connection.close()


def test_very_many_half_sent_requests_leave_room_for_a_whole_one(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "HEAD_SECONDS", 60.0)
    held = [opened(port, HALF["half a head"]) for _ in range(40)]
    assert is_answered(port)
    assert sum(ended(connection) for connection in held[:20]) == 20
    for connection in held:
        connection.close()


def test_very_many_half_sent_bodies_leave_room_for_a_whole_request(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "BODY_SECONDS", 60.0)
    held = [opened(port, HALF["half a body"]) for _ in range(40)]
    assert is_answered(port)
    assert sum(ended(connection) for connection in held[:20]) == 20
    for connection in held:
        connection.close()


@pytest.mark.slow
def test_a_connection_is_kept_for_one_request_after_another(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "HEAD_SECONDS", 2.0)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20.0)
    connection.connect()
    kept = connection.sock
    for _ in range(15):  # three seconds in all: longer than the head of any one request may take
        connection.request("GET", "/static/page.css")
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.read()
        time.sleep(0.2)
    assert connection.sock is kept
    connection.close()


def test_no_more_connections_are_kept_than_there_are_descriptors() -> None:
    assert 8 <= safety.most_connections() <= safety.MOST_CONNECTIONS


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
