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

from autostatistician.data.arrays import Rows, Times
from autostatistician.data.columns import DataColumn, DataTable, find_column
from autostatistician.data.numbers import LEDGERS, debit_of
from autostatistician.data.roles.keys import codes_of, keys_of, numbered, texts_of
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.time_column import is_called_clock, timing
from autostatistician.data.times.dates import ORDERS, in_order, order_in_words, regularity
from autostatistician.data.times.forms import NAMES, TIME_NAMES
from autostatistician.data.value_checks import without_codes
from autostatistician.data.wide import MOST_LABELS, TOTALS, cells_filled, joined_table, times_across, times_of, turned
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note, note_count
from autostatistician.i18n.names import listed

__all__ = ["as_read", "dated_column", "refuse_either_order", "score_of", "with_lengths", "with_order"]

FIRST_GREGORIAN = np.datetime64("1582-10-15", "us")  # before, days of months are those of other calendars
MOST_FILLED = 0.6  # share of the rows in which what is written once for a block stands
UNORDERED = 0.2  # the score of rows without times, between that of half of them and that of none
MISREAD = 0.5  # what a column counts whose name is a time, or a row of totals, where it is read as a quantity
FEWEST_SUMMED = 5  # rows of which a row without a name may be the sum
MOST_SUMS, ROUNDED = 0.5, 0.02  # share of the numbers of rows called totals that are such, and how well
FEWEST_TIMES = 3  # rows of one form of times, or below a heading
PROBED = 100  # cells at either end of a column
MOST_SHAPES = 10  # ways to write the cells of a column of periods of several lengths, and of what stands above them

EXTREMES = re.compile(r"^\W*(?:min|max|points possible)", re.IGNORECASE)
# How the column of marks of debits and credits is called where these are single letters.
LEDGER_NAME = re.compile(r"\b(?:d|s|dr|cr|c|h)\b|deb|soll|cred|haben|sens|sign|indicator|type", re.IGNORECASE)
A_YEAR = re.compile(r"^(?:[^\W\d]+\W+)?((?:1[5-9]|2[01])\d\d)\W*$")


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


def dated_column(columns: Sequence[DataColumn], time: str | None) -> DataColumn:
    """The column of times that is named, else the first of dates, in an order of day and month that is known.

    >>> dated_column([DataColumn("shop", ("A",)), DataColumn("day", ("2024-01-31",))], None).name
    'day'
    """
    dated = (column for column in columns if column.times is not None)
    axis = next(dated, None) if time is None else find_column(columns, time, "time axis")
    if axis is None:
        raise InputError.of(note("a column of dates"), note("none"), note("name the column of the times"))
    refuse_either_order(axis)
    return axis


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
    for step in (_without_totals, _headed, _of_finest, _carried_down, turned):
        others = [other for reading in readings if (other := step(reading)) is not None]
        readings += [other for other in others if names <= {column.name for column in other.columns}]
    best = max(readings, key=lambda reading: round(score_of(reading), 9)) if len(readings) > 1 else table
    return _signed(without_codes(joined_table(best, named)))


def with_lengths(table: DataTable, target: str | None) -> DataTable:
    """The table with numbers for the lengths of time in its target, and in all columns that hold no dates and are not
    called times of the clock; in these, too, where they only rise and no column of times orders the rows.

    >>> [column] = with_lengths(DataTable((DataColumn("Time", ("0:30", "1:00", "25:00")),)), None).columns
    >>> column.numbers.values.tolist()
    [30.0, 60.0, 1500.0]
    """
    named = None if target is None else find_column(table.columns, target, "target")
    unordered = table.size > 0 and timing([Profile(column) for column in table.columns]).column is None

    def read(place: int, column: DataColumn) -> DataColumn:
        if column is named or not (is_called_clock(column) or column.times is not None):
            return column.as_lengths()
        may_order = unordered and (place == 0 or Profile(column).has_time_name) and ":" in column.text(0)
        return made if may_order and Profile(made := column.as_lengths()).is_monotone else column

    return replace(table, columns=tuple(read(place, column) for place, column in enumerate(table.columns)))


def score_of(table: DataTable) -> float:
    """How well a reading explains a table, at most 1: the share of its rows with a time, how regular these times are
    (for each key, where there are several), and the share of the columns, names included, that are understood.
    """
    _, (across, _), _ = times_across(table)
    table = joined_table(table)
    profiles = [Profile(column) for column in table.columns]
    understood = np.mean([
        (MISREAD if column in across else 1.0) * (1.0 if profile.is_number or profile.times is not None else 0.9)
        for column, profile in zip(table.columns, profiles, strict=True)
    ])  # fmt: skip
    axis = timing(profiles).column or DataColumn("", np.zeros(0))
    times = times_of(axis)
    there = np.flatnonzero(~np.isnat(times))
    if not there.size:
        totals = _totals(table)[0]
        found = _are_sums(table, totals, ROUNDED)
        misread = MISREAD * len(totals) / table.size if sum(found) >= MOST_SUMS * len(found) else 0.0
        return UNORDERED * (1.0 - misread) * float(understood)
    keys = keys_of(axis, profiles)
    each = np.unique(times[there], return_inverse=True)[1].astype(np.int64)
    once = np.unique(numbered([each, *(codes_of(key)[there] for key in keys)])[0]).size / there.size
    regular = float(understood) * regularity(np.unique(times[there]))
    return float(regular * there.size / table.size * once**0.999)  # of equals that with fewer rows without a time


