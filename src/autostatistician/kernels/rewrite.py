"""Rewriting of kernels that preserves the covariance: canonical form, sum of products, components."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import isnan
from operator import add

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Product
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.kernels.simplify import simplified
from autostatistician.kernels.traits import leaf_columns
from autostatistician.kernels.tree import (
    CHANGES,
    ZERO,
    Node,
    change,
    from_kernel,
    plus,
    rebuilt,
    renewed,
    times,
    to_kernel,
)

__all__ = ["canonical", "components", "expanded", "sum_of_products"]


def canonical(kernel: Kernel | Expr) -> Kernel:
    """The kernel with flat sums and products and their operands in a fixed order.

    Operands are ordered by the rows of `LEAVES` (products factor by factor), then sums and changes, then
    column, then parameters. Law: the covariance is unchanged, and the canonical form of a canonical form is itself.

    >>> from autostatistician.kernels.kernel import leaf
    >>> k = canonical(leaf("WN", sd=0.1) + leaf("Per", period=1.0) * leaf("SE", sd=2.0))
    >>> str(k), k.values
    ('SE * Per + WN', (nan, 2.0, nan, 1.0, nan, 0.1))
    """
    return to_kernel(from_kernel(kernel))


def sum_of_products(kernel: Kernel | Expr) -> Kernel:
    """The additive form: products distributed over sums, changes outermost (Lloyd et al. 2014).

    Within a product a change comes first, ``CP(a, b) * c = CP(a * c, b * c)``; otherwise the product is
    distributed over its sums. Law: the covariance is unchanged; nothing is merged or dropped.

    >>> from autostatistician.kernels.kernel import unset
    >>> from autostatistician.kernels.text import parse
    >>> str(sum_of_products(unset(parse("Lin * CP(SE, WN + Per)"))))
    'CP(SE * Lin, Per * Lin + Lin * WN)'
    """
    return to_kernel(expanded(from_kernel(kernel)))


def expanded(node: Node) -> Node:
    """`sum_of_products` of a tree."""
    if not node.parts:
        return node
    if node.head == "*" and not any(part.parts for part in node.parts):
        return node
    parts = [expanded(part) for part in node.parts]
    return _multiplied(parts) if node.head == "*" else renewed(node, parts)


def _multiplied(factors: Sequence[Node]) -> Node:
    """The sum of products of a product whose factors are sums of products already."""
    whole = times(factors)
    if whole.head != "*":
        return whole
    for wanted in (CHANGES, {"+"}):
        for index, factor in enumerate(whole.parts):
            if factor.head in wanted:
                rest = whole.parts[:index] + whole.parts[index + 1 :]
                return rebuilt(factor, [_multiplied((part, *rest)) for part in factor.parts])
    return whole


def components(kernel: Kernel | Expr) -> tuple[Kernel, ...]:
    """The additive parts of a kernel, each one product, perhaps inside changes whose other operand is "0".

    The sum of products is simplified and taken apart; parts inside equal changes (same place, same
    steepness) that can be merged exactly are merged. A level stays with what wanders off from it, or with the line or
    polynomial over time, as one part: by itself a walk begins at zero and a line at a place that means nothing, and
    only both together are a level. Law: the covariances add up to that of the kernel.

    >>> from autostatistician.kernels.kernel import unset
    >>> from autostatistician.kernels.text import parse
    >>> [str(part) for part in components(unset(parse("SE * (Per + C) + CP(WN, Lin)")))]
    ['SE', 'SE * Per', 'CP(WN, 0)', 'CP(0, Lin)']
    >>> [str(part) for part in components(unset(parse("SE + Wiener + C + WN")))]
    ['SE', 'Wiener + C', 'WN']
    >>> [str(part) for part in components(unset(parse("Lin + Per + C + WN")))]
    ['Per', 'Lin + C', 'WN']
    """
    groups: dict[_Windows, list[Node]] = {}
    for windows, product in _summands(simplified(expanded(from_kernel(kernel))), ()):
        groups.setdefault(windows, []).append(product)
    parts = [_enclosed(part, windows) for windows, group in groups.items() for part in _terms(simplified(plus(group)))]
    return _with_level([to_kernel(part) for part in _terms(plus(parts or [ZERO]))])


def _with_level(parts: Sequence[Kernel]) -> tuple[Kernel, ...]:
    """The parts, the level being one with what wanders off from it, the smoothest if there are several, or the line.

    A level that steps is one part, too: what comes to it at a change means nothing by itself.
    """
    level = [part for part in parts if is_leaf_of(part.expr, LeafKind.CONSTANT)]
    walks = [part for part in parts if is_leaf_of(part.expr, LeafKind.UNBOUNDED)]
    steps = [part for part in parts if _is_gated_level(part)]
    lines = [] if steps else [part for part in parts if _is_line(part.expr)]
    if walks or lines:
        carrier = max(walks, key=lambda part: "lengthscale" in part.named()) if walks else lines[0]
        return _joined([carrier, *level], parts)
    return _joined([*level, *steps], parts)


def _joined(members: Sequence[Kernel], parts: Sequence[Kernel]) -> tuple[Kernel, ...]:
    """The parts with some of them as one, at the place of the first of these."""
    if len(members) < 2:
        return tuple(parts)
    first, *others = members
    whole = reduce(add, others, first)
    return tuple(whole if part is first else part for part in parts if not any(part is other for other in others))


def _is_line(expr: Expr) -> bool:
    """Whether a part is a straight line or a polynomial over time."""
    factors = expr.factors if isinstance(expr, Product) else (expr,)
    return not leaf_columns(expr) and all(is_leaf_of(factor, LeafKind.LINE) for factor in factors)


def _is_gated_level(part: Kernel) -> bool:
    """Whether a part is a level over time inside a change: then no other is the level of all the data."""
    if not isinstance(part.expr, ChangePoint | ChangeWindow) or part.expr.column is not None:
        return False
    return any(is_leaf_of(inner.expr, LeafKind.CONSTANT) or _is_gated_level(inner) for inner in part.parts)


# From the outside in: (head, column, own parameters, which operand, mark of the node where parameters are open).
_Windows = tuple[tuple[str, str | None, tuple[float, ...], int, int], ...]


def _terms(node: Node) -> tuple[Node, ...]:
    return node.parts if node.head == "+" else (node,)


def _summands(node: Node, windows: _Windows) -> Iterator[tuple[_Windows, Node]]:
    if node.head == "+":
        for part in node.parts:
            yield from _summands(part, windows)
    elif node.head in CHANGES:
        mark = id(node) if any(isnan(value) for value in node.own) else 0
        for side, part in enumerate(node.parts):
            yield from _summands(part, (*windows, (node.head, node.column, node.own, side, mark)))
    elif node.head != "0":
        yield windows, node


def _enclosed(part: Node, windows: _Windows) -> Node:
    for head, column, values, side, _ in reversed(windows):
        part = change(head, column, values, (ZERO, part) if side else (part, ZERO))
    return part
