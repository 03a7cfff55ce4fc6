"""The negative log marginal likelihood of an expression on one column and its gradient, at a cost that grows with n."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import RELATIVE_JITTERS
from autostatistician.gp.engines.exact import MOST_ROWS, ExactObjective, Objective
from autostatistician.gp.engines.inducing import CloseObjective
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.profiles import Evaluation, Profile, compiled, evaluate
from autostatistician.gp.engines.semiseparable.assembly import AtParameters, needs_of
from autostatistician.gp.engines.semiseparable.exponential_terms import Between, between
from autostatistician.gp.engines.semiseparable.exponentials import (
    COMPARED,
    ExponentialsAdjoint,
    expected_columns,
    wanted,
)
from autostatistician.gp.engines.semiseparable.layout import BLOCK, BlockLayout, laid_out
from autostatistician.gp.engines.semiseparable.recursion import Mask, RunsPass, backward_in_runs, forward_in_runs
from autostatistician.gp.engines.toeplitz import ToeplitzObjective, cells_of
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr

__all__ = ["ATTEMPTS", "SemiseparableObjective", "one_matrix_is_better"]

Array = NDArray[np.float64]

NUMBERS_AT_ONCE = 40_000_000  # held of the blocks of a section
FINER = 1e3  # times as accurate, where blocks are not positive definite
ATTEMPTS = ((1.0, RELATIVE_JITTERS[:1]), (FINER, RELATIVE_JITTERS))
MOST_OFF_TRACE = 1e-5  # a part of n: beyond it a gradient may be off by a hundredth through rounding alone
FEW_COLUMNS, COLUMNS_PER_ROW = 20, 0.2  # with more than both, one matrix costs less


def one_matrix_is_better(n: int, columns: int, *, reached: bool) -> bool:
    """Whether exponential terms are not accurate enough, or too many, where one matrix bears all rows.

    >>> one_matrix_is_better(1000, 50, reached=True), one_matrix_is_better(1000, 500, reached=True)
    (False, True)
    """
    return n <= MOST_ROWS and (columns > max(FEW_COLUMNS, COLUMNS_PER_ROW * n) or not reached)


@dataclass(slots=True)
class _There:
    """The way there: what was known before each section, and the last section itself."""

    nll: float
    exponentials: Between
    level: float
    needs: dict[Profile, Mask]  # which blocks need which columns
    sections: list[slice]
    starts: list[Array | None]
    last: tuple[AtParameters, RunsPass] | None
    misfit: float = 0.0  # y' K^-1 y

    @property
    def is_accurate(self) -> bool:
        """Whether exponential terms are as accurate as is wanted, without noise that was added."""
        return self.exponentials.reached and self.level == 0.0


class SemiseparableObjective(Objective):
    """The negative log marginal likelihood of one expression; of many rows some blocks at a time.

    With so little noise that terms or the way back lose digits, another engine that keeps them is asked, if one does.
    """

    def __init__(self, expr: Expr, problem: Problem, block: int = BLOCK, at_once: int = NUMBERS_AT_ONCE) -> None:
        self.expr, self.problem, self.at_once = expr, problem, at_once
        self.root = compiled(expr)
        self.layout = laid_out(problem.X[:, 0], block, with_lags=self._sections_of(expected_columns(expr), block) == 1)
        self.y = self.layout.in_blocks(problem.y)
        self.noise = None if problem.noise is None else self.layout.in_blocks(problem.noise)
        self.pool: list[Array] = []
        self.is_sure = True  # whether what was given last is as accurate as was wanted

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some parameters; infinite where there is none."""
        self.evaluations += 1
        self.is_sure = True
        there = next(self._found(values, with_gradient=False), None)
        if isinstance(there, ExactObjective):
            return there.value(values)
        if there is not None and there.is_accurate:
            return there.nll
        if other := self._by_another(values, with_gradient=False):
            return other[0]
        self.is_sure = False
        return inf if there is None else there.nll

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient (p,), by the logarithm of positive parameters, by others as they are."""
        self.evaluations += 1
        self.is_sure = True
        for there in self._found(values, with_gradient=True):
            if isinstance(there, ExactObjective):
                return there.value_and_gradient(values)
            with np.errstate(over="ignore", invalid="ignore"):  # almost without noise
                gradient, trace_error = self._gradient(values, there)
            keeps_digits = trace_error < MOST_OFF_TRACE
            if there.is_accurate and keeps_digits:
                return there.nll, gradient
            if other := self._by_another(values, with_gradient=True):
                return other
            if not keeps_digits and self.problem.n <= MOST_ROWS:
                return self.dense.value_and_gradient(values)
            if np.isfinite(gradient).all():
                self.is_sure = False
                return there.nll, gradient
        return inf, np.zeros(len(values))

    def columns(self, values: tuple[float, ...]) -> int:
        """How many columns stand between blocks at some parameters; none where one matrix is better."""
        terms = self._exponentials(values, 1.0, with_gradient=False)
        return 0 if terms is None else terms[0].columns

    @cached_property
    def dense(self) -> ExactObjective:
        """The misfit by one matrix."""
        return LagSpace().objective(self.expr, self.problem)

    @cached_property
    def by_lags(self) -> ToeplitzObjective | None:
        """The misfit by lags, of rows on a grid and what is stationary."""
        cells = cells_of(self.expr, self.problem)
        return None if cells is None else ToeplitzObjective(self.expr, self.problem, *cells, LagSpace())

    @cached_property
    def by_points(self) -> CloseObjective:
        """The misfit by rows that stand for all, of a smooth function."""
        return CloseObjective(self.expr, self.problem)

    def _by_another(self, values: tuple[float, ...], *, with_gradient: bool) -> tuple[float, Array] | None:
        """Value and gradient by lags, or by inducing points of more rows than one matrix holds; None where none can."""
        by_lags = None if self.by_lags is None else self.by_lags.exact(values, with_gradient=with_gradient)
        if by_lags is not None or self.problem.n <= MOST_ROWS:
            return by_lags
        if with_gradient:
            value, gradient = self.by_points.value_and_gradient(values)
        else:
            value, gradient = self.by_points.value(values), np.zeros(len(values))
        return (value, gradient) if np.isfinite(value) else None

    def at(self, values: tuple[float, ...]) -> AtParameters | None:
        """The expression at some parameters, all blocks at once; None where one matrix does it better.

        That is where so little noise is left that terms are not accurate enough, and where they would be too many.
        """
        terms = self._exponentials(values, 1.0, with_gradient=True)
        return None if terms is None else AtParameters.of(terms[1], terms[0], self.layout, self.y)

    def _exponentials(
        self, values: tuple[float, ...], finer: float, *, with_gradient: bool
    ) -> tuple[Between, Evaluation] | None:
        """The exponential terms, and the evaluation that says how accurate they must be."""
        n, where = self.problem.n, self.layout
        if not where.has_lags:
            some = np.linspace(0.0, n - 1.0, COMPARED).astype(np.intp)
            where = where.seen_from(np.zeros(len(some), dtype=np.intp), where.x[some])
        state = self._evaluated(values, where, with_gradient=with_gradient)
        wants = wanted(state, where, n, least_noise=self.problem.least_noise)
        wants = replace(wants.finer(finer), shortest=self.layout.shortest)
        with np.errstate(over="ignore", invalid="ignore"):  # of parameters that overflow
            exponentials = between(self.expr, state, self.layout.x, wants)
        is_better = one_matrix_is_better(n, exponentials.columns, reached=exponentials.reached)
        return None if is_better else (exponentials, state)

    def _evaluated(self, values: tuple[float, ...], where: BlockLayout, *, with_gradient: bool) -> Evaluation:
        """At the inputs of a layout; before those of a part stand the ends of all, which give walks their size."""
        X, sized = (where.x, None) if where is self.layout else (np.concatenate([self.layout.x[[0, -1]], where.x]), 2)
        columns = self.problem.columns
        return evaluate(self.root, values, X[:, None], where, columns, self.pool, with_gradient, sized=sized)

    def _found(self, values: tuple[float, ...], *, with_gradient: bool) -> Iterator[_There | ExactObjective]:
        """What the way there finds, or the one matrix to be asked instead, until something serves.

        What is not positive definite becomes more accurate, and only then gets more noise.
        """
        for finer, levels in ATTEMPTS:
            for level in levels:
                terms = self._exponentials(values, finer, with_gradient=with_gradient)
                if terms is None:
                    yield self.dense
                    return
                there = self._there(values, *terms, level, with_gradient)
                if there is not None:
                    yield there

    def _there(
        self, values: tuple[float, ...], exponentials: Between, state: Evaluation, level: float, with_gradient: bool
    ) -> _There | None:
        """The way there, for some noise more (a part of the mean variance); None where it is not positive definite."""
        B, m = self.layout.inputs.shape
        count = self._sections_of(exponentials.columns, m)
        edges = [0, B] if self.layout.has_lags else np.linspace(0, B, count + 1).astype(int).tolist()
        needs = needs_of(
            state if self.layout.has_lags else self._evaluated(values, self.layout, with_gradient=False), self.layout
        )
        there = _There(0.0, exponentials, level, needs, [slice(*pair) for pair in pairwise(edges)], [], None)
        start = None
        for section in there.sections:
            there.starts.append(start)
            if not self.layout.has_lags:
                there.last = None
                part = self.layout.part(section)
                state = self._evaluated(values, part, with_gradient=with_gradient)
            there.last = self._section(there, state, section, way_back=with_gradient)
            if there.last is None:
                return None
            _, passed = there.last
            there.nll += passed.nll - (0.0 if start is None else 0.5 * float(start[-1, -1]))
            start = passed.end.copy()
            there.misfit = float(start[-1, -1])
        return there

    def _section(
        self, there: _There, state: Evaluation, section: slice, *, way_back: bool
    ) -> tuple[AtParameters, RunsPass] | None:
        """The way there through some blocks."""
        where = self.layout if self.layout.has_lags else self.layout.part(section)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is told below
            at = AtParameters.of(state, there.exponentials, where, self.y[section])
            if not np.isfinite(at.blocks.K.sum() + at.blocks.U.sum() + at.blocks.V.sum()):
                return None
        diagonal = np.einsum("bii->bi", at.blocks.K)
        if self.noise is not None:
            diagonal += self.noise[section]
        if there.level:
            diagonal += there.level * float(diagonal[where.filled].mean())
        index = there.sections.index(section)
        runs = at.runs({key: need[section] for key, need in there.needs.items()})
        passed = forward_in_runs(at.blocks, runs, len(where.x), way_back=way_back, start=there.starts[index])
        return None if passed is None else (at, passed)

    def _gradient(self, values: tuple[float, ...], there: _There) -> tuple[Array, float]:
        """The derivatives (p,), the last section first, and how far off n the trace of ``K^-1 K`` is (a part of n).

        That is known from the derivative by the size of all of K, ``(tr K^-1 K - y' K^-1 y) / 2``.
        """
        gradient, ahead, by_size = np.zeros(len(values)), None, 0.0
        through: dict[Profile, ExponentialsAdjoint] = {}
        for section in reversed(there.sections):
            if there.last is None:
                state = self._evaluated(values, self.layout.part(section), with_gradient=True)
                there.last = self._section(there, state, section, way_back=True)
            assert there.last is not None  # it was before
            at, passed = there.last
            by = backward_in_runs(at.blocks, passed, ahead)
            share, by_terms = at.gradient(by)
            by_size += float(np.einsum("bij,bij->", by.K, at.blocks.K))
            by_size += float(np.einsum("bij,bij->", by.V[..., :-1], at.blocks.V[..., :-1]))
            gradient, ahead, there.last = gradient + share, by.before, None
            through = {key: through[key] + adjoint if key in through else adjoint for key, adjoint in by_terms.items()}
        n = self.problem.n
        return gradient + there.exponentials.backward(through), abs(2.0 * by_size + there.misfit - n) / n

    def _sections_of(self, columns: int, m: int) -> int:
        """In how many sections blocks are held."""
        return -(-self.problem.n * (4 * m + 11 * columns + columns**2 // m) // self.at_once)
