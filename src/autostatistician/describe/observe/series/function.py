"""What the function behind a series does, as claims: what both witnesses speak for is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import exp
from typing import Protocol

import numpy as np

from autostatistician.claims.claim import LEVEL_CHANGES, Claim, told
from autostatistician.claims.kinds import KINDS, LIMITS, Kind, Standing, standing
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.function import FirstCycle, FunctionCourse, LevelChange, Season
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import OFTEN
from autostatistician.describe.observe.series.course import (
    CourseRecord,
    course_claim,
    in_text,
    level,
    power,
    quantity,
    seen,
    still_of,
)
from autostatistician.i18n.names import measured

__all__ = ["FunctionRecord", "function_claims", "happened", "is_other_scatter"]


class FunctionRecord(CourseRecord, Protocol):
    """What of a decomposition the claims on its function are made from."""

    @property
    def function(self) -> FunctionCourse | None:
        """What the function does."""


def function_claims(d: FunctionRecord, units: Units) -> tuple[Claim, ...]:
    """The claims; none where there are too few rows."""
    course = d.function
    if course is None:
        return ()
    sudden = _once([_sudden(change, number) for number, change in enumerate(course.sudden, 1)])
    runs, late = list(_runs(course)), _slope(course)
    rise = course_claim(course, d, units, runs, late, sudden)
    return (
        rise,
        *in_text(rise, runs),
        *_move(course, sudden),
        late,
        *(_season(season, number, course.bounds, units) for number, season in enumerate(course.seasons, 1)),
        *sudden,
        *_scatter(course),
        _noise(course),
    )


def happened(
    course: FunctionCourse | None, claims: Sequence[Claim], *, gradual: bool = False
) -> tuple[LevelChange, ...]:
    """What is told to have changed from one row to the next; where that is asked, what came gradually, too."""
    if course is None:
        return ()
    numbers = {claim.id for claim in told(claims, *LEVEL_CHANGES) if gradual or claim.form != "far off"}
    return tuple(change for at, change in enumerate(course.sudden, 1) if f"function/change-{at}" in numbers)


def _runs(course: FunctionCourse) -> Iterator[Claim]:
    """The rises and falls between turning points; of a course that never turns, its rise says so."""
    if len(course.stretches) < 2:
        return
    for place, run in enumerate(course.stretches, 1):
        number, begins = quantity(run.change), Quantity(run.start, *run.start_range, Measure.PLACE)
        stands = standing(
            Kind.RUN, number, run.change.probability, course.noise_in_data, agrees=run.witness.agrees
        )  # fmt: skip
        yield Claim(
            id=f"function/run-{place}", kind=Kind.RUN, at=(run.start, run.stop), number=number,
            more={"first": level(run.first), "last": level(run.last), "begins": begins},
            parts=still_of(run.still, run.last - run.first), probability=run.change.probability,
            witness=seen(run.witness), standing=stands,
        )  # fmt: skip


def _move(course: FunctionCourse, sudden: Sequence[Claim]) -> Iterator[Claim]:
    """The largest move of a random walk, unless something sudden that is told makes it, or it is the whole."""
    move = course.move
    if move is None:
        return
    whole = move.start <= course.first.start and move.stop >= course.last.stop
    known = any(move.start < change.at[1] <= move.stop for change in told(sudden, *LEVEL_CHANGES))
    yield Claim(
        id="function/move", kind=Kind.MOVE, at=(move.start, move.stop), number=quantity(move.change),
        more={"first": level(move.first), "last": level(move.last)}, witness=seen(move.witness, Measure.NUMBER),
        standing=Standing.DENIED if whole or known else Standing.TOLD,
    )  # fmt: skip


def _slope(course: FunctionCourse) -> Claim:
    """The slope of late, which is not told where the last run, whose turn lies later, contradicts it."""
    rows = course.last.stop - course.last.start
    number, size = quantity(course.slope, Measure.SLOPE), quantity(course.slope).map(lambda slope: slope * rows)
    turned = len(course.stretches) > 1 and course.stretches[-1].change.number * course.slope.number < 0.0
    stands = standing(
        Kind.SLOPE, size, course.slope.probability, course.noise_in_data, agrees=course.slope_witness.agrees
    )
    return Claim(
        id="function/slope", kind=Kind.SLOPE, at=(course.last.start,), number=number,
        probability=course.slope.probability, witness=seen(course.slope_witness, Measure.SLOPE),
        standing=Standing.DENIED if turned else stands,
    )  # fmt: skip


# --- Seasons --------------------------------------------------------------------------------------------------------


def _season(season: Season, number: int, bounds: tuple[float, float], units: Units) -> Claim:
    def place(phase: float) -> float:
        return units.first + phase * season.period

    swing, pattern = _scales(season, bounds, units)
    sizes = {} if season.ends is None else dict(zip(("early", "late"), map(swing, season.ends), strict=True))
    values = zip(season.phases, season.course, season.low, season.high, strict=True)
    first = () if season.first is None else (_first_cycle(season, season.first, swing, pattern, place),)
    often = units.span + units.gap >= OFTEN * season.period or cycle(season.period, units).named
    sure = season.modelled >= KINDS[Kind.SEASON].told and season.witness.agrees and often
    return Claim(
        id=f"function/season-{number}", kind=Kind.SEASON, number=quantity(season.share, Measure.SHARE),
        more={
            "period": Quantity(season.period, *season.period_range, Measure.SPAN),
            "swing": swing(season.swing.number, season.swing.low, season.swing.high), **sizes,
            "high": Quantity.plain(place(season.top[0]), Measure.PLACE),
            "low": Quantity.plain(place(season.bottom[0]), Measure.PLACE),
            "p value": Quantity.plain(season.p_value, Measure.SHARE),
        },
        parts=(*_phases(values, pattern, place), *first),
        tops=tuple(map(place, season.tops)), bottoms=tuple(map(place, season.bottoms)),
        marks=frozenset({"changes"} if season.ends is not None or season.changing >= KINDS[Kind.SEASON].told else ()),
        probability=season.modelled, witness=seen(season.witness),
        standing=Standing.TOLD if sure else Standing.DENIED,
    )  # fmt: skip


_WITHOUT_ZERO = ("°C", "°F")  # nothing is so many per cent as warm


def _scales(
    season: Season, bounds: tuple[float, float], units: Units
) -> tuple[Callable[..., Quantity], Callable[..., Quantity]]:
    """What makes swings and places of a season, as the models have them, numbers in units of the data.

    Of logarithms these are ratios of the highest to the lowest, and to the mean over the season, unless the level stays
    about where it is or has no natural zero.
    """
    if not units.is_log:
        return _ranged(float, Measure.DIFFERENCE), _ranged(float, Measure.DIFFERENCE)
    course = np.array(season.course)
    mean = float(np.log(np.exp(course).mean()))
    stays = bounds[1] < LIMITS["same level"] * bounds[0]
    if units.is_odds or stays or measured(units.target)[1] in _WITHOUT_ZERO:
        middle = 0.5 * float(course.min() + course.max())
        ends = lambda size: np.diff(units.level_at(middle + size * np.array([-0.5, 0.5]))).item()  # noqa: E731
        usual, measure = (0.0, Measure.LEVEL) if units.is_odds else (_level(mean, units), Measure.DIFFERENCE)
        return _ranged(ends, Measure.DIFFERENCE), _ranged(lambda at: _level(at, units) - usual, measure)
    return _ranged(power, Measure.RATIO), _ranged(lambda at: power(at - mean), Measure.RATIO)


def _level(at: float, units: Units) -> float:
    return units.level_at(np.array(at)).item()


def _ranged(function: Callable[[float], float], measure: Measure) -> Callable[..., Quantity]:
    """What makes a number, with its range where there is one, a quantity after a function."""

    def made(value: float, low: float | None = None, high: float | None = None) -> Quantity:
        ends = [value if end is None else end for end in (low, high)]
        return Quantity(function(value), function(ends[0]), function(ends[1]), measure)

    return made


def _phases(
    values: Iterable[tuple[float, ...]], pattern: Callable[..., Quantity], place: Callable[[float], float]
) -> Iterator[Claim]:
    """What a season is at phases, from each with its value and, where there is one, the range of that."""
    for phase, *numbers in values:
        yield Claim(id="", kind=Kind.PHASE, at=(place(phase),), number=pattern(*numbers))


def _first_cycle(
    season: Season, first: FirstCycle, swing: Callable[..., Quantity], pattern: Callable[..., Quantity],
    place: Callable[[float], float],
) -> Claim:  # fmt: skip
    """What a season was at first, where its highest places have become others."""
    values = zip(season.phases, first.course, strict=True)
    return Claim(
        id="", kind=Kind.SEASON, form="first cycle", number=swing(max(first.course) - min(first.course)),
        parts=tuple(_phases(values, pattern, place)),
        tops=tuple(map(place, first.tops)), bottoms=tuple(map(place, first.bottoms)),
    )  # fmt: skip


# --- What happened --------------------------------------------------------------------------------------------------


def _sudden(change: LevelChange, number: int) -> Claim:
    size, before = quantity(change.size), change.level
    after = before + size.value
    more = {"before": level(before), "after": level(after)}
    more |= {"rows": _count(change.rows), "later": _count(change.lasting)}
    if before > 0.0 and after >= 0.0 and abs(after / before - 1.0) >= LIMITS["least of a level"]:
        more["ratio"] = Quantity.plain(after / before, Measure.RATIO)
    if change.begins is not None:
        more["begins"] = Quantity(change.at, *change.begins, Measure.PLACE)
    form = "recent" if change.until is None and change.lasting < LIMITS["recent rows"] else ""
    if change.segment is not None:
        far, form = change.segment, "far off"
        more |= {name: level(value) for name, value in (("mean", far.mean), ("usual", far.usual))}
        more |= {"extreme": level(far.value), "chance": Quantity.plain(far.chance, Measure.SHARE)}
        more |= {name: Quantity.plain(at, Measure.PLACE) for name, at in (("extreme_at", far.at), ("last", far.last))}
    kind = Kind.STEP if change.until is None else Kind.EVENT
    return Claim(
        id=f"function/change-{number}", kind=kind, number=size, more=more, form=form,
        at=(change.before, change.at) if change.until is None else (change.before, change.at, change.until),
        marks=frozenset({"stays"} if change.stays else ()), probability=change.probability,
        witness=seen(change.witness),
        standing=standing(kind, size, change.probability, 0.0, agrees=change.witness.agrees),
    )  # fmt: skip


def _once(sudden: Sequence[Claim]) -> list[Claim]:
    """Sudden changes, of which of those that begin in one row the most probable alone is told."""
    told_at: dict[float, Claim] = {}
    for claim in sorted(sudden, key=lambda claim: -(claim.probability or 0.0)):
        told_at.setdefault(claim.at[1], claim)
    return [claim if told_at[claim.at[1]] is claim else replace(claim, standing=Standing.DENIED) for claim in sudden]


def _scatter(course: FunctionCourse) -> Iterator[Claim]:
    if course.scatter is None:
        return
    change = course.scatter
    number = quantity(change.ratio).map(exp, Measure.RATIO)
    known = change.span is None or change.span[2] <= LIMITS["dated rows"]
    yield Claim(
        id="function/scatter", kind=Kind.SCATTER, number=number, form="at" if known else "between",
        at=(change.at,) if change.span is None or known else change.span[:2],
        more={"before": _size(change.before), "after": _size(change.after)},
        probability=change.ratio.probability, witness=seen(change.witness, Measure.RATIO, exp),
        standing=Standing.TOLD if is_other_scatter(number) else Standing.DENIED,
    )  # fmt: skip


def is_other_scatter(ratio: Quantity) -> bool:
    """Whether values scatter clearly more or less, by a ratio with its range."""
    least = KINDS[Kind.SCATTER].smallest
    return ratio.low > least or ratio.high < 1.0 / least


def _noise(course: FunctionCourse) -> Claim:
    """The scatter of single values, which is told where it is the same throughout."""
    turn = course.noise_in_data / course.noise.number if course.noise.number > 0.0 else 0.0
    steady = course.homoscedasticity >= KINDS[Kind.NOISE].told and course.scatter is None
    return Claim(
        id="function/noise", kind=Kind.NOISE, number=quantity(course.noise).map(lambda sd: turn * sd),
        more={"p": Quantity.plain(course.homoscedasticity, Measure.SHARE)},
        standing=Standing.TOLD if steady else Standing.DENIED,
    )  # fmt: skip


# --- Numbers --------------------------------------------------------------------------------------------------------


def _count(number: int) -> Quantity:
    return Quantity.plain(float(number), Measure.COUNT)


def _size(number: float) -> Quantity:
    return Quantity.plain(number, Measure.DIFFERENCE)
