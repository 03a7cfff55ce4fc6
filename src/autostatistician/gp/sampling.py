"""What the data leave open about the parameters of a fitted model: a walk through their posterior.

The walk is elliptical slice sampling (Murray, Adams and MacKay 2010) with a Student t as its guide (Nishihara, Murray
and Adams 2014), at first of the shape that the curvature at the optimum gives, later of the shape that the walk has
seen: where the posterior is nearly normal, one or two evaluations make a nearly independent draw; where it is not (a
line that could cross zero anywhere), the walk goes where the posterior goes. Parameters about which curvature says
little are drawn one by one by slices (Neal 2003): those of changes (the likelihood of an abrupt one jumps from gap to
gap, that of a gradual one may have several tops), and those that the fit left at a bound.

What the data leave open about the parameters of a fitted model: draws from their posterior.

Around the optimum the posterior is replaced by a normal distribution (Laplace's method), in coordinates where it nearly
is one; draws are then weighted by how much more or less likely they truly are (importance sampling with truncated
weights, Ionides 2008).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.engines.exact import Objective
from autostatistician.gp.evidence import at_widths, curvature
from autostatistician.gp.parameters import (
    FreeParameters,
    ParameterPrior,
    ParameterPriors,
    Scales,
    balanced,
    with_levels,
    zeros_beside_levels,
)
from autostatistician.gp.posterior import spread_normals
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import ChangePoint, ChangeWindow
from autostatistician.kernels.kernel import Kernel, parameters

__all__ = ["draws", "normal_draws", "walk", "weighted_functionals"]


Array = NDArray[np.float64]

MOST_DRAWS = 400
# At most, without and with slices of single parameters, each of which takes some six.
MOST_EVALUATIONS, MOST_EVALUATIONS_WITH_SLICES = 1200, 3000
# An evaluation of more rows takes longer, by about this power of their number, and there are fewer.
ROWS_OF_ALL_EVALUATIONS, COST_POWER = 200, 1.4
# Of the evaluations: after each such round the guide takes on the shape of the walk so far, which is left out.
SHARES_OF_TRIAL_ROUNDS = (0.1, 0.25)
GUIDE_DEGREES_OF_FREEDOM = 6.0  # the tails of the guide must not be lighter than those of the posterior
SLICE_WIDTHS = 4.0  # of a single parameter, in widths of its prior: of a place of change about all of the data
SMALLEST_STEP = 1e-9  # below, the walk stays where it is


def walk(kernel: Kernel, problem: Problem, scales: Scales, rng: np.random.Generator) -> tuple[Kernel, ...]:
    """Some hundred kernels of the same structure, drawn from the posterior of its parameters; fewer for many rows.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(50.0)[:, None], np.tile([1.0, -1.0], 25)
    >>> problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    >>> found = np.log([one.values[0] for one in walk(leaf("WN", sd=1.0), problem, scales, np.random.default_rng(0))])
    >>> round(float(found.mean()), 1), round(float(found.std()), 1)  # 1 / sqrt(2 n) is 0.1
    (0.0, 0.1)
    """
    kernel = balanced(kernel, scales)
    priors = FreeParameters.of(kernel.expr, scales).priors(kernel.values)
    target = _Target(kernel, priors, objective_of(kernel.expr, problem))
    inner = np.array([not prior.at_bound(kernel.values[prior.index]) for prior in target.free], dtype=bool)
    smooth = inner & [not _of_change(kernel, prior) for prior in target.free]
    start = target.start()
    hessian = curvature(kernel, problem, scales).hessian[np.ix_(smooth[inner], smooth[inner])]
    most = MOST_EVALUATIONS if smooth.all() else MOST_EVALUATIONS_WITH_SLICES
    evaluations = int(most * min(1.0, ROWS_OF_ALL_EVALUATIONS / problem.n) ** COST_POWER)
    expected = _inverse(hessian)
    guide, draws = _Guide.of(smooth, start[smooth], expected), start[None]
    for share in SHARES_OF_TRIAL_ROUNDS:
        draws = _walked(target, guide, draws[-1], int(share * evaluations), rng)
        guide = _Guide.of(smooth, *_shape(draws[:, smooth], expected))
    draws = _walked(target, guide, draws[-1], evaluations, rng)
    rows = evenly_spaced(len(draws), MOST_DRAWS)
    return tuple(target.kernel_at(draws[row]) for row in rows)


def normal_draws(
    kernel: Kernel, problem: Problem, scales: Scales, rng: np.random.Generator, count: int
) -> tuple[tuple[Kernel, ...], frozenset[int]]:
    """As many kernels drawn from the normal distribution that the curvature at the optimum tells of, and what varies.

    Of many rows the posterior is nearly that, and a draw takes no evaluation. Parameters that the fit left at a bound
    stay there, and so do those of changes: the indices of all others come with the kernels.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(50.0)[:, None], np.tile([1.0, -1.0], 25)
    >>> problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    >>> found, drawn = normal_draws(leaf("WN", sd=1.0), problem, scales, np.random.default_rng(0), 400)
    >>> round(float(np.std([np.log(one.values[0]) for one in found])), 2), drawn  # 1 / sqrt(2 n) is 0.1
    (0.1, frozenset({0}))
    """
    around = curvature(kernel, problem, scales)
    smooth = np.array([not _of_change(around.kernel, prior) for prior in around.free], dtype=bool)
    free = ParameterPriors(prior for prior, drawn in zip(around.free, smooth, strict=True) if drawn)
    root = np.linalg.cholesky(_inverse(around.hessian[np.ix_(smooth, smooth)]))
    places = around.place[smooth] + rng.standard_normal((count, len(free))) @ root.T
    return tuple(at_widths(around.kernel, free, prior) for prior in places), frozenset(prior.index for prior in free)


def _of_change(kernel: Kernel, prior: ParameterPrior) -> bool:
    return isinstance(parameters(kernel.expr)[prior.index].node, ChangePoint | ChangeWindow)


def _inverse(hessian: Array) -> Array:
    """The covariance of the parameters; of negative eigenvalues, which a stopped fit may have, the size is taken."""
    sizes, axes = np.linalg.eigh(hessian)
    return np.asarray(axes / (1.0 + np.abs(sizes)) @ axes.T)


def _shape(seen: Array, expected: Array) -> tuple[Array, Array]:
    """Mean and covariance of places (k, q), of which few count as little against the expected covariance."""
    count, size = seen.shape
    share = size / (size + count)
    apart = seen - seen.mean(axis=0)
    return seen.mean(axis=0), (1.0 - share) * apart.T @ apart / count + share * expected


@dataclass(frozen=True, eq=False)
class _Target:
    """The posterior of the free parameters in coordinates of unit prior width (see `ParameterPrior`)."""

    kernel: Kernel
    free: ParameterPriors
    objective: Objective

    def start(self) -> Array:
        """The place of the kernel itself."""
        values = self.kernel.values
        at = [min(max(prior.coordinate(values[prior.index]), prior.low), prior.high) for prior in self.free]
        return np.array([(u - prior.mean) / prior.width for u, prior in zip(at, self.free, strict=True)])

    def kernel_at(self, place: Array) -> Kernel:
        """The kernel with the parameters of a place (p,)."""
        return at_widths(self.kernel, self.free, place)

    def height(self, place: Array) -> float:
        """The log density at a place, up to a constant; minus infinity beyond the bounds."""
        for prior, z in zip(self.free, place, strict=True):
            if not prior.low - SMALLEST_STEP <= prior.mean + prior.width * float(z) <= prior.high + SMALLEST_STEP:
                return -inf
        value = self.objective.value(self.kernel_at(place).values)
        return -value - 0.5 * float(place @ place) if isfinite(value) else -inf


@dataclass(frozen=True, eq=False)
class _Guide:
    """A Student t of `GUIDE_DEGREES_OF_FREEDOM` degrees of freedom over the coordinates that ``mask`` marks."""

    mask: NDArray[np.bool_]
    middle: Array
    root: Array  # (q, q) of its scale matrix

    @classmethod
    def of(cls, mask: NDArray[np.bool_], middle: Array, covariance: Array) -> _Guide:
        return cls(mask, middle, np.asarray(np.linalg.cholesky(covariance), dtype=np.float64))

    def whitened(self, place: Array) -> Array:
        return np.asarray(np.linalg.solve(self.root, place[self.mask] - self.middle))

    def place(self, base: Array, whitened: Array) -> Array:
        """The place ``base`` with the marked coordinates moved."""
        at = base.copy()
        at[self.mask] = self.middle + self.root @ whitened
        return at

    def excess(self, whitened: Array) -> float:
        """Minus the log density of the guide, up to a constant."""
        freedom = GUIDE_DEGREES_OF_FREEDOM
        return 0.5 * (freedom + len(whitened)) * log1p(float(whitened @ whitened) / freedom)


def _walked(target: _Target, guide: _Guide, start: Array, evaluations: int, rng: np.random.Generator) -> Array:
    """The places (k, p) of a walk, at least one, that ends with so many evaluations in all."""
    place, whitened = start.copy(), guide.whitened(start)
    draws: list[Array] = []
    height = target.height(place)
    while not draws or target.objective.evaluations < evaluations:
        if len(whitened):
            whitened, height = _turned(target, guide, place, whitened, height, rng)
            place = guide.place(place, whitened)
        for index in np.flatnonzero(~guide.mask):
            place, height = _slid(target, place, int(index), height, rng)
        draws.append(place)
    return np.array(draws)


def _turned(
    target: _Target, guide: _Guide, base: Array, whitened: Array, height: float, rng: np.random.Generator
) -> tuple[Array, float]:
    """One step on the ellipse through the place and a draw of the guide: the new place, whitened, and its height."""
    count, freedom = len(whitened), GUIDE_DEGREES_OF_FREEDOM
    scale = 0.5 * (freedom + float(whitened @ whitened)) / rng.gamma(0.5 * (freedom + count))
    other = np.sqrt(scale) * rng.standard_normal(count)
    level = height + guide.excess(whitened) + log(1.0 - rng.random())
    angle = 2.0 * pi * rng.random()
    low, high = angle - 2.0 * pi, angle
    while high - low > SMALLEST_STEP:
        there = whitened * np.cos(angle) + other * np.sin(angle)
        reached = target.height(guide.place(base, there))
        if reached + guide.excess(there) > level:
            return there, reached
        low, high = (angle, high) if angle < 0.0 else (low, angle)
        angle = low + (high - low) * rng.random()
    return whitened, height


def _slid(target: _Target, place: Array, index: int, height: float, rng: np.random.Generator) -> tuple[Array, float]:
    """One parameter drawn anew from its slice: the new place and its height."""
    level = height + log(1.0 - rng.random())
    low = place[index] - SLICE_WIDTHS * rng.random()
    high, there = low + SLICE_WIDTHS, place.copy()
    while high - low > SMALLEST_STEP:
        there[index] = low + (high - low) * rng.random()
        reached = target.height(there)
        if reached > level:
            return there, reached
        low, high = (float(there[index]), high) if there[index] < place[index] else (low, float(there[index]))
    return place, height


def draws(
    kernel: Kernel, problem: Problem, scales: Scales, rng: np.random.Generator, count: int
) -> list[tuple[Kernel, float]]:
    """Some ``count`` kernels of the same structure, drawn from the posterior of its parameters, with their weights.

    The optimum itself is the first; parameters at a bound stay there. Weights add up to one. A line beside a level is
    zero in the middle of the data where no prior says so: the level takes up the difference, and what is open about
    both is told by their sizes rather than by a zero that could be anywhere.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    >>> found = draws(leaf("WN", sd=1.0), problem, scales, np.random.default_rng(0), 3)
    >>> [round(one.values[0], 2) for one, _ in found]
    [1.0, 0.86, 2.39]
    """
    kernel, zeros = balanced(kernel, scales), frozenset[int]()
    if scales.priors is None:
        kernel, zeros = balanced(with_levels(kernel, scales), scales), zeros_beside_levels(kernel.expr)
    around = curvature(kernel, problem, scales, zeros) if count > 1 else None
    if around is None or not around.free:
        return [(kernel, 1.0)]
    free = around.free
    curvatures, axes = around.axes()
    objective = objective_of(kernel.expr, problem)

    def height(place: Array) -> float:
        return _height(objective, at_widths(kernel, free, place), free)

    places, sizes = weighted_functionals(around.place, axes / np.sqrt(1.0 + curvatures), height, rng, count)
    pairs = zip(places, sizes.tolist(), strict=True)
    return [(at_widths(kernel, free, place), size) for place, size in pairs if size > 0.0]


def weighted_functionals(
    optimum: Array, root: Array, height: Callable[[Array], float], rng: np.random.Generator, count: int
) -> tuple[Array, Array]:
    """Places (count, p) drawn around an optimum (p,), which is the first, and their weights (count,), summing to one.

    ``root`` (p, p) is a root of the covariance of the normal distribution that they are drawn from, ``height`` the log
    density that the weights correct for, up to a constant.

    >>> rng = np.random.default_rng(0)
    >>> places, weights = weighted_functionals(np.zeros(1), np.eye(1), lambda z: -0.5 * float(z @ z), rng, 5)
    >>> weights.round(3).tolist()  # it is that very distribution
    [0.2, 0.2, 0.2, 0.2, 0.2]
    """
    size = sqrt(count / (count - 1.0))  # the optimum among them takes nothing of the variance
    steps = size * np.vstack([np.zeros(len(optimum)), spread_normals(rng, count - 1, len(optimum))])
    places = optimum + steps @ root.T
    heights = np.array([height(place) for place in places])
    return places, _truncated(heights + 0.5 * np.sum(steps**2, axis=1))


def _height(objective: Objective, kernel: Kernel, free: ParameterPriors) -> float:
    """The log posterior density of the parameters, up to a constant."""
    value = objective.value(kernel.values)
    if not isfinite(value):
        return -np.inf
    return -value - free.penalty(kernel.values)


def _truncated(logs: Array) -> Array:
    """Importance weights, the largest cut at the mean times the root of their number; adding up to one."""
    sizes = np.exp(logs - logs.max())
    sizes = np.minimum(sizes, sizes.mean() * sqrt(len(sizes)))
    return np.asarray(sizes / sizes.sum())
