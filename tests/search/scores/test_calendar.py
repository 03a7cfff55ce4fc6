"""Periods that the data cannot tell from one of the calendar are the calendar's, unless much speaks against it."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference import Problem, fit
from autostatistician.inference.parameters.scales import measure
from autostatistician.language.kernel import leaf
from autostatistician.search.scores.calendar import on_the_calendar
from autostatistician.search.state import Candidate

DAYS = np.arange(0.0, 731.0, 4.0)
YEAR = 365.25
WEATHER = np.convolve(np.random.default_rng(5).normal(size=DAYS.size + 9), np.ones(10) / 2.0, mode="valid")


@pytest.mark.parametrize(("true", "noise", "told"), [(YEAR, WEATHER, YEAR), (350.0, 0.05 * WEATHER, 350.0)])
def test_a_year_is_that_of_the_calendar_unless_the_data_deny_it(true: float, noise: np.ndarray, told: float) -> None:
    y = 9.0 * np.cos(2.0 * np.pi * DAYS / true) + noise
    problem, scales = Problem(DAYS[:, None], y, ("day",)), measure(DAYS[:, None], y, ("day",), (YEAR,))
    found = fit(leaf("Per", sd=6.0, lengthscale=1.5, period=1.01 * true) + leaf("WN", sd=2.0), problem, scales)
    assert abs(found.kernel.values[1] - YEAR) > 0.01 * YEAR
    candidate = Candidate(found.kernel, found.nll, 2.0 * found.nll, 1)
    (moved,) = on_the_calendar([candidate], problem, scales)
    assert moved.kernel.values[1] == pytest.approx(told, rel=0.006)
    assert moved.score - candidate.score == pytest.approx(2.0 * (moved.nll - candidate.nll))
    assert (moved == candidate) is (told != YEAR)
