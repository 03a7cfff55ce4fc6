"""What so many rows can show: ten do not tell a cycle from chance, nor thirty whether noise grows.

Among hundreds of expressions some fit few rows by chance. What cannot be shown is not tried.
"""

from __future__ import annotations

from autostatistician.language.expr import ChangePoint, Expr, Leaf, Sum
from autostatistician.language.kernel import operands
from autostatistician.language.leaves import LEAVES
from autostatistician.language.traits import has_changes, noise_shapes

__all__ = ["ROWS_FOR_STRUCTURE", "showable"]

ROWS_FOR_CHANGES = 10  # fewer rows show no change: one operand would stand for a row or two
ROWS_FOR_STRUCTURE = 20  # fewer rows show a level, a line, a smooth curve, or one step
# Of fewer rows no size of noise but one is told: twice as much noise in one half as in the other gains 0.22 n of
# deviance, three parameters (its place, its steepness, its size) are charged 3 log n.
ROWS_FOR_NOISE_SHAPES = 50


def showable(expr: Expr, n: int, *, series: bool) -> bool:
    """Whether ``n`` rows, of a series or of a table with several columns, could show what an expression says.

    >>> from autostatistician.language.text import parse
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
