"""Small rules for texts that come from anywhere: what must not reach a page, ids, and fitting a line into a width."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar, cast

from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import fixed

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["cleaned", "cut", "environment", "slug", "text_width", "unbroken", "wrapped"]

Value = TypeVar("Value")

# Control characters are invalid in XML and JSON readers choke on them; direction overrides could turn a page around.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_NARROW = frozenset("fijlrtI1 .,:;!|'()[]-")
_TIED = re.compile(r"\b(?:[Pp]arts?|[Ff]igure|[Tt]able) (?=\d)|(?<=\S) = (?=\S)")
_HYPHENS = re.compile(r"(?<=\d)-%-(?=\w)")  # as German writes a range of 95 %
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def cleaned(value: Value) -> Value:
    r"""Copy a value of plain data with forbidden characters taken out of all its texts.

    >>> cleaned(("sa\x00les", {"a\ud800": 1.0}))
    ('sales', {'a�': 1.0})
    """
    return cast(Value, _cleaned(value))


def _cleaned(value: object) -> object:
    match value:
        case str():
            return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", _FORBIDDEN.sub("", value))
        case tuple() | list():
            return type(value)(_cleaned(item) for item in value)
        case dict():
            return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _cleaned(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **fields)
    return value


@cache
def environment() -> Environment:
    """What fills our templates."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("autostatistician.report", "templates"),
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {"unbroken": unbroken, "digest": digest}
    made.globals |= {"say": say, "number": lambda value: fixed(value, 0)}
    return made


def digest(script: str) -> str:
    """The hash of a script by which the policy of a page lets it run."""
    return b64encode(sha256(script.encode()).digest()).decode()


def slug(text: str) -> str:
    """An id that needs no escaping anywhere.

    >>> slug("component 1/<b>")
    'component-1--b-'
    """
    return re.sub(r"[^A-Za-z0-9_-]", "-", text) or "x"


def unbroken(text: str) -> str:
    """Text in which no line ends inside of an equation or between a noun and its number.

    >>> unbroken("(P = 90%), see part 2").replace(chr(160), "~")
    '(P~=~90%), see part~2'
    """
    tied = _TIED.sub(lambda match: match[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    return _HYPHENS.sub("\N{NON-BREAKING HYPHEN}%\N{NON-BREAKING HYPHEN}", tied)


def text_width(text: str, size: float) -> float:
    """Estimated width of a line in pixels: on the wide side, because the reader's font is not known.

    >>> round(text_width("Passengers", 12.0))
    69
    """
    return size * sum(_advance(character) for character in text)


def _advance(character: str) -> float:
    if character in _NARROW:
        return 0.37
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.85 if character in "mwMW@%\N{MINUS SIGN}" else 0.6


def cut(text: str, width: float, size: float) -> str:
    """Shorten a line to a width in pixels, with an ellipsis where something is missing.

    >>> cut("Passengers per month", 80.0, 12.0)
    'Passengers…'
    """
    text = " ".join(text.split())
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + _ELLIPSIS, size) > width:
        text = text[:-1]
    return text.rstrip() + _ELLIPSIS


def wrapped(text: str, width: float, size: float, most: int = 2) -> tuple[str, ...]:
    """Break a text into at most ``most`` lines of a width in pixels; the last one is cut if need be.

    >>> wrapped("Everything up to and including component 2", 160.0, 12.0)
    ('Everything up to and', 'including component 2')
    """
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most - 1:
        count = 1
        while count < len(words) and text_width(" ".join(words[: count + 1]), size) <= width:
            count += 1
        lines.append(cut(" ".join(words[:count]), width, size))
        words = words[count:]
    return (*lines, cut(" ".join(words), width, size)) if words else tuple(lines)
