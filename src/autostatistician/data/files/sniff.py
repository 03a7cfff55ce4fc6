"""Turn a text table into rows of cells: delimiter, comments, header and units row."""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice, pairwise

from autostatistician.data.files.encodings import REMEDY
from autostatistician.data.missing import is_missing, said_of_rows
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.row_limits import READ_LIMITS, too_many_columns, too_many_rows
from autostatistician.data.times.dates import HALF, parse_times
from autostatistician.data.times.forms import NAMES, TIME_NAMES, is_called
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note, note_count, note_some
from autostatistician.i18n.names import listed

__all__ = ["MOST_ROWS_ASIDE", "TextTable", "filled_cells", "read_text", "tidy_rows"]

MISSING, VALUE, TEXT, GROUPS = "nothing", "a number or a date", "text", "words of several rows"  # in cells
DELIMITERS = ("\t", ";", "|", ",")  # in the order of trust: a comma may also be a decimal comma
_NUMBER = re.compile(r"^[+-]?\d+,\d+$")
_YEAR = re.compile(r"^(?:1[5-9]|2[01])\d\d$")
_SHORT = re.compile(r"^\d{1,2}$")
_LINE = re.compile(r"[^\r\n]+")
_COMMENT = re.compile(r"\s*(?:[#%]|\*+\s*[A-Za-z])")
_COMMENTS = re.compile(r"(?:[#%].*\r?\n)*")
_PROSE = re.compile(r":\s|\w+ \w+ \w+")
_GUARD = re.compile(r'(^|[;,\t|])=(?=")')  # as ="00123", which spreadsheets write to keep a cell as it is
_SEPARATOR = re.compile(r"^sep=(.)$", re.IGNORECASE)  # as Excel writes it
PROBED_LINES = 200  # that tell the delimiter
MOST_BESIDE = 0.5  # of the rows of a table, that another one below or above it may have
ANY_BLANKS = " "  # stands for any run of blanks
LIMITS = "<>\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO} "  # before limits of detection
UNNAMED = message("The table has no header; its columns were numbered.")
FEWEST_BELOW = 3  # rows below one of units
PROBED_ROWS = 50  # that show what is below a header
MOST_TITLES = 20  # rows above a header
MOST_ROWS_ASIDE = 50  # titles, header, units and remarks


