"""Formulas of columns: a target that is one of others but for rounding, columns that are sums, and their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from autostatistician.data.arrays import Flags, Floats
from autostatistician.data.exact_fits import (
    EXACT,
    FEWEST_DIFFERENT,
    FEWEST_ROWS,
    ROUNDED,
    WHOLE,
    ExactFit,
    closest,
    fewest_columns,
    is_to_the_digit,
    last_digit,
    least_squares,
)
from autostatistician.i18n.messages import Number, message, note
from autostatistician.i18n.names import all_of

__all__ = [
    "Columns", "combined", "distinct", "equation", "formula_of", "formulas_of", "log_of", "product", "relations_among",
    "sums_among", "usable",
]  # fmt: skip

Columns = dict[str, Floats]

MOST_ROWS = 5000  # exact arithmetic shows in as many, which follow each other

SLIPS = 0.02  # share of rows that a formula may miss

MOST_PAIRED = 30  # columns that go with the target most closely: all pairs of more would take minutes

GLANCE = 100  # rows of different values on which formulas are tried first

REFITS = 4  # of a formula to the rows that are nearest to it

MOST_RELATIONS = 3  # that are told

MOST_LEFT, ROWS_PER_COLUMN = 0.1, 3  # share of the variance of a column that may follow from others, by so many rows

SINGLE = 1e-7  # share of a number that single precision does not hold


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


def formulas_of(y: Floats, columns: Columns, *, rescaled: bool = False) -> Iterator[tuple[str, list[str]]]:
    """The formulas of columns that are the target y (n,), each in words, and the columns in it.

    The target ``rescaled`` is a logarithm or an exponential of one column; else sums of any number of columns and
    products of two count, too.

    >>> rate = np.random.default_rng(0).gamma(9.0, size=50)
    >>> list(formulas_of(np.log(rate), {"rate": rate}, rescaled=True))
    [("the logarithm of 'rate' in all 50 rows", ['rate'])]
    """
    there = np.isfinite(y)
    y, columns = y[there], usable({name: values[there] for name, values in columns.items()})
    while found := _first_formula(y, columns, rescaled=rescaled):
        yield found
        columns = {name: values for name, values in columns.items() if name not in found[1]}
    names, fit = ([], None) if rescaled else combined(y, columns, steady=True)
    if fit is not None and is_to_the_digit(y, _side_by_side(columns, names), fit):
        yield _in_rows(_equation(fit, names), y.size, y.size), names


def _first_formula(y: Floats, columns: Columns, *, rescaled: bool) -> tuple[str, list[str]] | None:
    """The formula of the fewest columns in words, and these; None where there is none."""
    rows = np.unique(y, return_index=True)[1]
    if not columns:
        return None
    if rows.size < FEWEST_DIFFERENT:
        return None if rescaled else _product_with_zeros(y, columns)
    few, X = rows[:: -(-rows.size // GLANCE)], np.column_stack(list(columns.values()))
    units = np.array([last_digit(values) for values in X.T])
    units = np.where(units < 1.0, units, 0.0) + SINGLE * np.abs(X)  # whole numbers are counts, which none rounds
    plain = y, _last_units(y), X, units
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = log_of(y), plain[1] / y, log_of(X), plain[3] / X
    forms = (
        (1, plain, plain, _equation),
        (1, logarithms, logarithms, product),
        (1, logarithms, plain, _exponential),
        (1, plain, logarithms, _logarithm),
        (2, plain, plain, _equation),
        (2, logarithms, logarithms, product),
    )
    for count, ours, theirs, text_of in forms[2:4] if rescaled else forms:
        near = len(columns) if ours is theirs and count == 1 else MOST_PAIRED
        for places in map(list, combinations(sorted(closest(ours[0], theirs[2])[:near]), count)):
            cells = *ours[:2], theirs[2][:, places], theirs[3][:, places]
            at_a_glance = _rounded_fit(*(each[few] for each in cells), slips=5 * SLIPS)
            if at_a_glance and (found := _rounded_fit(*cells, slips=SLIPS)):
                fit, hits = found
                names = [list(columns)[place] for place in places]
                return _in_rows(text_of(fit, names), hits, y.size), names
    return None if rescaled else _product_with_zeros(y, columns)


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
        if (min(alone) >= FEWEST_ROWS or distinct(y) >= FEWEST_DIFFERENT) and np.array_equal(y, first * second):
            return _in_rows(product(ExactFit(np.ones(2), 0.0), pair), y.size, y.size), list(pair)
    return None


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
        is_most = hit.sum() >= least and distinct(y[hit]) >= FEWEST_DIFFERENT
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


# --- Columns that are sums of others --------------------------------------------------------------------------------


def sums_among(columns: Columns) -> str:
    """A sentence on the columns that are sums of several others, "" where none is.

    >>> a, b = np.random.default_rng(0).gamma(9.0, size=(2, 30)).round(1)
    >>> sums_among({"all": a + b, "a": a, "b": b})[:47]
    "Mind that 'b' + 'a' is 'all' in all rows: none "
    """
    columns = {name: values[-MOST_ROWS:] for name, values in columns.items()}
    found = [
        _solved(name, others, fit)
        for name, others, fit in relations_among(columns)
        if len(others) > 1 and is_to_the_digit(columns[name], _side_by_side(columns, others), fit)
    ]
    if not found:
        return ""
    said = message(
        "Mind that {relations} in all rows: none of these changes alone, and what is said of one beside the others is "
        "of an exchange among them."
    )
    return note(said, relations=all_of(found[:MOST_RELATIONS]))


def relations_among(columns: Columns) -> Iterator[tuple[str, list[str], ExactFit]]:
    """The columns that follow exactly from columns before them which do not: each with the fewest of these, and how.

    >>> a, b = np.random.default_rng(0).gamma(9.0, size=(2, 30))
    >>> [(name, others) for name, others, _ in relations_among({"a": a, "b": b, "all": a + b, "half": b / 2})]
    [('all', ['a', 'b']), ('half', ['b'])]
    """
    kept: Columns = {}
    for (name, values), may in zip(columns.items(), _may_follow(columns), strict=True):
        others, fit = combined(values, kept, steady=True) if may else ([], None)
        if fit is None:
            kept |= usable({name: values})
        else:
            yield name, others, fit


def _may_follow(columns: Columns) -> Flags:
    """Of which columns (p,) those before them leave hardly anything in the whole rows, where these are many.

    By one decomposition of all columns, while the search for the fewest takes one for each column of each formula.
    """
    X = _side_by_side(columns, list(columns))
    X = X[np.isfinite(X).all(axis=1)]
    if len(X) <= ROWS_PER_COLUMN * X.shape[1]:
        return np.ones(X.shape[1], dtype=np.bool_)
    with np.errstate(all="ignore"):
        z = (X - X.mean(axis=0)) / np.where(np.ptp(X, axis=0) > 0.0, X.std(axis=0), 1.0)
    return np.asarray(~(np.diagonal(np.linalg.qr(z, mode="r")) ** 2 > MOST_LEFT * len(X)))


def _side_by_side(columns: Columns, names: Sequence[str]) -> Floats:
    return np.column_stack([columns[name] for name in names]) if names else np.zeros((0, 0))


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


# --- In words -------------------------------------------------------------------------------------------------------


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


def _equation(fit: ExactFit, names: Sequence[str]) -> str:
    return equation(fit, list(map(repr, names)), 0.0)


def _exponential(fit: ExactFit, names: Sequence[str]) -> str:
    return note("the exponential of {relation}", relation=_equation(fit, names))


def _logarithm(fit: ExactFit, names: Sequence[str]) -> str:
    return equation(fit, [note("the logarithm of {column}", column=repr(name)) for name in names], 0.0)


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


# --- Columns that may be in a formula -------------------------------------------------------------------------------


def distinct(values: Floats) -> int:
    """How many different numbers there are."""
    return int(np.unique(values[np.isfinite(values)]).size)


def log_of(values: Floats) -> Floats:
    """The logarithm of positive numbers, NaN of others."""
    return np.log(np.where(values > 0.0, values, np.nan))


def usable(columns: Columns) -> Columns:
    """The columns that have numbers in most rows and vary; infinite ones are NaN."""
    finite = {name: np.where(np.isfinite(values), values, np.nan) for name, values in columns.items()}
    return {
        name: values
        for name, values in finite.items()
        if np.isfinite(values).sum() >= 0.8 * values.size and distinct(values) > 1
    }


def combined(y: Floats, columns: Columns, *, steady: bool = False) -> tuple[list[str], ExactFit | None]:
    """The fewest columns that give y (n,) exactly, and how; None where they do not."""
    found = fewest_columns(y, _side_by_side(columns, list(columns)), steady=steady) if columns else None
    return ([], None) if found is None else ([list(columns)[place] for place in found[0]], found[1])
