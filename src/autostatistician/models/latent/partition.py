"""Which points belong together: Gibbs steps over partitions under a Dirichlet process, and splits and merges.

The classes of some points may be known (``known``: from 0 on, -1 where not). Then only those partitions are possible in
which each class has one group, and no other class the same; among these the process says what is probable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.special import gammaln

from autostatistician.models.latent.normal_wishart import Assigned, Groups, NormalWishart

__all__ = [
    "best_partition", "compact", "gibbs", "log_prior", "obeying", "obeys", "similarity", "split_or_merge",
    "variation_of_information",
]  # fmt: skip


Array = NDArray[np.float64]

Labels = NDArray[np.intp]

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


def between(labels: Labels, together: Array) -> Array:
    """For each point the share of draws in which it is not with its group (N,): 0 where it is sure.

    That is one less the mean similarity to the other points of its group; a point alone in its group is measured by
    its greatest similarity to any other.
    """
    member = _members(labels)
    counts = member.sum(axis=0)[labels]
    inside = ((member @ member.T) * together).sum(axis=1) - 1.0
    others = together - np.eye(len(labels))
    return np.asarray(np.where(counts > 1.0, 1.0 - inside / np.maximum(counts - 1.0, 1.0), others.max(axis=1)))


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
