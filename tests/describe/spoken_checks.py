"""Golden sentences on checks of a model, tests of its forecasts, and forecasts that break with the past."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.describe.checks import alarm, fact_of, trial, trial_fact
from tests.describe.factory import MONTHLY
from tests.describe.function_cases import UNITS
from tests.describe.words.test_breaks import FALL

from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.breaks import break_text
from autostatistician.describe.words.checks import alarm_text, forecast_test_text, left_out_text, worse_text

__all__ = ["spoken_checks"]


def spoken_checks() -> Iterator[str]:
    """Every sentence on them."""
    units = Units(MONTHLY, 2000.0, 2010.0, 1 / 12, 10.0, target="sales")
    for kind in ("distribution", "course"):
        for part in (0, 2):
            yield alarm_text(fact_of(alarm(kind, part=part, side=-1)), units)
    far = tuple((2000.0 + month / 12.0, 56.0 + month) for month in (5, 4, 7, 8, 10, 11, 1))
    for counts in (False, True):
        yield alarm_text(replace(fact_of(alarm("distribution")), far=far, counts=counts), units)
    yield forecast_test_text(replace(trial_fact(trial(0.9)), narrow=None), units)
    yield forecast_test_text(replace(trial_fact(trial(0.9)), naive=4.2, season=1.0, narrow=True), units)
    yield worse_text(replace(trial_fact(trial(0.9)), naive=2.5, season=1.0), units)
    for season in (None, 1.0):
        yield forecast_test_text(
            replace(trial_fact(trial(0.9)), naive=4.2, season=season), replace(units, counts=True, level=250.0)
        )
    for aside in (1, 2):
        yield left_out_text(replace(trial_fact(trial(0.9)), aside=aside))
    yield alarm_text(replace(fact_of(alarm("distribution")), far=far[:2], heavy=True), units)
    yield alarm_text(fact_of(alarm("distribution", side=0)), units)
    yield forecast_test_text(replace(trial_fact(trial(0.95), (2008.5, 2009.25)), naive=4.2, refitted=False), units)
    yield break_text((FALL,), UNITS)
    yield break_text((replace(FALL, apart=True),), UNITS)
    yield break_text((replace(FALL, change=-1.0, start=97.0, end=96.0, number=-1.0, least=-12.0, most=-4.0),), UNITS)
    yield break_text((replace(FALL, start=67.0, end=97.0, change=30.0, number=30.0, least=-9.0, most=-3.0),), UNITS)
