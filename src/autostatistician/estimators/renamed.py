"""Old names of methods and settings: for two minor versions they still work, and a `FutureWarning` says the new."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = ["old_keywords", "old_name", "old_settings", "warn_of_old"]

P = ParamSpec("P")
R = TypeVar("R")
Owner = TypeVar("Owner")


def old_keywords(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: keywords by their old names are taken as the new ones.

    >>> @old_keywords(steps="horizon")
    ... def forecast(horizon: int) -> int:
    ...     return horizon
    >>> with warnings.catch_warnings(action="ignore"):
    ...     forecast(steps=3)
    3
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def taking(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in [name for name in kwargs if name in names]:
                warn_of_old(f"{old}=", f"{names[old]}=")
                kwargs[names[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        return taking

    return decorate


def old_settings(**names: str) -> Callable[[type[Owner]], type[Owner]]:
    """The same of the settings of a class."""

    def decorate(kind: type[Owner]) -> type[Owner]:
        kind.__init__ = old_keywords(**names)(kind.__init__)  # type: ignore[method-assign]
        return kind

    return decorate


def old_name(old: str, method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """A method under the name that it had."""
    new = method.__name__

    @wraps(method)
    def warned(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        warn_of_old(f"{old}()", f"{new}()")
        answer: R = getattr(self, new)(*args, **kwargs)
        return answer

    warned.__doc__ = f"The old name of `{new}`, which goes after two minor versions."
    return warned


def warn_of_old(old: str, new: str, depth: int = 2) -> None:
    """Warn that a name is an old one, ``depth`` calls up."""
    text = f"{old} is now {new}; the old name goes after two minor versions"
    warnings.warn(text, FutureWarning, stacklevel=depth + 1)
