"""Whether columns give another one exactly, but for the digits with which numbers are written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autostatistician.data.arrays import Floats

__all__ = ["ExactFit", "closest", "exact_fit", "fewest_columns", "is_to_the_digit", "last_digit", "least_squares"]


FEWEST_ROWS = 8  # beside three for each column

EXACT = 1e-4  # share of the variance that may be left, of levels and of differences

ROUNDED = 5e-3  # the same where all that is left is smaller than the digits that were written

DIGITS = range(-6, 7)  # places after the point that are looked for

WHOLE = 1e-3  # by so much a coefficient may differ from one and be called so

NEARLY_WHOLE = 0.02  # by so much rounding may have moved a whole coefficient

FEW = 3  # columns that go most closely with another one, each of which may be it

FEWEST_DIFFERENT = 10  # numbers that show that rounding is all that is left


@dataclass(frozen=True, eq=False)
class ExactFit:
    """A column as ``constant`` plus the sum of ``slopes`` (p,) times other columns."""

    slopes: Floats
    constant: float

    def is_identity(self, tiny: float) -> bool:
        """Whether it is one other column as it is, but for a ``tiny`` constant."""
        return bool(abs(self.slopes[0] - 1.0) < WHOLE and abs(self.constant) <= tiny)


def exact_fit(y: Floats, X: Floats, *, steady: bool = False, loose: bool = False) -> ExactFit | None:
    """The linear relation of y (n,) to columns (n, p) where it is exact, else None; rows with NaN are left out.

    Two series with one trend agree in their levels and not in their differences from row to row, so both must fit.
    What moves by equal steps has no differences to compare, and counts only if ``steady``. A ``loose`` fit may leave as
    much as the digits that were written can explain, whatever they are.

    >>> x = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0, 5.0, 3.5, 8.0, 7.0])
    >>> fit = exact_fit(32 + 1.8 * x, x[:, None])
    >>> fit.slopes.round(6).tolist(), round(fit.constant, 6)
    ([1.8], 32.0)
    >>> exact_fit(32 + 1.8 * x + 0.1 * np.sin(5 * x), x[:, None]) is None
    True
    """
    rows = np.isfinite(y) & np.isfinite(X).all(axis=1)
    if rows.sum() < FEWEST_ROWS + 3 * X.shape[1]:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        size = X[rows].std(axis=0)
    if not (np.isfinite(size).all() and (size > 0.0).all()):
        return None
    fits = [least_squares(y[rows], X[rows])]
    slopes = fits[0].slopes
    whole = np.round(slopes)
    if np.all(whole != 0.0) and np.all(np.abs(slopes - whole) <= NEARLY_WHOLE):  # rounding hid that they are whole
        constant = float(y[rows].mean()) - float(X[rows].mean(axis=0) @ whole)
        fits = [ExactFit(whole, 0.0), ExactFit(whole, constant), *fits]
    values = np.where(rows, y, np.nan)
    return next((fit for fit in fits if _is_exact(values, X, fit, steady, loose)), None)


def least_squares(y: Floats, X: Floats) -> ExactFit:
    """The linear relation of y (n,) to columns (n, p) that errs least; a constant column has no slope.

    >>> least_squares(np.array([32.0, 50.0, 68.0]), np.array([[0.0], [10.0], [20.0]])).slopes.round(9).tolist()
    [1.8]
    """
    middle, size, mean = X.mean(axis=0), X.std(axis=0), float(y.mean())
    size = np.where(size > 0.0, size, 1.0)
    slopes = np.linalg.lstsq((X - middle) / size, y - mean, rcond=1e-10)[0] / size
    return ExactFit(slopes, mean - float(middle @ slopes))


def _is_exact(y: Floats, X: Floats, fit: ExactFit, steady: bool, loose: bool) -> bool:
    residual = y - X @ fit.slopes - fit.constant
    values, rest = y[np.isfinite(y)], residual[np.isfinite(residual)]
    tiny = 1e-9 * float(np.abs(values).max())
    if values.std() <= tiny:
        return False
    if steady and np.abs(rest).max() <= tiny:
        return True
    steps, moved = (np.diff(column)[np.isfinite(np.diff(column))] for column in (y, residual))
    if steps.size < FEWEST_ROWS // 2 or steps.std() <= tiny:
        return False
    unexplained = max(float(rest @ rest) / rest.size / values.var(), moved.var() / steps.var())
    if loose and unexplained <= ROUNDED:
        return True
    is_simple = fit.slopes.size == 1 or bool(np.all(fit.slopes == np.round(fit.slopes)))
    if is_simple and EXACT < unexplained <= ROUNDED and np.unique(values).size >= FEWEST_DIFFERENT:
        return is_to_the_digit(y, X, fit, counts=False)
    return bool(unexplained <= EXACT)


def is_to_the_digit(y: Floats, X: Floats, fit: ExactFit, *, counts: bool = True) -> bool:
    """Whether a relation leaves no more than the digits that were written; none rounds whole numbers that are counts.

    >>> net = np.array([[0.5], [1.5], [2.0]])
    >>> is_to_the_digit(np.array([0.6, 1.8, 2.4]), net, ExactFit(np.array([1.19]), 0.0))
    True
    """
    units = np.array([last_digit(x) for x in X.T])
    digits = last_digit(y) + float(np.abs(fit.slopes) @ np.where((units < 1.0) | (not counts), units, 0.0))
    rest = float(np.nanmax(np.abs(y - X @ fit.slopes - fit.constant)))
    return rest <= max(0.6 * digits, 1e-6 * float(np.nanmax(np.abs(y))))


def last_digit(values: Floats) -> float:
    """The unit of the last digit that numbers are written with; 0 where they have more than six after the point.

    >>> last_digit(np.array([0.25, np.nan, 1.5])), last_digit(np.array([300.0, 1200.0]))
    (0.01, 100.0)
    """
    for places in DIGITS:
        scaled = values * 10.0**places
        size = np.nanmax(np.abs(scaled))
        if size >= 1.0 and not (np.abs(scaled - np.round(scaled)) > 1e-12 * size).any():
            return float(10.0**-places)
    return 0.0


def fewest_columns(y: Floats, X: Floats, *, steady: bool = False) -> tuple[list[int], ExactFit] | None:
    """Columns of (n, p) that give y exactly, none of which can be spared; None where all together do not.

    >>> X = np.random.default_rng(0).normal(size=(40, 4))
    >>> fewest_columns(X[:, 0] + X[:, 3], X)[0]
    [0, 3]
    """
    most = max((int(np.isfinite(y).sum()) - FEWEST_ROWS) // 3, 0)
    columns = list(range(X.shape[1])) if X.shape[1] <= most else sorted(closest(y, X)[:most])
    for place in closest(y, X)[:FEW] if steady else ():
        if (alone := exact_fit(y, X[:, [place]], steady=True)) is not None:
            return [place], alone
    for loose in (False, True):
        fit = exact_fit(y, X[:, columns], steady=steady, loose=loose) if len(columns) > 1 else None
        if fit is not None:
            break
    else:
        return None
    order = [columns[place] for place in np.argsort(-np.abs(fit.slopes) * np.nanstd(X[:, columns], axis=0))]
    sizes = (2**k for k in range(1, len(order).bit_length()))
    fits = ((order[:size], exact_fit(y, X[:, order[:size]], steady=steady, loose=loose)) for size in sizes)
    columns, fit = next(((some, found) for some, found in fits if found is not None), (order, fit))
    for column in columns[::-1]:
        rest = [other for other in columns if other != column]
        without = exact_fit(y, X[:, rest], steady=steady, loose=loose) if rest else None
        columns, fit = (columns, fit) if without is None else (rest, without)
    columns = sorted(columns)
    last = exact_fit(y, X[:, columns], steady=steady)
    return None if last is None else (columns, last)


def closest(y: Floats, X: Floats) -> list[int]:
    """All columns, those first whose differences go with those of y."""
    steps = np.nan_to_num(np.diff(y))
    with np.errstate(invalid="ignore"):
        moves = np.nan_to_num(np.diff(X, axis=0))
        likeness = np.abs(steps @ moves) / np.maximum(np.linalg.norm(moves, axis=0), 1e-300)
    return [int(place) for place in np.argsort(-likeness, kind="stable")]
