"""Clusters in sentences: the whole text of some cases, and the forms of each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.cluster_cases import LABELS, findings

from autostatistician.describe.document.clusters.page import cluster_sentences
from autostatistician.describe.facts.clusters import TraitSide
from autostatistician.describe.words.clusters import (
    agreement_text,
    between_texts,
    cluster_text,
    cluster_texts,
    count_text,
)

GOLDEN = """\
The 40 rows probably fall into three clusters (probability 70%); the next most probable number is two (22%).
Cluster 1: 20 rows, 50% of all; lower than all others in 'mass' (0.73 to 1.23).
Cluster 2: 12 rows, 30% of all; alone in its range of 'mass' (4.75 to 5.27).
Cluster 3: 8 rows, 20% of all; higher than all others in 'mass' (6.96 to 7.3).
Rows of clusters 2 and 3 are together in 22% of the draws: the two may be one.
One row lies between clusters: with the rows of another at least half as often as with those of its own, on the mean.
Two chains of 6 sweeps found the same (R-hat 1.01, where 1 is full agreement). Their draws of the number of clusters \
are worth 312 independent ones."""


def test_the_whole_text() -> None:
    assert "\n".join(cluster_sentences(findings())) == GOLDEN


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        (((3, 1.0),), "The 40 rows fall into three clusters (probability more than 99%)."),
        (
            ((3, 0.96), (4, 0.04)),
            "The 40 rows fall into three clusters (probability 96%); the next most probable number is four (4%).",
        ),
        (
            ((2, 0.4), (3, 0.3), (4, 0.3)),
            "How many clusters there are is not sure: two to four with a probability of more than 99%, most probably "
            "two (40%). The partition nearest to all draws has three (30%).",
        ),
    ],
)
def test_how_many(counts: tuple[tuple[int, float], ...], text: str) -> None:
    assert count_text(findings(counts=counts).count) == text


def test_a_number_that_no_draw_has_is_said_to_be_one() -> None:
    text = count_text(findings(counts=((2, 0.6), (4, 0.4))).count)
    assert text.endswith("most probably two (60%). The partition nearest to all draws has three, as none of them has.")


def test_one_cluster() -> None:
    known = findings(labels=np.zeros(40, dtype=np.intp), counts=((1, 0.8), (2, 0.2)))
    assert cluster_sentences(known)[:2] == (
        "Probably no clusters stand apart: the 40 rows are one group (probability 80%); the next most probable number "
        "is two (20%).",
        "With one cluster no row lies between others.",
    )


def test_rows_that_stand_alone_are_told_together() -> None:
    labels = LABELS.copy()
    labels[-2:] = 8, 9
    assert cluster_texts(findings(labels=labels).clusters)[-1] == (
        "Rows 40 and 41 stand alone, each a cluster of its own; with the rows of another cluster they are in up to 97% "
        "of the draws."
    )


def test_degrees_of_being_apart() -> None:
    first = findings().clusters[0]
    for clear, words in (
        (1.0, "lower than all others"),
        (0.99999, "lower than nearly all"),
        (0.98, "lower than nearly all"),
        (0.9, "mostly lower than"),
    ):
        trait = replace(first.traits[0], clear=clear)
        assert words in cluster_text(replace(first, traits=(trait,)))
    for clear, words in ((1.0, "; alone in its range"), (0.98, "; nearly alone in"), (0.9, "; mostly alone in")):
        trait = replace(first.traits[0], clear=clear, side=TraitSide.AMONG)
        assert words in cluster_text(replace(first, traits=(trait,)))
    assert cluster_text(replace(first, traits=())).endswith("; no single column tells it from the others.")


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


def test_a_row_alone_is_named() -> None:
    alone = replace(findings().clusters[2], number=1.0, row=1234)
    assert cluster_text(alone).startswith("Cluster 3: row 1,234 alone, 2.5% of all; higher than all others in")


def test_half_is_not_yet_probably() -> None:
    text = count_text(findings(counts=((3, 0.5), (4, 0.5))).count)
    start = "How many clusters there are is not sure: three or four with a probability of more than 99%."
    assert text.startswith(start)


def test_agreement_is_told_plainly() -> None:
    known = findings().agreement
    assert agreement_text(replace(known, number=1.3)).startswith(
        "Two chains of 6 sweeps do not agree yet (R-hat 1.30, where up to 1.05 would do): take all numbers for a first"
    )
    assert "R-hat beyond all bounds" in agreement_text(replace(known, number=float("inf")))
    assert agreement_text(replace(known, draws=2)) == (
        "Two chains ended after six sweeps with two draws alone: take all numbers for a first impression."
    )
    assert agreement_text(replace(known, draws=80, sweeps=250, asked=500)) == (
        "Two chains ended after 250 sweeps of 500, before they had warmed up: take all numbers for a first impression."
    )
    assert "found the same" in agreement_text(replace(known, draws=80, sweeps=251, asked=500))
    assert agreement_text(replace(known, chains=1)) == (
        "There is one chain of 6 sweeps alone, so nothing says whether another one would find the same. Its draws of "
        "the number of clusters are worth 312 independent ones."
    )
