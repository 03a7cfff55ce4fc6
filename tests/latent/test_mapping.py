"""From coordinates to outputs and back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal
from tests.latent.small_cases import KERNELS, OUTPUTS, PLACES, numbers_of

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.latent.mapping import Mapping, Piece, log_density, place, relevances

NAMES = ("z1", "z2")


def _mapping(text: str) -> Mapping:
    """Of the columns of the small case, each by its own rows."""
    parameters = numbers_of(text)
    kernel = parameters.kernel(parameters.start)
    pieces = []
    for pattern in OUTPUTS.patterns():
        inverse = np.linalg.inv(covariance(kernel.kernel, PLACES[pattern.rows], None, NAMES))
        pieces.append(Piece(PLACES[pattern.rows], inverse @ OUTPUTS.block(pattern), inverse, pattern.columns))
    return Mapping(kernel, tuple(pieces))


def test_moments_are_those_of_the_conditional_distribution() -> None:
    mapping, new = _mapping(KERNELS[2]), np.array([[0.3, -0.4]])
    mean, sd = mapping.moments(new)
    for column, y in enumerate(OUTPUTS.Y.T):
        rows = np.isfinite(y)
        K = covariance(mapping.kernel.kernel, np.vstack([PLACES[rows], new]), None, NAMES)
        solved = np.linalg.solve(K[:-1, :-1], K[:-1, -1])
        assert mean[0, column] == pytest.approx(solved @ y[rows])
        assert sd[0, column] ** 2 == pytest.approx(K[-1, -1] - solved @ K[:-1, -1])


@pytest.mark.parametrize("text", KERNELS)
@pytest.mark.parametrize("empty", [(), (1,), (0, 2)])
def test_gradient_by_the_place_of_a_new_row(text: str, empty: tuple[int, ...]) -> None:
    mapping, row, z = _mapping(text), np.array([0.3, -0.7, 1.2]), np.array([0.4, -0.2])
    row[list(empty)] = np.nan
    expected = approx_fprime(z, lambda at: mapping.misfit(row, at)[0], 1e-7)
    np.testing.assert_allclose(mapping.misfit(row, z)[1], expected, atol=1e-5, rtol=1e-4)


def test_a_new_row_is_placed_at_the_best_of_a_grid() -> None:
    mapping, row = _mapping(KERNELS[0]), np.array([0.3, np.nan, 1.2])
    (found,) = place(mapping, row[None, :], OUTPUTS.Y, PLACES)
    axis = np.linspace(-2.5, 2.5, 26)
    grid = [mapping.misfit(row, np.array([a, b]))[0] for a in axis for b in axis]
    assert mapping.misfit(row, found)[0] <= min(grid) + 1e-9


def test_a_row_without_cells_is_in_the_middle_of_the_prior() -> None:
    (found,) = place(_mapping(KERNELS[0]), np.full((1, 3), np.nan), OUTPUTS.Y, PLACES)
    assert found.tolist() == [0.0, 0.0]


def test_coordinates_that_the_kernel_does_not_see_have_no_share() -> None:
    assert relevances(_mapping("SE[z1] + WN"), PLACES).tolist() == [1.0, 0.0]
    shares = relevances(_mapping(KERNELS[0]), PLACES)
    assert shares.sum() == pytest.approx(1.0)
    assert shares.min() > 0.0


def test_the_density_of_rows_that_depend_on_the_coordinates_linearly() -> None:
    # Without known rows, y = w z + noise: normal with variance w^2 + noise^2 by column, and common coordinates.
    parameters = numbers_of("Lin[z1](sd=0.01, location=0) + WN(sd=0.5)")
    points, columns = np.array([[1.0, 0.0]]), np.arange(2)
    slopes = np.array([[1.5, -0.7]])
    kernel = parameters.kernel(parameters.start)
    weights = slopes / kernel.signal.values[0] ** 2  # mean k(z, 1) W = slopes z1
    mapping = Mapping(kernel, (Piece(points, weights, np.zeros((1, 1)), columns),))
    rows = np.array([[0.5, 0.1], [-2.0, 1.0]])
    found = log_density(mapping, rows, np.random.default_rng(0).normal(size=(20, 2)), 20000, np.random.default_rng(1))
    expected = multivariate_normal(cov=slopes.T @ slopes + kernel.noise_sd**2 * np.eye(2)).logpdf(rows)
    np.testing.assert_allclose(found, expected, atol=0.05)
