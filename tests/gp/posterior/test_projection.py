"""Projections add up, know one another, and compute nothing that is not asked for."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import kstest, norm

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.functionals import (
    CentredFunctional,
    ColumnPrior,
    Functional,
    Means,
    PartLevel,
    Values,
)
from autostatistician.gp.posterior.projection import Dense, Projection, draw, spread_normals, total
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
X_SEEN, HERE, THERE = (RNG.uniform(0.0, 3.0, (count, 1)) for count in (7, 4, 4))
PART = leaf("SE", sd=1.2, lengthscale=0.8) + leaf("Lin", sd=0.5, location=1.0)
PRIOR = ColumnPrior(("x",))
EYE, NONE = np.eye(4), np.zeros((4, 4))
LEVEL = PartLevel.of(covariance(PART, X_SEEN))

# The places, and their weights over the values here, there and at the observations.
CASES: dict[str, tuple[Functional, Array]] = {
    "values": (Values(HERE), np.hstack([EYE, NONE, np.zeros((4, 7))])),
    "centred": (CentredFunctional(Values(HERE), LEVEL), np.hstack([EYE, NONE, np.full((4, 7), -1.0 / 7.0)])),
}


@pytest.mark.parametrize("case", CASES)
def test_covariances_are_those_of_the_weighted_sums(case: str) -> None:
    places, weights = CASES[case]
    every = np.vstack([HERE, THERE, X_SEEN])
    known = places.covariances(PRIOR, PART, X_SEEN)
    whole = covariance(PART, every, every)
    matrix = known.matrix()
    np.testing.assert_allclose(known.cross, weights @ covariance(PART, every, X_SEEN), atol=1e-12)
    np.testing.assert_allclose(matrix, weights @ whole @ weights.T, atol=1e-12)
    np.testing.assert_allclose(known.variance, matrix.diagonal(), atol=1e-12)


def test_noise_at_the_observations_is_that_of_the_data_and_elsewhere_a_new_draw() -> None:
    noise = leaf("WN", sd=0.3)
    np.testing.assert_array_equal(Values().covariances(PRIOR, noise, X_SEEN).cross, 0.3**2 * np.eye(7))
    assert not Values(X_SEEN).covariances(PRIOR, noise, X_SEEN).cross.any()
    np.testing.assert_allclose(Values(X_SEEN).covariances(PRIOR, noise, X_SEEN).variance, 0.3**2)


COLUMNS = ("a", "b", "c")
RNG_TABLE = np.random.default_rng(0)
X_TABLE = RNG_TABLE.normal(size=(9, 3))
LINE_TABLE, BUMP, OTHER = (
    leaf("Lin", "a", sd=0.8, location=0.3),
    leaf("SE", "b", sd=1.0, lengthscale=1.5),
    leaf("SE", "c", sd=1.2, lengthscale=0.9),
)
APART = LINE_TABLE * BUMP * OTHER + leaf("SE", "a", sd=0.4, lengthscale=0.6)
TOGETHER = Kernel.change_point(BUMP, LINE_TABLE, location=0.1, steepness=3.0, column="c") + LINE_TABLE


def _points(rows: int) -> np.ndarray:
    points = np.tile(X_TABLE[:rows], (4, 1, 1))
    points[:, :, 0] = np.linspace(-1.0, 1.0, 4)[:, None]
    return points


@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("part", [APART, TOGETHER], ids=["by factors", "as a whole"])
def test_means_are_those_of_all_points(part: Kernel, rows: int) -> None:
    points = _points(rows)
    flat, weights = points.reshape(-1, 3), np.kron(np.eye(4), np.full(rows, 1.0 / rows))
    known = Means(points, COLUMNS).covariances(ColumnPrior(COLUMNS), part, X_TABLE)
    whole = weights @ covariance(part, flat, flat, COLUMNS) @ weights.T
    np.testing.assert_allclose(known.cross, weights @ covariance(part, flat, X_TABLE, COLUMNS), atol=1e-12)
    np.testing.assert_allclose(known.matrix(), whole, atol=1e-12)
    np.testing.assert_allclose(known.variance, whole.diagonal(), atol=1e-12)


def test_only_factors_of_either_kind_are_taken_apart() -> None:
    assert Means(_points(5), COLUMNS)._apart(APART) is not None
    assert Means(_points(5), COLUMNS)._apart(TOGETHER) is None
    assert Means(_points(1), COLUMNS)._apart(APART) is None


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


X = np.linspace(0.0, 4.0, 15)[:, None]
SMOOTH, LINE = leaf("SE", sd=1.0, lengthscale=0.7), leaf("Lin", sd=0.5, location=2.0)
POSTERIOR = condition(SMOOTH + LINE + leaf("WN", sd=0.3), Problem(X, np.sin(2.0 * X[:, 0]) + X[:, 0]))
AT = np.linspace(-0.5, 4.5, 6)[:, None]
PARTS = [POSTERIOR.project(part, AT) for part in (SMOOTH, LINE)]


def test_a_sum_of_projections_is_the_projection_of_the_sum() -> None:
    both, expected = total(PARTS), POSTERIOR.project(SMOOTH + LINE, AT)
    np.testing.assert_allclose(both.mean, expected.mean, atol=1e-10)
    np.testing.assert_allclose(both.covariance(), expected.covariance(), atol=1e-10)
    np.testing.assert_allclose(both.sd**2, both.variance, atol=1e-12)


def test_covariances_between_parts_make_up_that_of_their_sum() -> None:
    one, other = PARTS
    cross = one.between(other)
    whole = one.covariance() + other.covariance() + cross + cross.T
    np.testing.assert_allclose(whole, POSTERIOR.project(SMOOTH + LINE, AT).covariance(), atol=1e-10)


def test_what_is_not_asked_for_is_not_computed() -> None:
    def never() -> np.ndarray:
        raise AssertionError("nobody asked")

    known = Projection(np.ones(2), never, never, never)
    assert known.mean.tolist() == [1.0, 1.0]
    assert total([known, known]).mean.tolist() == [2.0, 2.0]
    assert known.shifted(np.ones(2)).mean.tolist() == [2.0, 2.0]
    with pytest.raises(AssertionError, match="nobody asked"):
        known.sd  # noqa: B018


def test_draws_have_the_moments_of_the_projection() -> None:
    drawn = PARTS[1].draws(np.random.default_rng(0), 20_000)
    np.testing.assert_allclose(drawn.mean(axis=0), PARTS[1].mean, atol=0.02)
    np.testing.assert_allclose(np.cov(drawn.T), PARTS[1].covariance(), atol=0.02)


def test_what_is_left_by_rounding_is_not_drawn() -> None:
    cov = np.diag([1.0, 1e-15])
    assert np.abs(draw(np.zeros(2), cov, np.random.default_rng(0), scale=1.0, count=50)[:, 1]).max() < 1e-12


def test_covariances_of_too_many_values_are_refused() -> None:
    many = Projection(np.zeros(20_001), lambda: np.ones(1), lambda: Dense(np.zeros((1, 1))), lambda: np.ones((1, 1)))
    with pytest.raises(InputError, match="covariances between at most 20000 values; found 20001; ask for standard"):
        many.covariance()
