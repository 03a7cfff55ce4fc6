"""Which points belong together: Gibbs steps over partitions under a Dirichlet process, and splits and merges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from autostatistician.latent.normal_wishart import Assigned, Groups, NormalWishart

__all__ = ["compact", "gibbs", "log_prior", "split_or_merge"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]


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


def gibbs(X: Array, labels: Labels, prior: NormalWishart, concentration: float, rng: np.random.Generator) -> Labels:
    """One sweep: each point in its turn is put where it belongs given all others, means and precisions integrated out.

    The weights of all points are computed at once; a move changes those of two groups only, for the points still to
    come. It is the sweep point by point, draw for draw.

    Parameters
    ----------
    X : array (N, Q)
        The points.
    labels : int array (N,)
        Where they are now, from 0 on without gaps.
    """
    labels, n = labels.copy(), len(X)
    chance = rng.random(n)
    groups = Groups.of(prior, X, labels, room=1)
    weights = _weights(X, labels, groups, concentration)
    start = 0
    while start < n:
        choice = _drawn(weights[start:], chance[start:])
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
    others = counts - (labels[:, None] == places)
    others = np.where(places == len(groups.counts) - 1, concentration, others)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(others) + groups.log_predictive(X, labels, at))


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
    X: Array, labels: Labels, prior: NormalWishart, concentration: float, rng: np.random.Generator
) -> Labels:
    """One proposal to split a group, or to merge two (Dahl 2005: points join one of two seeds, one after the other).

    Where the two seeds are in one group it is a split, else a merge; both are accepted by Metropolis and Hastings.
    """
    n = len(X)
    if n < 2:
        return labels
    first, second = (int(k) for k in rng.choice(n, 2, replace=False))
    members = np.flatnonzero((labels == labels[first]) | (labels == labels[second]))
    rest = rng.permutation(members[(members != first) & (members != second)])
    split = labels[first] == labels[second]
    wanted = None if split else labels[rest] == labels[second]
    side, log_chance = _allocated(X, first, second, rest, wanted, prior, rng)
    apart, together = np.zeros(len(members), dtype=np.intp), np.zeros(len(members), dtype=np.intp)
    apart[np.searchsorted(members, [second, *rest[side]])] = 1
    gain = _log_joint(X[members], apart, prior, concentration) - _log_joint(X[members], together, prior, concentration)
    if np.log(rng.random()) >= (gain - log_chance if split else log_chance - gain):
        return labels
    labels = labels.copy()
    if split:
        labels[members[apart == 1]] = labels.max() + 1
    else:
        labels[members] = labels[first]
    return compact(labels)


def _allocated(
    X: Array,
    first: int,
    second: int,
    rest: Labels,
    wanted: NDArray[np.bool_] | None,
    prior: NormalWishart,
    rng: np.random.Generator,
) -> tuple[NDArray[np.bool_], float]:
    """Points put in turn to the first or (True) the second seed, or as wanted, and the log probability of that."""
    groups = Groups.of(prior, X[[first, second]], np.array([0, 1]))
    outside = np.array([-1])
    chances, side, total = rng.random(len(rest)), np.zeros(len(rest), dtype=bool), 0.0
    for place, point in enumerate(rest):
        weight = np.log(groups.counts) + groups.log_predictive(X[point : point + 1], outside)[0]
        log_odds = float(weight[1] - weight[0])
        if wanted is None:
            side[place] = chances[place] < 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))
        else:
            side[place] = wanted[place]
        total -= float(np.logaddexp(0.0, -log_odds if side[place] else log_odds))
        groups.add(int(side[place]), X[point])
    return side, total


def _log_joint(X: Array, labels: Labels, prior: NormalWishart, concentration: float) -> float:
    """The part of the log density of partition and points that a split or a merge of these changes."""
    counts = np.bincount(labels)
    return float(Assigned(prior, labels).at(X)[0] + len(counts) * np.log(concentration) + gammaln(counts).sum())
