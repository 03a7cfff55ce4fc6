"""Facts on clusters."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.cluster_cases import findings


def test_the_likeliest_number_need_not_be_that_of_the_partition() -> None:
    count = findings(counts=((2, 0.4), (3, 0.2), (4, 0.4))).count
    assert count.number == 3.0
    assert count.probability == 0.2
    assert count.likeliest == (2, 0.4)


def test_chains_that_ended_early_are_cut() -> None:
    known = findings().agreement
    assert not known.cut
    assert replace(known, sweeps=known.asked - 1).cut
