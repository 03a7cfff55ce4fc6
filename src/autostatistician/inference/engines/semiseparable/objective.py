"""The misfit of an expression on one column and its gradient, at a cost that grows with n."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import RELATIVE_JITTERS
from autostatistician.inference.engines.exact import MOST_ROWS, ExactObjective
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.profiles import Evaluation, compiled, evaluate
from autostatistician.inference.engines.semiseparable.at_numbers import AtNumbers, needs_of
from autostatistician.inference.engines.semiseparable.between import Between, between
from autostatistician.inference.engines.semiseparable.cut import BLOCK, Cut, cut
from autostatistician.inference.engines.semiseparable.orders import PLACES, expected_columns, wanted
from autostatistician.inference.engines.semiseparable.runs import Mask, RunsPass, backward_in_runs, forward_in_runs
from autostatistician.inference.engines.semiseparable.waves import WaveAdjoint
from autostatistician.inference.engines.terms import Profile
from autostatistician.inference.engines.toeplitz.form import cells_of
from autostatistician.inference.engines.toeplitz.objective import ToeplitzObjective
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr

__all__ = ["ATTEMPTS", "SemiseparableObjective", "one_matrix_is_better"]

Array = NDArray[np.float64]

NUMBERS_AT_ONCE = 40_000_000  # held of the blocks of a section
FINER = 1e3  # times as accurate, where blocks are not positive definite
ATTEMPTS = ((1.0, RELATIVE_JITTERS[:1]), (FINER, RELATIVE_JITTERS))
MOST_OFF_TRACE = 1e-5  # a part of n: beyond it a gradient may be off by a hundredth through rounding alone
FEW_COLUMNS, COLUMNS_PER_ROW = 20, 0.2  # with more than both, one matrix costs less


def one_matrix_is_better(n: int, columns: int, *, reached: bool) -> bool:
    """Whether waves are not accurate enough, or too many, where one matrix bears all rows.

    >>> one_matrix_is_better(1000, 50, reached=True), one_matrix_is_better(1000, 500, reached=True)
    (False, True)
    """
    return n <= MOST_ROWS and (columns > max(FEW_COLUMNS, COLUMNS_PER_ROW * n) or not reached)


@dataclass(slots=True)
class _There:
    """The way there: what was known before each section, and the last section itself."""

    nll: float
    waves: Between
    level: float
    needs: dict[Profile, Mask]  # which blocks need which columns
    sections: list[slice]
    starts: list[Array | None]
    last: tuple[AtNumbers, RunsPass] | None
    misfit: float = 0.0  # y' K^-1 y

    @property
    def is_accurate(self) -> bool:
        """Whether waves are as accurate as is wanted, without noise that was added."""
        return self.waves.reached and self.level == 0.0


class SemiseparableObjective:
    """The negative log marginal likelihood of one expression; of many rows some blocks at a time.

    With so little noise that waves or the way back lose digits, another engine that keeps them is asked, if one does.
    """

    def __init__(self, expr: Expr, problem: Problem, block: int = BLOCK, at_once: int = NUMBERS_AT_ONCE) -> None:
        self.expr, self.problem, self.at_once = expr, problem, at_once
        self.root = compiled(expr)
        self.cut = cut(problem.X[:, 0], block, with_lags=self._sections_of(expected_columns(expr), block) == 1)
        self.y = self.cut.blocked(problem.y[self.cut.order])
        self.pool: list[Array] = []
        self.evaluations = 0

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some numbers; infinite where there is none."""
        self.evaluations += 1
        found = next(self._found(values, with_gradient=False), None)
        if isinstance(found, ExactObjective):
            return found.value(values)
        if found is not None and found.is_accurate:
            return found.nll
        on_grid = self._on_grid(values, with_gradient=False)
        return on_grid[0] if on_grid else inf if found is None else found.nll

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient (p,), by the logarithm of positive numbers, by others as they are."""
        self.evaluations += 1
        for found in self._found(values, with_gradient=True):
            if isinstance(found, ExactObjective):
                return found.value_and_gradient(values)
            with np.errstate(over="ignore", invalid="ignore"):  # almost without noise
                gradient, trace_error = self._gradient(values, found)
            keeps_digits = trace_error < MOST_OFF_TRACE
            if found.is_accurate and keeps_digits:
                return found.nll, gradient
            if on_grid := self._on_grid(values, with_gradient=True):
                return on_grid
            if not keeps_digits and self.problem.n <= MOST_ROWS:
                return self.dense.value_and_gradient(values)
            if np.isfinite(gradient).all():
                return found.nll, gradient
        return inf, np.zeros(len(values))

    def columns(self, values: tuple[float, ...]) -> int:
        """How many columns stand between blocks at some numbers; none where one matrix is better."""
        found = self._waves(values, 1.0, with_gradient=False)
        return 0 if found is None else found[0].columns

    @cached_property
    def dense(self) -> ExactObjective:
        """The misfit by one matrix."""
        return LagSpace().objective(self.expr, self.problem)

    @cached_property
    def by_lags(self) -> ToeplitzObjective | None:
        """The misfit by lags, of rows on a grid and what is stationary."""
        cells = cells_of(self.expr, self.problem)
        return None if cells is None else ToeplitzObjective(self.expr, self.problem, *cells, LagSpace())

    def _on_grid(self, values: tuple[float, ...], *, with_gradient: bool) -> tuple[float, Array] | None:
        """Value and gradient by lags; None where rows or expression have another form, or rounding spoils them, too."""
        return None if self.by_lags is None else self.by_lags.exact(values, with_gradient=with_gradient)

    def renewed(self, values: tuple[float, ...]) -> None:
        """Nothing is chosen."""

    def at(self, values: tuple[float, ...]) -> AtNumbers | None:
        """The expression at some numbers, all blocks at once; None where one matrix does it better.

        That is where so little noise is left that waves are not accurate enough, and where they would be too many.
        """
        found = self._waves(values, 1.0, with_gradient=True)
        return None if found is None else AtNumbers.of(found[1], found[0], self.cut, self.y)

    def _waves(
        self, values: tuple[float, ...], finer: float, *, with_gradient: bool
    ) -> tuple[Between, Evaluation] | None:
        """The waves, and the evaluation that says how accurate they must be."""
        n, where = self.problem.n, self.cut
        if not where.has_lags:
            some = np.linspace(0.0, n - 1.0, PLACES).astype(np.intp)
            where = where.seen_from(np.zeros(len(some), dtype=np.intp), where.x[some])
        state = self._evaluated(values, where, with_gradient=with_gradient)
        wants = replace(wanted(state, where, n).finer(finer), shortest=self.cut.shortest)
        with np.errstate(over="ignore", invalid="ignore"):  # of numbers that overflow
            waves = between(self.expr, values, self.cut.x, wants)
        return None if one_matrix_is_better(n, waves.columns, reached=waves.reached) else (waves, state)

    def _evaluated(self, values: tuple[float, ...], where: Cut, *, with_gradient: bool) -> Evaluation:
        """At the places of a cut; before those of a part stand the ends of all, which give walks their size."""
        X, sized = (where.x, None) if where is self.cut else (np.concatenate([self.cut.x[[0, -1]], where.x]), 2)
        columns = self.problem.columns
        return evaluate(self.root, values, X[:, None], where, columns, self.pool, with_gradient, sized=sized)

    def _found(self, values: tuple[float, ...], *, with_gradient: bool) -> Iterator[_There | ExactObjective]:
        """What the way there finds, or the one matrix to be asked instead, until something serves.

        What is not positive definite becomes more accurate, and only then gets more noise.
        """
        for finer, levels in ATTEMPTS:
            for level in levels:
                known = self._waves(values, finer, with_gradient=with_gradient)
                if known is None:
                    yield self.dense
                    return
                found = self._there(values, *known, level, with_gradient)
                if found is not None:
                    yield found

    def _there(
        self, values: tuple[float, ...], waves: Between, state: Evaluation, level: float, with_gradient: bool
    ) -> _There | None:
        """The way there, for some noise more (a part of the mean variance); None where it is not positive definite."""
        B, m = self.cut.places.shape
        count = self._sections_of(waves.columns, m)
        edges = [0, B] if self.cut.has_lags else np.linspace(0, B, count + 1).astype(int).tolist()
        needs = needs_of(
            state if self.cut.has_lags else self._evaluated(values, self.cut, with_gradient=False), self.cut
        )
        found = _There(0.0, waves, level, needs, [slice(*pair) for pair in pairwise(edges)], [], None)
        known = None
        for section in found.sections:
            found.starts.append(known)
            if not self.cut.has_lags:
                found.last = None
                part = self.cut.part(section)
                state = self._evaluated(values, part, with_gradient=with_gradient)
            found.last = self._section(found, state, section, way_back=with_gradient)
            if found.last is None:
                return None
            _, passed = found.last
            found.nll += passed.nll - (0.0 if known is None else 0.5 * float(known[-1, -1]))
            known = passed.end.copy()
            found.misfit = float(known[-1, -1])
        return found

    def _section(
        self, found: _There, state: Evaluation, section: slice, *, way_back: bool
    ) -> tuple[AtNumbers, RunsPass] | None:
        """The way there through some blocks."""
        where = self.cut if self.cut.has_lags else self.cut.part(section)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is told below
            at = AtNumbers.of(state, found.waves, where, self.y[section])
            if not np.isfinite(at.blocks.K.sum() + at.blocks.U.sum() + at.blocks.V.sum()):
                return None
        if found.level:
            diagonal = np.einsum("bii->bi", at.blocks.K)
            diagonal += found.level * float(diagonal[where.filled].mean())
        index = found.sections.index(section)
        runs = at.runs({key: need[section] for key, need in found.needs.items()})
        passed = forward_in_runs(at.blocks, runs, len(where.x), way_back=way_back, start=found.starts[index])
        return None if passed is None else (at, passed)

    def _gradient(self, values: tuple[float, ...], found: _There) -> tuple[Array, float]:
        """The derivatives (p,), the last section first, and how far off n the trace of ``K^-1 K`` is (a part of n).

        That is known from the derivative by the size of all of K, ``(tr K^-1 K - y' K^-1 y) / 2``.
        """
        gradient, ahead, by_size = np.zeros(len(values)), None, 0.0
        through: dict[Profile, WaveAdjoint] = {}
        for section in reversed(found.sections):
            if found.last is None:
                state = self._evaluated(values, self.cut.part(section), with_gradient=True)
                found.last = self._section(found, state, section, way_back=True)
            assert found.last is not None  # it was before
            at, passed = found.last
            by = backward_in_runs(at.blocks, passed, ahead)
            own, by_waves = at.gradient(by)
            by_size += float(np.einsum("bij,bij->", by.K, at.blocks.K))
            by_size += float(np.einsum("bij,bij->", by.V[..., :-1], at.blocks.V[..., :-1]))
            gradient, ahead, found.last = gradient + own, by.before, None
            through = {key: through[key] + one if key in through else one for key, one in by_waves.items()}
        n = self.problem.n
        return gradient + found.waves.backward(through), abs(2.0 * by_size + found.misfit - n) / n

    def _sections_of(self, columns: int, m: int) -> int:
        """In how many sections blocks are held."""
        return -(-self.problem.n * (4 * m + 11 * columns + columns**2 // m) // self.at_once)
