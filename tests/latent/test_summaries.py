"""Partitions without names: distances, similarities, the one nearest to all."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from autostatistician.latent.summaries import best_partition, between, similarity, variation_of_information

RNG = np.random.default_rng(1)
DRAWS = RNG.integers(0, 3, (40, 12))


def test_similarity_counts_draws() -> None:
    found = similarity(DRAWS)
    for i, j in [(0, 0), (0, 5), (7, 3)]:
        assert found[i, j] == pytest.approx((DRAWS[:, i] == DRAWS[:, j]).mean())


def test_the_variation_of_information_is_what_each_says_alone() -> None:
    one, other = DRAWS[0], DRAWS[1]
    entropies = mutual_info_score(one, one) + mutual_info_score(other, other)
    wanted = (entropies - 2.0 * mutual_info_score(one, other)) / np.log(2.0)
    assert variation_of_information(one, other) == pytest.approx(wanted)
    assert variation_of_information(one, (one + 1) % 3) == pytest.approx(0.0, abs=1e-12)


def test_the_best_partition_is_nearer_to_all_than_any_draw() -> None:
    truth = np.repeat([0, 1, 2], 4)
    draws = np.array([np.where(RNG.random(12) < 0.1, RNG.integers(0, 3, 12), truth) for _ in range(60)])
    best = best_partition(draws)
    loss = [np.mean([variation_of_information(one, other) for other in draws]) for one in [best, *draws]]
    assert loss[0] <= min(loss[1:]) + 1e-12
    assert variation_of_information(best, truth) == pytest.approx(0.0, abs=1e-12)


def test_rows_between_clusters_are_those_that_change_sides() -> None:
    draws = np.array([[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]])
    unsure = between(np.array([0, 0, 0, 1, 1]), similarity(draws))
    assert unsure.argmax() == 2
    assert unsure[2] == pytest.approx(0.5)
    assert unsure[4] == pytest.approx(0.0)


def test_one_row_is_a_partition() -> None:
    assert best_partition(np.zeros((3, 1), dtype=np.intp)).tolist() == [0]
    assert between(np.zeros(1, dtype=np.intp), np.ones((1, 1))).tolist() == [0.0]
