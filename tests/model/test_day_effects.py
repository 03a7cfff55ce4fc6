"""Effects of days are means with what they are not known by, and lie on their days alone."""

from __future__ import annotations

import numpy as np

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay
from autostatistician.model.day_effects import at_positions, measured

CHRISTMAS = CalendarDay("date", 12, 25)
DAILY = Axis("day", "day", "day", 1.0, "2021-01-01")


def test_ranges_with_the_variance_of_an_effect_hold_the_next_value_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    inside = []
    for _ in range(2000):
        deviations = -80.0 + rng.normal(0.0, 3.0, 6)
        effect = measured(CHRISTMAS, deviations[:5], np.full(5, 9.0))
        inside.append(abs(deviations[5] - effect.size) < 1.96 * np.sqrt(9.0 + effect.variance))
    assert 0.93 < np.mean(inside) < 0.99


def test_values_that_differ_more_than_the_noise_widen_what_is_foreseen() -> None:
    even, uneven = (measured(CHRISTMAS, np.array([-80.0 - d, -80.0 + d]), np.ones(2)) for d in (0.5, 20.0))
    assert even.variance == 0.5
    assert uneven.variance > 400.0


def test_effects_of_several_days_stand_on_their_days_alone() -> None:
    effects = [
        measured(CHRISTMAS, np.array([-80.0]), np.ones(1)),
        measured(CalendarDay("end"), np.array([5.0]), np.ones(1)),
    ]
    shift, variance = at_positions(effects, DAILY, np.array([30.0, 357.0, 358.0, 364.0]))
    assert shift.tolist() == [5.0, 0.0, -80.0, 5.0]
    assert variance.tolist() == [1.0, 0.0, 1.0, 1.0]
    assert at_positions([], None, np.zeros(2))[0].tolist() == [0.0, 0.0]
