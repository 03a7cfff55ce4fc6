"""The evidence of an expression, its parameters integrated out around their optimum (Laplace's method).

How the likelihood of a fitted model changes with its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr, ndtri

from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.choice import condition, objective_of
from autostatistician.gp.engines.exact import Objective
from autostatistician.gp.parameters import FreeParameters, ParameterPrior, ParameterPriors, Scales, balanced
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import ChangePoint, ChangeWindow
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.traits import column_index

__all__ = [
    "DIFFERENCE_STEP", "MOST_ROWS", "Curvature", "at_widths", "curvature", "log_evidence", "refined_log_evidence",
    "refitted_deviance",
]  # fmt: skip


Array = NDArray[np.float64]

DIFFERENCE_STEP = 1e-4  # of the differences; posterior widths of coordinates are rarely below it


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """The surroundings of an optimum, in coordinates of unit prior width (see `ParameterPrior`)."""

    place: Array  # (p,) the optimum, from the centre of the prior
    hessian: Array  # (p, p) of the negative log likelihood
    kernel: Kernel  # balanced, with the parameters of the optimum
    held: int  # parameters at a bound, which are not among the p
    free: ParameterPriors  # of the p parameters

    def axes(self) -> tuple[Array, Array]:
        """Eigenvalues (p,) of the Hessian and its eigenvectors (p, p) as columns.

        Of negative eigenvalues, which a fit has that was stopped on its way, the size is given: as a scale it still
        says how far the parameter can go.
        """
        values, vectors = _principal_axes(self.hessian)
        return np.abs(values), vectors


def _principal_axes(hessian: Array) -> tuple[Array, Array]:
    """Eigenvalues (p,) and eigenvectors (p, p) as columns, whose signs are the same on every machine.

    LAPACK leaves them open. Draws along the axes, and what is integrated with them, would hang on the processor.
    """
    values, vectors = np.linalg.eigh(hessian)
    sums = 1.0 / np.arange(1.0, len(values) + 1.0) @ vectors  # unlike components, hardly ever zero or equal
    return values, vectors * np.where(sums < 0.0, -1.0, 1.0)


def curvature(
    kernel: Kernel, problem: Problem, scales: Scales, held: Collection[int] = (), *, one_sided: bool = False
) -> Curvature:
    """Measure the surroundings of a fitted kernel by central differences: two evaluations per free parameter.

    Parameters at a bound are held, and those at the indices ``held``. ``one_sided`` differences take half of the
    evaluations, and are off by about a ten-thousandth: enough to compare models.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> around = curvature(leaf("WN", sd=1.0), Problem(x, y, ("x",)), measure(x, y, ("x",)))
    >>> (around.hessian / 2.0**2).round(4).tolist()  # 2 n, by the logarithm; the prior has the width 2
    [[8.0]]
    """
    kernel = balanced(kernel, scales)
    priors = FreeParameters.of(kernel.expr, scales).priors(kernel.values)
    inner = [prior.index not in held and not prior.at_bound(kernel.values[prior.index]) for prior in priors]
    which = np.array(inner, dtype=bool)
    second = _differences(kernel, priors, which, problem, one_sided=one_sided)
    free = ParameterPriors(prior for prior, is_free in zip(priors, which, strict=True) if is_free)
    means, widths = np.array([prior.mean for prior in free]), np.array([prior.width for prior in free])
    hessian = second[np.ix_(which, which)] * np.outer(widths, widths)
    place = (free.coordinates(kernel.values) - means) / widths
    return Curvature(place, 0.5 * (hessian + hessian.T), kernel, len(priors) - len(free), free)


def _differences(
    kernel: Kernel, priors: ParameterPriors, free: NDArray[np.bool_], problem: Problem, *, one_sided: bool
) -> Array:
    """By the coordinates of all priors (p, p); zero for those that are not free."""
    hessian = np.zeros((len(priors), len(priors)))
    if not free.any():
        return hessian
    objective, place = objective_of(kernel.expr, problem), priors.coordinates(kernel.values)
    here = _gradient(objective, kernel, priors, place) if one_sided else None
    for index in np.flatnonzero(free):
        step = DIFFERENCE_STEP * np.eye(len(priors))[index]
        above = _gradient(objective, kernel, priors, place + step)
        below = here if one_sided else _gradient(objective, kernel, priors, place - step)
        # Beside a place without a covariance nothing is known: the derivatives stay at zero.
        if above is not None and below is not None:
            hessian[index] = (above - below) / (DIFFERENCE_STEP if one_sided else 2.0 * DIFFERENCE_STEP)
    return hessian


def _gradient(objective: Objective, kernel: Kernel, priors: ParameterPriors, place: Array) -> Array | None:
    """The gradient (p,) by the coordinates; None where there is none, as where a covariance is nearly singular."""
    with np.errstate(over="ignore", invalid="ignore"):
        value, gradient = objective.value_and_gradient(priors.values(place, kernel.values))
    by_coordinates = priors.by_coordinates(gradient, place)
    return by_coordinates if isfinite(value) and np.isfinite(by_coordinates).all() else None


def at_widths(kernel: Kernel, free: ParameterPriors, place: Array) -> Kernel:
    """The kernel with its free parameters so many prior widths (p,) from their centres, none beyond its bounds.

    >>> from autostatistician.gp.parameters.priors import ParameterPrior
    >>> from autostatistician.kernels.kernel import leaf
    >>> free = ParameterPriors([ParameterPrior(0, None, 0.0, 1.0, -9.0, 0.0)])
    >>> at_widths(leaf("WN", sd=2.0), free, np.array([3.0])).values
    (1.0,)
    """
    pairs = zip(free, place, strict=True)
    inside = [min(max(prior.mean + prior.width * float(z), prior.low), prior.high) for prior, z in pairs]
    return Kernel(kernel.expr, free.values(np.array(inside), kernel.values))


# --- Leave-one-out predictive density: how well each observation is predicted from all the others -------------------


def leave_one_out_deviance(kernel: Kernel, problem: Problem) -> float:
    """Minus twice the sum of the log densities of the observations, each predicted from all the others.

    The parameters of the kernel are not refitted: one factorisation gives all n predictions (Rasmussen and
    Williams 2006, equations 5.10 to 5.12). Infinite where the covariance cannot be factorised.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.kernels.kernel import leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]), ("x",))
    >>> round(leave_one_out_deviance(leaf("WN", sd=1.0), problem), 4)
    5.6758
    """
    try:
        conditioned = condition(kernel, problem)
    except NotPositiveDefinite:
        return inf
    deviance = -2.0 * float(conditioned.leave_one_out()[2].sum())
    return deviance if isfinite(deviance) else inf


def refitted_deviance(kernel: Kernel, problem: Problem, scales: Scales) -> float:
    """The leave-one-out deviance as if the parameters were fitted anew, each time without the observation.

    The log density l_i of an observation given the others is just what it adds to the log likelihood. Without it the
    optimum moves by ``-H^-1 grad l_i`` to first order, with H the Hessian of the negative log likelihood; that lowers
    l_i by ``grad l_i' H^-1 grad l_i`` (the infinitesimal jackknife; Takeuchi's penalty for parameters). The weak
    priors of the parameters are added to H, so that parameters of which the data say nothing stay where they are.
    """
    deviance = leave_one_out_deviance(kernel, problem)
    if not isfinite(deviance):
        return inf
    around = curvature(kernel, problem, scales)
    curvatures, axes = around.axes()
    moved = (_derivatives(around, problem) @ axes) ** 2 / (1.0 + curvatures)
    return deviance + 2.0 * float(moved.sum())


def _derivatives(around: Curvature, problem: Problem) -> Array:
    """Derivatives (n, p) of the log density of each observation given the others, in coordinates of unit width."""
    kernel, widths = around.kernel, np.array([prior.width for prior in around.free])
    place = around.place * widths + np.array([prior.mean for prior in around.free])
    derivatives = np.zeros((problem.n, len(place)))
    for index, step in enumerate(DIFFERENCE_STEP * np.eye(len(place))):
        with suppress(NotPositiveDefinite):  # beside a place without a covariance nothing is known
            moved = [around.free.values(u, kernel.values) for u in (place + step, place - step)]
            above, below = (condition(Kernel(kernel.expr, at), problem).leave_one_out()[2] for at in moved)
            derivatives[:, index] = (above - below) / (2.0 * DIFFERENCE_STEP)
    return np.asarray(derivatives * widths)


Gain = Callable[[dict[int, float]], float]  # of log likelihood, with some values (by index) in the place of the fitted

MOST_GAPS = 100  # of more, away from the fitted place, some neighbours are taken together

PIECES_OF_NEAR_GAPS = 5  # an edge of a row's width lies somewhere between two rows

NAMES = ("location", "width")  # of parameters that say where a change is

EDGES = np.arange(-3.0, 3.1, 0.25)  # of pieces of a prior, in widths from its centre

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
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
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
    curvatures, axes = _principal_axes(around.hessian[np.ix_(rest, rest)])
    widths = np.sqrt(WIDENING / np.maximum(curvatures + 1.0, LEAST_CURVATURE))
    steps, densities = _guide_draws(len(widths))
    places = np.tile(around.place, (len(steps), 1))
    places[:, rest] += (steps * widths) @ axes.T
    objective = objective_of(around.kernel.expr, problem)
    kernels = [at_widths(around.kernel, around.free, place) for place in places]
    gains = nll - np.array([objective.value(kernel.values) for kernel in kernels])
    logs = gains - densities - 0.5 * np.sum(places[:, rest] ** 2, axis=1)
    usable = np.where(np.isfinite(gains), logs, -inf)
    return float(logsumexp(usable) - log(len(steps)) + np.log(widths).sum()) - 0.5 * len(widths) * log(2.0 * pi)


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


# --- Parameters of which derivatives say nothing, integrated out by sums --------------------------------------------


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Pieces of the range of the rows: gaps, some taken together, those beside a fitted place in finer pieces."""

    ends: Array  # (m + 1,)

    @classmethod
    def around(cls, x: Array, fitted: float) -> _Pieces:
        after = int(np.searchsorted(x, fitted))
        near = x[max(after - 2, 0) : after + 2]
        fine = np.interp(np.arange(0.0, len(near) - 1 + 1e-9, 1.0 / PIECES_OF_NEAR_GAPS), np.arange(len(near)), near)
        return cls(np.union1d(np.union1d(x[:: -(-len(x) // MOST_GAPS)], fine), x[-1:]))

    @property
    def middles(self) -> Array:
        return 0.5 * (self.ends[1:] + self.ends[:-1])

    @property
    def lengths(self) -> Array:
        return np.diff(self.ends)


def places_of_changes(kernel: Kernel, priors: Sequence[ParameterPrior]) -> tuple[tuple[ParameterPrior, ...], ...]:
    """For each change the priors of what says where it is: its location, of a window its width, too.

    >>> from autostatistician.gp.parameters.free import FreeParameters
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> step = Kernel.change_point(leaf("C", sd=1.0), leaf("WN", sd=2.0), location=3.0, steepness=9.0)
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> priors = FreeParameters.of(step.expr, scales).priors()
    >>> [[step.values[one.index] for one in change] for change in places_of_changes(step, priors)]
    [[3.0]]
    """
    every = parameters(kernel.expr)
    changes: dict[tuple[int, ...], list[ParameterPrior]] = {}
    for prior in priors:
        parameter = every[prior.index]
        if isinstance(parameter.node, ChangePoint | ChangeWindow) and parameter.name in NAMES:
            changes.setdefault(parameter.path, []).append(prior)
    return tuple(map(tuple, changes.values()))


def log_over_places(priors: Sequence[ParameterPrior], kernel: Kernel, problem: Problem, objective: Objective) -> float:
    """The logarithm of the integral of the likelihood over the places of one change, relative to the fitted place.

    Parameters
    ----------
    priors : sequence of ParameterPrior
        Of one change (see `places_of_changes`).
    kernel : Kernel
        The fitted kernel.
    problem : Problem
        Its data.
    objective : Objective
        Minus the log likelihood of its expression.
    """
    node = parameters(kernel.expr)[priors[0].index].node
    x = np.unique(problem.X[:, column_index(getattr(node, "column", None), problem.columns)])
    gain, fitted = _gain(kernel, objective), kernel.values
    if len(priors) == 1:
        return _over_point(priors[0], fitted[priors[0].index], x, gain)
    location, width = priors
    return _over_window(location, width, (fitted[location.index], fitted[width.index]), x, gain)


def log_over_held(prior: ParameterPrior, kernel: Kernel, objective: Objective) -> float:
    """The logarithm of the integral of the likelihood over a parameter held at a bound, relative to that at the bound.

    The prior is cut into pieces, and those between the bounds are looked at.
    """
    gain = _gain(kernel, objective)
    low, high = ((end - prior.mean) / prior.width for end in (prior.low, prior.high))
    edges = np.unique(np.clip([-inf, *EDGES, inf], low, high))
    edges[[0, -1]] = low, high
    middles = 0.5 * (edges[1:] + edges[:-1])
    inside = np.array([gain({prior.index: prior.value(prior.mean + prior.width * float(z))}) for z in middles])
    beyond = [gain({prior.index: prior.value(end)}) for end in (prior.low, prior.high)]
    masses = [*np.diff(ndtr(edges)), ndtr(low), ndtr(-high)]
    return _log_sum(np.array([*inside, *beyond]), np.array(masses))


def _gain(kernel: Kernel, objective: Objective) -> Gain:
    best = objective.value(kernel.values)

    def gain(changed: dict[int, float]) -> float:
        value = objective.value(tuple(changed.get(index, fitted) for index, fitted in enumerate(kernel.values)))
        return best - value if isfinite(value) else -inf

    return gain


def _over_point(location: ParameterPrior, fitted: float, x: Array, gain: Gain) -> float:
    pieces = _Pieces.around(x, fitted)
    weights = _densities(location, pieces.middles) * pieces.lengths
    places = zip(pieces.middles, weights, strict=True)
    return _log_sum(np.array([gain({location.index: float(at)}) if inside else -inf for at, inside in places]), weights)


def _over_window(
    location: ParameterPrior, width: ParameterPrior, fitted: tuple[float, float], x: Array, gain: Gain
) -> float:
    begin, end = fitted[0] - 0.5 * fitted[1], fitted[0] + 0.5 * fitted[1]
    begins, ends = _Pieces.around(x, begin), _Pieces.around(x, end)

    def between(low: float, high: float) -> float:
        changed = {location.index: 0.5 * (low + high), width.index: high - low}
        return gain(changed) if high > low and _density(width, high - low) else -inf

    gains = np.add.outer(
        [between(float(low), end) for low in begins.middles], [between(begin, float(high)) for high in ends.middles]
    )
    centres, sizes = 0.5 * np.add.outer(begins.middles, ends.middles), -np.subtract.outer(begins.middles, ends.middles)
    areas = np.outer(begins.lengths, ends.lengths)
    return _log_sum(gains, _densities(location, centres) * _densities(width, sizes) * areas)


def _log_sum(gains: Array, weights: Array) -> float:
    return float(logsumexp(np.where(weights > 0.0, gains, -inf), b=weights))


def _density(prior: ParameterPrior, value: float) -> float:
    """The prior density of a parameter by itself; 0 beyond its bounds."""
    coordinate = prior.coordinate(value)
    if not prior.low <= coordinate <= prior.high:
        return 0.0
    z = (coordinate - prior.mean) / prior.width
    by_value = prior.slope(coordinate) if prior.column is not None else value  # of the value by the coordinate
    return float(np.exp(-0.5 * z * z) / (sqrt(2.0 * pi) * prior.width * by_value))


def _densities(prior: ParameterPrior, values: Array) -> Array:
    densities = [_density(prior, float(value)) if np.isfinite(value) else 0.0 for value in values.ravel()]
    return np.array(densities).reshape(values.shape)
