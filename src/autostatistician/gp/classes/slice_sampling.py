"""Markov chains of a function behind observations and of its numbers together: as exact as they are long.

The prior of a function times normal sites is ``Z(u) N(f; m(u), L(u) L(u)')`` in closed form, whatever the numbers u.
With ``f = m(u) + L(u) w`` the posterior of u and w is therefore

    p(u) Z(u) N(w; 0, I) prod_i p(y_i | f_i) / site_i(f_i).

Sites of expectation propagation leave so little to the last factor that w hardly depends on u. So w moves by elliptical
slices (Murray, Adams and MacKay 2010) against a normal distribution that is nearly the posterior (Fagan, Bhandari and
Cunningham 2016), and u while w stays, which is nearly a move under its marginal posterior: by elliptical slices against
the normal distribution of what the warm-up saw (Nishihara, Murray and Adams 2014), and by slices along directions
(Neal 2003). Sites are coordinates alone and change nothing of what is drawn. Without any, w is what is white about the
function under its prior, as in Murray and Adams (2010). A sweep moves in both coordinates: sites are chosen where the
numbers are most probable, and help less elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from autostatistician.gp.classes.sites import given_sites
from autostatistician.gp.covariance import Factor, NotPositiveDefinite, covariance, factorise
from autostatistician.gp.likelihoods import LatentLikelihood
from autostatistician.gp.posterior import ColumnPrior, conditioned
from autostatistician.kernels.kernel import Kernel

__all__ = ["SamplerChain", "Normal", "Target", "elliptical", "moments_given", "sampled"]

Array = NDArray[np.float64]

SLICE_WIDTH = 2.0  # of the first bracket along a direction, in standard deviations of the numbers
MOST_STEPS_OUT = 9  # of that bracket, one more than both its ends take together
NUGGET = 1e-8  # of the mean variance, on every diagonal: the function has a root whatever its coordinates
NARROWEST = 1e-12  # bracket: what is in it cannot be told from where a slice began
# Of a sweep in either coordinates. Of two chains of 150 sweeps with sites alone on the 297 rows and 13 columns of
# `heart` 15 numbers had 19 to 106 effective draws; with three directions in the place of two ellipses 4 to 27, at the
# same cost, and without sites 3 to 5.
ELLIPSES_OF_FUNCTION, ELLIPSES_OF_NUMBERS = 3, 2
LEARNING = 0.5  # share of the warm-up after which the distribution of the numbers is learned, and again at its end
WIDER = 1.3  # times the variance seen: an elliptical slice leaves the tails of a narrow distribution rarely
LEAST_SWEEPS = 8  # of a chain that is ended, the later half of which is kept
PRIOR_COUNT = 2.0  # draws for each number, as which its prior counts in what is learned


@dataclass(frozen=True, eq=False)
class Normal:
    """A normal distribution: mean (p,), and the root (p, p), a lower triangle, of its covariance.

    >>> round(Normal(np.zeros(1), np.eye(1)).log_density(np.array([2.0])), 3)  # but for a constant
    -2.0
    """

    mean: Array
    root: Array

    def log_density(self, u: Array) -> float:
        """Of a place (p,), but for a constant."""
        if not len(u):
            return 0.0
        off = solve_triangular(self.root, u - self.mean, lower=True)
        return -0.5 * float(off @ off)


@dataclass(frozen=True, eq=False)
class Centred:
    """A function at some numbers with sites: normal, with the log density of the numbers and the sites."""

    mean: Array  # (n,)
    factor: Factor
    log_density: float

    @cached_property
    def lower(self) -> Array:
        """The root (n, n) of its covariance."""
        return self.factor.lower

    def function(self, white: Array) -> Array:
        """The function (n,) at white numbers (n,)."""
        return np.asarray(self.mean + self.lower @ white)

    def white(self, f: Array) -> Array:
        """The white numbers (n,) of a function (n,)."""
        return self.factor.half_solve(f - self.mean)


@dataclass(frozen=True, eq=False)
class Target:
    """What is drawn from: numbers u (p,) with a normal prior between limits, and a function given observations.

    ``covariance`` is that of the function (n, n) at some numbers, with both triangles, in memory that is given away;
    where it is `NotPositiveDefinite` there are no such numbers. Without ``sites`` (precisions and naturals, (n,) each)
    the function is white under its prior.
    """

    covariance: Callable[[Array], Array]
    prior: Normal
    limits: tuple[Array, Array]
    y: Array
    likelihood: LatentLikelihood
    sites: tuple[Array, Array] | None = None

    def level(self, f: Array) -> float:
        """The log likelihood of a function (n,)."""
        return float(self.likelihood.log_density(self.y, f).sum())

    def surplus(self, f: Array) -> float:
        """The same less what the sites say."""
        if self.sites is None:
            return self.level(f)
        precision, natural = self.sites
        return self.level(f) - float(f @ (natural - 0.5 * precision * f))

    def centred(self, u: Array) -> Centred | None:
        """The function at some numbers with the sites; None where there are no such numbers."""
        if np.any(u < self.limits[0]) or np.any(u > self.limits[1]):
            return None
        try:
            K = self.covariance(u)
            K[np.diag_indices_from(K)] += NUGGET * K.diagonal().mean()
            if self.sites is None:
                return Centred(np.zeros(len(K)), factorise(K, overwrite=True), self.prior.log_density(u))
            precision, natural = self.sites
            given, scale = given_sites(K, precision, natural), float(K.diagonal().mean())
            below = solve_triangular(given.packed.T, np.sqrt(precision)[:, None] * K, lower=True, check_finite=False)
            factor = factorise(K - below.T @ below, scale=scale, overwrite=True)
        except NotPositiveDefinite:
            return None
        evidence = 0.5 * float(natural @ given.mean) - given.half_logdet
        return Centred(given.mean, factor, self.prior.log_density(u) + evidence)

    def height(self, centred: Centred | None, white: Array) -> float:
        """The log density of numbers while the white numbers (n,) stay."""
        return -np.inf if centred is None else centred.log_density + self.surplus(centred.function(white))


@dataclass(frozen=True, eq=False)
class SamplerChain:
    """Draws of one chain after its warm-up."""

    numbers: Array  # (count, p)
    functions: Array  # (count, n) at the observations
    levels: Array  # (count,) log likelihoods

    def last(self, count: int) -> SamplerChain:
        """The last so many draws."""
        return SamplerChain(self.numbers[-count:], self.functions[-count:], self.levels[-count:])


def sampled(
    target: Target,
    start: Array,
    rng: np.random.Generator,
    *,
    count: int = 1000,
    warm_up: int = 200,
    goes_on: Callable[[float], bool] = lambda share: True,
) -> SamplerChain:
    """One chain of numbers and functions, begun at numbers ``start`` (p,) with a function drawn given the sites.

    What it knows of the distribution of the numbers is learned in the warm-up, and nothing after it. ``goes_on`` gets
    the share of sweeps that are done; where it answers False the chain ends, and the later half of it is kept at most.

    Raises
    ------
    NotPositiveDefinite
        When there is no function at the start.

    Examples
    --------
    >>> from autostatistician.gp.likelihoods import Bernoulli
    >>> prior, limits = Normal(np.zeros(1), np.eye(1)), (np.full(1, -9.0), np.full(1, 9.0))
    >>> target = Target(lambda u: np.exp(2.0 * u[0]) * np.eye(1), prior, limits, np.ones(1), Bernoulli())
    >>> chain = sampled(target, np.zeros(1), np.random.default_rng(0), count=500)
    >>> chain.functions.shape, bool(chain.functions.mean() > 0.3)
    ((500, 1), True)
    """
    now = target.centred(start)
    if now is None:
        raise NotPositiveDefinite("no covariance at the start")
    state = _SliceState(np.array(start, dtype=np.float64), now.function(rng.standard_normal(len(target.y))))
    views = [target] if target.sites is None else [target, replace(target, sites=None)]
    about, learn_at = target.prior, max(int(LEARNING * warm_up), 1)
    states = list[_SliceState]()
    for sweep in range(warm_up + count):
        for view in views:
            state = _moved(view, state, about, rng)
        states.append(state)
        if sweep + 1 in (learn_at, warm_up):
            about = _learned(target.prior, [each.numbers for each in states[sweep // 2 :]])
        if not goes_on((sweep + 1) / (warm_up + count)) and sweep + 1 >= LEAST_SWEEPS:
            break
    draws = states[min(warm_up, len(states) // 2) :]
    functions = np.array([each.function for each in draws])
    levels = np.array([target.level(f) for f in functions])
    return SamplerChain(np.array([each.numbers for each in draws]).reshape(len(draws), -1), functions, levels)


@dataclass(frozen=True, eq=False)
class _SliceState:
    numbers: Array
    function: Array


def _moved(view: Target, state: _SliceState, about: Normal, rng: np.random.Generator) -> _SliceState:
    """A sweep in the coordinates of a target."""
    u, now = state.numbers, view.centred(state.numbers)
    assert now is not None
    white = now.white(state.function)
    for _ in range(ELLIPSES_OF_FUNCTION):
        white = _turned(view, now, white, rng)
    if len(u):
        for _ in range(ELLIPSES_OF_NUMBERS):
            u, now = _carried(view, u, now, white, about, rng)
        u, now = _sliced(view, u, now, white, about.root @ _unit(len(u), rng), rng)
    return _SliceState(u, now.function(white))


def _unit(length: int, rng: np.random.Generator) -> Array:
    drawn = rng.standard_normal(length)
    return np.asarray(drawn / np.linalg.norm(drawn))


def _learned(prior: Normal, seen: list[Array]) -> Normal:
    """The normal distribution of numbers seen, a little wider than they are and drawn to the prior."""
    drawn = np.array(seen)
    count, length = drawn.shape
    if not length:
        return prior
    share = count / (count + PRIOR_COUNT * length)
    among = share * np.atleast_2d(np.cov(drawn, rowvar=False, bias=True)) + (1.0 - share) * (prior.root @ prior.root.T)
    return Normal(drawn.mean(axis=0), factorise(WIDER * among).lower)


def _turned(target: Target, now: Centred, white: Array, rng: np.random.Generator) -> Array:
    """One elliptical slice of the white numbers (n,), the others as they are."""
    other = rng.standard_normal(len(white))
    here, across = (now.lower @ each for each in (white, other))

    def levels(functions: Array) -> Array:
        return np.array([target.surplus(now.mean + f) for f in functions])

    angle = elliptical(here[None], across[None], levels(here[None]), levels, rng)[2][0]
    return np.asarray(np.cos(angle) * white + np.sin(angle) * other)


def elliptical(
    f: Array, other: Array, level: Array, levels: Callable[[Array], Array], rng: np.random.Generator, power: float = 1.0
) -> tuple[Array, Array, Array]:
    """One elliptical slice of every function (k, n) of mean zero, all side by side.

    Parameters
    ----------
    f, other : arrays (k, n)
        The functions, and draws from their prior.
    level : array (k,)
        The log likelihoods of ``f``.
    levels : callable
        Log likelihoods (j,) of functions (j, n).
    power : float
        Of the likelihood.

    Returns
    -------
    tuple
        The functions, their log likelihoods, and the angles (k,) by which they turned.
    """
    floor = power * level + np.log(rng.random(len(f)))
    angle = rng.uniform(0.0, 2.0 * np.pi, len(f))
    low, high = angle - 2.0 * np.pi, angle.copy()
    turned, height, left = f.copy(), level.copy(), np.ones(len(f), dtype=bool)
    while left.any():
        tried = f[left] * np.cos(angle[left])[:, None] + other[left] * np.sin(angle[left])[:, None]
        reached = levels(tried)
        good, rows = power * reached > floor[left], np.flatnonzero(left)
        turned[rows[good]], height[rows[good]] = tried[good], reached[good]
        left[rows[good]] = False
        rows = rows[~good]
        low[rows] = np.where(angle[rows] < 0.0, angle[rows], low[rows])
        high[rows] = np.where(angle[rows] < 0.0, high[rows], angle[rows])
        angle[rows] = rng.uniform(low[rows], high[rows])
    return turned, height, angle


def _carried(
    target: Target, u: Array, now: Centred, white: Array, about: Normal, rng: np.random.Generator
) -> tuple[Array, Centred]:
    """One elliptical slice of the numbers against a normal distribution, the white numbers as they are."""
    off, other = u - about.mean, about.root @ rng.standard_normal(len(u))
    floor = target.height(now, white) - about.log_density(u) + np.log(rng.random())
    angle = rng.uniform(0.0, 2.0 * np.pi)
    low, high = angle - 2.0 * np.pi, angle
    while high - low > NARROWEST:
        place = about.mean + np.cos(angle) * off + np.sin(angle) * other
        moved = target.centred(place)
        if moved is not None and target.height(moved, white) - about.log_density(place) > floor:
            return place, moved
        low, high = (angle, high) if angle < 0.0 else (low, angle)
        angle = rng.uniform(low, high)
    return u, now


def _sliced(
    target: Target, u: Array, now: Centred, white: Array, direction: Array, rng: np.random.Generator
) -> tuple[Array, Centred]:
    """One slice of the numbers along a direction (Neal 2003: step out, then shrink), the white numbers as they are."""
    floor = target.height(now, white) + np.log(rng.random())
    low, below = -SLICE_WIDTH * rng.random(), int(rng.integers(MOST_STEPS_OUT))
    ends = [low, low + SLICE_WIDTH]
    for side, outwards, most in ((0, -SLICE_WIDTH, below), (1, SLICE_WIDTH, MOST_STEPS_OUT - 1 - below)):
        for _ in range(most):
            if target.height(target.centred(u + ends[side] * direction), white) < floor:
                break
            ends[side] += outwards
    low, high = ends
    while high - low > NARROWEST:
        step = rng.uniform(low, high)
        moved = target.centred(u + step * direction)
        if moved is not None and target.height(moved, white) > floor:
            return np.asarray(u + step * direction), moved
        low, high = (step, high) if step < 0.0 else (low, step)
    return u, now


def moments_given(kernel: Kernel, X: Array, f: Array, rows: Array, columns: tuple[str, ...]) -> tuple[Array, Array]:
    """Mean and standard deviation (m,) at further rows (m, d) of a function that is ``f`` (n,) at rows ``X`` (n, d).

    >>> from autostatistician.kernels.kernel import leaf
    >>> smooth, X = leaf("SE", lengthscale=1.0, sd=1.0), np.zeros((1, 1))
    >>> [each.round(3).tolist() for each in moments_given(smooth, X, np.ones(1), np.array([[0.0], [9.0]]), ("x",))]
    [[1.0, 0.0], [0.0, 1.0]]
    """
    K = covariance(kernel, X, None, columns)
    K[np.diag_indices_from(K)] += NUGGET * K.diagonal().mean()  # as chains draw functions
    function = conditioned(ColumnPrior(columns), X, f, K).project(kernel, rows)
    return function.mean, function.sd
