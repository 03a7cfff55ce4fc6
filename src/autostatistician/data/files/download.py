"""Tables at an address: https, within limits of size and time, and not by a detour to the machines next to ours."""

from __future__ import annotations

import socket
import time
import urllib.request
from collections.abc import Iterable
from http.client import HTTPException, HTTPMessage, IncompleteRead
from ipaddress import ip_address
from pathlib import PurePosixPath
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit

from autostatistician.errors import InputError
from autostatistician.i18n.messages import Number, message, note

__all__ = ["download"]

SECONDS = 60.0  # of a whole download
SILENCE_SECONDS = 20.0  # of an answer that does not come
PIECE = 2**16  # bytes
LATER = message("download it first, then give the path")


def download(address: str, most: int) -> tuple[bytes, str]:
    """The first ``most`` bytes at an address, and the name of the table there.

    Raises
    ------
    InputError
        When the address is none of https (or http of this machine), nothing can be read there, it takes too long, or it
        leads to another machine of a network that is not public.
    """
    opener = urllib.request.build_opener(_Redirects(address))
    began = time.monotonic()
    content = bytearray()
    try:
        _check(address, address)
        request = urllib.request.Request(address, headers={"User-Agent": "autostatistician"})
        with opener.open(request, timeout=SILENCE_SECONDS) as answer:
            # what has come, even if less than a piece: whoever sends a letter at a time must not hold us
            while len(content) < most and (piece := answer.read1(min(PIECE, most - len(content)))):
                if time.monotonic() - began > SECONDS:
                    raise TimeoutError
                content += piece
            if len(content) < most and answer.length:  # bytes that were announced and did not come
                raise IncompleteRead(b"", answer.length)
    except TimeoutError:
        slow = note("one that takes longer than {n} seconds", n=Number(SECONDS))
        raise InputError.of(note("a table at {address}", address=repr(address)), slow, note(LATER)) from None
    except HTTPError as error:
        error.close()
        raise _unreadable(address, f"HTTP {error.code}") from None
    except InputError:
        raise
    except (OSError, HTTPException, ValueError) as error:  # of the network, of an answer, of how an address is written
        raise _unreadable(address, str(getattr(error, "reason", error))) from None
    return bytes(content), unquote(PurePosixPath(urlsplit(address).path).name).split(".")[0] or "data"


def _unreadable(address: str, why: str) -> InputError:
    found = note("none ({why})", why=why)
    return InputError.of(note("a table at {address}", address=repr(address)), found, note("check the address"))


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to places that may be read."""

    def __init__(self, first: str) -> None:
        self.first = first

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        """The request of where an answer points to."""
        _check(newurl, self.first)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check(address: str, first: str) -> None:
    """Refuse an address that is not encrypted, or leads from a public place to one that is not."""
    parts, began = urlsplit(address), urlsplit(first)
    addresses = _addresses(parts.hostname or "")
    is_here = bool(addresses) and all(one.is_loopback for one in addresses)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_here):
        raise InputError.of(note("an address that begins with https://"), repr(address), note(LATER))
    if parts.hostname != began.hostname and not all(one.is_global for one in addresses):
        inside = note("one that leads to {address}", address=repr(address))
        raise InputError.of(note("a public address"), inside, note(LATER))


def _addresses(host: str) -> Iterable[Any]:
    """The addresses of a host; none where nobody knows it."""
    try:
        return [ip_address(place[4][0]) for place in socket.getaddrinfo(host, None)]
    except (OSError, ValueError):
        return []
