"""The joint density of outputs and coordinates: its value, its gradient, and what it finds."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal, norm
from tests.models.latent.small_cases import KERNELS, OUTPUTS, PLACES, log_density_of_outputs, numbers_of, slopes

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.gp.parameters import learned_table_priors
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.latent.map_estimate import JointMisfit, Outputs, maximise, principal_coordinates
from autostatistician.models.latent.mapping import LatentParameters, Mapping, Piece, log_density, place, relevances

NAMES = ("z1", "z2")


def test_numbers_begin_where_they_are_given_and_go_there_and_back() -> None:
    parameters = numbers_of("SE[z1](lengthscale=1.5, sd=2) + Lin[z2] + WN(sd=0.2)")
    kernel = parameters.kernel(parameters.start)
    assert kernel.noise_sd == pytest.approx(0.2)
    assert kernel.signal.values[:2] == pytest.approx((1.5, 2.0))
    assert str(kernel.kernel).endswith("+ WN")
    assert all(low <= at <= high for at, (low, high) in zip(parameters.start, parameters.limits, strict=True))


def test_a_product_has_one_size() -> None:
    parameters = numbers_of("SE[z1] * SE[z2] + WN")
    assert len(parameters.start) == 4
    _, slopes = parameters.penalised(0.0, parameters.start, np.arange(5.0))
    assert slopes.tolist() == [float(prior.index) for prior in parameters.priors]


def test_learned_priors_add_their_penalty_and_its_slope() -> None:
    learned = LatentParameters(parse_kernel("SE[z1] * Lin[z2] + WN"), NAMES, learned_table_priors())
    u = learned.start + 0.3
    value, slopes = learned.penalised(1.0, u, np.zeros(5))
    assert value == pytest.approx(1.0 + learned.penalty(u))
    assert slopes == pytest.approx(approx_fprime(u, learned.penalty, 1e-7), abs=1e-5)
    assert numbers_of("SE[z1] * Lin[z2] + WN").penalty(u) == 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SE[z1]", "white noise as one term of the kernel; found none"),
        ("SE[z1] + WN * Lin[z1]", "white noise as one term"),
        ("WN", "a kernel that depends on the coordinates"),
    ],
)
def test_kernels_that_are_no_latent_ones(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        numbers_of(text)


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


RNG = np.random.default_rng(0)
ROWS = 3.0 + RNG.normal(size=(12, 4)) * [1.0, 10.0, 0.1, 5.0]
GAPS = ROWS.copy()
GAPS[2, 1] = GAPS[5, 1] = GAPS[7, 3] = np.nan


def test_columns_have_mean_zero_and_deviation_one() -> None:
    outputs = Outputs.of(GAPS)
    np.testing.assert_allclose(np.nanmean(outputs.Y, axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.nanstd(outputs.Y, axis=0), 1.0)
    np.testing.assert_allclose(outputs.standard(GAPS), outputs.Y)
    assert outputs.log_unit == pytest.approx([12, 10, 12, 11] @ np.log(outputs.scale))


def test_a_column_that_does_not_vary_keeps_its_unit() -> None:
    outputs = Outputs.of(np.array([[1.0, 7.0], [2.0, 7.0]]))
    assert outputs.scale.tolist() == [0.5, 1.0]


def test_patterns_hold_every_observed_cell_once() -> None:
    outputs, seen = Outputs.of(GAPS), np.zeros((12, 4), dtype=int)
    patterns = list(outputs.patterns())
    for pattern in patterns:
        assert np.isfinite(outputs.block(pattern)).all()
        seen[np.ix_(pattern.rows, pattern.columns)] += 1
    np.testing.assert_array_equal(seen, np.isfinite(GAPS))
    assert len(patterns) == 3


def test_coordinates_of_a_plane_are_found_also_where_cells_are_empty() -> None:
    true = RNG.normal(size=(30, 2)) * [3.0, 1.0]
    rows = true @ RNG.normal(size=(2, 6))
    whole = principal_coordinates(rows, 2, RNG)
    np.testing.assert_allclose(whole.T @ whole / 30, np.eye(2) * whole.var(axis=0), atol=0.1)
    rows[4, 2] = rows[9, 0] = np.nan
    np.testing.assert_allclose(principal_coordinates(rows, 2, RNG), whole, atol=0.4)
    emptied = principal_coordinates(np.nan_to_num(rows), 2, RNG)
    assert np.abs(principal_coordinates(rows, 2, RNG) - whole).max() < 0.7 * np.abs(emptied - whole).max()


def test_coordinates_beyond_the_rank_are_small() -> None:
    rows = np.outer(np.linspace(-1.0, 1.0, 9), [1.0, 2.0])
    found = principal_coordinates(rows, 2, np.random.default_rng(0))
    assert found[:, 0].std() == pytest.approx(1.0)
    assert 0.0 < found[:, 1].std() < 0.2
    assert np.isfinite(principal_coordinates(np.zeros((4, 2)), 2, RNG)).all()


def test_the_value_is_the_log_density_of_every_column_at_its_own_rows() -> None:
    parameters = numbers_of(KERNELS[0])
    misfit = JointMisfit(OUTPUTS, parameters)
    u = np.concatenate([PLACES.ravel(), parameters.start])
    Z = (PLACES - PLACES.mean(axis=0)) / PLACES.std(axis=0)
    assert -misfit(u)[0] == pytest.approx(norm.logpdf(Z).sum() + log_density_of_outputs(parameters, Z))


@pytest.mark.parametrize("text", KERNELS)
def test_gradient(text: str) -> None:
    parameters = numbers_of(text)
    misfit = JointMisfit(OUTPUTS, parameters)
    u = np.concatenate([PLACES.ravel(), parameters.start + 0.1])
    expected = slopes(lambda at: misfit(at)[0], u)
    np.testing.assert_allclose(misfit(u)[1], expected, atol=1e-4, rtol=1e-4)


def test_units_of_the_coordinates_are_no_unknowns() -> None:
    parameters = numbers_of(KERNELS[0])
    misfit = JointMisfit(OUTPUTS, parameters)
    one, other = (np.concatenate([at.ravel(), parameters.start]) for at in (PLACES, 3.0 * PLACES + 1.0))
    assert misfit(one)[0] == pytest.approx(misfit(other)[0])


def test_an_arc_is_straightened() -> None:
    t = np.linspace(-2.0, 2.0, 25)
    outputs = Outputs.of(np.column_stack([np.sin(t), np.cos(t), t]))
    start = np.column_stack([t, 0.1 * np.random.default_rng(0).normal(size=25)])
    value, Z, mapping, evaluations = maximise(outputs, numbers_of("SE[z1] + WN"), start, 100)
    assert evaluations > 1
    assert abs(np.corrcoef(Z[:, 0], t)[0, 1]) > 0.999
    np.testing.assert_allclose(Z.std(axis=0), 1.0)
    np.testing.assert_allclose(mapping.moments(Z)[0], outputs.Y, atol=0.1)
    assert np.isfinite(value)
