"""Deprecated names of rooms, methods, settings and options: for two minor versions they work, and say the new ones."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = ["RenamedRooms", "is_now", "old_keywords", "old_name", "old_settings", "warn_of_old"]

PACKAGE = "autostatistician"
ROOMS = {"language": "kernels", "symmetry": "models.symmetry", "deep": "models.deep"}

P = ParamSpec("P")
R = TypeVar("R")
Owner = TypeVar("Owner")


def is_now(old: str, new: str) -> str:
    """What is said of an old name.

    >>> is_now("steps=", "horizon=")
    'steps= is now horizon=; the old name goes after two minor versions'
    """
    return f"{old} is now {new}; the old name goes after two minor versions"


def warn_of_old(old: str, new: str, depth: int = 2) -> None:
    """Warn that a name is an old one, ``depth`` calls up."""
    warnings.warn(is_now(old, new), FutureWarning, stacklevel=depth + 1)


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


class RenamedRooms(MetaPathFinder, Loader):
    """Finds the renamed rooms, and whatever is in them."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """How to import a name that was one of ours; None for any other."""
        package, _, rest = fullname.partition(".")
        return ModuleSpec(fullname, self) if package == PACKAGE and rest.partition(".")[0] in ROOMS else None

    def exec_module(self, module: ModuleType) -> None:
        """Puts the room of today in the place of the module."""
        room, _, rest = module.__name__.removeprefix(f"{PACKAGE}.").partition(".")
        name = ".".join(filter(None, (PACKAGE, ROOMS[room], rest)))
        warn_of_old(module.__name__, name)
        sys.modules[module.__name__] = import_module(name)
