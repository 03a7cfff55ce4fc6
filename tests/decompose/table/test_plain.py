"""The witness of ranks: it sees what goes along, and nothing where nothing does."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from autostatistician.decompose.table.plain import plain

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
