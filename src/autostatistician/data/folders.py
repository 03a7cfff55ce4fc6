"""Folders of tables: which of their files are some, and the series of a folder that has one in each file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.errors import InputError

__all__ = ["FolderTable", "tables"]

TABLE_SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".xlsx")  # also packed
PACKED_SUFFIXES = (".gz", ".zip")


@dataclass(frozen=True, eq=False)
class FolderTable:
    """Series in files, one in each; a file is read when its series is asked for.

    >>> FolderTable(Path("in"), [Path("in/a.csv"), Path("in/b.csv"), Path("in/b.tsv")]).keys
    (('a',), ('b.csv',), ('b.tsv',))
    """

    folder: Path
    files: Sequence[Path]
    options: dict[str, Any] = field(default_factory=dict)  # of `load`
    ids: tuple[str, ...] = ("file",)

    def __len__(self) -> int:
        return len(self.files)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Paths below the folder, without their endings where these tell no two apart."""
        whole = [path.relative_to(self.folder) for path in self.files]
        short = [(path.parent / path.name.split(".")[0]).as_posix() for path in whole]
        usual = Counter(short)
        return tuple(name if usual[name] == 1 else path.as_posix() for name, path in zip(short, whole, strict=True))

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The names of the series."""
        return tuple((name,) for name in self._names)

    def name(self, index: int) -> str:
        """The name of the file."""
        return self._names[index]

    def dataset(self, index: int) -> Dataset:
        """The data of a series; an `InputError` when its file cannot be read, or they cannot be modelled."""
        return load(self.files[index], **self.options)


def tables(folder: Path, output: Path | None = None, pattern: str | None = None) -> list[Path]:
    """The tables of a folder in order: files that fit a pattern (by default those with a known ending).

    Raises
    ------
    InputError
        When there is no such folder, no table in it, or the outputs would come among the tables.
    """
    if not folder.is_dir():
        raise InputError.of("a folder of tables", f"no folder '{folder}'", "give the path of a folder")
    if output is not None and output.resolve() == folder.resolve():
        raise InputError.of(
            "another folder for the output", f"that of the tables, '{folder}'", "choose another --output"
        )
    try:
        paths = sorted(path for path in folder.glob(pattern or "*") if path.is_file())
    except (ValueError, NotImplementedError, IndexError) as error:
        raise InputError.of("a pattern below the folder, as '*.csv'", repr(pattern), "change --pattern") from error
    paths = [path for path in paths if not path.name.startswith(".")]
    if output is not None:
        ours = output.resolve()
        paths = [path for path in paths if not path.resolve().is_relative_to(ours)]
    if pattern is None:
        paths = [path for path in paths if _may_hold_a_table(path)]
    if not paths:
        raise InputError.of(
            f"tables in '{folder}'", f"no file {pattern or 'with an ending of tables'}", "see --pattern"
        )
    return paths


def _may_hold_a_table(path: Path) -> bool:
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in PACKED_SUFFIXES]
    return bool(suffixes) and suffixes[-1] in TABLE_SUFFIXES
