"""Checks and tests of forecasts, as records of a decomposition and as facts."""

from dataclasses import replace

import numpy as np
from tests.describe import factory

from autostatistician.claims.claim import Claim
from autostatistician.decompose.records.series import Check, Checks, HeldRanges
from autostatistician.describe.facts.findings import SeriesChecks
from autostatistician.describe.facts.whole import ForecastTest
from autostatistician.describe.observe.series.findings import checks_of, forecast_test
from autostatistician.forms import CheckKind

ERRORS = np.random.default_rng(0).standard_normal(60)
FINE = Check(0, CheckKind.COURSE, 0.1, 0.6, 0.9)


def trial(held: float, rows: int = 40, worth: float = 40.0) -> HeldRanges:
    return HeldRanges((2008.0, 2009.0), rows, worth, (0.5, 0.8, 0.95), (0.5, 0.8, held), 3.0)


def alarm(kind: str, part: int = 0, side: int = 1, place: float | None = None) -> Check:
    return Check(part, CheckKind(kind), 1.0, 0.001, 0.004, place, side)


def checked(*checks: Check) -> SeriesChecks:
    """Checks as facts."""
    known = checks_of(Checks(checks, ERRORS))
    assert known is not None
    return known


def fact_of(check: Check) -> Claim:
    return checked(check).claims[0]


def trial_fact(trial: HeldRanges) -> ForecastTest:
    """The test of forecasts as a fact."""
    known = forecast_test(replace(factory.noise_only(), calibration=trial))
    assert known is not None
    return known
