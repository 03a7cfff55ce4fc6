"""Empty cells among the inputs of a table: what stands in their place, so that no row is left out for them.

An empty category is a level of its own, an empty number what the other numbers of its row let expect. What it could be
beside moves the target, too: such a row has noise of its own. Where rows without a number differ in their target from
what that lets expect, a column that says so (an indicator of missing values) stands beside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats
from autostatistician.data.records import Record
from autostatistician.data.value_checks import LARGEST_VALUE
from autostatistician.forms import INDICATOR
from autostatistician.i18n.messages import note, note_some
from autostatistician.i18n.names import all_of, listed

__all__ = ["EMPTY", "INDICATOR", "NEARLY_EMPTY", "FilledInputs", "Gaps", "indicator_of", "most_gaps", "without_gaps"]


EMPTY = INDICATOR[1]  # the level of empty categories: no text of a cell is read as this
NEARLY_EMPTY = 0.8  # of the cells of a column of numbers, which is left out if more are empty
LEAST_T, FEWEST = 3.0, 5  # t-value of indicators that are kept, and rows on each side of them
ROWS_PER_COEFFICIENT = 3  # of squares beside lines, else 2 of lines alone
MOST_WITH_GAPS = 3  # columns that are named
LEAST_LEFT = 0.02  # of the variance of numbers along any direction: correlations of few rows leave less by chance


@dataclass(frozen=True, eq=False)
class Gaps(Record):
    """How the numbers of a table vary together and with its target, for rows in which some of them are empty.

    Attributes
    ----------
    columns : tuple of str
        All d columns of numbers.
    incomplete : tuple of str
        Those of them that had empty cells, and may have some again.
    ends : array (2, d)
        Their lowest and highest numbers.
    centre, size : array (d,)
        Their means and standard deviations.
    correlation : array (d, d)
    slopes, bends : array (d,)
        By how much the target changes with a number in standard units, and with its square.
    """

    columns: tuple[str, ...]
    incomplete: tuple[str, ...]
    ends: Floats
    centre: Floats
    size: Floats
    correlation: Floats
    slopes: Floats
    bends: Floats

    @classmethod
    def among(cls, columns: tuple[str, ...], X: Floats) -> Gaps:
        """Those of rows (n, d) of numbers, some of them NaN; a target does not change with them.

        Each correlation is of the rows that have both numbers, and is shrunk by as much as chance adds to all of them
        (Schäfer and Strimmer 2005).
        """
        seen = np.abs(X) <= LARGEST_VALUE  # not of NaN
        numbers = np.where(seen, X, 0.0)
        count = seen.sum(axis=0)
        centre = np.where(count, numbers.sum(axis=0) / np.maximum(count, 1), np.nan)
        size = np.sqrt((np.where(seen, X - centre, 0.0) ** 2).sum(axis=0) / np.maximum(count, 1))
        size[size == 0.0] = 1.0
        z = np.where(seen, (X - centre) / size, 0.0)
        both = np.maximum(seen.T.astype(np.float64) @ seen, 2.0)
        found = np.clip(z.T @ z / both, -1.0, 1.0)
        np.fill_diagonal(found, 0.0)
        by_chance = float(np.sum((1.0 - found**2) ** 2 / (both - 1.0)) - np.sum(1.0 / (both.diagonal() - 1.0)))
        kept = max(1.0 - by_chance / max(float(np.sum(found**2)), 1e-12), 0.0)
        sizes, axes = np.linalg.eigh(np.eye(len(columns)) + kept * found)
        correlation = (axes * np.maximum(sizes, LEAST_LEFT)) @ axes.T
        lows, highs = (of(np.where(seen, X, centre), axis=0) for of in (np.min, np.max))
        incomplete = tuple(name for name, cells in zip(columns, X.T, strict=True) if np.isnan(cells).any())
        flat = np.zeros(len(columns))
        return cls(columns, incomplete, np.array([lows, highs]), centre, size, correlation, flat, flat)

    def filled(self, X: Floats) -> tuple[Floats, Floats]:
        """Rows (m, d) of numbers with the mean of each empty one given the others, and variances (m,) of their targets.

        >>> gaps = Gaps.among(("a", "b"), np.array([[0.0, 2.0], [2.0, 2.0], [0.0, 4.0], [2.0, 4.0]]))
        >>> X, variances = replace(gaps, slopes=np.array([0.0, 3.0])).filled(np.array([[2.0, 2.0], [1.0, np.nan]]))
        >>> X.tolist(), variances.round(6).tolist()
        ([[2.0, 2.0], [1.0, 3.0]], [0.0, 9.0])
        """
        z: Floats = np.where(np.isfinite(X), (X - self.centre) / self.size, 0.0)
        variances = np.zeros(len(X))
        patterns, which = np.unique(np.isnan(X), axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        each = np.split(order, np.cumsum(np.bincount(which.ravel()))[:-1])
        for empty, rows in zip(patterns, each, strict=True):
            if empty.any():
                weights, left = self._given(empty)
                z[np.ix_(rows, empty)] = z[np.ix_(rows, ~empty)] @ weights
                variances[rows] = self._moved(z[np.ix_(rows, empty)], empty, left)
        return np.where(np.isnan(X), np.clip(z * self.size + self.centre, *self.ends), X), variances

    def _given(self, empty: Flags) -> tuple[Floats, Floats]:
        """Weights (s, e) of numbers that are there on the means of those that are not, and the covariance left."""
        beside = self.correlation[np.ix_(~empty, empty)]
        weights = np.asarray(np.linalg.solve(self.correlation[np.ix_(~empty, ~empty)], beside), dtype=np.float64)
        return weights, self.correlation[np.ix_(empty, empty)] - beside.T @ weights

    def _moved(self, z: Floats, empty: Flags, left: Floats) -> Floats:
        """Variances (m,) of a quadratic function of normal numbers with means (m, e) and a covariance (e, e)."""
        bends = self.bends[empty]
        slopes = self.slopes[empty] + 2.0 * bends * z
        return np.asarray(np.sum(slopes @ left * slopes, axis=1) + 2.0 * bends @ left**2 @ bends)


@dataclass(frozen=True, eq=False)
class FilledInputs:
    """Rows (n, d) of inputs, their names and categories, and what was done.

    Of columns with gaps what else is known of them, and variances (n,) of the targets because of these.
    """

    X: Floats
    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    gaps: Gaps | None = None
    unsure: Floats | None = None
    notes: tuple[str, ...] = ()


def indicator_of(name: str) -> str:
    """The name of the column that says where another has no value."""
    return f"{name} {EMPTY}"


def without_gaps(inputs: FilledInputs, y: Floats) -> FilledInputs:
    """The same inputs with something in the place of each empty cell; ``y`` (n,) is the target.

    >>> X = np.array([[1.0, 0.0], [np.nan, 1.0], [3.0, np.nan]])
    >>> found = without_gaps(FilledInputs(X, ("size", "colour"), {"colour": ("blue", "red")}), np.arange(3.0))
    >>> found.X.tolist(), found.levels
    ([[1.0, 0.0], [2.0, 1.0], [3.0, 2.0]], {'colour': ('blue', 'red', 'missing')})
    >>> found.notes
    ("2 rows with empty cells are kept: 1 in 'size' and 1 in 'colour'. An empty ...",)
    """
    seen = np.isfinite(y)
    inputs = _without_nearly_empty(inputs, seen)
    empty = np.isnan(inputs.X)
    if not empty[seen].any():
        return inputs
    X, levels = inputs.X.copy(), dict(inputs.levels)
    counts = dict(zip(inputs.names, empty[seen].sum(axis=0).tolist(), strict=True))
    for place, (name, count) in enumerate(counts.items()):
        if count and name in levels:
            X[empty[:, place], place] = len(levels[name])
            levels[name] = (*levels[name], EMPTY)
    numbers = [place for place, name in enumerate(inputs.names) if name not in levels]
    gaps, unsure, added = None, None, list[str]()
    if empty[:, numbers].any():
        names = tuple(inputs.names[place] for place in numbers)
        gaps, telling = _with_target(names, X[seen][:, numbers], y[seen])
        X[:, numbers], variances = gaps.filled(X[:, numbers])
        unsure = variances if variances[seen].any() else None
        added = [indicator_of(names[place]) for place in telling]
        X = np.column_stack([X, empty[:, numbers][:, telling]])
        levels |= dict.fromkeys(added, INDICATOR)
    notes = inputs.notes + note_some(
        int(empty[seen].any(axis=1).sum()),
        "{n} row with empty cells is kept: {columns}. An empty number counts as what the other numbers of its row let "
        "expect, an empty category as one of its own.",
        "{n} rows with empty cells are kept: {columns}. An empty number counts as what the other numbers of its row "
        "let expect, an empty category as one of its own.",
        columns=most_gaps(counts),
    )  # fmt: skip
    return FilledInputs(X, (*inputs.names, *added), levels, gaps, unsure, notes)


def _without_nearly_empty(inputs: FilledInputs, seen: NDArray[np.bool_]) -> FilledInputs:
    """The inputs but for columns of numbers with hardly any, unless there are no others."""
    share = np.isnan(inputs.X[seen]).mean(axis=0)
    kept = np.array([name in inputs.levels for name in inputs.names]) | (share <= NEARLY_EMPTY)
    if kept.all() or not kept.any():
        return inputs
    names = np.array(inputs.names, dtype=object)
    columns = listed(names[~kept].tolist())
    told = note("Not used, because {reason}: {columns}.", reason=note("most of its cells are empty"), columns=columns)
    return replace(inputs, X=inputs.X[:, kept], names=tuple(names[kept]), notes=(*inputs.notes, told))


def _with_target(names: tuple[str, ...], X: Floats, y: Floats) -> tuple[Gaps, NDArray[np.intp]]:
    """How numbers (n, d) vary together and with a target (n,), and the columns whose gaps tell of it; none twice.

    The latter by least squares of lines, squares and gaps, with White's errors: rows with gaps scatter more.
    """
    gaps, empty = Gaps.among(names, X), np.isnan(X)
    X, _ = gaps.filled(X)
    rows = (np.abs(X) <= LARGEST_VALUE).all(axis=1) & (np.abs(y) <= LARGEST_VALUE)
    X, empty, y = X[rows], empty[rows], y[rows]
    _, first = np.unique(empty, axis=1, return_index=True)
    places = np.array(
        sorted(place for place in first if FEWEST <= empty[:, place].sum() <= len(y) - FEWEST), dtype=np.intp
    )
    z, d = (X - gaps.centre) / gaps.size, X.shape[1]
    bent = np.array([np.unique(column[~gap]).size > 2 for column, gap in zip(z.T, empty.T, strict=True)])
    bent &= len(y) >= ROWS_PER_COEFFICIENT * (1 + 2 * d + places.size)
    design = np.column_stack([np.ones(len(y)), z, z[:, bent] ** 2 - 1.0, empty[:, places]])
    if len(y) < 2 * design.shape[1]:
        return gaps, places[:0]
    inverse = np.linalg.pinv(design)
    coefficients = inverse @ y
    squared = (y - design @ coefficients) ** 2
    errors = np.sqrt(inverse**2 @ squared)
    t = np.abs(coefficients) / np.maximum(errors, np.finfo(np.float64).tiny)
    telling = places[t[len(t) - len(places) :] >= LEAST_T]
    sure = np.sign(coefficients) * np.sqrt(np.maximum(coefficients**2 - errors**2, 0.0))  # without what errors add
    slopes, bends = sure[1 : 1 + d], np.zeros(d)
    bends[bent] = sure[1 + d : 1 + d + np.count_nonzero(bent)]
    for place in telling:  # not any number is missing there: the target may scatter less
        scatter = squared[empty[:, place]].mean() - squared[~empty[:, place]].mean()
        expected = slopes[place] ** 2 + 2.0 * bends[place] ** 2
        share = np.sqrt(min(max(scatter, 0.0) / max(expected, 1e-300), 1.0))
        slopes[place], bends[place] = share * slopes[place], share * bends[place]
    return replace(gaps, slopes=slopes, bends=bends), telling


def most_gaps(counts: Mapping[str, int]) -> str:
    """The columns with most gaps, and how many they have.

    >>> most_gaps({"size": 2, "age": 0, "colour": 3})
    "3 in 'colour' and 2 in 'size'"
    """
    most = sorted((name for name in counts if counts[name]), key=counts.__getitem__, reverse=True)[:MOST_WITH_GAPS]
    return all_of(note("{n} in {column}", n=counts[name], column=repr(name)) for name in most)
