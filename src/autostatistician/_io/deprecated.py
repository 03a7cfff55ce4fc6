"""Rooms by the names that they had: for two minor versions these import the rooms of today, and warn."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["RenamedRooms"]

PACKAGE = "autostatistician"
ROOMS = {"language": "kernels", "symmetry": "models.symmetry", "deep": "models.deep", "faces": "adapters"}


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
        said = f"{module.__name__} is now {name}; the old name goes after two minor versions"
        warnings.warn(said, FutureWarning, stacklevel=2)
        sys.modules[module.__name__] = import_module(name)
