"""How many steps beyond the data may be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from autostatistician.errors import InputError

__all__ = ["MOST_STEPS", "check_steps", "most_steps", "steps_at_most"]

MOST_STEPS = 10_000  # of a forecast: 27 years of days; more would take memory for numbers that tell nothing
_MOST: ContextVar[int] = ContextVar("most steps", default=MOST_STEPS)


def most_steps() -> int:
    """How many steps can be asked for: `MOST_STEPS`, or fewer inside of `steps_at_most`."""
    return _MOST.get()


@contextmanager
def steps_at_most(most: int) -> Iterator[None]:
    """Refuse what reaches further in all that is asked inside of it: a server answers many.

    >>> with steps_at_most(1000):
    ...     most_steps()
    1000
    """
    token = _MOST.set(min(most, MOST_STEPS))
    try:
        yield
    finally:
        _MOST.reset(token)


def check_steps(steps: object, least: int = 1) -> int:
    """A number of forecast steps as an int.

    >>> check_steps(24)
    24
    """
    most = most_steps()
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or not least <= steps <= most:
        expected = f"steps as a whole number from {least} to {most}"
        raise InputError.of(expected, repr(steps), "change the number of steps")
    return int(steps)
