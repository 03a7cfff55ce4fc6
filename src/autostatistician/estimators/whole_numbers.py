"""Settings that are whole numbers, checked."""

from __future__ import annotations

import numpy as np

from autostatistician.errors import InputError

__all__ = ["check_count"]


def check_count(name: str, value: object, least: int) -> int:
    """A setting that is a whole number from ``least``.

    Raises
    ------
    InputError
        When it is not.

    Examples
    --------
    >>> check_count("rank", 2, 0)
    2
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError.of(f"{name} as a whole number from {least}", repr(value), "change the setting")
    return int(value)
