"""Golden sentences: clusters of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.describe.cluster_cases import LABELS, findings
from tests.describe.factory import every_section

from autostatistician.describe.document.clusters.page import cluster_document, cluster_sentences, cluster_verdict
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.clusters import TraitSide
from autostatistician.describe.words.clusters import agreement_text, cluster_text, cluster_texts, count_text


def tell_the_whole_text() -> Iterator[str]:
    yield "\n".join(cluster_sentences(findings()))


def tell_how_many() -> Iterator[str]:
    for counts in (((3, 1.0),), ((3, 0.96), (4, 0.04)), ((2, 0.4), (3, 0.3), (4, 0.3))):
        yield count_text(findings(counts=counts).count)


def tell_a_number_that_no_draw_has_is_said_to_be_one() -> Iterator[str]:
    yield count_text(findings(counts=((2, 0.6), (4, 0.4))).count)


def tell_one_cluster() -> Iterator[str]:
    known = findings(labels=np.zeros(40, dtype=np.intp), counts=((1, 0.8), (2, 0.2)))
    yield from cluster_sentences(known)[:2]


def tell_rows_that_stand_alone_are_told_together() -> Iterator[str]:
    labels = LABELS.copy()
    labels[-2:] = (8, 9)
    yield cluster_texts(findings(labels=labels).clusters)[-1]


def tell_degrees_of_being_apart() -> Iterator[str]:
    first = findings().clusters[0]
    for clear in (1.0, 0.99999, 0.98, 0.9):
        trait = replace(first.traits[0], clear=clear)
        yield cluster_text(replace(first, traits=(trait,)))
    for clear in (1.0, 0.98, 0.9):
        trait = replace(first.traits[0], clear=clear, side=TraitSide.AMONG)
        yield cluster_text(replace(first, traits=(trait,)))


def tell_a_row_alone_is_named() -> Iterator[str]:
    alone = replace(findings().clusters[2], number=1.0, row=1234)
    yield cluster_text(alone)


def tell_half_is_not_yet_probably() -> Iterator[str]:
    yield count_text(findings(counts=((3, 0.5), (4, 0.5))).count)


def tell_agreement_is_told_plainly() -> Iterator[str]:
    known = findings().agreement
    yield agreement_text(replace(known, number=1.3))
    yield agreement_text(replace(known, number=float("inf")))
    yield agreement_text(replace(known, draws=2))
    yield agreement_text(replace(known, draws=80, sweeps=250, asked=500))
    yield agreement_text(replace(known, draws=80, sweeps=251, asked=500))
    yield agreement_text(replace(known, chains=1))


def findings_traces() -> tuple[object, ...]:
    """One chain of the two."""
    from tests.describe.cluster_cases import found

    return found().traces[:1]


def tell_clusters_that_stay_together_can_be_relied_on_where_chains_agree() -> Iterator[str]:
    verdict = cluster_verdict(findings(counts=((3, 0.9), (4, 0.1))))
    yield from verdict.rely
    yield from verdict.doubt[:2]


def tell_nothing_can_be_relied_on_where_they_do_not() -> Iterator[str]:
    verdict = cluster_verdict(findings(r_hat=1.2))
    yield from verdict.rely
    yield verdict.doubt[0]
    yield verdict.next[0]


def tell_a_number_that_is_not_sure_is_told_with_its_probability() -> Iterator[str]:
    verdict = cluster_verdict(findings(counts=((2, 0.7), (3, 0.3))))
    yield verdict.doubt[0]


def tell_one_chain_says_nothing_of_itself_and_time_that_was_spent_is_said() -> Iterator[str]:
    verdict = cluster_verdict(findings(traces=findings_traces()))
    yield verdict.doubt[0]
    yield verdict.next[0]
    yield cluster_verdict(findings(draws=2)).doubt[0]
    cut = cluster_verdict(findings(draws=2, asked=500))
    yield cut.doubt[0]
    yield cluster_verdict(findings(asked=500)).next[0]


def tell_everything_has_its_section() -> Iterator[str]:
    document = cluster_document(findings())
    yield document.title
    yield document.subtitle
    yield from [one.id for one in every_section(document)]
    yield from document.warnings
    table, *_ = every_section(document)[1].blocks
    assert isinstance(table, Table)
    yield from table.rows[2]
