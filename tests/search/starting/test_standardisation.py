"""Standard units: there and back, and what they do to likelihoods."""

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from tests.search.exact import Exact
from tests.strategies import kernels

from autostatistician.data.dataset import from_arrays
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.likelihoods import GAUSSIAN
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.starting.standardisation import Standardisation, standard

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
X, Y = 1949.0 + np.arange(12)[:, None] / 12.0, 300.0 + 40.0 * RNG.normal(size=12)
PLANE = np.column_stack([RNG.normal(size=12), 1e6 * RNG.normal(size=12)])


def _nll(kernel: Kernel, X: Array, y: Array, columns: tuple[str, ...]) -> float:
    return objective_of(kernel.expr, Problem(X, y, columns)).value(kernel.values)


def test_standard_units() -> None:
    maps = Standardisation.of(PLANE, GAUSSIAN.standardised(Y)[0], ("a", "b"))
    points, targets = maps.points(PLANE), maps.targets(Y)
    np.testing.assert_allclose(points.min(axis=0), 0.0)
    np.testing.assert_allclose(points.max(axis=0), 1.0)
    assert np.mean(targets**2) == pytest.approx(1.0)


@given(kernels(max_leaves=6))
def test_kernels_come_back(kernel: Kernel) -> None:
    maps = Standardisation.of(X, GAUSSIAN.standardised(Y)[0], ("time",))
    there = maps.to_standard(kernel)
    assert there.expr == kernel.expr
    np.testing.assert_allclose(maps.to_data(there).values, kernel.values, rtol=1e-9, atol=1e-9)


@given(kernels(columns=("a", "b"), max_leaves=6))
def test_kernels_on_several_columns_come_back(kernel: Kernel) -> None:
    maps = Standardisation.of(PLANE, GAUSSIAN.standardised(Y)[0], ("a", "b"))
    np.testing.assert_allclose(maps.to_data(maps.to_standard(kernel)).values, kernel.values, rtol=1e-9, atol=1e-6)


@given(kernels(max_leaves=4))
def test_likelihoods_are_those_of_the_data(kernel: Kernel) -> None:
    kernel = kernel + leaf("WN", sd=0.75)  # in standard units
    maps = Standardisation.of(X, GAUSSIAN.standardised(Y)[0], ("time",))
    standard = _nll(kernel, maps.points(X), maps.targets(Y), ("time",))
    expected = _nll(maps.to_data(kernel), X, Y, ("time",))
    assert maps.nll_in_data_units(standard, len(Y)) == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("size", [1e-300, 1e-9, 1e9, 1e150])
def test_targets_of_any_size(size: float) -> None:
    maps = Standardisation.of(X, GAUSSIAN.standardised(size * Y)[0], ("time",))
    assert np.mean(maps.targets(size * Y) ** 2) == pytest.approx(1.0)


def test_what_does_not_vary_keeps_its_unit() -> None:
    maps = Standardisation.of(np.full((4, 1), 7.0), GAUSSIAN.standardised(np.zeros(4))[0], ("x",))
    assert (maps.range, maps.y_scale) == ((1.0,), 1.0)
    np.testing.assert_array_equal(maps.points(np.full((4, 1), 7.0)), np.zeros((4, 1)))


def test_codes_of_categories_stay_as_they_are() -> None:
    X = np.array([[10.0, 0.0], [30.0, 2.0], [20.0, 1.0]])
    data = from_arrays(X, [1.0, 2.0, 3.0], ("size", "colour"), levels={"colour": ("blue", "green", "red")})
    maps, problem, _ = standard(data)
    inputs = problem.X
    assert inputs[:, 0].tolist() == [0.0, 1.0, 0.5]
    assert inputs[:, 1].tolist() == [0.0, 2.0, 1.0]
    kernel = leaf("Cat", "colour", contrast=2.0, sd=1.0) + leaf("SE", "size", lengthscale=0.5, sd=1.0)
    assert maps.to_data(kernel).parts[0].values[0] == 2.0


def test_the_likelihood_says_the_unit_of_the_targets() -> None:
    data = from_arrays(X[:, 0], 3.0 + 0.0 * Y)
    assert standard(data)[0].y_scale == 3.0
    maps, problem, _ = standard(data, Exact(unit=0.5))
    assert (maps.y_scale, problem.y[0], problem.likelihood) == (0.5, 6.0, Exact())
