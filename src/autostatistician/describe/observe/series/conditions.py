"""What a forecast takes for granted of the recent past, and what would come if that were not so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import FunctionCourse
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.function import FunctionFact, Rise, SlopeOfLate, SuddenChange
from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import ForecastCondition

__all__ = ["condition_facts"]

Vector = NDArray[np.float64]

LATELY = 0.5  # of the span of the data: what lies further back is their usual state
FEWEST_ROWS = 2  # of an event: a single value is none
STILL_HELD = 0.5  # of a change: where the forecast ends with less of it, it does not take for granted that it lasts
TAKEN_BACK = 0.1  # of a change: less may be anything
BENT = 0.1  # share of the variation that a line leaves, from which the last slope may be another than the usual one
STEEP = 1.5  # times the slope of the whole
CARRIED = (0.5, 2.0)  # times the last slope, between which a forecast goes on with it
VISIBLE = 0.5  # standard deviations of single values by which it then moves


def condition_facts(d: Decomposition, function: Sequence[FunctionFact]) -> tuple[ForecastCondition, ...]:
    """That the last change lasts, the last slope goes on, the last event does not come again; none without a forecast.

    What would come otherwise is told for the last step of the forecast.
    """
    if d.function is None or not d.forecast.x.size:
        return ()
    changes = [fact for fact in function if isinstance(fact, SuddenChange) and fact.told]
    return (*_lasts(changes, d.function, d), *_goes_on(d.function, function, d), *_passed(changes, d))


def _lasts(changes: Sequence[SuddenChange], course: FunctionCourse, d: Decomposition) -> Iterator[ForecastCondition]:
    """The last change that lasts, where the forecast stays at its level, and not where that goes back by itself."""
    lasting = [fact for fact in changes if fact.until is None and _is_late(fact.at, d)]
    if not lasting:
        return
    last = max(lasting, key=lambda fact: fact.at)
    held = 1.0 - _undone(last.number, course, d)
    if held >= STILL_HELD:
        yield _condition(Taken.LASTS, last.number, last.at, -held * last.number, d)


def _undone(size: float, course: FunctionCourse, d: Decomposition) -> float:
    """Which share of a change the forecast takes back until its end, beyond what the usual pace explains."""
    end = _scaled(d.forecast.middle[-1:], d) - _seasons(d.forecast.x[-1:], course, float(d.x[0]))
    level = _scaled(np.array([course.last.height.number]), d)
    pace = 0.0 if course.growth is None else course.growth.number
    usual = pace * float(d.forecast.x[-1] - d.x[-1])
    back = [float(end[0] - level[0] - drift) / -size for drift in (0.0, usual)]
    return float(np.clip(min(back), 0.0, 1.0)) if min(back) > TAKEN_BACK else 0.0


def _passed(changes: Sequence[SuddenChange], d: Decomposition) -> Iterator[ForecastCondition]:
    over = [fact for fact in changes if fact.until is not None and fact.rows >= FEWEST_ROWS and _is_late(fact.at, d)]
    if over:
        last = max(over, key=lambda fact: fact.at)
        yield _condition(Taken.PASSED, last.number, last.at, last.number, d)


def _is_late(position: float, d: Decomposition) -> bool:
    return bool(d.x[-1] - position <= LATELY * (d.x[-1] - d.x[0]))


def _goes_on(course: FunctionCourse, function: Sequence[FunctionFact], d: Decomposition) -> Iterator[ForecastCondition]:
    """The last slope, where it is steeper than the whole or turns against it, and the forecast carries it on."""
    late = next((fact for fact in function if isinstance(fact, SlopeOfLate)), None)
    rise = next((fact for fact in function if isinstance(fact, Rise)), None)
    if late is None or rise is None or not late.told or rise.wander < BENT or d.forecast.x.size < 2:
        return
    whole = rise.number / (rise.stop - rise.start)
    if late.number * whole > 0.0 and abs(late.number) < STEEP * abs(whole):
        return
    ahead = _scaled(d.forecast.middle, d) - _seasons(d.forecast.x, course, float(d.x[0]))
    first, last = _unscaled(ahead[[0, -1]], d).tolist()
    far = float(d.forecast.x[-1] - d.forecast.x[0])
    carried = (last - first) * np.sign(late.number)
    least, most = (times * abs(late.number) * far for times in CARRIED)
    if max(least, VISIBLE * course.noise_in_data) <= carried <= most:
        yield _condition(Taken.GOES_ON, late.number, late.start, float(ahead[0] - ahead[-1]), d)


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
