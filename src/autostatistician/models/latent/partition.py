"""Which points belong together: Gibbs steps over partitions under a Dirichlet process, and splits and merges.

The classes of some points may be known (``known``: from 0 on, -1 where not). Then only those partitions are possible in
which each class has one group, and no other class the same; among these the process says what is probable.

A normal distribution of unknown mean and precision: what groups of points say about it, and about further points.

The prior is the conjugate one, ``p(m, R) = N(m | centre, (strength R)^-1) W(R | scale^-1, freedom)``; means and
precisions are integrated out everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.special import gammaln, multigammaln

__all__ = [
    "Assigned", "Groups", "NormalWishart", "best_partition", "compact", "gibbs", "log_prior", "obeying", "obeys",
    "similarity", "split_or_merge", "variation_of_information",
]  # fmt: skip


Array = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class NormalWishart:
    """The prior of mean and precision of a group in Q dimensions, or its posterior.

    Examples
    --------
    >>> NormalWishart.standard(2, strength=0.5)
    NormalWishart(centre=array([0., 0.]), strength=0.5, scale=array([[1., 0.],
           [0., 1.]]), freedom=2.0)
    """

    centre: Array  # (Q,)
    strength: float  # of the mean, in points
    scale: Array  # (Q, Q), the inverse of what the Wishart distribution is usually given
    freedom: float  # above Q - 1

    @classmethod
    def standard(cls, dimensions: int, strength: float = 1.0, freedom: float | None = None) -> NormalWishart:
        """Around zero, of unit scale, with as many degrees of freedom as dimensions where none are given."""
        return cls(np.zeros(dimensions), strength, np.eye(dimensions), float(freedom or dimensions))


@dataclass(eq=False)
class Groups:
    """The posterior of each of C groups; mutable, as points come and go."""

    prior: NormalWishart
    counts: Array  # (C,)
    sums: Array  # (C, Q)
    squares: Array  # (C, Q, Q): the sums of the outer products

    @classmethod
    def of(cls, prior: NormalWishart, X: Array, labels: Labels, room: int = 0) -> Groups:
        """Groups of points (N, Q) by labels from 0 on, and as many empty ones after them as asked for."""
        member = np.zeros((int(labels.max(initial=-1)) + 1 + room, len(X)))
        member[labels, np.arange(len(X))] = 1.0
        return cls(prior, member.sum(axis=1), member @ X, _squares(member, X))

    def add(self, group: int, x: Array, sign: float = 1.0) -> None:
        """Put a point (Q,) into a group, or with ``sign=-1`` take it out."""
        self.counts[group] += sign
        self.sums[group] += sign * x
        self.squares[group] += sign * np.multiply.outer(x, x)

    def posterior(self, at: slice | Labels = slice(None)) -> tuple[Array, Array, Array, Array]:
        """Strengths (c,), centres (c, Q), scales (c, Q, Q) and degrees of freedom (c,) of groups."""
        prior, counts = self.prior, self.counts[at]
        strength, freedom = prior.strength + counts, prior.freedom + counts
        centre = (prior.strength * prior.centre + self.sums[at]) / strength[:, None]
        start = prior.scale + prior.strength * np.multiply.outer(prior.centre, prior.centre)
        scale = start + self.squares[at] - strength[:, None, None] * (centre[:, :, None] * centre[:, None, :])
        return strength, centre, scale, freedom

    def log_predictive(self, X: Array, labels: Labels, at: slice | Labels = slice(None)) -> Array:
        """The log densities (N, c) of points in each group, given its other points.

        For a point of the group itself (``labels``) it is left out first: by a formula, not by another factor.
        """
        strength, centre, scale, freedom = self.posterior(at)
        logdet, distance = _distances(X, centre, scale)
        densities = self._constant(strength, freedom) - 0.5 * logdet
        densities = densities - 0.5 * (freedom + 1.0) * np.log1p(strength / (strength + 1.0) * distance)
        rows, columns = np.nonzero(labels[:, None] == np.arange(len(self.counts))[at])
        before, free = strength[columns] - 1.0, freedom[columns] - 1.0
        nearness = np.minimum(strength[columns] / before * distance[rows, columns], 1.0 - 1e-15)
        without = self._constant(strength - 1.0, freedom - 1.0) - 0.5 * logdet
        densities[rows, columns] = without[columns] + 0.5 * free * np.log1p(-nearness)
        return np.asarray(densities)

    def _constant(self, strength: Array, freedom: Array) -> Array:
        """What all densities in groups (c,) have in common; of empty groups, less a point, it is no number."""
        dimensions = self.sums.shape[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 0.5 * dimensions * (np.log(strength / (strength + 1.0)) - np.log(np.pi))
            return np.asarray(scale + gammaln(0.5 * (freedom + 1.0)) - gammaln(0.5 * (freedom + 1.0 - dimensions)))

    def draw(self, groups: Labels, rng: np.random.Generator) -> Array:
        """A further point (M, Q) of each named group, from its Student-t distribution."""
        strength, centre, scale, freedom = self.posterior()
        dimensions = scale.shape[1]
        degrees = freedom + 1.0 - dimensions
        root = np.linalg.cholesky(scale * ((strength + 1.0) / (strength * degrees))[:, None, None])
        normal = rng.standard_normal((len(groups), dimensions))
        spread = np.sqrt(degrees[groups] / rng.chisquare(degrees[groups]))
        return np.asarray(centre[groups] + np.einsum("nij,nj->ni", root[groups], normal) * spread[:, None])


class Assigned:
    """Points whose groups stay as they are: the log density of all of them, means and precisions integrated out.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0]])
    >>> value, slope = Assigned(NormalWishart.standard(1), np.array([0, 0])).at(points)
    >>> round(value, 4), np.round(slope, 4).tolist()
    (-3.1534, [[0.6], [-1.2]])
    """

    def __init__(self, prior: NormalWishart, labels: Labels) -> None:
        self.prior, self.labels = prior, labels
        self.member = np.zeros((int(labels.max(initial=-1)) + 1, len(labels)))
        self.member[labels, np.arange(len(labels))] = 1.0
        self.counts = self.member.sum(axis=1)
        dimensions = len(prior.centre)
        after = _log_constant(prior.strength + self.counts, prior.freedom + self.counts, dimensions)
        before = _log_constant(np.array([prior.strength]), np.array([prior.freedom]), dimensions)
        before = before - 0.5 * prior.freedom * np.linalg.slogdet(prior.scale)[1]
        self.constant = float((after - before).sum() - 0.5 * len(labels) * dimensions * np.log(np.pi))

    def at(self, X: Array) -> tuple[float, Array]:
        """The log density of points (N, Q) (Duvenaud 2014, chapter 7), and its gradient (N, Q)."""
        groups = Groups(self.prior, self.counts, self.member @ X, _squares(self.member, X))
        _, centre, scale, freedom = groups.posterior()
        value = self.constant - 0.5 * float(freedom @ np.linalg.slogdet(scale)[1])
        pull = freedom[:, None, None] * np.linalg.inv(scale)
        away = X - centre[self.labels]
        return value, -(pull[self.labels] @ away[:, :, None])[:, :, 0]


def _log_constant(strength: Array, freedom: Array, dimensions: int) -> Array:
    """But for powers of pi and 2 that cancel: ``log [ strength^(-Q/2) Gamma_Q(freedom/2) ]``."""
    return np.asarray(multigammaln(0.5 * freedom, dimensions) - 0.5 * dimensions * np.log(strength))


def _squares(member: Array, X: Array) -> Array:
    """The sums (C, Q, Q) of outer products of points (N, Q) in groups (C, N)."""
    dimensions = X.shape[1]
    outer = (X[:, :, None] * X[:, None, :]).reshape(len(X), dimensions**2)
    return np.asarray((member @ outer).reshape(len(member), dimensions, dimensions))


def _distances(X: Array, centre: Array, scale: Array) -> tuple[Array, Array]:
    """Log determinants (c,) of scales, and ``(x - centre)' scale^-1 (x - centre)`` (N, c)."""
    lower = np.linalg.cholesky(scale)
    inverse = np.linalg.inv(lower)
    white = np.einsum("cij,ncj->nci", inverse, X[:, None, :] - centre)
    logdet = 2.0 * np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)
    return logdet, np.einsum("nci,nci->nc", white, white)


