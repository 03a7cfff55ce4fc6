"""Tables of other programs, Parquet and Excel: their sizes are looked at before their cells.

Both kinds of file can hold far more than they seem to: packed, or as references to one text again and again.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from autostatistician.data.files.sniff import filled_cells
from autostatistician.data.row_limits import MEANS, ReadLimits, check_expansion, too_many_columns, too_many_rows
from autostatistician.errors import InputError, TooLargeError, check_installed
from autostatistician.i18n.messages import Number, message, note, note_some
from autostatistician.i18n.names import listed

if TYPE_CHECKING:
    import pandas as pd
    from pyarrow.parquet import ParquetFile

__all__ = ["database_of", "excel_sheets", "opening", "parquet_frame", "too_large"]

CELL_BYTES = 8  # bytes of a number, or of the place of a text
MOST_EXCEL_ROWS = 2**20  # of a sheet, as Excel has it: files may say any number


def too_large(most: float) -> TooLargeError:
    """The error for a table that is larger than what is read, where it is unpacked.

    >>> str(too_large(200.0))
    'expected at most 200 MB; found more than 200 MB; take means over longer steps (--every day --by mean), or a part \
    of the rows'
    """
    expected, found = (note("at most {size} MB", size=Number(most)), note("more than {size} MB", size=Number(most)))
    return TooLargeError.of(
        expected, found, note("take means over longer steps ({option}), or a part of the rows", option=MEANS)
    )


def database_of(start: bytes) -> str:
    r"""Of which kind a database is, by how its file begins; "" of what is none.

    >>> database_of(b"SQLite format 3\0"), database_of(b"day,sales")
    ('SQLite', '')
    """
    return "SQLite" if start.startswith(b"SQLite format 3\0") else "DuckDB" if start[8:12] == b"DUCK" else ""


def _check_size(size: float, limits: ReadLimits) -> None:
    if size > limits.megabytes * 1e6:
        raise too_large(limits.megabytes)


@contextmanager
def opening(expected: str, damaged: str, remedy: str) -> Iterator[None]:
    """Reading by the code of others: all its failures mean that a file is ``damaged``, as a text with the error says.

    >>> with opening("a packed table", "a damaged archive ({error})", "unpack it first"):
    ...     raise EOFError("it ends too soon")
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected a packed table; found a damaged archive (it ends too soon); ...
    """
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:
        raise InputError.of(expected, note(damaged, error=str(error) or type(error).__name__), remedy) from None


def _foreign(kind: str, package: str) -> AbstractContextManager[None]:
    """The same of a foreign format that a package reads."""
    check_installed(package, f"{kind} files")
    damaged = message("a damaged file ({error})")
    return opening(note("a table ({kind})", kind=kind), damaged, note("save it again, or as CSV"))


# --- Parquet ----------------------------------------------------------------------------------------------------


def parquet_frame(raw: bytes, limits: ReadLimits) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The columns of a Parquet file that hold numbers, text or times, and a sentence on the others."""
    with _foreign("Parquet", "pyarrow"):
        import pandas as pd
        from pyarrow.parquet import ParquetFile

        file = ParquetFile(io.BytesIO(raw))
        if file.metadata.num_rows > limits.rows:
            raise too_many_rows(note("{n} rows", n=file.metadata.num_rows), limits.rows)
        if file.metadata.num_columns > limits.columns:
            raise too_many_columns(file.metadata.num_columns, limits.columns)
        fields = list(file.schema_arrow)
        other = list(dict.fromkeys(field.name for field in fields if not _is_usable(field.type)))
        usable = [field for field in fields if field.name not in other]
        if not usable:
            others = note("others alone, such as {column}", column=repr(other[0])) if other else note("none")
            raise InputError.of(note("columns of numbers, text or times"), others, note("write plain columns"))
        _check_parquet(file, raw, usable, limits)
        frame = pd.read_parquet(io.BytesIO(raw), columns=[field.name for field in usable] if other else None)
    return frame, note_some(
        len(other), "Column {columns} holds neither numbers nor text nor times and was left out.",
        "Columns {columns} hold neither numbers nor text nor times and were left out.", columns=listed(other),
    )  # fmt: skip


def _is_usable(kind: Any) -> bool:
    """Whether a type of Arrow has cells that are numbers, text or times, plain or as categories."""
    from pyarrow import BaseExtensionType, types

    if isinstance(kind, BaseExtensionType):
        return _is_usable(kind.storage_type)
    if types.is_dictionary(kind):
        return _is_usable(kind.value_type)
    return types.is_null(kind) or _is_text(kind) or (types.is_primitive(kind) or types.is_decimal(kind))


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _check_parquet(file: ParquetFile, raw: bytes, usable: list[Any], limits: ReadLimits) -> None:
    """Refuse what would be too large in memory: a column of few texts keeps each of them once in the file."""
    from pyarrow import compute, types
    from pyarrow.parquet import read_table

    metadata, names = file.metadata, {field.name for field in usable}
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    packed = sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema.split(".")[0] in names)
    cells = CELL_BYTES * metadata.num_rows * len(usable)
    _check_size(max(packed, cells), limits)
    texts = [field.name for field in usable if _is_text(getattr(field.type, "value_type", field.type))]
    if not texts:
        return
    table = read_table(io.BytesIO(raw), columns=texts, read_dictionary=texts)
    for column in table.columns:
        for chunk in column.chunks:
            plain = chunk.dictionary if types.is_dictionary(chunk.type) else chunk
            sizes = compute.binary_length(plain)
            used = sizes.take(chunk.indices) if types.is_dictionary(chunk.type) else sizes
            cells += compute.sum(used).as_py() or 0
        _check_size(cells, limits)


# --- Excel ------------------------------------------------------------------------------------------------------


def excel_sheets(raw: bytes, limits: ReadLimits, most: int) -> dict[str, list[list[str]]]:
    """The cells of the first rows (``most``) of all sheets as text; the rows of a sheet are equally long."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
        check_expansion(unpacked, len(raw))
        _check_size(unpacked, limits)
    sheets, size = {}, 0
    with _foreign("Excel", "openpyxl"), warnings.catch_warnings():
        import openpyxl

        # openpyxl warns of styles and check marks that it leaves out; they are no part of the table.
        warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # what a file says of its size is often wrong
            rows, width = [], 0
            for row in islice(_rows(sheet), most):
                rows.append(row)
                width, size = max(width, len(row)), size + sum(map(len, row))
                if width > limits.columns:
                    raise too_many_columns(width, limits.columns)
                _check_size(size + CELL_BYTES * len(rows) * width, limits)
            size += CELL_BYTES * len(rows) * width
            sheets[str(sheet.title)] = [row + [""] * (width - len(row)) for row in rows]
        book.close()
    return sheets


def _rows(sheet: Any) -> Iterator[list[str]]:
    """The texts of rows up to the last cell that is not empty; of empty rows below each other, maybe a million, one."""
    texts = ([_text(cell) for cell in cells] for cells in sheet.iter_rows(max_row=MOST_EXCEL_ROWS, values_only=True))
    for is_filled, rows in groupby(texts, any):
        yield from (row[: filled_cells(row)] for row in rows) if is_filled else [[]]


def _text(cell: Any) -> str:
    """A cell as it would be written; errors of a formula are no values.

    >>> _text(3.0), _text(None), _text("#DIV/0!"), _text(2.5)
    ('3', '', '', '2.5')
    """
    from openpyxl.cell.cell import ERROR_CODES

    if cell is None or (isinstance(cell, str) and cell in ERROR_CODES):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
