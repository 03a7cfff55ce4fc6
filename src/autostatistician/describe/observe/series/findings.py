"""All that is known of a series, from the records of its decomposition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from autostatistician.claims.claim import Claim, first, plain_numbers, told
from autostatistician.claims.kinds import LIMITS, Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.function import FunctionCourse, LevelChange
from autostatistician.decompose.records.series import Check, Checks, Decomposition, HeldRanges
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.findings import SeriesChecks, SeriesFindings, SeriesPart
from autostatistician.describe.facts.judgement import ALARM, FEWEST_TESTED
from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import (
    FewRows,
    ForecastCondition,
    ForecastTest,
    ManyZeros,
    OneValue,
    PossibleStructure,
)
from autostatistician.describe.observe.search import check_claim, search_of
from autostatistician.describe.observe.series.anatomy import place_told
from autostatistician.describe.observe.series.claims import series_claims, stretch_claims
from autostatistician.describe.observe.series.covariates import covariate_findings
from autostatistician.describe.observe.series.curves import part_curves, series_curves
from autostatistician.describe.observe.series.function import function_claims, happened
from autostatistician.describe.observe.series.parts import component_facts, component_id, on_scale, units_for
from autostatistician.describe.observe.series.whole import model_facts, outlier_claims
from autostatistician.forms import CheckKind
from autostatistician.i18n.messages import again
from autostatistician.kernels.expr import format_expr
from autostatistician.kernels.traits import ROWS_FOR_STRUCTURE, has_structure

__all__ = ["series_findings"]


Vector = NDArray[np.float64]

FAR = 2.5  # standard deviations


LATELY = 0.5  # of the span of the data: what lies further back is their usual state

FEWEST_ROWS = 2  # of an event: a single value is none

STILL_HELD = 0.5  # of a change: where the forecast ends with less of it, it does not take for granted that it lasts

TAKEN_BACK = 0.1  # of a change: less may be anything

STEEP = 1.5  # times the slope of the whole

CARRIED = (0.75, 1.33)  # times the last slope, between which a forecast goes on with it

VISIBLE = 0.5  # standard deviations of single values by which it then moves

MANY_ZEROS = 1.0 / 3.0  # a share from which zeros are a trait of the data


def series_findings(d: Decomposition) -> SeriesFindings:
    """The facts of the whole and of every part, what the search claims, checks, and curves."""
    units = units_for(d)
    function = stretch_claims(d, function_claims(d, units), units)
    sudden, seen = happened(d.function, function), _with_values(function, outlier_claims(d))
    parts = _parts(d, sudden)
    plain = on_scale(plain_facts(d), d)
    return SeriesFindings(
        name=d.name, n=int(d.x.size), warnings=tuple(map(again, d.warnings)),
        choice=again(d.choice), transform=d.transform.to_json(),
        search=search_of(d, [part.kernel for part in d.components]),
        claims=(*seen, *_untold(series_claims(d.alternatives, units), sudden, units)),
        facts=(*plain, *model_facts(d), *condition_facts(d, function)), parts=parts,
        checks=checks_of(d.checks, d.x, d.y),
        test=forecast_test(d), curves=series_curves(d), averaged=d.averaged,
        shift=d.transform.shift,
        counts_level=bool(d.transform.parameters),
        covariates=covariate_findings(d),
    )  # fmt: skip


def _with_values(function: Sequence[Claim], values: Sequence[Claim]) -> Iterator[Claim]:
    """Claims on a function, and on values that stand out: those within an event that is told are parts of it."""
    within = {
        value.id: event.id
        for event in told(function, Kind.EVENT) for value in told(values, Kind.OUTLIER)
        if event.happens(value.at[0], value.at[0]) and event.number.is_up is value.number.is_up
    }  # fmt: skip
    for claim in (*function, *values):
        parts = tuple(value for value in values if within.get(value.id) == claim.id)
        if claim.id not in within:
            yield replace(claim, parts=(*claim.parts, *parts))


def _untold(claims: Sequence[Claim], sudden: Sequence[LevelChange], units: Units) -> Iterator[Claim]:
    """What models claim, but for changes that are told as something sudden: one record of it has the date."""
    for claim in claims:
        if claim.kind is not Kind.CHANGE or place_told(claim.number.value, sudden, units) is None:
            yield claim


def _parts(d: Decomposition, sudden: tuple[LevelChange, ...]) -> tuple[SeriesPart, ...]:
    return tuple(
        SeriesPart(
            id=component_id(part, d), number=number, expression=format_expr(part.kernel.expr), is_noise=part.is_noise,
            facts=component_facts(part, d, sudden), mean=part.mean, sd=part.sd, share=part.variance_share,
            curves=curves,
        )
        for number, (part, curves) in enumerate(zip(d.components, part_curves(d), strict=True), 1)
    )  # fmt: skip


# --- What is plain about data before any model is told --------------------------------------------------------------


def plain_facts(d: Decomposition) -> tuple[Fact, ...]:
    """What is told of any data."""
    return (*_few_rows(d), *_same(d), *_zeros(d), *_possible(d))


def _few_rows(d: Decomposition) -> tuple[FewRows, ...]:
    n = int(d.x.size)
    return () if n >= ROWS_FOR_STRUCTURE else (FewRows(id="data/rows", number=n, unit="1", evidence="the data"),)


def _same(d: Decomposition) -> tuple[OneValue, ...]:
    same = float(np.ptp(d.y)) == 0.0
    return (OneValue(id="data/value", number=float(d.y[0]), unit="target", evidence="the data"),) if same else ()


def _zeros(d: Decomposition) -> tuple[ManyZeros, ...]:
    """How many of the values are zero, where these are whole numbers and zeros are common among them."""
    whole = np.round(d.y)
    is_zero, late = whole == 0.0, min(max(int(d.forecast.x.size), FEWEST_TESTED), len(whole) // 2)
    if not np.allclose(d.y, whole, rtol=0.0, atol=1e-6) or not MANY_ZEROS < is_zero.mean() < 1.0:
        return ()
    return (
        ManyZeros(id="data/zeros", number=float(is_zero.mean()), unit=SHARE, evidence="count in the data",
                  late=float(is_zero[-late:].mean()), rows=late),
    )  # fmt: skip


def _possible(d: Decomposition) -> tuple[PossibleStructure, ...]:
    """How probable structure is, where the model that is told has none and most of the probability is on others."""
    if d.criterion != "evidence" or any(has_structure(part.kernel.expr) for part in d.components):
        return ()
    number = sum(weight for kernel, weight in d.alternatives if has_structure(kernel.expr))
    evidence = "weights of all models with structure"
    return (
        (PossibleStructure(id="data/structure", number=number, unit=SHARE, evidence=evidence),) if number > 0.5 else ()
    )


# --- What a forecast takes for granted of the recent past, and what would come if that were not so ------------------


def condition_facts(d: Decomposition, function: Sequence[Claim]) -> tuple[ForecastCondition, ...]:
    """That the last change lasts, the last slope goes on, the last event does not come again; none without a forecast.

    What would come otherwise is told for the last step of the forecast.
    """
    if d.function is None or not d.forecast.x.size:
        return ()
    changes = happened(d.function, function, gradual=True)
    return (*_lasts(changes, d.function, d), *_goes_on(d.function, function, d), *_passed(changes, d))


def _lasts(changes: Sequence[LevelChange], course: FunctionCourse, d: Decomposition) -> Iterator[ForecastCondition]:
    """The last change that lasts, where the forecast stays at its level, and not where that goes back by itself."""
    lasting = [fact for fact in changes if fact.until is None and _is_late(fact.at, d)]
    if not lasting:
        return
    last = max(lasting, key=lambda fact: fact.at)
    size = _scaled_size(last, d)
    held = 1.0 - _undone(size, course, d)
    if held >= STILL_HELD:
        yield _condition(Taken.LASTS, size, last.at, -held * size, d)


def _scaled_size(change: LevelChange, d: Decomposition) -> float:
    """How large a change is on the scale of the models."""
    before, after = _scaled(change.level + np.array([0.0, change.size.number]), d).tolist()
    return float(after - before)


def _undone(size: float, course: FunctionCourse, d: Decomposition) -> float:
    """Which share of a change the forecast takes back until its end, beyond what the usual pace explains."""
    end = _scaled(d.forecast.middle[-1:], d) - _seasons(d.forecast.x[-1:], course, float(d.x[0]))
    level = _scaled(np.array([course.end]), d)
    pace = 0.0 if course.growth is None else course.growth.number
    usual = pace * float(d.forecast.x[-1] - d.x[-1])
    back = [float(end[0] - level[0] - drift) / -size for drift in (0.0, usual)]
    return float(np.clip(min(back), 0.0, 1.0)) if min(back) > TAKEN_BACK else 0.0


def _passed(changes: Sequence[LevelChange], d: Decomposition) -> Iterator[ForecastCondition]:
    over = [fact for fact in changes if fact.until is not None and fact.rows >= FEWEST_ROWS and _is_late(fact.at, d)]
    if over:
        last = max(over, key=lambda fact: fact.at)
        size = _scaled_size(last, d)
        yield _condition(Taken.PASSED, size, last.at, size, d)


def _is_late(position: float, d: Decomposition) -> bool:
    return bool(d.x[-1] - position <= LATELY * (d.x[-1] - d.x[0]))


def _goes_on(course: FunctionCourse, function: Sequence[Claim], d: Decomposition) -> Iterator[ForecastCondition]:
    """Whether the forecast goes on with the last slope, if that is unusual, or goes the same way at another pace.

    Nothing where it is no longer than a cycle: what the seasons of a function leave of that has no pace.
    """
    late, rows = first(function, Kind.SLOPE), _rows_of_cycle(d.forecast.x, course)
    if late is None or not late.told or d.forecast.x.size <= rows:
        return
    whole, slope = course.rise.number / (course.last.stop - course.first.start), late.number.value
    ahead = _scaled(d.forecast.middle, d) - _seasons(d.forecast.x, course, float(d.x[0]))
    # What is left of a season weighs on single values, and on no whole cycle: then it goes on from the data.
    start, begins = (_unscaled(ahead, d)[0], d.forecast.x[0]) if rows == 1 else (course.end, d.x[-1])
    far = float(d.forecast.x[-rows:].mean() - begins)
    end, middle = float(_unscaled(ahead[-rows:], d).mean()), max(rows, ahead.size // 2)
    pace = (end - float(start)) / far
    later = end - float(_unscaled(ahead[middle - rows : middle], d).mean())  # a way back to the mean has no pace
    visible = VISIBLE * course.noise_in_data / far
    if pace * slope <= 0.0 or pace * later <= 0.0 or abs(pace) < visible:
        return
    if not CARRIED[0] <= pace / slope <= CARRIED[1]:
        if abs(pace - slope) >= visible:
            there = float(_unscaled(ahead[-1:], d)[0]) + (slope - pace) * float(d.forecast.x[-1] - begins)
            expected = float(_scaled(np.array([there]), d)[0] - ahead[-1])
            yield replace(_condition(Taken.OTHER_PACE, slope, late.at[0], expected, d), pace=pace)
    elif course.wander >= LIMITS["straight"] and (slope * whole <= 0.0 or abs(slope) >= STEEP * abs(whole)):
        yield _condition(Taken.GOES_ON, slope, late.at[0], float(ahead[0] - ahead[-1]), d)


def _rows_of_cycle(x: Vector, course: FunctionCourse) -> int:
    """How many places (k,) of a forecast its longest cycle has; one where there is none."""
    longest = max((season.period for season in course.seasons), default=0.0)
    return max(1, int(np.searchsorted(x - x[0], longest * (1.0 - 1e-6))))


def _seasons(x: Vector, course: FunctionCourse, first: float) -> Vector:
    """All seasons of a function at places (k,), on the scale of the models."""
    swings = np.zeros_like(x)
    for season in course.seasons:
        phase = (x - first) / season.period % 1.0
        swings += np.interp(phase, [*season.phases, 1.0], [*season.course, season.course[0]])
    return swings


def _scaled(values: Vector, d: Decomposition) -> Vector:
    return d.transform.unshifted.forward(values - d.offset)


def _unscaled(values: Vector, d: Decomposition) -> Vector:
    return d.transform.unshifted.back(values) + d.offset


def _condition(kind: Taken, size: float, at: float, by: float, d: Decomposition) -> ForecastCondition:
    """``by`` is how much the last forecast would be moved on the scale of the models if it were not so."""
    end = float(d.forecast.middle[-1])
    otherwise = float(np.clip(_unscaled(_scaled(np.array([end]), d) + by, d)[0], *d.limits))
    return ForecastCondition(
        id=f"forecast/{kind.value}", number=otherwise, unit="target", evidence="the last forecast without it",
        kind=kind, size=size, at=at, position=float(d.forecast.x[-1]), end=end,
    )  # fmt: skip


# --- What checks of a model and tests of its forecasts found --------------------------------------------------------


def checks_of(checks: Checks | None, x: Vector | None = None, y: Vector | None = None) -> SeriesChecks | None:
    """The checks of a model of the data (n,), whose values far off are named; None where it was not checked."""
    if checks is None:
        return None
    known = x is not None and y is not None and len(x) == len(checks.errors)
    far = _far(checks.errors, x, y) if known and x is not None and y is not None else ()
    return SeriesChecks(tuple(_check(check, far) for check in checks.every), checks.errors)


def _far(errors: Vector, x: Vector, y: Vector) -> tuple[Claim, ...]:
    """The rows with large errors, the largest first, of which there is always one.

    >>> [(row.at, row.value) for row in _far(np.array([0.1, -4.0, 3.0]), np.arange(3.0), np.ones(3))]
    [((1.0,), 1.0), ((2.0,), 1.0)]
    """
    furthest = np.argsort(-np.abs(errors), kind="stable")
    some = furthest[: max(1, int((np.abs(errors) > FAR).sum()))]
    return tuple(
        Claim(id="", kind=Kind.OUTLIER, at=(float(x[row]),), number=Quantity.plain(float(y[row]), Measure.LEVEL))
        for row in some
    )


def _check(check: Check, far: tuple[Claim, ...]) -> Claim:
    claim = check_claim(f"check/{f'part-{check.part}' if check.part else 'model'}/{check.kind}", check)
    claim = replace(claim, more={**claim.more, **plain_numbers(part=check.part, place=check.place)})
    if check.part or check.kind is not CheckKind.DISTRIBUTION or check.side <= 0:
        return claim
    return replace(claim, parts=far)


def forecast_test(d: Decomposition) -> ForecastTest | None:
    """How ranges held on later rows; None where that was not tested."""
    tested = d.calibration
    if tested is None:
        return None
    return ForecastTest(
        id="test/forecasts", number=tested.held[-1], unit=SHARE, rows=tested.rows, worth=tested.worth,
        error=tested.error, origins=tested.origins, levels=tested.levels, held=tested.held,
        narrow=_too_narrow(tested), refitted=tested.refitted, naive=tested.naive,
        season=tested.season,
        evidence=f"{'numbers refitted to earlier rows, ' if tested.refitted else 'numbers and '}structure found on all",
    )  # fmt: skip


def _too_narrow(tested: HeldRanges) -> bool | None:
    """Whether 95 % ranges held clearly less than they should in the test; None where it tells too little.

    Clearly: fewer than chance would leave outside in one of twenty tests with as many independent rows.
    """
    if tested.rows < FEWEST_TESTED:
        return None
    worth = max(round(tested.worth), 1)
    missed = round((1.0 - tested.held[-1]) * worth)
    return bool(binom.sf(missed - 1, worth, 0.05) < ALARM) if missed else False
