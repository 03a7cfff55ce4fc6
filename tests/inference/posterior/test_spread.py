"""Draws that lie spread out: each is a plain one, together they vary less."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest, norm

from autostatistician.inference.posterior.spread import spread_normals


@pytest.mark.parametrize("count", [1, 2, 7, 400])
def test_every_part_of_the_range_of_a_coordinate_has_one(count: int) -> None:
    found = spread_normals(np.random.default_rng(1), count, 3)
    parts = np.floor(norm.cdf(np.sort(found, axis=0)) * count)
    np.testing.assert_array_equal(parts, np.tile(np.arange(count)[:, None], 3))


def test_each_by_itself_is_a_plain_draw() -> None:
    drawn = np.array([spread_normals(np.random.default_rng(seed), 4, 2)[seed % 4] for seed in range(2000)])
    assert kstest(drawn[:, 0], "norm").pvalue > 1e-3
    assert kstest(drawn[:, 1], "norm").pvalue > 1e-3
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.08


def test_ends_of_ranges_move_less_from_seed_to_seed() -> None:
    direction = np.array([1.0, 0.5, 0.2])

    def movement(spread: bool) -> float:
        rngs = map(np.random.default_rng, range(60))
        draws = [(spread_normals(rng, 50, 3) if spread else rng.standard_normal((50, 3))) @ direction for rng in rngs]
        return float(np.std([np.quantile(one, 0.975) for one in draws]))

    assert movement(True) < 0.8 * movement(False)


def test_no_vectors_and_no_coordinates() -> None:
    rng = np.random.default_rng(0)
    assert spread_normals(rng, 0, 2).shape == (0, 2)
    assert spread_normals(rng, 2, 0).shape == (2, 0)
