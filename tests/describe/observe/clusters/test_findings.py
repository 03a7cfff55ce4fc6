"""From chains over partitions to facts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.cluster_cases import LABELS, findings

from autostatistician.describe.observe.clusters.findings import _range


def test_clusters_are_counted_from_the_largest() -> None:
    known = findings()
    assert [(one.place, one.number, one.of) for one in known.clusters] == [(1, 20.0, 40), (2, 12.0, 40), (3, 8.0, 40)]
    assert known.labels[0] == (2, 1)
    assert known.labels[-1] == (41, 3)


def test_partners_are_those_with_whom_rows_are_most_often() -> None:
    first, second, third = findings().clusters
    assert (second.partner, third.partner) == (3, 2)
    assert second.shared == third.shared == pytest.approx((11 * 0.2 + 0.4) / 12)
    assert first.together == pytest.approx(0.97)
    assert (first.partner, first.shared) == (3, pytest.approx(0.02))


def test_rows_between_are_those_that_another_cluster_has_half_as_often() -> None:
    (row,) = findings().between
    assert (row.number, row.place, row.other) == (33.0, 2, 3)
    assert row.own_share == pytest.approx(0.55)
    assert row.other_share == pytest.approx(0.4)


def test_a_cluster_of_one_row_knows_it() -> None:
    labels = LABELS.copy()
    labels[-1] = 9
    known = findings(labels=labels)
    assert known.clusters[-1].row == 41
    assert {one.partner for one in known.clusters[:-1]} == {2, 3}  # of several rows
    assert {(row.place, row.other) for row in known.between} <= {(2, 3), (3, 2)}
    assert findings().clusters[-1].row is None


def test_one_cluster_has_no_partner_and_nothing_between() -> None:
    known = findings(labels=np.zeros(40, dtype=np.intp))
    assert known.clusters[0].partner is None
    assert known.clusters[0].traits == ()
    assert known.between == ()


def test_the_range_is_the_shortest_that_holds_the_probability() -> None:
    assert _range(((1, 0.03), (2, 0.5), (3, 0.46), (7, 0.01))) == (2.0, 3.0)
    assert _range(((2, 0.5), (5, 0.5))) == (2.0, 5.0)


def test_states_take_the_colours_of_the_clusters_that_hold_their_rows() -> None:
    (_, first), (_, last) = findings().states
    assert [place for place, _, _ in first.groups] == [1]
    assert {place: len(x) for place, x, _ in last.groups} == {1: 20, 2: 12, 3: 8}


def test_long_courses_are_thinned() -> None:
    from autostatistician.decompose.records.clusters import ChainTrace

    trace = ChainTrace(np.arange(5000.0), np.zeros(5000))
    (course,) = findings(traces=(trace,)).courses
    assert len(course.sweeps) == 400
    assert course.clusters[-1] == 4999.0
    assert course.sweeps[-1] == 5000.0
