"""The report on what a mixture has found in a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from autostatistician.data.measurements import read_table
from autostatistician.estimators.clusters import ClusterReport
from autostatistician.estimators.mixture import InfiniteWarpedMixture

RNG = np.random.default_rng(0)
ROWS = np.concatenate([RNG.normal(-3.0, 0.3, (12, 2)), RNG.normal(3.0, 0.3, (14, 2))])


@pytest.fixture(scope="module")
def report() -> ClusterReport:
    table = read_table({"left": ROWS[:, 0], "right": ROWS[:, 1]})
    return ClusterReport(InfiniteWarpedMixture(n_chains=2, n_sweeps=24).fit(table.rows), table)


def test_it_tells_what_the_mixture_found(report: ClusterReport) -> None:
    assert report.explanation.labels.tolist() == report.mixture.labels_.tolist()
    known = dict(enumerate(report.mixture.labels_.tolist(), start=1))
    told = {one["row"]: one["cluster"] for one in report.result()["labels"]}
    assert all((known[a] == known[b]) == (told[a] == told[b]) for a in known for b in known)
    assert report.result()["probabilities"] == {
        str(number): pytest.approx(share) for number, share in report.mixture.cluster_counts_.items()
    }
    assert len(report.explanation.traces) == 2
    assert report.explanation.states[0].sweep == 0


def test_the_same_seed_gives_the_same_page(report: ClusterReport, tmp_path: Path) -> None:
    again = ClusterReport(InfiniteWarpedMixture(n_chains=2, n_sweeps=24).fit(report.table.rows), report.table)
    one, other = report.save(tmp_path / "one.json"), again.save(tmp_path / "other.json")
    assert one.read_bytes() == other.read_bytes()
