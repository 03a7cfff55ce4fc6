"""How accurate the waves must be, and how many columns they may become."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.profiles import Evaluation
from autostatistician.inference.engines.semiseparable.cut import Cut
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum

__all__ = ["can_write", "expected_columns", "finest_error", "wanted_error"]

Array = NDArray[np.float64]

NATS = 0.05  # by which the evidence may err
DOUBT = 3.0  # by how much the estimate below may be too small: errors of smooth kernels lie where K^-1 is large
FINEST, FINEST_FITTED, COARSEST = 1e-11, 1e-8, 1e-3  # errors that can be asked for
FITTED = {"RQ", "Deep2", "Deep3", "Deep"}
# Columns of leaves with moderate numbers and noise.
_COLUMNS = {
    "C": 1, "Lin": 1, "SE": 6, "RQ": 14, "Deep2": 14, "Deep3": 14, "Deep": 14, "Matern12": 1, "Matern32": 2, "Cos": 2,
    "Per": 16, "Wiener": 2, "IOU": 3, "WN": 0, "0": 0,
}  # fmt: skip


def wanted_error(state: Evaluation, where: Cut) -> float:
    """The error of a covariance, relative to the largest variance, that moves the evidence by at most `NATS`.

    An error E of the covariance moves it by ``(tr(K^-1 E) - alpha' E alpha) / 2``, each term of which is about n
    times the size of E over the least noise.
    """
    noise, variance = np.zeros(len(where.x)), np.zeros(len(where.x))
    for key, slot in state.terms.items():
        profile = state.profile(key)
        square = np.ones(len(where.x)) if profile is None else profile**2
        noise += slot.d * square
        variance += abs(slot.at_zero()) * square
        if slot.rise is not None:
            variance += 2.0 * np.abs(slot.rise) * square
    least, most = float(noise.min()), float(variance.max())
    return min(NATS / DOUBT * least / (len(where.x) * most), COARSEST) if most > 0.0 else COARSEST


def finest_error(expr: Expr) -> float:
    """The least error that can be asked for: finer waves are so alike that rounding counts more.

    >>> from autostatistician.language.text import parse
    >>> finest_error(parse("SE * Per + WN")), finest_error(parse("CP(SE, RQ)"))
    (1e-11, 1e-08)
    """
    return FINEST_FITTED if leaves(expr) & FITTED else FINEST


def leaves(expr: Expr) -> set[str]:
    """The symbols of an expression."""
    match expr:
        case Leaf(symbol=symbol):
            return {symbol}
        case Sum(terms=parts) | Product(factors=parts):
            return set().union(*map(leaves, parts))
        case ChangePoint(before=one, after=other) | ChangeWindow(outside=one, inside=other):
            return leaves(one) | leaves(other)


def can_write(expr: Expr) -> bool:
    """Whether all leaves are waves."""
    return leaves(expr) <= set(_COLUMNS)


def expected_columns(expr: Expr) -> int:
    """The columns of an expression with moderate numbers.

    >>> from autostatistician.language.text import parse
    >>> expected_columns(parse("SE * Per + Lin + WN"))
    97
    """
    match expr:
        case Leaf(symbol=symbol):
            return _COLUMNS[symbol]
        case Sum(terms=parts):
            return sum(map(expected_columns, parts))
        case Product(factors=parts):
            return int(np.prod([expected_columns(part) for part in parts]))
        case ChangePoint(before=one, after=other) | ChangeWindow(outside=one, inside=other):
            return expected_columns(one) + expected_columns(other)
