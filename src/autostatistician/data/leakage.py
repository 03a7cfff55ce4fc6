"""Columns that give the target away: its copies, parts, factors, sums and neighbours; and columns that are one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from autostatistician.data.arrays import Floats
from autostatistician.data.covariates import Covariate
from autostatistician.data.exact_fits import FEWEST_ROWS, WHOLE, exact_fit
from autostatistician.data.formulas import (
    MOST_ROWS,
    Columns,
    combined,
    distinct,
    equation,
    log_of,
    product,
    relations_among,
    usable,
)
from autostatistician.i18n.messages import message, note, note_count

__all__ = ["dependent", "leaks"]


# A column that is the target at other rows, or is made of such.
EARLIER = message("Column {name} is the target as it was {rows} before, which is not known ahead of time.")

LATER = message("Column {name} is the target as it will be {rows} later.")

CHANGE = message("Column {name} is the change of the target from {rows} before.")

GROWTH = message("Column {name} is the growth of the target from {rows} before.")

MOVING_MEAN = message("Column {name} is a moving mean of the target over {rows}.")

FEWEST_VALUES = 4  # that a target has: with two or three any strong effect looks exact

LAGS = (*range(1, 61), 90, 91, 168, 336, 364, 365, 366)  # rows

WINDOWS = (*range(2, 15), 24, 28, 30, 52, 90, 91, 168, 365)  # rows of a moving mean

STRAIGHT = 0.9999  # correlation of columns above which none is a curve of the other

LIKE = 0.9  # correlation of differences below which no copy is looked for

MOST_RESETS = 0.15  # share of rows at which a running sum may begin anew

FEWEST_RANKS = 40  # rows of which equal ranks are no accident


def leaks(y: Floats, columns: Sequence[Covariate]) -> dict[str, str]:
    """The columns that cannot be used because they follow from the target y (n,), each with a sentence why.

    Rows follow each other in time. Columns of categories are never named.

    >>> y = np.random.default_rng(0).gamma(9.0, size=50)
    >>> euros, price = Covariate("euros", 0.9 * y), Covariate("price", np.arange(50.0))
    >>> leaks(y, [euros, price])
    {'euros': "Column 'euros' is the target in other units: 0.9 times the target."}
    """
    y = np.asarray(y, dtype=np.float64)[-MOST_ROWS:]
    if distinct(y) < 2:
        return {}
    numeric = {column.name: column.values[-MOST_ROWS:] for column in columns if not column.levels}
    numeric = {name: values for name, values in numeric.items() if distinct(values) > 1}
    target = _LeakTarget(y)
    reasons = {name: reason for name, values in numeric.items() if (reason := target.reason(name, values))}
    rest = {name: values for name, values in numeric.items() if name not in reasons}
    # a sum has the last word: products of some powers fit within rounding, too
    for text, names in (*_products(y, rest), *_sums(y, rest)) if target.is_numeric else ():
        given = message("Column {name} gives the target away, which is {text}.")
        reasons |= {name: note(given, name=repr(name), text=text) for name in names}
    return {name: reasons[name] for name in numeric if name in reasons}


# --- one column ----------------------------------------------------------------------------------------------------


class _LeakTarget:
    """The target y (n,) and what is made of it, against which single columns are held."""

    def __init__(self, y: Floats) -> None:
        self.y = y
        self.size = float(np.nanmax(np.abs(y)))
        self.logarithm, self.scales = log_of(y), _Scales(y)
        self.is_numeric = distinct(y) >= FEWEST_VALUES
        relatives = list(_relatives(y, self.logarithm)) if self.is_numeric else []
        self.relatives = [relative for relative in relatives if np.isfinite(relative[0]).any()]
        self.moves = np.array([_moves(values) for values, *_ in self.relatives]).reshape(-1, len(y) - 1)

    def reason(self, name: str, values: Floats) -> str:
        """A sentence on what a column is made of, "" where it has a right of its own."""
        pair = np.isfinite(self.y) & np.isfinite(values)
        if pair.sum() >= FEWEST_ROWS and np.array_equal(self.y[pair], values[pair]):
            varies = np.diff(self.y[pair]).std() > 1e-9 * np.abs(self.y[pair]).max()  # by more than equal steps
            return note("Column {name} is the target itself.", name=repr(name)) if varies else ""
        return next(self._reasons(name, values), "") if self.is_numeric else ""

    def _reasons(self, name: str, values: Floats) -> Iterator[str]:
        """The sentences that hold, of which the first is said."""
        told = {"name": repr(name)}
        fit = exact_fit(values, self.y[:, None])
        if fit is not None and fit.is_identity(WHOLE * self.size):
            yield note("Column {name} is the target itself, but for rounding.", **told)
        elif fit is not None:
            text = equation(fit, [note("the target")], self.size)
            yield note("Column {name} is the target in other units: {equation}.", **told, equation=text)
        if _is_curve(_Scales(values), self.scales):
            yield note("Column {name} is the target on another scale: its power, logarithm or exponential.", **told)
        if self._has_ranks(values):
            yield note(
                "Column {name} rises and falls exactly as the target does: it is the target on another scale.", **told
            )
        likeness = np.abs(self.moves @ _moves(values))
        for place in np.flatnonzero(likeness >= LIKE * np.isfinite(np.diff(values)).mean()):
            related, text, rows = self.relatives[place]
            if exact_fit(values, related[:, None]) is not None:
                yield relative(text, name, rows)
        if self._is_summed(values):
            yield note("Column {name} is a running sum of the target.", **told)

    def _has_ranks(self, values: Floats) -> bool:
        """Whether sorting by one sorts the other, where the target goes up and down."""
        pair = np.isfinite(self.y) & np.isfinite(values)
        y, x = self.y[pair], values[pair]
        steps = np.diff(y)
        turns = min(int((steps > 0).sum()), int((steps < 0).sum()))
        if y.size < FEWEST_RANKS or np.unique(x).size < y.size / 2 or turns < max(5, y.size // 20):
            return False
        upwards, downwards = (np.diff(y[np.lexsort((sign * y, x))]) for sign in (1.0, -1.0))
        return bool((upwards >= 0.0).all() or (downwards <= 0.0).all())

    def _is_summed(self, values: Floats) -> bool:
        """Whether it is a running sum of the target, which may begin anew each year."""
        steps, y = np.diff(values), self.y[1:]
        there = np.isfinite(steps) & np.isfinite(y) & (y != 0.0)
        if there.sum() < 12 or np.unique(y[there]).size < 8:
            return False
        slope = float(np.median(steps[there] / y[there]))
        breaks = np.abs(steps - slope * y)[there] > 1e-6 * abs(slope) * self.size
        return bool(slope and breaks.mean() <= MOST_RESETS)


class _Scales:
    """A column (n,) as it is, its logarithm and its square, each with its moves from row to row, made once."""

    def __init__(self, values: Floats) -> None:
        self.plain = values
        with np.errstate(over="ignore"):
            self.each = [(scale, _moves(scale)) for scale in (values, log_of(values), values**2)]
        moves = np.diff(values)
        self.is_whole = bool(np.isfinite(values).all() and moves.size and np.ptp(moves) > 1e-9 * np.abs(values).max())


def _is_curve(values: _Scales, other: _Scales) -> bool:
    """Whether a column is a power, the square, the logarithm or the exponential of another one."""
    (x, log_x, _), (y, log_y, square) = values.each, other.each
    sure = values.is_whole and other.is_whole  # where numbers lack, moves do not tell that nothing follows
    return any(
        (not sure or abs(theirs[1] @ ours[1]) >= LIKE / 2)  # logarithms may lack a fifth of the rows
        and len(usable({"x": ours[0], "y": theirs[0]})) == 2
        and exact_fit(theirs[0], ours[0][:, None]) is not None
        for ours, theirs in ((log_y, log_x), (log_y, x), (y, log_x), (square, x))
    )


def _relatives(y: Floats, logarithm: Floats) -> Iterator[tuple[Floats, str, int]]:
    """The target moved by rows, its changes and moving means, each with what says that a column is that, and rows."""
    most = len(y) // 3
    for lag in LAGS[: np.searchsorted(LAGS, most, side="right")]:
        before, logs_before = _later(y, lag), _later(logarithm, lag)
        yield before, EARLIER, lag
        yield _later(y[::-1], lag)[::-1], LATER, lag
        yield y - before, CHANGE, lag
        yield logarithm - logs_before, GROWTH, lag
        yield np.expm1(np.minimum(logarithm - logs_before, 50.0)), GROWTH, lag
    for window in WINDOWS[: np.searchsorted(WINDOWS, most, side="right")]:
        means = np.lib.stride_tricks.sliding_window_view(y, window).mean(axis=1)
        for first in {window - 1, window, window // 2, (window - 1) // 2}:  # up to the row, before it, about it
            yield _later(np.append(means, np.full(window - 1, np.nan)), first), MOVING_MEAN, window


def _later(values: Floats, rows: int) -> Floats:
    """Values (n,) so many rows on, NaN before."""
    return np.concatenate([np.full(rows, np.nan), values[: len(values) - rows]])


def _moves(values: Floats) -> Floats:
    """Differences from row to row (n - 1,), centred and of length one; 0 where there are none."""
    steps = np.diff(values)
    there = np.isfinite(steps)
    steps = np.where(there, steps - (steps[there].mean() if there.any() else 0.0), 0.0)
    return np.asarray(steps / max(float(np.linalg.norm(steps)), 1e-300))


# --- several columns -----------------------------------------------------------------------------------------------


def _sums(y: Floats, columns: Columns) -> Iterator[tuple[str, list[str]]]:
    names, fit = combined(y, usable(columns))
    if fit is not None:
        yield equation(fit, list(map(repr, names)), float(np.nanmax(np.abs(y)))), names


def _products(y: Floats, columns: Columns) -> Iterator[tuple[str, list[str]]]:
    """Products and quotients, by logarithms."""
    rows = y > 0.0
    if rows.sum() < 0.5 * np.isfinite(y).sum():
        return
    columns = {name: values[rows] for name, values in columns.items()}
    logs = usable({name: log_of(values) for name, values in columns.items()})
    names, fit = combined(log_of(y[rows]), logs)
    if fit is not None:
        yield product(fit, names), _made_afterwards({name: columns[name] for name in names})


def _made_afterwards(factors: Columns) -> list[str]:
    """Which factors of the target are not known ahead: not those that repeat their values, as prices do.

    Where all do so, that with the most values goes, and the others give nothing away.
    """
    values = {name: distinct(column) for name, column in factors.items()}
    changing = [name for name, column in factors.items() if values[name] > len(column) / 3]
    return changing or [max(values, key=lambda name: values[name])]


# --- columns among themselves --------------------------------------------------------------------------------------


def dependent(columns: Sequence[Covariate], *, ordered: bool = True) -> dict[str, str]:
    """The columns that follow exactly from columns before them, which are kept, each with a sentence why.

    Of rows that do not follow each other, not ``ordered``, they are only those that are curves of another column.

    >>> x = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0, 5.0, 3.5, 8.0, 7.0])
    >>> dependent([Covariate("celsius", x), Covariate("fahrenheit", 32 + 1.8 * x)])
    {'fahrenheit': "Column 'fahrenheit' says the same as 'celsius': it is 1.8 times 'celsius' + 32."}
    """
    reasons: dict[str, str] = {}
    numbers: Columns = {}
    groups: list[Covariate] = []
    for column in columns:
        if (owner := next((group.name for group in groups if _follows(group, column)), None)) is not None:
            same = message("Column {name} has the categories of {other} under other names.")
            follows = message("Column {name} follows from the category in {other}.")
            reasons[column.name] = note(same if column.levels else follows, name=repr(column.name), other=repr(owner))
        elif column.levels:
            groups.append(column)
        else:
            numbers[column.name] = column.values[-MOST_ROWS:]
    for name, others, fit in relations_among(numbers) if ordered else ():
        size = float(np.nanmax(np.abs(numbers[name])))
        text = message("Column {name} follows from other columns: it is {equation}.")
        if len(others) == 1:
            copy = message("Column {name} is a copy of {other}.")
            same = message("Column {name} says the same as {other}: it is {equation}.")
            text = copy if fit.is_identity(1e-6 * size) else same
        told = {"other": repr(others[0]), "equation": equation(fit, list(map(repr, others)), size)}
        reasons[name] = note(text, name=repr(name), **{key: each for key, each in told.items() if f"{{{key}}}" in text})
    reasons |= _curves({name: values for name, values in numbers.items() if name not in reasons})
    return {column.name: reasons[column.name] for column in columns if column.name in reasons}


def _curves(columns: Columns) -> dict[str, str]:
    """The columns that are curves of columns before them, and no straight lines, each with a sentence."""
    reasons: dict[str, str] = {}
    kept: dict[str, _Scales] = {}
    for name, scales in ((name, _Scales(values)) for name, values in columns.items()):
        curves = (other for other, its in kept.items() if _is_curve(scales, its) and not _is_straight(scales, its))
        if (owner := next(curves, None)) is None:
            kept[name] = scales
        else:
            text = message("Column {name} is {other} on another scale: its power, logarithm or exponential.")
            reasons[name] = note(text, name=repr(name), other=repr(owner))
    return reasons


def _is_straight(values: _Scales, other: _Scales) -> bool:
    """Whether two columns may be one straight line: beside large steps of a logarithm small ones hide."""
    pair = np.isfinite(values.plain) & np.isfinite(other.plain)
    with np.errstate(all="ignore"):
        alike = abs(np.corrcoef(values.plain[pair], other.plain[pair])[0, 1])
    return bool(alike > STRAIGHT) or distinct(values.plain[pair]) < FEWEST_ROWS


def _follows(group: Covariate, column: Covariate) -> bool:
    """Whether a column is the same in all rows of a category: numbers, where each has several; or categories alike."""
    cells = np.column_stack([group.values, column.values])[-MOST_ROWS:]
    pairs, counts = np.unique(cells[np.isfinite(cells).all(axis=1)], axis=0, return_counts=True)
    levels, values = (np.unique(each).size for each in pairs.T)
    if len(pairs) > levels or values < 2:
        return False
    return values == levels if column.levels else bool(np.median(counts) >= 3)


# --- Sentences on columns that are the target at other rows, and relations between columns in words -----------------


def relative(text: str, name: str, rows: int) -> str:
    """One of these sentences on a column.

    >>> relative(LATER, "sales", 1), relative(CHANGE, "sales", 2)[-14:]
    ("Column 'sales' is the target as it will be 1 row later.", '2 rows before.')
    """
    return note(text, name=repr(name), rows=note_count(rows, "{n} row", "{n} rows", n=rows))
