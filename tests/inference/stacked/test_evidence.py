"""Differences of stacks."""

import numpy as np

from autostatistician.inference.parameters import FreeParameters, measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import stacked_differences
from autostatistician.language.kernel import leaf


def test_noise_turns_as_is_known() -> None:
    x, y, noise = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0]), leaf("WN", sd=1.0)
    priors = FreeParameters.of(noise.expr, measure(x, y, ("x",))).priors()
    free, data = np.ones(1, dtype=bool), Problem(x, y)
    for one_sided in (False, True):
        second = stacked_differences(noise, priors, free, data, 1e-4, one_sided=one_sided)
        assert second.round(2).tolist() == [[8.0]]
