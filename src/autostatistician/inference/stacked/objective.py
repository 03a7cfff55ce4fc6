"""The negative log marginal likelihoods of one expression for a stack of members, each with its own parameters.

All that depends on parameters is arithmetic on matrices with a row for each member (the evaluators of `profiles`, on
columns of parameters); matrices are put together in blocks that stay in the cache, and LAPACK takes them one by one.
No number of a member depends on the others: sums are taken along its row alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from autostatistician.inference.covariance import RELATIVE_JITTERS
from autostatistician.inference.engines.nodes import Evaluator
from autostatistician.inference.engines.profiles import Evaluation, compiled
from autostatistician.inference.engines.terms import Profile, Slot, Terms, is_nothing, is_one_number
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked.lags import SharedLags, shared_lags, triangles_for
from autostatistician.language.expr import Expr

__all__ = ["StackedObjective"]


Array = NDArray[np.float64]

MOST_CELLS = 2400  # of one vector of all members


class StackedObjective:
    """The negative log marginal likelihood of one expression at several parameters.

    Examples
    --------
    >>> from autostatistician.language.expr import Leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]))
    >>> value, gradient = StackedObjective(Leaf("WN"), problem).value_and_gradient(np.ones((2, 1)))
    >>> value.round(4).tolist(), gradient.round(4).tolist()
    ([2.8379, 2.8379], [[0.0], [0.0]])
    """

    def __init__(self, expr: Expr, problem: Problem) -> None:
        self._y, self._lags, self._root = problem.y, shared_lags(problem), compiled(expr)

    def value_and_gradient(self, values: Array) -> tuple[Array, Array]:
        """Values (b,) and gradients (b, parameters) at parameters (b, parameters).

        As those of one objective (`exact.ExactObjective`): by the logarithm of positive parameters, infinite where a
        covariance cannot be factorised.
        """
        parts = [self._differentiated(part) for part in self._parts(values)]
        return np.concatenate([nll for nll, _ in parts]), np.concatenate([gradient for _, gradient in parts])

    def value(self, values: Array) -> Array:
        """The values alone."""
        return np.concatenate([self._at(part, with_gradient=False)[1].nll() for part in self._parts(values)])

    def _parts(self, values: Array) -> list[Array]:
        """Members that are evaluated at a time: so many that no vector of theirs needs memory from the system."""
        most = max(1, MOST_CELLS // len(self._y))
        return [values[start : start + most] for start in range(0, max(len(values), 1), most)]

    def _differentiated(self, values: Array) -> tuple[Array, Array]:
        state, blocks = self._at(values, with_gradient=True)
        nll = blocks.nll()
        gradient = state.backward(blocks.adjoints())
        gradient[~np.isfinite(nll)] = 0.0
        return nll, gradient

    def _at(self, values: Array, *, with_gradient: bool) -> tuple[StackedEvaluation, Blocks]:
        x, lags = self._lags.x, self._lags.lags
        state = stacked_evaluation(self._root, values, x, lags, with_gradient=with_gradient)
        return state, Blocks(state, np.tile(self._y, (len(values), 1)), self._lags)


# --- The covariances of a stack in blocks that stay in the cache ----------------------------------------------------


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


# --- One expression at the parameters of a stack of members ---------------------------------------------------------


class StackedEvaluation(Evaluation):
    """One expression at the parameters of all members: every vector is a matrix with a row for each."""

    __slots__ = ("points", "shared")
    points: Array
    shared: Array

    def lags(self, column: str | None) -> Array:
        """Distinct lags."""
        return self.shared

    def along(self, column: str | None) -> Array:
        """The points."""
        return self.points

    def places(self, column: str | None, location: Any) -> Array:
        """The points as a location sees them, and behind them the lags: once for all members where these agree."""
        seen = self.points - (location[:1] if (location == location[0]).all() else location)
        members = max(len(seen), len(self.shared))
        return np.concatenate([np.broadcast_to(part, (members, part.shape[1])) for part in (seen, self.shared)], axis=1)

    def largest(self, rise: Array) -> Any:
        """The largest of what rises over the points, 1 where there is none."""
        most = rise.max(axis=1, keepdims=True)
        return np.where(most == 0.0, 1.0, most)

    def inner(self, adjoint: Any, derivative: Array) -> Any:
        """The sum of products over all lags or points."""
        return (adjoint * derivative).sum(axis=1, keepdims=True)

    def backward(self, adjoints: Terms) -> Array:
        """The derivatives (members, parameters) by every parameter."""
        assert self.root is not None
        with np.errstate(all="ignore"):
            self.root.backward(self, adjoints)
        gradient = np.empty((np.asarray(self.values[0]).size, len(self.values)))
        for index, derivative in enumerate(self.gradient):
            gradient[:, index : index + 1] = derivative
        return gradient


def stacked_evaluation(
    root: Evaluator, values: Array, x: Array, lags: Array, *, with_gradient: bool
) -> StackedEvaluation:
    """Evaluate the terms of a compiled expression at parameters (members, parameters)."""
    columns = tuple(np.ascontiguousarray(values.T)[:, :, None])
    state = StackedEvaluation(columns, x, None, (), with_gradient, [])  # type: ignore[arg-type]
    state.points, state.shared = x, lags
    state.gradient = [0.0] * len(columns)
    state.root = root
    with np.errstate(all="ignore"):  # what overflows has no likelihood
        state.terms = root.forward(state)
    return state
