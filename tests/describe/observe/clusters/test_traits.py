"""The columns in which a cluster differs."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.describe.facts.clusters import TraitSide
from autostatistician.describe.observe.clusters.traits import traits_of

INSIDE = np.repeat([True, False], [10, 30])


def test_order_is_the_share_of_pairs() -> None:
    values = np.concatenate([np.arange(10.0), np.arange(30.0) + 8.5])
    (trait,) = traits_of(values[:, None], ("a",), INSIDE)
    assert trait.side is TraitSide.BELOW
    assert trait.clear == pytest.approx(1.0 - 1.0 / 300.0)
    assert (trait.low, trait.high) == (0.0, 9.0)


def test_equal_values_count_half() -> None:
    values = np.concatenate([np.full(10, 2.0), np.full(18, 2.0), np.full(12, 1.0)])
    assert traits_of(values[:, None], ("a",), INSIDE) == ()  # 0.7 of the pairs


def test_a_range_between_the_others_is_one_of_its_own() -> None:
    values = np.concatenate([np.linspace(4.0, 5.0, 10), np.linspace(0.0, 3.0, 15), np.linspace(6.0, 9.0, 15)])
    (trait,) = traits_of(values[:, None], ("a",), INSIDE)
    assert trait.side is TraitSide.AMONG
    assert trait.clear == 1.0


@pytest.mark.parametrize("size", [3, 10, 12, 21, 32, 41])
def test_a_range_holds_nine_of_ten_rows_or_more(size: int) -> None:
    values = np.concatenate([np.arange(float(size)), np.arange(30.0) + 100.0])
    (trait,) = traits_of(values[:, None], ("a",), np.arange(size + 30) < size)
    assert trait.high - trait.low + 1.0 >= 0.9 * size


def test_one_pair_of_very_many_out_of_order_is_seen() -> None:
    values = np.concatenate([np.arange(200.0), np.arange(200.0) + 198.5])
    (trait,) = traits_of(values[:, None], ("a",), np.arange(400) < 200)
    assert 0.9999 < trait.clear < 1.0


def test_the_clearest_come_first_and_few_are_told() -> None:
    rng = np.random.default_rng(0)
    shifts = np.array([0.0, 2.0, 9.0, 3.0, 1.9, 2.5])
    rows = rng.normal(size=(40, 6)) + np.outer(INSIDE, shifts)
    told = traits_of(rows, tuple("abcdef"), INSIDE)
    assert len(told) == 4
    assert told[0].column == "c"
    assert [one.clear for one in told] == sorted((one.clear for one in told), reverse=True)
    assert "a" not in {one.column for one in told}
