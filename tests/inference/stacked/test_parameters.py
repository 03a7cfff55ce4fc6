"""Free parameters and priors of stacks against those of one kernel."""

import numpy as np
import pytest

from autostatistician.inference.parameters import FreeParameters, learned_priors, measure
from autostatistician.inference.stacked.parameters import StackedParameters, StackedPriors
from autostatistician.language.text import parse_kernel


def test_they_are_those_of_one_kernel() -> None:
    kernel = parse_kernel("Per(lengthscale=1, period=0.2, sd=0.5) + Lin(sd=1, location=0.4) + WN(sd=0.3)")
    scales = measure(np.linspace(0, 1, 40)[:, None], np.sin(np.arange(40.0)), ("x",), (), learned_priors())
    free, stack, one = FreeParameters.of(kernel.expr, scales), StackedParameters([kernel], [scales]), np.arange(1)
    u = stack.start + 0.1
    values = stack.values(u, one)
    assert values[0] == pytest.approx(free.values(u[0], kernel.values))
    gradient = np.arange(1.0, 7.0)
    assert stack.by_coordinates(gradient[None], values, one)[0] == pytest.approx(
        free.by_coordinates(gradient.copy(), values[0])
    )
    priors = free.priors(kernel.values)
    penalty, slopes = StackedPriors([priors]).penalties(values, one)
    value, expected = priors.penalised(0.0, np.zeros(6), values[0].tolist())
    assert penalty[0] == pytest.approx(value)
    assert slopes[0] == pytest.approx(expected)
