"""Facts on a whole model, from the records by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe import factory

from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.whole import (
    BaselineError,
    Composition,
    ForecastRange,
    ForecastReach,
    NaturalLimit,
    SignalShare,
    UsefulParts,
    VarianceReached,
)
from autostatistician.describe.observe.series.whole import model_facts
from autostatistician.describe.words.nouns import find
from autostatistician.forms import Curve

D = factory.airline()
FACTS = model_facts(D)


def test_parts_and_shares() -> None:
    parts, share = find(FACTS, Composition), find(FACTS, SignalShare)
    assert parts is not None
    assert share is not None
    assert (parts.number, parts.noise) == (4, 1)
    assert (share.number, share.unit) == (0.998, SHARE)


def test_milestones_are_the_first_parts_that_reach_them() -> None:
    reached = [(one.parts, one.number) for one in FACTS if isinstance(one, VarianceReached)]
    assert reached == [(2, pytest.approx(0.985)), (3, pytest.approx(0.998))]


def test_parts_are_useful_up_to_the_last_that_lowers_the_error() -> None:
    useful = find(FACTS, UsefulParts)
    assert useful is not None
    assert (useful.number, useful.error) == (3, 9.11)
    idle = replace(D, components=tuple(replace(part, mae_reduction=9e-4, mae=D.mae_of_mean) for part in D.components))
    none = find(model_facts(idle), UsefulParts)
    assert none is not None
    assert (none.number, none.error) == (0, D.mae_of_mean)


def test_the_baseline_is_the_mean_of_the_data() -> None:
    base = find(FACTS, BaselineError)
    assert base is not None
    assert base.number == D.mae_of_mean == pytest.approx(np.abs(D.y - D.y.mean()).mean())


def test_the_reach_of_a_forecast_and_limits_that_it_touches() -> None:
    ahead = Curve.normal(1961.0 + np.arange(4.0) / 12, np.array([5.0, 2.0, 9.0, 4.0]), np.full(4, 2.0))
    facts = model_facts(replace(D, y=np.abs(D.y), forecast=ahead, limits=(-1.92, np.inf)))
    reach = find(facts, ForecastReach)
    assert reach is not None
    assert (reach.low, reach.high, reach.number, reach.crosses) == (2.0, 9.0, 7.0, True)
    assert reach.low_at == pytest.approx(1961.0 + 1 / 12)
    limits = [(one.number, one.upper) for one in facts if isinstance(one, NaturalLimit)]
    cut = replace(ahead, median=np.array([4.0, 2.0, 6.0, 4.0]))
    told = [one.number for one in model_facts(replace(D, forecast=cut)) if isinstance(one, ForecastRange)]
    assert told == [4.0, 4.0]  # medians, where a limit cuts the means
    assert limits == [(-1.92, False)]
