"""What may be said of the clusters that chains have found."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.clusters import ChainTrace, ClustersFound
from autostatistician.describe.facts.clusters import (
    Agreement,
    BetweenRow,
    ChainCourse,
    Cluster,
    ClusterCount,
    ClusterFindings,
)
from autostatistician.describe.observe.clusters.maps import latent_map, observed_maps, state_map
from autostatistician.describe.observe.clusters.traits import traits_of
from autostatistician.wording.messages import again

__all__ = ["cluster_findings"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

SURE = 0.95  # probability of the range of numbers of clusters
BETWEEN = 0.5  # a row is between where another cluster is at least half as often its own
MOST_SWEEPS_SHOWN = 400


def cluster_findings(partition: ClustersFound) -> ClusterFindings:
    """The facts and curves of a partition, its clusters counted from the largest."""
    places = _places(partition.labels)
    shares = _shares(places, partition.similarity)
    clusters = tuple(_clusters(partition, places, shares))
    return ClusterFindings(
        name=partition.name,
        n=len(places),
        columns=partition.columns,
        count=_count(partition, len(clusters)),
        clusters=clusters,
        between=tuple(_between(partition, places, shares)),
        agreement=Agreement(
            id="agreement", number=partition.r_hat, unit="1", evidence="R-hat of the chains",
            effective=partition.effective, draws=partition.draws, chains=len(partition.traces),
            sweeps=partition.sweeps, asked=partition.asked,
        ),
        labels=tuple(zip(partition.numbers.tolist(), places.tolist(), strict=True)),
        observed=observed_maps(partition.rows, partition.columns, places, partition.drawn, clusters),
        latent=latent_map(partition.latent, places),
        courses=tuple(_course(trace, partition.warm_up) for trace in partition.traces),
        states=tuple(
            (state.sweep, state_map(state.latent, _alike(_places(state.labels), places))) for state in partition.states
        ),
        warnings=tuple(map(again, partition.notes)),
    )  # fmt: skip


def _places(labels: Labels) -> Labels:
    """The clusters of rows (n,), numbered from 1 by their sizes; of equal ones that of the first row first.

    >>> _places(np.array([5, 2, 2])).tolist()
    [2, 1, 1]
    """
    names, first, counts = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))
    rank = np.empty(len(names), dtype=np.intp)
    rank[order] = np.arange(1, len(names) + 1)
    return np.asarray(rank[np.searchsorted(names, labels)])


def _alike(labels: Labels, places: Labels) -> Labels:
    """Clusters (n,), numbered from the largest, under the places that most of their rows have; others come after.

    >>> _alike(np.array([1, 1, 1, 2, 2, 3]), np.array([2, 2, 1, 1, 1, 1])).tolist()
    [2, 2, 2, 1, 1, 3]
    """
    renamed, free = np.zeros_like(labels), set(np.unique(places).tolist())
    further = int(places.max())
    for label in np.unique(labels):
        counts = np.bincount(places[labels == label])
        best = max(free, key=lambda place: counts[place] if place < len(counts) else 0, default=0)
        if best and best < len(counts) and counts[best]:
            free.discard(best)
        else:
            best = further = further + 1
        renamed[labels == label] = best
    return renamed


def _shares(places: Labels, similarity: Array) -> Array:
    """How often each row is with the other rows of each cluster (n, C)."""
    member = (places[:, None] == np.arange(1, places.max() + 1)).astype(float)
    together = (similarity - np.diag(similarity.diagonal())) @ member
    return np.asarray(together / np.maximum(member.sum(axis=0) - member, 1.0))


def _count(partition: ClustersFound, clusters: int) -> ClusterCount:
    numbers = tuple(sorted(partition.counts))
    probability = dict(numbers).get(clusters, 0.0)
    return ClusterCount(
        id="clusters", number=float(clusters), unit="1", evidence="posterior of the partitions",
        rows=len(partition.labels), probabilities=numbers, probability=probability, interval=_range(numbers),
    )  # fmt: skip


def _range(numbers: tuple[tuple[int, float], ...]) -> tuple[float, float]:
    """The shortest range of numbers that holds the probability asked for."""
    values, weights = (np.array(each) for each in zip(*numbers, strict=True))
    ranges = [
        (values[j] - values[i], -weights[i : j + 1].sum(), i, j)
        for i in range(len(values))
        for j in range(i, len(values))
        if weights[i : j + 1].sum() >= min(SURE, weights.sum())
    ]
    _, _, low, high = min(ranges)
    return float(values[low]), float(values[high])


def _clusters(partition: ClustersFound, places: Labels, shares: Array) -> Iterator[Cluster]:
    for place in range(1, int(places.max()) + 1):
        inside = places == place
        others = _others(places, place)
        with_others = shares[inside][:, others - 1].mean(axis=0)
        partner = int(others[with_others.argmax()]) if len(others) else None
        yield Cluster(
            id=f"cluster/{place}", number=float(inside.sum()), unit="1", evidence="best partition", place=place,
            of=len(places), traits=traits_of(partition.rows, partition.columns, inside),
            together=float(shares[inside, place - 1].mean()) if inside.sum() > 1 else 1.0, partner=partner,
            shared=float(with_others.max()) if len(others) else 0.0,
            row=int(partition.numbers[inside][0]) if inside.sum() == 1 else None,
        )  # fmt: skip


def _others(places: Labels, place: int) -> Labels:
    """The other clusters; those of one row only where there is nothing else."""
    sizes = np.bincount(places)[1:]
    others = np.delete(np.arange(1, len(sizes) + 1), place - 1)
    larger = others[sizes[others - 1] > 1]
    return larger if len(larger) else others


def _between(partition: ClustersFound, places: Labels, shares: Array) -> Iterator[BetweenRow]:
    """The rows that are between clusters of several, those of which least is known first."""
    single = np.bincount(places)[1:] == 1
    if np.sum(~single) < 2:
        return
    rows = np.arange(len(places))
    own_share = np.where(single[places - 1], 9.0, shares[rows, places - 1])  # a row alone is between no two
    elsewhere = np.where(single, -1.0, shares)
    elsewhere[rows, places - 1] = -1.0
    other = elsewhere.argmax(axis=1)
    away = elsewhere[rows, other]
    for row in sorted(np.flatnonzero(away >= BETWEEN * own_share), key=lambda place: own_share[place] - away[place]):
        yield BetweenRow(
            id=f"row/{partition.numbers[row]}", number=float(partition.numbers[row]), unit="1",
            evidence="posterior similarity", place=int(places[row]), other=int(other[row]) + 1,
            own_share=float(own_share[row]), other_share=float(away[row]),
        )  # fmt: skip


def _course(trace: ChainTrace, warm_up: int) -> ChainCourse:
    every = np.unique(np.linspace(0, len(trace.clusters) - 1, min(len(trace.clusters), MOST_SWEEPS_SHOWN)).astype(int))
    return ChainCourse(every + 1.0, np.asarray(trace.clusters[every], dtype=float), warm_up)
