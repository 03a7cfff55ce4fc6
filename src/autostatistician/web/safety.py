"""What keeps the page safe: who may post, what a page may load, how much may come in."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = [
    "VISITOR_COOKIE",
    "Guard",
    "address_of",
    "form_token",
    "is_from_here",
    "may_post",
    "network_of",
    "visitor_of",
]

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
