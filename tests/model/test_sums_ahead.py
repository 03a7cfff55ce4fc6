"""The sum of a forecast has a range of its own: single ranges do not add up."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.describe import factory

from autostatistician.data.transform import Transform
from autostatistician.forms import Curve
from autostatistician.inference.predictive.predictive import predictive
from autostatistician.model.sums_ahead import sum_ahead

STEPS = 12
PLAIN = Transform()


def _sum(y: float, alike: float, transform: Transform = PLAIN, gap: int = 0) -> Any:
    """Of a forecast of 10 (or its logarithm of 0) with standard deviations of 1, correlated as ``alike``."""
    record = factory.airline()
    x = record.x[-1] + (1.0 + gap + np.arange(STEPS)) / 12.0
    cov = (1.0 - alike) * np.eye(STEPS) + alike * np.ones((STEPS, STEPS))
    mean = np.zeros(STEPS) if transform.is_log else np.full(STEPS, 10.0)
    predictor = SimpleNamespace(
        law_at=lambda x: None, predictive=lambda X: predictive(mean, np.ones(STEPS), transform),
        joint=lambda X: (mean, cov), model=SimpleNamespace(settings=SimpleNamespace(seed=0)),
    )  # fmt: skip
    made = replace(record, y=np.full(record.x.size, y), forecast=Curve.normal(x, mean, np.ones(STEPS)))
    return sum_ahead(predictor, made)  # type: ignore[arg-type]


@pytest.mark.parametrize(("alike", "sd"), [(0.0, np.sqrt(12.0)), (1.0, 12.0)])
def test_what_goes_together_adds_up_and_what_does_not_cancels(alike: float, sd: float) -> None:
    made = _sum(10.0, alike)
    assert made.steps == STEPS
    assert made.before == pytest.approx(120.0)
    assert made.number == pytest.approx(120.0, abs=0.1 * sd)
    assert np.subtract(*made.interval[::-1]) == pytest.approx(2 * 1.96 * sd, rel=0.06)
    assert made.less == pytest.approx(0.5, abs=0.03)


def test_of_a_logarithm_values_are_added_and_not_logarithms() -> None:
    made = _sum(1.0, 0.0, Transform("log"))
    assert made.number == pytest.approx(STEPS * np.exp(0.5), rel=0.1)
    assert made.less < 0.25


def test_a_gap_before_the_forecast_leaves_nothing_to_compare() -> None:
    assert _sum(10.0, 0.0, gap=1) is None
