"""What a report of one series would claim, as plain values: by the same rules, so that a page of all never disagrees.

=========  ==============================================================================================
kind       numbers
=========  ==============================================================================================
course     from the first level to the last (``share`` of the first); ``name`` is what it does on the
           whole: "rises", "falls", "turns" (goes up and down), "level" (no lasting rise or fall) or "open"
growth     per year beside sudden changes, as a share: 0.05 is 5 % a year; of levels above zero over two years
turn       the rise or fall after a turning point, from ``start`` to ``stop``
slope      the slope of late, ``name`` says per what, since ``start``
season     the swing of what repeats after ``period``, as a ``share`` of the level where all values are
           above zero; its ``part`` of the variation, its ``name`` ("yearly"; "" on axes without a unit)
step       a sudden change that lasts; "event": one that was gone from ``stop`` on; "recent": one with so
           few values since that nobody can know; ``share`` of the level before it
scatter    how many times as far single values scatter from ``start`` on as before
outlier    a value less what was expected of it (no range); "ending": the same at the end of the data
open       a season of the other series of which it is open whether this one follows it
noise      the typical standard deviation of single values, as a ``share`` of the level, with its ``part``
=========  ==============================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import expm1, log, sinh

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.common_season import cycle_of
from autostatistician.data.dataset import in_order, label_text, time_labels
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import FunctionCourse
from autostatistician.decompose.records.series import Component
from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.units import YEAR, Units, axis_seconds, units_of
from autostatistician.describe.facts.fact import Span
from autostatistician.describe.facts.function import (
    FunctionFact,
    NoiseThroughout,
    Rise,
    ScatterStep,
    SeasonSwing,
    SlopeOfLate,
    SuddenChange,
)
from autostatistician.describe.facts.judgement import scale_is_open
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.observe.series.function import function_facts
from autostatistician.describe.words.answers.plans import assumed_text, forecast_text
from autostatistician.describe.words.course import told_runs, way_of
from autostatistician.describe.words.events import FEW_ROWS
from autostatistician.describe.words.seasons import ROUNDED
from autostatistician.forms import COMMON_SEASON
from autostatistician.model.beside import with_columns
from autostatistician.model.fitted import Model
from autostatistician.model.function import function_of
from autostatistician.panel.records import PanelClaim

__all__ = ["claims_of", "notes_on_columns"]

Array = NDArray[np.float64]

DRAWS = 200  # of the function: enough for ranges of 95 %, and a quarter of the time of a report
HARDLY = 0.1  # probability that a series follows the others, below which it does not
FEWEST_YEARS = 2.0  # over which growth is told per year


@dataclass(frozen=True)
class _Series:
    """What the facts on a function are made from, and its axis."""

    model: Model
    function: FunctionCourse | None
    x: Array
    y: Array
    components: tuple[Component, ...] = ()

    @property
    def offset(self) -> float:
        return self.model.modelled.offset

    @property
    def transform(self) -> Transform:
        return self.model.transform

    @property
    def level(self) -> float | None:
        return self.transform.scale if self.transform.is_log else None

    @property
    def units(self) -> Units:
        axis = self.model.dataset.axis
        assert axis is not None
        values = self.y if self.level is None else self.transform.unshifted.forward(self.y - self.offset)
        units = units_of(axis, self.x, values, self.model.dataset.target, self.level)
        return replace(units, open_scale=scale_is_open(self.model.scale_probability))

    @property
    def typical(self) -> float | None:
        """The level that sizes are compared with; None where some values are not above zero."""
        if self.y.min() <= 0.0:
            return None
        return self.level if self.level is not None else float(self.y.mean())

    def when(self, position: float) -> str:
        """A position as it is written in the data."""
        return label_text(time_labels(self.model.dataset, np.array([position]))[0])


def claims_of(model: Model, draws: int = DRAWS) -> tuple[PanelClaim, ...]:
    """The claims that a report of the series of a model would make; of a table and of a curve there are none.

    Parameters
    ----------
    model : Model
    draws : int, optional
        Of the function behind the series, over all models of the search.

    Returns
    -------
    tuple of PanelClaim
        The kinds are those of the table above; a kind that is not there is not claimed.
    """
    if not model.dataset.is_ordered:
        return ()
    data = in_order(model.dataset)
    series = _Series(model, function_of(model, draws), data.x, data.y + data.offset)
    units = series.units
    facts = function_facts(series, units)
    every = [*_course(facts, series), *_turns(facts, series)]
    for fact in facts:
        every += _claims(fact, series, units)
    every += _common_season(series)
    return tuple(claim for claim in (*every, *_outliers(series)) if np.isfinite(_numbers(claim)).all())


def notes_on_columns(model: Model, assumed: Sequence[str], forecast: Sequence[str]) -> tuple[str, ...]:
    """What a forecast takes columns to be that no plan has: those ``assumed`` to be as before, those ``forecast``."""
    if model.effects is None or not (assumed or forecast):
        return ()
    data = in_order(model.dataset)
    units = _Series(model, None, data.x, data.y + data.offset).units
    as_before = (assumed_text(assumed, model.effects.clock.before, units),) if assumed else ()
    return (*as_before, forecast_text(forecast)) if forecast else as_before


def _numbers(claim: PanelClaim) -> tuple[float, ...]:
    return claim.number, claim.low, claim.high, claim.share or 0.0, claim.part or 0.0


def _claims(fact: FunctionFact, series: _Series, units: Units) -> Iterator[PanelClaim]:
    match fact:
        case SlopeOfLate() if fact.told:
            number, per = rate(fact.number, units)
            low, high = (rate(end, units)[0] for end in _range(fact))
            yield PanelClaim("slope", number, low, high, series.when(fact.start), name=per)
        case SeasonSwing() if fact.told:
            yield _season(fact, series, units)
        case SuddenChange() if fact.told:
            yield _sudden(fact, series)
        case ScatterStep() if fact.told:
            start, stop = fact.between or (fact.at, fact.at)
            yield PanelClaim("scatter", fact.number, *_range(fact), series.when(start), series.when(stop))
        case NoiseThroughout():
            yield _noise(fact, series)


def _course(facts: Sequence[FunctionFact], series: _Series) -> Iterator[PanelClaim]:
    rise, way = next((fact for fact in facts if isinstance(fact, Rise)), None), way_of(facts)
    if rise is None or way is None:
        return
    share = rise.last / rise.first - 1.0 if min(rise.first, rise.last, float(series.y.min())) > 0.0 else None
    start, stop = series.when(rise.start), series.when(rise.stop)
    yield PanelClaim("course", rise.number, *_range(rise), start, stop, share, name=way)
    if share is not None:
        yield from _growth(rise, facts, series)


def _growth(rise: Rise, facts: Sequence[FunctionFact], series: _Series) -> Iterator[PanelClaim]:
    """Growth per year, beside sudden changes that last: by the slope of a logarithm, or from the level at one end."""
    seconds, course = axis_seconds(series.units), series.function
    years = 0.0 if seconds is None else series.units.span * seconds / YEAR
    if course is None or years < FEWEST_YEARS:
        return
    stepped = any(isinstance(fact, SuddenChange) and fact.told and fact.until is None for fact in facts)
    if stepped and series.level is not None and course.growth is not None:
        slopes = (course.growth.number, course.growth.low, course.growth.high)
        yearly = [expm1(slope * series.units.span / years) for slope in slopes]
    else:
        span = rise.stop - rise.start
        changes = (
            (rise.pace, *rise.pace_interval) if stepped else (rise.number / span, *(end / span for end in _range(rise)))
        )
        yearly = [_yearly(change * span, (rise.first + rise.last) / 2.0, years) for change in changes]
    yield PanelClaim("growth", yearly[0], yearly[1], yearly[2], series.when(rise.start), series.when(rise.stop))


def _yearly(change: float, middle: float, years: float) -> float:
    """Growth per year of a level that changes by so much about a middle; no level falls by more than all of it.

    >>> round(_yearly(21.0, 110.5, 2.0), 6)
    0.1
    """
    half = float(np.clip(change / 2.0, -0.999 * middle, 0.999 * middle))
    return expm1(log((middle + half) / (middle - half)) / years)


def _turns(facts: Sequence[FunctionFact], series: _Series) -> Iterator[PanelClaim]:
    """The rises and falls that are told, as far as they begin at a turning point."""
    for run in told_runs(facts):
        if run.place > 1:
            yield PanelClaim("turn", run.number, *_range(run), series.when(run.start), series.when(run.stop))


def _season(fact: SeasonSwing, series: _Series, units: Units) -> PanelClaim:
    number, low, high, share = _swing(series, fact.swing, *fact.swing_interval)
    kind = phase_kind(fact.period, units)
    top, bottom = (
        _phase(place + ROUNDED * fact.period, kind, units) if sure else ""
        for place, sure in ((fact.top, fact.tops), (fact.bottom, fact.bottoms))
    )
    return PanelClaim(
        "season", number, low, high, series.when(units.first), series.when(units.last), share, fact.period,
        cycle(fact.period, units).id, fact.number, top, bottom,
    )  # fmt: skip


def _swing(series: _Series, swing: float, low: float, high: float) -> tuple[float, float, float, float | None]:
    """A swing with its range in the units of the data, and as a share of the level where all values are above zero.

    That of a logarithm is one between the highest and the lowest about the typical level.
    """
    if series.level is None:
        return swing, low, high, swing / series.typical if series.typical is not None else None
    shares = [2.0 * _finite(sinh, size / 2.0) for size in (swing, low, high)]
    number, low, high = (series.level * share for share in shares)
    return number, low, high, shares[0]


def _common_season(series: _Series) -> Iterator[PanelClaim]:
    """The season that a series has in common with the others, as far as it may follow it."""
    effects, axis = series.model.effects, series.model.dataset.axis
    name = _common_season_of(series.model)
    if effects is None or axis is None or not name:
        return
    units, whole = series.units, cycle_of(axis)
    assert whole is not None
    x = axis.future(series.model.last, whole.phases)
    added = effects.added_by(name, x)
    mean = added.mean(axis=0)
    top, bottom = int(mean.argmax()), int(mean.argmin())
    swings = added[:, top] - added[:, bottom]
    low, high = map(float, np.quantile(swings, (0.025, 0.975)))
    kind = "season" if low > 0.0 else "open"
    number, low, high, share = _swing(series, float(swings.mean()), low, high)
    explained = float(np.var(effects.added_by(name, series.x).mean(axis=0)))
    part = min(1.0, explained / max(float(np.var(_scaled(series))), 1e-300))
    period = whole.phases * float(axis.step or 1.0)
    phase = phase_kind(period, units)
    yield PanelClaim(
        kind, number, low, high, series.when(units.first), series.when(units.last), share, period,
        cycle(period, units).id, part, _phase(x[top], phase, units), _phase(x[bottom], phase, units), True,
    )  # fmt: skip


def _common_season_of(model: Model) -> str:
    """The column of the season of the other series, where a series may follow it; else nothing."""
    effects = model.effects
    if effects is None:
        return ""
    columns = effects.columns.at(model.dataset.x)
    names = (column.name for column in columns if column.group == COMMON_SEASON)
    return next((name for name in names if effects.probabilities.get(name, 0.0) > HARDLY), "")


def _scaled(series: _Series) -> Array:
    """The values (n,) as they were given, on the scale of the model."""
    return np.asarray(series.model.transform.unshifted.forward(series.model.observed - series.offset))


def _finite(function: Callable[[float], float], value: float) -> float:
    """A function that grows fast, of no more than floats can hold."""
    return function(min(value, 700.0))


def _phase(place: float, kind: Phase, units: Units) -> str:
    """Where in a cycle of the calendar a position lies; "" where that has no name."""
    if kind is Phase.UNNAMED:
        return ""
    return phase_text(kind, (int(phases(np.array([place]), kind, units)[0][0]),))


def _sudden(fact: SuddenChange, series: _Series) -> PanelClaim:
    kind = "event" if fact.until is not None else "recent" if fact.later < FEW_ROWS else "step"
    change, low, high = fact.after - fact.level, *_range(fact)
    if series.level is not None:
        base = fact.level - series.offset
        low, high = (base * _finite(expm1, end) for end in (low, high))
    start, stop = (series.when(end) for end in (fact.at, fact.at if fact.until is None else fact.until))
    return PanelClaim(kind, change, low, high, start, stop, fact.share)


def _noise(fact: NoiseThroughout, series: _Series) -> PanelClaim:
    assert series.function is not None
    size = series.function.noise_in_data
    low, high = (size * end / fact.number if fact.number > 0.0 else size for end in _range(fact))
    spread = float(np.std(series.y if series.level is None else np.log(series.y / series.level)))
    share = None if series.typical is None else size / series.typical if series.level is None else fact.number
    part = min(1.0, (fact.number / spread) ** 2) if spread > 0.0 else None
    return PanelClaim("noise", size, low, high, share=share, part=part)


def _outliers(series: _Series) -> Iterator[PanelClaim]:
    model = series.model
    screening, effects = model.screening, model.effects
    screening = screening if effects is None else with_columns(screening, effects, model.transform)
    for row in screening.rows:
        if row.returns:
            continue
        change, when = row.y - row.expected, series.when(row.x)
        share = row.y / row.expected - 1.0 if min(row.y, row.expected) > 0.0 else None
        yield PanelClaim("ending" if row.ending else "outlier", change, change, change, when, when, share)


def _range(fact: FunctionFact) -> Span:
    return (fact.number, fact.number) if fact.interval is None else fact.interval
