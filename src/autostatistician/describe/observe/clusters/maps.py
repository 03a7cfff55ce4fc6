"""Pictures of clusters as arrays: rows by two columns with the density that is expected of further ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.facts.clusters import Cluster, ClusterMap
from autostatistician.wording.messages import note

__all__ = ["latent_map", "observed_maps", "state_map"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

GRID = 60  # places of each axis
SHARES = (0.9, 0.5)  # of what is expected, around which a density has its levels
MOST_COLUMNS = 3  # that are shown in pairs
MARGIN = 0.08  # of the range of the rows
NOTHING = np.zeros(0)


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
