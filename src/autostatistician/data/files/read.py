"""Read a table from a file, standard input or a buffer: CSV in its dialects, Parquet and Excel, zipped or not."""

from __future__ import annotations

import gzip
import io
import re
import sys
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from autostatistician._io.files import is_file
from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.files.encodings import REMEDY, decode
from autostatistician.data.files.foreign import database_of, excel_sheets, opening, parquet_frame, too_large
from autostatistician.data.files.sniff import MOST_ROWS_ASIDE, TextTable, read_text, tidy_rows
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.row_limits import READ_LIMITS, ReadLimits, check_expansion, too_many_columns, too_many_rows
from autostatistician.data.words import words
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note
from autostatistician.i18n.names import listed

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Source",
    "clean_names",
    "frame_of_cells",
    "is_address",
    "opened",
    "plain_text",
    "read_cells",
    "table_of_frame",
]


PROBED_ROWS = 50

_DECIMAL_COMMA = re.compile(r"^[+-]?(?:\d{1,3}(?:[. ]\d{3})+|\d+),(?:\d{1,2}|\d{4,})$")

_TWO_GROUPS = re.compile(r"^[+-]?\d{1,3}(?:\.\d{3}){2,}$")

_DECIMAL_POINT = re.compile(r"^[+-]?\d*\.(?:\d{1,2}|\d{4,})$")

_DOTTED = re.compile(r"^\d{1,2}\.\d{1,2}\.\d{2,4}\b|^[\d.]+ ?(?:€|EUR|zł|Kč|kr)")  # a date, or an amount

_WORD = re.compile(r"[^\W\d_]{3,}")

_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW")

# Names of columns without a letter that English lacks.
_DAY_FIRST = words("keys", "foreign")

Source = str | Path | IO[bytes] | IO[str]

# How files begin that hold no table, what they are, and what to do.
OTHER_KINDS = (
    (rb"\xd0\xcf\x11\xe0", message("an Excel file of the old kind (.xls)"), message("save it as .xlsx or CSV")),
    (rb"%PDF|\x89PNG|\xff\xd8\xff|GIF8|\{\\rtf|BZh|\xfd7zXZ", message("another kind of file"), REMEDY),
    (rb"(?i)\s*(<!doctype|<html|<\?xml)", message("a web page or XML"), REMEDY),
    (rb"(\xef\xbb\xbf)?\s*(\{\s*[\"}]|\[\s*[\[{\"\]])", message("JSON"), message("save it as CSV")),
)
MOST_NESTED = 2  # archives within one another that are unpacked; there are some that hold themselves


def frame_of_cells(table: DataTable) -> pd.DataFrame:
    r"""A pandas frame of a table that was read: columns of numbers are numbers, all else stays as it was written.

    What was done to the table stands in ``frame.attrs["warnings"]`` as a list of sentences.

    >>> frame_of_cells(read_cells(io.StringIO("day;sales\n1;2,5\n2;3,5\n")))["sales"].tolist()
    [2.5, 3.5]
    """
    import pandas as pd

    values, notes = dict[str, Any](), list(table.notes)
    for column in table.columns:
        numbers, is_text = column.numbers, isinstance(column.values, tuple)
        is_number = is_text and not numbers.bad and numbers.share > 0
        values[column.name] = numbers.values if is_number else list(column.values) if is_text else column.values
        notes += numbers.notes if is_number else ()
    frame = pd.DataFrame(values)
    frame.attrs["warnings"] = notes
    return frame


def read_cells(source: Source, limits: ReadLimits = READ_LIMITS) -> DataTable:
    """Read a table and leave its cells as they are written.

    It is a path, an address (https://), "-" for standard input, or an open file: CSV with any delimiter, TSV, Parquet
    or Excel, also packed by gzip or zip.
    """
    raw, name = _content(source, limits)
    table = _parsed(raw, name, limits)
    if not table.size:
        raise InputError.of(note("a table with rows"), note("a table without rows"), note("give a table with data"))
    if table.size > limits.rows:
        raise too_many_rows(note("{n} rows", n=table.size), limits.rows)
    if isinstance(source, str | Path) and is_file(source):
        return replace(table, written=Path(source).stat().st_mtime)
    return table


