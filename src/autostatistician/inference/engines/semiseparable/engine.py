"""The engine for one column whose cost grows with n: the misfit of an expression and its gradient."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.exact import MOST_ROWS, ExactObjective
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.profiles import Evaluation, compiled, evaluate
from autostatistician.inference.engines.semiseparable.between import Between, between
from autostatistician.inference.engines.semiseparable.columns import WaveColumns
from autostatistician.inference.engines.semiseparable.cut import BLOCK, Cut, cut
from autostatistician.inference.engines.semiseparable.leaf_waves import Accuracy
from autostatistician.inference.engines.semiseparable.orders import (
    can_write,
    expected_columns,
    finest_error,
    wanted_error,
)
from autostatistician.inference.engines.semiseparable.recursion import Adjoints, Blocks, Pass, backward, forward
from autostatistician.inference.engines.terms import Profile, Slot, Terms
from autostatistician.inference.factor import RELATIVE_JITTERS
from autostatistician.inference.likelihoods.gaussian import Gaussian
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr

__all__ = ["Semiseparable", "SemiseparableObjective"]

Array = NDArray[np.float64]

COLUMNS_PER_ROW = 0.5  # with more, one matrix costs less
SECONDS_PER_BLOCK, SECONDS_PER_PRODUCT = 1e-4, 2e-10


class Semiseparable:
    """Inference on one column in time that grows with n; exact to about 0.05 nats.

    Examples
    --------
    >>> from autostatistician.language.text import parse
    >>> problem = Problem(np.arange(200.0), np.sin(np.arange(200.0)))
    >>> objective = Semiseparable().objective(parse("Matern12 + WN"), problem)
    >>> value, gradient = objective.value_and_gradient((5.0, 1.0, 0.5))
    >>> from autostatistician.inference.engines.lag_space import LagSpace
    >>> abs(value - LagSpace().objective(parse("Matern12 + WN"), problem).value((5.0, 1.0, 0.5))) < 1e-9
    True
    """

    name = "semiseparable"
    is_exact = True

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """About n (m^2 + 6 m R + 6 R^2) products with R columns as moderate numbers want them; None where it cannot."""
        plain = isinstance(problem.likelihood, Gaussian) and problem.basis is None
        if not plain or problem.X.shape[1] != 1 or not can_write(expr):
            return None
        m, R = min(BLOCK, problem.n), expected_columns(expr)
        return problem.n * (SECONDS_PER_BLOCK / m + SECONDS_PER_PRODUCT * (m * m + 6 * m * R + 6 * R * R))

    def objective(self, expr: Expr, problem: Problem) -> SemiseparableObjective:
        """The misfit of an expression on one column."""
        return SemiseparableObjective(expr, problem)


class SemiseparableObjective:
    """The negative log marginal likelihood of one expression."""

    def __init__(self, expr: Expr, problem: Problem, block: int = BLOCK) -> None:
        self.expr, self.problem = expr, problem
        self.root = compiled(expr)
        self.cut = cut(problem.X[:, 0], block)
        self.y = self.cut.blocked(problem.y[self.cut.order])
        self.pool: list[Array] = []
        self.evaluations = 0

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some numbers; infinite where there is none."""
        self.evaluations += 1
        at = self.at(values, with_gradient=False)
        if at is None:
            return self.dense.value(values)
        found = self._passed(at)
        return inf if found is None else found[1].nll

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient (p,), by the logarithm of positive numbers, by others as they are."""
        self.evaluations += 1
        at = self.at(values)
        if at is None:
            return self.dense.value_and_gradient(values)
        found = self._passed(at)
        if found is None:
            return inf, np.zeros(len(values))
        at, passed = found
        return passed.nll, at.gradient(backward(at.blocks, passed))

    @cached_property
    def dense(self) -> ExactObjective:
        """The misfit by one matrix."""
        return LagSpace().objective(self.expr, self.problem)

    def at(self, values: tuple[float, ...], *, with_gradient: bool = True) -> AtNumbers | None:
        """The expression at some numbers, as accurate as its noise wants it; None where one matrix does it better.

        That is where so little noise is left that waves are not accurate enough, and where they would be too many.
        """
        x = self.cut.x[:, None]
        state = evaluate(self.root, values, x, self.cut, self.problem.columns, self.pool, with_gradient)
        error, finest = wanted_error(state, self.cut), finest_error(self.expr)
        bearable = self.problem.n <= MOST_ROWS
        if not error >= finest and bearable:
            return None
        accuracy = Accuracy(max(error, finest), self.cut.shortest, 2.0 * self.cut.unit)
        waves = between(self.expr, values, self.cut.x, accuracy)
        if waves.columns > COLUMNS_PER_ROW * self.problem.n and bearable:
            return None
        return AtNumbers.of(self, state, waves)

    def _passed(self, at: AtNumbers) -> tuple[AtNumbers, Pass] | None:
        """What the way there finds, with noise added as it takes to be positive definite; None where none helps."""
        if not all(np.isfinite(one).all() for one in (at.blocks.K, at.blocks.U, at.blocks.V)):
            return None
        diagonal = np.einsum("bii->bi", at.blocks.K)
        before = diagonal.copy()
        for level in RELATIVE_JITTERS:
            diagonal[...] = before + level * float(before[self.cut.filled].mean())
            passed = forward(at.blocks, self.problem.n)
            if passed is not None:
                return at, passed
        return None


@dataclass(frozen=True, slots=True, eq=False)
class AtNumbers:
    """An expression at its numbers: exact within blocks, columns between them."""

    cut: Cut
    state: Evaluation
    between: Between
    profiles: dict[Profile, Array]  # (B, m), with zeros where places only fill
    columns: dict[Profile, WaveColumns]
    blocks: Blocks

    @classmethod
    def of(cls, objective: SemiseparableObjective, state: Evaluation, waves: Between) -> AtNumbers:
        """The blocks of an evaluation."""
        where = objective.cut
        ones = np.ones(len(where.x))
        profiles = {key: where.blocked(ones if (a := state.profile(key)) is None else a) for key in state.terms}
        columns = {key: WaveColumns.of(waves.terms[key], where, a) for key, a in profiles.items()}
        U, V, phi = (np.concatenate(one, -1) for one in zip(*_columns(state, where, profiles, columns), strict=True))
        blocks = Blocks(_within(state, where, profiles), U, V, phi, objective.y)
        return cls(where, state, waves, profiles, columns, blocks)

    def gradient(self, by: Adjoints) -> Array:
        """The derivatives (p,) by all numbers, through what is within blocks, between them, and the profiles."""
        terms: Terms = {}
        through_waves, start = {}, 0
        for key, slot in self.state.terms.items():
            a, own = self.profiles[key], self.columns[key]
            terms[key], by_a = _within_adjoint(slot, a, by.K, self.cut)
            rows = slice(start, start := start + own.waves.columns)
            through_waves[key], by_columns = own.adjoint(by.U[..., rows], by.V[..., rows], by.phi[..., rows])
            by_a += by_columns
            if slot.rise is not None:
                rise = self.cut.blocked(slot.rise)
                (u0, u1), (v0, v1) = (np.moveaxis(one[..., start : start + 2], -1, 0) for one in (by.U, by.V))
                start += 2
                within = terms[key].rise
                assert within is not None
                terms[key].rise = within + self.cut.flat(a * (u0 + v1))
                by_a += rise * (u0 + v1) + u1 + v0
            self.state.add_profile_adjoint(key, self.cut.flat(by_a))
        return self.state.backward(terms) + self.between.backward(through_waves)


def _columns(
    state: Evaluation, where: Cut, profiles: dict[Profile, Array], columns: dict[Profile, WaveColumns]
) -> list[tuple[Array, Array, Array]]:
    """U, V and phi of every term, those of its waves before those of its rise."""
    found = []
    for key, slot in state.terms.items():
        found.append(columns[key].columns())
        if slot.rise is not None:
            a = profiles[key]
            risen = a * where.blocked(slot.rise)
            found.append((np.stack([risen, a], -1), np.stack([a, risen], -1), np.ones((len(a), 2))))
    return found or [(np.zeros((*where.places.shape, 0)),) * 2 + (np.zeros((len(where.places), 0)),)]


def _within(state: Evaluation, where: Cut, profiles: dict[Profile, Array]) -> Array:
    """The covariances (B, m, m) within blocks, as they are."""
    B, m = where.places.shape
    K = np.zeros((B, m, m))
    diagonal = np.einsum("bii->bi", K)
    for key, slot in state.terms.items():
        a = profiles[key]
        if isinstance(slot.v, np.ndarray) or slot.v:
            K += where.expand(slot.v) * (a[:, :, None] * a[:, None, :])
        if slot.rise is not None:
            risen = (a * where.blocked(slot.rise))[:, :, None] * a[:, None, :]
            K += risen + risen.transpose(0, 2, 1)
        diagonal += slot.d * a * a
    diagonal += ~where.filled
    return K


def _within_adjoint(slot: Slot, a: Array, by_K: Array, where: Cut) -> tuple[Slot, Array]:
    """Derivatives by what stands between a profile, and by the profile (B, m)."""
    found, by_a = Slot(), np.zeros_like(a)
    if isinstance(slot.v, np.ndarray) or slot.v:
        weighted = by_K * (a[:, :, None] * a[:, None, :])
        found.v = where.collapse(weighted) if isinstance(slot.v, np.ndarray) else float(weighted.sum())
        by_a += 2.0 * np.einsum("bij,bj->bi", by_K * where.expand(slot.v), a)
    if slot.d:
        main = np.einsum("bii->bi", by_K)
        found.d = float((main * a * a).sum())
        by_a += 2.0 * slot.d * main * a
    if slot.rise is not None:
        rise = where.blocked(slot.rise)
        product, risen = np.einsum("bij,bj->bi", by_K, a), np.einsum("bij,bj->bi", by_K, a * rise)
        found.rise = where.flat(2.0 * a * product)
        by_a += 2.0 * (rise * product + risen)
    return found, by_a
