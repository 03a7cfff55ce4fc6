"""The time that a search may take, on the clock of this process and on that of the wall, which workers share."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

__all__ = ["Budget"]


@dataclass(frozen=True)
class Budget:
    """A budget of seconds from the moment it is made; None is without end.

    >>> Budget(None).is_used_up, Budget(0.0).is_used_up, Budget(1e6).is_used_up
    (False, True, False)
    """

    allowed: float | None
    began: float = field(default_factory=time.perf_counter)

    @property
    def spent(self) -> float:
        """The seconds since the beginning."""
        return time.perf_counter() - self.began

    @property
    def is_used_up(self) -> bool:
        """Whether there is no time left."""
        return self.allowed is not None and self.spent > self.allowed

    @property
    def deadline(self) -> float | None:
        """When it is used up, in seconds since 1970."""
        return None if self.allowed is None else time.time() + self.allowed - self.spent
