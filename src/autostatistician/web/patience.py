"""Connections that keep us waiting are ended: a half-sent request must not hold a place for ever."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["MOST_CONNECTIONS", "Patient"]

HEAD_SECONDS = 10.0  # seconds for the head of a request
BODY_SECONDS = 30.0  # seconds for its body, and more by its size
LEAST_BYTES_PER_SECOND = 10_000.0  # bytes per second that a body has to bring beyond these
READING_SECONDS = 30.0  # seconds in which some of an answer must be taken
MOST_CONNECTIONS = 200  # connections at a time
SPARE_DESCRIPTORS = 64  # file descriptors for all else; a connection may need two
TICK_SECONDS = 0.5  # seconds between looks
HALF_SENT = (h11.IDLE, h11.SEND_BODY)


def most_connections() -> int:
    """As many connections as the system has descriptors for, at most `MOST_CONNECTIONS`."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        return max(8, min(MOST_CONNECTIONS, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_DESCRIPTORS) // 2))
    return MOST_CONNECTIONS


class Patient(H11Protocol):
    """The HTTP protocol of uvicorn with an end to its patience.

    Where all places are taken, a connection with a half-sent request gives way to a new one: the oldest of the address
    that has most of them.
    """

    began = since = 0.0
    received = 0
    stage: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A visitor has come."""
        super().connection_made(transport)
        self.began = self.since = self.loop.time()
        if len(self.connections) > most_connections():
            self._make_room()
        self.loop.call_later(TICK_SECONDS, self._look)

    def data_received(self, data: bytes) -> None:
        """Something of a request has come."""
        self.received += len(data)
        super().data_received(data)

    def _make_room(self) -> None:
        connections: Iterable[Any] = self.connections  # all are of this class
        others = [peer for peer in connections if peer is not self and peer.conn.their_state in HALF_SENT]
        by_address = Counter(peer.address for peer in others)
        last = min(others, key=lambda peer: (-by_address[peer.address], peer.began), default=self)
        self.connections.discard(last)
        last.transport.abort()

    @property
    def address(self) -> str:
        """The host on the other side."""
        return self.client[0] if self.client else ""

    def _look(self) -> None:
        """Look, twice a second, whether the other side keeps us waiting."""
        if self.transport.is_closing() and not self.transport.get_write_buffer_size():
            return
        unread, now = self.transport.get_write_buffer_size(), self.loop.time()
        stage = (self.conn.their_state, self.cycle, unread)
        if stage != self.stage:
            self.stage, self.since, self.received = stage, now, 0
        if now - self.since > self._patience(unread):
            self.transport.abort()
        else:
            self.loop.call_later(TICK_SECONDS, self._look)

    def _patience(self, unread: int) -> float:
        if unread:
            return READING_SECONDS
        match self.conn.their_state:
            case h11.IDLE:
                return HEAD_SECONDS
            case h11.SEND_BODY:
                return BODY_SECONDS + self.received / LEAST_BYTES_PER_SECOND
        return float("inf")  # it waits for us
