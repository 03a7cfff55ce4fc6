"""An expression at its numbers: exact within blocks, columns between them, and the way back to its numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.profiles import Evaluation
from autostatistician.inference.engines.semiseparable.between import Between
from autostatistician.inference.engines.semiseparable.columns import WaveColumns
from autostatistician.inference.engines.semiseparable.cut import Cut
from autostatistician.inference.engines.semiseparable.recursion import Adjoints, Blocks
from autostatistician.inference.engines.semiseparable.waves import WaveAdjoint
from autostatistician.inference.engines.terms import Profile, Slot, Terms

__all__ = ["AtNumbers", "columns_of", "within"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AtNumbers:
    """An expression at its numbers: exact within blocks, columns between them."""

    cut: Cut
    state: Evaluation  # at the places of the cut, and maybe at some before them
    between: Between
    profiles: dict[Profile, Array]  # (B, m), with zeros where places only fill
    columns: dict[Profile, WaveColumns]
    blocks: Blocks

    @classmethod
    def of(cls, state: Evaluation, waves: Between, where: Cut, y: Array) -> AtNumbers:
        """The blocks of an evaluation at the places of a cut, with observations ``y`` (B, m)."""
        profiles = _profiles(state, where)
        columns = {key: WaveColumns.of(waves.terms[key], where, a) for key, a in profiles.items()}
        blocks = Blocks.of(within(state, where), *_columns(state, where, profiles, columns), y)
        return cls(where, state, waves, profiles, columns, blocks)

    def gradient(self, by: Adjoints) -> tuple[Array, dict[Profile, WaveAdjoint]]:
        """The derivatives (p,) through what is within blocks and the profiles, and those by the waves between."""
        terms: Terms = {}
        through_waves, start = {}, 0
        by.K[-1] *= self.cut.filled[-1] & self.cut.filled[-1][:, None]
        for key, slot in self.state.terms.items():
            a, own = self.profiles[key], self.columns[key]
            terms[key], by_a = _within_adjoint(key, slot, a, by.K, self.cut)
            rows = slice(start, start := start + own.waves.columns)
            through_waves[key], by_columns = own.adjoint(by.U[..., rows], by.V[..., rows], by.phi[..., rows])
            by_a += by_columns
            if slot.rise is not None:
                rise = _blocked(slot.rise, self.cut)
                (u0, u1), (v0, v1) = (np.moveaxis(one[..., start : start + 2], -1, 0) for one in (by.U, by.V))
                start += 2
                within = terms[key].rise
                assert within is not None
                terms[key].rise = self._all(within + self.cut.flat(a * (u0 + v1)))
                by_a += rise * (u0 + v1) + u1 + v0
            if key:
                self.state.add_profile_adjoint(key, self._all(self.cut.flat(by_a)))
        return self.state.backward(terms), through_waves

    def _all(self, values: Array) -> Array:
        """With zeros for the places before those of the cut."""
        return np.concatenate([np.zeros(len(self.state.X) - len(values)), values])


def _profiles(state: Evaluation, where: Cut) -> dict[Profile, Array]:
    known = {key: state.profile(key) for key in state.terms}
    return {key: where.filled.astype(np.float64) if a is None else _blocked(a, where) for key, a in known.items()}


def _blocked(values: Array, where: Cut) -> Array:
    """The last of some values, those of the places of the cut."""
    return where.blocked(values[len(values) - len(where.x) :])


def columns_of(state: Evaluation, waves: Between, where: Cut) -> tuple[Array, Array, Array]:
    """U and V (B, m, R) and phi (B, R) of an evaluation at the places of a cut."""
    profiles = _profiles(state, where)
    return _columns(state, where, profiles, {k: WaveColumns.of(waves.terms[k], where, a) for k, a in profiles.items()})


def _columns(
    state: Evaluation, where: Cut, profiles: dict[Profile, Array], columns: dict[Profile, WaveColumns]
) -> tuple[Array, Array, Array]:
    """Those of every term, of its waves before those of its rise."""
    found = []
    for key, slot in state.terms.items():
        found.append(columns[key].columns())
        if slot.rise is not None:
            a = profiles[key]
            risen = a * _blocked(slot.rise, where)
            found.append((np.stack([risen, a], -1), np.stack([a, risen], -1), np.ones((len(a), 2))))
    found = found or [(np.zeros((*where.places.shape, 0)),) * 2 + (np.zeros((len(where.places), 0)),)]
    U, V, phi = (np.concatenate(one, -1) for one in zip(*found, strict=True))
    return U, V, phi


def within(state: Evaluation, where: Cut) -> Array:
    """The covariances (B, m, m) within blocks, as they are."""
    profiles = _profiles(state, where)
    B, m = where.places.shape
    K = np.zeros((B, m, m))
    diagonal = np.einsum("bii->bi", K)
    for key, slot in state.terms.items():
        a = profiles[key]
        if not key:
            K += where.expand(slot.v)
        elif isinstance(slot.v, np.ndarray) or slot.v:
            K += (where.expand(slot.v) * a[:, :, None]) * a[:, None, :]
        if slot.rise is not None:
            risen = (a * _blocked(slot.rise, where))[:, :, None] * a[:, None, :]
            K += risen + risen.transpose(0, 2, 1)
        diagonal += slot.d * a * a
    if not where.filled[-1, -1]:
        K[-1] *= where.filled[-1] & where.filled[-1][:, None]
        diagonal[-1] += ~where.filled[-1]
    return K


def _within_adjoint(key: Profile, slot: Slot, a: Array, by_K: Array, where: Cut) -> tuple[Slot, Array]:
    """Derivatives by what stands between a profile, and by the profile (B, m); zero by that of the profile 1."""
    found, by_a = Slot(), np.zeros_like(a)
    if isinstance(slot.v, np.ndarray):
        if key:
            once = by_K * a[:, None, :]
            by_a += 2.0 * np.einsum("bij,bij->bi", once, np.broadcast_to(where.expand(slot.v), once.shape))
            found.v = where.collapse(np.multiply(once, a[:, :, None], out=once))
        else:
            found.v = where.collapse(by_K)
    elif slot.v:
        product = np.matmul(by_K, a[..., None])[..., 0]
        found.v = float((a * product).sum())
        by_a += 2.0 * slot.v * product
    if slot.d:
        main = np.einsum("bii->bi", by_K)
        found.d = float((main * a * a).sum())
        by_a += 2.0 * slot.d * main * a
    if slot.rise is not None:
        rise = _blocked(slot.rise, where)
        product, risen = (np.matmul(by_K, one[..., None])[..., 0] for one in (a, a * rise))
        found.rise = where.flat(2.0 * a * product)
        by_a += 2.0 * (rise * product + risen)
    return found, by_a
