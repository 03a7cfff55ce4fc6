"""Counting parameters: how many matter, and which are held: redundant output scales, places without a meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Placed, placed, size
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, is_leaf_of, own_parameters
from autostatistician.kernels.parameters import operands

__all__ = ["effective_parameters", "held_values", "keeper"]


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
    return size(expr) - len(held_values(expr))


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
    return frozenset(_held(expr, 0))


def _held(expr: Expr, start: int) -> Iterator[int]:
    if isinstance(expr, Leaf):
        yield from (index for index, row in enumerate(LEAVES[expr.symbol].parameters, start) if row.held)
    places = _places(expr, start)
    for part, place in places:
        yield from _held(part, place)
    if isinstance(expr, Product):
        kept = keeper([part for part, _ in places])
        for index, (part, place) in enumerate(places):
            if index != kept and (scale := _free_scale(part, place)) is not None:
                yield scale


def _places(expr: Expr, start: int) -> list[Placed]:
    return placed(operands(expr), start + len(own_parameters(expr)))


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
            places = _places(expr, start)
            return _free_scale(*places[keeper([part for part, _ in places])])
        case Sum() | ChangePoint() | ChangeWindow():
            return next((at for part in _places(expr, start) if (at := _free_scale(*part)) is not None), None)
