"""The curvature of a likelihood is that of its values, in widths of the prior."""

import numpy as np
import pytest

from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.scales import measure
from autostatistician.gp.problem import Problem
from autostatistician.gp.uncertainty.evidence import curvature
from autostatistician.kernels.kernel import leaf

X = np.linspace(0.0, 1.0, 25)[:, None]
Y = np.sin(9.0 * X[:, 0]) + 0.2 * np.random.default_rng(0).normal(size=25)
PROBLEM, SCALES = Problem(X, Y), measure(X, Y, ("x",))
KERNEL = leaf("SE", sd=0.8, lengthscale=0.2) + leaf("WN", sd=0.2)


def test_the_hessian_is_that_of_second_differences_of_values() -> None:
    around = curvature(KERNEL, PROBLEM, SCALES)
    widths, step = np.array([one.width for one in around.free]), 1e-3
    place = np.array([one.mean for one in around.free]) + widths * around.place
    objective = objective_of(KERNEL.expr, PROBLEM)

    def value(moved: np.ndarray) -> float:
        return objective.value(around.free.values(place + moved, around.kernel.values))

    eye = step * np.eye(len(place))
    for i in range(len(place)):
        for j in range(len(place)):
            four = value(eye[i] + eye[j]) - value(eye[i] - eye[j]) - value(eye[j] - eye[i]) + value(-eye[i] - eye[j])
            expected = four / (4.0 * step**2) * widths[i] * widths[j]
            assert around.hessian[i, j] == pytest.approx(expected, rel=1e-2, abs=0.05)


def test_differences_to_one_side_are_off_by_little() -> None:
    both, one = (curvature(KERNEL, PROBLEM, SCALES, one_sided=one_sided).hessian for one_sided in (False, True))
    assert (both != one).any()
    np.testing.assert_allclose(one, both, rtol=1e-3, atol=1e-3 * np.abs(both).max())


def test_numbers_at_a_bound_are_held() -> None:
    loud = leaf("SE", sd=0.8, lengthscale=0.2) + leaf("WN", sd=SCALES.noise_floor)
    around = curvature(loud, PROBLEM, SCALES)
    assert around.held == 1
    assert len(around.free) == len(FreeParameters.of(loud.expr, SCALES).priors(loud.values)) - 1


def test_axes_give_the_size_of_negative_curvatures() -> None:
    sizes, axes = curvature(KERNEL, PROBLEM, SCALES).axes()
    assert (sizes >= 0.0).all()
    np.testing.assert_allclose(axes @ axes.T, np.eye(len(sizes)), atol=1e-12)
