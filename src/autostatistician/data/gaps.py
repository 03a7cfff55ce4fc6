"""Empty cells among the inputs of a table: what stands in their place, so that no row is left out for them.

An empty category is a level of its own, an empty number the mean of its column. Where rows without a number differ in
their target from what that mean lets expect, a column that says so (an indicator of missing values) stands beside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.value_checks import LARGEST_VALUE
from autostatistician.forms import INDICATOR
from autostatistician.i18n.messages import note, note_some
from autostatistician.i18n.names import all_of, listed

__all__ = ["EMPTY", "INDICATOR", "NEARLY_EMPTY", "FilledInputs", "indicator_of", "most_gaps", "without_gaps"]

Floats = NDArray[np.float64]

EMPTY = INDICATOR[1]  # the level of empty categories: no text of a cell is read as this
NEARLY_EMPTY = 0.8  # of the cells of a column of numbers, which is left out if more are empty
LEAST_T, FEWEST = 3.0, 5  # t-value of indicators that are kept, and rows on each side of them
MOST_WITH_GAPS = 3  # columns that are named


@dataclass(frozen=True, eq=False)
class FilledInputs:
    """Rows (n, d) of inputs, their names and categories, the means of columns with gaps, and what was done."""

    X: Floats
    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)
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
    X, levels, means = inputs.X.copy(), dict(inputs.levels), {}
    counts = dict(zip(inputs.names, empty[seen].sum(axis=0).tolist(), strict=True))
    for place, (name, count) in enumerate(counts.items()):
        if count and name in levels:
            X[empty[:, place], place] = len(levels[name])
            levels[name] = (*levels[name], EMPTY)
        elif count and (finite := seen & np.isfinite(X[:, place])).any():
            means[name] = float(X[finite, place].mean())
            X[empty[:, place], place] = means[name]
    numbers = np.array([place for place, name in enumerate(inputs.names) if name not in levels], dtype=np.intp)
    places = numbers[_telling(X[seen][:, numbers], empty[seen][:, numbers], y[seen])]
    added = tuple(indicator_of(inputs.names[place]) for place in places)
    levels |= dict.fromkeys(added, INDICATOR)
    X = np.column_stack([X, empty[:, places]])
    notes = inputs.notes + note_some(
        int(empty[seen].any(axis=1).sum()),
        "{n} row with empty cells is kept: {columns}. An empty number counts as the mean of its column, an empty "
        "category as one of its own.",
        "{n} rows with empty cells are kept: {columns}. An empty number counts as the mean of its column, an empty "
        "category as one of its own.",
        columns=most_gaps(counts),
    )  # fmt: skip
    return FilledInputs(X, (*inputs.names, *added), levels, means, notes)


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


def _telling(X: Floats, empty: NDArray[np.bool_], y: Floats) -> NDArray[np.intp]:
    """The columns whose gaps tell something of the target beside lines of all columns; none twice.

    That is by least squares, with White's errors.
    """
    rows = (np.abs(X) <= LARGEST_VALUE).all(axis=1) & (np.abs(y) <= LARGEST_VALUE)
    X, empty, y = X[rows], empty[rows], y[rows]
    _, first = np.unique(empty, axis=1, return_index=True)
    places = np.array(
        sorted(place for place in first if FEWEST <= empty[:, place].sum() <= len(y) - FEWEST), dtype=np.intp
    )
    if not places.size:  # as in no rows
        return places
    lines = X[:, np.ptp(X, axis=0) > 0.0]
    design = np.column_stack([np.ones(len(y)), (lines - lines.mean(axis=0)) / lines.std(axis=0), empty[:, places]])
    if len(y) < 2 * design.shape[1]:
        return places[:0]
    inverse = np.linalg.pinv(design)
    coefficients = inverse @ y
    errors = np.sqrt(np.sum((inverse * (y - design @ coefficients)) ** 2, axis=1))  # rows with gaps scatter more
    t = np.abs(coefficients) / np.maximum(errors, np.finfo(np.float64).tiny)
    return np.asarray(places[t[-len(places) :] >= LEAST_T], dtype=np.intp)


def most_gaps(counts: Mapping[str, int]) -> str:
    """The columns with most gaps, and how many they have.

    >>> most_gaps({"size": 2, "age": 0, "colour": 3})
    "3 in 'colour' and 2 in 'size'"
    """
    most = sorted((name for name in counts if counts[name]), key=counts.__getitem__, reverse=True)[:MOST_WITH_GAPS]
    return all_of(note("{n} in {column}", n=counts[name], column=repr(name)) for name in most)
