"""What keeps the page safe: who may post, what a page may load, how much may come in, and how long it may take.

Connections that keep us waiting are ended: a half-sent request must not hold a place for ever.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import h11
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = [
    "MOST_CONNECTIONS", "VISITOR_COOKIE", "Guard", "TimeoutProtocol", "address_of", "form_token", "is_from_here",
    "may_post", "network_of", "visitor_of",
]  # fmt: skip


VISITOR_COOKIE = "visitor"
PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
# A report has its style inside and runs nothing; a picture likewise. Only our own page may frame them.
CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; "
    "form-action 'none'; sandbox"
)
SAFE_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


def visitor_of(request: Request) -> str:
    """The visitor of a request: the value of the cookie, or a new one where there is none of our shape."""
    cookie = request.cookies.get(VISITOR_COOKIE, "")
    return cookie if re.fullmatch(r"[A-Za-z0-9_-]{22}", cookie) else secrets.token_urlsafe(16)


def address_of(request: Request) -> str:
    """Where a request comes from, as `network_of` has it."""
    return network_of(request.client.host if request.client else "")


def network_of(host: str) -> str:
    """An address; of IPv6 the part that one household or firm has as a whole.

    >>> network_of("::ffff:10.0.0.1"), network_of("2001:db8::1:2:3:4"), network_of("testclient")
    ('10.0.0.1', '2001:db8::', 'testclient')
    """
    with suppress(ValueError):
        address = ip_address(host)
        if isinstance(address, IPv6Address):
            shown = address.ipv4_mapped or ip_network((int(address), 64), strict=False).network_address
            return str(shown)
    return host


def form_token(secret: bytes, visitor: str) -> str:
    """What every form of a visitor carries, and no other site can know."""
    return hmac.new(secret, visitor.encode(), sha256).hexdigest()


def may_post(request: Request, secret: bytes, token: object) -> bool:
    """Whether a form was sent by our own page to this visitor."""
    visitor = request.cookies.get(VISITOR_COOKIE, "")
    return is_from_here(request) and isinstance(token, str) and _equal(token, form_token(secret, visitor))


def is_from_here(request: Request) -> bool:
    """Whether a request comes from no page of another site, as far as its browser says."""
    from_here = request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    host, origin = request.headers.get("host"), request.headers.get("origin")
    return from_here and (origin is None or origin in (f"http://{host}", f"https://{host}"))


def _equal(candidate: str, expected: str) -> bool:
    """Whether texts are equal, in a time that does not tell where they differ; the given one may hold anything."""
    return hmac.compare_digest(candidate.encode("utf-8", "replace"), expected.encode())


class Guard:
    """Around the whole server: known hosts only, no body that is said to be beyond ``most`` bytes, safe headers."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], most: int) -> None:
        names = sorted(host for host in hosts if "*" not in host)  # only whole names: no pattern opens the server
        self.app, self.most = TrustedHostMiddleware(app, names, www_redirect=False), most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        answer = _with_headers(send)
        if _is_beyond(headers.get("content-length", ""), self.most):
            await PlainTextResponse(f"At most {self.most // 10**6} MB can be sent.", 413)(scope, receive, answer)
        else:
            await self.app(scope, receive, answer)


def _is_beyond(length: str, most: int) -> bool:
    """Whether the length that a header states is too large; numbers of very many digits are no longer looked at.

    >>> _is_beyond("1000", 99), _is_beyond("9" * 5000, 99), _is_beyond("", 99)
    (True, True, False)
    """
    return length.isdecimal() and (len(length) > 15 or int(length) > most)


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name for name, _ in message["headers"]}
            policy = PAGE_POLICY if b"content-security-policy" not in present else None
            added = SAFE_HEADERS | ({"content-security-policy": policy, "x-frame-options": "DENY"} if policy else {})
            extra = [(name.encode(), value.encode()) for name, value in added.items() if name.encode() not in present]
            message = {**message, "headers": [*message["headers"], *extra]}
        await send(message)

    return answer


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
