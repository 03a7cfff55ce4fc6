"""Spellings of one function: noise or a level beside a change say the same as noise or a level within it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Sum
from autostatistician.language.kernel import operands, unset
from autostatistician.language.rewrite import canonical

__all__ = ["is_change", "one_spelling", "summands"]

MOVED = ("WN", "C")  # what may stand beside a change or on its sides


@lru_cache(maxsize=4096)
def one_spelling(expr: Expr) -> Expr:
    """The same for all spellings of one function: noise and level of which a change has some stand on both its sides.

    >>> from autostatistician.language.text import parse
    >>> [str(unset(one_spelling(parse(text)))) for text in ("C + WN + CP(WN, C)", "WN + CP(C, C)")]
    ['CP(C + WN, C + WN)', 'WN + CP(C, C)']
    """
    return canonical(unset(_moved(expr))).expr if _changes(expr) else expr


def is_change(expr: Expr) -> bool:
    """Whether an expression is a change from one function to another."""
    return isinstance(expr, ChangePoint | ChangeWindow)


def summands(expr: Expr) -> tuple[Expr, ...]:
    """The terms of a sum; of anything else itself.

    >>> [str(unset(term)) for term in summands(Leaf("C") + Leaf("WN"))]
    ['C', 'WN']
    """
    return expr.terms if isinstance(expr, Sum) else (expr,)


def _changes(expr: Expr) -> list[Expr]:
    return [term for term in summands(expr) if is_change(term)]


def _moved(expr: Expr) -> Expr:
    """A sum whose noise and level stand within the changes that have some already, sides included."""
    terms = list(summands(expr))
    for leaf in map(Leaf, MOVED):
        having = [_has(term, leaf) for term in terms]
        if leaf in terms and any(having):
            terms = [_with(term, leaf) if has else term for term, has in zip(terms, having, strict=True)]
            terms = [term for term in terms if term != leaf]
    return _sum(_within(term) if is_change(term) else term for term in terms)


def _has(term: Expr, leaf: Leaf) -> bool:
    """Whether a change has a leaf on one of its sides, or in a change there."""
    sides = [part for side in operands(term) for part in summands(side)] if is_change(term) else []
    return any(part == leaf or _has(part, leaf) for part in sides)


def _with(change: Expr, leaf: Leaf) -> Expr:
    """A change with a leaf on both sides."""
    first, second = (side if leaf in summands(side) else _sum((*summands(side), leaf)) for side in operands(change))
    return _changed(change, first, second)


def _within(change: Expr) -> Expr:
    first, second = map(_moved, operands(change))
    return _changed(change, first, second)


def _changed(change: Expr, first: Expr, second: Expr) -> Expr:
    assert isinstance(change, ChangePoint | ChangeWindow)
    return type(change)(first, second, change.column)


def _sum(terms: Iterable[Expr]) -> Expr:
    every = tuple(terms)
    return every[0] if len(every) == 1 else Sum(every)
