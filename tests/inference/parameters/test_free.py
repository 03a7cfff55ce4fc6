"""The free parameters of a structure: coordinates there and back, bounds, and where fits begin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.parameters.free import FreeParameters, admissible
from autostatistician.inference.parameters.scales import measure
from autostatistician.language.count import held_values
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.text import parse

X = np.linspace(0.0, 1.0, 30)[:, None]
SCALES = measure(X, 3.0 + np.sin(9.0 * X[:, 0]), ("x",))


@given(kernels(max_leaves=5))
def test_coordinates_and_values_are_inverse_within_the_box(kernel: Kernel) -> None:
    kernel = admissible(kernel, SCALES)
    free = FreeParameters.of(kernel.expr, SCALES)
    u = free.coordinates(kernel.values)
    assert (free.low - 1e-9 <= u).all()
    assert (u <= free.high + 1e-9).all()
    assert free.values(u, kernel.values) == pytest.approx(kernel.values)
    assert len(free.priors(kernel.values)) == len(u)
    assert not set(free.indices) & held_values(kernel.expr)


@given(kernels(max_leaves=5))
def test_corners_of_the_box_are_admissible(kernel: Kernel) -> None:
    kernel = admissible(kernel, SCALES)
    free = FreeParameters.of(kernel.expr, SCALES)
    for corner in (free.low, free.high):
        values = free.values(corner, kernel.values)
        assert free.inside(values) == pytest.approx(values)


def test_the_gradient_of_a_cycle_counts_what_its_period_does_to_its_shape() -> None:
    kernel = leaf("Per", lengthscale=3.0, period=0.35, sd=1.0)
    free, step = FreeParameters.of(kernel.expr, SCALES), 1e-6
    u, gradient = free.coordinates(kernel.values), np.array([0.7, -0.2, 0.4])
    found = free.by_coordinates(gradient, kernel.values)
    for place, moved in enumerate(step * np.eye(3)):
        above, below = (np.log(free.values(u + sign * moved, kernel.values)) for sign in (1.0, -1.0))
        assert found[place] == pytest.approx(gradient @ (above - below) / (2.0 * step), rel=1e-5)


def test_open_values_are_at_the_centres_of_the_priors_and_given_ones_stay() -> None:
    free = FreeParameters.of(parse("SE * Per + Lin"), SCALES)
    nan = float("nan")
    values = free.completed((2.0, nan, nan, nan, nan, nan, nan))
    assert values[0] == 2.0
    for prior in free.priors():
        assert prior.index == 0 or prior.coordinate(values[prior.index]) == pytest.approx(prior.mean)
    (held,) = held_values(free.expr)
    assert values[held] == 1.0


def test_one_structure_on_one_data_set_is_looked_at_once() -> None:
    assert FreeParameters.of(parse("SE + WN"), SCALES) is FreeParameters.of(parse("SE + WN"), SCALES)


def test_without_learned_priors_nothing_is_penalised() -> None:
    assert FreeParameters.of(parse("SE + WN"), SCALES).penalty((1.0, 1.0, 1.0)) == 0.0
