"""Names that have moved: they are found at their old place for one more version, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["moved"]


def moved(old: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of the module ``old`` for names that now live in other modules, given by name.

    Examples
    --------
    >>> find = moved("here", {"pi": "math"})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     value = find("pi")
    >>> round(value, 2), str(caught[0].message)
    (3.14, "'pi' has moved from here to math and will be found in its new place only")
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        text = f"{name!r} has moved from {old} to {homes[name]} and will be found in its new place only"
        warnings.warn(text, FutureWarning, stacklevel=2)
        return getattr(import_module(homes[name]), name)

    return find
