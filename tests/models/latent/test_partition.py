"""Steps over partitions: against the sweep point by point, and against all 203 partitions of six points."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.metrics import mutual_info_score

from autostatistician.models.latent.partition import (
    Assigned,
    Groups,
    NormalWishart,
    best_partition,
    compact,
    gibbs,
    log_prior,
    obeying,
    obeys,
    similarity,
    split_or_merge,
    variation_of_information,
)

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


def test_one_row_is_a_partition() -> None:
    assert best_partition(np.zeros((3, 1), dtype=np.intp)).tolist() == [0]


Labels = NDArray[np.intp]
X = np.random.default_rng(0).standard_normal((6, 2))
PRIOR = NormalWishart.standard(2, 0.5, 3.0)
CONCENTRATION = 1.3


def partitions(n: int, begun: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if len(begun) == n:
        yield begun
        return
    for label in range(max(begun, default=-1) + 2):
        yield from partitions(n, (*begun, label))


def point_by_point(X: NDArray[np.float64], labels: Labels, chance: NDArray[np.float64]) -> Labels:
    """The textbook sweep: take a point out, weigh all groups and a new one anew, put it back."""
    labels = labels.copy()
    for n in range(len(X)):
        rest = np.delete(np.arange(len(X)), n)
        alone = not (labels[rest] == labels[n]).any()
        names = np.append(np.unique(labels[rest]), labels[n] if alone else labels.max() + 1)
        columns = np.searchsorted(names[:-1], labels[rest])
        groups = Groups.of(PRIOR, X[rest], columns, room=1)
        counts = np.append(groups.counts[:-1], CONCENTRATION)
        weights = np.log(counts) + groups.log_predictive(X[n : n + 1], np.array([-1]))[0]
        drawn = np.exp(weights - weights.max()).cumsum()
        labels[n] = names[int((drawn < chance[n] * drawn[-1]).sum())]
    return compact(labels)


def test_there_are_as_many_partitions_as_bell_says() -> None:
    every = list(partitions(6))
    assert len(every) == 203
    assert sum(np.exp(log_prior(np.array(one), CONCENTRATION)) for one in every) == pytest.approx(1.0)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 25), wide=st.sampled_from([0.5, 2.0, 8.0]))
def test_a_sweep_is_the_sweep_point_by_point(seed: int, n: int, wide: float) -> None:
    rng = np.random.default_rng(seed)
    at = wide * rng.standard_normal((n, 2))
    labels = compact(rng.integers(0, 4, n))
    chance = np.random.default_rng(seed).random(n)
    found = gibbs(at, labels, PRIOR, CONCENTRATION, np.random.default_rng(seed))
    np.testing.assert_array_equal(found, point_by_point(at, labels, chance))


@pytest.mark.parametrize("step", [gibbs, split_or_merge])
@pytest.mark.long
def test_each_partition_comes_as_often_as_it_should(step: Callable[..., Labels]) -> None:
    compared(step, [np.array(one) for one in partitions(6)], np.zeros(6, dtype=np.intp), 6_000, None)


@pytest.mark.parametrize(("step", "times"), [(gibbs, 1_500), (split_or_merge, 6_000)])
@pytest.mark.slow
def test_with_known_classes_each_that_obeys_comes_as_often_as_it_should(
    step: Callable[..., Labels], times: int
) -> None:
    known = np.array([0, -1, 1, 0, -1, -1])
    every = [np.array(one) for one in partitions(6) if obeys(np.array(one), known)]
    assert len(every) == 37  # three points among two groups that are there, and new ones
    compared(step, every, obeying(np.zeros(6, dtype=np.intp), known), times, known)


def compared(
    step: Callable[..., Labels], every: list[Labels], labels: Labels, times: int, known: Labels | None
) -> None:
    """How often steps come to each partition, with their probabilities."""
    level = [log_prior(one, CONCENTRATION) + Assigned(PRIOR, one).at(X)[0] for one in every]
    wanted, place = softmax(level), {tuple(one): k for k, one in enumerate(every)}
    rng, found = np.random.default_rng(0), np.zeros(len(every))
    for _ in range(times):
        labels = step(X, labels, PRIOR, CONCENTRATION, rng, known)
        found[place[tuple(labels)]] += 1.0
    assert 0.5 * np.abs(found / found.sum() - wanted).sum() < 0.1
    groups = np.array([len(set(one)) for one in every])
    assert groups @ found / found.sum() == pytest.approx(groups @ wanted, abs=0.06)


@given(
    labels=st.lists(st.integers(0, 4), min_size=8, max_size=8),
    known=st.lists(st.integers(-1, 3), min_size=8, max_size=8),
)
def test_a_partition_is_made_to_obey(labels: list[int], known: list[int]) -> None:
    found = obeying(np.array(labels), np.array(known))
    assert obeys(found, np.array(known))
    np.testing.assert_array_equal(found, compact(found))


@pytest.mark.parametrize("step", [gibbs, split_or_merge])
def test_steps_obey_what_is_known(step: Callable[..., Labels]) -> None:
    rng, known = np.random.default_rng(0), np.array([0, 0, -1, 1, -1, -1])
    labels = obeying(np.array([0, 1, 1, 0, 0, 1]), known)
    for _ in range(30):
        labels = step(X, labels, PRIOR, CONCENTRATION, rng, known)
        assert obeys(labels, known)


def test_one_point_stays_alone() -> None:
    one = np.zeros(1, dtype=np.intp)
    rng = np.random.default_rng(0)
    assert gibbs(X[:1], one, PRIOR, 1.0, rng).tolist() == [0]
    assert split_or_merge(X[:1], one, PRIOR, 1.0, rng).tolist() == [0]
