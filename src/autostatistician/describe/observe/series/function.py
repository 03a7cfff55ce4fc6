"""What the function behind a series does, as facts: what both witnesses speak for is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import (
    Estimate,
    FunctionCourse,
    Season,
    Standstill,
    Sudden,
    Witness,
)
from autostatistician.decompose.records.series import Component
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import SHARE, Span
from autostatistician.describe.facts.function import (
    FunctionFact,
    NoiseThroughout,
    PhaseValue,
    Rise,
    RunOfCourse,
    ScatterStep,
    SeasonSwing,
    SecondWitness,
    SlopeOfLate,
    Still,
    SuddenChange,
)
from autostatistician.describe.facts.judgement import LEANING, LIKELY, OFTEN, SURE

__all__ = ["FunctionRecord", "function_facts"]

LEAST_RISE = 0.5  # standard deviations of single values: a smaller one is none that a reader would see
LEAST_LEANING = 0.25  # the same of one that is likely and no more
OPEN = 0.25  # of all that the function moves: so large a rise that is not sure is not called none
LEAST_OF_LATE = 0.25  # standard deviations of single values that a slope of late makes over the last rows
LEAST_OF_LEVEL = 0.05  # a change smaller than this share is not told as one
STEADY = 0.05  # p-value
BLOCKS = 4  # of a third of the rows, which are at least eight
T_OF_BLOCKS = 2.447  # 97.5 % of the t distribution with two times three degrees of freedom
LEAST_RATIO = 1.25  # of scatter, which the models must give for sure
LIKELY_STEP = 0.7  # from which a sudden change is told: as one that is probably there
FEW_ROWS = 8  # between which a change of scatter lies, and still has a date
DRAWN = "draws of the function from all weighted models"


class FunctionRecord(Protocol):
    """What of a decomposition the facts on its function are made from."""

    @property
    def function(self) -> FunctionCourse | None:
        """What the function does."""

    @property
    def y(self) -> NDArray[np.float64]:
        """The data (n,) in their own units."""

    @property
    def offset(self) -> float:
        """What was taken off them before the fit."""

    @property
    def transform(self) -> Transform:
        """The map to the scale of the model."""

    @property
    def level(self) -> float | None:
        """The typical level where the logarithm is modelled, else None."""

    @property
    def components(self) -> tuple[Component, ...]:
        """The parts of the model that is told."""


def function_facts(d: FunctionRecord, units: Units) -> tuple[FunctionFact, ...]:
    """The facts; none where there are too few rows."""
    course = d.function
    if course is None:
        return ()
    return (
        _rise(course, d),
        *_runs(course),
        _slope(course),
        *(_season(season, number, d, units) for number, season in enumerate(course.seasons, 1)),
        *(_sudden(change, number, d) for number, change in enumerate(course.sudden, 1)),
        *_scatter(course),
        _noise(course),
    )


def _rise(course: FunctionCourse, d: FunctionRecord) -> Rise:
    least = LEAST_RISE * course.noise_in_data
    size, reach = abs(course.rise.number), course.bounds[1] - course.bounds[0]
    leans = course.rise.probability > LEANING and size >= LEAST_LEANING * course.noise_in_data
    is_told = course.rise.probability >= SURE and course.rise_witness.agrees and size >= least
    return Rise(
        id="function/rise", number=course.rise.number, unit="target", interval=_span(course.rise),
        evidence=DRAWN, probability=course.rise.probability, told=is_told, witness=_seen(course.rise_witness),
        start=course.first.start, stop=course.last.stop, ends=(course.first.stop, course.last.start),
        first=course.first.height.number, first_interval=_span(course.first.height),
        last=course.last.height.number, last_interval=_span(course.last.height), wander=course.wander,
        pace=course.pace.number, pace_interval=_span(course.pace), paces=course.paces, rates=course.rates,
        bounds=course.bounds, is_open=not is_told and (leans or _thirds_differ(d) or size >= max(least, OPEN * reach)),
        growth=course.growth.number if course.growth is not None and _grows(d) else None,
        still=_still(course.still), bends=course.bends, rate_bends=course.rate_bends,
    )  # fmt: skip


def _grows(d: FunctionRecord) -> bool:
    """Whether the data may grow by a percentage: their logarithm is modelled, not that of odds."""
    return d.level is not None and not d.transform.is_odds


def _thirds_differ(d: FunctionRecord) -> bool:
    """Whether the first and the last third of the data differ by more than their errors, which blocks of rows show."""
    if d.y.size < 3 * BLOCKS:
        return False
    blocks = [[float(block.mean()) for block in np.array_split(third, BLOCKS)] for third in np.array_split(d.y, 3)]
    first, last = blocks[0], blocks[-1]
    variance = (np.var(first, ddof=1) + np.var(last, ddof=1)) / BLOCKS
    return bool(abs(np.mean(last) - np.mean(first)) > T_OF_BLOCKS * np.sqrt(variance))


def _runs(course: FunctionCourse) -> Iterator[RunOfCourse]:
    least = LEAST_RISE * course.noise_in_data
    for place, run in enumerate(course.stretches, 1):
        yield RunOfCourse(
            id=f"function/run-{place}", number=run.change.number, unit="target", interval=_span(run.change),
            evidence=f"{DRAWN}, between its turning points", probability=run.change.probability,
            told=len(course.stretches) > 1 and run.change.probability >= LIKELY and abs(run.change.number) >= least
            and run.witness.agrees, witness=_seen(run.witness),
            start=run.start, stop=run.stop, first=run.first, last=run.last, start_interval=run.start_range,
            place=place, of=len(course.stretches), still=_still(run.still),
        )  # fmt: skip


def _slope(course: FunctionCourse) -> SlopeOfLate:
    """The slope of late, which is not told where the last run, whose turn lies later, contradicts it."""
    seen = abs(course.slope.number) * (course.last.stop - course.last.start) >= LEAST_OF_LATE * course.noise_in_data
    turned = len(course.stretches) > 1 and course.stretches[-1].change.number * course.slope.number < 0.0
    return SlopeOfLate(
        id="function/slope", number=course.slope.number, unit="target per axis", interval=_span(course.slope),
        evidence=f"{DRAWN}, of the last rows and those before them", probability=course.slope.probability,
        told=course.slope.probability >= SURE and seen and course.slope_witness.agrees and not turned,
        witness=_seen(course.slope_witness), start=course.last.start,
    )  # fmt: skip


def _season(season: Season, number: int, d: FunctionRecord, units: Units) -> SeasonSwing:
    phases = [units.first + phase * season.period for phase in (*season.phases, season.top[0], season.bottom[0])]
    values = zip(phases, season.course, season.low, season.high, strict=False)
    return SeasonSwing(
        id=f"function/season-{number}", number=season.share.number, unit=SHARE, interval=_span(season.share),
        evidence=f"{DRAWN}, by least squares beside a broken line", probability=season.modelled,
        told=season.modelled >= LIKELY and season.witness.agrees and _often(season.period, units),
        witness=_seen(season.witness),
        period=season.period, period_interval=season.period_range, p_value=season.p_value,
        swing=season.swing.number, swing_interval=_span(season.swing),
        top=phases[-2], bottom=phases[-1],
        tops=tuple(units.first + phase * season.period for phase in season.tops),
        bottoms=tuple(units.first + phase * season.period for phase in season.bottoms),
        phases=tuple(PhaseValue(at, value, (low, high)) for at, value, low, high in values),
        swing_ends=season.ends, changes=season.ends is not None or season.changing >= LIKELY, modelled=season.modelled,
    )  # fmt: skip


def _often(period: float, units: Units) -> bool:
    """Whether a cycle is seen so often that it is one; those of the calendar are believed."""
    return units.span + units.gap >= OFTEN * period or cycle(period, units).named


def _sudden(change: Sudden, number: int, d: FunctionRecord) -> SuddenChange:
    units_are_log = d.level is not None
    level, after = (
        d.transform.unshifted.back(np.array([change.level, change.level + change.size.number])) + d.offset
    ).tolist()
    share = _share(level, after)
    return SuddenChange(
        id=f"function/change-{number}", number=change.size.number, unit="log target" if units_are_log else "target",
        interval=_span(change.size), evidence=f"{DRAWN}: a change larger than from row to row elsewhere",
        probability=change.probability, told=change.probability >= LIKELY_STEP and change.witness.agrees,
        witness=_seen(change.witness), before=change.before, at=change.at, until=change.until,
        level=level, after=after, share=share, rows=change.rows, later=change.lasting, stays=change.stays,
        far_off=change.spell,
    )  # fmt: skip


def _share(level: float, after: float) -> float | None:
    """A change in relation to the level before it, where that means something: no fall by more than all of it."""
    share = after / level - 1.0 if level > 0.0 else 0.0
    return share if share > -1.0 and abs(share) >= LEAST_OF_LEVEL else None


def _scatter(course: FunctionCourse) -> Iterator[ScatterStep]:
    if course.scatter is None:
        return
    change = course.scatter
    number, least, most = np.exp([change.ratio.number, change.ratio.low, change.ratio.high]).tolist()
    apart = change.ratio.low > np.log(LEAST_RATIO) or change.ratio.high < -np.log(LEAST_RATIO)
    low, high = np.exp([change.witness.low, change.witness.high]).tolist()
    seen = SecondWitness(
        change.witness.statistic, float(np.exp(change.witness.number)), (low, high), change.witness.agrees
    )
    yield ScatterStep(
        id="function/scatter", number=number, unit="1", interval=(least, most), evidence=DRAWN,
        probability=change.ratio.probability, told=bool(apart), witness=seen, at=change.at,
        before=change.before, after=change.after,
        between=change.span[:2] if change.span is not None and change.span[2] > FEW_ROWS else None,
    )  # fmt: skip


def _noise(course: FunctionCourse) -> NoiseThroughout:
    return NoiseThroughout(
        id="function/noise", number=course.noise.number, unit="target", interval=_span(course.noise), evidence=DRAWN,
        probability=None, told=course.steadiness >= STEADY and course.scatter is None, steady=course.steadiness,
    )  # fmt: skip


def _still(stretch: Standstill | None) -> Still | None:
    return None if stretch is None else Still(stretch.start, stretch.stop, stretch.first, stretch.last)


def _span(estimate: Estimate) -> Span:
    return estimate.low, estimate.high


def _seen(witness: Witness) -> SecondWitness:
    return SecondWitness(witness.statistic, witness.number, (witness.low, witness.high), witness.agrees)
