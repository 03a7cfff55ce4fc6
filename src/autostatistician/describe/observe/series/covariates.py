"""What is known of the columns beside a series: a claim on what each adds, and what a forecast takes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import KINDS, LIMITS, Kind, Standing
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.function import Estimate
from autostatistician.decompose.records.series import ColumnEffect, ColumnsBeside, Decomposition, EffectAt
from autostatistician.describe.facts.covariates import ColumnsAhead, CovariateColumn, CovariateEvent, CovariateFindings
from autostatistician.describe.facts.curves import SeriesCurves
from autostatistician.describe.facts.whole import ForecastRange, ForecastReach
from autostatistician.describe.observe.series.course import quantity, seen
from autostatistician.describe.observe.series.curves import told_curve
from autostatistician.describe.observe.series.whole import ends_of, reach_of

__all__ = ["covariate_findings"]


def covariate_findings(d: Decomposition) -> CovariateFindings | None:
    """What is told of the columns; None where there are none."""
    beside = d.covariates
    if beside is None or not beside.effects:
        return None
    columns = tuple(_column(effect, beside) for effect in beside.effects)
    fit = told_curve(beside.fit)
    curves = SeriesCurves(
        d.x, beside.y, 0.0, fit, np.zeros((0, fit.x.size)), told_curve(beside.forecast),
        tuple((value.x, value.y) for value in d.screening.aside),
    )  # fmt: skip
    ahead, forecast = _ahead(columns, beside), _forecast(beside)
    return CovariateFindings(columns, ahead, forecast, curves, told_curve(d.signal), _events(columns, beside))


def _events(columns: tuple[CovariateColumn, ...], beside: ColumnsBeside) -> tuple[CovariateEvent, ...]:
    """The events with their days, the day itself first."""
    events = []
    for number, event in enumerate(beside.events, 1):
        days = [column for column in columns if column.effect.named["event"] == event.name]
        days.sort(key=lambda column: (abs(column.effect["days"]), column.effect["days"]))
        if not days:
            continue
        first = days[0].effect
        total = Claim(
            id=f"columns/events/{number}", kind=Kind.ADDS, number=_number(event.total), at=event.places,
            probability=first.probability, standing=first.standing, named={**first.named, "event": event.name},
        )  # fmt: skip
        events.append(CovariateEvent(total, tuple(days)))
    return tuple(events)


def _column(effect: ColumnEffect, beside: ColumnsBeside) -> CovariateColumn:
    name, row = f"columns/{beside.effects.index(effect) + 1}", KINDS[Kind.ADDS]
    number, plain = _number(effect.size), effect.witness
    may = effect.instead or effect.probability >= row.told
    marks = {
        "only": len(beside.effects) == 1, "blurred": effect.apart < row.smallest and abs(effect.along) > LIMITS["along"]
    }  # fmt: skip
    shares = {"kept": effect.kept, "share": effect.share, "apart": effect.apart}
    claim = Claim(
        id=name, kind=Kind.ADDS, columns=(effect.name,), number=number, probability=effect.probability,
        form=effect.shape, others={"levels": effect.levels, "instead": effect.instead},
        standing=Standing.TOLD if effect.probability >= row.sure else Standing.OPEN if may else Standing.DENIED,
        named={"of": effect.kind, "varying": effect.varying, "event": effect.event, "calendar": effect.calendar},
        more={
            **plain_numbers(
                usual=effect.usual, other=effect.other, low=effect.low, high=effect.high, step=effect.step,
                lag=effect.lag, lag_from=effect.lags[0], lag_to=effect.lags[1], season=beside.season,
                along=effect.along, days=effect.days, rows=None if plain is None else plain.rows,
            ),
            **{name: Quantity.plain(share, Measure.SHARE) for name, share in shares.items()},
        },
        parts=(*_sizes(Kind.LEVEL, effect.places), *_sizes(Kind.PHASE, effect.moments)),
        marks=frozenset(mark for mark, holds in marks.items() if holds),
        witness=None if plain is None else seen(plain, Measure.SCALED),
    )  # fmt: skip
    return CovariateColumn(claim, effect.curve, effect.added)


def _number(size: Estimate) -> Quantity:
    return quantity(size, Measure.SCALED)


def _sizes(kind: Kind, places: Iterable[EffectAt]) -> Iterator[Claim]:
    """What a column adds at values, or at positions."""
    for at in places:
        yield Claim(id="", kind=kind, at=(at.place,), number=_number(at.effect), probability=at.effect.probability)


def _ahead(columns: tuple[CovariateColumn, ...], beside: ColumnsBeside) -> ColumnsAhead | None:
    """What the forecast takes for the columns that are told; None without a forecast, or without such columns."""
    if not any(column.is_told for column in columns) or not beside.forecast.x.size:
        return None
    told = [column.effect.columns[0] for column in columns if column.is_told and not column.effect.named["calendar"]]
    filled = dict(beside.fillings)
    return ColumnsAhead(
        id="columns/ahead", number=len(filled), unit="1", evidence="the rows without a target",
        planned=tuple(name for name in told if name not in filled),
        unplanned=tuple((name, filled[name]) for name in told if name in filled),
        until=beside.planned_until, season=beside.before, beyond=beside.beyond,
    )  # fmt: skip


def _forecast(beside: ColumnsBeside) -> tuple[ForecastRange | ForecastReach, ...]:
    """The forecast with the columns at its ends, and its lowest and highest values."""
    curve, evidence = beside.forecast, "posterior predictive distribution with the columns as they are planned"
    reach = reach_of(curve, beside.y, "columns/forecast/reach", evidence)
    return (*ends_of(curve, "columns/forecast", evidence), *reach)
