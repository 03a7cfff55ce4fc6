"""What the days of an event add together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.covariates.effects import Clock, ColumnScale, Effect
from autostatistician.covariates.fitted import CovariateEffects
from autostatistician.data.covariates import Covariates
from autostatistician.data.holidays import Event, Holidays
from autostatistician.data.times.axes import Axis
from autostatistician.model.events_beside import events_beside

X = np.arange(800.0)
FEAST = Event.of("feast", np.array(["2023-03-01", "2023-03-02", "2024-03-01"], dtype="M8[D]"), before=1, after=0)


@pytest.fixture
def effects() -> CovariateEffects:
    """A feast that adds 20, and 5 on the day before; one that never acts."""
    calendar = Holidays(Axis("day", "day", "day", 1.0, "2023-01-01"), (FEAST,), "DE")
    columns = Covariates(X, (), (calendar,))
    scales = tuple(ColumnScale.of(column) for column in columns.at(X))
    draws = np.random.default_rng(0).normal([20.0, 5.0], 0.1, (100, 2))
    kinds = tuple(Effect(scale.name) for scale in scales)
    return CovariateEffects(columns, Clock(0.0, 799.0, 1.0, 0.0), scales, kinds, draws, {"feast": 1.0}, (1.0, 1.0))


def test_days_are_summed_and_occurrences_counted(effects: CovariateEffects) -> None:
    (event,) = events_beside(effects, X)
    assert event.name == "feast"
    assert event.total.number == pytest.approx(25.0, abs=0.1)
    assert event.total.low < 25.0 < event.total.high
    assert event.places == (59.0, 425.0)  # two days in a row are one


def test_draws_in_which_an_event_does_not_act_are_left_out(effects: CovariateEffects) -> None:
    draws = effects.draws.copy()
    draws[:60] = 0.0
    (event,) = events_beside(replace(effects, draws=draws), X)
    assert event.total.low > 24.0
    (rarely,) = events_beside(replace(effects, draws=np.where(np.arange(100)[:, None] < 95, 0.0, draws)), X)
    assert rarely.total.low == 0.0


def test_columns_that_were_not_used_make_no_event(effects: CovariateEffects) -> None:
    assert events_beside(replace(effects, scales=(), effects=(), draws=np.zeros((100, 0)), shapes=()), X) == ()
    (event,) = events_beside(replace(effects, scales=effects.scales[1:], effects=effects.effects[1:],
                                     draws=effects.draws[:, 1:], shapes=(1.0,)), X)  # fmt: skip
    assert event.total.number == pytest.approx(5.0, abs=0.1)
    assert len(event.places) == 2
