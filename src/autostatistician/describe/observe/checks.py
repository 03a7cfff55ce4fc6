"""What checks of a model and tests of its forecasts found, as facts."""

from __future__ import annotations

from autostatistician.decompose.records.series import Calibration, Check, Checks
from autostatistician.describe.facts.whole import ForecastTest, ModelCheck

__all__ = ["ALARM", "FEW", "check_facts", "failed", "too_narrow"]


FEW = 8  # rows of a test that tell something about ranges


ALARM = 0.05  # adjusted p-values below are told


def check_facts(
    checks: Checks | None, calibration: Calibration | None, changes: tuple[float, ...] = ()
) -> tuple[ModelCheck | ForecastTest, ...]:
    """The facts; none where nothing was checked. ``changes`` of the model lie in the test of the forecasts."""
    every = () if checks is None else checks.every
    found: list[ModelCheck | ForecastTest] = [_fact(one) for one in every]
    if calibration is not None:
        found.append(
            ForecastTest(
                id="test/forecasts", number=100.0 * calibration.held[-1], unit="%", rows=calibration.rows,
                worth=calibration.worth, error=calibration.error, changes=changes,
                evidence="numbers refitted to earlier rows, structure found on all",
            )
        )  # fmt: skip
    return tuple(found)


def _fact(one: Check) -> ModelCheck:
    return ModelCheck(
        id=f"check/{f'part-{one.part}' if one.part else 'model'}/{one.kind}", number=one.p, unit="1",
        evidence="simulations from the model", part=one.part, kind=one.kind, adjusted=one.adjusted, place=one.place,
        side=one.side,
    )  # fmt: skip


def failed(checks: Checks | None) -> tuple[Check, ...]:
    """The checks that raise an alarm, the clearest first."""
    every = () if checks is None else checks.every
    return tuple(sorted((one for one in every if one.adjusted < ALARM), key=lambda one: (one.adjusted, one.part)))


def too_narrow(calibration: Calibration | None) -> bool | None:
    """Whether 95 % ranges held clearly less than they should in the test; None where it tells too little.

    Clearly: fewer than chance would leave outside in one of twenty tests with as many independent rows.
    """
    if calibration is None or calibration.rows < FEW:
        return None
    from scipy.stats import binom

    worth = max(round(calibration.worth), 1)
    missed = round((1.0 - calibration.held[-1]) * worth)
    return bool(binom.sf(missed - 1, worth, 0.05) < ALARM) if missed else False
