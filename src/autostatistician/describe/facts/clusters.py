"""Facts on clusters of rows: how many, what each is like, which rows are between, and whether the chains agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.facts.fact import OF_WHOLE, Fact, ProbableFact

__all__ = [
    "Agreement", "BetweenRow", "Cluster", "ClusterCount", "ClusterFindings", "ClusterMap", "ChainCourse", "TraitSide",
    "Trait",
]  # fmt: skip

Array = NDArray[np.float64]


class TraitSide(Enum):
    """Where the values of a cluster lie, seen from those of all other rows."""

    BELOW = "lower"
    ABOVE = "higher"
    AMONG = "in a range of its own"


@dataclass(frozen=True, kw_only=True)
class Trait:
    """A column in which a cluster differs: the range of nine in ten of its rows, and how clearly it is set apart.

    ``clear`` is the share of pairs of a row of the cluster and another that are in that order (of `TraitSide.AMONG`:
    the share of other rows outside of the range).
    """

    column: str
    low: float
    high: float
    side: TraitSide
    clear: float = field(metadata=OF_WHOLE)


@dataclass(frozen=True, kw_only=True)
class ClusterCount(ProbableFact):
    """How many clusters the best partition has (``number``), and how probable every number is."""

    rows: int
    probabilities: tuple[tuple[int, float], ...]

    @property
    def likeliest(self) -> tuple[int, float]:
        """The most probable number and its probability."""
        return max(self.probabilities, key=lambda pair: (pair[1], -pair[0]))


@dataclass(frozen=True, kw_only=True)
class Cluster(Fact):
    """A cluster of the best partition: ``number`` rows, the ``place``-th by size.

    ``together`` is how often two of its rows are together, ``partner`` the cluster whose rows its own are most often
    with, and ``shared`` how often (None where there is no other). ``row`` is the row of a cluster of one alone.
    """

    place: int
    of: int  # rows
    traits: tuple[Trait, ...]
    together: float = field(metadata=OF_WHOLE)
    partner: int | None = None
    shared: float = field(default=0.0, metadata=OF_WHOLE)
    row: int | None = None


@dataclass(frozen=True, kw_only=True)
class BetweenRow(Fact):
    """A row (``number``, counted from 1) that is often with another cluster than its own."""

    place: int
    other: int
    own_share: float = field(metadata=OF_WHOLE)
    other_share: float = field(metadata=OF_WHOLE)


@dataclass(frozen=True, kw_only=True)
class Agreement(Fact):
    """Whether the chains agree: ``number`` is the largest R-hat of what was compared; ``draws`` were kept."""

    effective: float
    draws: int
    chains: int
    sweeps: int
    asked: int

    @property
    def cut(self) -> bool:
        """Whether the chains ended before they were done."""
        return self.sweeps < self.asked

    @property
    def cold(self) -> bool:
        """Whether they ended before they had warmed up, in the first half of the sweeps asked for."""
        return self.cut and self.sweeps <= self.asked // 2


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
    count: ClusterCount
    clusters: tuple[Cluster, ...]
    between: tuple[BetweenRow, ...]
    agreement: Agreement
    labels: tuple[tuple[int, int], ...]  # row and cluster
    observed: tuple[ClusterMap, ...]
    latent: ClusterMap | None
    courses: tuple[ChainCourse, ...]
    states: tuple[tuple[int, ClusterMap], ...]  # sweeps and the latent rows
    warnings: tuple[str, ...]
