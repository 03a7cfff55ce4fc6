"""Columns that give the target away: its copies, parts, factors, sums and neighbours; and columns that are one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from autostatistician.data.arrays import Floats
from autostatistician.data.covariates import Covariate
from autostatistician.data.exact_fits import (
    EXACT,
    FEWEST_DIFFERENT,
    FEWEST_ROWS,
    ROUNDED,
    WHOLE,
    ExactFit,
    closest,
    exact_fit,
    fewest_columns,
    last_digit,
    least_squares,
)
from autostatistician.i18n.messages import Number, message, note, note_count
from autostatistician.i18n.names import all_of, listed

__all__ = ["dependent", "formula_of", "formulas_of", "leaks", "sums_among"]


# A column that is the target at other rows, or is made of such.
EARLIER = message("Column {name} is the target as it was {rows} before, which is not known ahead of time.")

LATER = message("Column {name} is the target as it will be {rows} later.")

CHANGE = message("Column {name} is the change of the target from {rows} before.")

GROWTH = message("Column {name} is the growth of the target from {rows} before.")

MOVING_MEAN = message("Column {name} is a moving mean of the target over {rows}.")

MOST_ROWS = 5000  # exact arithmetic shows in as many, which follow each other

FEWEST_VALUES = 4  # that a target has: with two or three any strong effect looks exact

LAGS = (*range(1, 61), 90, 91, 168, 336, 364, 365, 366)  # rows

WINDOWS = (*range(2, 15), 24, 28, 30, 52, 90, 91, 168, 365)  # rows of a moving mean

STRAIGHT = 0.9999  # correlation of columns above which none is a curve of the other

LIKE = 0.9  # correlation of differences below which no copy is looked for

MOST_RESETS = 0.15  # share of rows at which a running sum may begin anew

FEWEST_RANKS = 40  # rows of which equal ranks are no accident

SLIPS = 0.02  # share of rows that a formula may miss

MOST_PAIRED = 30  # columns that go with the target most closely: all pairs of more would take minutes

GLANCE = 100  # rows of different values on which formulas are tried first

REFITS = 4  # of a formula to the rows that are nearest to it

MOST_RELATIONS = 3  # that are told

SINGLE = 1e-7  # share of a number that single precision does not hold

MADE = re.compile(r"(?:^|[\W_])(y_?hat|forecasts?|predict\w*|fitted|resid(?:uals?)?|errors?)(?:$|[\W_])", re.IGNORECASE)


def leaks(y: Floats, columns: Sequence[Covariate]) -> dict[str, str]:
    """The columns that cannot be used because they follow from the target y (n,), each with a sentence why.

    Rows follow each other in time. Columns of categories are never named.

    >>> y = np.random.default_rng(0).gamma(9.0, size=50)
    >>> euros, price = Covariate("euros", 0.9 * y), Covariate("price", np.arange(50.0))
    >>> leaks(y, [euros, price])
    {'euros': "Column 'euros' is the target in other units: 0.9 times the target."}
    """
    y = np.asarray(y, dtype=np.float64)[-MOST_ROWS:]
    if _distinct(y) < 2:
        return {}
    numeric = {column.name: column.values[-MOST_ROWS:] for column in columns if not column.levels}
    numeric = {name: values for name, values in numeric.items() if _distinct(values) > 1}
    target = _LeakTarget(y)
    reasons = {name: reason for name, values in numeric.items() if (reason := target.reason(name, values))}
    rest = {name: values for name, values in numeric.items() if name not in reasons}
    # a sum has the last word: products of some powers fit within rounding, too
    for text, names in (*_products(y, rest), *_sums(y, rest)) if target.is_numeric else ():
        given = message("Column {name} gives the target away, which is {text}.")
        reasons |= {name: note(given, name=repr(name), text=text) for name in names}
    return {name: reasons[name] for name in numeric if name in reasons}


def _distinct(values: Floats) -> int:
    """How many different numbers there are."""
    return int(np.unique(values[np.isfinite(values)]).size)


# --- one column ----------------------------------------------------------------------------------------------------


class _LeakTarget:
    """The target y (n,) and what is made of it, against which single columns are held."""

    def __init__(self, y: Floats) -> None:
        self.y = y
        self.size = float(np.nanmax(np.abs(y)))
        self.logarithm, self.scales = _log(y), _Scales(y)
        self.is_numeric = _distinct(y) >= FEWEST_VALUES
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
        if MADE.search(name) and self._is_forecast(values):
            yield note(
                "Column {name} looks by its name and numbers like a forecast of the target, or like what a forecast "
                "left.", **told,
            )  # fmt: skip

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

    def _is_forecast(self, values: Floats) -> bool:
        """Whether it, taken off, leaves less than half of the target or of its changes; or is what a forecast left."""
        errors = (np.diff(self.y - values), np.diff(self.y)), (self.y - values, self.y)
        return any(not np.nanvar(error) > 0.5 * np.nanvar(whole) for error, whole in errors)


class _Scales:
    """A column (n,) as it is, its logarithm and its square, each with its moves from row to row, made once."""

    def __init__(self, values: Floats) -> None:
        self.plain = values
        with np.errstate(over="ignore"):
            self.each = [(scale, _moves(scale)) for scale in (values, _log(values), values**2)]
        moves = np.diff(values)
        self.is_whole = bool(np.isfinite(values).all() and moves.size and np.ptp(moves) > 1e-9 * np.abs(values).max())


def _is_curve(values: _Scales, other: _Scales) -> bool:
    """Whether a column is a power, the square, the logarithm or the exponential of another one."""
    (x, log_x, _), (y, log_y, square) = values.each, other.each
    sure = values.is_whole and other.is_whole  # where numbers lack, moves do not tell that nothing follows
    return any(
        (not sure or abs(theirs[1] @ ours[1]) >= LIKE / 2)  # logarithms may lack a fifth of the rows
        and len(_whole({"x": ours[0], "y": theirs[0]})) == 2
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


def _log(values: Floats) -> Floats:
    """The logarithm of positive numbers, NaN of others."""
    return np.log(np.where(values > 0.0, values, np.nan))


# --- several columns -----------------------------------------------------------------------------------------------

Columns = dict[str, Floats]


def _sums(y: Floats, columns: Columns) -> Iterator[tuple[str, list[str]]]:
    names, fit = _of_others(y, _whole(columns))
    if fit is not None:
        yield equation(fit, list(map(repr, names)), float(np.nanmax(np.abs(y)))), names


def _products(y: Floats, columns: Columns) -> Iterator[tuple[str, list[str]]]:
    """Products and quotients, by logarithms; with a share of the target and a sum of others also by its odds."""
    rows = y > 0.0
    if rows.sum() < 0.5 * np.isfinite(y).sum():
        return
    columns = {name: values[rows] for name, values in columns.items()}
    logs = _whole({name: _log(values) for name, values in columns.items()})
    names, fit = _of_others(_log(y[rows]), logs)
    if fit is not None:
        yield product(fit, names), _made_afterwards({name: columns[name] for name in names})
        return
    for name in logs:
        share = columns[name] / (100.0 if np.nanmax(columns[name]) > 1.0 else 1.0)
        odds = logs | {name: _log(share) - _log(1.0 - share)}
        names, fit = _of_others(_log(y[rows]), odds) if np.nanmax(share) < 1.0 else ([], None)
        if fit is not None and name in names and len(names) > 1:
            others = [other for other in names if other != name]
            told = {"share": repr(name), "columns": listed(others)}
            yield note("the share {share} of itself and {columns}", **told), [name, *others]
            return


def _made_afterwards(factors: Columns) -> list[str]:
    """Which factors of the target are not known ahead: not those that repeat their values, as prices do.

    Where all do so, that with the most values goes, and the others give nothing away.
    """
    values = {name: _distinct(column) for name, column in factors.items()}
    changing = [name for name, column in factors.items() if values[name] > len(column) / 3]
    return changing or [max(values, key=lambda name: values[name])]


def _whole(columns: Columns) -> Columns:
    """The columns that have numbers in most rows and vary; infinite ones are NaN."""
    finite = {name: np.where(np.isfinite(values), values, np.nan) for name, values in columns.items()}
    return {
        name: values
        for name, values in finite.items()
        if np.isfinite(values).sum() >= 0.8 * values.size and _distinct(values) > 1
    }


def _of_others(y: Floats, columns: Columns, *, steady: bool = False) -> tuple[list[str], ExactFit | None]:
    """The fewest of two columns or more that give y (n,) exactly, and how; None where they do not."""
    found = fewest_columns(y, np.column_stack(list(columns.values())), steady=steady) if len(columns) > 1 else None
    return ([], None) if found is None else ([list(columns)[place] for place in found[0]], found[1])


# --- a target that is a formula of columns, in rows of any order ----------------------------------------------------


def formula_of(target: str, y: Floats, columns: Columns) -> str:
    """A sentence on the formulas of columns that are the target y (n,) but for rounding, "" where there is none.

    Each is a weighted sum, of one or two positive numbers a product of powers, or an exponential or logarithm of one
    column. A few rows may differ, but for products of which some are zero.

    >>> net = np.random.default_rng(0).gamma(9.0, size=50).round(2)
    >>> formula_of("gross", (1.19 * net).round(2), {"net": net})[:67]
    "Column 'gross' is 1.19 times 'net' in all 50 rows, but for rounding"
    """
    texts, groups = [], []
    for text, names in formulas_of(y, columns):
        texts.append(text)
        both = all_of(map(repr, names))
        groups.append(note("one of {columns}", columns=both) if len(names) > 1 else both)
    if not texts:
        return ""
    said = message(
        "Column {name} is {text}, but for rounding: whatever else is said of it explains the rounding. Name inputs "
        "without {columns}, or another target."
    )
    return note(said, name=repr(target), text=all_of(texts), columns=all_of(groups))


def formulas_of(y: Floats, columns: Columns, most: int = 2) -> Iterator[tuple[str, list[str]]]:
    """The formulas of ``most`` columns at most that are the target y (n,), each in words, and the columns in it.

    Where two may be in one, sums of more are looked for, too.

    >>> rate = np.random.default_rng(0).gamma(9.0, size=50)
    >>> list(formulas_of(np.log(rate), {"rate": rate}, 1))
    [("the logarithm of 'rate' in all 50 rows", ['rate'])]
    """
    there = np.isfinite(y)
    y, columns = y[there], _whole({name: values[there] for name, values in columns.items()})
    while found := _first_formula(y, columns, most):
        yield found
        columns = {name: values for name, values in columns.items() if name not in found[1]}
    names, fit = _of_others(y, columns, steady=True) if most > 1 else ([], None)
    if fit is not None and _is_to_the_digit(y, [columns[name] for name in names], fit):
        yield _in_rows(_equation(fit, names), y.size, y.size), names


def _first_formula(y: Floats, columns: Columns, most: int) -> tuple[str, list[str]] | None:
    """The formula of the fewest columns in words, and these; None where there is none."""
    rows = np.unique(y, return_index=True)[1]
    if not columns:
        return None
    few, X = rows[:: -(-rows.size // GLANCE)], np.column_stack(list(columns.values()))
    if rows.size < FEWEST_DIFFERENT:
        return _product_with_zeros(y, columns) if most > 1 else None
    units = np.array([last_digit(values) for values in X.T])
    units = np.where(units < 1.0, units, 0.0) + SINGLE * np.abs(X)  # whole numbers are counts, which none rounds
    plain = y, _last_units(y), X, units
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = _log(y), plain[1] / y, _log(X), plain[3] / X
    for count, ours, theirs, text_of in (
        (1, plain, plain, _equation),
        (1, logarithms, logarithms, product),
        (1, logarithms, plain, _exponential),
        (1, plain, logarithms, _logarithm),
        (2, plain, plain, _equation),
        (2, logarithms, logarithms, product),
    ):
        near = len(columns) if ours is theirs and count == 1 else MOST_PAIRED
        tried = sorted(closest(ours[0], theirs[2])[:near]) if count <= most else ()
        for places in map(list, combinations(tried, count)):
            cells = *ours[:2], theirs[2][:, places], theirs[3][:, places]
            at_a_glance = _rounded_fit(*(each[few] for each in cells), slips=5 * SLIPS)
            if at_a_glance and (found := _rounded_fit(*cells, slips=SLIPS)):
                fit, hits = found
                names = [list(columns)[place] for place in places]
                return _in_rows(text_of(fit, names), hits, y.size), names
    return _product_with_zeros(y, columns) if most > 1 else None


def _in_rows(text: str, hits: int, n: int) -> str:
    held = note("all {n} rows", n=hits) if hits == n else note("{n} of {all} rows", n=hits, all=n)
    return note("{text} in {rows}", text=text, rows=held)


def _product_with_zeros(y: Floats, columns: Columns) -> tuple[str, list[str]] | None:
    """Two columns of which the target is the product in all rows: of many values, or either is often zero alone."""
    names = list(columns)
    near = [names[place] for place in closest(y, np.column_stack(list(columns.values())))[:MOST_PAIRED]]
    for pair in combinations(sorted(near, key=names.index), 2):
        first, second = (columns[name] for name in pair)
        alone = [np.sum((one == 0.0) & (other != 0.0)) for one, other in ((first, second), (second, first))]
        if (min(alone) >= FEWEST_ROWS or _distinct(y) >= FEWEST_DIFFERENT) and np.array_equal(y, first * second):
            return _in_rows(product(ExactFit(np.ones(2), 0.0), pair), y.size, y.size), list(pair)
    return None


def _equation(fit: ExactFit, names: Sequence[str]) -> str:
    return equation(fit, list(map(repr, names)), 0.0)


def _exponential(fit: ExactFit, names: Sequence[str]) -> str:
    return note("the exponential of {relation}", relation=_equation(fit, names))


def _logarithm(fit: ExactFit, names: Sequence[str]) -> str:
    return equation(fit, [note("the logarithm of {column}", column=repr(name)) for name in names], 0.0)


def _last_units(y: Floats) -> Floats:
    """The unit of the last digit of each number (n,): all have so many after the point, or so many in all."""
    sizes = 10.0 ** np.floor(np.log10(np.where(y == 0.0, 1.0, np.abs(y))))
    return np.maximum(last_digit(y), last_digit(y / sizes) * sizes) + SINGLE * np.abs(y)


def _rounded_fit(y: Floats, unit: Floats, X: Floats, units: Floats, *, slips: float) -> tuple[ExactFit, int] | None:
    """The relation of y (n,) to columns (n, p) but for their last digits, and in how many rows; None for too few."""
    there = np.isfinite(y) & np.isfinite(X).all(axis=1)
    least = int(np.ceil((1.0 - slips) * there.sum()))
    if least < max(FEWEST_ROWS + 3 * X.shape[1], y.size / 2):
        return None
    y, unit, X, units = y[there], unit[there], X[there], units[there]
    nearest = np.arange(y.size)
    for _ in range(REFITS):
        fit = least_squares(y[nearest], X[nearest])
        rest = np.abs(y - X @ fit.slopes - fit.constant)
        nearest = np.argsort(rest)[:least]
    for digits, most in ((unit, ROUNDED), (unit + units @ np.abs(fit.slopes), EXACT)):
        hit = rest <= digits  # half of it is rounding, all of it cutting off
        is_most = hit.sum() >= least and _distinct(y[hit]) >= FEWEST_DIFFERENT
        if is_most and rest[hit] @ rest[hit] <= most * hit.sum() * y[hit].var():
            told = _in_few_digits(fit, y[hit], X[hit], float(np.median(digits)))
            hit |= np.abs(y - X @ told.slopes - told.constant) <= digits
            return (told, int(hit.sum())) if told.slopes.all() else None
    return None


def _in_few_digits(fit: ExactFit, y: Floats, X: Floats, unit: float) -> ExactFit:
    """A relation with as many digits as data can tell whose own last digit has that unit."""
    unit = max(unit, 1e-300)
    steps = 10.0 ** np.ceil(np.log10(unit / (np.ptp(X, axis=0) + 1e-9 * unit)))
    slopes = np.round(fit.slopes / steps) * steps
    constant = float(np.median(y - X @ slopes))
    return ExactFit(slopes, 0.0 if abs(constant) <= unit else constant)


# --- columns among themselves --------------------------------------------------------------------------------------


def dependent(columns: Sequence[Covariate], *, ordered: bool = True) -> dict[str, str]:
    """The columns that follow exactly from columns before them, which are kept, each with a sentence why.

    Of rows that do not follow each other, not ``ordered``, they are only those that are curves of another column.

    >>> x = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0, 5.0, 3.5, 8.0, 7.0])
    >>> dependent([Covariate("celsius", x), Covariate("fahrenheit", 32 + 1.8 * x)])
    {'fahrenheit': "Column 'fahrenheit' says the same as 'celsius': it is 1.8 times 'celsius' + 32."}
    """
    reasons: dict[str, str] = {}
    kept: dict[str, _Scales] = {}
    groups: list[Covariate] = []
    for column in columns:
        values, told = _Scales(column.values[-MOST_ROWS:]), {"name": repr(column.name)}
        alike = (group.name for group in groups if _follows(group, column))
        if (owner := next(alike, None)) is not None:
            same = message("Column {name} has the categories of {other} under other names.")
            follows = message("Column {name} follows from the category in {other}.")
            reasons[column.name] = note(same if column.levels else follows, **told, other=repr(owner))
        elif column.levels:
            groups.append(column)
        elif reason := (ordered and _from_others(column.name, values, kept)) or _curve_of(column.name, values, kept):
            reasons[column.name] = reason
        else:
            kept[column.name] = values
    return reasons


def _from_others(column: str, scales: _Scales, kept: Mapping[str, _Scales]) -> str:
    """A sentence on how a column follows from others, "" where it does not."""
    values = scales.plain
    size, told = float(np.nanmax(np.abs(values), initial=0.0)), {"name": repr(column)}
    for name, other in kept.items():
        fit = exact_fit(values, other.plain[:, None], steady=True)
        if fit is not None and fit.is_identity(1e-6 * size):
            return note("Column {name} is a copy of {other}.", **told, other=repr(name))
        if fit is not None:
            text = equation(fit, [repr(name)], size)
            return note(
                "Column {name} says the same as {other}: it is {equation}.", **told, other=repr(name), equation=text
            )
    names, fit = _of_others(values, _whole({name: other.plain for name, other in kept.items()}), steady=True)
    if fit is None:
        return ""
    text = equation(fit, list(map(repr, names)), size)
    return note("Column {name} follows from other columns: it is {equation}.", **told, equation=text)


def sums_among(columns: Columns) -> str:
    """A sentence on the columns that are sums of several others, "" where none is.

    >>> a, b = np.random.default_rng(0).gamma(9.0, size=(2, 30)).round(1)
    >>> sums_among({"all": a + b, "a": a, "b": b})[:47]
    "Mind that 'b' + 'a' is 'all' in all rows: none "
    """
    kept: Columns = {}
    found = []
    for name, values in columns.items():
        values = values[-MOST_ROWS:]
        others, fit = _of_others(values, _whole(kept), steady=True)
        if fit is None:
            kept[name] = values
        elif len(others) > 1 and _is_to_the_digit(values, [kept[other] for other in others], fit):
            found.append(_solved(name, others, fit))
    if not found:
        return ""
    said = message(
        "Mind that {relations} in all rows: none of these changes alone, and what is said of one beside the others is "
        "of an exchange among them."
    )
    return note(said, relations=all_of(found[:MOST_RELATIONS]))


def _is_to_the_digit(y: Floats, columns: Sequence[Floats], fit: ExactFit) -> bool:
    """Whether a relation leaves no more than the digits that were written."""
    units = [last_digit(values) for values in columns]  # whole numbers are counts, which none rounds
    digits = last_digit(y) + sum(abs(s) * unit for s, unit in zip(fit.slopes, units, strict=True) if unit < 1.0)
    rounding = 0.6 * digits + 1e-6 * float(np.nanmax(np.abs(y)))
    return bool(np.nanmax(np.abs(y - np.column_stack(columns) @ fit.slopes - fit.constant)) <= rounding)


def _solved(name: str, others: list[str], fit: ExactFit) -> str:
    """A relation as the sum that it is: of all others, where one column is that, or to a constant."""
    above = np.flatnonzero(fit.slopes > 0.0)
    if not above.size:
        whole = ExactFit(np.append(-fit.slopes, 1.0), 0.0)
        total = note("{number}", number=Number(fit.constant, ".4g"))
        return note("{sum} is {whole}", sum=_equation(whole, [*others, name]), whole=total)
    if len(above) == 1:
        (place,) = above
        factor = fit.slopes[place]
        slopes = -fit.slopes / factor
        slopes[place] = 1.0 / factor
        fit = ExactFit(slopes, -fit.constant / factor)
        name, others = others[place], [name if k == place else other for k, other in enumerate(others)]
    return note("{sum} is {whole}", sum=_equation(fit, others), whole=repr(name))


def _curve_of(column: str, values: _Scales, kept: Mapping[str, _Scales]) -> str:
    """A sentence on the column of which another one is a curve, and no straight line, "" where there is none."""
    for name, other in kept.items():
        if _is_curve(values, other) and not _is_straight(values.plain, other.plain):
            text = message("Column {name} is {other} on another scale: its power, logarithm or exponential.")
            return note(text, name=repr(column), other=repr(name))
    return ""


def _is_straight(values: Floats, other: Floats) -> bool:
    """Whether two columns may be one straight line: beside large steps of a logarithm small ones hide."""
    pair = np.isfinite(values) & np.isfinite(other)
    with np.errstate(all="ignore"):
        alike = abs(np.corrcoef(values[pair], other[pair])[0, 1])
    return bool(alike > STRAIGHT) or _distinct(values[pair]) < FEWEST_ROWS


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


def equation(fit: ExactFit, columns: Sequence[str], size: float) -> str:
    """A relation of columns, as they are written, in words; constants below a millionth of the ``size`` are rounding.

    >>> equation(ExactFit(np.array([1.0, -1.0]), 0.0), ["'sales'", "'returns'"], 100.0)
    "'sales' - 'returns'"
    >>> equation(ExactFit(np.array([1.8]), 32.0), ["'celsius'"], 100.0)
    "1.8 times 'celsius' + 32"
    """
    signed = sorted(zip(fit.slopes.tolist(), columns, strict=True), key=lambda term: term[0] < 0.0)
    terms = [(slope < 0.0, _term(abs(slope), column)) for slope, column in signed]
    if abs(fit.constant) > 1e-6 * size:
        terms.append((fit.constant < 0.0, note("{number}", number=Number(abs(fit.constant), ".4g"))))
    (is_taken_off, text), *rest = terms
    for minus, term in rest:
        form = message("{first} - {second}") if minus else message("{first} + {second}")
        text = note(form, first=text, second=term)
    return note("minus {term}", term=text) if is_taken_off else text


def _term(factor: float, column: str) -> str:
    if abs(factor - 1.0) < WHOLE:
        return column
    return note("{number} times {column}", number=Number(factor, ".4g"), column=column)


def product(fit: ExactFit, names: Sequence[str]) -> str:
    """A product of powers of columns in words, from a relation of their logarithms.

    >>> product(ExactFit(np.array([1.0, -2.0]), 0.0), ["sales", "area"])
    "'sales' divided by 'area' to the power 2"
    """
    above: list[str] = []
    below: list[str] = []
    for power, name in zip(fit.slopes.tolist(), names, strict=True):
        column = repr(name)
        if abs(abs(power) - 1.0) >= WHOLE:
            column = note("{column} to the power {power}", column=column, power=Number(abs(power), ".3g"))
        (below if power < 0.0 else above).append(column)
    factor = float(np.exp(fit.constant))
    if abs(factor - 1.0) >= WHOLE or not above:
        above.insert(0, note("{number}", number=Number(1.0 if abs(factor - 1.0) < WHOLE else factor, ".4g")))
    text, *others = above
    for column in others:
        text = note("{number} times {column}", number=text, column=column)
    return note("{above} divided by {below}", above=text, below=all_of(below)) if below else text
