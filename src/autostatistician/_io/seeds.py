"""Generators from what scikit-learn calls ``random_state``."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

__all__ = ["generator", "seed_of"]


def seed_of(random_state: Any) -> int:
    """A seed from a whole number, a RandomState (which moves on) or None (another one each time).

    >>> seed_of(0) == seed_of(0) != seed_of(1)
    True

    Raises
    ------
    ValueError
        When it is something else.
    """
    return int(check_random_state(random_state).randint(2**31))


def generator(random_state: Any) -> np.random.Generator:
    """A generator with that seed.

    >>> generator(0).random() == generator(0).random()
    True
    """
    return np.random.default_rng(seed_of(random_state))
