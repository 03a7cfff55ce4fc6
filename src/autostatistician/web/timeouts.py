"""Connections that keep us waiting are ended: a half-sent request must not hold a place for ever."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from autostatistician.web.safety import network_of

__all__ = ["MOST_CONNECTIONS", "TimeoutProtocol"]

HEAD_SECONDS = 10.0  # seconds for the head of a request
BODY_SECONDS = 30.0  # seconds for its body, and more by its size
READING_SECONDS = 30.0  # seconds for an answer to be taken, and more by its size
LEAST_BYTES_PER_SECOND = 10_000.0  # bytes per second that a body has to bring, or that are taken, beyond these
HELD_BYTES = 64 * 2**10  # bytes of an answer that the system holds for a connection
MOST_CONNECTIONS = 200  # connections at a time
SHARE_OF_ADDRESS = 0.25  # of these, from one address
SPARE_DESCRIPTORS = 64  # file descriptors for all else; a connection may need two
TICK_SECONDS = 0.5  # seconds between looks
HALF_SENT = (h11.IDLE, h11.SEND_BODY)


def most_connections() -> int:
    """As many connections as the system has descriptors for, at most `MOST_CONNECTIONS`."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        return max(8, min(MOST_CONNECTIONS, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_DESCRIPTORS) // 2))
    return MOST_CONNECTIONS


class _Counted:
    """A transport that knows how many bytes were given to it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport, self.given = transport, 0

    def write(self, data: bytes) -> None:
        """Send something."""
        self.given += len(data)
        self.transport.write(data)

    @property
    def unread(self) -> int:
        """How much of it waits for the other side."""
        return self.transport.get_write_buffer_size()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)


class TimeoutProtocol(H11Protocol):
    """The HTTP protocol of uvicorn with timeouts.

    Where all places are taken, or one address has its share of them, a connection gives way to a new one: of the
    address that has most of them the oldest that keeps us waiting, else the oldest of all.
    """

    transport: _Counted  # type: ignore[assignment]
    address = ""  # of the other side, or its network
    began = since = 0.0
    received = 0  # bytes of a request
    reading = 0.0  # seconds that answers have waited to be taken
    before = 0  # bytes of the answers before these
    stage: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A visitor has come."""
        # What the system holds counts as taken: of much of that we would not know for minutes how fast it is read.
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HELD_BYTES)
        super().connection_made(_Counted(transport))  # type: ignore[arg-type]
        self.began = self.since = self.loop.time()
        self.address = network_of(self.client[0] if self.client else "")
        every: set[Any] = self.connections  # all are of this class
        ours = {peer for peer in every if peer.address == self.address}
        if len(ours) > SHARE_OF_ADDRESS * most_connections():
            self._make_room(ours)
        elif len(every) > most_connections():
            self._make_room(every)
        self.loop.call_later(TICK_SECONDS, self._look)

    def data_received(self, data: bytes) -> None:
        """Something of a request has come."""
        self.received += len(data)
        super().data_received(data)

    def _make_room(self, among: set[Any]) -> None:
        by_address = Counter(peer.address for peer in among)
        others = among - {self}
        last = min(others, key=lambda peer: (-by_address[peer.address], not peer.keeps_waiting, peer.began))
        self.connections.discard(last)
        last.transport.abort()

    @property
    def keeps_waiting(self) -> bool:
        """Whether it is the turn of the other side, to send or to read."""
        return bool(self.transport.unread) or self.conn.their_state in HALF_SENT

    def _look(self) -> None:
        """Look, twice a second, whether the other side keeps us waiting."""
        unread, now = self.transport.unread, self.loop.time()
        if self.transport.is_closing() and not unread:
            return
        stage = (self.conn.their_state, self.cycle, bool(unread))
        if stage != self.stage:
            self.stage, self.since, self.received = stage, now, 0
        if unread:
            self.reading += TICK_SECONDS
        elif self.conn.their_state is h11.IDLE:  # all was taken; before, requests that came together are one to read
            self.reading, self.before = 0.0, self.transport.given
        waited = self.reading if unread else now - self.since
        if waited > self._patience(unread):
            self.transport.abort()
        else:
            self.loop.call_later(TICK_SECONDS, self._look)

    def _patience(self, unread: int) -> float:
        if unread:
            return READING_SECONDS + (self.transport.given - unread - self.before) / LEAST_BYTES_PER_SECOND
        match self.conn.their_state:
            case h11.IDLE:
                return HEAD_SECONDS
            case h11.SEND_BODY:
                return BODY_SECONDS + self.received / LEAST_BYTES_PER_SECOND
        return float("inf")  # it waits for us
