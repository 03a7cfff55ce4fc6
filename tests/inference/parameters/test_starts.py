"""Starts of fits: the centres of the priors and draws around them."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.parameters.starts import starts
from autostatistician.language.kernel import unset
from autostatistician.language.text import parse, parse_kernel

X = np.random.default_rng(0).uniform(size=(30, 2))
SCALES = measure(X, np.sin(9.0 * X[:, 0]), ("a", "b"))


def test_the_first_start_keeps_what_is_given_and_all_are_inside() -> None:
    kernel = parse_kernel("SE[a](lengthscale=0.7) * SE[b] + Lin[a] + WN")
    free = FreeParameters.of(kernel.expr, SCALES)
    found = starts(kernel, SCALES, np.random.default_rng(1), 4)
    assert len({one.values for one in found}) == 4
    assert found[0].values[0] == 0.7 != found[1].values[0]
    for one in found:
        assert free.inside(one.values) == pytest.approx(one.values)


def test_noise_begins_below_the_rest_and_lengths_reach_the_next_rows() -> None:
    (start,) = starts(unset(parse("SE[a] + SE[b] + WN")), SCALES, np.random.default_rng(0), 1)
    length, size, _, _, noise = start.values
    assert noise == pytest.approx(0.3 * size)
    assert length >= 0.2 * SCALES.columns["a"].range - 1e-9
