"""The engine for one column whose cost grows with n."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import RELATIVE_JITTERS, NotPositiveDefinite, prior_variance
from autostatistician.inference.engines.exact import MOST_ROWS
from autostatistician.inference.engines.inducing.close import closely_conditioned
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.profiles import compiled, evaluate
from autostatistician.inference.engines.semiseparable.accuracies import (
    can_write,
    expected_columns,
    wanted,
)
from autostatistician.inference.engines.semiseparable.assembly import Assembly
from autostatistician.inference.engines.semiseparable.layout import laid_out
from autostatistician.inference.engines.semiseparable.objective import (
    ATTEMPTS,
    SemiseparableObjective,
    one_matrix_is_better,
)
from autostatistician.inference.engines.semiseparable.posterior import posterior_of
from autostatistician.inference.likelihoods.gaussian import Gaussian
from autostatistician.inference.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel, size

__all__ = ["Semiseparable"]

Array = NDArray[np.float64]

# Of value and gradient; measured by `benchmarks/long.py` beside those of one matrix.
SECONDS_PER_NUMBER, SECONDS_PER_ROW, SECONDS_PER_COLUMN, SECONDS_PER_PRODUCT = 1.5e-4, 1.2e-6, 3e-8, 6e-10
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
        """What n rows cost with the R columns that moderate parameters want; None where it cannot."""
        plain = isinstance(problem.likelihood, Gaussian) and problem.basis is None
        if not plain or problem.X.shape[1] != 1 or not can_write(expr):
            return None
        R = expected_columns(expr)
        for_row = SECONDS_PER_ROW + SECONDS_PER_COLUMN * R + SECONDS_PER_PRODUCT * R * R
        return SECONDS_PER_NUMBER * size(expr) + problem.n * for_row

    def objective(self, expr: Expr, problem: Problem) -> SemiseparableObjective:
        """The negative log marginal likelihood of an expression on one column."""
        return SemiseparableObjective(expr, problem)

    def condition(self, kernel: Kernel, problem: Problem) -> Posterior:
        """The posterior of a kernel: of one matrix where that is better, as for `SemiseparableObjective.at`.

        Of more rows than one matrix holds, by inducing points where these keep digits that exponential terms lose.

        Raises
        ------
        NotPositiveDefinite
            When a block cannot be factorised even with jitter.
        """
        if not np.isfinite(prior_variance(kernel, problem.X, problem.columns)).all():
            raise NotPositiveDefinite("the diagonal of the covariance is not finite")
        where = laid_out(problem.X[:, 0], with_lags=False)
        state = evaluate(compiled(kernel.expr), kernel.values, where.x[:, None], where, problem.columns, [], False)
        wants = wanted(state, where, least_noise=problem.least_noise)
        wants = replace(wants, shortest=0.0, longest=BEYOND * wants.longest)
        for finer, levels in ATTEMPTS:
            assembly = Assembly(kernel, problem, wants.finer(finer))
            if one_matrix_is_better(problem.n, assembly.columns, reached=assembly.reached):
                return LagSpace().condition(kernel, problem)
            posterior: Posterior | None = posterior_of(kernel, assembly, levels=levels)
            if problem.n > MOST_ROWS and (posterior is None or not assembly.reached):
                posterior = closely_conditioned(kernel, problem) or posterior
            if posterior is not None:
                return posterior
        raise NotPositiveDefinite(f"no factor with a jitter of {RELATIVE_JITTERS[-1]:g} of the mean variance")