def _content(source: Source, limits: ReadLimits) -> tuple[bytes, str]:
    """The bytes of a source, and a name for it."""
    if not isinstance(source, str | Path):
        return _from_buffer(source, limits)
    if str(source) == "-":
        if sys.stdin is None:
            raise InputError.of("a table on standard input", "that it is closed", "pipe one in, or give a path")
        return _from_buffer(sys.stdin.buffer, limits)[0], "standard input"
    if source == "":
        raise InputError.of(note("the path of a table"), note("an empty name"), note(REMEDY))
    if is_address(source):
        from autostatistician.data.files.download import download  # what the network needs takes long to import

        raw, name = download(str(source), _most(limits) + 1)
        return _limited(io.BytesIO(raw), limits), plain_text(name) or "data"
    path = Path(source)
    if "\0" not in str(source) and path.is_dir():
        folder = note("the folder {path}", path=repr(str(source)))
        raise InputError.of(note("a file"), folder, note("give the path of one table in it"))
    with opened(path) as file:
        raw = _limited(file, limits)
    return raw, plain_text(path.name.split(".")[0]) or "data"


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """A file to be read, or an `InputError` that says why it cannot be."""
    try:
        with Path(path).open("rb") as file:
            yield file
    except FileNotFoundError:
        nothing = note("nothing at {path}", path=repr(str(path)))
        raise InputError.of(note("an existing file"), nothing, note("check the path")) from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError.of("a readable file", f"{str(path)!r} ({reason})", "check the path and its rights") from None


def is_address(source: object) -> bool:
    """Whether a source is an address, of whatever kind, and no path."""
    return isinstance(source, str) and re.match(r"^[a-z]+://", source) is not None


def _from_buffer(buffer: Any, limits: ReadLimits) -> tuple[bytes, str]:
    try:
        read = buffer.read(_most(limits) + 1)
    except AttributeError:
        raise InputError.of("a path or an open file", f"a {type(buffer).__name__}", REMEDY) from None
    except UnicodeDecodeError:
        raise InputError.of("readable text", "bytes in another encoding", "open the file in binary mode") from None
    except (OSError, ValueError) as error:
        raise InputError.of(
            "an open file that can be read", str(error), "open it for reading, or give a path"
        ) from None
    raw = read.encode("utf-8", "surrogatepass") if isinstance(read, str) else bytes(read)
    return _limited(io.BytesIO(raw), limits), "data"


def _most(limits: ReadLimits) -> int:
    return int(limits.megabytes * 1e6)


def _limited(file: IO[bytes] | gzip.GzipFile, limits: ReadLimits, packed: int | None = None) -> bytes:
    """The bytes of a file, which ``packed`` so many before."""
    raw = file.read(_most(limits) + 1)
    if packed is not None:
        check_expansion(len(raw), packed)
    if len(raw) > _most(limits):
        raise too_large(limits.megabytes)
    return raw


def _parsed(raw: bytes, name: str, limits: ReadLimits, unpacked: int = 0) -> DataTable:
    """Read by what the content is, whatever the file is called."""
    if unpacked > MOST_NESTED:
        raise InputError.of(note("a packed table"), note("archives in archives"), note("unpack it first"))
    if not raw.strip():
        raise InputError.of(note("a table"), note("an empty file"), note(REMEDY))
    if raw.startswith(b"\x1f\x8b"):
        with _unpacking():
            inner = _limited(gzip.GzipFile(fileobj=io.BytesIO(raw)), limits, len(raw))
        return _parsed(inner, name, limits, unpacked + 1)
    if raw.startswith(b"PK\x03\x04"):
        return _from_zip(raw, name, limits, unpacked + 1)
    if raw.startswith(b"PAR1"):
        frame, of_frame = parquet_frame(raw, limits)
        return table_of_frame(frame, name, of_frame)
    if database_of(raw):
        database, option = note("a database"), '--sql "select ..."'
        raise InputError.of(note("a table"), database, note("say which rows by {option}", option=option))
    for start, kind, remedy in OTHER_KINDS:
        if re.match(start, raw[:200]):
            raise InputError.of(note("a table"), note(kind), note(remedy))
    text, notes = decode(raw)
    return _from_text(read_text(text, limits.rows, limits.columns), name, notes, limits)


