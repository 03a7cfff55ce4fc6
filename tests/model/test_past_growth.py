"""Growth beyond the data: most of the way from that of a model to that of the whole, held by its own doubt."""

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.inference import Problem, condition
from autostatistician.inference.posterior import Posterior
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.model.past_growth import MOST_SDS, SHARE_OF_PAST, drawn_to_past, past_growth

X = np.arange(30.0)[:, None]
Y = 100.0 + 2.0 * X[:, 0] + np.random.default_rng(0).normal(size=30)
AHEAD = np.array([[10.0], [29.0], [30.0], [39.0]])
LEVEL, NOISE = leaf("C", sd=100.0), leaf("WN", sd=1.0)
WALK = leaf("Wiener", sd=3.0, location=0.0)


def _posterior(kernel: Kernel) -> Posterior:
    return condition(kernel, Problem(X, Y, ("x",)))


def test_the_growth_of_the_whole_is_the_slope_of_a_line() -> None:
    assert past_growth(Dataset(X, Y, ("x",), "y", None)) == pytest.approx(np.polyfit(X[:, 0], Y, 1)[0])


def test_a_walk_goes_most_of_the_way_to_it_and_the_data_stay() -> None:
    moved = drawn_to_past(_posterior(LEVEL + WALK + NOISE), AHEAD, 1.0)
    np.testing.assert_allclose(moved, SHARE_OF_PAST * np.array([0.0, 0.0, 1.0, 10.0]), atol=1e-6)


def test_no_value_moves_by_more_than_twice_the_doubt_of_the_model() -> None:
    moved = drawn_to_past(_posterior(LEVEL + leaf("Wiener", sd=0.01, location=0.0) + NOISE), AHEAD, 50.0)
    np.testing.assert_allclose(moved[2:], MOST_SDS * 0.01 * np.sqrt([1.0, 10.0]), rtol=0.01)


def test_a_line_stays_a_line() -> None:
    line = leaf("Lin", sd=2.0, location=14.5)
    moved = drawn_to_past(_posterior(LEVEL + line + NOISE), AHEAD, past_growth(Dataset(X, Y, ("x",), "y", None)))
    assert np.abs(moved).max() < 0.02


@pytest.mark.parametrize("more", [None, leaf("Per", sd=1.0, lengthscale=1.0, period=7.0)])
def test_without_a_trend_nothing_moves(more: Kernel | None) -> None:
    kernel = LEVEL + NOISE if more is None else LEVEL + more + NOISE
    assert not drawn_to_past(_posterior(kernel), AHEAD, 2.0).any()
    assert not drawn_to_past(_posterior(NOISE), AHEAD, 2.0).any()


def test_means_move_in_the_same_way_by_every_engine() -> None:
    x = np.linspace(0.0, 900.0, 1500)[:, None]
    problem = Problem(x, 0.1 * x[:, 0], ("x",))
    moved = drawn_to_past(condition(LEVEL + WALK + NOISE, problem), np.array([[950.0]]), 0.1)
    np.testing.assert_allclose(moved, SHARE_OF_PAST * 0.1 * 50.0, rtol=1e-3)
