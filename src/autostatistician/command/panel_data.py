"""From what a command is given to a table of many series, and back to the command for one of them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autostatistician.command.options import FitOptions, reading_of
from autostatistician.errors import InputError
from autostatistician.memory import memory_for_reading

if TYPE_CHECKING:
    from autostatistician.panel.settings import SeriesTable

__all__ = ["report_command", "series_of_file", "series_of_folder"]

OF_READING = ("time", "target", "inputs", "holidays")  # options that say what a series is


def series_of_file(data: str, options: FitOptions, ids: Sequence[str] | None, *, wide: bool = False) -> SeriesTable:
    """The series of a file.

    Raises
    ------
    InputError
        When the file cannot be read, or holds one series alone.
    """
    from autostatistician.data.panels import panel_of, wide_panel_of

    reading = reading_of(options)
    with memory_for_reading():
        table: SeriesTable | None = wide_panel_of(data, **reading) if wide else panel_of(data, ids=ids, **reading)
    if table is None:
        remedy = "name the columns that tell series apart with --id, or add --wide; for one series use 'report'"
        raise InputError.of("a table with several series", "one series, or none", remedy)
    return table


def series_of_folder(folder: Path, options: FitOptions, output: Path, pattern: str | None) -> SeriesTable:
    """The series of a folder, one in each file, without those of the output.

    Raises
    ------
    InputError
        When it holds no tables.
    """
    from autostatistician.data.folders import FolderTable, tables

    given = {name: value for name, value in reading_of(options).items() if value is not None}
    return FolderTable(folder, tables(folder, output, pattern), given)


def report_command(data: str, table: SeriesTable, options: FitOptions, name: str) -> str:
    """The command that makes the page of one series of a file or a folder."""
    from autostatistician.data.folders import FolderTable
    from autostatistician.data.panels import WideTable

    index = next(index for index in range(len(table)) if table.name(index) == name)
    given = {option: options[option] for option in OF_READING if options[option]}  # type: ignore[literal-required]
    where = list(options["where"])
    match table:
        case FolderTable(files=files):
            data = str(files[index])
        case WideTable():
            given |= {"target": name, "inputs": "none"}
        case _:
            where += [f"{column}={key}" for column, key in zip(table.ids, table.keys[index], strict=True)]
    said = [*(("where", pair) for pair in where), *given.items()]
    return " ".join(
        ["autostatistician report", shlex.quote(data), *(f"--{key} {shlex.quote(value)}" for key, value in said)]
    )