def _from_text(table: TextTable, name: str, notes: tuple[str, ...], limits: ReadLimits) -> DataTable:
    if len(table.names) > limits.columns:
        raise too_many_columns(len(table.names), limits.columns)
    names, said = clean_names(table.names)
    cells = zip(*table.rows, strict=True) if table.rows else [()] * len(names)
    order, points = habits(table.names, table.rows, semicolons=table.comma)
    columns = tuple(
        DataColumn(title, values, order=order, points=points, comma=table.comma)
        for title, values in zip(names, cells, strict=True)
    )
    return DataTable(columns, name, notes + table.notes + said)


def _unpacking() -> AbstractContextManager[None]:
    return opening(note("a packed table"), message("a damaged or locked archive ({error})"), note("unpack it first"))


def _from_zip(raw: bytes, name: str, limits: ReadLimits, unpacked: int) -> DataTable:
    with _unpacking(), zipfile.ZipFile(io.BytesIO(raw)) as archive:
        members = [m for m in archive.namelist() if not m.endswith("/") and not m.startswith("__MACOSX")]
        is_excel = any(member.startswith("xl/") for member in members)
        if len(members) != 1 and not is_excel:
            several = note("{n} files in it", n=len(members))
            raise InputError.of(note("a zip file with one table"), several, note("unpack it first"))
        inner = b"" if is_excel else _limited(archive.open(members[0]), limits, len(raw))
    return _from_excel(raw, name, limits) if is_excel else _parsed(inner, name, limits, unpacked)


def table_of_frame(frame: pd.DataFrame, name: str, notes: tuple[str, ...] = ()) -> DataTable:
    """The table of a frame that was read, its columns under names that can be shown."""
    import pandas as pd

    from autostatistician.data.frames import columns_of

    names, said = clean_names([str(column) for column in frame.columns])
    frame.columns = pd.Index(names)
    return DataTable(columns_of(frame), name, (*notes, *said))


def _from_excel(raw: bytes, name: str, limits: ReadLimits) -> DataTable:
    """The first sheet that holds a table, and those of the same header, as text, to be tidied up as any other table."""
    sheets = excel_sheets(raw, limits, limits.rows + MOST_ROWS_ASIDE + 1)
    filled = [title for title, rows in sheets.items() if any(any(row) for row in rows)]
    if not filled:
        raise InputError.of(note("a table"), note("an empty Excel file"), note(REMEDY))
    chosen = next((title for title in filled if _has_numbers(sheets[title])), filled[0])
    first = message("Of {n} sheets the first, {sheet}, was read.")
    numbered = message("Of {n} sheets the first with a column of numbers, {sheet}, was read.")
    said = note(first if chosen == filled[0] else numbered, n=len(sheets), sheet=repr(chosen))
    if len(sheets[chosen]) > limits.rows + MOST_ROWS_ASIDE:
        raise too_many_rows(note("more of them in the sheet {sheet}", sheet=repr(chosen)), limits.rows)
    table, alike = _of_one_header(sheets, chosen)
    if len(alike) > 1:
        below = message("Of {n} sheets those with the same columns were read, their rows below each other: {sheets}.")
        said = note(below, n=len(sheets), sheets=listed(alike))
    return _from_text(table, name, (said,) if len(filled) > 1 else (), limits)


