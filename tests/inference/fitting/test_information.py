"""Expected information against the textbook, and what it is for: fits that need fewer steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from tests.strategies import kernels

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting.information import information
from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.parameters.balance import balanced
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import FEW_ROWS, Problem
from autostatistician.language.kernel import Kernel, leaf, parameters

Vector = NDArray[np.float64]

X = np.sort(np.random.default_rng(0).uniform(size=FEW_ROWS))[:, None]
Y = np.sin(20.0 * X[:, 0])


def _by_values(kernel: Kernel) -> tuple[Vector, list[bool]]:
    positive = [parameter.role.positive for parameter in parameters(kernel.expr)]
    place = [np.log(value) if log else value for value, log in zip(kernel.values, positive, strict=True)]
    return np.array(place), positive


def _of(kernel: Kernel, points: Problem) -> Vector:
    place, positive = _by_values(kernel)

    def values(u: Vector) -> tuple[float, ...]:
        return tuple(float(np.exp(one)) if log else float(one) for one, log in zip(u, positive, strict=True))

    return information(kernel.expr, points, values, place)


def _scores(kernel: Kernel, points: Problem, count: int) -> Vector:
    """Gradients (count, p) for data that are drawn from the model itself."""
    rng, cov = np.random.default_rng(1), covariance(kernel, points.X, columns=("x",))
    found = []
    for _ in range(count):
        drawn = Problem(points.X, rng.multivariate_normal(np.zeros(points.n), cov, method="cholesky"), ("x",))
        found.append(objective_of(kernel.expr, drawn).value_and_gradient(kernel.values)[1])
    return np.array(found)


@pytest.mark.slow
def test_it_is_the_variance_of_the_gradient() -> None:
    kernel = leaf("SE", lengthscale=0.2, sd=1.0) * leaf("Lin", location=0.3, sd=1.5) + leaf("WN", sd=0.3)
    points = Problem(X, Y, ("x",))
    np.testing.assert_allclose(_scores(kernel, points, 2000).var(axis=0), _of(kernel, points), rtol=0.15)


@given(kernels(max_leaves=4))
def test_it_is_finite_and_not_negative(kernel: Kernel) -> None:
    found = _of(balanced(kernel + leaf("WN", sd=0.3), measure(X, Y, ("x",))), Problem(X, Y, ("x",)))
    assert np.all(np.isfinite(found))
    assert np.all(found >= 0.0)


def test_many_rows_tell_as_much_as_a_few_of_them_each() -> None:
    x = np.linspace(0.0, 1.0, 5 * FEW_ROWS)[:, None]
    points = Problem(x, np.sin(20.0 * x[:, 0]), ("x",))
    assert _of(leaf("WN", sd=0.3), points)[0] == pytest.approx(2.0 * points.n, rel=1e-3)
    assert points.few.n == FEW_ROWS
    assert Problem(X, Y, ("x",)).few.n == FEW_ROWS


def test_where_there_is_no_covariance_nothing_is_known() -> None:
    kernel = leaf("SE", lengthscale=np.nan, sd=1.0)
    assert information(kernel.expr, Problem(X, Y, ("x",)), lambda _: kernel.values, np.zeros(2)).tolist() == [0.0, 0.0]


def test_a_sharp_period_is_found_in_few_steps() -> None:
    x = np.arange(120.0)[:, None] / 119.0
    y = np.sin(2.0 * np.pi * x[:, 0] / 0.05) + 0.1 * np.random.default_rng(3).normal(size=120)
    start = leaf("Per", lengthscale=1.0, period=0.0495, sd=0.5) + leaf("WN", sd=0.5)
    points, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    few, many = (fit(start, points, scales, steps) for steps in (15, 200))
    assert few.nll - many.nll < 0.5