MOST_GROUPS = 30  # of the partitions that are cut from the tree of similarities

FINALISTS = 10


def log_prior(labels: Labels, concentration: float) -> float:
    """The log probability of a partition (a Chinese restaurant process).

    Examples
    --------
    >>> both = [log_prior(np.array(labels), 2.0) for labels in ([0, 0], [0, 1])]
    >>> np.exp(both).round(6).tolist()
    [0.333333, 0.666667]
    """
    counts = np.bincount(labels)
    whole = gammaln(concentration) - gammaln(concentration + len(labels))
    return float(whole + len(counts) * np.log(concentration) + gammaln(counts).sum())


def compact(labels: Labels) -> Labels:
    """The same partition with labels 0, 1, ... in the order in which they come.

    Examples
    --------
    >>> compact(np.array([7, 3, 7, 0])).tolist()
    [0, 1, 0, 2]
    """
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse.reshape(-1)])


def obeys(labels: Labels, known: Labels) -> bool:
    """Whether each class that is known has one group, and no other class the same.

    Examples
    --------
    >>> [obeys(np.array([0, 0, 1]), np.array(known)) for known in ([0, 0, -1], [0, -1, 0], [0, 1, -1])]
    [True, False, False]
    """
    pairs = np.unique(np.column_stack([known, labels])[known >= 0], axis=0)
    return all(len(np.unique(column)) == len(pairs) for column in pairs.T)


