"""What chains might have found, made by hand: three groups of rows, of which two are near each other."""

from dataclasses import replace
from functools import cache

import numpy as np

from autostatistician.decompose.records.clusters import ChainTrace, ClustersFound
from autostatistician.describe.facts.clusters import ClusterFindings
from autostatistician.describe.observe.clusters.findings import cluster_findings
from autostatistician.i18n.messages import note

LABELS = np.repeat([2, 0, 1], [20, 12, 8])


@cache
def found() -> ClustersFound:
    """Forty rows: twenty of small mass, twelve and eight of a mass that differs a little."""
    rng = np.random.default_rng(0)
    rows = np.column_stack([np.repeat([1.0, 5.0, 7.0], [20, 12, 8]), rng.normal(size=40)])
    rows[:, 0] += 0.3 * rng.uniform(-1.0, 1.0, 40)
    together = np.where(LABELS[:, None] == LABELS, 0.97, 0.02)
    near = (LABELS[:, None] + LABELS) == 1
    together[near & (LABELS[:, None] != LABELS)] = 0.2
    together[31] = np.where(LABELS == 0, 0.55, np.where(LABELS == 1, 0.4, 0.0))
    together[:, 31] = together[31]
    np.fill_diagonal(together, 1.0)
    latent = rows @ np.array([[1.0, 0.2], [0.1, 0.5]])
    trace = ChainTrace(np.array([5.0, 4.0, 3.0, 3.0, 2.0, 3.0]), np.arange(6.0))
    return ClustersFound(
        name="stars",
        columns=("mass", "colour index"),
        rows=rows,
        numbers=np.arange(2, 42),
        labels=LABELS,
        similarity=together,
        counts=((2, 0.22), (3, 0.7), (4, 0.08)),
        latent=latent,
        drawn=rows[rng.integers(40, size=300)] + 0.1 * rng.normal(size=(300, 2)),
        traces=(trace, trace),
        r_hat=1.01,
        effective=312.4,
        draws=200,
        sweeps=6,
        asked=6,
        warm_up=3,
        notes=(note("Column {name} is left out: {why}.", name="'name'", why=note("it holds text")),),
    )


def findings(**changes: object) -> ClusterFindings:
    """The facts of these rows, or of others that differ in some fields."""
    return cluster_findings(replace(found(), **changes))  # type: ignore[arg-type]
