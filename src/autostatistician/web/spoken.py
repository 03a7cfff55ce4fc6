"""The language of the page: as the visitor chose it, else as the browser asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from starlette.requests import Request

from autostatistician.wording.messages import ENGLISH, LANGUAGE_NAMES

__all__ = ["LANGUAGE_COOKIE", "asked_language", "language_of", "without_options"]

LANGUAGE_COOKIE = "lang"


def language_of(request: Request) -> str:
    """The language in which a visitor reads pages: that of ``?lang=``, of a cookie, or the browser's."""
    chosen = asked_language(request) or request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGE_NAMES:
        return chosen
    return next(_accepted(request.headers.get("accept-language", "")), ENGLISH)


def asked_language(request: Request) -> str:
    """The language that an address asks for; "" where it names none that there is."""
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGE_NAMES else ""


def without_options(text: str) -> str:
    """What is said without the clauses that name options of the command line, which a page has not.

    >>> without_options("'cost' is its copy. It is left out; --allow-leaks 'cost' takes it.")
    "'cost' is its copy. It is left out."
    >>> without_options("Modelled as classes. --task number models it as a number instead.")
    'Modelled as classes.'
    """
    kept = [clause for clause in re.split(r"(?<=[.;])\s+", text) if not re.search(r"(?<![\w-])--[a-z]", clause)]
    return re.sub(";$", ".", " ".join(kept))


def _accepted(header: str) -> Iterator[str]:
    """The languages that a browser asks for, as far as there are words in them, the most wanted first.

    >>> list(_accepted("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.95, *;q=0.5, x;q=y"))
    ['de', 'en']
    """
    wishes = [
        (_weight(weight), name.strip()) for name, _, weight in (each.partition(";") for each in header.split(","))
    ]
    for weight, name in sorted(wishes, key=lambda wish: -wish[0]):
        code = name.partition("-")[0].lower()
        if weight > 0.0 and code in LANGUAGE_NAMES:
            yield code


def _weight(text: str) -> float:
    """How much a language is wanted.

    >>> _weight(" q=0.8"), _weight(""), _weight("q=much")
    (0.8, 1.0, 0.0)
    """
    try:
        return float(text.partition("=")[2]) if text.strip() else 1.0
    except ValueError:
        return 0.0