@dataclass(frozen=True, eq=False)
class TextTable:
    """Names and rows of a text table (all rows as long as the names), and what was done to get them."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    comma: bool  # the delimiter is one used where commas are decimal commas
    notes: tuple[str, ...]


def read_text(text: str, most: int = READ_LIMITS.rows, columns: int = READ_LIMITS.columns) -> TextTable:
    r"""Names and rows of a text table; one of more rows than ``most``, or more ``columns``, is refused unread.

    >>> table = read_text("month;sales\n1949-01;1,5\n1949-02;2,5\n")
    >>> table.names, table.rows[0]
    (('month', 'sales'), ('1949-01', '1,5'))
    """
    seen = Counter[str]()
    lines = _lines(text, seen)
    probe = list(islice(lines, PROBED_LINES))
    if not any(probe):
        raise InputError.of(note("a table with a header and rows"), note("no line with anything in it"), note(REMEDY))
    delimiter = _delimiter([line for line in probe if line])
    probe = _with_whole_titles(probe) if delimiter == "," else probe
    rows = _split(chain(probe, lines), delimiter, most + 2 * MOST_ROWS_ASIDE + 1)
    if sum(map(bool, rows)) > most + MOST_ROWS_ASIDE:
        deque(lines, maxlen=0)  # the rest is counted and forgotten
        raise too_many_rows(note("{n} lines", n=seen["line"]), most)
    widest = max((filled_cells(row) for row in rows if len(row) > columns), default=0)
    if widest > columns:
        raise too_many_columns(widest, columns)
    table = _with_names(tidy_rows(rows), text, delimiter)
    left_out = note_some(seen["comment"], "{n} comment line left out.", "{n} comment lines left out.")
    return replace(table, notes=left_out + table.notes, comma=delimiter == ";")


def _with_whole_titles(lines: list[str]) -> list[str]:
    """Lines of which those above the header that are prose, with blanks behind their commas, are one cell each.

    >>> _with_whole_titles(["Made in May, at noon", "day,sales", "1,5"])
    ['"Made in May, at noon"', 'day,sales', '1,5']
    """
    top = next((k for k, line in enumerate(lines) if line and (", " not in line or '"' in line)), 0)
    is_above = top > 0 and all(map(_PROSE.search, filter(None, lines[:top])))  # else names above units
    is_above = is_above and _begins_table(*_split(lines[top : top + 2], ","))
    return [f'"{line}"' if line and k < top else line for k, line in enumerate(lines)] if is_above else lines


def _with_names(table: TextTable, text: str, delimiter: str) -> TextTable:
    """A table without a header with the names that stand in a comment above it: of several the one that names times."""
    found = _COMMENTS.match(text) if note(UNNAMED) in table.notes else None
    lines = found[0].splitlines() if found else []
    rows = [_split([line.lstrip("#% ").rstrip()], delimiter)[0] for line in lines[::-1] if line.strip("#% ")]
    able = [row for row in rows if len(row) == len(table.names) and {*map(_kind, row)} == {TEXT}]
    if not able:
        return table
    names = max(able, key=lambda row: sum(is_called(name, part) for name in row for part in NAMES))
    return replace(table, names=tuple(names), notes=tuple(said for said in table.notes if said != note(UNNAMED)))


def filled_cells(row: Sequence[str]) -> int:
    """How many cells a row has up to the last one that is not empty.

    >>> filled_cells(["1", "", "2", ""])
    3
    """
    return max((place for place, cell in enumerate(row, start=1) if cell), default=0)


def tidy_rows(rows: Sequence[list[str]]) -> TextTable:
    """A table of rows of cells, its header found, its rows made even, title and units rows left out.

    >>> tidy_rows([["Sales"], ["day", "sales"], ["1", "5"], ["2", "6"]]).names
    ('day', 'sales')
    """
    filled, apart = _largest_table(rows)
    if not filled:
        raise InputError.of(note("a table with a header and rows"), note("only empty cells"), note(REMEDY))
    start, is_named = _start(filled)
    preamble = note_some(start, "{n} line above the header left out.", "{n} lines above the header left out.")
    body, footer = _without_footer(filled[start:])
    names, body, unnamed = _header(body, is_named)
    names += [""] * _remarks(body, len(names))
    body, pages = _in_one(names, body)
    body, ragged = _even(body, len(names))
    said = [*apart, *preamble, *footer, *unnamed, *pages, *ragged]
    while units := _units(names, body):
        names, body, left_out = units
        said.append(left_out)
    return TextTable(tuple(names), tuple(map(tuple, body)), False, tuple(dict.fromkeys(said)))


def _largest_table(rows: Sequence[list[str]]) -> tuple[list[list[str]], list[str]]:
    """The rows of the largest of the tables that stand below each other, each with a header below an empty row.

    Tables of much the same size are refused: nothing tells which is meant.
    """
    blank = [k for k, row in enumerate(rows) if not any(map(str.strip, row))]
    tables = [list[list[str]]()]
    for above, below in pairwise([-1, *blank, len(rows)]):
        block = rows[above + 1 : below]
        start = next((k for k, row in enumerate(block) if sum(map(bool, row)) > 1), 0)  # below titles
        is_new = block and tables[-1][:1] != [] and block[start] not in tables[-1] and _begins_table(*block[start:][:2])
        if is_new and any(map(_is_of_values, tables[-1])):
            tables.append([])
        tables[-1] += block
    first, *others = sorted(tables, key=len, reverse=True)
    if not others:
        return first, []
    n, names = len(tables), listed(first[0])
    if len(others[0]) > MOST_BESIDE * len(first):
        remedy = note("keep one of them, such as that of {names}", names=names)
        raise InputError.of(note("one table in a file"), note("{n} tables below each other", n=n), remedy)
    return first, [note("Of {n} tables below each other the largest was read, that of {names}.", n=n, names=names)]


def _in_one(names: list[str], rows: list[list[str]]) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows without the header where it stands again."""
    kept = [row for row in rows if len(names) < 2 or row[: len(names)] != names]
    said = note_some(
        len(rows) - len(kept), "{n} line with the header once more left out.",
        "{n} lines with the header once more left out.",
    )  # fmt: skip
    return kept, said


def _begins_table(row: list[str], *below: list[str]) -> bool:
    """Whether a row is the header of those below."""
    kinds = [_kind(cell) for cell in row]
    return VALUE not in kinds and kinds.count(TEXT) > 1 and _holds_values(*below)


def _is_of_values(row: list[str]) -> bool:
    """Whether a row has a value, and no more words than values."""
    kinds = [_kind(cell) for cell in row]
    return kinds.count(VALUE) >= max(kinds.count(TEXT), 1)


def _holds_values(*rows: list[str]) -> bool:
    return any(_kind(cell) == VALUE for row in rows for cell in row)


