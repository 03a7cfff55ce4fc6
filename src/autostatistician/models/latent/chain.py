"""One chain of the infinite warped mixture: assignments by Gibbs, coordinates and parameters by Hamiltonian steps.

All steps leave ONE distribution as it is: ``p(labels) p(X | labels) p(parameters) p(Y | X, parameters)``, means and
precisions of the groups integrated out. (In the original the two steps had priors of their own.)

Moves of whole groups in the latent space, which Hamiltonian paths make only over many sweeps.

A group far from the others can be turned, mirrored, moved or stretched, and a line can be bent, with next to no change
of the functions. Each proposal is undone by one that is as probable, so the rule of Metropolis and Hastings holds with
the factor by which volumes grow alone.

Hamiltonian Monte Carlo with a step that learns, while it warms up, to be accepted four times of five.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse.csgraph import minimum_spanning_tree, shortest_path
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.cluster import KMeans

from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.fitting import lowest
from autostatistician.models.latent import partition, warp
from autostatistician.models.latent.partition import Assigned, NormalWishart
from autostatistician.models.latent.warp import SparseWarp, Warp

__all__ = [
    "Density", "LeapfrogStep", "MixturePrior", "Proposal", "SamplerState", "begun", "bent", "hamiltonian_step",
    "log_density", "mirrored", "moved", "proposals", "resized", "swept", "turned",
]  # fmt: skip


Array = NDArray[np.float64]
Labels = NDArray[np.intp]
Proposal = Callable[[Array, Labels, np.random.Generator], tuple[Array, float]]

OTHERS = 0.3  # the probability that a further group goes with the one that is moved
SMALLEST_WIDTH, LARGEST_WIDTH = 0.05, 3.0  # widths of steps, drawn evenly by their logarithm
STRETCHED = 0.3  # of that width, where it is the logarithm of a size


def turned(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups turned about a row, in a plane drawn at random: where all are then, and the log growth of volumes."""
    which, pivot = _groups(labels, rng), X[rng.integers(len(X))]
    u, v = _plane(X.shape[1], rng)
    angle = _width(rng) * rng.standard_normal()
    away = X[which] - pivot
    along, across = away @ u, away @ v
    change = np.outer(along * (np.cos(angle) - 1.0) - across * np.sin(angle), u)
    change += np.outer(along * np.sin(angle) + across * (np.cos(angle) - 1.0), v)
    return _changed(X, which, change), 0.0


