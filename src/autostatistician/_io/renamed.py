"""Public rooms under the names that they had in version 0.1: importing one warns, and gives the room of today."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from warnings import warn

__all__ = ["RenamedRooms"]

PACKAGE = "autostatistician"
ROOMS = {"language": "kernels", "symmetry": "models.symmetry", "deep": "models.deep"}


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
        warn(f"{module.__name__} is now {name}: import it from there.", FutureWarning, stacklevel=2)
        sys.modules[module.__name__] = import_module(name)
