"""What chains over partitions of rows have found, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ChainTrace", "ClustersFound"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ChainTrace:
    """One chain, sweep by sweep: how many clusters there were (k,), and the log density (k,)."""

    clusters: Array
    log_density: Array


@dataclass(frozen=True, eq=False)
class ClustersFound:
    """Partitions of rows (n, D), drawn and summed up.

    ``labels`` is the best single partition, ``similarity`` how often two rows are together, ``counts`` how probable
    each number of clusters is, ``drawn`` are rows that the mixture expects further on.
    """

    name: str
    columns: tuple[str, ...]
    rows: Array
    numbers: Labels  # (n,) of the rows in their table, counted from 1
    labels: Labels
    similarity: Array
    counts: tuple[tuple[int, float], ...]
    latent: Array
    drawn: Array  # (m, D)
    traces: tuple[ChainTrace, ...]
    r_hat: float  # the largest of what was compared
    effective: float  # samples of the number of clusters
    draws: int  # that were kept
    sweeps: int
    asked: int
    warm_up: int
    notes: tuple[str, ...] = ()
