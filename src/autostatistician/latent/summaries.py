"""Many partitions told without names of their groups: what is together how often, and the partition nearest to all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from autostatistician.latent.partition import compact, obeys

__all__ = ["best_partition", "between", "similarity", "variation_of_information"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

MOST_GROUPS = 30  # of the partitions that are cut from the tree of similarities
FINALISTS = 10


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