def obeying(labels: Labels, known: Labels) -> Labels:
    """A partition that obeys: classes get groups of their own, and the other points of groups where they were most.

    Examples
    --------
    >>> obeying(np.array([0, 0, 0, 1, 1]), np.array([0, 0, -1, 1, 0])).tolist()
    [0, 0, 0, 1, 0]
    """
    labels, first = labels.copy(), int(labels.max(initial=-1)) + 1
    held = known >= 0
    for group in np.unique(labels[held]):
        inside = labels == group
        labels[inside & ~held] = first + np.bincount(known[inside & held]).argmax()
    labels[held] = first + known[held]
    return compact(labels)


def gibbs(
    X: Array,
    labels: Labels,
    prior: NormalWishart,
    concentration: float,
    rng: np.random.Generator,
    known: Labels | None = None,
) -> Labels:
    """One sweep: each point in its turn is put where it belongs given all others, means and precisions integrated out.

    The weights of all points are computed at once; a move changes those of two groups only, for the points still to
    come. It is the sweep point by point, draw for draw.

    Parameters
    ----------
    X : array (N, Q)
        The points.
    labels : int array (N,)
        Where they are now, from 0 on without gaps.
    known : int array (N,), optional
        Classes of points. Points of a class stay where they are; that others come and go is enough.
    """
    labels, n = labels.copy(), len(X)
    chance = rng.random(n)
    groups = Groups.of(prior, X, labels, room=1)
    weights = _weights(X, labels, groups, concentration)
    start = 0
    while start < n:
        choice = _drawn(weights[start:], chance[start:])
        if known is not None:
            choice = np.where(known[start:] >= 0, labels[start:], choice)
        moved = np.flatnonzero(choice != labels[start:])
        if not len(moved):
            break
        here = start + int(moved[0])
        old, new = int(labels[here]), int(choice[moved[0]])
        start = here + 1
        if new == len(groups.counts) - 1:  # an empty group: a new one, unless the point was alone
            if groups.counts[old] == 1.0:
                continue
            groups, weights = _with_room(groups, weights)
        groups.add(old, X[here], -1.0)
        groups.add(new, X[here])
        labels[here] = new
        touched = np.unique([old, new, len(groups.counts) - 1])
        weights[start:, touched] = _weights(X[start:], labels[start:], groups, concentration, touched)
    return compact(labels)


