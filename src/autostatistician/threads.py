"""One thread for the algebra of matrices: the same numbers on any machine, and workers that do not fight for cores."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]


def one_thread() -> AbstractContextManager[object]:
    """A context in which every BLAS of this process uses one thread, however many it used before.

    Sums in another order give other last digits, and a search that compares candidates may then take another path.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     float(np.ones((2, 2)).trace())
    2.0
    """
    limit: AbstractContextManager[object] = _libraries().limit(limits=1)
    return limit


@cache
def _libraries() -> ThreadpoolController:
    """The libraries of this process; to find them takes milliseconds, so it is done once."""
    import scipy.linalg  # noqa: F401  SciPy brings a BLAS of its own: it must be there to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
