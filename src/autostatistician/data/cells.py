"""Columns of a table as they come, and what their cells mean as numbers or as times."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.dates import MISSING, ParsedTimes, parse_times
from autostatistician.data.times.names import TIME_WORDS
from autostatistician.wording.lists import counted

__all__ = ["Column", "Numbers", "as_numbers", "as_times", "is_missing", "is_null"]

Floats = NDArray[np.float64]
Times = NDArray[np.datetime64]

# Babel reads a number in one known locale, and then takes "1.5" for 15; here the column shows what its signs mean.
SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
_SIGNS = "[$£¥฿₩₪₫₱₴₹₺₽€]|(?:USD|EUR|GBP|CHF|JPY|zł|Kč|kr|руб|лв|元|円|원|Ft|TL|lei)\\.?"
_CURRENCY = re.compile(rf"^(?:US\$|R\$|{_SIGNS})\s*|\s*(?:{_SIGNS})$")
_PLAIN = re.compile(r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$")
_COMMA = re.compile(r"^[+-]?\d{1,3}(?:[.' ]\d{3})+,\d+$|^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$|^[+-]?\d{1,3}(?:\.\d{3}){2,}$")
_THOUSANDS = re.compile(r"^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$|^[+-]?\d{1,3}(?:[' ]\d{3})+(?:\.\d*)?$")
_INDIAN = re.compile(r"^[+-]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d*)?$")  # 12,34,567: groups of two below the last
_GROUPED_POINT = re.compile(r"^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$")
_GROUPED_COMMA = re.compile(r"^[+-]?\d{1,3}(?:,\d{3})+$")
_INFINITE = re.compile(r"^[+-]?inf(?:inity)?$", re.IGNORECASE)
_TIME_ENDINGS = (
    *("time", "timestamp", "unix", "epoch", "_at", "ds", "date", "day", "ts"),
    *sorted(TIME_WORDS),
)
_TICKS = 8  # so many numbers that rise by whole minutes are times, whatever the name of their column
_UNIX_UNITS = (("seconds", 1e6), ("milliseconds", 1e3), ("microseconds", 1.0), ("nanoseconds", 1e-3))
_SERIAL_ORIGIN = 25_569  # days from 30 December 1899 to 1970
_SERIAL_DAYS = (20_000, 60_000)  # 1954 to 2064: outside, numbers are too likely to be something else
_TRUTH = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}


@dataclass(frozen=True, eq=False)
class Column:
    """One column: times (datetime64), numbers (float64, NaN missing) or text (a tuple of cells, None missing)."""

    name: str
    values: Times | Floats | tuple[str | None, ...]
    notes: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()  # of a column that says itself that it holds categories
    order: str = ""  # of day and month where the language of the file has one: "dmy", "mdy"
    points: bool = False  # other columns of the file show that points separate thousands

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.values)

    def text(self, row: int) -> str:
        """A cell as text, for messages: at most 40 characters."""
        cell = self.values[row]
        text = "" if cell is None else str(cell)
        return text if len(text) <= 40 else text[:37] + "..."


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers of all cells: NaN where missing or not readable, with the rows of the latter."""

    values: Floats
    bad: tuple[int, ...]
    missing: int
    notes: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Part of the cells with something in them that are numbers."""
        filled = self.values.size - self.missing
        return 0.0 if filled == 0 else 1 - len(self.bad) / filled


def is_missing(text: str | None) -> bool:
    """Whether a cell is empty or a usual placeholder for a missing value.

    >>> is_missing("n/a"), is_missing("0")
    (True, False)
    """
    return text is None or text.strip(SPACES + " \t").lower() in MISSING


def is_null(cell: Any) -> bool:
    """Whether a cell of a frame is one of the missing values of Python, NumPy or pandas."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return bool(isinstance(cell, float | np.floating) and np.isnan(cell))


def as_times(column: Column, share: float = 0.95) -> ParsedTimes | None:
    """The dates of a column, or None where it holds something else."""
    values = column.values
    if isinstance(values, tuple):
        return _read_times(values, share, column.order) or _counted_times(column)
    if values.dtype.kind == "M":
        return ParsedTimes(values.astype("M8[us]"), (), int(np.isnat(values).sum()), column.notes)
    plain = np.asarray(values, dtype=np.float64)
    return _counted_times(column) or _compact_dates(plain) or _dotted_months(plain)


