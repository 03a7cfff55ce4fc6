"""A kernel as it is written on the columns of a table: every leaf on columns of its kind."""

from __future__ import annotations

from dataclasses import replace

from autostatistician.data.inputs import InputColumns
from autostatistician.errors import InputError
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, product_of, sum_of
from autostatistician.language.kernel import Kernel, unset
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import LEAVES, category_symbol, is_leaf_of
from autostatistician.language.text import parse_kernel
from autostatistician.language.traits import column_index

__all__ = ["on_columns"]


def on_columns(kernel: str | Expr | Kernel, inputs: InputColumns, rank: int | None = None) -> Kernel:
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
    >>> str(on_columns("SE + WN", InputColumns(("size", "colour"), {"colour": ("blue", "red")})))
    'SE[size] * Cat[colour] + WN'
    """
    read = parse_kernel(kernel) if isinstance(kernel, str) else kernel
    return _placed(read if isinstance(read, Kernel) else unset(read), inputs, rank)


def _placed(kernel: Kernel, inputs: InputColumns, rank: int | None) -> Kernel:
    parts = [_placed(part, inputs, rank) for part in kernel.parts]
    match kernel.expr:
        case Leaf() as leaf:
            return _placed_leaf(kernel, leaf, inputs, rank)
        case ChangePoint(column=column) | ChangeWindow(column=column) as change:
            placed = replace(change, column=_measured(column, inputs))
            return Kernel.change(placed, kernel.own, parts)
        case Sum() | Product():
            return kernel.rebuilt(tuple(parts))


def _measured(column: str | None, inputs: InputColumns) -> str:
    name = inputs.columns[column_index(column, inputs.columns)]
    if name in inputs.levels:
        raise InputError.of("a change along numbers", f"one along the categories of {name!r}", "name another column")
    return name


def _placed_leaf(kernel: Kernel, leaf: Leaf, inputs: InputColumns, rank: int | None) -> Kernel:
    if not LEAVES[leaf.symbol].has_column:
        return kernel
    of_categories = is_leaf_of(leaf, LeafKind.CATEGORIES)
    if leaf.column is None and len(inputs.columns) > 1 and not of_categories:
        return unset(_spread(leaf.symbol, inputs, rank))
    name = inputs.columns[column_index(leaf.column, inputs.columns)]
    if of_categories != (name in inputs.levels):
        kind = "categories" if of_categories else "numbers"
        raise InputError.of(f"{leaf.symbol} on a column of {kind}", repr(name), "change the leaf or the column")
    if leaf.symbol == "Cat" and rank is not None:
        return unset(_full(name, inputs, rank))
    shape = LEAVES[leaf.symbol].shape
    if shape is not None and shape[0] != len(inputs.levels[name]):
        wanted = category_symbol(len(inputs.levels[name]), shape[1])
        raise InputError.of(f"{wanted}[{name}]", f"{leaf.symbol}: another number of levels", f"write {wanted}")
    return Kernel(Leaf(leaf.symbol, name), kernel.values)


def _spread(symbol: str, inputs: InputColumns, rank: int | None) -> Expr:
    if LEAVES[symbol].kind is LeafKind.LINE and inputs.measured:
        return sum_of(tuple(Leaf(symbol, name) for name in inputs.measured))
    groups = [Leaf("Cat", name) if rank is None else _full(name, inputs, rank) for name in inputs.levels]
    return product_of((*(Leaf(symbol, name) for name in inputs.measured), *groups))


def _full(name: str, inputs: InputColumns, rank: int) -> Leaf:
    count = len(inputs.levels[name])
    symbol = category_symbol(count, min(rank, count))
    if symbol not in LEAVES:
        raise InputError.of("at most 99 categories for a full covariance", f"{count} in {name!r}", "use rank=None")
    return Leaf(symbol, name)
