"""Long tables, in which every time stands once for each of several things; and the rows of one of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.columns import DataColumn, DataTable, find_column
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.roles.profiles import Profile
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note, note_count
from autostatistician.i18n.names import all_of, did_you_mean, listed

__all__ = [
    "LEAST_REPEATED_TIMES", "MOST_REPEATED_KEYS", "LongTableError", "codes_of", "keys_of", "numbered", "refuse_long",
    "table_where", "texts_of", "time_codes",
]  # fmt: skip

LEAST_REPEATED_TIMES = 0.2  # share of the rows that repeat a time: fewer are corrections or copies
MOST_REPEATED_KEYS = 0.05  # share of the rows that may repeat a time and a key
LEAST_FILLED_PAIRS = 0.5  # share of all pairs of a time and a number that occur where such numbers are keys
FEWEST_TIMES_EACH = 3  # of a series on average, if there are as many: fewer columns hardly tell series apart
MOST_CANDIDATES = 6  # candidates that are looked at
MOST_KEYS = 3  # columns that tell the rows of a time apart together
WHOLE_BELOW = 2.0**53  # whole numbers that float64 tells apart
Codes = NDArray[np.int64]


def keys_of(axis: DataColumn, profiles: Sequence[Profile], target: DataColumn | None = None) -> tuple[DataColumn, ...]:
    """The columns that tell apart the rows of one time, () where times do not repeat or nothing tells them apart.

    Of several columns of numbers one must be left as the target, if that is not known.

    >>> month = DataColumn("month", ("2020-01", "2020-01", "2020-02", "2020-02"))
    >>> shop = Profile(DataColumn("shop", ("A", "B", "A", "B")))
    >>> [column.name for column in keys_of(month, [shop])]
    ['shop']
    """
    times = time_codes(axis)
    rows = np.flatnonzero(times >= 0)
    if rows.size - np.unique(times[rows]).size < max(LEAST_REPEATED_TIMES * rows.size, 1):
        return ()
    others = [profile for profile in profiles if profile.column is not target and profile.column is not axis]
    classes = [profile for profile in others if profile.is_class and profile.levels > 1]
    numbers = [profile for profile in others if not profile.is_class and _is_grid(profile, times, rows)]
    quantities = sum(profile.is_number and not profile.names_rows for profile in others)
    several = [*classes, *(numbers if target is not None or quantities > len(numbers) else [])]
    codes = {id(profile): codes_of(profile.column) for profile in several[:MOST_CANDIDATES]}
    repeated, fewest = MOST_REPEATED_KEYS * rows.size, min(FEWEST_TIMES_EACH, np.unique(times[rows]).size)
    for count in range(1, MOST_KEYS + 1):
        for group in combinations(several[:MOST_CANDIDATES], count):
            series, _ = numbered([codes[id(profile)] for profile in group])
            each, pairs = np.unique(series[rows]).size, np.unique(numbered([times, series])[0][rows]).size
            filled = rows.size / (each * np.unique(times[rows]).size)  # of all pairs
            chance = rows.size * (1.0 + np.expm1(-filled) / filled)  # rows that repeat a pair if things have any times
            is_rare = filled >= LEAST_FILLED_PAIRS or rows.size - pairs < chance - 2.0 * np.sqrt(chance)
            if is_rare and rows.size / each >= fewest and rows.size - pairs <= repeated:
                return tuple(profile.column for profile in group)
    return ()


def time_codes(axis: DataColumn) -> Codes:
    """A number for each time of a column, -1 where there is none."""
    parsed = axis.times
    values = axis.numbers.values if parsed is None else parsed.times
    readable = np.isfinite(values)
    codes = np.full(axis.size, -1, dtype=np.int64)
    codes[readable] = np.unique(values[readable], return_inverse=True)[1]
    return codes


def codes_of(column: DataColumn) -> Codes:
    """A number for each different text of a column, in the order in which they come."""
    from pandas import factorize

    return np.asarray(factorize(np.array(texts_of(column), dtype=object))[0], dtype=np.int64)


def numbered(columns: Sequence[Codes]) -> tuple[Codes, Codes]:
    """A number for each different row of some columns of codes, in the order in which they come, and its first row.

    >>> codes, first = numbered([np.array([1, 0, 1, 1]), np.array([0, 0, 1, 0])])
    >>> codes.tolist(), first.tolist()
    ([0, 1, 2, 0], [0, 1, 2])
    """
    from pandas import factorize

    together = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        together = np.asarray(factorize(together * (int(codes.max(initial=0)) + 2) + codes + 1)[0], dtype=np.int64)
    _, first = np.unique(together, return_index=True)
    return together, np.asarray(first, dtype=np.int64)


def texts_of(column: DataColumn) -> list[str]:
    """The cells as one writes them: numbers without a needless point."""
    values = column.values
    if isinstance(values, tuple):
        return ["" if cell is None else cell.strip() for cell in values]
    if len(column.levels) == 2:
        return ["" if np.isnan(value) else column.levels[int(value != 0)] for value in values]
    return [_number_text(value) for value in values.tolist()] if values.dtype.kind == "f" else list(map(str, values))


def _number_text(value: float) -> str:
    """A number with all of its digits: two ids must not become one.

    >>> _number_text(1234567.0), _number_text(0.1), _number_text(float("nan"))
    ('1234567', '0.1', '')
    """
    if value != value:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < WHOLE_BELOW else repr(value)


def _is_grid(profile: Profile, times: Codes, rows: Codes) -> bool:
    """Whether whole numbers name things, as store 1, 2 and 3 do: each stands at (nearly) every time."""
    whole = profile.is_number and profile.is_whole and profile.finite.size == profile.column.size
    able = whole and profile.distinct > 1 and not profile.has_time_name
    return able and bool(rows.size >= LEAST_FILLED_PAIRS * profile.distinct * np.unique(times[rows]).size)


class LongTableError(InputError):
    """A table holds several series under each other; ``choices`` are its keys with their values."""

    choices: Mapping[str, Sequence[str]] = MappingProxyType({})


def refuse_long(axis: DataColumn, keys: Sequence[DataColumn]) -> LongTableError:
    """The error for a table of several series under each other: what its keys are, and how to choose one."""
    choices = {column.name: list(dict.fromkeys(filter(None, texts_of(column)))) for column in keys}
    first = {name: values[0] for name, values in choices.items()}
    options = " ".join(f"--where {shlex.quote(f'{name}={value}')}" for name, value in first.items())
    repeats = note_count(
        len(keys),
        "times in {axis} that repeat, where {names} looks like a key ({values})",
        "times in {axis} that repeat, where {names} look like keys ({values})",
        axis=repr(axis.name), names=all_of(map(repr, choices)), values="; ".join(map(listed, choices.values())),
    )  # fmt: skip
    remedy = note(
        "choose one series with {options} (in Python: {where}), or model all with {command} (in Python: fit_panel)",
        options=options, where=f"where={first!r}",
        command=f"'autostatistician panel --id {shlex.quote(','.join(choices))}'",
    )  # fmt: skip
    error = LongTableError.of(note("one row for each time"), repeats, remedy)
    error.choices = choices
    return error


def table_where(table: DataTable, where: Mapping[str, object] | None) -> DataTable:
    """The rows of a table in which columns hold the given values, without those columns, and a sentence on it.

    >>> shop, sales = DataColumn("shop", ("A", "B", "A")), DataColumn("sales", ("1", "2", "3"))
    >>> table_where(DataTable((shop, sales)), {"shop": "A"}).columns[0].values
    ('1', '3')
    """
    if not where:
        return table
    kept = np.ones(table.size, dtype=np.bool_)
    used = []
    for name, value in where.items():
        column = find_column(table.columns, name, "rows to choose")
        here = _equal(column, value)
        if not np.any(here & kept):
            present = list(dict.fromkeys(filter(None, np.array(texts_of(column), dtype=object)[kept])))
            remedy = did_you_mean(str(value), present, note("choose one of these"))
            expected = note("rows with {value} in column {column}", value=repr(str(value)), column=repr(column.name))
            raise InputError.of(expected, note("only {values}", values=listed(present)), remedy)
        used.append(column)
        kept &= here
    rows = np.flatnonzero(kept)
    rest = tuple(column.at(rows) for column in table.columns if all(column is not other for other in used))
    chosen = all_of(
        note("{column} is {value}", column=repr(column.name), value=repr(str(value)))
        for column, value in zip(used, where.values(), strict=True)
    )
    said = note_count(
        len(rows), "Only the {n} row of {all} where {chosen} is used.",
        "Only the {n} rows of {all} where {chosen} are used.",
        n=len(rows), all=kept.size, chosen=chosen,
    )  # fmt: skip
    return replace(table, columns=rest, notes=(said, *table.notes))


def _equal(column: DataColumn, value: object) -> NDArray[np.bool_]:
    wanted = str(value).strip()
    here = np.array([text == wanted for text in texts_of(column)], dtype=np.bool_)
    if here.any():
        return here
    return np.asarray(column.numbers.values == parse_numbers([wanted], comma=column.comma).values[0])
