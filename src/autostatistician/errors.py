"""The errors a user can cause: every message says what was expected, what was found and what to do."""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib.util import find_spec
from typing import Self

__all__ = [
    "AutostatisticianError", "CheckpointError", "CheckpointWarning", "InputError", "ParseError", "TooLargeError",
    "WriteError", "check_choice", "check_installed", "shortened",
]  # fmt: skip

_SHOWN = 60  # letters of a word that is cut
_LONG = re.compile(r"[^\s'\"/\\]{200,}")  # paths are not cut: a reader copies them


class AutostatisticianError(ValueError):
    """Base of all errors raised on purpose by this library."""


class InputError(AutostatisticianError):
    """The data or the arguments are at fault; ``parts`` are those of `of`, so that they can be said in other languages.

    >>> str(InputError.of("a number in column 'sales'", "the text 'n/a' in row 3", "clean the column"))
    "expected a number in column 'sales'; found the text 'n/a' in row 3; clean the column"
    """

    parts: tuple[str, str, str] | None = None

    @classmethod
    def of(cls, expected: str, found: str, remedy: str) -> Self:
        """Build the one-line message from its three parts, names and values of hundreds of letters cut."""
        error = cls(shortened(f"expected {expected}; found {found}; {remedy}"))
        error.parts = (expected, found, remedy)
        return error


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Raise an `InputError` when a setting is none of its values.

    >>> check_choice("link", "probit", ("probit", "logistic"))
    """
    if value not in choices:
        expected = " or ".join(f"{name}={choice!r}" for choice in choices)
        raise InputError.of(expected, repr(value), "choose one of them")


def check_installed(package: str, purpose: str, instead: str = "") -> None:
    """Raise an `InputError` unless a package of one of the extras can be imported.

    >>> check_installed("numpy", "numbers")
    """
    if find_spec(package) is None:
        remedy = f"pip install {package}" + (f", or {instead}" if instead else "")
        raise InputError.of(f"the package {package} for {purpose}", "that it is not installed", remedy)


def shortened(text: str) -> str:
    """A line with names and values of hundreds of letters cut.

    >>> len(shortened("a" * 1000))
    61
    """
    return _LONG.sub(lambda word: f"{word[0][:_SHOWN]}…", text)


class TooLargeError(InputError):
    """A table has more rows, or a file more bytes, than are read."""


class WriteError(InputError):
    """A file cannot be written: the place is missing, forbidden or full."""


class CheckpointError(InputError):
    """A checkpoint cannot be used: it is damaged, or of another search."""


class CheckpointWarning(RuntimeWarning):
    """A level of a search could not be kept; the search goes on. The command line shows it as a note."""


class ParseError(AutostatisticianError):
    """A text is not a kernel expression."""
