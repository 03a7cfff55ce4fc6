"""What is done before a search has a model, for who watches it: that may take minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum

__all__ = ["SearchProgress", "begun", "watched_by"]


class SearchProgress(StrEnum):
    """What comes before the first level."""

    COLUMNS = "columns"  # what those beside a series may do is selected
    OUTLIERS = "outliers"
    SCALE = "scale"


_WATCHER: ContextVar[Callable[[SearchProgress], object] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(watcher: Callable[[SearchProgress], object]) -> Iterator[None]:
    """Tell a watcher what is begun inside of it.

    >>> with watched_by(print):
    ...     begun(SearchProgress.SCALE)
    scale
    """
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def begun(what: SearchProgress) -> None:
    """Say that something is begun."""
    if (watcher := _WATCHER.get()) is not None:
        watcher(what)
