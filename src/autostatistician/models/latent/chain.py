"""One chain of the infinite warped mixture: assignments by Gibbs, coordinates and parameters by Hamiltonian steps.

All steps leave ONE distribution as it is: ``p(labels) p(X | labels) p(parameters) p(Y | X, parameters)``, means and
precisions of the groups integrated out. (In the original the two steps had priors of their own.)
"""

from __future__ import annotations

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
from autostatistician.models.latent.group_moves import proposals
from autostatistician.models.latent.hamiltonian import Density, LeapfrogStep, moved
from autostatistician.models.latent.normal_wishart import Assigned, NormalWishart
from autostatistician.models.latent.warp import SparseWarp, Warp

__all__ = ["MixturePrior", "SamplerState", "begun", "log_density", "swept"]


Array = NDArray[np.float64]

SMALLEST = 1e-12  # size of coordinates by which they are divided

APART = 1e-6  # added to distances: none at all is no edge of a graph

Labels = NDArray[np.intp]

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
    place, level, accepted = moved(_conditional(state, Y, prior), _flat(state), size, rng)
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
