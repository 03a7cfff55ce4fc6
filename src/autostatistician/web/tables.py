"""A table before the search: what is in it, which columns it seems to be about, and the answers of the form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician._io.files import is_file, write_whole
from autostatistician.errors import InputError, TooLargeError
from autostatistician.i18n.messages import (
    LANGUAGE_NAMES,
    Number,
    message,
    message_from_json,
    message_to_json,
    note,
    noted,
)
from autostatistician.i18n.names import clean
from autostatistician.i18n.numbers import as_written

if TYPE_CHECKING:
    from autostatistician.data.columns import DataTable

__all__ = [
    "LANGUAGE_WORDS", "TASK_WORDS", "Bounds", "check_no_file", "chosen", "file_name", "preview", "previewed", "seen_of",
    "shown_name",
]  # fmt: skip

# In the order of the form, with what they are for.
LANGUAGE_WORDS = {
    "extended": message("everything, also wandering levels and logarithms (usual)"),
    "interpretable": message("sums of simple parts, as in the first automatic statistician"),
    "full": message("products and windows at will: accurate, harder to read"),
    "linear": message("straight lines and their products alone"),
}
TASK_WORDS = {
    "auto": message("a class where it is text or has two values (usual)"),
    "class": message("one of some classes: of two the chance of the second, of more that of each"),
    "number": message("a number, also where it is 0 or 1"),
}
PREVIEW_ROWS = 8  # rows of a preview
PREVIEW_COLUMNS = 12  # columns of a preview
CELL_LETTERS = 60  # letters of a cell
LONGEST_CHANGE = 1000  # letters of what is asked of columns
OFFERED_VALUES = 500  # values of a key to choose from
SEVERAL_SERIES = message("The table holds several series under each other: choose one of them.")


@dataclass(frozen=True)
class Bounds:
    """How much one visitor may ask for."""

    megabytes: int = 10
    rows: int = 3000
    columns: int = 200
    seconds: int = 600  # of one search
    waiting: int = 30  # runs in the queue
    waiting_of_visitor: int = 10
    waiting_of_address: int = 20
    kept: int = 1000  # tables on the disk, of all visitors together
    kept_of_visitor: int = 100
    kept_of_address: int = 300
    expiry: float = 86400.0  # seconds after which a table with which nothing was begun is forgotten
    depth: int = 10
    steps: int = 1000


def shown_name(name: str) -> str:
    r"""The name of an uploaded file as pages and reports show it: no folders, no control or reversing characters.

    >>> shown_name("C:\\My\x00 sales\u202evsc.csv"), shown_name("\x00")
    ('My sales vsc.csv', 'table')
    """
    return " ".join(clean(name.replace("\\", "/").rsplit("/", 1)[-1]).split())[:120] or "table"


def file_name(name: str) -> str:
    """A name for an uploaded file of which only the known ending is the visitor's.

    >>> file_name("../../etc/My sales.CSV"), file_name("x.exe"), file_name("a.csv.gz")
    ('table.csv', 'table.csv', 'table.csv.gz')
    """
    ending = re.search(r"\.(csv|tsv|txt|parquet|xlsx)(\.gz|\.zip)?$", name.lower())
    return f"table{ending[0]}" if ending else "table.csv"


def previewed(place: Path, file: str, name: str, bounds: Bounds) -> dict[str, Any]:
    """Look at a table as `seen_of`, and keep what was seen beside it."""
    preview = seen_of(place / file, name, bounds)
    stored = {**preview, "notes": list(map(message_to_json, preview["notes"]))}
    write_whole(place / "preview.json", json.dumps(stored).encode())
    return preview


def seen_of(path: Path, name: str, bounds: Bounds) -> dict[str, Any]:
    """What is seen of a table before anything is fitted: its size, columns and first rows, and what is guessed of it.

    Raises
    ------
    InputError
        When there is no table in the file, or it is larger than the bounds allow.
    """
    import pandas as pd

    from autostatistician.data.files.read import frame_of_cells, read_cells
    from autostatistician.data.row_limits import ReadLimits

    try:
        table = read_cells(path, ReadLimits(10.0 * bounds.megabytes, bounds.rows, bounds.columns))
    except TooLargeError:  # whose remedy is an option of the command line
        most = note("at most {n} rows and {size} MB", n=bounds.rows, size=Number(10.0 * bounds.megabytes))
        raise InputError.of(most, note("more"), note("give means over longer steps, or a part of the rows")) from None
    frame = frame_of_cells(table)
    if len(frame.columns) > bounds.columns:
        most, width = (note("{n} columns", n=n) for n in (bounds.columns, len(frame.columns)))
        raise InputError.of(note("at most {size}", size=most), width, note("leave out those that are not needed"))
    numeric = [str(column) for column in frame.columns if pd.api.types.is_numeric_dtype(frame[column])]
    head = frame.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS]
    return {
        "rows": len(frame),
        "columns": [str(column) for column in frame.columns],
        "numeric": numeric,
        "head": [[_cell(value) for value in row] for row in head.itertuples(index=False)],
        **_guessed(table, name),
    }


def preview(place: Path) -> dict[str, Any]:
    """What was seen of a table when it came; its notes can be said again."""
    stored = json.loads((place / "preview.json").read_text(encoding="utf-8"))
    notes = list(map(message_from_json, stored["notes"]))
    return {**stored, "notes": notes}


def check_no_file(change: str) -> None:
    """Raise an `InputError` where what is asked of columns would be read from a file of ours.

    >>> check_no_file("promo=0,price=+10%")
    """
    if "=" not in change or len(change) > LONGEST_CHANGE or is_file(change):
        raise InputError.of("changes of columns, such as promo=0", repr(change[:40]), "correct them")


def _cell(value: object) -> str:
    text = as_written(value) if isinstance(value, float) else clean(value)
    return text if len(text) <= CELL_LETTERS else f"{text[: CELL_LETTERS - 1]}\N{HORIZONTAL ELLIPSIS}"


def _guessed(table: DataTable, name: str) -> dict[str, Any]:
    """Time, target and notes as they are guessed; of several series under each other, those of the first."""
    from autostatistician.data.load import load
    from autostatistician.data.roles.keys import LongTableError

    offered: dict[str, list[str]] = {}
    try:
        try:
            dataset = load(table, name=name, task="auto")
        except LongTableError as error:
            offered = {key: list(values[:OFFERED_VALUES]) for key, values in error.choices.items()}
            first = {key: values[0] for key, values in offered.items()}
            dataset = load(table, name=name, task="auto", where=first)
    except InputError as error:
        return {"time": None, "target": None, "where": {}, "notes": [noted(error)]}
    notes = [said for said in dataset.warnings if not (offered and said.startswith("Only the "))]
    time = dataset.axis.column if dataset.axis is not None else None
    return {
        "time": time,
        "target": dataset.target,
        "where": offered,
        "notes": [note(SEVERAL_SERIES), *notes] if offered else notes,
    }


def chosen(form: Mapping[str, object], preview: Mapping[str, Any], bounds: Bounds) -> dict[str, Any]:
    """The settings of a search from the answers of the form.

    Raises
    ------
    InputError
        When an answer is not among those that the form offers.
    """
    columns, offered = preview["columns"], preview.get("where", {})
    time, target = (_column(form, role, columns) for role in ("time", "target"))
    if time is not None and time == target:
        both = note("{column} for both", column=repr(time))
        raise InputError.of(note("a time column other than the target"), both, note("choose another column"))
    return {
        "time": time,
        "target": target,
        "where": {key: values[_place(form, f"where{k}", values)] for k, (key, values) in enumerate(offered.items())},
        "task": _word(form, "task", TASK_WORDS),
        "language": _word(form, "language", LANGUAGE_WORDS),
        "depth": _whole(form, "depth", 1, bounds.depth, bounds.depth),
        "budget": _whole(form, "budget", 5, bounds.seconds, min(120, bounds.seconds)),
        "steps": _whole(form, "steps", 1, bounds.steps, None),
        "lang": _word(form, "lang", LANGUAGE_NAMES),
    }


def _column(form: Mapping[str, object], role: str, columns: list[str]) -> str | None:
    """The chosen column by its place in the table; names would have to survive a browser."""
    text = str(form.get(role) or "")
    if not text:
        return None
    if not (text.isdecimal() and len(text) < 6 and int(text) < len(columns)):
        raise InputError.of(f"a column of the table for the {role}", repr(text[:40]), "choose one from the list")
    return columns[int(text)]


def _word(form: Mapping[str, object], name: str, words: Mapping[str, str]) -> str:
    """The chosen one of some words, of which the first is usual."""
    word = str(form.get(name) or next(iter(words)))
    if word not in words:
        raise InputError.of(f"a {name} among {', '.join(words)}", repr(word[:40]), "choose one of them")
    return word


def _place(form: Mapping[str, object], name: str, values: list[str]) -> int:
    """The place of the chosen value of a key; the first is chosen already."""
    place = _whole(form, name, 0, len(values) - 1, 0)
    return 0 if place is None else place


def _whole(form: Mapping[str, object], name: str, low: int, high: int, usual: int | None) -> int | None:
    text = str(form.get(name) or "").strip()
    if not text:
        return usual
    if not (text.isdecimal() and len(text) < 8 and low <= int(text) <= high):
        expected = note("a whole number from {low} to {high} for {name}", low=low, high=high, name=repr(name))
        raise InputError.of(expected, repr(text[:40]), note("correct it"))
    return int(text)
