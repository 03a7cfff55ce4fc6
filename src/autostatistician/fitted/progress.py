"""What is done before a search has a model, for who watches it: that may take minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum

__all__ = ["Preparing", "begun", "watched_by"]


class Preparing(StrEnum):
    """What comes before the first level."""

    COLUMNS = "columns"  # what those beside a series may do is selected
    OUTLIERS = "outliers"
    SCALE = "scale"


_WATCHER: ContextVar[Callable[[Preparing], object] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(watcher: Callable[[Preparing], object]) -> Iterator[None]:
    """Tell a watcher what is begun inside of it.

    >>> with watched_by(print):
    ...     begun(Preparing.SCALE)
    scale
    """
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def begun(what: Preparing) -> None:
    """Say that something is begun."""
    if (watcher := _WATCHER.get()) is not None:
        watcher(what)
