"""Questions about an expression that its structure alone answers."""

from __future__ import annotations

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, is_leaf_of
from autostatistician.kernels.parameters import column_index, operands

__all__ = [
    "ROWS_FOR_STRUCTURE", "always_noisy", "column_index", "columns_of", "has_changes", "has_structure",
    "has_uneven_noise", "is_noise", "is_step", "leaf_columns", "noise_shapes", "showable",
]  # fmt: skip


ROWS_FOR_CHANGES = 10  # fewer rows show no change: one operand would stand for a row or two

ROWS_FOR_STRUCTURE = 20  # fewer rows show a level, a line, a smooth curve, or one step

# Of fewer rows no size of noise but one is told: twice as much noise in one half as in the other gains 0.22 n of
# deviance, three parameters (its place, its steepness, its size) are charged 3 log n.
ROWS_FOR_NOISE_SHAPES = 50


def has_structure(expr: Expr) -> bool:
    """Whether a model is more than noise around a constant level."""
    match expr:
        case Leaf():
            return not is_leaf_of(expr, LeafKind.CONSTANT, LeafKind.NOISE)
        case Sum(terms=parts) | Product(factors=parts):
            return any(has_structure(part) for part in parts)
        case ChangePoint() | ChangeWindow():
            return True


def has_changes(expr: Expr) -> bool:
    """Whether a change point or window is part of an expression."""
    return isinstance(expr, ChangePoint | ChangeWindow) or any(has_changes(part) for part in operands(expr))


def is_step(expr: Expr) -> bool:
    """Whether an expression is a change from one level to another."""
    is_change = isinstance(expr, ChangePoint | ChangeWindow)
    return is_change and all(is_leaf_of(part, LeafKind.CONSTANT) for part in operands(expr))


def is_noise(kernel: Kernel | Expr) -> bool:
    """Whether an expression contains white noise anywhere."""
    expr = kernel.expr if isinstance(kernel, Kernel) else kernel
    return is_leaf_of(expr, LeafKind.NOISE) or any(is_noise(part) for part in operands(expr))


def always_noisy(expr: Expr) -> bool:
    """Whether white noise is part of a model wherever it applies.

    Without noise the shortest function takes its place, and the model is sure of too much.
    """
    match expr:
        case Leaf():
            return is_leaf_of(expr, LeafKind.NOISE)
        case Sum(terms=parts) | Product(factors=parts):
            return any(always_noisy(part) for part in parts)
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return always_noisy(first) and always_noisy(second)


def noise_shapes(expr: Expr) -> int:
    """How many factors that grow without bounds, and changes, give the noise of a model sizes that differ by place.

    >>> from autostatistician.kernels.text import parse
    >>> [noise_shapes(parse(text)) for text in ("SE * Lin + WN", "SE + IOU * WN", "Lin + CP(WN, Lin * WN)")]
    [0, 1, 2]
    """
    match expr:
        case Leaf():
            return 0
        case Sum(terms=parts):
            return sum(map(noise_shapes, parts))
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
    is_uneven = isinstance(expr, ChangePoint | ChangeWindow) or is_leaf_of(expr, LeafKind.LINE, LeafKind.UNBOUNDED)
    return is_uneven + sum(map(_sizes, operands(expr)))


def columns_of(expr: Expr, only: str | None = None) -> frozenset[str]:
    """The names of the columns that an expression depends on; of a table with a single one, nodes need not name it.

    >>> sorted(columns_of(Leaf("SE", "age") * Leaf("Lin", "water") + Leaf("WN")))
    ['age', 'water']
    >>> sorted(columns_of(ChangePoint(Leaf("C"), Leaf("SE")) + Leaf("WN"), only="age"))
    ['age']
    """
    column = expr.column if isinstance(expr, Leaf | ChangePoint | ChangeWindow) else None
    if column is None and _has_column(expr):
        column = only
    below = [columns_of(part, only) for part in operands(expr)]
    return frozenset(() if column is None else (column,)).union(*below)


def leaf_columns(expr: Expr) -> tuple[str, ...]:
    """The column of every leaf that names one, in order.

    >>> leaf_columns(Leaf("SE", "b") * Leaf("SE", "a") + Leaf("Lin", "a") + Leaf("C"))
    ('b', 'a', 'a')
    """
    if isinstance(expr, Leaf):
        return () if expr.column is None else (expr.column,)
    return tuple(name for part in operands(expr) for name in leaf_columns(part))


def _has_column(expr: Expr) -> bool:
    match expr:
        case Leaf(symbol=symbol):
            return LEAVES[symbol].has_column
        case Sum() | Product():
            return False
        case ChangePoint() | ChangeWindow():
            return True


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
    return _is_few(expr) or (bool(operands(expr)) and all(map(_of_few, operands(expr))))


def _is_few(expr: Expr) -> bool:
    return isinstance(expr, Leaf) and LEAVES[expr.symbol].for_few_rows
