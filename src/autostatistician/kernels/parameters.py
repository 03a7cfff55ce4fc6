"""The parameters of an expression in preorder: a node's own, then those of its operands from left to right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from autostatistician.errors import InputError
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.format import format_expr
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import own_parameters

__all__ = ["Parameter", "Placed", "column_index", "operands", "parameter_names", "parameters", "placed", "size"]

Placed = tuple[Expr, int]  # an operand, and where its parameters begin


@dataclass(frozen=True, slots=True)
class Parameter:
    """Where a value of a kernel belongs: the path from the root to its node, its name and role."""

    path: tuple[int, ...]
    node: Expr
    name: str
    role: Role


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of a node, in the order in which their parameters are stored."""
    match expr:
        case Leaf():
            return ()
        case Sum(terms=parts) | Product(factors=parts):
            return parts
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return (first, second)


@lru_cache(maxsize=4096)
def parameters(expr: Expr) -> tuple[Parameter, ...]:
    """All parameters of an expression, in the order of `Kernel.values`.

    >>> [p.name for p in parameters(Leaf("SE") + Leaf("WN"))]
    ['lengthscale', 'sd', 'sd']
    """
    return tuple(_walk(expr, ()))


def _walk(expr: Expr, path: tuple[int, ...]) -> Iterator[Parameter]:
    for name, role in own_parameters(expr):
        yield Parameter(path, expr, name, role)
    for index, part in enumerate(operands(expr)):
        yield from _walk(part, (*path, index))


@lru_cache(maxsize=4096)
def parameter_names(expr: Expr) -> tuple[str, ...]:
    """A name of its own for each parameter: that of its node and its own; of nodes that come again with a number.

    >>> parameter_names(Leaf("WN") + Leaf("WN") * Leaf("SE"))
    ('WN.sd', 'WN_2.sd', 'SE.lengthscale', 'SE.sd')
    """
    seen: Counter[str] = Counter()
    names = []
    for parameter in parameters(expr):
        node = format_expr(parameter.node) if isinstance(parameter.node, Leaf) else type(parameter.node).__name__
        name = f"{node}.{parameter.name}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{node}_{seen[name]}.{parameter.name}")
    return tuple(names)


@lru_cache(maxsize=20000)
def size(expr: Expr) -> int:
    """The number of values that a kernel of this structure carries (see `count.effective_parameters` for the BIC).

    >>> size(Leaf("SE") + Leaf("WN"))
    3
    """
    return len(own_parameters(expr)) + sum([size(part) for part in operands(expr)])


def placed(parts: Sequence[Expr], start: int) -> list[Placed]:
    """Operands with where the parameters of each begin, those of the first at ``start``.

    >>> [at for _, at in placed((Leaf("SE"), Leaf("Per"), Leaf("WN")), 2)]
    [2, 4, 7]
    """
    operands = []
    for part in parts:
        operands.append((part, start))
        start += size(part)
    return operands


def column_index(column: str | None, columns: tuple[str, ...]) -> int:
    """Where a leaf's column is in ``X``; None means the only one.

    Raises
    ------
    InputError
        When the column is not there, or none is named although there are several.
    """
    if column is None and len(columns) == 1:
        return 0
    if column in columns:
        return columns.index(column)
    names = ", ".join(repr(name) for name in columns)
    found = "a leaf without a column" if column is None else f"a leaf on column {column!r}"
    raise InputError.of(f"leaves on the columns {names}", found, "name one of these columns in the expression")