@lru_cache(maxsize=1)
def _read_times(cells: tuple[str | None, ...], share: float, order: str) -> ParsedTimes | None:
    """A column is asked for its dates several times in a row, to find its role and to read it."""
    found = parse_times(cells, share, order)
    if found is not None:
        found.times.flags.writeable = False  # it is handed out again
    return found


def _counted_times(column: Column) -> ParsedTimes | None:
    """Times that are counted from a fixed moment, where the name of the column speaks of times, or they tick.

    Seconds, or a fraction of them, since 1970; days as spreadsheets count them.
    """
    name = column.name.strip().lower()
    named = name.endswith(_TIME_ENDINGS)
    values = as_numbers(column).values if named or _is_long(column) else np.zeros(0)
    finite = values[np.isfinite(values)]
    if finite.size < 3:
        return None
    for unit, factor in _UNIX_UNITS:
        if finite.min() >= 1e14 / factor and finite.max() < 4.2e15 / factor and (named or _ticks(finite * factor)):
            return _since(values, factor, 0, f"Column {column.name!r} was read as {unit} since 1970 (UTC).")
    low, high = _SERIAL_DAYS
    if named and name.endswith(("date", "ds", "day", "datetime")) and finite.min() >= low and finite.max() < high:
        note = f"Column {column.name!r} was read as days since the end of 1899, as spreadsheets count them."
        return _since(values, 86_400e6, -_SERIAL_ORIGIN, note)
    return None


def _is_long(column: Column) -> bool:
    """Whether the first cell is a whole number of the nine or more digits that times since 1970 have."""
    first = column.text(0).strip() if column.size else ""
    return bool(re.fullmatch(r"\d{9,19}(?:\.0*)?", first) or re.fullmatch(r"\d\.\d+e\+1\d", first))


def _ticks(micros: Floats) -> bool:
    """Whether times rise from row to row by whole minutes, a year at most, from 2001 on: no other counts do."""
    steps = np.diff(micros)
    whole = bool(np.all(steps % 60e6 == 0)) and bool(np.all(micros % 1e6 == 0))
    return (
        micros.size >= _TICKS and whole and micros.min() >= 1e15 and steps.min() > 0 and steps.max() <= 366 * 86_400e6
    )


def _dotted_months(values: Floats) -> ParsedTimes | None:
    """Numbers that are months written as 1.2018, whose last zeros were lost."""
    finite = values[np.isfinite(values)]
    if finite.size < 3 or finite.min() < 1 or finite.max() >= 13 or np.any(np.abs(finite - np.round(finite, 4)) > 1e-9):
        return None
    texts = (f"{value:.4f}".rstrip("0") if np.isfinite(value) else None for value in values)
    return parse_times(tuple(texts), share=1.0)


def _since(values: Floats, factor: float, origin: int, note: str) -> ParsedTimes:
    """Times of numbers that count units of ``factor`` microseconds from ``origin``, in days since 1970."""
    times = np.full(values.size, np.datetime64("NaT"), dtype="M8[us]")
    known = np.isfinite(values)
    micros = np.round(values[known] * factor)
    # A day as a decimal number holds microseconds; people mean milliseconds at best.
    micros = np.round(micros / 1000) * 1000 if origin else micros
    times[known] = (micros.astype(np.int64) + origin * 86_400_000_000).astype("M8[us]")
    return ParsedTimes(times, (), int((~known).sum()), (note,))


def _compact_dates(values: Floats) -> ParsedTimes | None:
    """Whole numbers that are dates written without separators: 19490131 or 194901."""
    finite = values[np.isfinite(values)]
    if finite.size < 3 or np.any(finite != np.round(finite)):
        return None
    low, high = finite.min(), finite.max()
    is_day, is_month = low >= 10_000_101 and high <= 29_991_231, low >= 150_001 and high <= 219_912
    if not (is_day or is_month) or np.unique(finite).size < 3:
        return None
    texts = tuple(f"{value:.0f}" if np.isfinite(value) else None for value in values)
    return parse_times(texts, share=1.0)


