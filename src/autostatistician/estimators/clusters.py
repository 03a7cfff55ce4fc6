"""What a fitted mixture has found in a table, for the report on clusters."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from autostatistician.data.measurements import Measurements
from autostatistician.decompose.records.clusters import ChainTrace, ClustersFound
from autostatistician.estimators.mixture import InfiniteWarpedMixture
from autostatistician.estimators.reports import Report

__all__ = ["ClusterReport"]

ROWS_DRAWN = 4000  # for the densities of the pictures


@dataclass(frozen=True, eq=False, repr=False)
class ClusterReport(Report):
    """The report on the clusters of a table.

    Examples
    --------
    >>> from autostatistician.data.measurements import read_table
    >>> rows = np.random.default_rng(0).normal(size=(20, 1)) * 0.1 + np.repeat([0.0, 5.0], 10)[:, None]
    >>> table = read_table({"size": rows[:, 0]})
    >>> report = ClusterReport(InfiniteWarpedMixture(n_chains=2, n_sweeps=20).fit(table.rows), table)
    >>> report, report.to_dict()["columns"]
    (<ClusterReport: Clusters in data>, ['size'])
    """

    explanation: ClustersFound = field(init=False)
    mixture: InfiniteWarpedMixture
    table: Measurements

    def __post_init__(self) -> None:
        object.__setattr__(self, "explanation", _found(self.mixture, self.table))

    def describe(self) -> list[str]:
        """How many clusters there are, what each is like, and how sure that is."""
        return self.sentences()


def _found(mixture: InfiniteWarpedMixture, table: Measurements) -> ClustersFound:
    """All that is told, as plain arrays."""
    return ClustersFound(
        name=table.name,
        columns=table.columns,
        rows=table.rows,
        numbers=table.numbers,
        labels=mixture.labels_,
        similarity=mixture.similarity_,
        counts=tuple(mixture.cluster_counts_.items()),
        latent=mixture.latent_,
        drawn=mixture.sample(ROWS_DRAWN),
        traces=tuple(
            ChainTrace(chain["groups"].to_numpy(float), chain["log_density"].to_numpy()) for chain in mixture.chains_
        ),
        r_hat=float(np.nanmax([*mixture.r_hat_.values(), -np.inf])),
        effective=mixture.ess_["groups"],
        draws=len(mixture.draws_.labels),
        sweeps=mixture.n_iter_,
        asked=mixture.n_sweeps,
        warm_up=mixture.n_iter_ // 2,
        notes=table.notes,
    )
