"""Golden sentences: clusters of rows."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.describe.cluster_cases import LABELS, findings, found
from tests.describe.factory import every_section

from autostatistician.claims.claim import Claim
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.describe.document.clusters import page
from autostatistician.describe.document.document import Table
from autostatistician.describe.words.clusters import (
    agreement_text,
    between_texts,
    cluster_text,
    cluster_texts,
    count_text,
)


def tell_the_whole_text() -> Iterator[str]:
    yield "\n".join(page.cluster_sentences(findings()))


def tell_how_many() -> Iterator[str]:
    for counts in (((3, 1.0),), ((3, 0.96), (4, 0.04)), ((2, 0.4), (3, 0.3), (4, 0.3))):
        yield count_text(findings(counts=counts).count, 40)


def tell_a_number_that_no_draw_has_is_said_to_be_one() -> Iterator[str]:
    yield count_text(findings(counts=((2, 0.6), (4, 0.4))).count, 40)


def tell_one_cluster() -> Iterator[str]:
    known = findings(labels=np.zeros(40, dtype=np.intp), counts=((1, 0.8), (2, 0.2)))
    yield from page.cluster_sentences(known)[:2]
    yield page.observed_figure(known).alt
    yield count_text(findings(labels=np.zeros(40, dtype=np.intp), counts=((1, 1.0),)).count, 40)


def tell_rows_that_stand_alone_are_told_together() -> Iterator[str]:
    labels = LABELS.copy()
    labels[-2:] = (8, 9)
    yield cluster_texts(findings(labels=labels).clusters, 40)[-1]


def tell_degrees_of_being_apart() -> Iterator[str]:
    first = findings().clusters[0]
    for side in ("lower", "higher", "among"):
        for clear in (1.0, 0.99999):
            number = Quantity.plain(clear, Measure.SHARE)
            yield cluster_text(replace(first, parts=(replace(first.parts[0], number=number, form=side),)), 40)
    yield cluster_text(replace(first, parts=()), 40)


def alone(cluster: Claim, row: float) -> Claim:
    """A cluster as one of one row."""
    one, place = Quantity.plain(1.0, Measure.COUNT), Quantity.plain(row, Measure.NUMBER)
    return replace(cluster, number=one, more={**cluster.more, "row": place})


def tell_a_row_alone_is_named() -> Iterator[str]:
    yield cluster_text(alone(findings().clusters[2], 1234.0), 40)


def tell_no_row_between_clusters() -> Iterator[str]:
    yield between_texts((), findings().clusters)[0]


def tell_half_is_not_yet_probably() -> Iterator[str]:
    yield count_text(findings(counts=((3, 0.5), (4, 0.5))).count, 40)


def tell_agreement_is_told_plainly() -> Iterator[str]:
    for changes in (
        {"r_hat": 1.3}, {"r_hat": float("inf")}, {"draws": 2}, {"draws": 80, "sweeps": 250, "asked": 500},
        {"draws": 80, "sweeps": 251, "asked": 500}, {"traces": found().traces[:1]},
    ):  # fmt: skip
        yield agreement_text(findings(**changes).chains)


def tell_what_to_be_careful_with() -> Iterator[str]:
    for changes in (
        {"counts": ((3, 0.9), (4, 0.1))}, {"r_hat": 1.2}, {"counts": ((2, 0.7), (3, 0.3))},
        {"traces": found().traces[:1]}, {"draws": 2, "asked": 500}, {"draws": 2},
    ):  # fmt: skip
        yield from page.careful_with_clusters(findings(**changes))


def tell_everything_has_its_section() -> Iterator[str]:
    document = page.cluster_document(findings())
    yield document.title
    yield document.subtitle
    yield from [one.id for one in every_section(document)]
    yield from document.warnings
    table, *_ = document.found[0].blocks
    assert isinstance(table, Table)
    yield from table.rows[2]
