"""Half-sent requests: they end, and meanwhile the page is there for others."""

from __future__ import annotations

import http.client
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from autostatistician.web import patience
from autostatistician.web.app import make_app
from autostatistician.web.patience import Patient

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
    """A server that has little patience, in a thread."""
    for name, value in LITTLE.items():
        monkeypatch.setattr(patience, name, value)
    config = uvicorn.Config(make_app(tmp_path, 0), log_level="critical", http=Patient, ws="none")
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


def test_a_body_that_drips_ends(port: int) -> None:
    with opened(port, HALF["half a body"]) as connection:
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
    monkeypatch.setattr(patience, "LEAST_BYTES_PER_SECOND", 1e9)
    with slow_reader(port, buffer=200_000) as connection, pytest.raises(ConnectionError):  # noqa: PT012
        for _ in range(100):
            connection.recv(10_000)
            connection.sendall(b"G")
            time.sleep(0.03)


OTHER_ADDRESS = pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")


@OTHER_ADDRESS
def test_slow_readers_of_one_address_leave_room_for_another(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "READING_SECONDS", 60.0)
    held = [slow_reader(port, f"127.0.0.{number}") for number in range(2, 7) for _ in range(6)]
    time.sleep(0.5)
    assert [is_answered(port) for _ in range(5)] == [True] * 5
    for connection in held:
        connection.close()


@OTHER_ADDRESS
def test_one_address_has_a_quarter_of_all_places(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "HEAD_SECONDS", 60.0)
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
    monkeypatch.setattr(patience, "HEAD_SECONDS", 60.0)
    held = [opened(port, HALF["half a head"]) for _ in range(40)]
    assert is_answered(port)
    assert sum(ended(connection) for connection in held[:20]) == 20
    for connection in held:
        connection.close()


def test_very_many_half_sent_bodies_leave_room_for_a_whole_request(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "BODY_SECONDS", 60.0)
    held = [opened(port, HALF["half a body"]) for _ in range(40)]
    assert is_answered(port)
    assert sum(ended(connection) for connection in held[:20]) == 20
    for connection in held:
        connection.close()


@pytest.mark.slow
def test_a_connection_is_kept_for_one_request_after_another(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "HEAD_SECONDS", 2.0)
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
    assert 8 <= patience.most_connections() <= patience.MOST_CONNECTIONS