def _has_names_with_hash(text: str) -> bool:
    """Whether most rows below the header begin with # and have its cells, as orders that are called #1001 do."""
    header, *rows = [found[0] for found in islice(_LINE.finditer(text), PROBED_LINES)] or [""]
    signs = [sign for sign in DELIMITERS if sign in header and not _COMMENT.match(header)]
    called = [[row.count(sign) >= header.count(sign) for sign in signs] for row in rows if re.match(r"#\w", row)]
    return any(sum(has) > len(rows) / 2 for has in zip(*called, strict=True))


def _lines(text: str, seen: Counter[str]) -> Iterator[str]:
    """The lines of a text but comments, of blank ones some, counted in ``seen``: a long text is never split whole."""
    end, names = 0, _has_names_with_hash(text)
    for number, found in enumerate(_LINE.finditer(text)):
        line, start, end, before = found[0], found.start(), found.end(), end
        apart = start - before > 1 and text[before:start] != "\r\n"
        if (apart or line.isspace()) and seen["blank"] < MOST_ROWS_ASIDE:
            seen["blank"] += 1
            yield ""
        is_separator = number == 0 and (match := _SEPARATOR.match(line.strip())) and match[1] in DELIMITERS
        if line.isspace() or is_separator:
            continue
        kind = "comment" if not names and _COMMENT.match(line) else "line"
        seen[kind] += 1
        if kind == "line":
            yield _GUARD.sub(r"\1", line) if '="' in line else line


def _split(lines: Iterable[str], delimiter: str, most: int | None = None) -> list[list[str]]:
    """The cells of the first rows; one row may go over several lines."""
    if delimiter == ANY_BLANKS:
        return [[cell.strip('"') for cell in line.split()] for line in islice(lines, most)]
    rows, row = [], [""]
    read = csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    try:
        for row in islice(read, most):
            cells = [" ".join(cell.split()) if " " in cell or not cell.isprintable() else cell for cell in row]
            rows.append(cells)
    except csv.Error as error:
        unread = note("a line that cannot be read ({error})", error=str(error))
        raise InputError.of(note("a table of text"), unread, note(REMEDY)) from None
    if row and row[-1].endswith("\n"):
        unclosed = note("none after {cell}", cell=repr(rows[-1][-1][:20]))
        raise InputError.of(note("a closing quote for every opening one"), unclosed, note("put it in, or remove both"))
    return rows


def _delimiter(probe: list[str]) -> str:
    """The delimiter that cuts most lines into the same number (2 or more) of cells; a comma if none does.

    Of 25 tables clevercsv knew that of one less, and takes seconds for a line of 20 000 digits.
    """
    if len(probe) > 1 and "," not in probe[0] and all(_NUMBER.match(line.strip()) for line in probe[1:]):
        return ";"  # one column of decimal commas
    best, score = ",", 0.0
    for delimiter in (*DELIMITERS, ANY_BLANKS):
        try:
            rows = _split(probe, delimiter)
        except InputError:
            continue
        # A quote within a cell: the cut went through what stood in quotes.
        counts = Counter(1 if any('"' in cell for cell in row) else len(row) for row in rows)
        width = max((width for width in counts if width > 1), default=1, key=lambda width: (counts[width], width))
        agreed = counts[width] / sum(counts.values()) if width > 1 else 0.0
        # A later delimiter must do clearly better; cells with blanks in them are common, tables of blanks are not.
        better = agreed > score + (0.2 if score else 0.0) or (agreed == 1 > score and delimiter != ANY_BLANKS)
        if width > 1 and better and (delimiter != ANY_BLANKS or agreed > (0.7 if score else 0.5)):
            best, score = delimiter, agreed
    return best


def _start(rows: list[list[str]]) -> tuple[int, bool]:
    """Where a table begins below its titles, and whether with a header: of the rows above its values the best one.

    Names stand above values in many columns; that of a time counts as one more, but below names of all columns. A row
    without a first name spans those below it, and is a part of the header.
    """
    width, best, start, first, is_whole = _width(rows), (-1, 0), 0, 0, False
    for first, row in enumerate(rows[:MOST_TITLES] if width > 1 else rows[:1]):
        below, filled = rows[first + 1 : first + 1 + PROBED_ROWS], [cell for cell in row if cell.strip()]
        is_alone, is_repeated = len(filled) < 2 <= width, len({*filled}) == 1 < len(filled)
        if (is_alone and not _is_heading(row, *below[:1])) or (not below and best[0] >= 0):
            continue  # a title, or the only row of words
        votes = -1 if is_alone else _votes(row, below)
        if votes < 0:
            break
        votes = 0 if is_repeated else votes + (_names_time(row) and not is_whole)  # a title that goes over all columns
        score = votes, min(filled_cells(row), width - (votes == 0))  # among words alone a name may lack
        if score > best and len(row) + 1 >= width and (row[0].strip() or best[0] < 0):
            best, start, is_whole = score, first, is_whole or len({*filled}) == width
    if best[0] < 0:
        return first, False
    while start and not rows[start - 1][0].strip() and len({*filter(None, rows[start - 1])}) > 1:
        start -= 1
    return start, True


