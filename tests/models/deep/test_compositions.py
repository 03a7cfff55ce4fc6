"""Draws of compositions: their law, their shapes, and what is refused."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician import sample_deep
from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.deep.compositions import MOST_PLACES, composition
from slopes import log_slope_moments

Array = NDArray[np.float64]
SE = "SE(lengthscale=1, sd=1.5)"
LINE = np.linspace(-2.0, 2.0, 5)


def _many(connected: bool, X: Array, layers: int, count: int = 1500) -> Array:
    rng = np.random.default_rng(0)
    return np.array([composition(parse_kernel(SE), layers, X, rng, connected=connected)[-1] for _ in range(count)])


def test_one_layer_has_the_covariance_of_the_kernel() -> None:
    draws = _many(False, LINE[:, None], 1)[:, :, 0]
    assert np.cov(draws.T) == pytest.approx(covariance(parse_kernel(SE), LINE), abs=0.35)


@pytest.mark.slow
@pytest.mark.parametrize("connected", [False, True])
def test_two_layers_have_the_expected_covariance(connected: bool) -> None:
    # Given f_1, the second layer has the covariance k(f_1(x), f_1(x')); of the normal difference of variance v the
    # expectation of exp(-difference^2 / 2) is 1 / sqrt(1 + v).
    first = covariance(parse_kernel(SE), LINE)
    lag = np.subtract.outer(LINE, LINE)
    expected = 2.25 / np.sqrt(1.0 + 2.0 * (2.25 - first)) * (np.exp(-0.5 * lag**2) if connected else 1.0)
    draws = _many(connected, LINE[:, None], 2)[:, :, 0]
    assert draws.T @ draws / len(draws) == pytest.approx(expected, abs=0.4)


def test_outputs_are_independent_functions_of_the_plane() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    draws = _many(False, X, 1).reshape(-1, 6)
    square = ((X[:, None] - X) ** 2).sum(axis=2)
    expected = np.kron(2.25 * np.exp(-0.5 * square), np.eye(2))  # outputs are the faster index
    assert np.cov(draws.T) == pytest.approx(expected, abs=0.35)


def test_every_layer_is_a_function_of_the_one_below() -> None:
    drawn = sample_deep(SE, np.linspace(-3.0, 3.0, 2000), layers=4)
    assert drawn.shape == (5, 2000)
    for below, above in pairwise(drawn):
        order = np.argsort(below)
        assert np.abs(np.diff(above[order])).max() < 0.1 * np.ptp(above) + 1e-9


def test_smooth_functions_at_many_places_are_smooth() -> None:
    line = sample_deep(SE, np.linspace(-3.0, 3.0, 15000), layers=1)[1]
    assert np.abs(np.diff(line, 2)).max() < 1e-5


@pytest.mark.slow
def test_rough_functions_at_more_places_than_are_drawn_have_the_variance_of_the_kernel() -> None:
    kernel, x = "Matern12(lengthscale=1, sd=1)", np.linspace(0.0, 20.0, 2 * MOST_PLACES)
    lines = np.array([sample_deep(kernel, x, layers=1, random_state=seed)[1] for seed in range(20)])
    assert lines.var(ddof=0) == pytest.approx(1.0, abs=0.35)


def test_the_same_number_gives_the_same_draw() -> None:
    one, same, other = (sample_deep(SE, LINE, layers=3, connected=True, random_state=seed) for seed in (3, 3, 4))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_no_layers_leave_the_places_as_they_are() -> None:
    assert np.array_equal(sample_deep(SE, LINE, layers=0), LINE[None])


@pytest.mark.parametrize(
    ("kernel", "layers", "X", "message"),
    [
        (f"{SE} + WN(sd=1)", 2, LINE, "without noise"),
        ("Lin(sd=1, location=0)", 2, np.zeros((3, 2)), "lags alone"),
        ("SE", 2, LINE, "a number for each parameter"),
        (SE, -1, LINE, "number of layers"),
    ],
)
def test_what_has_no_compositions_is_refused(kernel: str, layers: int, X: Array, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sample_deep(kernel, X, layers=layers)


def test_a_line_of_lines_is_a_line() -> None:
    drawn = sample_deep("Lin(sd=1, location=0)", LINE, layers=3)
    assert np.abs(np.diff(drawn, 2, axis=1)).max() < 1e-12


def test_places_that_mirror_one_another_come_in_their_order_whatever_the_rounding() -> None:
    # On a line symmetric about zero every choice has a mirror image; rounding must not decide between the two.
    line = np.linspace(-2.0, 2.0, 401)
    changed = line * (1.0 + 1e-13 * np.random.default_rng(0).normal(size=401))
    one, other = (sample_deep(SE, x, layers=1)[1] for x in (line, changed))
    np.testing.assert_allclose(one, other, atol=1e-4)


@pytest.mark.parametrize(("lengthscale", "lost"), [(0.8, True), (0.35, False)])
def test_fifty_layers_at_fifteen_thousand_places_are_one_value_or_noise_as_slopes_shrink_or_grow(
    lengthscale: float, lost: bool
) -> None:
    kernel, x = f"SE(lengthscale={lengthscale}, sd=1)", np.linspace(-4.0, 4.0, 15_000)
    drawn = sample_deep(kernel, x, layers=50, random_state=1)
    assert drawn.shape == (51, 15_000)
    assert np.abs(drawn[1:]).max() < 6.0
    mean, _ = log_slope_moments(1.0 / lengthscale, 50)
    assert (mean < 0.0) == lost
    jump = np.median(np.abs(np.diff(drawn[50])))
    assert jump < 1e-9 if lost else jump > 0.02
