"""Kernels as trees with their parameters at the nodes: the working form behind all rewriting.

`Kernel` keeps structure and parameters side by side, which suits storing and comparing; rewriting moves
sub-expressions about and wants the parameters to travel along. The constructors `plus` and `times` flatten
and sort, so every `Node` is canonical from the start, and unchanged branches are shared, never rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import isnan, nan, prod
from operator import attrgetter

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, operands
from autostatistician.kernels.kernel import Kernel, as_kernel
from autostatistician.kernels.leaves import LEAVES, own_parameters

__all__ = [
    "CHANGES",
    "ZERO",
    "Key",
    "Node",
    "at_scale",
    "change",
    "from_kernel",
    "leaf_node",
    "node_values",
    "open_count",
    "output_scale",
    "plus",
    "rebuilt",
    "renewed",
    "scaled_node",
    "times",
    "to_kernel",
]

# A structure as nested tuples: one (rank, column, operands) per factor. Equal keys mean equal structures.
Key = tuple[tuple[int, str, "tuple[Key, ...]"], ...]


class _Ranks(dict[str, int]):
    def __missing__(self, head: str) -> int:  # a full covariance of categories: behind all others, by its size
        shape = LEAVES[head].shape
        return list(LEAVES).index(head) if shape is None else _OPERATORS_FROM + 100 * shape[0] + shape[1]


_OPERATORS_FROM = 1000  # behind all leaves
_RANKS = _Ranks((symbol, rank) for rank, symbol in enumerate(LEAVES))
_RANKS.update((head, _OPERATORS_FROM + rank) for rank, head in enumerate(["+", "CP", "CW"]))
CHANGES = frozenset({"CP", "CW"})


class Node:
    """A leaf (``head`` is its symbol) or an operator (``head`` is ``+``, ``*`` or one of `CHANGES`), with parameters.

    Nodes are never changed after they are made; ``simple`` and the expression are caches.
    """

    __slots__ = ("_expr", "column", "head", "key", "own", "parts", "simple")

    def __init__(self, head: str, column: str | None, values: tuple[float, ...], parts: tuple[Node, ...]) -> None:
        self.head, self.column, self.own, self.parts = head, column, values, parts
        self.key: Key = _key(head, column, parts)
        self.simple: Node | None = None
        self._expr: Expr | None = None

    @property
    def expr(self) -> Expr:
        """The structure without the parameters."""
        if self._expr is None:
            self._expr = _expr(self)
        return self._expr


def _key(head: str, column: str | None, parts: tuple[Node, ...]) -> Key:
    if head == "*":
        return tuple(factor for part in parts for factor in part.key)
    return ((_RANKS[head], "" if column is None else "=" + column, tuple([part.key for part in parts])),)


def _expr(node: Node) -> Expr:
    parts = tuple([part.expr for part in node.parts])
    match node.head:
        case "+":
            return Sum(parts)
        case "*":
            return Product(parts)
        case "CP":
            return ChangePoint(parts[0], parts[1], node.column)
        case "CW":
            return ChangeWindow(parts[0], parts[1], node.column)
        case symbol:
            return Leaf(symbol, node.column)


def leaf_node(symbol: str, column: str | None, values: tuple[float, ...]) -> Node:
    """A leaf; leaves that act on no column (C, WN) lose the name of one."""
    return Node(symbol, column if LEAVES[symbol].has_column else None, values, ())


ZERO = leaf_node("0", None, ())


def plus(parts: Iterable[Node]) -> Node:
    """The sum of nodes: flat, sorted, and the single term itself when there is only one."""
    return _gathered("+", parts)


def times(parts: Iterable[Node]) -> Node:
    """The product of nodes: flat, sorted, and the single factor itself when there is only one."""
    return _gathered("*", parts)


def _gathered(head: str, parts: Iterable[Node]) -> Node:
    flat: list[Node] = []
    for part in parts:
        if part.head == head:
            flat.extend(part.parts)
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else Node(head, None, (), tuple(_sorted(flat)))


def _sorted(nodes: list[Node]) -> list[Node]:
    # Parameters break ties of structure only, and such ties are rare: collect the parameters only then.
    nodes.sort(key=attrgetter("key"))
    if any(first.key == second.key for first, second in pairwise(nodes)):
        nodes.sort(key=lambda node: (node.key, _ranked_numbers(node)))
    return nodes


def _ranked_numbers(node: Node) -> list[tuple[bool, float]]:
    return [(isnan(value), 0.0 if isnan(value) else value) for value in node_values(node)]


def change(head: str, column: str | None, values: tuple[float, ...], parts: tuple[Node, ...]) -> Node:
    """A change point (``CP``: before, after) or window (``CW``: outside, inside)."""
    return Node(head, column, values, parts)


def rebuilt(node: Node, parts: Iterable[Node]) -> Node:
    """The same operator with its own parameters over other operands."""
    if node.head in CHANGES:
        return Node(node.head, node.column, node.own, tuple(parts))
    return _gathered(node.head, parts) if node.parts else node


def renewed(node: Node, parts: Sequence[Node]) -> Node:
    """As `rebuilt`, but the node itself when no operand has changed."""
    same = all(new is old for new, old in zip(parts, node.parts, strict=True))
    return node if same else rebuilt(node, parts)


def node_values(node: Node) -> list[float]:
    """All parameters of a node in the order of `Kernel.values`."""
    values = list(node.own)
    for part in node.parts:
        values.extend(node_values(part))
    return values


def open_count(node: Node) -> int:
    """How many of the parameters are not chosen yet."""
    return sum(map(isnan, node_values(node)))


def from_kernel(kernel: Kernel | Expr) -> Node:
    """The tree of a kernel; the parameters move with their nodes when operands are sorted."""
    kernel = as_kernel(kernel)
    return _grown(kernel.expr, iter(kernel.values))


def _grown(expr: Expr, values: Iterator[float]) -> Node:
    head_values = tuple(islice(values, len(own_parameters(expr))))
    if isinstance(expr, Leaf):
        return leaf_node(expr.symbol, expr.column, head_values)
    parts = tuple([_grown(part, values) for part in operands(expr)])
    if isinstance(expr, Sum | Product):
        return plus(parts) if isinstance(expr, Sum) else times(parts)
    return change(expr.symbol, expr.column, head_values, parts)


def to_kernel(node: Node) -> Kernel:
    """The kernel of a tree. All open parameters become one and the same NaN, so that equal kernels compare equal."""
    return Kernel(node.expr, tuple([value if value == value else nan for value in node_values(node)]))


def scaled_node(node: Node, factor: float) -> Node:
    """The node with its covariance multiplied by ``factor ** 2``."""
    match node.head:
        case "+" | "CP" | "CW":
            return rebuilt(node, [scaled_node(part, factor) for part in node.parts])
        case "*":
            return times([scaled_node(node.parts[0], factor), *node.parts[1:]])
        case symbol if LEAVES[symbol].shape:  # all of its parameters are scales
            return Node(node.head, node.column, tuple(number * factor for number in node.own), ())
        case symbol:
            index = LEAVES[symbol].scale_index
            return node if index is None else at_scale(node, node.own[index] * factor)


def output_scale(node: Node) -> float:
    """The output scale of a term: that of a leaf, the product over the leaves of a product, else one."""
    if node.head == "*":
        return prod(output_scale(factor) for factor in node.parts)
    index = LEAVES[node.head].scale_index if not node.parts else None
    return 1.0 if index is None else node.own[index]


def at_scale(node: Node, scale: float) -> Node:
    """The term with its output scale (as `_scale` measures it) set to ``scale``."""
    if not node.parts and (index := LEAVES[node.head].scale_index) is not None:
        return leaf_node(node.head, node.column, (*node.own[:index], scale, *node.own[index + 1 :]))
    old = output_scale(node)
    return scaled_node(node, scale / old if old else nan)