def as_numbers(column: Column, *, comma: bool = False) -> Numbers:
    """The numbers of a column, with currency signs, per cent signs and separators of thousands taken off.

    ``comma``: commas are known to be decimal commas (from other columns, or the delimiter of the file).

    >>> as_numbers(Column("y", ("1.234,5", "?", "7,25"))).values.tolist()
    [1234.5, nan, 7.25]
    """
    values = column.values
    if not isinstance(values, tuple):
        if values.dtype.kind == "M":
            rows = tuple(np.flatnonzero(~np.isnat(values)).tolist())
            return Numbers(np.full(values.size, np.nan), rows, values.size - len(rows))
        plain = np.asarray(values, dtype=np.float64)
        return Numbers(plain, (), int(np.isnan(plain).sum()), column.notes)
    texts = [None if is_missing(cell) else _tidy(cell or "") for cell in values]
    stripped, notes = _without_signs(texts)
    numbers = _parsed(stripped, comma, column.points)
    named = tuple(f"In column {column.name!r} {note}." for note in notes + numbers.notes)
    return replace(numbers, notes=column.notes + named)


def _tidy(text: str) -> str:
    for space in SPACES:
        text = text.replace(space, " ")
    if not text.isascii():
        text = "".join(_western(character) for character in text)
    text = text.strip().replace("\N{MINUS SIGN}", "-").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if text.startswith("(") and text.endswith(")") and text[1:2].isdigit():
        text = "-" + text[1:-1]
    return text


def _western(character: str) -> str:
    """A digit or separator of any script as the Arabic numerals of the West have it."""
    if character in "\N{ARABIC DECIMAL SEPARATOR}\N{ARABIC THOUSANDS SEPARATOR}":
        return "." if character == "\N{ARABIC DECIMAL SEPARATOR}" else ","
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def _without_signs(texts: Sequence[str | None]) -> tuple[list[str | None], tuple[str, ...]]:
    percent, currency, result = 0, 0, list[str | None]()
    for text in texts:
        if text is not None and text.endswith("%"):
            text, percent = text[:-1].rstrip(), percent + 1
        if text is not None and (bare := _CURRENCY.sub("", text)) != text:
            text, currency = bare, currency + 1
        result.append(text)
    notes = (f"per cent signs were taken off {counted(percent, 'cell')} (12 % is read as 12)",) if percent else ()
    return result, notes + ((f"currency signs were taken off {counted(currency, 'cell')}",) if currency else ())


def _parsed(texts: list[str | None], comma: bool, points: bool) -> Numbers:
    comma, notes = _decimal_comma(texts, comma)
    filled = [text for text in texts if text is not None]
    points = comma or (
        points and bool(filled) and all(re.match(r"^[+-]?\d{1,3}$|^0$", t) or _GROUPED_POINT.match(t) for t in filled)
    )
    thousands, indian = 0, _all_indian(filled)
    values, bad = np.full(len(texts), np.nan), []
    for row, text in enumerate(texts):
        if text is None:
            continue
        bare = text.replace(".", "") if points and _GROUPED_POINT.match(text) else _bare(text, comma)
        bare = text.replace(",", "") if indian and _INDIAN.match(text) else bare
        thousands += bare != text and not comma
        number = _number(bare)
        if number is None:
            bad.append(row)
        else:
            values[row] = number
    if thousands:
        notes += (f"separators of thousands were taken off {counted(thousands, 'cell')}",)
    return Numbers(values, tuple(bad), sum(text is None for text in texts), notes)


def _all_indian(texts: Sequence[str]) -> bool:
    """Whether all long numbers of a column are grouped as in India; a single one may be a slip among others."""
    longer = [text for text in texts if text.count(",") > 1]
    return bool(longer) and all(_INDIAN.match(text) for text in longer)


def _bare(text: str, comma: bool) -> str:
    if comma:
        return re.sub(r"[.' ]", "", text).replace(",", ".") if _COMMA.match(text) else text
    return re.sub(r"[,' ]", "", text) if _THOUSANDS.match(text) else text


def _number(text: str) -> float | None:
    if _PLAIN.match(text):
        return float(text.replace("d", "e").replace("D", "e"))
    if _INFINITE.match(text):
        return -np.inf if text.startswith("-") else np.inf
    return _TRUTH.get(text.lower())


def _decimal_comma(texts: list[str | None], known: bool) -> tuple[bool, tuple[str, ...]]:
    """Whether commas are decimal commas, over all cells of the column."""
    with_comma = [text for text in texts if text is not None and _COMMA.match(text)]
    if not with_comma:
        return False, ()
    grouped = sum(bool(_GROUPED_COMMA.match(text)) for text in with_comma)
    if known or grouped < len(with_comma):
        points = any(text and _PLAIN.match(text) and "." in text and not _GROUPED_POINT.match(text) for text in texts)
        return (False, ()) if points and not known else (True, ("commas were read as decimal commas",))
    return False, ()
