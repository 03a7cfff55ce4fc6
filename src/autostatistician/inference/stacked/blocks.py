"""The covariances of a stack in blocks that stay in the cache: put together, factorised, inverted, differentiated.

As `lag_space` does it for one kernel; with ``A = K^-1 - alpha alpha'`` the derivative of the negative log likelihood is
``tr(A dK) / 2``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from autostatistician.inference.covariance import RELATIVE_JITTERS
from autostatistician.inference.engines.terms import Profile, Slot, Terms, is_nothing, is_one_number
from autostatistician.inference.stacked.evaluation import StackedEvaluation
from autostatistician.inference.stacked.lags import SharedLags, triangles_for

__all__ = ["Blocks"]

Array = NDArray[np.float64]


@dataclass(slots=True)
class _Term:
    """A term of the covariances of all members; the derivatives by what it is made of."""

    slot: Slot
    profile: Array | None  # (members, n)
    adjoint: Slot
    by_profile: Array | None

    @staticmethod
    def of(state: StackedEvaluation, key: Profile, slot: Slot) -> _Term:
        profile = state.profile(key)
        if not state.with_gradient:
            return _Term(slot, profile, Slot(), None)
        v, d = (part if isinstance(part, float) else np.empty_like(part) for part in (slot.v, slot.d))
        adjoint = Slot(v, d, None if slot.rise is None else np.empty_like(slot.rise))
        return _Term(slot, profile, adjoint, None if profile is None else np.zeros_like(profile))

    @property
    def by_lags(self) -> bool:
        """Whether it differs from lag to lag."""
        return not is_one_number(self.slot.v)


class Blocks:
    """The negative log likelihoods of a stack, and their derivatives by all terms where there is a way back."""

    def __init__(self, state: StackedEvaluation, y: Array, lags: SharedLags) -> None:
        self._state, self._y, self._lags = state, y, lags
        self._terms = {key: _Term.of(state, key, slot) for key, slot in state.terms.items()}
        self._work, self._spare = triangles_for(y.shape[1])

    def nll(self) -> Array:
        """The negative log likelihoods (members,); infinite where a covariance cannot be factorised."""
        nll = np.empty(len(self._y))
        with np.errstate(all="ignore"):  # what overflows has no likelihood
            for start in range(0, len(nll), self._work.members):
                block = slice(start, min(start + self._work.members, len(nll)))
                nll[block], failed = self._of_block(block, 0.0)
                for member in start + np.flatnonzero(failed):
                    nll[member] = self._with_jitter(slice(member, member + 1))
        return nll

    def adjoints(self) -> Terms:
        """The derivatives by all terms; those by the profiles are added to the state."""
        for key, term in self._terms.items():
            if term.by_profile is not None:
                self._state.add_profile_adjoint(key, term.by_profile)
        return {key: term.adjoint for key, term in self._terms.items()}

    def _with_jitter(self, member: slice) -> float:
        """The value of one member whose covariance cannot be factorised as it is."""
        for level in RELATIVE_JITTERS[1:]:
            (nll,), (failed,) = self._of_block(member, level)
            if not failed:
                return float(nll)
        return inf

    def _of_block(self, block: slice, jitter: float) -> tuple[Array, NDArray[np.bool_]]:
        """Values of some members, and which of them jitter may help."""
        work, count = self._work, block.stop - block.start
        self._assemble(block)
        main, y = work.main[:count], self._y[block]
        finite = np.asarray(np.isfinite(main).all(axis=1))
        if jitter:
            main += jitter * main.mean(axis=1, keepdims=True)
        failed = ~(finite & self._factorise(finite))
        half_logdets = np.log(main).sum(axis=1)
        squares = self._inverted(block) if self._state.with_gradient else self._solved(y)
        nll = 0.5 * squares + half_logdets + 0.5 * work.n * log(2.0 * pi)
        nll[failed | ~np.isfinite(nll)] = inf
        return nll, failed & finite

    def _factorise(self, finite: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Factorise the work matrices in place; those that cannot be become identities, and are told by False."""
        work, done = self._work, finite.copy()
        for member, factor in enumerate(work.factors[: len(finite)]):
            done[member] = finite[member] and not lapack.dpotrf(factor, lower=1, overwrite_a=1, clean=0)[1]
        for member in np.flatnonzero(~done).tolist():
            work.matrices[member] = np.eye(work.n)
        return done

    def _solved(self, y: Array) -> Array:
        """``y' K^-1 y`` for each member, from the factors."""
        half = np.empty_like(y)
        for member, factor in enumerate(self._work.factors[: len(y)]):
            half[member] = lapack.dtrtrs(factor, y[member], lower=1)[0]
        return np.asarray((half * half).sum(axis=1))

    def _inverted(self, block: slice) -> Array:
        """The same, and the derivatives by all terms."""
        work, y = self._work, self._y[block]
        alpha = np.empty_like(y)
        for member, factor in enumerate(work.factors[: len(y)]):
            alpha[member] = lapack.dpotrs(factor, y[member], lower=1)[0]
            lapack.dpotri(factor, lower=1, overwrite_c=1)
            blas.dsyr(-1.0, alpha[member], a=factor, lower=1, overwrite_a=1)
        diagonal = work.main[: len(y)].copy()
        for term in self._terms.values():
            self._differentiate(term, block, diagonal)
        return np.asarray((alpha * y).sum(axis=1))

    def _assemble(self, block: slice) -> None:
        """Write the upper triangles of the covariances into the work matrices."""
        work, count = self._work, block.stop - block.start
        matrices, main = work.matrices[:count], work.main[:count]
        plain = self._terms.get(())
        if plain is None or is_nothing(plain.slot.v):
            matrices[...] = 0.0
        else:
            self._lags.expand(_over_lags(plain.slot.v[block], self._lags), matrices)  # type: ignore[index]
        for term in self._terms.values():
            slot, profile = term.slot, None if term.profile is None else term.profile[block]
            if slot.rise is not None:
                self._add_rise(slot.rise[block], profile)
            if profile is not None and term.by_lags:
                matrices += self._profiled(slot.v[block], profile)  # type: ignore[index]
            elif profile is not None and not is_nothing(slot.v):
                sizes = slot.v[block, 0].tolist()  # type: ignore[index]
                for factor, size, vector in zip(work.factors, sizes, profile, strict=False):
                    blas.dsyr(size, vector, a=factor, lower=1, overwrite_a=1)
            if not is_nothing(slot.d):
                main += slot.d[block] if profile is None else slot.d[block] * profile**2

    def _add_rise(self, rise: Array, profile: Array | None) -> None:
        left, right = (np.ones_like(rise), rise) if profile is None else (profile, rise * profile)
        for factor, first, second in zip(self._work.factors, left, right, strict=False):
            blas.dsyr2(1.0, first, second, a=factor, lower=1, overwrite_a=1)

    def _profiled(self, v: Array, profile: Array) -> Array:
        """Terms ``diag(a) T(v) diag(a)``, in the spare matrices."""
        spare = self._spare.matrices[: len(v)]
        self._lags.expand(v, spare)
        spare *= profile[:, None, :]
        spare *= profile[:, :, None]
        return spare

    def _differentiate(self, term: _Term, block: slice, diagonal: Array) -> None:
        """The derivatives by one term, from A in the work matrices."""
        if term.profile is None or term.by_profile is None:
            self._by_plain(term, block)
            weights = np.ones(1)
        else:
            profile = term.profile[block]
            term.by_profile[block] = self._by_profiled(term, profile, block)
            weights = profile**2
            if not is_nothing(term.slot.d):
                term.by_profile[block] += term.slot.d[block] * diagonal * profile
        if not is_nothing(term.slot.d):
            term.adjoint.d[block] = 0.5 * (diagonal * weights).sum(axis=1, keepdims=True)

    def _by_plain(self, term: _Term, block: slice) -> None:
        slot, adjoint, count = term.slot, term.adjoint, len(self._y[block])
        if not is_nothing(slot.v):
            sums = self._lags.collapse(self._work, count)
            sums *= 0.5
            adjoint.v[block] = sums if term.by_lags else sums.sum(axis=1, keepdims=True)  # type: ignore[index]
        if adjoint.rise is not None:
            adjoint.rise[block] = self._work.products(np.ones((count, self._work.n)))

    def _by_profiled(self, term: _Term, profile: Array, block: slice) -> Array:
        """The derivative by the profile (but for noise); the others are kept."""
        slot, adjoint, work = term.slot, term.adjoint, self._work
        by_profile = np.zeros_like(profile)
        if term.by_lags:
            adjoint.v[block], by_profile = self._by_lags_and_profile(slot.v[block], profile)  # type: ignore[index]
        elif not is_nothing(slot.v):
            product = work.products(profile)
            adjoint.v[block] = 0.5 * (profile * product).sum(axis=1, keepdims=True)  # type: ignore[index]
            by_profile += slot.v[block] * product  # type: ignore[index]
        if slot.rise is not None and adjoint.rise is not None:
            rise, product = slot.rise[block], work.products(profile)
            by_profile += rise * product + work.products(rise * profile)
            adjoint.rise[block] = profile * product
        return by_profile

    def _by_lags_and_profile(self, v: Array, profile: Array) -> tuple[Array, Array]:
        """Derivatives by ``v`` and by the profile ``a`` of terms ``diag(a) T(v) diag(a)``."""
        work, spare, count = self._work, self._spare, len(v)
        matrices = spare.matrices[:count]
        np.multiply(work.matrices[:count], profile[:, None, :], out=matrices)
        matrices *= profile[:, :, None]
        sums = self._lags.collapse(spare, count)
        sums *= 0.5
        self._lags.expand(v, matrices)
        matrices *= work.matrices[:count]
        return sums, spare.products(profile)


def _over_lags(v: Array, lags: SharedLags) -> Array:
    return np.broadcast_to(v, (len(v), lags.lags.shape[1]))
