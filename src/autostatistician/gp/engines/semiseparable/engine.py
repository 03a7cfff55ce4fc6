"""The engine for one column whose cost grows with n."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import RELATIVE_JITTERS, NotPositiveDefinite, covariance, prior_variance
from autostatistician.gp.engines.exact import MOST_ROWS
from autostatistician.gp.engines.inducing import closely_conditioned
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.profiles import compiled, evaluate
from autostatistician.gp.engines.semiseparable.assembly import Assembly
from autostatistician.gp.engines.semiseparable.chain import FactoredChain, chained
from autostatistician.gp.engines.semiseparable.chain_reduction import ChainReduction
from autostatistician.gp.engines.semiseparable.exponentials import can_write, expected_columns, wanted
from autostatistician.gp.engines.semiseparable.layout import laid_out
from autostatistician.gp.engines.semiseparable.objective import ATTEMPTS, SemiseparableObjective, one_matrix_is_better
from autostatistician.gp.likelihoods import Gaussian
from autostatistician.gp.posterior import ColumnPrior, Functional, PartLevel, Posterior, Projection
from autostatistician.gp.posterior.functionals import places_of
from autostatistician.gp.posterior.posterior import left_out
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, size

__all__ = ["Semiseparable"]


Array = NDArray[np.float64]

MOST_ABOVE = 1e-3  # by which rounding may raise the share of noise in what is left of an observation

FEW_PLACES = 2000  # whose covariance is cheap

MOST_KEPT_NUMBERS = 2_000_000  # of the covariances of projections that are kept

# Of value and gradient; measured by `benchmarks/long.py` beside those of one matrix.
SECONDS_PER_NUMBER, SECONDS_PER_ROW, SECONDS_PER_COLUMN, SECONDS_PER_PRODUCT = 1.5e-4, 1.2e-6, 3e-8, 6e-10

BEYOND = 2.0  # the range of the data: so far values are asked for


class Semiseparable:
    """Inference on one column in time that grows with n; exact to about 0.05 nats.

    Examples
    --------
    >>> from autostatistician.kernels.text import parse
    >>> problem = Problem(np.arange(200.0), np.sin(np.arange(200.0)))
    >>> objective = Semiseparable().objective(parse("Matern12 + WN"), problem)
    >>> value, gradient = objective.value_and_gradient((5.0, 1.0, 0.5))
    >>> from autostatistician.gp.engines.lag_space import LagSpace
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


# --- The posterior of a kernel on one column, at a cost that grows with n -------------------------------------------


