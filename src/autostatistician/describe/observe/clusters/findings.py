"""What may be said of the clusters that chains have found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import FEW, KINDS, SEVERAL, Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.clusters import ChainTrace, ClustersFound
from autostatistician.describe.facts.clusters import ChainCourse, ClusterFindings, ClusterMap
from autostatistician.describe.observe.search import ENDS
from autostatistician.i18n.messages import again, note

__all__ = ["cluster_findings"]


Array = NDArray[np.float64]

Labels = NDArray[np.intp]

GRID = 60  # places of each axis

SHARES = (0.9, 0.5)  # of what is expected, around which a density has its levels


MARGIN = 0.08  # of the range of the rows

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
        chains=_chains(partition),
        labels=tuple(zip(partition.numbers.tolist(), places.tolist(), strict=True)),
        observed=observed_maps(partition.rows, partition.columns, places, partition.drawn),
        latent=latent_map(partition.latent, places),
        courses=tuple(_course(trace, partition.warm_up) for trace in partition.traces),
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


def _shares(places: Labels, similarity: Array) -> Array:
    """How often each row is with the other rows of each cluster (n, C)."""
    member = (places[:, None] == np.arange(1, places.max() + 1)).astype(float)
    together = (similarity - np.diag(similarity.diagonal())) @ member
    return np.asarray(together / np.maximum(member.sum(axis=0) - member, 1.0))


def _count(partition: ClustersFound, clusters: int) -> Claim:
    parts = tuple(_number(count, share, (count, count)) for count, share in sorted(partition.counts))
    probability = next((part.probability for part in parts if part.number.value == clusters), 0.0)
    return replace(_number(clusters, probability or 0.0, _range(tuple(sorted(partition.counts)))), parts=parts)


def _number(clusters: int, probability: float, span: tuple[float, float]) -> Claim:
    number = Quantity(float(clusters), *span, Measure.COUNT)
    return Claim(id="clusters", kind=Kind.CLUSTERS, number=number, probability=probability)


def _chains(found: ClustersFound) -> Claim:
    """Whether the chains agree; they are cold where they ended in the first half of the sweeps asked for."""
    chains = len(found.traces)
    if found.sweeps < found.asked and found.sweeps <= found.asked // 2:
        form = "cold"
    elif found.draws <= chains:
        form = "short"
    elif chains == 1:
        form = "one"
    else:
        form = "agree" if found.r_hat <= KINDS[Kind.CHAINS].smallest else "apart"
    more = plain_numbers(
        draws=found.draws, chains=chains, sweeps=found.sweeps, asked=found.asked, effective=found.effective
    )  # fmt: skip
    number = Quantity.plain(found.r_hat, Measure.NUMBER)
    return Claim(id="agreement", kind=Kind.CHAINS, number=number, form=form, more=more)


def _range(numbers: tuple[tuple[int, float], ...]) -> tuple[float, float]:
    """The shortest range of numbers that holds the probability asked for."""
    values, weights = (np.array(each) for each in zip(*numbers, strict=True))
    ranges = [
        (values[j] - values[i], -weights[i : j + 1].sum(), i, j)
        for i in range(len(values))
        for j in range(i, len(values))
        if weights[i : j + 1].sum() >= min(KINDS[Kind.CLUSTERS].sure, weights.sum())
    ]
    _, _, low, high = min(ranges)
    return float(values[low]), float(values[high])


def _clusters(partition: ClustersFound, places: Labels, shares: Array) -> Iterator[Claim]:
    for place in range(1, int(places.max()) + 1):
        inside = places == place
        size = int(inside.sum())
        more = {"together": float(shares[inside, place - 1].mean()) if size > 1 else 1.0}
        if len(others := _others(places, place)):
            with_others = shares[inside][:, others - 1].mean(axis=0)
            more |= {"partner": int(others[with_others.argmax()]), "shared": float(with_others.max())}
        more |= {"row": int(partition.numbers[inside][0])} if size == 1 else {}
        yield Claim(
            id=f"cluster/{place}", kind=Kind.CLUSTER, at=(place,), number=Quantity.plain(size, Measure.COUNT),
            more=plain_numbers(**more), parts=traits_of(partition.rows, partition.columns, inside),
        )  # fmt: skip


def _others(places: Labels, place: int) -> Labels:
    """The other clusters; those of one row only where there is nothing else."""
    sizes = np.bincount(places)[1:]
    others = np.delete(np.arange(1, len(sizes) + 1), place - 1)
    larger = others[sizes[others - 1] > 1]
    return larger if len(larger) else others


def _between(partition: ClustersFound, places: Labels, shares: Array) -> Iterator[Claim]:
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
    often = np.flatnonzero(away >= KINDS[Kind.BETWEEN].smallest * own_share)
    for row in sorted(often, key=lambda row: own_share[row] - away[row]):
        number = int(partition.numbers[row])
        yield Claim(
            id=f"row/{number}", kind=Kind.BETWEEN, at=(number, int(places[row]), int(other[row]) + 1),
            number=Quantity.plain(float(away[row]), Measure.SHARE), more=plain_numbers(own=float(own_share[row])),
        )  # fmt: skip


def _course(trace: ChainTrace, warm_up: int) -> ChainCourse:
    every = np.unique(np.linspace(0, len(trace.clusters) - 1, min(len(trace.clusters), MOST_SWEEPS_SHOWN)).astype(int))
    return ChainCourse(every + 1.0, np.asarray(trace.clusters[every], dtype=float), warm_up)


# --- The columns in which a cluster differs from all other rows -----------------------------------------------------


def traits_of(rows: Array, columns: tuple[str, ...], inside: NDArray[np.bool_]) -> tuple[Claim, ...]:
    """The traits of the rows that are ``inside`` (n,), the clearest first; none where there are no others.

    >>> rows = np.array([[1.0, 5.0], [2.0, 6.0], [8.0, 5.5], [9.0, 4.5]])
    >>> [(one.columns, one.form, one.number.value) for one in traits_of(rows, ("a", "b"), np.arange(4) < 2)]
    [(('a',), 'lower', 1.0)]
    """
    if inside.all():
        return ()
    traits = (_trait(values, name, inside) for values, name in zip(rows.T, columns, strict=True))
    clear = [trait for trait in traits if trait.number.value >= KINDS[Kind.TRAIT].smallest]
    clear.sort(key=lambda trait: (trait.form == "among", -trait.number.value))
    return tuple(clear[:SEVERAL])


def _trait(values: Array, column: str, inside: NDArray[np.bool_]) -> Claim:
    """The share of pairs of a row of the cluster and another that are in one order, or of others out of its range."""
    members, others = values[inside], values[~inside]
    ranks = rankdata(values)[inside]
    above = float((ranks.sum() - 0.5 * len(members) * (len(members) + 1)) / (len(members) * len(others)))
    low = float(np.quantile(members, ENDS[0], method="lower"))
    high = float(np.quantile(members, ENDS[1], method="higher"))
    clear, form = max(above, 1.0 - above), "higher" if above > 0.5 else "lower"
    if clear < KINDS[Kind.TRAIT].smallest and len(members) >= 3:
        clear, form = float(np.mean((others < low) | (others > high))), "among"
    number = Quantity.plain(clear, Measure.SHARE)
    return Claim(id=f"trait/{column}", kind=Kind.TRAIT, columns=(column,), at=(low, high), number=number, form=form)


# --- Pictures of clusters as arrays ---------------------------------------------------------------------------------


def observed_maps(rows: Array, columns: tuple[str, ...], places: Labels, drawn: Array) -> tuple[ClusterMap, ...]:
    """The pairs of the columns that tell most clusters apart; of a single column its density."""
    if len(columns) == 1:
        return (_along(rows[:, 0], columns[0], places, drawn[:, 0]),)
    chosen = _telling(rows, places)[:FEW]
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


def _telling(rows: Array, places: Labels) -> list[int]:
    """Columns by how much of their variance is between clusters; of one cluster, as they stand."""
    means = np.array([rows[places == place].mean(axis=0) for place in range(1, places.max() + 1)])
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
    return tuple((int(place), *at[places == place].T) for place in np.unique(places))
