"""The evidence of an expression, its parameters integrated out around their optimum (Laplace's method)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf, isfinite, log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtri

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.parameters import FreeParameters, Scales
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import StackedObjective, is_stackable
from autostatistician.inference.uncertainty.curvature import Curvature, at_widths, curvature
from autostatistician.inference.uncertainty.sums import log_over_held, log_over_places, places_of_changes
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel

__all__ = ["MOST_ROWS", "determined_parameters", "log_evidence", "refined_log_evidence"]

Array = NDArray[np.float64]

# Of the curvature of the log posterior, in units of that of the prior: a posterior is hardly wider than its prior.
LEAST_CURVATURE = 0.3
# A parameter is never taken to be known less well than to half its prior: where data are silent about it, that is
# because it lies on one side, as does the scale of a part that is not there. Parts without effect thus cost something.
LEAST_CHARGE = log(2.0)
MOST_ROWS = 300  # of models that are looked at more closely
# Of an importance sampling around the optimum: draws, and the widening of variances and the tails of its guide.
DRAWS, WIDENING, DEGREES_OF_FREEDOM = 64, 1.4, 5
# No mean of likelihoods exceeds the largest one, to which a fit comes so near, in nats. That of exact data need not:
# there noise below its floor would count.
MOST_ABOVE_FIT = 3.0


def log_evidence(kernel: Kernel, nll: float, problem: Problem, scales: Scales) -> float:
    """The log evidence of the structure of a fitted kernel, its parameters integrated out.

    Around the optimum the negative log likelihood is replaced by its quadratic approximation, whose product with
    the normal prior (see `ParameterPrior`) is integrated exactly. With eigenvalues l_i of the Hessian in coordinates of
    unit prior width, and the optimum at z_i along its eigenvectors, the result is
    ``-nll - sum(log(1 + l_i) + z_i^2 l_i / (1 + l_i)) / 2``: the usual Laplace approximation where data say much
    (l_i large). The first term is at least log 2 per parameter, also for parameters held at a bound.

    Parameters
    ----------
    kernel : Kernel
        A fitted kernel.
    nll : float
        Its negative log marginal likelihood.
    problem : Problem
        The data of the fit.
    scales : Scales
        The scales of these data, in the same units.

    Examples
    --------
    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    >>> round(-log_evidence(leaf("WN", sd=1.0), 5.6758, problem, scales), 3)  # log(33) / 2 more
    7.424
    """
    if not isfinite(nll):
        return -inf
    around = curvature(kernel, problem, scales, one_sided=True)
    return -nll - _integrated(around, learned=scales.priors is not None)


def _integrated(around: Curvature, *, learned: bool) -> float:
    """What integration takes from the log likelihood of the fitted parameters."""
    if learned:
        return _around_the_most_probable(around)
    values, axes = around.axes()
    offset = axes.T @ around.place
    confined = float(np.maximum(0.5 * np.log1p(values), LEAST_CHARGE).sum()) + LEAST_CHARGE * around.held
    return confined + 0.5 * float(np.sum(offset**2 * values / (1.0 + values)))


def _around_the_most_probable(around: Curvature) -> float:
    """What integration takes from the log likelihood at the most probable parameters (Laplace's method)."""
    sharpness = np.maximum(np.linalg.eigvalsh(around.hessian) + 1.0, LEAST_CURVATURE)
    return 0.5 * float(np.log(sharpness).sum() + around.place @ around.place) + LEAST_CHARGE * around.held


def refined_log_evidence(kernel: Kernel, nll: float, problem: Problem, scales: Scales) -> float:
    """The log evidence under learned priors with more evaluations, for models that are compared in the end.

    Parameters of which derivatives say nothing are summed over (see `sums`). Around all others the posterior need
    not be normal: the quadratic approximation, somewhat widened, is the guide of an importance sampling with few
    draws that fill the space evenly and are the same for all models of so many parameters. That finds what is pressed
    to one side, as is the scale of a part which is hardly there; other optima far away it does not. With many rows
    (`MOST_ROWS`) the posterior is nearly normal and evaluations are dear: then it is `log_evidence`.
    """
    if not isfinite(nll) or problem.n > MOST_ROWS:
        return log_evidence(kernel, nll, problem, scales)
    around = curvature(kernel, problem, scales)
    kernel, objective = around.kernel, objective_of(around.kernel.expr, problem)
    priors = FreeParameters.of(kernel.expr, scales).priors(kernel.values)
    changes = places_of_changes(kernel, priors)
    apart = {prior.index for parameters in changes for prior in parameters}
    held = [prior for prior in priors if prior not in around.free and prior.index not in apart]
    beside = sum(log_over_places(parameters, kernel, problem, objective) for parameters in changes)
    beside += sum(log_over_held(prior, kernel, objective) for prior in held)
    return -nll + min(_log_over_rest(around, apart, problem, nll) + beside, MOST_ABOVE_FIT)


def _log_over_rest(around: Curvature, apart: set[int], problem: Problem, nll: float) -> float:
    """The log integral of the likelihood over the parameters not taken apart, relative to that of the fitted ones."""
    rest = np.array([prior.index not in apart for prior in around.free], dtype=bool)
    if not rest.any():
        return 0.0
    curvatures, axes = np.linalg.eigh(around.hessian[np.ix_(rest, rest)])
    widths = np.sqrt(WIDENING / np.maximum(curvatures + 1.0, LEAST_CURVATURE))
    steps, densities = _guide_draws(len(widths))
    places = np.tile(around.place, (len(steps), 1))
    places[:, rest] += (steps * widths) @ axes.T
    values = [at_widths(around.kernel, around.free, place).values for place in places]
    gains = nll - _values_at(values, around.kernel.expr, problem)
    logs = gains - densities - 0.5 * np.sum(places[:, rest] ** 2, axis=1)
    usable = np.where(np.isfinite(gains), logs, -inf)
    return float(logsumexp(usable) - log(len(steps)) + np.log(widths).sum()) - 0.5 * len(widths) * log(2.0 * pi)


def _values_at(values: Sequence[tuple[float, ...]], expr: Expr, problem: Problem) -> Array:
    """The negative log likelihoods at several parameters."""
    if is_stackable(expr, problem):
        return StackedObjective(expr, problem).value(np.array(values))
    objective = objective_of(expr, problem)
    return np.array([objective.value(each) for each in values])


@lru_cache(maxsize=64)
def _guide_draws(size: int) -> tuple[Array, Array]:
    """Draws (`DRAWS`, size) of a Student t that fill the space evenly (Sobol' 1967), and their log densities.

    The tails of a normal guide are too light: where the posterior is lopsided, a single draw would outweigh all others.
    """
    from scipy.stats import chi2, multivariate_t  # half of what a worker imports, and it seldom comes here
    from scipy.stats.qmc import Sobol

    even = Sobol(size + 1, seed=np.random.default_rng(0)).random(DRAWS)
    steps = ndtri(even[:, :-1]) / np.sqrt(chi2.ppf(even[:, -1:], DEGREES_OF_FREEDOM) / DEGREES_OF_FREEDOM)
    return np.asarray(steps), np.atleast_1d(multivariate_t(df=DEGREES_OF_FREEDOM, shape=np.eye(size)).logpdf(steps))


def determined_parameters(kernel: Kernel, problem: Problem, scales: Scales) -> float:
    """How many parameters of a fitted model the data determine, and not their priors (MacKay 1992).

    With eigenvalues l_i of the Hessian of the negative log likelihood, in coordinates of unit prior width, the sum of
    ``l_i / (1 + l_i)``: a parameter counts 1 where the data narrow it far below its prior, 0 where they say nothing.

    Examples
    --------
    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    >>> round(determined_parameters(leaf("WN", sd=1.0), problem, scales), 3)  # 32 / 33
    0.97
    """
    curvatures = np.maximum(np.linalg.eigvalsh(curvature(kernel, problem, scales).hessian), 0.0)
    return float(np.sum(curvatures / (1.0 + curvatures)))
