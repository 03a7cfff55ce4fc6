"""What may be said of the clusters that chains have found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from autostatistician.decompose.records.clusters import ChainTrace, ClustersFound
from autostatistician.describe.facts.clusters import (
    Agreement,
    BetweenRow,
    ChainCourse,
    Cluster,
    ClusterCount,
    ClusterFindings,
    ClusterMap,
    Trait,
    TraitSide,
)
from autostatistician.wording.messages import again, note

__all__ = ["cluster_findings"]


Array = NDArray[np.float64]

Labels = NDArray[np.intp]

GRID = 60  # places of each axis

SHARES = (0.9, 0.5)  # of what is expected, around which a density has its levels

MOST_COLUMNS = 3  # that are shown in pairs

MARGIN = 0.08  # of the range of the rows

NOTHING = np.zeros(0)

MIDDLE = (0.05, 0.95)  # quantiles of a cluster (outwards to the next row) that are told as its range

CLEAR = 0.8  # share of pairs in one order, or of other rows outside, from which a column is worth telling

MOST_TRAITS = 4

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


# --- The columns in which a cluster differs from all other rows -----------------------------------------------------


def traits_of(rows: Array, columns: tuple[str, ...], inside: NDArray[np.bool_]) -> tuple[Trait, ...]:
    """The traits of the rows that are ``inside`` (n,), the clearest first; none where there are no others.

    >>> rows = np.array([[1.0, 5.0], [2.0, 6.0], [8.0, 5.5], [9.0, 4.5]])
    >>> [(one.column, one.side.value, one.clear) for one in traits_of(rows, ("a", "b"), np.arange(4) < 2)]
    [('a', 'lower', 1.0)]
    """
    if inside.all():
        return ()
    traits = (_trait(values, name, inside) for values, name in zip(rows.T, columns, strict=True))
    clear = [trait for trait in traits if trait.clear >= CLEAR]
    order = {name: place for place, name in enumerate(columns)}
    clear.sort(key=lambda trait: (trait.side is TraitSide.AMONG, -trait.clear, order[trait.column]))
    return tuple(clear[:MOST_TRAITS])


def _trait(values: Array, column: str, inside: NDArray[np.bool_]) -> Trait:
    members, others = values[inside], values[~inside]
    ranks = rankdata(values)[inside]
    above = float((ranks.sum() - 0.5 * len(members) * (len(members) + 1)) / (len(members) * len(others)))
    low, high = (
        float(np.quantile(members, MIDDLE[0], method="lower")),
        float(np.quantile(members, MIDDLE[1], method="higher")),
    )
    outside = float(np.mean((others < low) | (others > high)))
    if max(above, 1.0 - above) >= CLEAR or len(members) < 3:
        side = TraitSide.ABOVE if above > 0.5 else TraitSide.BELOW
        return Trait(column=column, low=low, high=high, side=side, clear=max(above, 1.0 - above))
    return Trait(column=column, low=low, high=high, side=TraitSide.AMONG, clear=outside)


# --- Pictures of clusters as arrays ---------------------------------------------------------------------------------


def observed_maps(
    rows: Array, columns: tuple[str, ...], places: Labels, drawn: Array, clusters: Sequence[Cluster]
) -> tuple[ClusterMap, ...]:
    """The pairs of the columns that tell most clusters apart; of a single column its density."""
    if len(columns) == 1:
        return (_along(rows[:, 0], columns[0], places, drawn[:, 0]),)
    chosen = _telling(rows, columns, places, clusters)[:MOST_COLUMNS]
    return tuple(
        _map(rows[:, pair], (columns[pair[0]], columns[pair[1]]), places, drawn[:, pair])
        for pair in (sorted(couple) for couple in combinations(chosen, 2))
    )


def latent_map(latent: Array, places: Labels) -> ClusterMap | None:
    """Rows by their two widest latent coordinates, with a normal distribution for every cluster; None of one alone."""
    if latent.shape[1] < 2:
        return None
    first, second = sorted(np.argsort(-latent.var(axis=0), kind="stable")[:2].tolist())
    at = latent[:, [first, second]]
    x, y = _axis(at[:, 0]), _axis(at[:, 1])
    density = _mixture(at, places, x, y)
    return ClusterMap(_coordinate(first), _coordinate(second), _groups(at, places), x, y, density, _levels(density))


def _coordinate(place: int) -> str:
    return note("latent coordinate {number}", number=place + 1)


def state_map(latent: Array, places: Labels) -> ClusterMap:
    """Rows by their first two latent coordinates (or one, and nothing) without a density."""
    at = latent[:, :2] if latent.shape[1] > 1 else np.column_stack([latent[:, 0], np.zeros(len(latent))])
    return ClusterMap("", "", _groups(at, places), NOTHING, NOTHING, np.zeros((0, 0)), ())


def _telling(rows: Array, columns: tuple[str, ...], places: Labels, clusters: Sequence[Cluster]) -> list[int]:
    """Columns by how much of their variance is between clusters; of one cluster, as they stand."""
    if len(clusters) < 2:
        return list(range(len(columns)))
    means = np.array([rows[places == cluster.place].mean(axis=0) for cluster in clusters])
    between = means[places - 1].var(axis=0) / rows.var(axis=0)
    return [int(column) for column in np.argsort(-between, kind="stable")]


def _map(at: Array, names: tuple[str, str], places: Labels, drawn: Array) -> ClusterMap:
    x, y = _axis(at[:, 0]), _axis(at[:, 1])
    density = _kernels(x, drawn[:, 0]) @ _kernels(y, drawn[:, 1]).T / len(drawn)
    return ClusterMap(*names, _groups(at, places), x, y, density, _levels(density))


def _along(values: Array, name: str, places: Labels, drawn: Array) -> ClusterMap:
    """The density of one column: rows stand at its height."""
    axis = _axis(values)
    height = _kernels(axis, drawn).mean(axis=1)
    at = np.column_stack([values, np.interp(values, axis, height)])
    return ClusterMap(name, "density", _groups(at, places), axis, height, np.zeros((0, 0)), ())


def _axis(values: Array) -> Array:
    low, high = float(values.min()), float(values.max())
    room = MARGIN * (high - low) or 1.0
    return np.linspace(low - room, high + room, GRID)


def _kernels(axis: Array, drawn: Array) -> Array:
    """Normal kernels about drawn values at the places of an axis (places, draws), as wide as their middle half says."""
    low, high = np.quantile(drawn, [0.25, 0.75])
    width = max(0.5 * min(float(drawn.std()), float(high - low) / 1.34 or np.inf) * len(drawn) ** (-1.0 / 6.0), 1e-300)
    width = max(width, 0.7 * float(axis[1] - axis[0]))
    kernels = np.exp(-0.5 * ((axis[:, None] - drawn) / width) ** 2)
    return np.asarray(kernels / (width * np.sqrt(2.0 * np.pi)))


def _mixture(at: Array, places: Labels, x: Array, y: Array) -> Array:
    """Normal distributions with the means and covariances of the clusters, by their sizes, on a grid."""
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    density = np.zeros(grid.shape[:2])
    for place in np.unique(places):
        members = at[places == place]
        mean = members.mean(axis=0)
        spread = (members - mean).T @ (members - mean) + 0.05 * np.diag(at.var(axis=0) + 1e-12)
        inverse = np.linalg.inv(spread / len(members))
        away = grid - mean
        height = len(members) / len(at) * np.sqrt(np.linalg.det(inverse)) / (2.0 * np.pi)
        density += height * np.exp(-0.5 * np.einsum("xyi,ij,xyj->xy", away, inverse, away))
    return density


def _levels(density: Array) -> tuple[float, ...]:
    """The heights above which the shares of a density lie."""
    heights = np.sort(density.ravel())[::-1]
    inside = np.cumsum(heights) / heights.sum()
    return tuple(float(heights[int(np.searchsorted(inside, share))]) for share in SHARES)


def _groups(at: Array, places: Labels) -> tuple[tuple[int, Array, Array], ...]:
    return tuple(_each(at, places))


def _each(at: Array, places: Labels) -> Iterator[tuple[int, Array, Array]]:
    for place in np.unique(places):
        members = at[places == place]
        yield int(place), members[:, 0], members[:, 1]
