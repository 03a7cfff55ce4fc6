"""Exponential terms between profiles as columns U and V of the recursion, block by block, and the way back to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.semiseparable.layout import BlockLayout
from autostatistician.inference.engines.semiseparable.term_products import ExponentialsAdjoint
from autostatistician.language.exponentials import Exponentials

__all__ = ["TermColumns"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Either = NDArray[Any]  # real or complex


@dataclass(frozen=True, slots=True)
class _Alike:
    """Exponentials of one degree, all with frequencies (whose columns are complex numbers) or all without."""

    which: NDArray[np.intp]
    degree: int
    rate: Either  # (A,)
    weight: Either  # (A, degree + 1), of inputs in units of half the range
    E: Either  # (B or 1, m, A): damped from the start of the block, and turned from the middle of the range
    F: Either  # the same to the start of the next block, turned back

    @property
    def width(self) -> int:
        """How many columns one power of the inputs takes."""
        return len(self.which) * (2 if self.rate.dtype == complex else 1)

    def late(self, p: int, powers: list[Array]) -> Either:
        """``F sum_k>=p w_k C(k, p) (-t_j)^(k - p)``, what belongs to t_i^p."""
        if not self.degree:
            return self.F * self.weight[:, 0]
        return self.F * sum(powers[j] * self.coefficients(p, j) for j in range(self.degree + 1 - p))

    def coefficients(self, p: int, j: int) -> Either:
        """Of ``t_i^p t_j^j`` (A,)."""
        return self.weight[:, p + j] * (comb(p + j, p) * (-1.0) ** j)


@dataclass(frozen=True, slots=True)
class TermColumns:
    """The columns of the exponential terms of one profile ``a`` (B, m), which fills with zeros.

    A term of degree K has the columns p = 0 .. K: with inputs t in units of half the range it is
    ``sum_p t_i^p [sum_k>=p w_k C(k, p) (-t_j)^(k - p)] exp(-s (t_i - t_j))``. What is complex stands as real part and
    imaginary part beside each other, as complex numbers do in memory; those of V are conjugate.
    """

    exponentials: Exponentials
    layout: BlockLayout
    a: Array
    groups: list[_Alike]

    @classmethod
    def of(cls, exponentials: Exponentials, layout: BlockLayout, a: Array) -> TermColumns:
        """The terms at the inputs of a layout."""
        groups = []
        for real in (False, True):
            for degree in sorted(set(exponentials.degree[exponentials.real == real].tolist())):
                which = np.flatnonzero((exponentials.real == real) & (exponentials.degree == degree))
                rate: Either = exponentials.rate[which]
                weight: Either = exponentials.weight[which, : degree + 1] * layout.unit ** np.arange(degree + 1)
                if real:
                    rate, weight = rate.real, weight.real
                E, F = layout.since.damped(rate), layout.until.damped(rate)
                if not real:
                    turned = np.exp(-1j * rate.imag * layout.anchors[:, :, None])
                    E, F = E * turned[:, :1], F * turned[:, 1:].conj()
                groups.append(_Alike(which, degree, rate, weight, E, F))
        return cls(exponentials, layout, a, groups)

    def _parts(self) -> Iterator[tuple[_Alike, int, slice]]:
        """The groups with a power of the inputs each, and where their columns stand."""
        start = 0
        for group in self.groups:
            for p in range(group.degree + 1):
                yield group, p, slice(start, start := start + group.width)

    def _powers(self) -> list[Array]:
        most = max((group.degree for group in self.groups), default=0)
        return [(self.layout.relative**k)[..., None] for k in range(most + 1)]

    def columns(self) -> tuple[Array, Array, Array]:
        """U and V (B, m, R) and phi (B, R)."""
        (B, m), R = self.a.shape, self.exponentials.columns
        U, V, phi = np.empty((B, m, R)), np.empty((B, m, R)), np.empty((B, R))
        self.write(U, V, phi)
        return U, V, phi

    def write(self, U: Array, V: Array, phi: Array) -> None:
        """The columns into their places."""
        a, powers = self.a[..., None], self._powers()
        for group, p, rows in self._parts():
            early, late = (columns[..., rows].view(group.rate.dtype) for columns in (U, V))
            np.multiply(group.E, a * powers[p] if p else a, out=early)
            np.multiply(group.late(p, powers), a, out=late)
            left = np.exp(-group.rate.real * self.layout.steps[:, None])
            if group.rate.dtype == complex:
                np.conjugate(late, out=late)
                left = np.repeat(left, 2, axis=1)
            phi[:, rows] = left

    def adjoint(self, by_U: Array, by_V: Array, by_phi: Array) -> tuple[ExponentialsAdjoint, Array]:
        """Derivatives by the terms, and by the profile (B, m), given those by the columns."""
        by = ExponentialsAdjoint.zero(self.exponentials)
        by_a, powers = np.zeros_like(self.a), self._powers()
        for group, p, rows in self._parts():
            kind = group.rate.dtype
            # With z = dr + i di the value changes by Re(conj(z) dw) where a column holds w, by Re(z dw) for conj(w).
            through_U = by_U[..., rows].view(kind).conj() * group.E
            through_V = by_V[..., rows].view(kind) * group.F
            by_rate = self._early(group, p, through_U, powers, by_a)
            by_rate = by_rate + self._late(group, p, through_V, powers, by_a, by.weight)
            by_left = by_phi[:, rows].reshape(len(by_phi), len(group.which), -1).sum(-1)
            damping = self.layout.steps[:, None] * np.exp(-group.rate.real * self.layout.steps[:, None])
            by.rate[group.which] += by_rate - (by_left * damping).sum(0)
        return by, by_a

    def _early(self, group: _Alike, p: int, through: Either, powers: list[Array], by_a: Array) -> Either:
        """Add the derivative by the profile, and give that by the rates."""
        scaled = self.a * powers[p][..., 0]
        by_a += powers[p][..., 0] * through.sum(-1).real
        damped, turned = _sums(through, [scaled * self.layout.since.lengths, scaled * self.layout.turn])
        return np.asarray(-damped.real - 1j * turned.imag if through.dtype == complex else -damped)

    def _late(
        self, group: _Alike, p: int, through: Either, powers: list[Array], by_a: Array, by_weight: Complex
    ) -> Either:
        """The same, and the derivative by the weights added."""
        by_rate: Either = np.zeros_like(group.rate)
        for j in range(group.degree + 1 - p):
            scaled, factor = self.a * powers[j][..., 0], group.coefficients(p, j)
            by_a += powers[j][..., 0] * (through @ factor).real
            sums = _sums(through, [scaled, scaled * self.layout.until.lengths, scaled * self.layout.turn])
            by_weight[group.which, p + j] += sums[0] * (comb(p + j, p) * (-1.0) ** j * self.layout.unit ** (p + j))
            damped, turned = sums[1] * factor, sums[2] * factor
            by_rate = by_rate + (-damped.real + 1j * turned.imag if through.dtype == complex else -damped)
        return by_rate


def _sums(through: Either, weights: list[Array]) -> Either:
    """Sums (k, A) over all inputs with some weights (B, m) each."""
    flat = through.reshape(-1, through.shape[-1])
    sums = np.stack([weight.ravel() for weight in weights]) @ flat.view(np.float64)
    return np.asarray(sums.view(through.dtype))
