"""What a report of one series would claim, as it is kept: by the same rules, so that a page of all never disagrees.

To the numbers of the claims come: ``share`` (of the level before it, or of the typical one), ``part`` (of the variation
that a season or noise has); in words the ``name`` (what a course does on the whole, a season is called, per what a
slope is) and when a season is at its ``top`` and ``bottom``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import expm1, log, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import LEVEL_CHANGES, Claim, first, told, way_of
from autostatistician.claims.kinds import KINDS, Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.data.common_season import cycle_of
from autostatistician.data.dataset import in_order, label_text, time_labels
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import FunctionCourse
from autostatistician.decompose.records.series import Component
from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.units import YEAR, Units, axis_seconds, units_of
from autostatistician.describe.facts.judgement import scale_is_open
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.observe.series.course import power, quantity
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.describe.words.answers.plans import assumed_text, forecast_text
from autostatistician.describe.words.chances import ROUNDED
from autostatistician.fitted.covariate_effects import with_columns
from autostatistician.fitted.covariate_record import column_effects
from autostatistician.fitted.function import function_of
from autostatistician.fitted.model import Model
from autostatistician.forms import COMMON_SEASON, ColumnKind, Filling

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


def claims_of(model: Model, draws: int = DRAWS) -> tuple[Claim, ...]:
    """The claims that are made of the series of a model; of a table and of a curve there are none.

    They hold for the target with the columns of the table as they were.

    Parameters
    ----------
    model : Model
    draws : int, optional
        Of the function behind the series, over all models of the search.

    Returns
    -------
    tuple of Claim
        A kind that is not there is not claimed.
    """
    if not model.dataset.is_ordered:
        return ()
    data = in_order(model.as_observed)
    series = _Series(model, function_of(model, draws, observed=True), data.x, data.y + data.offset)
    candidates = function_claims(series, series.units)
    every = [*_course(candidates, series), *(_kept(claim, series) for claim in candidates if _is_kept(claim))]
    every += [*_common_season(series), *_columns(series), *_outliers(series, told(candidates, Kind.EVENT))]
    return tuple(claim for claim in every if np.isfinite(_numbers(claim)).all())


def _is_kept(claim: Claim) -> bool:
    """Whether a claim is kept of a series of many; of its runs those that are told and begin at a turn."""
    if claim.kind is Kind.RUN:
        return "in text" in claim.marks and claim.id != "function/run-1"
    return claim.kind is Kind.NOISE or (claim.told and claim.kind is not Kind.RISE)


def notes_on_columns(model: Model, assumed: Sequence[tuple[str, Filling]], forecast: Sequence[str]) -> tuple[str, ...]:
    """What a forecast takes columns to be that no plan has: those ``assumed``, and how, and those ``forecast``."""
    if model.effects is None or not (assumed or forecast):
        return ()
    data = in_order(model.dataset)
    units = _Series(model, None, data.x, data.y + data.offset).units
    as_before = (assumed_text(assumed, model.effects.clock.before, units),) if assumed else ()
    return (*as_before, forecast_text(forecast)) if forecast else as_before


def _numbers(claim: Claim) -> list[float]:
    return [end for number in (claim.number, *claim.more.values()) for end in (number.value, *number.interval)]


def _kept(claim: Claim, series: _Series) -> Claim:
    """A claim of the function with its dates as the data have them, and what of it is told in words."""
    units, number, named, more = series.units, claim.number, {}, {}
    places = claim.at[1:] if claim.kind in LEVEL_CHANGES else claim.at
    match claim.kind:
        case Kind.SLOPE:
            named["name"] = rate(number.value, units)[1]
            number = number.map(lambda slope: rate(slope, units)[0])
        case Kind.SEASON:
            kind, period = phase_kind(claim["period"], units), claim.more["period"]
            part, length = Quantity.plain(number.value, Measure.SHARE), Quantity.plain(period.value, Measure.SPAN)
            number, more = _swing(claim.more["swing"], series), {"part": part, "period": length}
            places, named["name"] = (units.first, units.last), cycle(period.value, units).id
            for name, sure, at in (("top", claim.tops, claim["high"]), ("bottom", claim.bottoms, claim["low"])):
                named[name] = _phase(at + ROUNDED * period.value, kind, units) if sure else ""
            more |= _share(number, series)
        case Kind.STEP | Kind.EVENT if "ratio" in claim.more:
            more = {"share": claim.more["ratio"].map(lambda ratio: ratio - 1.0, Measure.SHARE)}
        case Kind.NOISE:
            more = {**_share(number, series), **_part(series)}
    written = (series.when(places[0]), series.when(places[-1])) if places else ("", "")
    return Claim(
        id=claim.id, kind=claim.kind, form=claim.form, number=number, more=more, written=written,
        named={name: text for name, text in named.items() if text},
    )  # fmt: skip


def _share(number: Quantity, series: _Series) -> dict[str, Quantity]:
    """A size as a share of the typical level, where all values are above zero."""
    typical = series.typical
    return {} if typical is None else {"share": Quantity.plain(number.value / typical, Measure.SHARE)}


def _course(claims: Sequence[Claim], series: _Series) -> Iterator[Claim]:
    rise, way = first(claims, Kind.RISE), way_of(claims)
    if rise is None:
        return
    lowest = min(rise["first"], rise["last"], float(series.y.min()))
    more = {"share": Quantity.plain(rise["last"] / rise["first"] - 1.0, Measure.SHARE)} if lowest > 0.0 else {}
    written = series.when(rise.at[0]), series.when(rise.at[-1])
    yield Claim(id=rise.id, kind=Kind.RISE, number=rise.number, more=more, written=written, named={"name": way})
    if more:
        yield from _growth(rise, series, written)


def _growth(rise: Claim, series: _Series, written: tuple[str, str]) -> Iterator[Claim]:
    """Growth per year, beside sudden changes that last: by the slope of a logarithm, or from the level at one end."""
    seconds, course, span = axis_seconds(series.units), series.function, rise.at[-1] - rise.at[0]
    years = 0.0 if seconds is None else series.units.span * seconds / YEAR
    if course is None or years < FEWEST_YEARS:
        return
    middle, stepped = (rise["first"] + rise["last"]) / 2.0, "stepped" in rise.marks
    if stepped and series.level is not None and course.growth is not None:
        yearly = quantity(course.growth).map(lambda slope: expm1(slope * series.units.span / years), Measure.SHARE)
    else:
        change = rise.more["pace"].map(lambda pace: pace * span) if stepped else rise.number
        # averages over a season are those of its middle
        apart = 1.0 if stepped else 1.0 - max(course.averaged - series.units.gap, 0.0) / series.units.span
        yearly = change.map(lambda size: _yearly(size, middle, apart * years), Measure.SHARE)
    yield Claim(id="function/growth", kind=Kind.GROWTH, number=yearly, written=written)


def _yearly(change: float, middle: float, years: float) -> float:
    """Growth per year of a level that changes by so much about a middle; no level falls by more than all of it.

    >>> round(_yearly(21.0, 110.5, 2.0), 6)
    0.1
    """
    half = float(np.clip(change / 2.0, -0.999 * middle, 0.999 * middle))
    return expm1(log((middle + half) / (middle - half)) / years)


def _swing(swing: Quantity, series: _Series) -> Quantity:
    """A swing in the units of the data: a ratio is one between the highest and the lowest about the typical level."""
    if swing.measure is not Measure.RATIO or series.level is None:
        return swing
    level = series.level
    return swing.map(lambda ratio: level * (sqrt(ratio) - 1.0 / sqrt(ratio)), Measure.DIFFERENCE)


def _part(series: _Series) -> dict[str, Quantity]:
    """The share of the variation that noise has, on the scale of the models."""
    assert series.function is not None
    spread = float(np.std(series.y if series.level is None else np.log(series.y / series.level)))
    if spread <= 0.0:
        return {}
    return {"part": Quantity.plain(min(1.0, (series.function.noise.number / spread) ** 2), Measure.SHARE)}


def _common_season(series: _Series) -> Iterator[Claim]:
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
    swing = Quantity(float(swings.mean()), low, high)
    number = _swing(swing if series.level is None else swing.map(power, Measure.RATIO), series)
    explained = float(np.var(effects.added_by(name, series.x).mean(axis=0)))
    part = min(1.0, explained / max(float(np.var(_scaled(series))), 1e-300))
    period = whole.phases * float(axis.step or 1.0)
    phase = phase_kind(period, units)
    yield Claim(
        id="function/common-season", kind=Kind.SEASON if low > 0.0 else Kind.OPEN, number=number, form="shared",
        more={
            "period": Quantity.plain(period, Measure.SPAN), "part": Quantity.plain(part, Measure.SHARE),
            **_share(number, series),
        },
        written=(series.when(units.first), series.when(units.last)),
        named={
            "name": cycle(period, units).id, "top": _phase(x[top], phase, units),
            "bottom": _phase(x[bottom], phase, units),
        },
    )  # fmt: skip


def _common_season_of(model: Model) -> str:
    """The column of the season of the other series, where a series may follow it; else nothing."""
    effects = model.effects
    if effects is None:
        return ""
    columns = effects.columns.at(model.dataset.x)
    names = (column.name for column in columns if column.group == COMMON_SEASON)
    return next((name for name in names if effects.probabilities.get(name, 0.0) > HARDLY), "")


def _columns(series: _Series) -> Iterator[Claim]:
    """What columns of the table surely add: of numbers over the range that was seen, else at the other value."""
    for effect in column_effects(series.model):
        if effect.calendar or effect.event or effect.probability < KINDS[Kind.ADDS].sure:
            continue
        times = (effect.high - effect.low) / effect.step if effect.kind is ColumnKind.NUMBER else 1.0
        size = quantity(effect.size, Measure.SCALED)
        number = Quantity(size.value * times, size.low * times, size.high * times, Measure.SCALED)
        share = {} if series.level is None else {"share": number.map(expm1, Measure.SHARE)}
        yield Claim(
            id=f"columns/{effect.name}", kind=Kind.ADDS, number=number, more=share or _share(number, series),
            named={"name": effect.name},
        )  # fmt: skip


def _scaled(series: _Series) -> Array:
    """The values (n,) as they were given, on the scale of the model."""
    return np.asarray(series.model.transform.unshifted.forward(series.model.observed - series.offset))


def _phase(place: float, kind: Phase, units: Units) -> str:
    """Where in a cycle of the calendar a position lies; "" where that has no name."""
    if kind is Phase.UNNAMED:
        return ""
    return phase_text(kind, (int(phases(np.array([place]), kind, units)[0][0]),))


def _outliers(series: _Series, events: Sequence[Claim]) -> Iterator[Claim]:
    """Values that stand out, but for those within an event that is told."""
    model = series.model
    screening, effects = model.screening, model.effects
    screening = screening if effects is None else with_columns(screening, effects, model.transform)
    for row in screening.rows:
        if row.returns or any(event.happens(row.x, row.x) for event in events):
            continue
        number, when = Quantity.plain(row.y - row.expected, Measure.DIFFERENCE), series.when(row.x)
        share = Quantity.plain(row.y / row.expected - 1.0, Measure.SHARE) if min(row.y, row.expected) > 0.0 else None
        yield Claim(
            id="outlier", kind=Kind.ENDING if row.ending else Kind.OUTLIER, number=number, written=(when, when),
            more={} if share is None else {"share": share},
        )  # fmt: skip
