"""Damped waves between profiles as columns U and V of the recursion, block by block, and the way back to the waves."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.semiseparable.cut import Cut
from autostatistician.inference.engines.semiseparable.waves import WaveAdjoint, Waves

__all__ = ["WaveColumns"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class WaveColumns:
    """The columns of the waves of one profile ``a`` (B, m), which fills with zeros; None for the profile 1.

    A wave of degree K has the columns p = 0 .. K: with places t in units of half the range it is
    ``sum_p t_i^p [sum_k>=p w_k C(k, p) (-t_j)^(k - p)] exp(-s (t_i - t_j))``; what is complex has its imaginary parts
    behind the real ones.
    """

    waves: Waves
    cut: Cut
    a: Array
    E: Complex  # (B, m, A): damped from the start of the block
    F: Complex  # (B, m, A): damped to the start of the next one

    @classmethod
    def of(cls, waves: Waves, cut: Cut, a: Array) -> WaveColumns:
        """The waves at the places of a cut."""
        s, turn = waves.rate.real, 1j * waves.rate.imag
        angle = np.exp(-turn * cut.places[..., None]) if turn.any() else np.ones((*a.shape, 1))
        E = angle * np.exp(-s * cut.since[..., None])
        F = angle.conj() * np.exp(-s * cut.until[..., None])
        return cls(waves, cut, a, E, F)

    def _powers(self, k: int) -> Array:
        return np.asarray(self.cut.relative**k)[..., None]

    def _which(self, p: int) -> NDArray[np.intp]:
        return np.flatnonzero(self.waves.degree >= p)

    @property
    def _degrees(self) -> int:
        return int(self.waves.degree.max(initial=-1)) + 1

    def _late(self, p: int) -> Complex:
        """The polynomials in t_j that belong to t_i^p (B, m, A)."""
        weight = self.waves.weight * self.cut.unit ** np.arange(self.waves.weight.shape[1])
        terms = [weight[:, k] * comb(k, p) * self._powers(k - p) * (-1.0) ** (k - p) for k in range(p, self._degrees)]
        return np.asarray(sum(terms))

    def columns(self) -> tuple[Array, Array, Array]:
        """U and V (B, m, R) and phi (B, R)."""
        U, V, phi = [], [], []
        for p in range(self._degrees):
            which = self._which(p)
            turning = which[~self.waves.real[which]]
            early, late = (self._powers(p) * self.a[..., None]) * self.E, self._late(p) * self.a[..., None] * self.F
            U += [early.real[..., which], early.imag[..., turning]]
            V += [late.real[..., which], -late.imag[..., turning]]
            left = np.exp(-self.waves.rate.real * self.cut.steps[:, None])
            phi += [left[:, which], left[:, turning]]
        if not U:
            B, m = self.a.shape
            return np.zeros((B, m, 0)), np.zeros((B, m, 0)), np.zeros((B, 0))
        return np.concatenate(U, -1), np.concatenate(V, -1), np.concatenate(phi, -1)

    def adjoint(self, by_U: Array, by_V: Array, by_phi: Array) -> tuple[WaveAdjoint, Array]:
        """Derivatives by the waves, and by the profile (B, m), given those by the columns."""
        waves, cut = self.waves, self.cut
        weight, rate = np.zeros_like(waves.weight), np.zeros_like(waves.rate)
        by_a, start = np.zeros_like(self.a), 0
        left = np.exp(-waves.rate.real * cut.steps[:, None])
        for p in range(self._degrees):
            which, turning = self._which(p), self._which(p)[~waves.real[self._which(p)]]
            rows = slice(start, start + len(which) + len(turning))
            start = rows.stop
            G = self._complex(by_U[..., rows], which, turning, -1j)
            H = self._complex(by_V[..., rows], which, turning, 1j)
            early, late = self._powers(p) * self.E, self._late(p) * self.F
            through_U, through_V = G * early, H * late
            by_a += (through_U + through_V).real.sum(-1)
            a = self.a[..., None]
            rate += _by_rate(a * through_U, cut.since, cut.places) + _by_rate(a * through_V, cut.until, -cut.places)
            HF = a * H * self.F
            for k in range(p, self._degrees):
                scale = comb(k, p) * (-1.0) ** (k - p) * cut.unit**k
                weight[:, k] += scale * (HF * self._powers(k - p)).sum((0, 1))
            both = np.zeros_like(left)
            both[:, which] = by_phi[:, rows][:, : len(which)]
            both[:, turning] += by_phi[:, rows][:, len(which) :]
            rate -= (both * left * cut.steps[:, None]).sum(0)
        return WaveAdjoint(weight, rate), by_a

    def _complex(self, by: Array, which: NDArray[np.intp], turning: NDArray[np.intp], unit: complex) -> Complex:
        found: Complex = np.zeros(self.E.shape, complex)
        found[..., which] = by[..., : len(which)]
        found[..., turning] += unit * by[..., len(which) :]
        return found


def _by_rate(through: Complex, damped: Array, turned: Array) -> Complex:
    """The adjoint of s, given that of what is ``exp(-Re s damped - i Im s turned)`` times itself.

    The change is ``-Re(through) damped d Re s + Im(through) turned d Im s``, and ``Re(G ds)`` of G it is that of
    ``-Re(through) damped - i Im(through) turned``.
    """
    found: Complex = -(through.real * damped[..., None]).sum((0, 1)) - 1j * (through.imag * turned[..., None]).sum(
        (0, 1)
    )
    return found
