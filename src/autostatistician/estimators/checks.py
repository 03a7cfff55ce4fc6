"""Settings of estimators, checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.errors import InputError

__all__ = ["check_count", "check_levels", "check_one_of", "check_positive", "ends_of"]


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


def check_one_of(return_std: bool, return_cov: bool) -> None:
    """Raise an `InputError` where both standard deviations and covariances are asked for.

    >>> check_one_of(True, False)
    """
    if return_std and return_cov:
        raise InputError.of("return_std or return_cov", "both", "ask for one of them")


def check_positive(name: str, value: float) -> None:
    """Raise an `InputError` when a setting is not a finite number above zero.

    >>> check_positive("growth", 2.0)
    """
    if not (np.isfinite(value) and value > 0.0):
        raise InputError.of(f"{name} above zero", repr(value), "change the setting")


def check_levels(levels: Sequence[float]) -> Sequence[float]:
    """The levels of quantiles.

    Raises
    ------
    InputError
        When one is not between 0 and 1.

    Examples
    --------
    >>> check_levels((0.1, 0.9))
    (0.1, 0.9)
    """
    if not all(0.0 < level < 1.0 for level in levels):
        raise InputError.of("levels between 0 and 1", repr(tuple(levels)), "such as 0.025 and 0.975")
    return levels


def ends_of(level: float) -> tuple[float, float]:
    """The levels of the ends of an interval that holds a share ``level`` in its middle.

    Raises
    ------
    InputError
        When it is not between 0 and 1.

    Examples
    --------
    >>> ends_of(0.5)
    (0.25, 0.75)
    """
    if not 0.0 < level < 1.0:
        raise InputError.of("a level between 0 and 1", repr(level), "such as 0.95")
    return 0.5 - 0.5 * level, 0.5 + 0.5 * level
