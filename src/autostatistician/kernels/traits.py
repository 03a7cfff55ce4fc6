"""Questions about an expression that its structure alone answers.

Counting parameters: how many matter, and which are held: redundant output scales, places without a meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, expr_of
from autostatistician.kernels.kernel import Kernel, placed, size
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, column_index, is_leaf_of, nodes_of, operands

__all__ = [
    "ROWS_FOR_STRUCTURE", "always_noisy", "column_index", "columns_of", "effective_parameters", "has_changes",
    "has_structure", "has_uneven_noise", "held_values", "is_noise", "is_step", "keeper", "leaf_columns", "noise_shapes",
    "showable",
]  # fmt: skip


ROWS_FOR_CHANGES = 10  # fewer rows show no change: one operand would stand for a row or two

ROWS_FOR_STRUCTURE = 20  # fewer rows show a level, a line, a smooth curve, or one step

# Of fewer rows no size of noise but one is told: twice as much noise in one half as in the other gains 0.22 n of
# deviance, three parameters (its place, its steepness, its size) are charged 3 log n.
ROWS_FOR_NOISE_SHAPES = 50


def has_structure(expr: Expr) -> bool:
    """Whether a model is more than noise around a constant level."""
    nodes = [node for node in nodes_of(expr) if not isinstance(node, Sum | Product)]
    return not all(is_leaf_of(node, LeafKind.CONSTANT, LeafKind.NOISE) for node in nodes)


def has_changes(expr: Expr) -> bool:
    """Whether a change point or window is part of an expression."""
    return any(isinstance(node, ChangePoint | ChangeWindow) for node in nodes_of(expr))


def is_step(expr: Expr) -> bool:
    """Whether an expression is a change from one level to another."""
    is_change = isinstance(expr, ChangePoint | ChangeWindow)
    return is_change and all(is_leaf_of(part, LeafKind.CONSTANT, LeafKind.ZERO) for part in operands(expr))


def is_noise(kernel: Kernel | Expr) -> bool:
    """Whether an expression contains white noise anywhere."""
    expr = kernel.expr if isinstance(kernel, Kernel) else kernel
    return any(is_leaf_of(node, LeafKind.NOISE) for node in nodes_of(expr))


def always_noisy(expr: Expr) -> bool:
    """Whether white noise is part of a model wherever it applies.

    Without noise the shortest function takes its place, and the model is sure of too much.
    """
    if isinstance(expr, Leaf):
        return is_leaf_of(expr, LeafKind.NOISE)
    enough = all if isinstance(expr, ChangePoint | ChangeWindow) else any
    return enough(always_noisy(part) for part in operands(expr))


def noise_shapes(expr: Expr) -> int:
    """How many factors that grow without bounds, and changes, give the noise of a model sizes that differ by place.

    >>> from autostatistician.kernels.text import parse
    >>> [noise_shapes(parse(text)) for text in ("SE * Lin + WN", "SE + IOU * WN", "Lin + CP(WN, Lin * WN)")]
    [0, 1, 2]
    """
    match expr:
        case Leaf() | Sum():
            return sum(map(noise_shapes, operands(expr)))
        case Product(factors=parts):
            noisy = [part for part in parts if is_noise(part)]
            others = [part for part in parts if not is_noise(part)]
            return sum(map(noise_shapes, noisy)) + (sum(map(_sizes, others)) if noisy else 0)
        case ChangePoint() | ChangeWindow():
            return 1 + sum(map(noise_shapes, operands(expr))) if is_noise(expr) else 0


def has_uneven_noise(expr: Expr) -> bool:
    """Whether noise is part of a product or of a change, so that it may have other sizes at other places.

    >>> from autostatistician.kernels.text import parse
    >>> [has_uneven_noise(parse(text)) for text in ("CP(C, C) + WN", "SE + IOU * WN", "CP(WN, C + WN)")]
    [False, True, True]
    """
    return not is_leaf_of(expr, LeafKind.NOISE) and any(
        is_noise(part) if not isinstance(expr, Sum) else has_uneven_noise(part) for part in operands(expr)
    )


def _sizes(expr: Expr) -> int:
    """The leaves and changes of an expression that make it larger at one place than at another."""
    uneven = LeafKind.LINE, LeafKind.UNBOUNDED
    return sum(isinstance(node, ChangePoint | ChangeWindow) or is_leaf_of(node, *uneven) for node in nodes_of(expr))


def columns_of(expr: Expr, only: str | None = None) -> frozenset[str]:
    """The names of the columns that an expression depends on; of a table with a single one, nodes need not name it.

    >>> sorted(columns_of(Leaf("SE", "age") * Leaf("Lin", "water") + Leaf("WN")))
    ['age', 'water']
    >>> sorted(columns_of(ChangePoint(Leaf("C"), Leaf("SE")) + Leaf("WN"), only="age"))
    ['age']
    """
    nodes = [node for node in nodes_of(expr) if isinstance(node, Leaf | ChangePoint | ChangeWindow)]
    columns = [only if node.column is None and _has_column(node) else node.column for node in nodes]
    return frozenset(column for column in columns if column is not None)


def leaf_columns(expr: Expr) -> tuple[str, ...]:
    """The column of every leaf that names one, in order.

    >>> leaf_columns(Leaf("SE", "b") * Leaf("SE", "a") + Leaf("Lin", "a") + Leaf("C"))
    ('b', 'a', 'a')
    """
    return tuple(node.column for node in nodes_of(expr) if isinstance(node, Leaf) and node.column is not None)


def _has_column(expr: Expr) -> bool:
    return LEAVES[expr.symbol].has_column if isinstance(expr, Leaf) else isinstance(expr, ChangePoint | ChangeWindow)


# --- What so many rows can show: ten do not tell a cycle from chance, nor thirty whether noise grows ----------------


def showable(expr: Expr, n: int, *, series: bool) -> bool:
    """Whether ``n`` rows, of a series or of a table with several columns, could show what an expression says.

    >>> from autostatistician.kernels.text import parse
    >>> texts = ("SE + C + WN", "CP(C, C) + WN", "SE * Lin + WN", "SE + Lin * WN")
    >>> [[showable(parse(text), n, series=True) for text in texts] for n in (5, 12, 40, 60)]
    [[True, False, False, False], [True, True, False, False], [True, True, True, False], [True, True, True, True]]
    """
    if n < ROWS_FOR_CHANGES and has_changes(expr):
        return False
    if n < ROWS_FOR_STRUCTURE:
        return _simple(expr) if series else _of_few(expr)
    return n >= ROWS_FOR_NOISE_SHAPES or not noise_shapes(expr)


def _simple(expr: Expr) -> bool:
    """Whether an expression is a sum of simple leaves, with one step between two levels at most."""
    terms = expr.terms if isinstance(expr, Sum) else (expr,)
    steps = [term for term in terms if isinstance(term, ChangePoint)]
    levels = all(part == Leaf("C") for step in steps for part in operands(step))
    return len(steps) <= 1 and levels and all(_is_few(term) for term in terms if term not in steps)


def _of_few(expr: Expr) -> bool:
    """Whether no leaf of an expression says more than that something is smooth."""
    return all(_is_few(node) for node in nodes_of(expr) if isinstance(node, Leaf))


def _is_few(expr: Expr) -> bool:
    return isinstance(expr, Leaf) and LEAVES[expr.symbol].for_few_rows


def effective_parameters(expr: Expr) -> int:
    """The number of parameters that information criteria charge for (Lloyd et al. 2014).

    A product of n factors has n output scales of which only their product matters: n - 1 are not counted.
    Change points and windows add their own two and three. The leaf "0" counts for nothing, nor do parameters that the
    row of their leaf holds.

    >>> from autostatistician.kernels.text import parse
    >>> texts = ("SE", "Lin * Lin", "WN * Lin", "SE * (Per + C)", "CP(C, C)", "IOU")
    >>> [effective_parameters(parse(text)) for text in texts]
    [2, 3, 2, 5, 4, 2]
    """
    return size(expr_of(expr)) - len(held_values(expr))


@lru_cache(maxsize=4096)
def held_values(expr: Expr) -> frozenset[int]:
    """Which entries of `Kernel.values` are no parameters of the model: fits leave them as they are.

    Some are held by the row of their leaf (`LeafParameter.held`), others are redundant output scales. In every product
    all factors but a keeper give up one scale. The keeper is the first sum or change, else white noise, else the first
    leaf. Law: any scale that is given up can be moved to any positive value and the covariance restored through the
    scales that stay.

    >>> from autostatistician.kernels.text import parse
    >>> sorted(held_values(parse("SE * Per + Lin * WN"))), sorted(held_values(parse("WN + Wiener")))
    ([4, 5], [2])
    """
    return frozenset(_held(expr_of(expr), 0))


def _held(expr: Expr, start: int) -> Iterator[int]:
    if isinstance(expr, Leaf):
        yield from (index for index, row in enumerate(LEAVES[expr.symbol].parameters, start) if row.held)
    places = placed(expr, start)
    for part, place in places:
        yield from _held(part, place)
    if isinstance(expr, Product):
        kept = keeper([part for part, _ in places])
        for index, (part, place) in enumerate(places):
            if index != kept and (scale := _free_scale(part, place)) is not None:
                yield scale


def keeper(factors: Sequence[Expr]) -> int:
    """The position of the factor of a product that keeps its scale (see `held_values`)."""
    free = [index for index, factor in enumerate(factors) if _free_scale(factor, 0) is not None]
    composite = [index for index in free if not isinstance(factors[index], Leaf)]
    noise = [index for index in free if is_leaf_of(factors[index], LeafKind.NOISE)]
    # A full covariance of categories has no scale that could be held: all of its parameters are scales.
    full = [index for index, part in enumerate(factors) if isinstance(part, Leaf) and LEAVES[part.symbol].shape]
    return next(iter([*full, *composite, *noise, *free]), 0)


def _free_scale(expr: Expr, start: int) -> int | None:
    """The first scale that no product inside the expression has pinned (None: there is no scale at all)."""
    match expr:
        case Leaf(symbol=symbol):
            index = LEAVES[symbol].scale_index
            return None if index is None else start + index
        case Product():
            places = placed(expr, start)
            return _free_scale(*places[keeper([part for part, _ in places])])
        case Sum() | ChangePoint() | ChangeWindow():
            return next((at for part in placed(expr, start) if (at := _free_scale(*part)) is not None), None)
