"""The engine for one column whose cost grows with n: the misfit of an expression and its gradient."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import prior_variance
from autostatistician.inference.engines.exact import MOST_ROWS, ExactObjective
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.profiles import compiled, evaluate
from autostatistician.inference.engines.semiseparable.assembly import Assembly
from autostatistician.inference.engines.semiseparable.at_numbers import AtNumbers
from autostatistician.inference.engines.semiseparable.between import between
from autostatistician.inference.engines.semiseparable.cut import BLOCK, cut
from autostatistician.inference.engines.semiseparable.orders import (
    can_write,
    expected_columns,
    wanted,
)
from autostatistician.inference.engines.semiseparable.posterior import posterior_of
from autostatistician.inference.engines.semiseparable.recursion import Pass, backward, forward
from autostatistician.inference.factor import RELATIVE_JITTERS, NotPositiveDefinite
from autostatistician.inference.likelihoods.gaussian import Gaussian
from autostatistician.inference.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel, size

__all__ = ["Semiseparable", "SemiseparableObjective"]

Array = NDArray[np.float64]

FINER = 1e3  # times as accurate, where blocks are not positive definite
FEW_COLUMNS, COLUMNS_PER_ROW = 20, 0.2  # with more than both, one matrix costs less
# Of value and gradient; measured by `benchmarks/long.py` beside those of one matrix.
SECONDS_PER_NUMBER, SECONDS_PER_ROW, SECONDS_PER_COLUMN, SECONDS_PER_PRODUCT = 1.5e-4, 1.2e-6, 3e-8, 6e-10
_ATTEMPTS = ((1.0, RELATIVE_JITTERS[:1]), (FINER, RELATIVE_JITTERS))
BEYOND = 2.0  # the range of the data: so far values are asked for


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
        """What n rows cost with the R columns that moderate numbers want; None where it cannot."""
        plain = isinstance(problem.likelihood, Gaussian) and problem.basis is None
        if not plain or problem.X.shape[1] != 1 or not can_write(expr):
            return None
        R = expected_columns(expr)
        for_row = SECONDS_PER_ROW + SECONDS_PER_COLUMN * R + SECONDS_PER_PRODUCT * R * R
        return SECONDS_PER_NUMBER * size(expr) + problem.n * for_row

    def objective(self, expr: Expr, problem: Problem) -> SemiseparableObjective:
        """The misfit of an expression on one column."""
        return SemiseparableObjective(expr, problem)

    def condition(self, kernel: Kernel, problem: Problem) -> Posterior:
        """The posterior of a kernel: of one matrix where that is better, as for `SemiseparableObjective.at`.

        Raises
        ------
        NotPositiveDefinite
            When a block cannot be factorised even with jitter.
        """
        if not np.isfinite(prior_variance(kernel, problem.X, problem.columns)).all():
            raise NotPositiveDefinite("the diagonal of the covariance is not finite")
        where = cut(problem.X[:, 0], with_lags=False)
        state = evaluate(compiled(kernel.expr), kernel.values, where.x[:, None], where, problem.columns, [], False)
        wants = wanted(state, where)
        wants = replace(wants, shortest=0.0, longest=BEYOND * wants.longest)
        for finer, levels in _ATTEMPTS:
            assembly = Assembly(kernel, problem, wants.finer(finer))
            if _one_matrix_is_better(problem.n, assembly.columns, reached=assembly.reached):
                return LagSpace().condition(kernel, problem)
            found = posterior_of(kernel, assembly, levels=levels)
            if found is not None:
                return found
        raise NotPositiveDefinite(f"no factor with a jitter of {RELATIVE_JITTERS[-1]:g} of the mean variance")


def _one_matrix_is_better(n: int, columns: int, *, reached: bool) -> bool:
    """Whether waves are not accurate enough, or too many, where one matrix bears all rows."""
    return n <= MOST_ROWS and (columns > max(FEW_COLUMNS, COLUMNS_PER_ROW * n) or not reached)


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
        found = self._passed(values, with_gradient=False)
        return found.value(values) if isinstance(found, ExactObjective) else inf if found is None else found[1].nll

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """Value and gradient (p,), by the logarithm of positive numbers, by others as they are."""
        self.evaluations += 1
        found = self._passed(values)
        if isinstance(found, ExactObjective):
            return found.value_and_gradient(values)
        if found is None:
            return inf, np.zeros(len(values))
        at, passed = found
        return passed.nll, at.gradient(backward(at.blocks, passed))

    @cached_property
    def dense(self) -> ExactObjective:
        """The misfit by one matrix."""
        return LagSpace().objective(self.expr, self.problem)

    def renewed(self, values: tuple[float, ...]) -> None:
        """Nothing is chosen."""

    def at(self, values: tuple[float, ...], *, with_gradient: bool = True, finer: float = 1.0) -> AtNumbers | None:
        """The expression at some numbers, as accurate as its noise wants it; None where one matrix does it better.

        That is where so little noise is left that waves are not accurate enough, and where they would be too many.
        """
        x = self.cut.x[:, None]
        state = evaluate(self.root, values, x, self.cut, self.problem.columns, self.pool, with_gradient)
        with np.errstate(over="ignore", invalid="ignore"):  # of numbers that overflow
            waves = between(self.expr, values, self.cut.x, wanted(state, self.cut).finer(finer))
        if _one_matrix_is_better(self.problem.n, waves.columns, reached=waves.reached):
            return None
        return AtNumbers.of(state, waves, self.cut, self.y)

    def _passed(
        self, values: tuple[float, ...], *, with_gradient: bool = True
    ) -> tuple[AtNumbers, Pass] | ExactObjective | None:
        """What the way there finds, or the one matrix to be asked instead; None where there is no value.

        What is not positive definite becomes more accurate, and only then gets more noise.
        """
        for finer, levels in _ATTEMPTS:
            at = self.at(values, with_gradient=with_gradient, finer=finer)
            if at is None:
                return self.dense
            if not all(np.isfinite(one).all() for one in (at.blocks.K, at.blocks.U, at.blocks.V)):
                return None
            diagonal = np.einsum("bii->bi", at.blocks.K)
            before = diagonal.copy()
            for level in levels:
                if level:
                    diagonal[...] = before + level * float(before[self.cut.filled].mean())
                passed = forward(at.blocks, self.problem.n, way_back=with_gradient)
                if passed is not None:
                    return at, passed
        return None