@dataclass(frozen=True, eq=False)
class SemiseparablePosterior(Posterior):
    """That of a kernel with normal noise, block by block; built by `posterior_of`.

    Observations stand before each other by their places. Sums of summands of the kernel cost what their values do;
    other parts, and places that are no points, take covariances with all observations.
    """

    kernel: Kernel
    problem: Problem
    chain: FactoredChain
    added: float  # jitter
    evaluated_by: ClassVar[tuple[str, ...]] = ("semiseparable", "Toeplitz")
    _known: dict[tuple[Kernel, bytes], Projection] = field(default_factory=dict, init=False, repr=False)

    @property
    def X(self) -> Array:  # type: ignore[override]
        """Inputs (n, 1) of the observations."""
        return self.problem.X

    @property
    def y(self) -> Array:  # type: ignore[override]
        """Targets (n,)."""
        return self.problem.y

    @property
    def jitter(self) -> float:
        """Variance that was added to keep the arithmetic stable."""
        return self.added

    @property
    def log_evidence(self) -> float:
        """The log marginal likelihood."""
        return -self.chain.nll

    @property
    def keeps_digits(self) -> bool:
        """Whether terms are as accurate as was wanted, and rounding leaves the variances of observations as they are.

        None of these given all other observations is below noise then.
        """
        if not self.chain.assembly.reached:
            return False
        noise = self.noise_variance() + self.jitter
        share = noise * self.chain.rows(self.chain.inverse_diagonal)
        return bool((share > 0.0).all() and (share < 1.0 + MOST_ABOVE).all())

    @property
    def innovation_sd(self) -> Array:
        """Standard deviations (n,) of predicting each observation from all before it."""
        return self.chain.rows(self.chain.innovation_sd)

    def project(self, part: Any, at: Functional | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, 1), other places, or the observations (None).

        What is known of few points is kept: a report asks for it again.
        """
        if not isinstance(at, np.ndarray) or len(at) ** 2 > MOST_KEPT_NUMBERS:
            return self._projected(part, at)
        key = part, at.tobytes()
        if key not in self._known:
            if sum(len(kept.mean) ** 2 for kept in self._known.values()) + len(at) ** 2 > MOST_KEPT_NUMBERS:
                self._known.clear()
            self._known[key] = self._projected(part, at)
        return self._known[key]

    def _projected(self, part: Any, at: Functional | Array | None) -> Projection:
        which = self.chain.assembly.find(part)
        if which is None or not (at is None or isinstance(at, np.ndarray)):
            return self._by_covariances(part, at)
        seen = ChainReduction(self.chain, part, None if at is None else np.asarray(at, dtype=np.float64)[:, 0], which)
        points = self.X if at is None else at
        return Projection(
            seen.mean(),
            lambda: prior_variance(part, points, self.columns),
            lambda: seen,
            lambda: covariance(part, points, None, self.columns),
        )

    def _by_covariances(self, part: Kernel, at: Functional | Array | None) -> Projection:
        """The same by the covariances (m, n) with all observations."""
        covariances = places_of(at).covariances(self._prior, part, self.X)
        return Projection.of(covariances, self._alpha, self.chain.half_solve)

    def level(self, part: Kernel) -> tuple[PartLevel, float]:
        """The mean of a part over the observations, and the largest prior variance of the part there."""
        which = self.chain.assembly.find(part)
        if which is None:
            cross = covariance(part, self.X, None, self.columns).mean(axis=0)
        else:
            everywhere = np.full((len(self.y), 1), 1.0 / len(self.y))
            cross = ChainReduction(self.chain, part, None, which).times(everywhere)[:, 0]
        return PartLevel(cross, float(cross.mean())), float(self.prior_variance(part, self.X).max(initial=0.0))

    def samples(self, at: Array | None, rng: np.random.Generator, *, count: int = 3) -> Array:
        """Joint draws (count, m) of the signal; at many places by Matheron's rule.

        A draw of function and observations from the prior becomes one from the posterior by what the observations say
        of their difference from those that were drawn (Journel and Huijbregts 1978; Wilson et al. 2020).
        """
        signal, places = self.halves[0], self.X if at is None else at
        which = None if signal is None else self.chain.assembly.find(signal)
        if signal is None or which is None or len(places) <= FEW_PLACES:
            return super().samples(at, rng, count=count)
        n, everywhere = len(self.y), self.X if at is None else np.vstack([self.X, at])
        drawn = self._prior_draws(signal, everywhere, rng, count)
        noise = np.sqrt(self.noise_variance() + self.jitter)[:, None] * rng.standard_normal((n, count))
        errors = self.chain.half_solve(self.y[:, None] - drawn[:n] - noise)
        news = ChainReduction(self.chain, signal, None if at is None else places[:, 0], which)
        return np.asarray((drawn[-len(places) :] + news.times(self.chain.back_solve(errors))).T)

    def _prior_draws(self, part: Kernel, X: Array, rng: np.random.Generator, count: int) -> Array:
        """Joint draws (m, count) of a part from its prior, with noise far below what can be seen."""
        problem = self.problem.elsewhere(X, np.zeros(len(X)))
        fitted = self.chain.assembly
        assembly = Assembly(part, problem, fitted.wanted, fitted.layout.inputs.shape[1])
        prior = posterior_of(part, assembly, levels=RELATIVE_JITTERS[1:])
        if prior is None:
            raise NotPositiveDefinite("no factor of the prior covariance of many places")
        return prior.chain.half_times(rng.standard_normal((len(X), count)))

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation given all others.

        Rasmussen and Williams 2006, equations 5.10 to 5.12.
        """
        return left_out(self.y, self._alpha, self.chain.rows(self.chain.inverse_diagonal))

    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised errors (count, n) of such predictions, for data drawn from the model: K^-1 L z is L'^-1 z."""
        solved = self.chain.back_solve(rng.standard_normal((len(self.y), count)))
        return np.asarray(solved.T / np.sqrt(self.chain.rows(self.chain.inverse_diagonal)))

    def whitened(self, values: Array) -> Array:
        """Values (n,) or (n, k) at the observations in units in which these are independent with variance one."""
        return self.chain.half_solve(values.reshape(len(values), -1)).reshape(values.shape)

    def innovations(self) -> Array:
        """Standardised errors (n,) of predicting each observation from all before it."""
        return self.chain.rows(self.chain.innovations)

    def given(self, problem: Problem, variances: Array | None = None) -> SemiseparablePosterior:
        """The same parameters, given other observations: with further variances (n,), or else the jitter of these."""
        variances = np.full(problem.n, self.jitter) if variances is None else variances
        fitted = self.chain.assembly
        assembly = Assembly(self.kernel, problem, fitted.wanted, fitted.layout.inputs.shape[1])
        posterior = posterior_of(self.kernel, assembly, variances)
        if posterior is None:
            raise NotPositiveDefinite("no factor of the covariance of other observations")
        return posterior

    @cached_property
    def _alpha(self) -> Array:
        """K^-1 y (n,)."""
        return self.chain.rows(self.chain.alpha)

    @property
    def _prior(self) -> ColumnPrior:
        return ColumnPrior(self.columns)


def posterior_of(
    kernel: Kernel, assembly: Assembly, variances: Array | None = None, levels: tuple[float, ...] = RELATIVE_JITTERS
) -> SemiseparablePosterior | None:
    """A kernel conditioned on the observations of its assembly, which may have further variances (n,).

    None where a block cannot be factorised even with the last of some levels of jitter.
    """
    problem = assembly.problem
    noise = np.zeros(problem.n) if problem.noise is None else problem.noise
    noise = noise if variances is None else noise + variances
    scale = float(np.mean(prior_variance(kernel, problem.X, problem.columns) + noise))
    for level in levels:
        chain = chained(assembly, assembly.layout.in_blocks(noise + level * scale))
        if chain is not None:
            return SemiseparablePosterior(kernel, problem, chain, level * scale)
    return None
