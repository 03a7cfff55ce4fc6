"""How a table lies is decided as a whole: few readings of it are scored by one function, and the best is taken.

A reading leaves rows of totals or of longer periods out, carries down what is written once for a block or above it, or
turns names of columns that are times (years, months, hours) into a column of times.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, pairwise, product

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats, Rows, Times
from autostatistician.data.columns import DataColumn, DataTable, place_of
from autostatistician.data.roles.keys import codes_of, keys_of, numbered, table_where, texts_of
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.time_column import PARTS_OF_DAY, joined, timing
from autostatistician.data.times.dates import HALF, ORDERS, in_order, order_in_words, parse_times, regularity
from autostatistician.data.times.forms import LATEST_YEAR, NAMES, TIME_NAMES, USUAL_YEAR
from autostatistician.data.times.languages import are_weekdays
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
NUMBERED = re.compile(r"^([^\W\d_]*)[ _.-]?(\d{1,2})(?::(\d\d))?(?:\s?-\s?\d{1,2}(?::\d\d)?)?[. ]*([^\W\d]*)$")
# Columns that are called after parts of the time of their row: the part (see `NAMES`), how many there are, what else
# may stand beside their numbers, the unit of the time of the row, and the length of a part, or of all of them.
PARTS: tuple[tuple[str, Collection[int], Collection[str], str, np.timedelta64], ...] = (
    ("q", (4,), ("", "q", "t"), "Y", np.timedelta64(3, "M")),
    ("m", (12,), ("", "m"), "Y", np.timedelta64(1, "M")),
    ("w", (52, 53), ("", "w", "cw"), "Y", np.timedelta64(7, "D")),
    ("h", PARTS_OF_DAY, ("", "h", "p"), "D", np.timedelta64(1440, "m")),
    ("d", (28, 29, 30, 31), ("", "d"), "M", np.timedelta64(1, "D")),
)
FISCAL = re.compile(r"\bfye?(?:\b|\d)|\bfiscal", re.IGNORECASE)  # years that are called by the year in which they end
Across = tuple[tuple[DataColumn, ...], Times]  # columns that stand for times, and the times of all their cells


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
    >>> time, value = as_read(DataTable((year, *quarters))).columns
    >>> time.values[:3].astype(str).tolist(), value.values[:3]
    (['2020-01', '2020-04', '2020-07'], ('1', '1', '1'))
    """
    if table.size < 1:
        return table
    names = {column.name for column in table.columns}.intersection(named)
    table = next(each for each in (_stacked(table), table) if names <= {column.name for column in each.columns})
    readings = [table]
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
    _, (across, _), _ = _times_across(table)
    table = _joined(table)
    profiles = [Profile(column) for column in table.columns]
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
    once = once**0.999  # of equals the reading that leaves fewer rows without a time
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


# --- Blocks of columns side by side ----------------------------------------------------------------------------------


def _stacked(table: DataTable) -> DataTable:
    """The table with blocks of columns under the same header below each other, where their times go on.

    Where their times overlap the first is left alone: rows would join what belongs to several times.
    """
    first, *others = blocks = _blocks([column for column in table.columns if not Profile(column).is_empty])
    place = next((place for place, column in enumerate(first) if column.times is not None), None)
    axes = [_times_of(b[place]) if place is not None else b[0].numbers.values.astype("M8[us]") for b in blocks]
    if not others or not all(map(in_order, axes)) or np.array_equal(axes[0], axes[1]):
        return table
    spans = sorted((np.nanmin(axis), np.nanmax(axis)) for axis in axes)
    names, *more = {tuple(re.sub(r"_\d+$|(?:19|20)\d\d", "", each.name).strip() for each in block) for block in blocks}
    if not more and all(one[1] < other[0] for one, other in pairwise(spans)):
        rows = [np.flatnonzero(~np.isnat(axis)) for axis in axes]
        cells = [[texts_of(each.at(there)) for each in block] for block, there in zip(blocks, rows, strict=True)]
        values = [tuple(chain.from_iterable(parts)) for parts in zip(*cells, strict=True)]
        columns = [replace(each, name=name, values=v) for each, name, v in zip(first, names, values, strict=True)]
        said = note("{n} blocks of columns with the same names were read below each other.", n=len(blocks))
    elif place is not None:
        columns, left = list(first), listed([column.name for block in others for column in block])
        said = note("Columns {columns} have other times, of their own, and were left out.", columns=left)
    else:
        return table
    return replace(table, columns=tuple(columns), notes=(*table.notes, said))


