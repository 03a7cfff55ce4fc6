"""What the estimators of this room read: columns of numbers and of categories, and kernels as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from autostatistician.data.categories import UNSEEN, has_categories, input_matrix, is_category, levels_of
from autostatistician.data.frames import columns_of
from autostatistician.errors import InputError
from autostatistician.inference.covariance import column_index
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, product_of, sum_of
from autostatistician.language.kernel import Kernel, unset
from autostatistician.language.leaves import LEAVES, category_shape, category_symbol
from autostatistician.language.text import parse_kernel

__all__ = ["Inputs", "check_count", "new_inputs", "on_columns", "read_inputs"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Inputs:
    """Names of the columns, and the levels of those that hold categories."""

    columns: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]

    @property
    def measured(self) -> tuple[str, ...]:
        """The columns of numbers."""
        return tuple(name for name in self.columns if name not in self.levels)


def read_inputs(estimator: BaseEstimator, X: Any) -> tuple[Array, Inputs]:
    """The rows of a fit as numbers (n, d), and what their columns are; scikit-learn's checks are done."""
    if not has_categories(X):
        rows = np.asarray(validate_data(estimator, X, dtype=np.float64, ensure_min_samples=2))
        d = rows.shape[1]
        names = getattr(estimator, "feature_names_in_", ["x"] if d == 1 else [f"x{k + 1}" for k in range(d)])
        return rows, Inputs(tuple(map(str, names)), {})
    validate_data(estimator, X, skip_check_array=True)
    columns = columns_of(X, index=False)
    names = tuple(column.name for column in columns)
    found = Inputs(names, {column.name: levels_of(column) for column in columns if is_category(column)})
    return input_matrix(columns, names, found.levels), found


def new_inputs(estimator: BaseEstimator, X: Any, known: Inputs, unseen: str) -> Array:
    """The rows of a prediction as numbers (m, d).

    Raises
    ------
    InputError
        When a category is unknown and not to be taken as new, or a column is missing.
    """
    if unseen not in UNSEEN:
        raise InputError.of("unseen='error' or unseen='new'", repr(unseen), "choose one of them")
    if not known.levels:
        return np.asarray(validate_data(estimator, X, reset=False, dtype=np.float64))
    validate_data(estimator, X, reset=False, skip_check_array=True)
    return input_matrix(columns_of(X, index=False), known.columns, known.levels, unseen=unseen)


def on_columns(kernel: str | Expr | Kernel, inputs: Inputs, rank: int | None = None) -> Kernel:
    """The kernel with every leaf on a column that is there.

    A leaf without a column becomes a product over all columns (``Lin``: a sum over those of numbers), with ``Cat`` on
    columns of categories; what has numbers keeps them. With a ``rank`` every ``Cat`` becomes a full covariance
    between the levels of its column.

    Raises
    ------
    InputError
        When a column is not there, ``Cat`` acts on numbers, or another leaf on categories.

    Examples
    --------
    >>> str(on_columns("SE + WN", Inputs(("size", "colour"), {"colour": ("blue", "red")})))
    'SE[size] * Cat[colour] + WN'
    """
    read = parse_kernel(kernel) if isinstance(kernel, str) else kernel
    return _placed(read if isinstance(read, Kernel) else unset(read), inputs, rank)


def _placed(kernel: Kernel, inputs: Inputs, rank: int | None) -> Kernel:
    parts = [_placed(part, inputs, rank) for part in kernel.parts]
    match kernel.expr:
        case Leaf() as leaf:
            return _placed_leaf(kernel, leaf, inputs, rank)
        case ChangePoint(column=column):
            location, steepness = kernel.own
            return Kernel.change_point(parts[0], parts[1], location, steepness, _measured(column, inputs))
        case ChangeWindow(column=column):
            location, steepness, width = kernel.own
            return Kernel.change_window(parts[0], parts[1], location, steepness, width, _measured(column, inputs))
        case Sum() | Product():
            return kernel.rebuilt(tuple(parts))


def _measured(column: str | None, inputs: Inputs) -> str:
    name = inputs.columns[column_index(column, inputs.columns)]
    if name in inputs.levels:
        raise InputError.of("a change along numbers", f"one along the categories of {name!r}", "name another column")
    return name


def _placed_leaf(kernel: Kernel, leaf: Leaf, inputs: Inputs, rank: int | None) -> Kernel:
    if not LEAVES[leaf.symbol].has_column:
        return kernel
    of_categories = leaf.symbol == "Cat" or category_shape(leaf.symbol) is not None
    if leaf.column is None and len(inputs.columns) > 1 and not of_categories:
        return unset(_spread(leaf.symbol, inputs, rank))
    name = inputs.columns[column_index(leaf.column, inputs.columns)]
    if of_categories != (name in inputs.levels):
        kind = "categories" if of_categories else "numbers"
        raise InputError.of(f"{leaf.symbol} on a column of {kind}", repr(name), "change the leaf or the column")
    if leaf.symbol == "Cat" and rank is not None:
        return unset(_full(name, inputs, rank))
    shape = category_shape(leaf.symbol)
    if shape is not None and shape[0] != len(inputs.levels[name]):
        wanted = category_symbol(len(inputs.levels[name]), shape[1])
        raise InputError.of(f"{wanted}[{name}]", f"{leaf.symbol}: another number of levels", f"write {wanted}")
    return Kernel(Leaf(leaf.symbol, name), kernel.values)


def _spread(symbol: str, inputs: Inputs, rank: int | None) -> Expr:
    if symbol == "Lin" and inputs.measured:
        return sum_of(tuple(Leaf(symbol, name) for name in inputs.measured))
    groups = [Leaf("Cat", name) if rank is None else _full(name, inputs, rank) for name in inputs.levels]
    return product_of((*(Leaf(symbol, name) for name in inputs.measured), *groups))


def _full(name: str, inputs: Inputs, rank: int) -> Leaf:
    count = len(inputs.levels[name])
    symbol = category_symbol(count, min(rank, count))
    if category_shape(symbol) is None:
        raise InputError.of("at most 99 categories for a full covariance", f"{count} in {name!r}", "use rank=None")
    return Leaf(symbol, name)


def check_count(name: str, value: object, least: int) -> int:
    """A setting that is a whole number from ``least``.

    Raises
    ------
    InputError
        When it is not.

    Examples
    --------
    >>> check_count("rank", 2, 0)
    2
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError.of(f"{name} as a whole number from {least}", repr(value), "change the setting")
    return int(value)