def _weights(X: Array, labels: Labels, groups: Groups, concentration: float, at: slice | Labels = slice(None)) -> Array:
    """Log weights (N, c) of groups for points that are taken out of their own; the last group is the new one."""
    counts = groups.counts[at]
    places = np.arange(len(groups.counts))[at]
    sizes_without = counts - (labels[:, None] == places)
    sizes_without = np.where(places == len(groups.counts) - 1, concentration, sizes_without)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(sizes_without) + groups.log_predictive(X, labels, at))


def _drawn(weights: Array, chance: Array) -> Labels:
    """A column for each row, by its weight."""
    cumulated = np.exp(weights - weights.max(axis=1, keepdims=True)).cumsum(axis=1)
    return np.asarray((cumulated < chance[:, None] * cumulated[:, -1:]).sum(axis=1))


def _with_room(groups: Groups, weights: Array) -> tuple[Groups, Array]:
    """One more empty group at the end."""
    empty = np.zeros_like(groups.sums[:1]), np.zeros_like(groups.squares[:1])
    more = Groups(
        groups.prior,
        np.append(groups.counts, 0.0),
        np.concatenate([groups.sums, empty[0]]),
        np.concatenate([groups.squares, empty[1]]),
    )
    return more, np.column_stack([weights, np.full(len(weights), -np.inf)])


def split_or_merge(
    X: Array,
    labels: Labels,
    prior: NormalWishart,
    concentration: float,
    rng: np.random.Generator,
    known: Labels | None = None,
) -> Labels:
    """One proposal to split a group, or to merge two (Dahl 2005: points join one of two seeds, one after the other).

    Where the two seeds are in one group it is a split, else a merge; both are accepted by Metropolis and Hastings.
    Points of a known class go together: with a seed among them, or else to either side with probability a half.
    """
    if len(X) < 2:
        return labels
    first, second = (int(k) for k in rng.choice(len(X), 2, replace=False))
    members = np.flatnonzero((labels == labels[first]) | (labels == labels[second]))
    block = members[:0] if known is None else members[known[members] >= 0]
    if known is not None and (len(np.unique(known[block])) > 1 or {first, second} <= set(block.tolist())):
        return labels  # two classes, or parts of one
    split = labels[first] == labels[second]
    begun, log_begun = _begun(first, second, block, None if split else labels, rng)
    rest = rng.permutation(np.setdiff1d(members, begun[0]))
    required = None if split else labels[rest] == labels[second]
    side, log_chance = _allocated(X, begun, rest, required, prior, rng)
    log_chance += log_begun
    apart, merged = np.zeros(len(members), dtype=np.intp), np.zeros(len(members), dtype=np.intp)
    apart[np.searchsorted(members, [*begun[0][begun[1] == 1], *rest[side]])] = 1
    gain = _log_joint(X[members], apart, prior, concentration) - _log_joint(X[members], merged, prior, concentration)
    proposed = labels.copy()
    if split:
        proposed[members[apart == 1]] = labels.max() + 1
    else:
        proposed[members] = labels[first]
    log_ratio = gain - log_chance if split else log_chance - gain
    return labels if np.log(rng.random()) >= log_ratio else compact(proposed)


def _begun(
    first: int, second: int, block: Labels, labels: Labels | None, rng: np.random.Generator
) -> tuple[tuple[Labels, Labels], float]:
    """The points whose sides stand before the others are put, their sides, and the log probability of these.

    Where there are labels they say the sides.
    """
    others, side, log_chance = block[(block != first) & (block != second)], int(second in block), 0.0
    if len(others) == len(block) > 0:
        side = int(rng.integers(2)) if labels is None else int(labels[others[0]] == labels[second])
        log_chance = -float(np.log(2.0))
    return (np.array([first, second, *others]), np.array([0, 1, *np.full(len(others), side)])), log_chance


