"""Coordinates of stacks against those of one kernel."""

import numpy as np
import pytest

from autostatistician.inference.parameters import FreeParameters, learned_priors, measure
from autostatistician.inference.stacked.parameters import StackedPriors
from autostatistician.language.text import parse_kernel


def test_they_are_those_of_one_kernel() -> None:
    kernel = parse_kernel("Per(lengthscale=1, period=0.2, sd=0.5) + Lin(sd=1, location=0.4) + WN(sd=0.3)")
    scales = measure(np.linspace(0, 1, 40)[:, None], np.sin(np.arange(40.0)), ("x",), (), learned_priors())
    priors, others = FreeParameters.of(kernel.expr, scales).priors(kernel.values), np.array(kernel.values)
    stack, gradient = StackedPriors(priors), np.arange(1.0, 7.0)
    here = stack.coordinates(others)
    assert here == pytest.approx(priors.coordinates(kernel.values))
    u = here + np.array([[0.0], [0.1]])
    values, slopes = stack.values(u, others), stack.by_coordinates(np.tile(gradient, (2, 1)), u)
    for member, place in enumerate(u):
        assert values[member] == pytest.approx(priors.values(place, kernel.values))
        assert slopes[member] == pytest.approx(priors.by_coordinates(gradient, place))
