"""What checks of a model and tests of its forecasts found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from autostatistician.decompose.records.series import Check, Checks, Decomposition, HeldRanges
from autostatistician.describe.facts.curves import PartSpread
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.findings import SeriesChecks
from autostatistician.describe.facts.judgement import ALARM, FEWEST_TESTED
from autostatistician.describe.facts.whole import ForecastTest, ModelCheck
from autostatistician.describe.observe.series.anatomy import anatomy
from autostatistician.forms import CheckKind

__all__ = ["checks_of", "forecast_test", "spanned_changes"]

Vector = NDArray[np.float64]

FAR = 2.5  # standard deviations
SHORTLY_BEFORE = 0.5  # of the length of the test: a change in this time leaves few data to refit the numbers to


def checks_of(
    checks: Checks | None,
    x: Vector | None = None,
    y: Vector | None = None,
    *,
    counts: bool = False,
    heavy: bool = False,
) -> SeriesChecks | None:
    """The checks of a model of the data (n,), whose values far off are named; None where it was not checked.

    The data may be ``counts``, or have ``heavy`` tails.
    """
    if checks is None:
        return None
    spreads = tuple(
        PartSpread(spread.part, spread.expected, spread.lower, spread.upper, spread.values) for spread in checks.spreads
    )
    facts = tuple(map(_fact, checks.every))
    if x is not None and y is not None and len(x) == len(checks.errors):
        far = _far(checks.errors, x, y)
        facts = tuple(
            replace(fact, far=far, counts=counts, heavy=heavy) if _is_of_values(fact) else fact for fact in facts
        )
    return SeriesChecks(facts, checks.errors, spreads)


def _is_of_values(fact: ModelCheck) -> bool:
    return fact.part == 0 and fact.kind is CheckKind.DISTRIBUTION and fact.side > 0


def _far(errors: Vector, x: Vector, y: Vector) -> tuple[tuple[float, float], ...]:
    """Positions and values of the rows with large errors, the largest first, of which there is always one.

    >>> _far(np.array([0.1, -4.0, 3.0]), np.arange(3.0), np.ones(3))
    ((1.0, 1.0), (2.0, 1.0))
    """
    furthest = np.argsort(-np.abs(errors), kind="stable")
    some = furthest[: max(1, int((np.abs(errors) > FAR).sum()))]
    return tuple((float(x[row]), float(y[row])) for row in some)


def _fact(check: Check) -> ModelCheck:
    return ModelCheck(
        id=f"check/{f'part-{check.part}' if check.part else 'model'}/{check.kind}", number=check.p, unit="1",
        evidence="simulations from the model", part=check.part, kind=check.kind, adjusted=check.adjusted,
        place=check.place, side=check.side,
    )  # fmt: skip


def forecast_test(d: Decomposition) -> ForecastTest | None:
    """How ranges held on later rows; None where that was not tested."""
    tested = d.calibration
    if tested is None:
        return None
    return ForecastTest(
        id="test/forecasts", number=tested.held[-1], unit=SHARE, rows=tested.rows, worth=tested.worth,
        error=tested.error, changes=spanned_changes(d), origins=tested.origins, levels=tested.levels, held=tested.held,
        narrow=_too_narrow(tested), refitted=tested.refitted, naive=tested.naive,
        season=tested.season, aside=_aside(d, min(tested.origins, default=np.inf)),
        evidence=f"{'numbers refitted to earlier rows, ' if tested.refitted else 'numbers and '}structure found on all",
    )  # fmt: skip


def _aside(d: Decomposition, origin: float) -> int:
    """How many values after the first end of the data that a test knew were set aside."""
    return sum(outlier.x > origin for outlier in d.screening.aside)


def _too_narrow(tested: HeldRanges) -> bool | None:
    """Whether 95 % ranges held clearly less than they should in the test; None where it tells too little.

    Clearly: fewer than chance would leave outside in one of twenty tests with as many independent rows.
    """
    if tested.rows < FEWEST_TESTED:
        return None
    worth = max(round(tested.worth), 1)
    missed = round((1.0 - tested.held[-1]) * worth)
    return bool(binom.sf(missed - 1, worth, 0.05) < ALARM) if missed else False


def spanned_changes(d: Decomposition) -> tuple[float, ...]:
    """The places of change within the rows of the test or shortly before them, ascending; none without a test.

    What came before them tells little about what came after. Changes of the noise alone move no value.
    """
    if d.calibration is None or not d.calibration.origins:
        return ()
    first, last = min(d.calibration.origins), float(d.x[-1])
    start = first - SHORTLY_BEFORE * (last - first)
    gates = [gate for part in d.components if not part.is_noise for gate in anatomy(part.kernel).switches]
    return tuple(sorted({edge for gate in gates for edge in gate.edges if start < edge < last}))