def _allocated(
    X: Array,
    begun: tuple[Labels, Labels],
    rest: Labels,
    required: NDArray[np.bool_] | None,
    prior: NormalWishart,
    rng: np.random.Generator,
) -> tuple[NDArray[np.bool_], float]:
    """Points put in turn to the first or (True) the second side, or as wanted, and the log probability of that."""
    groups = Groups.of(prior, X[begun[0]], begun[1])
    outside = np.array([-1])
    chances, side, total = rng.random(len(rest)), np.zeros(len(rest), dtype=bool), 0.0
    for place, point in enumerate(rest):
        weight = np.log(groups.counts) + groups.log_predictive(X[point : point + 1], outside)[0]
        log_odds = float(weight[1] - weight[0])
        if required is None:
            side[place] = chances[place] < 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))
        else:
            side[place] = required[place]
        total -= float(np.logaddexp(0.0, -log_odds if side[place] else log_odds))
        groups.add(int(side[place]), X[point])
    return side, total


def _log_joint(X: Array, labels: Labels, prior: NormalWishart, concentration: float) -> float:
    """The part of the log density of partition and points that a split or a merge of these changes."""
    counts = np.bincount(labels)
    return float(Assigned(prior, labels).at(X)[0] + len(counts) * np.log(concentration) + gammaln(counts).sum())


# --- Many partitions told without names of their groups -------------------------------------------------------------


def similarity(partitions: Labels) -> Array:
    """How often each pair of points is together in partitions (K, N): (N, N), from 0 to 1.

    Examples
    --------
    >>> similarity(np.array([[0, 0, 1], [0, 1, 1]])).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    n = partitions.shape[1]
    together = np.zeros((n, n))
    for labels in partitions:
        member = _members(labels)
        together += member @ member.T
    return together / max(len(partitions), 1)


def variation_of_information(first: Labels, other: Labels) -> float:
    """The distance of two partitions, in bits (Meila 2007): what each says that the other does not.

    Examples
    --------
    >>> variation_of_information(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    2.0
    """
    n = len(first)
    together = _members(first).T @ _members(other)
    rows, columns = together.sum(axis=1), together.sum(axis=0)
    return float((_information(rows) + _information(columns) - 2.0 * _information(together.ravel())) / n)


def best_partition(partitions: Labels, known: Labels | None = None) -> Labels:
    """The partition with the least expected variation of information from those drawn (Wade and Ghahramani 2018).

    Looked at are the draws themselves and the cuts of the tree of their similarities; a lower bound says which few
    are compared with all draws. Where classes (N,) are known it obeys them, as the draws do.

    Examples
    --------
    >>> best_partition(np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 2]])).tolist()
    [0, 0, 1, 1]
    """
    together = similarity(partitions)
    candidates = np.unique(np.array([compact(labels) for labels in [*partitions, *_cuts(together)]]), axis=0)
    if known is not None:
        candidates = np.array([labels for labels in candidates if obeys(labels, known)])
    bounds = np.array([_bound(labels, together) for labels in candidates])
    finalists = candidates[np.argsort(bounds, kind="stable")[:FINALISTS]]
    drawn, times = np.unique(np.array([compact(labels) for labels in partitions]), axis=0, return_counts=True)
    losses = [
        sum(k * variation_of_information(labels, other) for other, k in zip(drawn, times, strict=True))
        for labels in finalists
    ]
    return np.asarray(finalists[int(np.argmin(losses))])


def _cuts(together: Array) -> list[Labels]:
    """Partitions of 1, 2, ... groups, by the mean similarity between groups."""
    n = len(together)
    if n < 2:
        return []
    tree = linkage(squareform(np.maximum(1.0 - together, 0.0), checks=False), method="average")
    return [fcluster(tree, k, criterion="maxclust").astype(np.intp) for k in range(1, min(n, MOST_GROUPS) + 1)]


def _bound(labels: Labels, together: Array) -> float:
    """A lower bound of the expected variation of information, but for what does not depend on the labels."""
    member = _members(labels)
    shared = ((member @ member.T) * together).sum(axis=1)
    counts = member.sum(axis=0)[labels]
    return float((np.log2(counts) - 2.0 * np.log2(np.maximum(shared, 1e-300))).mean())


def _members(labels: Labels) -> Array:
    member = np.zeros((len(labels), int(labels.max(initial=0)) + 1))
    member[np.arange(len(labels)), labels] = 1.0
    return member


def _information(counts: Array) -> float:
    counts = counts[counts > 0.0]
    return float((counts * np.log2(counts)).sum())