def _names_time(row: list[str]) -> bool:
    return any(cell.strip().lower() in TIME_NAMES for cell in row)


def _is_heading(row: list[str], *below: list[str]) -> bool:
    """Whether a row holds a value alone that stands for those below it, as a year above its months."""
    return _kind(row[0]) == VALUE and any(_kind(other[0]) == TEXT and _holds_values(other) for other in below)


def _width(rows: list[list[str]]) -> int:
    """How many cells most rows have, those of a single one aside where others hold more cells together."""
    counts = Counter(len(row) for row in rows[:1000])
    wide = {width: n for width, n in counts.items() if width * n > counts[1]} or counts
    return max(wide, key=lambda width: (wide[width], width))


def _without_footer(rows: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Leave out remarks below the table: rows with words in their first cell, and no values where others have some.

    Below values there may be a few among more words.
    """
    end = len(rows)
    if _width(rows) < 2:
        return rows, []
    apart = (TEXT,) if _holds_values(*rows[1:2]) else ()
    values = [k for row in rows[1:2] for k, cell in enumerate(row) if _kind(cell) == VALUE]
    while end > max(2, len(rows) - MOST_TITLES) and _kind(rows[end - 1][0]) == TEXT:
        kinds = [_kind(rows[end - 1][k]) for k in values if k < len(rows[end - 1])]
        is_remark = kinds.count(TEXT) > kinds.count(VALUE) and not _is_of_values(rows[end - 1])
        if not is_remark and any(cell and _kind(cell) not in apart for cell in rows[end - 1][1:]):
            break
        end -= 1
    said = note_some(len(rows) - end, "{n} line below the table left out.", "{n} lines below the table left out.")
    return rows[:end], [*said]


def _header(rows: list[list[str]], is_named: bool) -> tuple[list[str], list[list[str]], list[str]]:
    """The names of the columns, which are numbered where a table has none."""
    first, body = rows[0], rows[1:]
    width = _width(body) if body else len(first)
    if not is_named:
        return [f"column{k + 1}" for k in range(width)], rows, [note(UNNAMED)]
    if not body:
        raise InputError.of(note("rows below the header"), note("none"), note("give a table with data"))
    if len(first) == width - 1:  # names of rows without a name of their own, as R writes them
        first = ["", *first]
    return first, body, []


def _votes(row: list[str], below: list[list[str]]) -> int:
    """In how many columns a row names the values below it, less those in which it has a value as they are."""
    kinds = [_kind(cell) for cell in row]
    is_name = VALUE not in kinds or _are_counted(row, kinds, below) or _are_times_of_columns(row, kinds, below)
    votes = 0 if below else sum(kind == TEXT for kind in kinds) or -1
    for k, kind in enumerate(kinds):
        held = Counter(_kind(other[k]) for other in below if k < len(other))
        if kind != MISSING and held[VALUE] > held[TEXT]:
            votes += 1 if is_name or kind == TEXT else -1
    return votes


def _are_counted(row: list[str], kinds: list[str], below: list[list[str]]) -> bool:
    """Whether the values of a row are names of columns: years, those of their parts, or numbers one after the other."""
    years = [int(cell) for cell in row if _YEAR.match(cell)]
    if len(years) == sum(map(bool, row)) > 1 and below and _begins_table(*below[:2]):
        return True
    counted = years if len(years) > 2 else [int(cell) for cell in row if _SHORT.match(cell)]
    steps = {later - number for number, later in pairwise(counted)}
    return steps == {1} and (years == counted or (len(counted) >= max(len(row) - 3, 3) and kinds[0] == TEXT))


def _are_times_of_columns(first: list[str], kinds: list[str], body: list[list[str]]) -> bool:
    """Whether the values of a row are times, and those below them are none."""
    places = [k for k, kind in enumerate(kinds) if kind == VALUE]
    below = [row[k] for row in body for k in places if k < len(row)]
    return len(places) > 2 and parse_times([first[k] for k in places], HALF) is not None and parse_times(below) is None


@lru_cache(maxsize=10_000)
def _kind(cell: str) -> str:
    """What a cell seems to hold, on its own."""
    if is_missing(cell):
        return MISSING
    is_value = not parse_numbers([cell.lstrip(LIMITS)], comma=True).bad or parse_times([cell]) is not None
    return VALUE if is_value else TEXT


def _remarks(rows: list[list[str]], width: int) -> int:
    """How many columns without a name stand behind those of the header: remarks beside some of the rows."""
    beyond = [cell for row in rows for cell in row[width:]]
    return int(any(beyond) and all(len(row) <= width + 1 for row in rows) and not _holds_values(beyond))


def _even(rows: list[list[str]], width: int) -> tuple[list[list[str]], list[str]]:
    """All rows as wide as the header: short ones filled up, long ones cut where empty, else left out and said."""
    short = sum(len(row) < width for row in rows)
    long = [k for k, row in enumerate(rows) if any(cell.strip() for cell in row[width:])]
    if len(long) > max(1, 0.05 * len(rows)):
        too_long = note_count(
            len(long), "{cells} cells in row {row} ({n} row is too long)",
            "{cells} cells in row {row} ({n} rows are too long)",
            cells=len(rows[long[0]]), row=long[0] + 1, n=len(long),
        )  # fmt: skip
        remedy = note("put quotes around cells that contain the delimiter")
        raise InputError.of(note("{n} cells in every row", n=width), too_long, remedy)
    filled_up = message("{rows} with less than {width} cells filled up with missing values.")
    left_out = message("{rows} with more than {width} cells left out (the first is row {row}).")
    notes = [*said_of_rows(short, filled_up, width=width)]
    notes += said_of_rows(len(long), left_out, width=width, row=next(iter(long), 0) + 1)
    excluded = set(long)
    kept = (row for k, row in enumerate(rows) if k not in excluded)
    return [row if len(row) == width else (row + [""] * width)[:width] for row in kept], notes


def _units(names: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]], str] | None:
    """Names and rows without a row of units below the header, and a word on it: text over columns of numbers or dates.

    Over groups too it may describe the columns, as the questions of a survey do, if it is none of them.

    Where columns have no name but such a cell, as below a header cell that spans several columns, both rows are the
    header, and the names are joined.
    """
    kinds = {_kind(cell) for cell in rows[0]} if len(rows) >= FEWEST_BELOW else set()
    is_heading = TEXT in kinds and not any(rows[0][1:]) and any(map(str.isalnum, rows[0][0]))
    is_below = not names[0] and kinds and _names_time(rows[0][:1])  # what names the columns apart
    if (VALUE in kinds and not is_below) or TEXT not in kinds or is_heading:
        return None
    unnamed = sum(not name and bool(cell) for name, cell in zip(names, rows[0], strict=True))
    spans = is_below or unnamed > len(names) / 2
    over = Counter[str]()  # what the words stand over
    for k, cell in enumerate(rows[0]):
        named = bool(names[k]) or not spans  # words may stand below what names a column alone
        if named and not is_missing(cell):
            over[_over(cell, [row[k] for row in rows[1:]])] += 1
    is_plain, describes = {*over} <= {VALUE}, over[VALUE] and over[GROUPS] and not over[MISSING]
    if not is_plain and not (describes and over[VALUE] + over[GROUPS] >= FEWEST_BELOW):
        return None
    if any(not name and not is_missing(cell) for name, cell in zip(names[1:], rows[0][1:], strict=True)):
        return _joined(names, rows[0]), rows[1:], note("The two rows of the header were joined.")
    return names, rows[1:], note("A row of units or descriptions below the header was left out.")


def _over(cell: str, below: list[str]) -> str:
    """What words stand over: numbers or dates, groups that share rows, names of rows, or (nothing) themselves again."""
    filled = [other for other in below[: PROBED_ROWS - 1] if not is_missing(other)]
    if sum(_kind(other) == VALUE for other in filled) >= 0.9 * max(len(filled), 1):
        return VALUE
    return MISSING if cell in below else GROUPS if len({*filled}) <= len(filled) / 2 else TEXT


def _joined(upper: list[str], lower: list[str]) -> list[str]:
    """Names from two rows of a header; an upper name holds until the next one."""
    names, spanning = list[str](), ""
    for name, cell in zip(upper, lower, strict=True):
        spanning = name or spanning
        names.append(spanning if is_missing(cell) else f"{spanning} {cell}".strip())
    return names
