"""The processor time that a search may take: its own and that of its workers, however busy the machine is."""

from __future__ import annotations

import time
from math import inf

__all__ = ["Budget"]


class Budget:
    """Processor seconds from `start` on, in the thread that called it and in workers; None is without end.

    It ends nothing until it ``binds``: after the first level of a search, which is always finished.

    >>> Budget(None).left, Budget(1.0).is_used_up
    (inf, False)
    """

    def __init__(self, allowed: float | None) -> None:
        self.allowed = inf if allowed is None else allowed
        self.binds = False
        self._began: float | None = None
        self._of_workers = 0.0

    def start(self, *, binds: bool) -> None:
        """Count from now on."""
        self._began, self.binds = time.thread_time(), binds

    def add(self, seconds: float) -> None:
        """Count what a worker has spent."""
        self._of_workers += seconds

    @property
    def spent(self) -> float:
        """The processor seconds since the start."""
        return 0.0 if self._began is None else time.thread_time() - self._began + self._of_workers

    @property
    def left(self) -> float:
        """How many more there are."""
        return self.allowed - self.spent if self.binds and self.allowed < inf else inf  # the clock is a system call

    @property
    def is_used_up(self) -> bool:
        """Whether there are none."""
        return self.left <= 0.0
