"""Sums of damped waves ``Re(P(t) exp(-s t))``, P a polynomial, for lags t >= 0; their products, and the way back.

Adjoints are complex: with that of a number z called G, the value changes by ``Re(G dz)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["NONE", "WaveAdjoint", "Waves", "joined", "product", "product_adjoints", "some", "split", "waves"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class Waves:
    """A waves: ``weight`` (A, D) of the powers of t below D, ``rate`` (A,) with its frequency as imaginary part.

    ``real`` (A,) says which have neither frequency nor phase, whatever the numbers; ``degree`` (A,) is that of P.
    """

    weight: Complex
    rate: Complex
    real: NDArray[np.bool_]
    degree: NDArray[np.intp]

    @property
    def columns(self) -> int:
        """In how many columns they can be written."""
        return int(((self.degree + 1) * np.where(self.real, 1, 2)).sum())

    def at(self, lags: Array) -> Array:
        """The sum at lags of any shape.

        >>> waves([1.0], [1.0], real=True).at(np.array([0.0, 1.0])).round(4).tolist()
        [1.0, 0.3679]
        """
        powers = lags[..., None, None] ** np.arange(self.weight.shape[1])
        return np.asarray(((powers * self.weight).sum(-1) * np.exp(-lags[..., None] * self.rate)).sum(-1).real)

    def empty(self) -> WaveAdjoint:
        """Zeros for the derivatives."""
        return WaveAdjoint(np.zeros_like(self.weight), np.zeros_like(self.rate))


@dataclass(frozen=True, slots=True)
class WaveAdjoint:
    """Derivatives by weight (A, D) and rate (A,)."""

    weight: Complex
    rate: Complex

    def __add__(self, other: WaveAdjoint) -> WaveAdjoint:
        return WaveAdjoint(self.weight + other.weight, self.rate + other.rate)


def waves(weight: object, rate: object, *, real: bool) -> Waves:
    """Waves of degree zero from weights (A,), or of one degree from (A, D)."""
    rates = np.atleast_1d(np.asarray(rate, dtype=complex))
    weights = np.asarray(weight, dtype=complex)
    weights = weights[:, None] if weights.ndim == 1 else weights
    A, D = weights.shape
    return Waves(weights, rates, np.full(A, real), np.full(A, D - 1, dtype=np.intp))


NONE = Waves(np.zeros((0, 1), complex), np.zeros(0, complex), np.zeros(0, bool), np.zeros(0, np.intp))


def joined(parts: list[Waves]) -> Waves:
    """The sum."""
    if len(parts) == 1:
        return parts[0]
    D = max(part.weight.shape[1] for part in parts)
    return Waves(
        np.concatenate([_widened(part.weight, D) for part in parts]),
        np.concatenate([part.rate for part in parts]),
        np.concatenate([part.real for part in parts]),
        np.concatenate([part.degree for part in parts]),
    )


def _widened(weight: Complex, D: int) -> Complex:
    """With zeros for the powers that it lacks."""
    if weight.shape[1] == D:
        return weight
    found = np.zeros((len(weight), D), complex)
    found[:, : weight.shape[1]] = weight
    return found


def some(waves: Waves, which: NDArray[np.intp]) -> Waves:
    """A part of the sum."""
    return Waves(waves.weight[which], waves.rate[which], waves.real[which], waves.degree[which])


def split(adjoint: WaveAdjoint, parts: list[Waves]) -> list[WaveAdjoint]:
    """The adjoints of the parts of a sum."""
    found, start = [], 0
    for part in parts:
        rows = slice(start, start := start + len(part.rate))
        found.append(WaveAdjoint(adjoint.weight[rows, : part.weight.shape[1]], adjoint.rate[rows]))
    return found


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Which wave meets which: two waves with frequencies give the half of their product, and with one turned back."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    turned: NDArray[np.bool_]
    share: Array


def _pairs(left: Waves, right: Waves) -> _Pairs:
    return _met(left.real.tobytes(), right.real.tobytes())


@lru_cache(maxsize=1024)
def _met(left: bytes, right: bytes) -> _Pairs:
    """By which waves have no frequency: whatever their numbers are."""
    steady, other = np.frombuffer(left, bool), np.frombuffer(right, bool)
    i, j = (one.ravel() for one in np.indices((len(steady), len(other))))
    both = ~(steady[i] | other[j])
    turned = np.concatenate([np.zeros(len(i), bool), np.ones(int(both.sum()), bool)])
    share = np.where(np.concatenate([both, both[both]]), 0.5, 1.0)
    return _Pairs(np.concatenate([i, i[both]]), np.concatenate([j, j[both]]), turned, share[:, None])


def product(left: Waves, right: Waves) -> Waves:
    """The product, ``Re(a) Re(b) = Re(a b) / 2 + Re(a b*) / 2``.

    >>> beat = product(waves([1.0], [2j], real=False), waves([1.0], [3j], real=False))
    >>> beat.rate.imag.tolist(), beat.at(np.array([0.5])).round(6).tolist(), round(float(np.cos(1.0) * np.cos(1.5)), 6)
    ([5.0, -1.0], [0.038219], 0.038219)
    """
    met = _pairs(left, right)
    one, other = left.weight[met.left] * met.share, _turned(right.weight[met.right], met.turned)
    weight = np.zeros((len(one), one.shape[1] + other.shape[1] - 1), complex)
    for k in range(one.shape[1]):
        weight[:, k : k + other.shape[1]] += one[:, k, None] * other
    rate = left.rate[met.left] + _turned(right.rate[met.right], met.turned)
    return Waves(
        weight, rate, left.real[met.left] & right.real[met.right], left.degree[met.left] + right.degree[met.right]
    )


def product_adjoints(left: Waves, right: Waves, adjoint: WaveAdjoint) -> tuple[WaveAdjoint, WaveAdjoint]:
    """Those of both factors, given that of the product."""
    met = _pairs(left, right)
    one, other = left.weight[met.left], _turned(right.weight[met.right], met.turned)
    up = adjoint.weight * met.share
    by_one, by_other = np.zeros_like(one), np.zeros_like(other)
    for k in range(one.shape[1]):
        window = up[:, k : k + other.shape[1]]
        by_one[:, k] = (window * other).sum(1)
        by_other += window * one[:, k, None]
    return (
        WaveAdjoint(_sums(met.left, by_one, len(left.rate)), _sums(met.left, adjoint.rate, len(left.rate))),
        WaveAdjoint(
            _sums(met.right, _turned(by_other, met.turned), len(right.rate)),
            _sums(met.right, _turned(adjoint.rate, met.turned), len(right.rate)),
        ),
    )


def _sums(index: NDArray[np.intp], values: Complex, count: int) -> Complex:
    """Of the values (P,) or (P, D) that go to each of some waves."""
    found = np.zeros((count, *values.shape[1:]), complex)
    if values.ndim == 2 and values.shape[1] == 1:
        np.add.at(found[:, 0], index, values[:, 0])
    else:
        np.add.at(found, index, values)
    return found


def _turned(values: Complex, which: NDArray[np.bool_]) -> Complex:
    """The conjugates of some rows."""
    return np.where(which if values.ndim == 1 else which[:, None], values.conj(), values)