def _of_one_header(sheets: dict[str, list[list[str]]], chosen: str) -> tuple[TextTable, list[str]]:
    """The table of a chosen sheet and, below it, those of the sheets with its header above numbers, and their titles.

    Where sheets share cells of the first column, as those of shops or of the months of years do, titles are a column.
    """
    first = tidy_rows(sheets[chosen])
    able = [title for title, rows in sheets.items() if list(first.names) in rows and _has_numbers(rows)]
    tables = {title: table for title in able if (table := tidy_rows(sheets[title])).names == first.names}
    if chosen not in tables:
        return first, [chosen]
    rows = tuple((title, *row) for title, table in tables.items() for row in table.rows)
    notes = tuple(dict.fromkeys(said for table in tables.values() for said in table.notes))
    if len({row[1] for row in rows}) < sum(len({row[0] for row in table.rows}) for table in tables.values()):
        names = ("year" if all(map(str.isdigit, tables)) else "sheet", *first.names)
        return replace(first, names=names, rows=rows, notes=notes), [*tables]
    return replace(first, rows=tuple(row[1:] for row in rows), notes=notes), [*tables]


def _has_numbers(rows: list[list[str]]) -> bool:
    """Whether any column has three numbers or more: pages of notes have none."""
    return any(np.isfinite(parse_numbers(cells).values).sum() >= 3 for cells in zip(*rows, strict=True))


def plain_text(text: str) -> str:
    r"""One line without characters that control a terminal or turn the text around them round.

    >>> plain_text("sales\u202evsc\x00 2020\n")
    'sales vsc 2020'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def clean_names(names: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Column names fit to be shown: no control characters, not too long, not empty, none twice.

    >>> clean_names(["y", "y", ""])
    (['y', 'y_2', 'column3'], ("Columns with the same name 'y' were numbered.",))
    """
    taken: dict[str, int] = {}  # in their order, with the number that a further one of this name gets at least
    notes: list[str] = []
    for k, name in enumerate(names):
        plain = plain_text(name)
        plain = plain if len(plain) <= 80 else plain[:77] + "..."
        # a first column without a name is an index that was written along
        plain = plain or (f"column{k + 1}" if k else "index")
        unique = plain
        while unique in taken:
            taken[plain] += 1
            unique = f"{plain}_{taken[plain]}"
        if unique != plain:
            notes.append(note("Columns with the same name {name} were numbered.", name=repr(plain)))
        taken[unique] = 1
    return list(taken), tuple(dict.fromkeys(notes))


# --- What a table shows of the country it comes from ----------------------------------------------------------------


def habits(names: Sequence[str], rows: Sequence[Sequence[str]], *, semicolons: bool = False) -> tuple[str, bool]:
    """The order of day and month that is usual where a table was written ("": nothing shows it), and whether points in
    its numbers separate thousands.

    The month stands first in the United States alone, where commas are no decimal commas and words have no accents.
    Where semicolons stand between cells, so that commas are free for decimals, and words, dates or amounts are foreign,
    points are no decimal points unless one of them cannot be anything else.

    >>> habits(["Monat", "Umsatz"], [["01/02/2020", "1.200,5"]]), habits(["day", "sales"], [["01/02/2020", "1200.5"]])
    (('dmy', True), ('', False))
    """
    cells = [cell.strip() for row in rows[:PROBED_ROWS] for cell in row[:PROBED_ROWS]]
    point = any(map(_DECIMAL_POINT.match, cells))
    comma = any(map(_DECIMAL_COMMA.match, cells)) and not point
    foreign = any(map(_is_foreign, names[:PROBED_ROWS]))
    dotted = semicolons and not point and (foreign or any(map(_DOTTED.match, cells)))
    return "dmy" if comma or foreign else "", comma or dotted or (not point and any(map(_TWO_GROUPS.match, cells)))


def _is_foreign(name: str) -> bool:
    """Whether a name has a word that English has not."""
    words = _WORD.findall(name)
    letters = (c for word in words for c in word if not c.isascii())
    return any(word.lower() in _DAY_FIRST for word in words) or any(
        unicodedata.name(c, "").startswith(_ALPHABETS) for c in letters
    )
