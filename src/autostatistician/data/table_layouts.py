"""How a table lies is decided as a whole: few readings of it are scored by one function, and the best is taken.

A reading leaves rows of totals or of longer periods out, carries down what is written once for a block or above it, or
turns names of columns that are times (years, months, hours) into a column of times.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from autostatistician.data.arrays import Flags, Floats, Rows, Times
from autostatistician.data.columns import DataColumn, DataTable, place_of
from autostatistician.data.roles.keys import codes_of, keys_of, numbered, table_where
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.time_column import PARTS_OF_DAY, joined, timing
from autostatistician.data.times.dates import HALF, ORDERS, order_in_words, parse_times, regularity
from autostatistician.data.times.forms import LATEST_YEAR, NAMES, TIME_NAMES, USUAL_YEAR
from autostatistician.data.value_checks import without_codes
from autostatistician.data.words import lists
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note, note_count
from autostatistician.i18n.names import all_of, listed

__all__ = ["as_read", "of_named_row", "refuse_either_order", "score_of", "with_order"]

VALUE = "value"  # name of the column of all cells below times
FIRST_GREGORIAN = np.datetime64("1582-10-15", "us")  # before, days of months are those of other calendars
MOST_LABELS = 4  # columns at the left that may be written once for a block, or name a total
MOST_FILLED = 0.6  # share of the rows in which what is written once for a block stands
UNORDERED = 0.2  # the score of rows without times, between that of half of them and that of none
MISREAD = 0.5  # what a column counts whose name is a time, or a row of totals, where it is read as a quantity
FEWEST_SUMMED = 5  # rows of which a row without a name may be the sum
MOST_SUMS, ROUNDED = 0.5, 0.02  # share of the numbers of rows called totals that are such, and how well
FEWEST_TIMES = 3  # names of columns that are times, or rows of one form of them
PROBED = 100  # cells at either end of a column
MOST_SHAPES = 10  # ways to write the cells of a column of periods of several lengths, and of what stands above them

TOTALS = re.compile(
    r"(?:\b(?:grand |sub-?)?totals?\b|\bsub-?total|\bsum\b|summe\b|gesamt|\btota[al]e?\b|\bsomme\b|\bsuma\b|\bsoma\b"
    r"|\bитого\b|\bвсего\b"
    r"|\btoplam\b|\brazem\b|\bcelkem\b|合計|小計|总计|합계|\baverage\b|\bavg\b|\bmean\b|mittel(?:wert)?\b|durchschnitt"
    r"|\bmoyenne\b|\bmedia\b|\bpromedio\b|\bannual\b|\bytd\b|^(?:full )?year$|^jahr$|^año$|^année$"
    r"|^m(?:in|ax)(?:imum|\.)?$|^points possible$|^m13$)",
    re.IGNORECASE | re.MULTILINE,
)  # fmt: skip
EXTREMES = re.compile(r"^\W*(?:min|max|points possible)", re.IGNORECASE)
# What marks debits and credits beside amounts, and how the column of such is called where single letters do.
LEDGERS = lists("debits")
LEDGER_NAME = re.compile(r"\b(?:d|s|dr|cr|c|h)\b|deb|soll|cred|haben|sens|sign|indicator|type", re.IGNORECASE)
A_YEAR = re.compile(r"^(?:[^\W\d]+\W+)?((?:1[5-9]|2[01])\d\d)\W*$")
_DATED_TITLE = re.compile(r"(?:\d\D*){4}|[^\W\d]{3}[^\W\d]*\W\d\d$")  # 2021M01, 31.12.2021, Jan-21
YEAR_TITLE = re.compile(r"^[XxYy]?((?:1[5-9]|2[01])\d\d)(?:\s*\[YR\d{4}\])?$")
NUMBERED = re.compile(r"^([^\W\d]*)[ _.-]?(\d{1,2})(?::(\d\d))?(?:\s?-\s?\d{1,2}(?::\d\d)?)?[. ]*([^\W\d]*)$")
# Columns that are called after parts of the time of their row: the part (see `NAMES`), how many there are, what else
# may stand beside their numbers, and what each adds to that time.
PARTS: tuple[tuple[str, Collection[int], Collection[str], Callable[[int, int], str]], ...] = (
    ("q", (4,), ("", "q", "t"), lambda place, _: f"Q{place + 1}"),
    ("m", (12,), ("", "m"), lambda place, _: f"-{place + 1:02d}"),
    ("w", (52, 53), ("", "w", "cw"), lambda place, _: f"-W{place + 1:02d}"),
    ("h", PARTS_OF_DAY, ("", "h", "p"), lambda place, n: f" {place * 24 // n:02d}:{place * 1440 // n % 60:02d}"),
    ("d", (28, 29, 30, 31), ("", "d"), lambda place, _: f"-{place + 1:02d}"),
)  # fmt: skip


def with_order(table: DataTable, time: str | None) -> tuple[DataTable, str | None]:
    """A table and the name of its times, where this may say the order of day and month in them.

    A name of times that stand in several columns is that of the first, and no column.

    >>> table, time = with_order(DataTable((DataColumn("day", ("01/02/2020", "01/03/2020")),)), "day:dmy")
    >>> time, table.columns[0].times.times.astype("M8[M]").astype(str).tolist()
    ('day', ['2020-02', '2020-03'])
    """
    name, _, order = (time or "").rpartition(":")
    names = [column.name for column in table.columns]
    place = next((k for k, one in enumerate(names) if name == one or name.startswith(f"{one} ")), None)
    if order.upper() not in ORDERS or place is None or time in names:
        return table, time
    columns = list(table.columns)
    columns[place] = replace(columns[place], order=order.upper())
    return replace(table, columns=tuple(columns)), name if name in names else None


def refuse_either_order(column: DataColumn | None) -> None:
    """An `InputError` where nothing tells in which order of day and month the dates of a column are, or of some."""
    parsed = None if column is None else column.times
    if column is None or parsed is None:
        return
    told, expected = {"column": repr(column.name)}, note("dates that show the order of day and month")
    if parsed.times.size and np.nanmax(parsed.times) < FIRST_GREGORIAN and not column.are_years:
        found = note("{cell} in column {column}, of a year of another calendar", cell=repr(column.text(0)), **told)
        remedy = note("write such dates as 2024-01-31, or leave the column out: the rows are then counted")
        raise InputError.of(note("dates of the Gregorian calendar"), found, remedy)
    options = {order: f"{column.name}:{order.lower()}" for order in parsed.either or [parsed.order]}
    ways = [f"--time {shlex.quote(name)}" for name in options.values()]
    if parsed.exchanged:
        text = message("{cells} of column {column}, whose day and month seem to have changed places")
        remedy = note(
            "correct them, or take all as {order} by {option}", order=order_in_words(parsed.order), option=ways[0]
        )
        raise InputError.of(expected, note(text, cells=column.told(parsed.exchanged), **told), remedy)
    if parsed.either:
        spans = (_with_span(order, times) for order, times in parsed.either.items())
        told |= {"cell": repr(column.text(0)), **dict(zip(("first", "second"), spans, strict=True))}
        found = note("{cell} in column {column}, which may be {first} or {second}", **told)
        remedy = note(
            "choose by {first} or {second} (in Python: {python})", first=ways[0], second=ways[1],
            python=f"time={next(iter(options.values()))!r}",
        )  # fmt: skip
        raise InputError.of(expected, found, remedy)


def _with_span(order: str, times: Times) -> str:
    first, last = (str(time.astype("M8[D]")) for time in (np.nanmin(times), np.nanmax(times)))
    return note("{order} ({first} to {last})", order=order_in_words(order), first=first, last=last)


def as_read(table: DataTable, named: Collection[str | None] = ()) -> DataTable:
    """The table in its best reading, with a sentence on each step there; columns that are ``named`` keep their names.

    >>> year, quarters = DataColumn("Year", ("2020", "2021")), (DataColumn(f"Q{k}", ("1", "2")) for k in (1, 2, 3, 4))
    >>> [column.values[:3] for column in as_read(DataTable((year, *quarters))).columns]
    [('2020Q1', '2020Q2', '2020Q3'), ('1', '1', '1')]
    """
    if table.size < 1:
        return table
    readings, names = [table], {column.name for column in table.columns}.intersection(named)
    for step in (_without_totals, _headed, _of_finest, _carried_down, _turned):
        others = [other for reading in readings if (other := step(reading)) is not None]
        readings += [other for other in others if names <= {column.name for column in other.columns}]
    best = max(readings, key=lambda reading: round(score_of(reading), 9)) if len(readings) > 1 else table
    return _elapsed(_signed(without_codes(_joined(best, named))))


def _elapsed(table: DataTable) -> DataTable:
    """The table with numbers for lengths of time that only rise, where no column of times orders the rows."""
    if timing([Profile(column) for column in table.columns]).column is not None:
        return table
    columns = list(table.columns)
    for place, column in enumerate(columns):
        named = (place == 0 or Profile(column).has_time_name) and ":" in column.text(0)
        if named and Profile(made := column.as_lengths()).is_monotone:
            columns[place] = made
    return replace(table, columns=tuple(columns))


def score_of(table: DataTable) -> float:
    """How well a reading explains a table, at most 1: the share of its rows with a time, how regular these times are
    (for each key, where there are several), and the share of the columns, names included, that are understood.
    """
    table = _joined(table)
    profiles = [Profile(column) for column in table.columns]
    across = _times_across(table)[0]
    understood = np.mean([
        (MISREAD if column in across else 1.0) * (1.0 if profile.is_number or profile.times is not None else 0.9)
        for column, profile in zip(table.columns, profiles, strict=True)
    ])  # fmt: skip
    axis = timing(profiles).column or DataColumn("", np.zeros(0))
    times = _times_of(axis)
    there = np.flatnonzero(~np.isnat(times))
    if not there.size:
        totals = _totals(table)[0]
        found = _are_sums(table, totals, ROUNDED)
        misread = MISREAD * len(totals) / table.size if sum(found) >= MOST_SUMS * len(found) else 0.0
        return UNORDERED * (1.0 - misread) * float(understood)
    keys = keys_of(axis, profiles)
    each = np.unique(times[there], return_inverse=True)[1].astype(np.int64)
    once = np.unique(numbered([each, *(codes_of(key)[there] for key in keys)])[0]).size / there.size
    return float(understood) * there.size / table.size * once * regularity(np.unique(times[there]))


def _years(values: Floats) -> Times:
    """Numbers as years; not a time where they are none."""
    years = np.isfinite(values) & (values == np.round(values))
    years[years] = (values[years] >= USUAL_YEAR) & (values[years] < LATEST_YEAR)
    return np.where(years, np.where(years, values, 0) - 1970, np.iinfo(np.int64).min).astype(np.int64).astype("M8[Y]")


def _joined(table: DataTable, named: Collection[str | None] = ()) -> DataTable:
    """The table with one column for times that stand in several, where these are the times of its rows."""
    made = joined(table.columns)
    if made is None or not {part.name for part in made[1]}.isdisjoint(named):
        return table
    columns = (made[0], *(column for column in table.columns if column not in made[1]))
    if timing([Profile(column) for column in columns]).column is not made[0]:
        return table
    names = all_of(repr(part.name) for part in made[1])
    said = note("Columns {names} were combined into column {column}.", names=names, column=repr(made[0].name))
    return replace(table, columns=columns, notes=(*table.notes, said))


# --- Rows that are no values, and cells that hold for those below ---------------------------------------------------


def _without_totals(table: DataTable) -> DataTable | None:
    """The table without rows of totals or means."""
    rows, cell = _totals(table)
    if not rows:
        return None
    n = len(rows)
    said = note_count(
        n, "{n} row with a total or mean of others left out (such as {cell}).",
        "{n} rows with totals or means of others left out (such as {cell}).", n=n, cell=repr(cell),
    )  # fmt: skip
    return _of_rows(table, np.setdiff1d(np.arange(table.size), rows), said)


def _totals(table: DataTable) -> tuple[list[int], str]:
    """The rows of totals or means, and how one is called: their names say so, or their numbers are those of others."""
    for column in table.columns[:MOST_LABELS]:
        if not isinstance(column.values, tuple):
            continue
        understood = column.numbers if column.is_numeric else column.times_of_most
        bad = [] if understood is None else list(understood.bad)
        cells = set(filter(None, column.values)) if understood is None else {*map(column.text, bad)}
        totals = {cell for cell in cells if TOTALS.search(cell)} if TOTALS.search("\n".join(cells)) else set()
        words = [row for row, cell in enumerate(column.values) if cell in totals] if totals else []
        rows = words or (bad if len(bad) > 1 and all(_are_sums(table, bad, 1e-3) or [False]) else [])
        if rows and len(rows) < table.size / 2:
            return rows, column.text(rows[0])
    undated = all(column.times is None and column.name.strip().lower() not in TIME_NAMES for column in table.columns)
    ends = (0, table.size - 1) if undated and table.size > FEWEST_SUMMED else ()
    for row in ends:
        found = _are_sums(table, [row], 1e-3)
        if sum(found) > 1 and np.mean(found) >= MOST_SUMS:
            return [row], table.columns[0].text(row)
    return [], ""


def _are_sums(table: DataTable, totals: Sequence[int], rtol: float) -> list[bool]:
    """Which numbers of some rows are the sum or the mean of the other rows since the last of them.

    A first row alone may be that of all others. Rows that are called the least or the most lie beyond the others. A sum
    of many whole numbers settles it, if it is exact: other columns may hold shares, or means by weight.
    """
    found, exact = [], set[int]()
    for last, row in pairwise([-1, *totals]):
        rows = np.setdiff1d(np.arange(last + 1, row), totals)
        rows = rows if rows.size else np.setdiff1d(np.arange(table.size if totals == [0] else row), totals)
        for values in (column.numbers.values for column in table.columns if column.is_numeric and rows.size):
            others = values[rows][np.isfinite(values[rows])]
            whole = np.unique(others).size > FEWEST_SUMMED and np.all((others >= 0.0) & (others % 1.0 == 0.0))
            exact |= {row} if whole and others.sum() == values[row] else set()
            if others.size and np.isfinite(values[row]):
                ends = others.sum(), others.mean()
                beyond = EXTREMES.search(table.columns[0].text(row)) and not others.min() < values[row] < others.max()
                found.append(bool(beyond or np.isclose(values[row], ends, rtol=rtol).any()))
    return [True, True] if len(exact) == len(totals) > 0 else found


def _of_rows(table: DataTable, rows: Rows, said: str) -> DataTable:
    return replace(table, columns=tuple(column.at(rows) for column in table.columns), notes=(*table.notes, said))


def _headed(table: DataTable) -> DataTable | None:
    """The table with what stands alone in rows above others, such as a year, as a part of their times or a column."""
    label, *rest = table.columns
    if not rest or any(column.text(0).strip() not in ("", "nan") for column in rest):
        return None
    alone = _filled(label) & ~np.any([_filled(column) for column in rest], axis=0)
    heads, rows = np.flatnonzero(alone), np.flatnonzero(~alone)
    if heads.size < 2 or heads[0] or np.diff([*heads, table.size]).min() < FEWEST_TIMES:
        return None
    above = label.at(heads[np.searchsorted(heads, rows) - 1])
    said = note("Rows such as {cell} were read as headings of those below.", cell=repr(above.text(0)))
    told = _of_rows(table, rows, said)
    pairs = [(A_YEAR.sub(r"\1", above.text(k)), label.text(row)) for k, row in enumerate(rows.tolist())]
    for cells in ([f"{head} {cell}" for head, cell in pairs], [f"{cell} {head}" for head, cell in pairs]):
        dated = replace(told.columns[0], values=tuple(cells))
        if dated.times is not None:
            return replace(told, columns=(dated, *told.columns[1:]))
    return replace(told, columns=(above.renamed("heading"), *told.columns))


def _of_finest(table: DataTable) -> DataTable | None:
    """The table without the rows of longer periods (years beside quarters), and of what is written above or below."""
    for column in table.columns[:MOST_LABELS]:
        rows = _finest(column)
        if rows.size:
            left = np.setdiff1d(np.arange(table.size), rows)
            said = note(
                "Of the rows, the {n} with times such as {cell} in column {column} were read; the other {m}, such as "
                "{other}, were left out.", n=rows.size, cell=repr(column.text(int(rows[0]))), column=repr(column.name),
                m=left.size, other=repr(column.text(left[0])),
            )  # fmt: skip
            return _of_rows(table, rows, said)
    return None


def _finest(column: DataColumn) -> Rows:
    """The rows with times of the shortest periods where others have longer ones, which begin with some of them.

    Other rows may stand above or below all times; without longer periods, two or more above them.
    """
    nothing = np.zeros(0, np.intp)
    texts = () if column.is_numeric or column.times is not None else column.texts
    probe = {_shape(text or "") for text in (*texts[:PROBED], *texts[-PROBED:])}
    if not 1 < len(probe) <= MOST_SHAPES or not any("9" in shape for shape in probe):
        return nothing
    shapes = np.array([_shape(text or "") for text in texts], dtype=object)
    parts = {shape: np.flatnonzero(shapes == shape) for shape in set(shapes)}
    times = {shape: _times_of(column.at(rows)) for shape, rows in parts.items() if rows.size >= FEWEST_TIMES}
    dated = {shape: each for shape, each in times.items() if not np.isnat(each).any() and np.unique(each).size > 2}
    steps = {shape: np.median(np.diff(np.unique(each)).astype(np.int64)) for shape, each in dated.items()}
    finest = min(steps, key=steps.__getitem__, default="")
    is_longer = [step >= 2 * steps[finest] for shape, step in steps.items() if shape != finest]
    if not dated or not all(is_longer) or min(map(regularity, dated.values())) < MOST_FILLED:
        return nothing  # as periods of one length in two forms
    fine = dated.pop(finest)
    placed = np.concatenate([parts[shape] for shape in (finest, *dated)])
    beside = np.setdiff1d(np.arange(column.size), placed)
    longer = np.concatenate([fine[:1], *dated.values()])
    longer = longer[(longer >= fine.min()) & (longer <= fine.max())]
    above = beside < placed.min()
    apart = np.all(above | (beside > placed.max())) if dated else above.sum() > 1 and above.all()
    return parts[finest] if apart and np.mean(np.isin(longer, fine)) > MOST_FILLED else nothing


def _shape(text: str) -> str:
    """How a cell is written: its digits, words, and letters that stand alone.

    >>> _shape("2018 Q1"), _shape("2018"), _shape("2018 JAN"), _shape("Release date")
    ('9 q9', '9', '9 aa', 'aa aa')
    """
    return re.sub(r"[^\W\d_]{2,}", "aa", re.sub(r"\d+", "9", text.strip().lower()))


def _times_of(column: DataColumn) -> Times:
    """The times of all cells that have some, or the years."""
    return column.times.times if column.times is not None else _years(column.numbers.values).astype("M8[us]")


def _carried_down(table: DataTable) -> DataTable | None:
    """The table with what stands once above a block of rows (a year, a region, a date) in each of them."""
    columns, names = list(table.columns), list[str]()
    for place, column in enumerate(columns[:-1][:MOST_LABELS]):
        filled = _filled(column)
        starts = np.flatnonzero(filled)
        fewest = 1 if column.name.strip().lower() in NAMES["y"] else 2
        if starts.size < fewest or starts[0] or starts.size > MOST_FILLED * table.size:
            continue
        labels = column.at(starts)
        whole = np.all(~np.isnat(_years(labels.numbers.values)))
        if (whole or labels.times is not None or not labels.is_numeric) and all(
            labels.text(row) != labels.text(row + 1) for row in range(starts.size - 1)
        ):
            columns[place] = column.at(np.maximum.accumulate(np.where(filled, np.arange(table.size), 0)))
            names.append(column.name)
    if not names:
        return None
    said = note("What stands once above several rows was carried down: {columns}.", columns=listed(names))
    return replace(table, columns=tuple(columns), notes=(*table.notes, said))


def _filled(column: DataColumn) -> Flags:
    if isinstance(column.values, tuple):
        return np.array([bool(cell and cell.strip()) for cell in column.values], dtype=np.bool_)
    return ~np.isnan(column.values) if column.values.dtype.kind == "f" else ~np.isnat(column.values)


def _signed(table: DataTable) -> DataTable:
    """The table with amounts negative that the column beside them marks as debits."""
    for place, column in enumerate(table.columns):
        first = column.text(0).strip().lower()
        marks = {text.lower() for text in column.texts if text} if any(first in pair for pair in LEDGERS) else set()
        pair = next((pair for pair in LEDGERS if marks == set(pair)), None)
        if pair is None or not (len(pair[0]) > 1 or LEDGER_NAME.search(column.name)):
            continue
        beside = (*table.columns[place - 1 : place], *table.columns[place + 1 : place + 2])
        amounts = next((each for each in beside if each.is_numeric and not Profile(each).is_whole), None)
        if amounts is None or np.nanmin(amounts.numbers.values) < 0.0:
            continue
        minus = [(text or "").lower() == pair[0] for text in column.texts]
        mark = repr(column.text(minus.index(True)))
        said = note("In column {name} amounts marked {mark} were read as negative.", name=repr(amounts.name), mark=mark)
        values = np.where(minus, -amounts.numbers.values, amounts.numbers.values)
        signed = replace(amounts, values=values, notes=(*amounts.numbers.notes, said))
        return replace(table, columns=tuple(signed if each is amounts else each for each in table.columns))
    return table


# --- Times that are names of columns --------------------------------------------------------------------------------


def _times_across(table: DataTable) -> tuple[tuple[DataColumn, ...], tuple[str, ...], DataColumn | None]:
    """Columns that stand for times, what each adds to the time of its row, and the column of that, if there is one.

    What is added has the form of a whole date without one, else of what follows a year, a month or a day in a date.
    """
    numbers = [column for column in table.columns if column.is_numeric or Profile(column).is_empty]
    years = [(column, match[1]) for column in numbers if (match := YEAR_TITLE.match(column.name))]
    dated = [column for column in numbers if _DATED_TITLE.search(column.name)]
    parsed = parse_times([column.name for column in dated], HALF) if len(dated) > len(years) else None
    if parsed is not None:  # others, as years beside their quarters, are no such times
        years = [(column, str(time)) for column, time in zip(dated, parsed.times, strict=True) if not np.isnat(time)]
    if len(years) >= FEWEST_TIMES:
        return tuple(column for column, _ in years), tuple(year for _, year in years), None
    for row in table.columns[:MOST_LABELS]:
        rest = [column for column in numbers if column is not row]
        years_of_rows = not np.isnat(_years(row.numbers.values)).any() or row.name.strip().lower() in NAMES["y"]
        times = None if years_of_rows else row.times
        if (not years_of_rows and times is None) or len(rest) < 4:
            continue
        days = times is not None and np.unique(times.times.astype("M8[M]")).size < np.unique(times.times).size
        if years_of_rows and (months := _months(rest)):
            return months, tuple(f"-{number:02d}" for number in range(1, 13)), row
        for part, counts, beside, added in PARTS:
            fits = years_of_rows if part in "qmw" else (part == "h") == days or table.size < 3
            if fits and (run := _run(rest, part, counts, NAMES[part].union(beside))):
                return run, tuple(added(place, len(run)) for place in range(len(run))), row
    return (), (), None


def _months(columns: Sequence[DataColumn]) -> tuple[DataColumn, ...]:
    """Twelve columns that are called after the months, in any language."""
    words = [column for column in columns if not any(map(str.isdigit, column.name)) and not TOTALS.search(column.name)]
    for first in range(len(words) - 11):
        parsed = parse_times([f"2001 {column.name}" for column in words[first : first + 12]])
        if parsed is not None and np.all(np.diff(parsed.times.astype("M8[M]").astype(np.int64)) == 1):
            return tuple(words[first : first + 12])
    return ()


def _run(
    columns: Sequence[DataColumn], part: str, counts: Collection[int], beside: Collection[str]
) -> tuple[DataColumn, ...]:
    """Columns that are called Q1 to Q4, H01 to H24, 00:00 to 23:30."""
    matches = [(column, match) for column in columns if (match := NUMBERED.match(column.name.strip().lower()))]
    matches = [(column, match) for column, match in matches if match[1] in beside and match[4] in beside]
    numbers = [int(match[2]) * 60 + int(match[3] or 0) for _, match in matches]
    if numbers[-1:] == [0]:  # the end of the day, where periods are called by their ends
        numbers[-1] = 1440
    steps = set(np.diff(numbers).tolist())
    step = next(iter(steps), 0)
    clock = part == "h" and len(matches) * step == 1440 and numbers[0] in (0, step)
    if len(matches) not in counts or len(steps) != 1 or not (clock or (step == 60 and numbers[0] in (0, 60))):
        return ()
    return tuple(column for column, _ in matches)


def _turned(table: DataTable) -> DataTable | None:
    """The table with a row for each of the times that are names of columns, without empty cells and total columns."""
    across, added, row = _times_across(table)
    if not across:
        return None
    rest = [column for column in table.columns if column is not row and column not in across]
    sums = np.cumsum([np.zeros(table.size), *(column.numbers.values for column in across)], axis=0)
    ids = [
        column for column in rest
        if not (column.is_numeric and (_is_longer(column.name) or _is_total(column.numbers.values, sums)))
        and not (row is not None and np.array_equal(column.numbers.values, row.numbers.values))
    ]  # fmt: skip
    keys = () if row is None else keys_of(row, list(map(Profile, ids)), across[0])
    beside = [Profile(column) for column in ids if column not in keys]
    if row is not None and any(each.column.is_numeric and each.explains and each.varies for each in beside):
        return None
    cells = [column.text(place) for place in range(table.size) for column in across]
    kept = np.flatnonzero([bool(cell.strip()) and cell != "nan" for cell in cells])
    stems = [""] * table.size if row is None else _stems(row)
    texts = [f"{stem}{part}" for stem in stems for part in added]
    name = "year" if row is None and all(map(YEAR_TITLE.match, added)) else "time" if row is None else row.name
    made = (
        *(column.at(kept // len(across)) for column in ids),
        DataColumn(name, tuple(texts[k] for k in kept)),
        replace(across[0], name=VALUE, values=tuple(cells[k] for k in kept)),
    )
    names = listed([column.name for column in across])
    said = note("The columns {columns} were read as times, with a row for each.", columns=names)
    return replace(table, columns=made, notes=(*table.notes, said))


def of_named_row(table: DataTable, target: str | None) -> DataTable:
    """The table with a column of the values of one row whose columns were times, where the target is called as it.

    >>> columns = [DataColumn(name, tuple(cells)) for name, cells in [("item", "aa"), ("time", "12"), ("value", "56")]]
    >>> [column.name for column in of_named_row(DataTable(tuple(columns)), "a").columns]
    ['time', 'a']
    """
    names = [column.name for column in table.columns]
    if target is None or names[-1] != VALUE or place_of(target, names) is not None:
        return table
    named = [column.name for column in table.columns[:-2] if target in column.texts]
    if len(named) != 1:
        return table
    chosen = table_where(table, {named[0]: target})
    return replace(chosen, columns=(*chosen.columns[:-1], chosen.columns[-1].renamed(target)))


def _stems(row: DataColumn) -> list[str]:
    """The times of rows, to which the names of columns add a part."""
    if row.times is None:
        return [f"{year:.0f}" for year in row.numbers.values]
    times = row.times.times
    first_of_month = row.size > 1 and bool(np.all(times == times.astype("M8[M]")))
    return list(map(str, times.astype("M8[M]" if first_of_month else "M8[D]")))


def _is_longer(name: str) -> bool:
    """Whether a column is called after more than a month: a year, a part of one, or the first letters of its months.

    >>> [_is_longer(name) for name in ("Annual", "HALF1", "DJF", "J-D", "Jan", "Area")]
    [True, True, True, True, False, False]
    """
    word = name.strip().upper()
    letters = re.fullmatch("[JFMASOND]-[JFMASOND]", word) or (len(word) > 2 and word in 2 * "JFMAMJJASOND")
    parsed = None if letters or word[:1] not in "HQSW" else parse_times([f"2001 {word}"])
    return bool(TOTALS.search(name) or letters or parsed)


def _is_total(values: Floats, sums: Floats) -> bool:
    """Whether numbers are the sums or means of some columns beside each other, of which ``sums`` are the running ones.

    >>> sums = np.cumsum([[0.0, 0.0], [1.0, 2.0], [2.0, 2.0], [3.0, 5.0], [9.0, 7.0]], axis=0)
    >>> [_is_total(np.array(values), sums) for values in ([6.0, 9.0], [2.0, 3.0], [6.0, 8.0])]
    [True, True, False]
    """
    whole = np.isfinite(sums).all(axis=0) & np.isfinite(values)  # others are unfinished
    if not whole.any():
        return False
    values, sums = values[whole], sums[:, whole]
    first, stop = np.triu_indices(len(sums), k=FEWEST_TIMES)
    for divisor in (1, stop - first):  # most runs differ in the first row already
        alike = np.flatnonzero(np.isclose((sums[stop, 0] - sums[first, 0]) / divisor, values[0], rtol=ROUNDED))
        means = (sums[stop[alike]] - sums[first[alike]]) / np.broadcast_to(divisor, stop.shape)[alike, None]
        if np.isclose(means, values, rtol=ROUNDED).all(axis=1).any():
            return True
    return False
