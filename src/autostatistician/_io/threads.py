"""One thread for the algebra of matrices: the same numbers on any machine, and workers that do not fight for cores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]


_lock = Lock()
_entered = ExitStack()  # holds what sets the threads back
_depth = 0  # contexts that are open, in all threads of this process


@contextmanager
def one_thread() -> Iterator[None]:
    """A context, or a decorator, in which every BLAS of this process uses one thread, however many it used before.

    Sums in another order give other last digits, and a search that compares candidates may then take another path;
    and threads that wait for others spin, on cores that have other work. When the last context ends that is open in
    any thread of the process, there are as many as before the first.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     float(np.ones((2, 2)).trace())
    2.0
    """
    global _depth
    with _lock:
        if _depth == 0:
            _entered.enter_context(_libraries().limit(limits=1))
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                _entered.close()


@cache
def _libraries() -> ThreadpoolController:
    """The libraries of this process; to find them takes milliseconds, so it is done once."""
    import scipy.linalg  # noqa: F401  SciPy brings a BLAS of its own: it must be there to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