def mirrored(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups mirrored at a plane through a row."""
    which, pivot = _groups(labels, rng), X[rng.integers(len(X))]
    u = _direction(X.shape[1], rng)
    return _changed(X, which, -2.0 * np.outer((X[which] - pivot) @ u, u)), 0.0


def moved(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups moved."""
    which = _groups(labels, rng)
    step = _width(rng) * rng.standard_normal(X.shape[1])
    return _changed(X, which, np.broadcast_to(step, (which.sum(), X.shape[1]))), 0.0


def resized(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """Some groups stretched along a direction, about a row; one of their own rows does not move."""
    which, pivot = _groups(labels, rng), int(rng.integers(len(X)))
    u, growth = _direction(X.shape[1], rng), STRETCHED * _width(rng) * rng.standard_normal()
    change = np.outer((X[which] - X[pivot]) @ u, np.expm1(growth) * u)
    return _changed(X, which, change), float(which.sum() - which[pivot]) * growth


def bent(X: Array, labels: Labels, rng: np.random.Generator) -> tuple[Array, float]:
    """All rows on one side of a row sheared, along that side: a line is bent there."""
    u, v = _plane(X.shape[1], rng)
    beyond = np.maximum((X - X[rng.integers(len(X))]) @ u, 0.0)
    return X + np.outer(_width(rng) * rng.standard_normal() * beyond, v), 0.0


def proposals(dimensions: int) -> tuple[Proposal, ...]:
    """All of them that a space of so many coordinates has room for.

    >>> len(proposals(1)), len(proposals(2))
    (3, 5)
    """
    return (mirrored, moved, resized, *((turned, bent) if dimensions > 1 else ()))


def _groups(labels: Labels, rng: np.random.Generator) -> NDArray[np.bool_]:
    """The rows (N,) of a group drawn at random, at times with others."""
    count = int(labels.max()) + 1
    chosen = rng.random(count) < OTHERS
    chosen[rng.integers(count)] = True
    return np.asarray(chosen[labels])


def _width(rng: np.random.Generator) -> float:
    return float(np.exp(rng.uniform(np.log(SMALLEST_WIDTH), np.log(LARGEST_WIDTH))))


def _direction(dimensions: int, rng: np.random.Generator) -> Array:
    u = rng.standard_normal(dimensions)
    return np.asarray(u / np.linalg.norm(u))


def _plane(dimensions: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Two directions at right angles."""
    u, v = _direction(dimensions, rng), rng.standard_normal(dimensions)
    v = v - (v @ u) * u
    return u, v / np.linalg.norm(v)


def _changed(X: Array, which: NDArray[np.bool_], change: Array) -> Array:
    place = X.copy()
    place[which] += change
    return place


Density = Callable[[Array], tuple[float, Array]]

WANTED = 0.8  # of the proposals are to be accepted
SHRINKAGE, STABILISING, FORGETTING = 0.05, 10.0, 0.75  # of dual averaging (Hoffman and Gelman 2014)
LONGEST = 100  # steps of a path; their number is drawn from 1 to this


@dataclass(frozen=True)
class LeapfrogStep:
    """The size of a leapfrog step and what was learnt about it; a value of its own, so it can be kept in a file."""

    size: float
    averaged: float  # what is used after the warm-up
    start: float
    surplus: float = 0.0  # of rejections over those wanted
    tried: int = 0

    @classmethod
    def beginning(cls, size: float) -> LeapfrogStep:
        """Nothing learnt yet."""
        return cls(size, size, size)

    def learnt(self, accepted: float) -> LeapfrogStep:
        """After a proposal with that probability of acceptance."""
        tried = self.tried + 1
        weight = 1.0 / (tried + STABILISING)
        surplus = (1.0 - weight) * self.surplus + weight * (WANTED - accepted)
        size = float(10.0 * self.start * np.exp(-np.sqrt(tried) / SHRINKAGE * surplus))
        share = tried**-FORGETTING
        averaged = float(np.exp(share * np.log(size) + (1.0 - share) * np.log(self.averaged)))
        return replace(self, size=size, averaged=averaged, surplus=surplus, tried=tried)


def hamiltonian_step(
    density: Density, start: Array, size: float, rng: np.random.Generator
) -> tuple[Array, float, float]:
    """One proposal along a path of random length; where it ends, its log density, the probability of acceptance.

    Parameters
    ----------
    density : callable
        Log density and gradient at a place (p,); `NotPositiveDefinite` is a density of zero.
    size : float
        Of a step; a random part of it, at least half, is taken.

    Examples
    --------
    >>> rng, x = np.random.default_rng(0), np.zeros(1)
    >>> seen = []
    >>> for _ in range(2000):
    ...     x = hamiltonian_step(lambda u: (-0.5 * float(u @ u), -u), x, 0.3, rng)[0]
    ...     seen.append(x[0])
    >>> bool(abs(np.mean(seen)) < 0.1), bool(abs(np.std(seen) - 1.0) < 0.1)
    (True, True)
    """
    momentum = rng.standard_normal(start.shape)
    length, step, luck = int(rng.integers(1, LONGEST + 1)), size * (0.5 + 0.5 * rng.random()), np.log(rng.random())
    level, slope = density(start)
    energy = level - 0.5 * float(momentum @ momentum)
    place, reached = start, level
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # a path that leaves all bounds is one that is not accepted
            for _ in range(length):
                momentum = momentum + 0.5 * step * slope
                place = place + step * momentum
                reached, slope = density(place)
                momentum = momentum + 0.5 * step * slope
            gain = reached - 0.5 * float(momentum @ momentum) - energy
    except (NotPositiveDefinite, np.linalg.LinAlgError):
        return start, level, 0.0
    if not np.isfinite(gain):
        return start, level, 0.0
    accepted = float(np.exp(min(gain, 0.0)))
    return (place, reached, accepted) if luck < gain else (start, level, accepted)


SMALLEST = 1e-12  # size of coordinates by which they are divided

APART = 1e-6  # added to distances: none at all is no edge of a graph


FIRST_GROUPS = 5  # of the start, at most; as many as the Dirichlet process expects, where these are fewer

FIRST_STEP = 0.001

FEW_ROWS, FEW_SWEEPS = 150, 200  # of the chain with whose end many rows begin

BESIDE = 0.02  # lengthscales away from a row, another one begins

WITHIN, STEPS_TO_SUIT = 10.0, 200  # deviations of their prior in which the first parameters are looked for, and steps

LENGTHSCALE = warp.NUMBERS.index("lengthscale")

RESIZED = (0.05, 0.2, 0.6)  # widths of the steps of the logarithm of the size of the latent space, and of its place

REARRANGED = 4  # of each proposal for whole groups in a sweep; together they take a third as long as a path

SPLITTING = 0.25  # of the sweeps propose a split or a merge: it takes as long as all else


@dataclass(frozen=True, eq=False)
class MixturePrior:
    """What is known before the data."""

    groups: NormalWishart
    concentration: float  # of the Dirichlet process
    warped: bool = True  # otherwise the coordinates are the columns: an infinite Gaussian mixture
    floor: float = warp.FLOOR  # the least variance of the noise
    known: Labels | None = None  # (N,) classes of rows from 0 on, -1 where not known
    inducing: Labels | None = None  # (M,) rows by whose places the functions are told; None: all

    def warp(self, X: Array, parameters: Array, Y: Array) -> Warp | SparseWarp:
        """The functions, given coordinates, logarithms of parameters and columns."""
        if self.inducing is None:
            return Warp.at(X, parameters, Y, self.floor)
        return SparseWarp.at(X, parameters, Y, self.inducing, self.floor)


@dataclass(frozen=True, eq=False)
class SamplerState:
    """Where a chain stands."""

    labels: Labels  # (N,)
    X: Array  # (N, Q)
    parameters: Array  # (3,) logarithms
    step: LeapfrogStep
    sweeps: int = 0
    level: float = -np.inf  # log density of labels, coordinates, parameters and columns, but for a constant


def begun(Y: Array, dimensions: int, prior: MixturePrior, rng: np.random.Generator, *, number: int = 0) -> SamplerState:
    """A start: coordinates as chains of that number have them, groups by k-means, parameters that suit the coordinates.

    Where the parameters do not, a first path is down a slope so steep that nothing is left of the coordinates. Many
    rows (those with inducing ones) begin as a chain of some of them left these.
    """
    if prior.inducing is not None and len(Y) > 2 * FEW_ROWS:
        return _begun_from_few(Y, dimensions, prior, rng, number)
    X = first_places(Y, dimensions, number) if prior.warped else Y.copy()
    expected = round(prior.concentration * float(np.log1p(len(Y) / prior.concentration)))
    groups = min(FIRST_GROUPS, max(expected, 1), len(np.unique(Y, axis=0)))
    labels = KMeans(groups, n_init=1, random_state=int(rng.integers(2**31))).fit_predict(X)
    labels = partition.compact(labels) if prior.known is None else partition.obeying(labels, prior.known)
    parameters = _suiting(X, Y, labels, prior) if prior.warped and _is_full(X, Y) else warp.PRIOR_MEANS
    state = SamplerState(labels, X, parameters, LeapfrogStep.beginning(FIRST_STEP))
    return replace(state, level=log_density(state, Y, prior))


def _begun_from_few(
    Y: Array, dimensions: int, prior: MixturePrior, rng: np.random.Generator, number: int
) -> SamplerState:
    """A start where a chain of some rows ended, all others beside the nearest of these.

    Halves of a bent group become one the more seldom the more rows they have.
    """
    rows = rng.permutation(len(Y))[:FEW_ROWS]
    few = replace(prior, inducing=None, known=None if prior.known is None else prior.known[rows])
    state = begun(Y[rows], dimensions, few, rng, number=number)
    for sweep in range(FEW_SWEEPS):
        floor = max(prior.floor, warp.FIRST_FLOOR) if 2 * sweep < FEW_SWEEPS else prior.floor
        state = swept(state, Y[rows], replace(few, floor=floor), rng, learning=True)
    nearest = cdist(Y, Y[rows]).argmin(axis=1)
    beside = BESIDE * np.exp(state.parameters[LENGTHSCALE]) * rng.standard_normal((len(Y), dimensions))
    X, labels = state.X[nearest] + beside, state.labels[nearest]
    labels = partition.compact(labels) if prior.known is None else partition.obeying(labels, prior.known)
    parameters = _suiting(X, Y, labels, prior) if _is_full(X, Y) else state.parameters
    state = SamplerState(labels, X, parameters, LeapfrogStep.beginning(FIRST_STEP))
    return replace(state, level=log_density(state, Y, prior))


def _is_full(X: Array, Y: Array) -> bool:
    """Whether there are as many coordinates as columns.

    Where there are fewer, chains that move whole clusters left partitions of wine (13 columns, 2 coordinates) that
    agree with its classes for others of the same density (`benchmarks/clusters.py`), so they stay as they began.
    """
    return bool(X.shape[1] == Y.shape[1])


def _suiting(X: Array, Y: Array, labels: Labels, prior: MixturePrior) -> Array:
    """The most probable logarithms of the parameters (3,), given coordinates."""

    def loss(parameters: Array) -> tuple[float, Array]:
        warped, (level, pull) = prior.warp(X, parameters, Y), warp.log_prior(parameters)
        return -warped.log_evidence - level, -warped.slope()[1] - pull

    limits = [
        (float(mean - WITHIN * deviation), float(mean + WITHIN * deviation))
        for mean, deviation in zip(warp.PRIOR_MEANS, warp.PRIOR_DEVIATIONS, strict=True)
    ]
    return lowest(loss, [warp.PRIOR_MEANS], limits, [(STEPS_TO_SUIT, 1)])


def log_density(state: SamplerState, Y: Array, prior: MixturePrior) -> float:
    """Of everything together, but for a constant."""
    level = partition.log_prior(state.labels, prior.concentration)
    level += Assigned(prior.groups, state.labels).at(state.X)[0]
    if prior.warped:
        level += warp.log_prior(state.parameters)[0]
        level += prior.warp(state.X, state.parameters, Y).log_evidence
    return level


def swept(
    state: SamplerState, Y: Array, prior: MixturePrior, rng: np.random.Generator, *, learning: bool = False
) -> SamplerState:
    """One sweep: all assignments, at times a split or a merge, moves of whole groups, a Hamiltonian path.

    ``learning`` adapts the step of the path.
    """
    state = replace(_assigned(state, Y, prior, rng), sweeps=state.sweeps + 1)
    if not prior.warped:
        return replace(state, level=log_density(state, Y, prior))
    state = _resized(state, prior, rng)
    state = _rearranged(state, Y, prior, rng) if _is_full(state.X, Y) else state
    size = state.step.size if learning else state.step.averaged
    place, level, accepted = hamiltonian_step(_conditional(state, Y, prior), _flat(state), size, rng)
    step = state.step.learnt(accepted) if learning else state.step
    state = replace(state, X=place[:-3].reshape(state.X.shape), parameters=place[-3:], step=step)
    return replace(state, level=level + partition.log_prior(state.labels, prior.concentration))


def _assigned(state: SamplerState, Y: Array, prior: MixturePrior, rng: np.random.Generator) -> SamplerState:
    """All rows put into groups, one after the other, and at times groups split or merged."""
    known = prior.groups, prior.concentration, rng, prior.known
    labels = partition.gibbs(state.X, state.labels, *known)
    if rng.random() < SPLITTING:
        labels = partition.split_or_merge(state.X, labels, *known)
    return replace(state, labels=labels)


def _resized(state: SamplerState, prior: MixturePrior, rng: np.random.Generator) -> SamplerState:
    """All coordinates and the lengthscale a factor larger or smaller, and all shifted: the functions do not notice.

    Paths go such ways slowly, and these steps by Metropolis and Hastings take next to no time.
    """
    assigned, X, parameters = Assigned(prior.groups, state.labels), state.X, state.parameters
    level = assigned.at(X)[0] + warp.log_prior(parameters)[0]
    for width in RESIZED:
        for growth, shift in ((width, 0.0), (0.0, width)):
            growth, shift = growth * float(rng.standard_normal()), shift * rng.standard_normal(X.shape[1])
            place, other = np.exp(growth) * X + shift, parameters + growth * (np.arange(3) == LENGTHSCALE)
            there = assigned.at(place)[0] + warp.log_prior(other)[0]
            if np.log(rng.random()) < there - level + X.size * growth:
                X, parameters, level = place, other, there
    return replace(state, X=X, parameters=parameters)


def _rearranged(state: SamplerState, Y: Array, prior: MixturePrior, rng: np.random.Generator) -> SamplerState:
    """Whole groups turned, mirrored, moved and stretched, and lines bent."""
    assigned = Assigned(prior.groups, state.labels)

    def level_at(X: Array) -> float:
        return assigned.at(X)[0] + prior.warp(X, state.parameters, Y).log_evidence

    X, level = state.X, level_at(state.X)
    for propose in proposals(X.shape[1]) * REARRANGED:
        place, growth = propose(X, state.labels, rng)
        luck = np.log(rng.random())
        try:
            there = level_at(place)
        except NotPositiveDefinite:
            continue
        if luck < there - level + growth:
            X, level = place, there
    return replace(state, X=X)


def _flat(state: SamplerState) -> Array:
    return np.concatenate([state.X.ravel(), state.parameters])


def _conditional(state: SamplerState, Y: Array, prior: MixturePrior) -> Density:
    """The log density, with its gradient, of coordinates and parameters given the assignments."""
    assigned, shape = Assigned(prior.groups, state.labels), state.X.shape

    def density(place: Array) -> tuple[float, Array]:
        X, parameters = place[:-3].reshape(shape), place[-3:]
        warped = prior.warp(X, parameters, Y)
        by_place, by_parameter = warped.slope()
        log_prior, pull = warp.log_prior(parameters)
        together, by_group = assigned.at(X)
        slope = np.concatenate([(by_place + by_group).ravel(), by_parameter + pull])
        return warped.log_evidence + log_prior + together, slope

    return density


# --- Where latent coordinates begin: by the shortest tree of the rows, or by their principal components -------------


def first_places(Y: Array, dimensions: int, chain: int) -> Array:
    """Where a chain begins (N, Q), by its number from 0: by the shortest tree and by principal components in turn.

    Chains that began alike would agree on a mode that only their beginning leads to, and R-hat would not tell. The
    first one begins with the tree where there are as many coordinates as columns: there bent groups have to be made
    straight. Where there are fewer it begins with principal ones: across many columns the tree follows noise too.

    Examples
    --------
    >>> Y = np.random.default_rng(0).standard_normal((9, 3))
    >>> np.array_equal(first_places(Y, 3, 1), Y), np.array_equal(first_places(Y, 2, 1), tree_places(Y, 2))
    (True, True)
    """
    by_tree = (chain % 2 == 0) == (dimensions == Y.shape[1])
    return tree_places(Y, dimensions) if by_tree else principal_places(Y, dimensions)


def principal_places(Y: Array, dimensions: int) -> Array:
    """Principal coordinates (N, Q) of centred columns, of size 1 on the whole; the columns where Q is their number.

    Examples
    --------
    >>> line = np.array([[-2.0, -2.0], [0.0, 0.0], [2.0, 2.0]])
    >>> np.abs(principal_places(line, 1)[:, 0]).round(4).tolist()
    [1.2247, 0.0, 1.2247]
    """
    if dimensions == Y.shape[1]:
        return Y.copy()
    left, values, _ = np.linalg.svd(Y, full_matrices=False)
    X = np.zeros((len(Y), dimensions))
    X[:, : len(values)] = (left * values)[:, :dimensions]
    return X / max(float(np.sqrt((X * X).mean())), SMALLEST)


def tree_places(Y: Array, dimensions: int) -> Array:
    """Coordinates (N, Q) whose distances are near to those along the shortest tree that joins all rows.

    A curve of rows is straight then, and a ring is cut open where its rows are farthest apart: what functions of a
    latent space bend, and groups in it are not. Distances are mapped as by classical scaling (Torgerson 1952); those
    along all near neighbours (Tenenbaum et al. 2000) would leave a ring a ring.

    Examples
    --------
    >>> corner = np.array([[0.0, 2.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    >>> np.abs(np.diff(tree_places(corner, 1)[:, 0])).round(4).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    n = len(Y)
    tree = minimum_spanning_tree(squareform(pdist(Y) + APART))
    squares = shortest_path(tree, directed=False) ** 2
    rows = squares.mean(axis=0)
    inner = -0.5 * (squares - rows - rows[:, None] + rows.mean())
    count = min(dimensions, n)
    values, vectors = eigh(inner, subset_by_index=[n - count, n - 1])
    X = np.zeros((n, dimensions))
    X[:, :count] = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1]
    return X
