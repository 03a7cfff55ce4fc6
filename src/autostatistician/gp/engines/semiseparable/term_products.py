"""Products and parts of sums of exponential terms, and the way back.

Adjoints are complex: with that of a number z called G, the value changes by ``Re(G dz)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product as choices_of

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.expr import Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import placed
from autostatistician.kernels.state_space import Exponentials

__all__ = [
    "ExponentialsAdjoint", "PlacedFactor", "distributed", "factors_of", "merged", "product",
    "product_adjoints", "smooth_factors", "some", "split",
]  # fmt: skip


Array = NDArray[np.float64]

Complex = NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class ExponentialsAdjoint:
    """Derivatives by weight (A, D) and rate (A,)."""

    weight: Complex
    rate: Complex

    def __add__(self, other: ExponentialsAdjoint) -> ExponentialsAdjoint:
        return ExponentialsAdjoint(self.weight + other.weight, self.rate + other.rate)

    @classmethod
    def zero(cls, of: Exponentials) -> ExponentialsAdjoint:
        """That of what changes nothing."""
        return cls(np.zeros_like(of.weight), np.zeros_like(of.rate))


def some(whole: Exponentials, which: NDArray[np.intp]) -> Exponentials:
    """A part of the sum."""
    return Exponentials(whole.weight[which], whole.rate[which], whole.real[which], whole.degree[which])


def split(adjoint: ExponentialsAdjoint, parts: list[Exponentials]) -> list[ExponentialsAdjoint]:
    """The adjoints of the parts of a sum."""
    shares, start = [], 0
    for part in parts:
        rows = slice(start, start := start + len(part.rate))
        shares.append(ExponentialsAdjoint(adjoint.weight[rows, : part.weight.shape[1]], adjoint.rate[rows]))
    return shares


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Which term meets which: two with frequencies give the half of their product, and with one turned back."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    turned: NDArray[np.bool_]
    share: Array


def _pairs(left: Exponentials, right: Exponentials) -> _Pairs:
    return _met(left.real.tobytes(), right.real.tobytes())


@lru_cache(maxsize=1024)
def _met(left: bytes, right: bytes) -> _Pairs:
    """By which terms have no frequency: whatever their parameters are."""
    steady, other = np.frombuffer(left, bool), np.frombuffer(right, bool)
    i, j = (index.ravel() for index in np.indices((len(steady), len(other))))
    both = ~(steady[i] | other[j])
    turned = np.concatenate([np.zeros(len(i), bool), np.ones(int(both.sum()), bool)])
    share = np.where(np.concatenate([both, both[both]]), 0.5, 1.0)
    return _Pairs(np.concatenate([i, i[both]]), np.concatenate([j, j[both]]), turned, share[:, None])


def product(left: Exponentials, right: Exponentials) -> Exponentials:
    """The product, ``Re(a) Re(b) = Re(a b) / 2 + Re(a b*) / 2``.

    >>> slow, quick = (Exponentials.of([1.0], [rate], real=False) for rate in (2j, 3j))
    >>> beat = product(slow, quick)
    >>> beat.rate.imag.tolist(), beat.at(np.array([0.5])).round(6).tolist(), round(float(np.cos(1.0) * np.cos(1.5)), 6)
    ([5.0, -1.0], [0.038219], 0.038219)
    """
    met = _pairs(left, right)
    first, second = left.weight[met.left] * met.share, _turned(right.weight[met.right], met.turned)
    weight = np.zeros((len(first), first.shape[1] + second.shape[1] - 1), complex)
    for k in range(first.shape[1]):
        weight[:, k : k + second.shape[1]] += first[:, k, None] * second
    rate = left.rate[met.left] + _turned(right.rate[met.right], met.turned)
    return Exponentials(
        weight, rate, left.real[met.left] & right.real[met.right], left.degree[met.left] + right.degree[met.right]
    )


def product_adjoints(
    left: Exponentials, right: Exponentials, adjoint: ExponentialsAdjoint
) -> tuple[ExponentialsAdjoint, ExponentialsAdjoint]:
    """Those of both factors, given that of the product."""
    met = _pairs(left, right)
    first, second = left.weight[met.left], _turned(right.weight[met.right], met.turned)
    up = adjoint.weight * met.share
    by_first, by_second = np.zeros_like(first), np.zeros_like(second)
    for k in range(first.shape[1]):
        window = up[:, k : k + second.shape[1]]
        by_first[:, k] = (window * second).sum(1)
        by_second += window * first[:, k, None]
    return (
        ExponentialsAdjoint(_sums(met.left, by_first, len(left.rate)), _sums(met.left, adjoint.rate, len(left.rate))),
        ExponentialsAdjoint(
            _sums(met.right, _turned(by_second, met.turned), len(right.rate)),
            _sums(met.right, _turned(adjoint.rate, met.turned), len(right.rate)),
        ),
    )


def _sums(index: NDArray[np.intp], values: Complex, count: int) -> Complex:
    """Of the values (P,) or (P, D) that go to each of some terms."""
    sums = np.zeros((count, *values.shape[1:]), complex)
    if values.ndim == 2 and values.shape[1] == 1:
        np.add.at(sums[:, 0], index, values[:, 0])
    else:
        np.add.at(sums, index, values)
    return sums


def _turned(values: Complex, which: NDArray[np.bool_]) -> Complex:
    """The conjugates of some rows."""
    return np.where(which if values.ndim == 1 else which[:, None], values.conj(), values)


# --- The factors of products: where their parameters are, and products of sums as sums of products ------------------


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

    >>> from autostatistician.kernels.text import parse
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
