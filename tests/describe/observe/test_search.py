"""A learned scale as a fact: sizes are slopes of the way back, levels are those on the scale."""

import numpy as np
import pytest

from autostatistician.data.transform import power_of, transform_of
from autostatistician.describe.observe.search import shape_facts

Y = np.random.default_rng(0).lognormal(3.0, 0.5, 200)


def test_sizes_are_slopes_of_the_way_back() -> None:
    power = power_of(Y, 0.4)
    (fact,) = shape_facts(power, Y)
    assert fact.power == 0.4
    assert fact.number == pytest.approx(np.exp(np.mean(np.log(Y))))
    assert np.mean(fact.low > Y) == pytest.approx(0.05)
    assert np.mean(fact.high < Y) == pytest.approx(0.05)
    for value, times in ((fact.low, fact.low_times), (fact.high, fact.high_times)):
        there = float(power.forward(np.array([value]))[0])
        ends = power.back(there + np.array([-1e-4, 0.0, 1e-4]))
        assert (ends[2] - ends[0]) / 2e-4 == pytest.approx(times, rel=1e-4)


def test_there_is_none_of_another_scale() -> None:
    assert shape_facts(transform_of("log", Y), Y) == ()
