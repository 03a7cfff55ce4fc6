"""Clusters in sentences: the whole text of some cases, and the forms of each."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.cluster_cases import findings

from autostatistician.describe.words.clusters import (
    between_texts,
)


def test_rows_between() -> None:
    (row,) = findings().between
    clusters = findings().clusters
    said, told = between_texts([row] * 12, clusters)
    assert said == (
        "Twelve rows lie between clusters: with the rows of another at least half as often as with those of their own, "
        "on the mean. The 10 that are the least sure:"
    )
    assert told[0] == "Row 33: with the rows of cluster 2 in 55% of the draws, with those of cluster 3 in 40%."
    assert len(told) == 10
    each = "is with its own more than twice as often as with any other."
    assert between_texts([], clusters) == (f"No row lies between clusters: each {each}", ())
    alone = replace(clusters[2], number=1.0, row=7)
    assert between_texts([], (*clusters[:2], alone))[0].endswith(f"of those with several rows each row {each}")
    assert between_texts([], (clusters[0], alone))[0].endswith("and there are no two of these.")
