"""What is wrong with or remarkable about values: constant, tiny, far from zero, placeholders among the numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autostatistician.data.arrays import Flags, Floats
from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.missing import said_of_rows
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.row_limits import BY_CHANCE, ROW_LIMITS, RowLimits
from autostatistician.errors import InputError
from autostatistician.i18n.messages import Number, message, note, note_count, note_some
from autostatistician.i18n.names import listed

__all__ = [
    "LARGEST_VALUE",
    "check_reach",
    "check_size",
    "checked_table",
    "checked_varying",
    "far_from_zero",
    "has_two_values",
    "is_copy",
    "left_out_as_too_large",
    "remarks",
    "without_codes",
]

CODE = re.compile(r"-9+(?:\.9+)?|9{2,}(?:\.9+)?")  # of a missing value
CODE_BESIDE = re.compile(r"-?(?:9+[6-8]?|([6-8])\1*)(?:\.9+)?")  # beside such a one: 98, -88
CODE_BELOW_ZERO = re.compile(r"-(?:9{2,}(?:\.9+)?|9*[6-8]{1,2}\d?)")  # where no other number lies there
MOST_CODES = 4  # of one column, beside each other
MOST_SPACINGS = 10  # of numbers, that -1 lies apart from them where it is a code
WORD_OF_CODE = re.compile(r"[^\W\d]{1,5}(?:\.[^\W\d]{1,5})?\.?")
MOST_MISSING, MOST_OF_ONE = 0.5, 0.2  # share of the rows with a code, and with -1: more are days that are closed
MOST_WORDS, LEAST_NUMBERS = 3, 0.7  # different words among numbers, and share of the numbers, where words are codes
FEWEST_WHOLE = 10  # different whole numbers that are quantities: fewer may be classes, as the words beside them
HARDLY_AGREE, FEWEST_DIFFERENT = 0.95, 20  # share of different rows that two columns tell apart, and how many of them
MATTERING = 0.05  # share of copies among the rows: fewer change nothing that is told
LARGEST_VALUE = 1e150  # the squares of larger numbers are infinite in float64
LEAST_SIZE = 1e-140  # the squares of smaller numbers are zero in float64
MOST_RANGES = 1e9  # of the data, within which rows may be predicted: farther off all rows of the data are one place
LEAST_DIFFERENCE = 64 * float(np.finfo(np.float64).eps)  # relative differences that a few roundings explain
MOST_ROWS_BY_CHANCE = 4  # two values alone among so few rows may be an accident
MOST_SDS_FROM_ZERO = 1e6  # beyond, float64 loses digits that matter


def checked_table(X: Floats, columns: Sequence[str], limits: RowLimits = ROW_LIMITS) -> tuple[str, ...]:
    """What is to be said of the inputs (n, d) of a table: columns that cannot explain anything, and many rows.

    >>> checked_table(np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]]), ("a", "b"))
    ("All rows have the same value of column 'b', so nothing can be said about it.",)
    """
    n, d = X.shape
    if n > limits.tables:
        remedy = note(BY_CHANCE, n=limits.tables * 2 // 3)
        raise InputError.of(note("at most {n} rows of a table", n=limits.tables), f"{n}", remedy)
    if n < d:
        size = note_count(n, "{n} sample of {columns} columns", "{n} samples of {columns} columns", n=n, columns=d)
        remedy = note("name fewer inputs, or give more rows")
        raise InputError.of(note("at least as many rows as columns"), size, remedy)
    constant = checked_varying(X, columns)
    said = note_some(
        len(constant), "All rows have the same value of column {columns}, so nothing can be said about it.",
        "All rows have the same value of the columns {columns}, so nothing can be said about them.",
        columns=listed(constant),
    )  # fmt: skip
    slow = message("With {n} rows the search may take long; a sample of {fewer} rows would speed it up.")
    return said + ((note(slow, n=n, fewer=limits.slow),) if n >= limits.slow else ())


def is_copy(cells: Floats) -> Flags:
    """Which rows (n, d) repeat an earlier one in every cell, where these matter and are no accident of few values.

    They are none where the others have two columns (of two: one) in which hardly any of them agree.

    >>> rng = np.random.default_rng(0)
    >>> rows, few = rng.normal(size=(40, 3)), rng.integers(0, 3, (40, 3)).astype(float)
    >>> [int(is_copy(np.vstack([each, each[:10]])).sum()) for each in (rows, few)]
    [10, 0]
    """
    _, first, places = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    copies = first[places.ravel()] != np.arange(len(cells))
    rows = cells[~copies]
    order = sorted(range(cells.shape[1]), key=lambda k: -len(np.unique(rows[:, k])))[: 1 + (cells.shape[1] > 2)]
    apart = len(np.unique(rows[:, order], axis=0)) >= HARDLY_AGREE * len(rows)
    told = apart and len(rows) >= FEWEST_DIFFERENT and copies.mean() >= MATTERING
    return copies if told else np.zeros_like(copies)


def checked_varying(X: Floats, columns: Sequence[str]) -> list[str]:
    """The columns (of n, d) with one value only; some column must vary."""
    constant = [name for name, values in zip(columns, X.T, strict=True) if values.min() == values.max()]
    if len(constant) == len(columns) and len(X) > 1:
        unvarying = note_count(
            len(constant), "one value in {columns}", "one value each in {columns}", columns=listed(constant)
        )
        raise InputError.of(note("an input column that varies"), unvarying, note("name other inputs"))
    return constant


def check_size(X: Floats, columns: Sequence[str]) -> None:
    """Refuse columns (of n, d) of numbers so small that the squares of their distances vanish.

    >>> check_size(np.array([[0.0], [1e-300]]), ("t",))
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected values of usual size in column 't'; found none beyond 1e-300; ...
    """
    for name, size in zip(columns, np.abs(X).max(axis=0), strict=True):
        if 0.0 < size < LEAST_SIZE:
            expected = note("values of usual size in column {column}", column=repr(name))
            found = note("none beyond {size}", size=Number(float(size), ".2g"))
            raise InputError.of(expected, found, note("give them in a smaller unit"))


def left_out_as_too_large(values: Floats, column: str) -> tuple[str, ...]:
    """A sentence on the rows of a column that are left out because their squares are no numbers.

    >>> left_out_as_too_large(np.array([1.0, 1e200]), "y")
    ("1 row with a value beyond 1e150 in column 'y' left out.",)
    """
    beyond = int((np.abs(values) > LARGEST_VALUE).sum())
    kind = note("an infinite value") if np.isinf(values).any() else note("a value beyond 1e150")
    text = message("{rows} with {kind} in column {column} left out.")
    return said_of_rows(beyond, text, kind=kind, column=repr(column))


def check_reach(rows: Floats, columns: Sequence[str], ends: tuple[Floats, Floats]) -> Floats:
    """New rows (m, d), none of them beyond all that the lowest and highest rows (d,) of a fit say anything of.

    >>> check_reach(np.array([[1e15]]), ("t",), (np.array([0.0]), np.array([60.0])))
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected values within a billion times the range of the data in column 't'; ...
    """
    low, high = ends
    width = np.where(high > low, high - low, np.maximum(np.abs(high), 1.0))
    with np.errstate(over="ignore"):
        beyond = np.maximum(low - rows, rows - high) > MOST_RANGES * width
    if beyond.any():
        row, place = np.argwhere(beyond)[0]
        expected = f"values within a billion times the range of the data in column {columns[place]!r}"
        raise InputError.of(expected, f"{rows[row, place]:g}", "give them in the unit of the data, or leave them out")
    return rows


def far_from_zero(y: Floats) -> tuple[float, tuple[str, ...]]:
    """What to subtract from values whose mean is more than a million standard deviations from zero, and the sentence.

    >>> far_from_zero(1e9 + np.array([0.0, 1e-3, 2e-3]))[0]
    1000000000.001
    """
    scale = float(np.abs(y).max())
    if scale == 0.0:
        return 0.0, ()
    mean = float((y / scale).mean()) * scale
    sd = float((y / scale - (y / scale).mean()).std()) * scale
    if sd == 0.0 or not abs(mean) > MOST_SDS_FROM_ZERO * sd:
        return 0.0, ()
    text = message("The values lie so far from zero that their mean, {mean}, was subtracted for the fit.")
    return mean, (note(text, mean=Number(mean, ".12g")),)


def has_two_values(y: Floats) -> bool:
    """Whether values are answers of yes or no: one of two, again and again.

    >>> has_two_values(np.array([0.0, 1.0, 1.0, 0.0, 1.0])), has_two_values(np.array([0.0, 1.0]))
    (True, False)
    """
    return y.size > MOST_ROWS_BY_CHANCE and np.unique(y).size == 2


def remarks(y: Floats, column: str) -> tuple[str, ...]:
    """Sentences on constant values and on numbers that may stand for missing ones.

    >>> remarks(np.array([310.0, 311.0, -99.99, 312.0]), "co2")
    ("The value -99.99 stands in 1 row of column 'co2'; if it means a missing value, clear these cells.",)
    """
    unique, counts = np.unique(y, return_counts=True)
    told: dict[str, object] = {"column": repr(column)}
    if unique.size == 1:
        return (note("All values of column {column} are the same.", **told),)
    scale = float(np.abs(unique).max())
    if float(unique[-1] / scale - unique[0] / scale) < LEAST_DIFFERENCE:
        return (note("The values of column {column} differ by less than rounding allows to tell.", **told),)
    if has_two_values(y):
        low, high = (Number(float(value)) for value in unique)
        text = message(
            "Column {column} has two values only, {low} and {high}, as answers of no and yes have. They are "
            "modelled as numbers: a level between them says how often {high} comes, and ranges may go beyond both."
        )
        return (note(text, **told, low=low, high=high),)
    text = message(
        "The value {value} stands in {rows} of column {column}; if it means a missing value, clear these cells."
    )
    n = dict(zip(unique.tolist(), counts.tolist(), strict=True))
    return tuple(
        note(text, **told, value=Number(code), rows=note_count(n[code], "{n} row", "{n} rows", n=n[code]))
        for code in _codes_of(unique, spacings=1).tolist()
        if n[code] > (code == -1.0)
    )


# --- Codes of missing values ----------------------------------------------------------------------------------------


def without_codes(table: DataTable) -> DataTable:
    """The table with nothing where codes of missing values stand: numbers of nines far from all others, or few words.

    A positive number that stands there once may be a value.

    >>> column = DataColumn("rain", ("0.5", "9999.9", "1.2", "T", "0.7", "9999.9", "0.1", "T", "0.4", "T", "0.2"))
    >>> without_codes(DataTable((column,))).columns[0].numbers.values.tolist()
    [0.5, nan, 1.2, nan, 0.7, nan, 0.1, nan, 0.4, nan, 0.2]
    """
    columns, notes = [], list(table.notes)
    for column in table.columns:
        while (codes := _codes(column)) is not None:
            rows = np.flatnonzero(codes)
            notes += note_some(
                rows.size, "{n} cell of column {column} with {code} was taken as missing.",
                "{n} cells of column {column} with {code} were taken as missing.",
                column=repr(column.name), code=listed(list(dict.fromkeys(map(column.text, rows.tolist())))),
            )  # fmt: skip
            cells = [None if is_code else cell for is_code, cell in zip(codes, column.values, strict=True)]
            column = replace(
                column, values=tuple(cells) if isinstance(column.values, tuple) else np.array(cells, float)
            )
        columns.append(column)
    return replace(table, columns=tuple(columns), notes=tuple(notes)) if len(notes) > len(table.notes) else table


def _codes(column: DataColumn) -> Flags | None:
    """The cells of a column that hold codes of missing values, or the words for such."""
    numbers, profile = column.numbers, Profile(column)
    has_words = numbers.bad and numbers.share >= LEAST_NUMBERS and (not column.is_numeric or len(numbers.bad) > 2)
    is_name = profile.is_whole and np.ptp(profile.finite) < max(profile.distinct, FEWEST_WHOLE)  # as 1 to 14, A and B
    has_words = has_words and not is_name
    words = {column.text(row).strip() for row in numbers.bad} if has_words else set()
    if 0 < len(words) <= MOST_WORDS and all(map(WORD_OF_CODE.fullmatch, words)):
        return np.isin(np.arange(column.size), numbers.bad)
    if not column.is_numeric or column.times is not None or profile.is_key:
        return None
    codes = _codes_of(np.unique(profile.finite))
    cells = np.isin(numbers.values, codes)
    fewest = 1 if codes.size and codes[0] < -1.0 else 2
    most = MOST_OF_ONE if codes.tolist() == [-1.0] else MOST_MISSING
    return cells if fewest <= cells.sum() < most * cells.size else None


def _codes_of(unique: Floats, spacings: int = MOST_SPACINGS) -> Floats:
    """Those of sorted numbers that are codes: the lowest or the highest where they are made of nines, and far off.

    So are -99, -98, ... where no other number lies below zero, and -1 so many times further off than the others lie;
    beside other codes it need not lie far.

    >>> [_codes_of(np.array(each)).tolist() for each in ([-99.0, -98.0, -7.5, 3.0, 21.0], [0.0, 1.0, 2.0, 98.0, 99.0])]
    [[-99.0, -98.0], [98.0, 99.0]]
    """
    below, rest = unique[unique < 0.0], unique[unique >= 0.0]
    if below.size and rest.size > 1:
        apart = 1.0 + rest[0] > (spacings if below.size == 1 else 1) * np.median(np.diff(rest))
        if all(CODE_BELOW_ZERO.fullmatch(f"{code:.9g}") or (code == -1.0 and apart) for code in below):
            return below
    for count in range(1, min(MOST_CODES, unique.size - 2) + 1):
        form = CODE_BESIDE if count > 1 else CODE
        for codes, rest in ((unique[:count], unique[count:]), (unique[-count:], unique[:-count])):
            texts = [f"{code:.9g}" for code in codes]
            is_far = np.abs(codes[:, None] - rest[[0, -1]]).min() > 2 * (rest[-1] - rest[0])
            if is_far and any(map(CODE.fullmatch, texts)) and all(map(form.fullmatch, texts)):
                return codes
    return unique[:0]