# --- Blocks of columns side by side ----------------------------------------------------------------------------------


def _stacked(table: DataTable) -> DataTable:
    """The table with blocks of columns under the same header below each other, where their times go on.

    Where their times overlap the first is left alone: rows would join what belongs to several times.
    """
    first, *others = blocks = _blocks([column for column in table.columns if not Profile(column).is_empty])
    place = next((place for place, column in enumerate(first) if column.times is not None), 0)
    axes = [times_of(block[place]) for block in blocks if others]
    alike = all(np.all(np.isnat(axis) | (axis == axes[0])) for axis in axes)
    if alike or not all(map(in_order, axes)):
        return table
    spans = sorted((np.nanmin(axis), np.nanmax(axis)) for axis in axes)
    names, *more = {tuple(re.sub(r"_\d+$|(?:19|20)\d\d", "", each.name).strip() for each in block) for block in blocks}
    if not more and all(one[1] < other[0] for one, other in pairwise(spans)):
        rows = [np.flatnonzero(~np.isnat(axis)) for axis in axes]
        cells = [[texts_of(each.at(there)) for each in block] for block, there in zip(blocks, rows, strict=True)]
        values = [tuple(chain.from_iterable(parts)) for parts in zip(*cells, strict=True)]
        columns = [replace(each, name=name, values=v) for each, name, v in zip(first, names, values, strict=True)]
        said = note("{n} blocks of columns with the same names were read below each other.", n=len(blocks))
    else:
        columns, left = list(first), listed([column.name for block in others for column in block])
        said = note("Columns {columns} have other times, of their own, and were left out.", columns=left)
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
        rows = words
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
    """The table with what stands in rows above others, such as a year, as a part of their times or as a column.

    It stands alone, or is a time beside numbers of this longer period, which are left out.
    """
    label, *rest = table.columns
    if not rest or not isinstance(label.values, tuple):
        return None
    first, some = _shape(label.text(0)), np.any([cells_filled(column) for column in rest], axis=0)
    is_head = cells_filled(label) & ~some
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
    times = {shape: times_of(column.at(rows)) for shape, rows in parts.items() if rows.size >= FEWEST_TIMES}
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


def _carried_down(table: DataTable) -> DataTable | None:
    """The table with what stands once above a block of rows (a year, a region, a date) in each of them."""
    columns, names = list(table.columns), list[str]()
    for place, column in enumerate(columns[:-1][:MOST_LABELS]):
        filled = cells_filled(column)
        starts = np.flatnonzero(filled)
        fewest = 1 if column.name.strip().lower() in NAMES["y"] else 2
        if starts.size < fewest or starts[0] or starts.size == table.size:
            continue
        labels = column.at(starts)
        known = labels.times is not None or np.all(~np.isnat(times_of(labels)))
        differ = all(labels.text(row) != labels.text(row + 1) for row in range(starts.size - 1))
        few = starts.size <= MOST_FILLED * table.size and differ and (known or not labels.is_numeric)
        if few or (known and _are_of_blocks(times_of(labels), starts)):
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


def _signed(table: DataTable) -> DataTable:
    """The table with amounts negative that the column beside them marks as debits."""
    for place, column in enumerate(table.columns):
        may = any(column.text(0).strip().lower() in pair for pair in LEDGERS)
        debit = debit_of(filter(None, column.texts)) if may else ""
        if not debit or not (len(debit) > 1 or LEDGER_NAME.search(column.name)):
            continue
        beside = (*table.columns[place - 1 : place], *table.columns[place + 1 : place + 2])
        amounts = next((each for each in beside if each.is_numeric and not Profile(each).is_whole), None)
        if amounts is None or np.nanmin(amounts.numbers.values) < 0.0:
            continue
        minus = [(text or "").lower() == debit for text in column.texts]
        mark = repr(column.text(minus.index(True)))
        said = note("In column {name} amounts marked {mark} were read as negative.", name=repr(amounts.name), mark=mark)
        values = np.where(minus, -amounts.numbers.values, amounts.numbers.values)
        signed = replace(amounts, values=values, notes=(*amounts.numbers.notes, said))
        return replace(table, columns=tuple(signed if each is amounts else each for each in table.columns))
    return table
