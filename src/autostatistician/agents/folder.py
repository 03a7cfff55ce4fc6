"""The one folder that an agent sees: tables in it are read, and a folder of our own in it takes all that is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from autostatistician.data.examples import example_names
from autostatistician.errors import InputError
from autostatistician.files import is_file

__all__ = ["OWN", "AgentFolder"]

OWN = "autostatistician"  # the folder of our own
TABLES = re.compile(r"\.(csv|tsv|txt|parquet|xlsx)(\.gz|\.zip)?$", re.IGNORECASE)
MODEL = re.compile(r"[\w-][\w.-]{0,120}")
MOST_MODELS = 100


@dataclass(frozen=True)
class AgentFolder:
    """The folder ``root``, whose tables may have so many ``megabytes``."""

    root: Path
    megabytes: int

    def table(self, name: str) -> Path | str:
        """The path of a table by its name in the folder; of no file, a bundled example of this name.

        Raises
        ------
        InputError
            When it lies elsewhere, is no table by its ending, or too large.
        """
        if not is_file(self.root / name) and name in example_names():
            return name
        path, shown = self._inside(name), repr(name[:60])
        if path is None:
            raise InputError.of("a table in the folder", shown, "name a file of it, with its path from there")
        if not is_file(path):
            raise InputError.of(f"a table among {self._names()}", shown, "name one of these")
        if not TABLES.search(path.name):
            raise InputError.of("a .csv, .tsv, .txt, .parquet or .xlsx file", repr(name), "name a table")
        size = path.stat().st_size / 1e6
        if size > self.megabytes:
            raise InputError.of(
                f"a table of at most {self.megabytes} MB", f"{size:.0f} MB", "give fewer rows or columns"
            )
        return path

    def model(self, name: str) -> Path:
        """The path of a model that was fitted here.

        Raises
        ------
        InputError
            When there is none of this name.
        """
        path = self.place_of(name)
        if not path.is_file():
            there = ", ".join(self.models()) or "none yet"
            raise InputError.of(f"a model among: {there}", repr(name), "name one of these, or fit a table")
        return path

    def place_of(self, name: str) -> Path:
        """Where a model of a name is, or will be."""
        if not MODEL.fullmatch(name):
            raise InputError.of("the name of a model", repr(name[:40]), "take the one that 'fit' gave")
        return self.place("models", f"{name}.json")

    def place(self, *parts: str) -> Path:
        """A place in the folder of our own.

        Raises
        ------
        InputError
            When something on the way is a link.
        """
        path = self.root / OWN
        for part in ("", *parts):
            path /= part
            if path.is_symlink():
                where = path.relative_to(self.root).as_posix()
                raise InputError.of(
                    f"a folder of our own '{OWN}'", f"a link to elsewhere, '{where}'", "remove the link"
                )
        return path

    def models(self) -> list[str]:
        """The names of the models that were fitted here."""
        return sorted(path.stem for path in self.place("models").glob("*.json") if not path.is_symlink())

    def check_room(self) -> None:
        """Raise an `InputError` when there is no room for another model."""
        if len(self.models()) >= MOST_MODELS:
            found = f"{MOST_MODELS} models in {OWN}/models"
            raise InputError.of("room for another model", found, "delete some that are not needed")

    def tables(self) -> list[str]:
        """The names of the tables in the folder itself."""
        inside = ((path.name, self._inside(path.name)) for path in self.root.iterdir())
        return sorted(name for name, path in inside if path is not None and path.is_file() and TABLES.search(path.name))

    def _inside(self, name: str) -> Path | None:
        """The file behind a name; None where it lies outside of the folder, is hidden, or can be no file."""
        root = self.root.resolve()
        try:
            path = (root / name).resolve()
        except (OSError, ValueError):
            return None
        return path if path.is_relative_to(root) and not _is_hidden(path.relative_to(root)) else None

    def _names(self) -> str:
        return ", ".join(self.tables()[:20]) or "none: the folder holds no tables"


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
