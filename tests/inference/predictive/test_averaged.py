import numpy as np
import pytest

from autostatistician.data.transform import Transform, transform_of
from autostatistician.inference.predictive.averaged import Averaged
from autostatistician.inference.predictive.predictive import Predictive, predictive


@pytest.fixture
def both() -> Averaged:
    """A normal and a lognormal distribution of three values; the last is of the first alone."""
    plain = Predictive(np.array([[3.0, 10.0, 4.0]]), np.array([[1.0, 2.0, 1.0]]), np.ones(1), Transform())
    log = predictive(np.array([5.3, 6.4, 5.6]), np.array([0.4, 0.2, 0.3]), transform_of("log", np.array([1.0, 16.0])))
    return Averaged(plain, log, np.array([0.3, 0.5, 0.0]))


def _drawn(both: Averaged, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    first, second = (
        part.transform.back(part.means[0][:, None] + part.sds[0][:, None] * rng.normal(size=(3, count)))
        for part in (both.first, both.second)
    )
    return np.where(rng.uniform(size=(3, count)) < both.share[:, None], second, first)


def test_moments_quantiles_and_chances_are_those_of_draws(both: Averaged) -> None:
    drawn = _drawn(both, 200_000, 1)
    np.testing.assert_allclose(both.mean, drawn.mean(axis=1), rtol=0.01)
    np.testing.assert_allclose(both.std, drawn.std(axis=1), rtol=0.02)
    levels = [0.025, 0.3, 0.5, 0.975]
    np.testing.assert_allclose(both.quantiles(levels), np.quantile(drawn, levels, axis=1).T, rtol=0.02)
    y = np.array([2.5, 9.0, 4.0])
    np.testing.assert_allclose(both.cdf(y), np.mean(drawn <= y[:, None], axis=1), atol=0.005)


def test_quantiles_undo_the_distribution_function(both: Averaged) -> None:
    for level in (0.01, 0.5, 0.9):
        np.testing.assert_allclose(both.cdf(both.quantiles([level])[:, 0]), level, atol=1e-9)


def test_without_a_share_it_is_the_first_alone(both: Averaged) -> None:
    levels = [0.1, 0.9]
    np.testing.assert_array_equal(both.quantiles(levels)[2], both.first.quantiles(levels)[2])


def test_a_density_is_the_slope_of_the_distribution_function(both: Averaged) -> None:
    y, step = np.array([2.5, 9.0, 4.0]), 1e-5
    slope = (both.cdf(y + step) - both.cdf(y - step)) / (2.0 * step)
    np.testing.assert_allclose(both.log_density(y), np.log(slope), rtol=1e-6)


def test_the_ranked_probability_score_is_that_of_draws(both: Averaged) -> None:
    y = np.array([1.0, 12.0, 4.5])
    one, two = _drawn(both, 200_000, 2), _drawn(both, 200_000, 3)
    expected = np.abs(one - y[:, None]).mean(axis=1) - 0.5 * np.abs(one - two).mean(axis=1)
    np.testing.assert_allclose(both.crps(y), expected, rtol=0.03)
