"""The columns beside a series, as facts and curves."""

from __future__ import annotations

import numpy as np

from autostatistician.decompose.records.covariates import ColumnEffect, ColumnsBeside, EffectAt
from autostatistician.decompose.records.function import Estimate
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.covariates import (
    ColumnsAhead,
    CovariateColumn,
    CovariateEffect,
    CovariateEvent,
    CovariateFindings,
    EffectAtMoment,
    EffectAtValue,
    EventTotal,
    Neighbours,
)
from autostatistician.describe.facts.curves import SeriesCurves
from autostatistician.describe.facts.fact import Span
from autostatistician.describe.facts.whole import ForecastRange, ForecastReach
from autostatistician.describe.observe.series.curves import told_curve
from autostatistician.describe.observe.series.parts import on_scale
from autostatistician.describe.observe.series.whole import reach_of

__all__ = ["covariate_findings"]

EVIDENCE = "draws of the effects of all columns together, given the time structure"


def covariate_findings(d: Decomposition) -> CovariateFindings | None:
    """What is told of the columns; None where there are none."""
    beside = d.covariates
    if beside is None or not beside.effects:
        return None
    columns = tuple(_column(effect, beside, d) for effect in beside.effects)
    fit = told_curve(beside.fit)
    curves = SeriesCurves(
        d.x, beside.y, 0.0, fit, np.zeros((0, fit.x.size)), told_curve(beside.forecast),
        tuple((value.x, value.y) for value in d.screening.aside),
    )  # fmt: skip
    ahead, forecast = _ahead(columns, beside), _forecast(beside)
    return CovariateFindings(columns, ahead, forecast, curves, told_curve(d.signal), _events(columns, beside, d))


def _events(
    columns: tuple[CovariateColumn, ...], beside: ColumnsBeside, d: Decomposition
) -> tuple[CovariateEvent, ...]:
    """The events with their days, the day itself first."""
    events = []
    for number, event in enumerate(beside.events, 1):
        days = [column for column in columns if column.effect.event == event.name]
        days.sort(key=lambda column: (abs(column.effect.days), column.effect.days))
        if not days:
            continue
        total = EventTotal(
            id=f"columns/events/{number}", number=event.total.number, unit="target", evidence=EVIDENCE,
            interval=_span(event.total), probability=days[0].effect.probability, event=event.name,
            calendar=days[0].effect.calendar, places=event.places,
        )  # fmt: skip
        events.append(CovariateEvent(on_scale((total,), d)[0], tuple(days)))
    return tuple(events)


def _column(effect: ColumnEffect, beside: ColumnsBeside, d: Decomposition) -> CovariateColumn:
    name = f"columns/{beside.effects.index(effect) + 1}"
    witness = effect.witness
    plain = None
    if witness is not None:
        band = witness.low, witness.high
        plain = Neighbours(number=witness.number, interval=band, agrees=witness.agrees, rows=witness.rows)
    fact = CovariateEffect(
        id=name, number=effect.size.number, unit="target", evidence=EVIDENCE, interval=_span(effect.size),
        probability=effect.probability, column=effect.name, kind=effect.kind, shape=effect.shape, levels=effect.levels,
        usual=effect.usual, other=effect.other, low=effect.low, high=effect.high, step=effect.step, lag=effect.lag,
        lags=effect.lags, kept=effect.kept, varying=effect.varying, season=beside.season, share=effect.share,
        apart=effect.apart, along=effect.along, neighbours=plain, is_only=len(beside.effects) == 1,
        event=effect.event, days=effect.days, calendar=effect.calendar,
    )  # fmt: skip
    values = tuple(_at_value(f"{name}/value-{k}", at, effect) for k, at in enumerate(effect.places, 1))
    moments = tuple(_at_moment(f"{name}/moment-{k}", at, effect) for k, at in enumerate(effect.moments, 1))
    return CovariateColumn(
        on_scale((fact,), d)[0], on_scale(values, d), on_scale(moments, d), effect.curve, effect.added
    )


def _span(size: Estimate) -> Span:
    return size.low, size.high


def _at_value(name: str, at: EffectAt, effect: ColumnEffect) -> EffectAtValue:
    return EffectAtValue(
        id=name, number=at.effect.number, unit="target", evidence=EVIDENCE, interval=_span(at.effect),
        probability=at.effect.probability, column=effect.name, value=at.place,
        level=effect.levels[round(at.place)] if effect.levels else "",
    )  # fmt: skip


def _at_moment(name: str, at: EffectAt, effect: ColumnEffect) -> EffectAtMoment:
    return EffectAtMoment(
        id=name, number=at.effect.number, unit="target", evidence=EVIDENCE, interval=_span(at.effect),
        probability=at.effect.probability, column=effect.name, position=at.place,
    )  # fmt: skip


def _ahead(columns: tuple[CovariateColumn, ...], beside: ColumnsBeside) -> ColumnsAhead | None:
    """What the forecast takes for the columns that are told; None without a forecast, or without such columns."""
    if not any(column.is_told for column in columns) or not beside.forecast.x.size:
        return None
    told = [column.effect.column for column in columns if column.is_told and not column.effect.calendar]
    filled = dict(beside.fillings)
    return ColumnsAhead(
        id="columns/ahead", number=len(filled), unit="1", evidence="the rows without a target",
        planned=tuple(name for name in told if name not in filled),
        unplanned=tuple((name, filled[name]) for name in told if name in filled),
        until=beside.planned_until, season=beside.before, beyond=beside.beyond,
    )  # fmt: skip


def _forecast(beside: ColumnsBeside) -> tuple[ForecastRange | ForecastReach, ...]:
    """The forecast with the columns at its ends, and its lowest and highest values."""
    curve = beside.forecast
    evidence = "posterior predictive distribution with the columns as they are planned"
    ends = tuple(
        ForecastRange(
            id=f"columns/forecast/{at + 1}", number=float(curve.middle[at]), unit="target", position=float(curve.x[at]),
            interval=(float(curve.lower[at]), float(curve.upper[at])), evidence=evidence,
            median=curve.median is not None,
        )
        for at in (sorted({0, curve.x.size - 1}) if curve.x.size else ())
    )  # fmt: skip
    return (*ends, *reach_of(curve, beside.y, "columns/forecast/reach", evidence))
