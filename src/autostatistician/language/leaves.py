"""The table of leaves and of the parameters every node carries (Duvenaud 2014, app. B).

Parameters are kept in natural units (not logarithms), in the order of this table. The role of a
parameter says how it changes with the units of the data and whether it is positive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum

__all__ = ["LEAVES", "Leafspec", "Role", "category_shape", "category_symbol", "own_parameters"]


class Role(Enum):
    """What a parameter measures; its unit follows from it."""

    SD = "standard deviation of the output"
    SLOPE = "output per unit of the input"
    LENGTH = "length along the input"
    SHAPE = "dimensionless"
    LOCATION = "position on the input"
    RATE = "per unit of the input"
    WEIGHT = "output of either sign"

    @property
    def positive(self) -> bool:
        """Whether the parameter must be above zero (all but positions and weights)."""
        return self not in (Role.LOCATION, Role.WEIGHT)


@dataclass(frozen=True, slots=True)
class Leafspec:
    """One row of the table: name in words, parameters with their roles, what the leaf depends on."""

    name: str
    parameters: tuple[tuple[str, Role], ...]
    stationary: bool
    has_column: bool


_SD = ("sd", Role.SD)
_LENGTHSCALE = ("lengthscale", Role.LENGTH)
_PERIOD = ("period", Role.LENGTH)

MOST_LEVELS = 99


class _Leaves(dict[str, Leafspec]):
    """The rows of the table, and one for every number of levels and rank of a full covariance of categories."""

    def __contains__(self, symbol: object) -> bool:
        return super().__contains__(symbol) or (isinstance(symbol, str) and category_shape(symbol) is not None)

    def __missing__(self, symbol: str) -> Leafspec:
        shape = category_shape(symbol)
        if shape is None:
            raise KeyError(symbol)
        return _category_row(*shape)


def category_symbol(levels: int, rank: int) -> str:
    """The symbol of a leaf with a full covariance ``W W' + diag(sd^2)`` between levels, W (levels, rank).

    >>> category_symbol(4, 1)
    'Cat4r1'
    """
    return f"Cat{levels}r{rank}"


@lru_cache(maxsize=1024)
def category_shape(symbol: str) -> tuple[int, int] | None:
    """Levels and rank of such a leaf; None for every other symbol, also for more levels than there can be.

    >>> category_shape("Cat4r1"), category_shape("Cat")
    ((4, 1), None)
    """
    found = re.fullmatch(r"Cat([1-9]\d?)r(0|[1-9]\d?)", symbol)
    shape = (int(found[1]), int(found[2])) if found else None
    return shape if shape and shape[1] <= shape[0] <= MOST_LEVELS else None


@lru_cache(maxsize=256)
def _category_row(levels: int, rank: int) -> Leafspec:
    """Loadings level by level (none above the diagonal: they would only turn the factors), then sds."""
    pairs = [(level, factor) for level in range(1, levels + 1) for factor in range(1, min(level, rank) + 1)]
    weights = [(f"w{level}" if rank == 1 else f"w{level}_{factor}", Role.WEIGHT) for level, factor in pairs]
    sds = [(f"sd{level}", Role.SD) for level in range(1, levels + 1)]
    return Leafspec(f"categories of rank {rank}", (*weights, *sds), False, True)


# The order of the rows is the canonical order of leaves in sums and products.
LEAVES: dict[str, Leafspec] = _Leaves(
    {
        "SE": Leafspec("squared exponential", (_LENGTHSCALE, _SD), True, True),
        "RQ": Leafspec("rational quadratic", (_LENGTHSCALE, _SD, ("alpha", Role.SHAPE)), True, True),
        # Levels and slopes that wander: with a long lengthscale a Wiener process and its integral.
        "Matern12": Leafspec("Matern 1/2", (_LENGTHSCALE, _SD), True, True),
        "Matern32": Leafspec("Matern 3/2", (_LENGTHSCALE, _SD), True, True),
        # The periodic leaf is the zero-mean one of Lloyd et al. (2014): with z = 1 / lengthscale^2 its correlation is
        # (exp(z cos(2 pi t / period)) - I0(z)) / (exp(z) - I0(z)). The lengthscale is relative to the period, so it
        # has no unit.
        "Per": Leafspec("periodic", (("lengthscale", Role.SHAPE), _PERIOD, _SD), True, True),
        "Cos": Leafspec("cosine", (_PERIOD, _SD), True, True),
        # Categories: the column holds codes, and only whether they differ counts. What categories share has
        # 1 / contrast times the variance of what each has for itself, so that the correlation of two of them is
        # 1 / (1 + contrast).
        "Cat": Leafspec("categories", (("contrast", Role.SHAPE), _SD), True, True),
        "Lin": Leafspec("linear", (("sd", Role.SLOPE), ("location", Role.LOCATION)), False, True),
        "C": Leafspec("constant", (_SD,), True, False),
        "WN": Leafspec("white noise", (_SD,), True, False),
        # Zero never takes part in a search: it stands for the absent operand of a change in a component.
        "0": Leafspec("zero", (), True, False),
    }
)

_CHANGE_POINT = (("location", Role.LOCATION), ("steepness", Role.RATE))
_CHANGE_WINDOW = (*_CHANGE_POINT, ("width", Role.LENGTH))


def own_parameters(expr: Expr) -> tuple[tuple[str, Role], ...]:
    """Names and roles of the parameters of the node itself, without those of its operands.

    >>> [name for name, role in own_parameters(Leaf("Per"))]
    ['lengthscale', 'period', 'sd']
    """
    match expr:
        case Leaf(symbol=symbol):
            return LEAVES[symbol].parameters
        case Sum() | Product():
            return ()
        case ChangePoint():
            return _CHANGE_POINT
        case ChangeWindow():
            return _CHANGE_WINDOW
