"""What is known of clusters of rows: claims on them, and what their pictures are drawn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim

__all__ = ["ChainCourse", "ClusterFindings", "ClusterMap"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClusterMap:
    """Rows by two columns, or along one: for each cluster its place and values, and a density where there is one.

    ``levels`` are the densities around half and nine tenths of what is expected.
    """

    x_name: str
    y_name: str
    groups: tuple[tuple[int, Array, Array], ...]  # place, x, y
    x: Array
    y: Array
    density: Array  # (x, y)
    levels: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class ChainCourse:
    """One chain: its number of clusters at some sweeps."""

    sweeps: Array
    clusters: Array
    warm_up: int


@dataclass(frozen=True, eq=False)
class ClusterFindings:
    """All that is known of the clusters of a table."""

    name: str
    n: int
    columns: tuple[str, ...]
    count: Claim
    clusters: tuple[Claim, ...]  # the largest first
    between: tuple[Claim, ...]
    chains: Claim
    labels: tuple[tuple[int, int], ...]  # row and cluster
    observed: tuple[ClusterMap, ...]
    latent: ClusterMap | None
    courses: tuple[ChainCourse, ...]
    warnings: tuple[str, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All of them."""
        return self.count, *self.clusters, *self.between, self.chains
