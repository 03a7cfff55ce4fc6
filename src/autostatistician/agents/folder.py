"""The one folder that an agent sees: tables in it are read, and a folder of our own in it takes all that is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from autostatistician.data.examples import example_names
from autostatistician.errors import InputError

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
        path = (self.root / name).resolve()
        if not path.is_file() and name in example_names():
            return name
        if not path.is_relative_to(self.root.resolve()) or _is_hidden(path.relative_to(self.root.resolve())):
            raise InputError.of("a table in the folder", repr(name), "name a file of it, with its path from there")
        if not path.is_file():
            raise InputError.of(f"a table among {self._names()}", repr(name), "name one of these")
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
        return self.own / "models" / f"{name}.json"

    def models(self) -> list[str]:
        """The names of the models that were fitted here."""
        return sorted(path.stem for path in (self.own / "models").glob("*.json"))

    def check_room(self) -> None:
        """Raise an `InputError` when there is no room for another model."""
        if len(self.models()) >= MOST_MODELS:
            found = f"{MOST_MODELS} models in {OWN}/models"
            raise InputError.of("room for another model", found, "delete some that are not needed")

    @property
    def own(self) -> Path:
        """The folder of our own, the only one in which something is written."""
        path = self.root / OWN
        if path.is_symlink():
            raise InputError.of(f"a folder of our own '{OWN}'", "a link to elsewhere", "remove the link")
        return path

    def tables(self) -> list[str]:
        """The names of the tables in the folder itself."""
        names = (path.name for path in self.root.iterdir() if path.is_file() and not path.name.startswith("."))
        return sorted(name for name in names if TABLES.search(name))

    def _names(self) -> str:
        return ", ".join(self.tables()[:20]) or "none: the folder holds no tables"


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
