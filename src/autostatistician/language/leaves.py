"""The table of leaves and of the parameters every node carries (Duvenaud 2014, app. B).

Parameters are kept in natural units (not logarithms), in the order of this table. The role of a
parameter says how it changes with the units of the data and whether it is positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum

__all__ = ["LEAVES", "Leafspec", "Role", "own_parameters"]


class Role(Enum):
    """What a parameter measures; its unit follows from it."""

    SD = "standard deviation of the output"
    SLOPE = "output per unit of the input"
    LENGTH = "length along the input"
    SHAPE = "dimensionless"
    LOCATION = "position on the input"
    RATE = "per unit of the input"

    @property
    def positive(self) -> bool:
        """Whether the parameter must be above zero (all but positions)."""
        return self is not Role.LOCATION


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

# The order of the rows is the canonical order of leaves in sums and products.
LEAVES: dict[str, Leafspec] = {
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
    # Categories: the column holds codes, and only whether they differ counts. What categories share has 1 / contrast
    # times the variance of what each has for itself, so that the correlation of two of them is 1 / (1 + contrast).
    "Cat": Leafspec("categories", (("contrast", Role.SHAPE), _SD), True, True),
    "Lin": Leafspec("linear", (("sd", Role.SLOPE), ("location", Role.LOCATION)), False, True),
    "C": Leafspec("constant", (_SD,), True, False),
    "WN": Leafspec("white noise", (_SD,), True, False),
    # Zero never takes part in a search: it stands for the absent operand of a change in a component.
    "0": Leafspec("zero", (), True, False),
}

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
