"""The factors of products: where their parameters are, and products of sums as sums of products."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product as choices_of

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.kernel import placed
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import increments_of, is_leaf_of, own_parameters

__all__ = ["PlacedFactor", "distributed", "factors_of", "merged", "numbered", "smooth_factors"]


@dataclass(frozen=True, slots=True)
class PlacedFactor:
    """A factor and where its parameters begin; several places for squared exponentials whose product is one again."""

    expr: Expr
    starts: tuple[int, ...]


def factors_of(parts: tuple[Expr, ...], start: int) -> list[PlacedFactor]:
    """Operands whose parameters follow each other from a place on."""
    return [PlacedFactor(part, (at,)) for part, at in placed(parts, start)]


@lru_cache(maxsize=1024)
def distributed(expr: Expr, start: int) -> list[list[PlacedFactor]]:
    """A product of sums as a sum of products.

    >>> from autostatistician.language.text import parse
    >>> [[part.starts for part in one] for one in distributed(parse("SE * (C + SE)"), 0)]
    [[(0,), (2,)], [(0,), (3,)]]
    """
    match expr:
        case Sum(terms=parts):
            return [factor for part in factors_of(parts, start) for factor in distributed(part.expr, part.starts[0])]
        case Product(factors=parts):
            choices = [distributed(part.expr, part.starts[0]) for part in factors_of(parts, start)]
            return [[factor for chosen in several for factor in chosen] for several in choices_of(*choices)]
        case _:
            return [[PlacedFactor(expr, (start,))]]


def smooth_factors(parts: list[PlacedFactor]) -> list[PlacedFactor]:
    """The squared exponentials among factors."""
    return [part for part in parts if isinstance(part.expr, Leaf) and part.expr.symbol == "SE"]


def merged(parts: list[PlacedFactor]) -> list[PlacedFactor]:
    """With one squared exponential in place of several."""
    smooth = smooth_factors(parts)
    if len(smooth) < 2:
        return parts
    starts = tuple(part.starts[0] for part in smooth)
    return [part for part in parts if part not in smooth] + [PlacedFactor(smooth[0].expr, starts)]


@lru_cache(maxsize=256)
def numbered(expr: Expr) -> dict[int, int]:
    """The number of the first profile factor of what has its own parameters from a place on, counted as by `profiles`.

    >>> from autostatistician.language.text import parse
    >>> numbered(parse("SE * Lin + CP(Wiener * C, Lin)"))
    {2: 0, 4: 1, 6: 3, 9: 5}
    """
    numbers: dict[int, int] = {}
    for number, start in enumerate(_factors_of(expr, 0, multiplied=False)):
        numbers.setdefault(start, number)
    return numbers


def _factors_of(expr: Expr, start: int, *, multiplied: bool) -> list[int]:
    """Where the parameters begin of what each profile factor comes from, in the order of the factors."""
    match expr:
        case Leaf() if is_leaf_of(expr, LeafKind.LINE):
            return [start]
        case Leaf(symbol=symbol):
            return [start, start] if multiplied and increments_of(symbol) else []
        case Sum(terms=parts) | Product(factors=parts):
            within = multiplied or isinstance(expr, Product)
            factors: list[int] = []
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            parts, within, factors = (first, second), multiplied, [start, start]
            start += len(own_parameters(expr))
    for part, at in placed(parts, start):
        factors += _factors_of(part, at, multiplied=within)
    return factors