def _blocks(columns: Sequence[DataColumn]) -> list[Sequence[DataColumn]]:
    """Blocks of as many columns each, the first of which has the same name; all in one where there are none."""
    again = re.compile(re.escape(columns[0].name) + r"_\d+") if columns else re.compile("")
    starts = [place for place, column in enumerate(columns) if place == 0 or again.fullmatch(column.name)]
    blocks = [columns[start:stop] for start, stop in pairwise([*starts, len(columns)])]
    return blocks if len({len(block) for block in blocks}) == 1 < len(blocks[0]) else [columns]


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

    A first row alone may be that of all others. Rows that are called the least or the most lie beyond the others.
    """
    found = []
    for last, row in pairwise([-1, *totals]):
        rows = np.setdiff1d(np.arange(last + 1, row), totals)
        rows = rows if rows.size else np.setdiff1d(np.arange(table.size if totals == [0] else row), totals)
        for values in (column.numbers.values for column in table.columns if column.is_numeric and rows.size):
            others = values[rows][np.isfinite(values[rows])]
            if others.size and np.isfinite(values[row]):
                ends = others.sum(), others.mean()
                beyond = EXTREMES.search(table.columns[0].text(row)) and not others.min() < values[row] < others.max()
                found.append(bool(beyond or np.isclose(values[row], ends, rtol=rtol).any()))
    return found


def _of_rows(table: DataTable, rows: Rows, said: str) -> DataTable:
    return replace(table, columns=tuple(column.at(rows) for column in table.columns), notes=(*table.notes, said))


def _headed(table: DataTable) -> DataTable | None:
    """The table with what stands in rows above others, such as a year, as a part of their times or as a column.

    It stands alone, or is a time beside numbers of this longer period, which are left out.
    """
    label, *rest = table.columns
    if not rest or not isinstance(label.values, tuple):
        return None
    is_head, first = _filled(label) & ~np.any([_filled(column) for column in rest], axis=0), _shape(label.text(0))
    alone, probe = is_head[0], {_shape(label.text(row)) for row in range(min(table.size, PROBED))}
    if not alone and "9" in first and 1 < len(probe) <= MOST_SHAPES:
        is_head = np.array([_shape(label.text(row)) == first for row in range(table.size)])
    heads, rows = np.flatnonzero(is_head), np.flatnonzero(~is_head)
    if heads.size < 2 or heads[0] or np.diff([*heads, table.size]).min() < FEWEST_TIMES:
        return None
    above = label.at(heads[np.searchsorted(heads, rows) - 1])
    said = message("Rows such as {cell} were read as headings of those below.")
    beside = message(
        "Rows such as {cell} were read as headings of those below; their own numbers, of longer periods, were left out."
    )
    told = _of_rows(table, rows, note(said if alone else beside, cell=repr(above.text(0))))
    cells = [label.text(row) for row in rows.tolist()]
    whole, years = above.texts, [A_YEAR.sub(r"\1", text or "") for text in above.texts]
    for head, form in product((whole, years), ("{0} {1}", "{1} {0}")):
        dated = replace(label, values=tuple(map(form.format, head, cells)))
        if dated.times is not None:
            return replace(told, columns=(dated, *told.columns[1:]))
    return replace(told, columns=(above.renamed("heading"), *told.columns)) if alone else None


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
        if starts.size < fewest or starts[0] or starts.size == table.size:
            continue
        labels = column.at(starts)
        known = labels.times is not None or np.all(~np.isnat(_times_of(labels)))
        differ = all(labels.text(row) != labels.text(row + 1) for row in range(starts.size - 1))
        few = starts.size <= MOST_FILLED * table.size and differ and (known or not labels.is_numeric)
        if few or (known and _are_of_blocks(_times_of(labels), starts)):
            columns[place] = column.at(np.maximum.accumulate(np.where(filled, np.arange(table.size), 0)))
            names.append(column.name)
    if not names:
        return None
    said = note("What stands once above several rows was carried down: {columns}.", columns=listed(names))
    return replace(table, columns=tuple(columns), notes=(*table.notes, said))


def _are_of_blocks(times: Times, rows: Rows) -> bool:
    """Whether times at some rows hold for those between, too: these have no room, clearly, on the way to the next.

    Where their times are missing, the next is as many steps away as there are rows.

    >>> rows = np.cumsum(np.tile([1, 2], 20))
    >>> _are_of_blocks(rows.astype("M8[D]"), rows), _are_of_blocks(np.arange(40).astype("M8[D]"), rows)
    (False, True)
    """
    steps, passed = np.abs(np.diff(times).astype(np.float64)), np.diff(rows)
    if not in_order(times) or not 1 == passed.min() < passed.max():
        return False
    there, expected = steps[passed > 1].sum() / steps[passed == 1].mean(), passed[passed > 1].sum()
    return bool(there + 2.0 * np.sqrt(expected) < expected)


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


def _times_across(table: DataTable) -> tuple[DataTable, Across, DataColumn | None]:
    """Columns that stand for times, the times (rows, columns) of their cells, and the column of those of the rows.

    Without such a column, all rows have the same times; it may be made of several, as it is in the table with them.
    """
    numbers = [column for column in table.columns if column.is_numeric or Profile(column).is_empty]
    years = [(column, np.datetime64(match[1])) for column in numbers if (match := YEAR_TITLE.match(column.name))]
    dated = [column for column in numbers if _DATED_TITLE.search(column.name)]
    parsed = parse_times([column.name for column in dated], HALF) if len(dated) > len(years) else None
    if parsed is not None:  # others, as years beside their quarters, are no such times
        years = [(column, time) for column, time in zip(dated, parsed.times, strict=True) if not np.isnat(time)]
    if len(years) >= FEWEST_TIMES:
        columns, times = zip(*years, strict=True)
        return table, (columns, np.broadcast_to(np.array(times), (table.size, len(times)))), None
    for row in table.columns[:MOST_LABELS]:
        rest = [column for column in numbers if column is not row]
        known = len(rest) >= 4 and (row.times is not None or not np.isnat(_times_of(row)).any())
        if known and (found := _parts_of(row, rest)):
            return table, found, row
    whole = _joined(table)
    return (table, ((), np.zeros((table.size, 0), "M8[us]")), None) if whole is table else _times_across(whole)


def _parts_of(row: DataColumn, columns: Sequence[DataColumn]) -> Across | None:
    """Columns that are called after parts of the times of rows, as months of years, and the times of their cells."""
    times = _times_of(row)
    each = np.unique(times[~np.isnat(times)])
    units = "DM" if each.size < 3 else "D" if np.unique(each.astype("M8[M]")).size < each.size else "M"
    if np.all(each == each.astype("M8[Y]")):
        units = "Y" if each.size > 2 else "YDM"
        if (months := _months(columns)) is not None:
            fiscal, one = FISCAL.search(f"{row.name} {row.text(0)}"), len(re.findall(r"\d+", row.text(0))) == 1
            first = times.astype("M8[Y]") - int(bool(months[1][0] and fiscal and one))
            return months[0], first.astype("M8[M]")[:, None] + months[1].astype("m8[M]")
    for part, counts, beside, unit, length in PARTS:
        run = _run(columns, counts, NAMES[part].union(beside), clock=unit == "D") if unit in units else None
        if run is not None:
            part_length = length // run[2] if unit == "D" else length
            return run[0], _starts(times.astype(f"M8[{unit}]")[:, None], _on_the_wall(*run) * part_length)
    week = _week(columns, each)
    return (week, times.astype("M8[D]")[:, None] + np.arange(len(week)).astype("m8[D]")) if week else None


def _starts(rows: Times, since: NDArray[np.timedelta64]) -> Times:
    """When parts of the years, months or days of rows (n, 1) begin; not a time beyond their end.

    >>> _starts(np.array([["2021-02"]], "M8[M]"), np.arange(27, 29).astype("m8[D]")).tolist()
    [[datetime.date(2021, 2, 28), None]]
    """
    weeks = rows.dtype == "M8[Y]" and since.dtype == "m8[D]"  # a week is of the year in which its Thursday lies
    first = rows.astype("M8[D]") + (-rows.astype("M8[D]").astype(np.int64)) % 7 if weeks else rows
    starts = first + since
    return np.where(starts.astype(rows.dtype) == rows, starts - 3 if weeks else starts, np.datetime64("NaT"))


def _months(columns: Sequence[DataColumn]) -> tuple[tuple[DataColumn, ...], Rows] | None:
    """Twelve columns that are called after the months, in any language and from any month on, and their places."""
    words = [column for column in columns if not any(map(str.isdigit, column.name)) and not TOTALS.search(column.name)]
    for first in range(len(words) - 11):
        parsed = parse_times([f"2001 {column.name}" for column in words[first : first + 12]])
        months = None if parsed is None else parsed.times.astype("M8[M]").astype(np.int64) % 12
        if months is not None and np.all(np.diff(months) % 12 == 1):
            return tuple(words[first : first + 12]), months[0] + np.arange(12)
    return None


def _week(columns: Sequence[DataColumn], days: Times) -> tuple[DataColumn, ...]:
    """Columns that are called after the days of the week, in any language, from that of all ``days`` of rows on."""
    weekdays = np.unique((days.astype("M8[D]").astype(np.int64) + 3) % 7).tolist()
    names = [column.name for column in columns] if len(weekdays) == 1 < days.size else []
    for length, first in product((7, 6, 5), range(len(names) - 4)):
        week, whole = names[first : first + length], first > 0 and names[first - 1 : first + length]
        if are_weekdays(week, weekdays[0]) and not (whole and are_weekdays(whole, weekdays[0] - 1)):
            return tuple(columns[first : first + length])
    return ()


def _run(
    columns: Sequence[DataColumn], counts: Collection[int], beside: Collection[str], *, clock: bool
) -> tuple[tuple[DataColumn, ...], Rows, int] | None:
    """Columns that are called Q1 to Q4, H01 to H24, 00:00 to 23:30, the place of each, and how many there should be.

    Of hours one may be left out, or stand behind the last, for the day on which the clock is put back.
    """
    matches = [(column, match) for column in columns if (match := NUMBERED.match(column.name.strip().lower()))]
    matches = [(column, match) for column, match in matches if match[1] in beside and match[4] in beside]
    numbers = np.array([int(match[2]) * 60 + int(match[3] or 0) for _, match in matches])
    if numbers.size < min(counts) * 23 // 24:
        return None
    if numbers[-1] == 0:  # the end of the day, where periods are called by their ends
        numbers[-1] = 1440
    step = max(int(np.diff(numbers).min()), 1)
    places, rest = np.divmod(numbers - numbers[0], step)
    more = {n: n // 24 if clock else 0 for n in counts}
    n = next((n for n in counts if n <= places[-1] + 1 <= n + more[n] and places.size >= n - more[n]), 0)
    known = step == 60 or (clock and n * step == 1440)
    if not n or rest.any() or np.diff(places).min() < 1 or not known or numbers[0] not in (0, step):
        return None
    return tuple(column for column, _ in matches), places, n


def _on_the_wall(columns: Sequence[DataColumn], places: Rows, n: int) -> Rows:
    """The places of parts of days (rows, parts) on the clock, which is put back at 3:00 on days of 25 hours.

    >>> day = [DataColumn(f"H{k + 1}", (str(k), "" if k > 23 else "0")) for k in range(25)]
    >>> _on_the_wall(day, np.arange(25), 24)[:, [2, 3, 24]].tolist()
    [[2, 2, 23], [2, 3, 24]]
    """
    late = _filled(columns[-1])[:, None] & (places[-1] >= n)
    shown: Rows = places - late * (places >= 3 * n // 24) * (n // 24)
    return shown


def _turned(table: DataTable) -> DataTable | None:
    """The table with a row for each of the times that are names of columns, without empty cells and total columns."""
    table, (across, times), row = _times_across(table)
    if not across:
        return None
    rest = [column for column in table.columns if column is not row and column not in across]
    sums = np.cumsum([np.zeros(table.size), *(column.numbers.values for column in across)], axis=0)
    ids = [
        column for column in rest
        if not (column.is_numeric and (_is_longer(column.name) or _is_total(column.numbers.values, sums)))
        and not (row is not None and Profile(column).is_number and Profile(column).has_time_name)
    ]  # fmt: skip
    keys = () if row is None else keys_of(row, list(map(Profile, ids)), across[0])
    beside = [Profile(column) for column in ids if column not in keys]
    if row is not None and any(each.column.is_numeric and each.explains and each.varies for each in beside):
        return None
    cells = [column.text(place) for place in range(table.size) for column in across]
    kept = np.flatnonzero([bool(cell.strip()) and cell != "nan" for cell in cells])
    made = (
        *(column.at(kept // len(across)) for column in ids),
        _column_of(row, times, kept),
        replace(across[0], name=VALUE, values=tuple(cells[k] for k in kept)),
    )
    names = listed([column.name for column in across])
    said = note("The columns {columns} were read as times, with a row for each.", columns=names)
    return replace(table, columns=made, notes=(*table.notes, said))


def _column_of(row: DataColumn | None, times: Times, kept: Rows) -> DataColumn:
    """The column of the times of cells, or of the years that they are."""
    cells = times.reshape(-1)[kept]
    if row is None and times.dtype == "M8[Y]":
        return DataColumn("year", (cells.astype(np.int64) + 1970).astype(np.float64))
    notes = row.times.notes if row is not None and row.times is not None else ()
    if row is not None and times.dtype == "M8[M]" and times[0, 0] != times[0, 0].astype("M8[Y]"):
        told = {"cell": repr(row.text(0)), "first": str(times[0, 0]), "last": str(times[0, -1])}
        notes = (note("Years such as {cell} were read as those from {first} to {last}.", **told),)
    return DataColumn("time" if row is None else row.name, cells, notes)


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
