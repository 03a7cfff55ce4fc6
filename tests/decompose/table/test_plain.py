"""The witness of ranks: it sees what goes along, and nothing where nothing does."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from autostatistician.decompose.table.plain import carrying_row, plain, products_p

RNG = np.random.default_rng(0)


def test_it_is_the_rank_correlation_as_one_of_several() -> None:
    x, noise = RNG.normal(size=50), RNG.normal(size=50)
    found, known = plain(x, x + noise, 4, codes=False), spearmanr(x, x + noise)
    assert found is not None
    assert found.correlation == pytest.approx(known.statistic)
    assert found.p == pytest.approx(min(1.0, 4 * known.pvalue))


def test_nothing_is_rarely_seen() -> None:
    found = [plain(RNG.normal(size=40), RNG.normal(size=40), 1, codes=False) for _ in range(200)]
    assert sum(one is not None and one.p < 0.01 for one in found) <= 6


def test_categories_go_along_by_their_means() -> None:
    codes = np.repeat([0.0, 1.0, 2.0], 20)
    found = plain(codes, np.array([5.0, 1.0, 3.0])[codes.astype(int)] + 0.1 * RNG.normal(size=60), 1, codes=True)
    assert found is not None
    assert found.correlation > 0.9
    assert found.p < 1e-6


def test_constants_and_few_rows_tell_nothing() -> None:
    assert plain(np.ones(10), np.arange(10.0), 1, codes=False) is None
    assert plain(np.arange(3.0), np.arange(3.0), 1, codes=False) is None


def test_products_are_seen_where_they_are_and_else_as_often_as_chance() -> None:
    p_values = []
    for _ in range(200):
        a, b, noise = RNG.normal(size=(3, 60))
        p_values.append(products_p(a, b, a**2 - b + noise, (False, False)) or 0.0)
        assert (products_p(a, b, a + 1.5 * a * b + noise, (False, False)) or 0.0) < 0.01
    assert 0.01 < np.mean(np.array(p_values) < 0.05) < 0.1


def test_products_with_categories_are_other_slopes() -> None:
    codes, a, noise = np.repeat([0.0, 1.0, 2.0], 30), RNG.uniform(0.0, 10.0, 90), RNG.normal(size=90)
    heights = np.array([5.0, 0.0, 9.0])[codes.astype(int)]
    same, other = (products_p(a, codes, heights + slope * a + noise, (False, True)) for slope in (1.0, codes))
    assert same is not None
    assert other is not None
    assert other < 1e-6 < 0.01 < same


def test_few_rows_tell_nothing_of_products() -> None:
    assert products_p(*RNG.normal(size=(3, 9)), (False, False)) is None


def test_a_row_that_carries_an_effect_is_found_and_a_row_far_out_on_a_line_is_not() -> None:
    x, noise = np.append(RNG.normal(size=39), 12.0), RNG.normal(size=40)
    alone = np.where(x == 12.0, 25.0, 0.0) + noise
    line = np.polyval(np.polyfit(x, alone, 1), x)
    assert carrying_row(line, alone) == 39
    assert carrying_row(2.0 * x, 2.0 * x + noise) is None
    indicator = np.arange(40.0) == 7.0
    assert carrying_row(9.0 * indicator, 9.0 * indicator + noise) == 7
    assert carrying_row(x[:39], x[:39] + noise[:39]) is None
