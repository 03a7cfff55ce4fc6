"""The course of a function as a claim: how far it rose or fell, in which form, at which pace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, expm1, log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim, Witness, told
from autostatistician.claims.kinds import FEW, KINDS, LIMITS, Form, Kind, Standing, standing
from autostatistician.claims.quantity import MOST_EXPONENT, Measure, Quantity
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import BLOCKS, T_OF_BLOCKS, Estimate, FunctionCourse, Plateau
from autostatistician.decompose.records.function import Witness as Seen
from autostatistician.describe.axis.units import Units

__all__ = ["CourseRecord", "course_claim", "in_text", "level", "power", "quantity", "seen", "still_of"]


class CourseRecord(Protocol):
    """What of a decomposition the claim on its course is made from."""

    @property
    def y(self) -> NDArray[np.float64]:
        """The data (n,) in their own units."""

    @property
    def transform(self) -> Transform:
        """The map to the scale of the model."""

    @property
    def level(self) -> float | None:
        """The typical level where the logarithm is modelled, else None."""


def course_claim(
    course: FunctionCourse, d: CourseRecord, units: Units, runs: Sequence[Claim], late: Claim, sudden: Sequence[Claim]
) -> Claim:
    """How far it rose or fell, and how that is told beside its ``runs``, its slope ``late`` and what is ``sudden``."""
    row, number, noise = KINDS[Kind.RISE], quantity(course.rise), course.noise_in_data
    span, reach = course.last.stop - course.first.start, course.bounds[1] - course.bounds[0]
    is_told = standing(Kind.RISE, number, course.rise.probability, noise, agrees=course.rise_witness.agrees)
    is_told = is_told if course.rise.probability >= row.sure else Standing.DENIED
    large = abs(number.value) >= max(row.smallest * noise, LIMITS["open"] * reach)
    is_open = is_told is not Standing.TOLD and (large or _thirds_differ(d))
    steps = told(sudden, Kind.STEP)
    small = abs(course.pace.number) * span < LIMITS["small beside steps"] * sum(
        abs(step.number.value) for step in steps
    )
    marks = {
        "stepped": bool(steps), "passed": bool(told(sudden, Kind.EVENT)),
        "deseasonalised": bool(course.seasons) and not course.averaged,
        "roams": reach >= KINDS[Kind.OUTLIER].smallest * noise,  # further than single values scatter
        "flat": small or not quantity(course.pace).is_clear, "even": small or course.wander < LIMITS["straight"],
    }  # fmt: skip
    made = Claim(
        id="function/rise", kind=Kind.RISE, number=number,
        at=(course.first.start, course.first.stop, course.last.start, course.last.stop),
        more={
            "first": quantity(course.first.height, Measure.LEVEL), "last": quantity(course.last.height, Measure.LEVEL),
            "low": level(course.bounds[0]), "high": level(course.bounds[1]),
            "pace": quantity(course.pace, Measure.SLOPE), "wander": Quantity.plain(course.wander, Measure.SHARE),
        },
        parts=still_of(course.still, course.rise.number),
        marks=frozenset(name for name, holds in marks.items() if holds),
        probability=course.rise.probability, witness=seen(course.rise_witness),
        standing=Standing.OPEN if is_open else is_told,
    )  # fmt: skip
    between = made["last"] - made["first"]  # the levels that are told, so that a page has one number for it
    number = Quantity(between, min(number.low, between), max(number.high, between), number.measure)
    made = replace(made, number=number, form=_form(made, runs))
    if course.averaged:
        made = replace(made, more={**made.more, "averaged over": Quantity.plain(course.averaged, Measure.SPAN)})
    if course.step is not None:
        made = replace(made, more={**made.more, "step": Quantity.plain(course.step, Measure.DIFFERENCE)})
    grows = d.level is not None and not d.transform.is_odds and not units.open_scale
    return _paced(made, course, course.growth if grows else None, late, units.gap)


def _thirds_differ(d: CourseRecord) -> bool:
    """Whether the first and the last third of the data differ by more than their errors, which blocks of rows show."""
    if d.y.size < 3 * BLOCKS:
        return False
    blocks = [[float(block.mean()) for block in np.array_split(third, BLOCKS)] for third in np.array_split(d.y, 3)]
    first, last = blocks[0], blocks[-1]
    variance = (np.var(first, ddof=1) + np.var(last, ddof=1)) / BLOCKS
    return bool(abs(np.mean(last) - np.mean(first)) > T_OF_BLOCKS * np.sqrt(variance))


# --- In which form it is told -----------------------------------------------------------------------------------------


def _form(rise: Claim, runs: Sequence[Claim]) -> Form:
    """Apart from lasting steps it goes at one pace; else its turns are told, or that it goes one way."""
    stepped, tail = "stepped" in rise.marks, _sure_tail(runs)
    if stepped and "even" in rise.marks:
        return Form.APART
    if tail and not (stepped and len(tail) < len(runs)):
        return Form.AMOUNTS if stepped and len(tail) <= FEW else Form.RUNS if len(tail) <= FEW else Form.LATELY
    bent = rise["wander"] > LIMITS["bent"]
    small = abs(rise.number.value) < LIMITS["one way"] * (rise["high"] - rise["low"])
    if rise.standing is Standing.DENIED and not (bent and "roams" in rise.marks):
        return Form.LEVEL
    return Form.BOTH if (small if rise.told else bent) else Form.ONE_WAY


def _sure_tail(runs: Sequence[Claim]) -> Sequence[Claim]:
    """The runs up to the end that are all told; none of a course that never turns."""
    unsure = max((at for at, run in enumerate(runs, 1) if not run.told), default=0)
    return runs[unsure:] if len(runs) > 1 else ()


def in_text(rise: Claim, runs: Sequence[Claim]) -> list[Claim]:
    """The runs, marked where the sentence on the course tells them."""
    tail = {Form.AMOUNTS: runs, Form.RUNS: _sure_tail(runs), Form.LATELY: runs[-1:]}.get(Form(rise.form), ())
    return [replace(run, marks=run.marks | {"in text"}) if run in tail else run for run in runs]


# --- At which pace it goes --------------------------------------------------------------------------------------------


def _paced(rise: Claim, course: FunctionCourse, growth: Estimate | None, late: Claim, gap: float) -> Claim:
    """The same with its speed, by shares where it may grow by these, and its bend."""
    rates, bends = (course.paces, course.bends) if growth is None else (course.rates, course.rate_bends)
    straight = course.wander < LIMITS["straight"] and _is_even(rates)
    marks = {"straight"} if straight else {_bend(rise, course)}
    marks |= {"steady"} if straight and rise.still is None and not bends else set()
    speed = quantity(course.pace, Measure.SLOPE) if growth is None else quantity(growth).map(_share, Measure.GROWTH)
    if rise.form == Form.ONE_WAY:
        apart = rise.at[3] - rise.at[0] - max(course.averaged - gap, 0.0)  # from the middle of the first season
        speed = _speed_of_ends(rise, apart, grows=growth is not None)
    slope = late.number
    # that slope is one of the middle of the last rows and those before
    base = 1.0 if growth is None else rise["last"] - slope.value * (rise.at[3] - rise.at[2])
    expected = course.pace.number if growth is None else growth.number * base
    if straight and rise.still is None and _is_another(slope, expected):
        marks -= {"steady"}
    if course.wander >= LIMITS["straight"]:
        whole = rise.number.value / (rise.at[3] - rise.at[0])
        small = not late.told and max(map(abs, slope.interval)) < abs(whole)
        marks |= (
            {"hardly_of_late"} if small else {"turned_of_late"} if late.told and slope.value * whole < 0.0 else set()
        )
    still, near = rise.still, LIMITS["end_of_a_run"] * (rise.at[3] - rise.at[0])
    if still is not None and still.at[1] >= rise.at[3] - near and rise.told and "stepped" not in rise.marks:
        marks |= {"levelled"}
    return replace(rise, more={**rise.more, "speed": speed}, marks=rise.marks | (marks - {""}))


def _speed_of_ends(rise: Claim, apart: float, *, grows: bool) -> Quantity:
    """The speed that leads from the first level to the last, so far ``apart``, as a reader would work it out."""
    first, last = rise["first"], rise["last"]
    if grows and min(first, last) > 0.0:
        return Quantity.plain(_share(log(last / first) / apart), Measure.GROWTH)
    return Quantity.plain((last - first) / apart, Measure.SLOPE)


def _is_another(slope: Quantity, expected: float) -> bool:
    """Whether a slope certainly differs clearly from the one that a steady course would have now."""
    low, high = sorted(end * np.sign(expected) for end in slope.interval)
    return bool(low > LIMITS["same slope"] * abs(expected) or high < abs(expected) / LIMITS["same slope"])


def _bend(rise: Claim, course: FunctionCourse) -> str:
    """How a rise or fall went that was not straight; "" for nothing clear."""
    start, middle, end = map(abs, course.paces)
    even = LIMITS["same pace"]
    if course.wander > LIMITS["bent"] or not all(pace * rise.number.value > 0.0 for pace in course.paces):
        return ""
    if middle > even * max(start, end):
        return "between"
    if end > even * start and end >= middle >= start:
        return "faster"
    return "slower" if start > even * end and start >= middle >= end else ""


def _is_even(paces: Sequence[float]) -> bool:
    """Whether three paces are about the same."""
    low, high = min(map(abs, paces)), max(map(abs, paces))
    return min(paces) * max(paces) > 0.0 and high <= LIMITS["same pace"] * low


# --- Numbers ----------------------------------------------------------------------------------------------------------


def power(value: float) -> float:
    """What a difference of logarithms is as a ratio."""
    return exp(min(value, MOST_EXPONENT))


def _share(value: float) -> float:
    """What a slope of a logarithm is as a share."""
    return expm1(min(value, MOST_EXPONENT))


def quantity(estimate: Estimate, measure: Measure = Measure.DIFFERENCE) -> Quantity:
    """The median of draws with its range."""
    return Quantity(estimate.number, estimate.low, estimate.high, measure)


def level(value: float) -> Quantity:
    """A value of the target."""
    return Quantity.plain(value, Measure.LEVEL)


def still_of(stretch: Plateau | None, size: float) -> tuple[Claim, ...]:
    """Where a rise or fall of some size stands still, as a part of its claim; none where it goes on or back by much."""
    if stretch is None or abs(stretch.last - stretch.first) > LIMITS["still"] * abs(size):
        return ()
    more = {"first": level(stretch.first), "last": level(stretch.last)}
    number = Quantity.plain(stretch.last - stretch.first, Measure.DIFFERENCE)
    return (Claim(id="", kind=Kind.STILL, at=(stretch.start, stretch.stop), number=number, more=more),)


def seen(witness: Seen, measure: Measure = Measure.DIFFERENCE, turned: Callable[[float], float] = float) -> Witness:
    """What the data alone say, after a function that turns its numbers into units of the data."""
    number = Quantity(witness.number, witness.low, witness.high).map(turned, measure)
    return Witness(witness.statistic, number, witness.agrees)
