"""What the columns beside a series explain of it, as the record that words and pictures are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.decompose.records.function import Estimate, Witness
from autostatistician.decompose.records.series import (
    ColumnEffect,
    ColumnsBeside,
    Decomposition,
    EffectAt,
    HolidayEffect,
)
from autostatistician.fitted.model import Model
from autostatistician.fitted.ols_effects import OLSEffects, ols_effects, season_in_steps
from autostatistician.fitted.predictions import Predictor, predicted_curve
from autostatistician.forms import ColumnKind, Curve, EffectShape, Filling, Varying
from autostatistician.gp.predictive import ENDS_OF_95
from autostatistician.regressors.effects import CovariateScale, Effect
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.regressors.forecasts import beyond, filled, fillings, unplanned

__all__ = ["column_effects", "columns_beside"]


Array = NDArray[np.float64]

FEWEST_DRAWS = 20  # for a range

LIKELY = 0.2  # probability that a column acts, from which it is one of those that are told

MAJORITY = 0.5  # of the probability that it acts: what most of it says is told

GRID = 41  # places of a curve

OUTER = (0.05, 0.95)  # shares of the rows below the ends of a curve that are told

MOST_FITTED = 5000  # rows that the fit is shown at

MOST_AT_ONCE = 10_000  # rows

UNIT_READS = (0.5, 200.0)  # ranges of a column over which one unit of it is told

TURNS = 0.1  # of the range of a curve, by which the place where it turns stands out

SURE = 0.9  # share of draws

RELIABLE = 0.95  # share of draws in which one of near copies acts

COPIES = 0.7  # squared correlation of near copies

TOLD_PLACES = 24  # of a season that are looked at

MOST_USED = 24  # rows that an effect which changes is averaged over

STATISTIC = "least squares on differences of neighbouring rows"


def columns_beside(predictor: Predictor, record: Decomposition) -> ColumnsBeside | None:
    """The effects of the columns of a model, and its series with them; None without any."""
    effects = predictor.model.effects
    if effects is None:
        return None
    view = _View(predictor.model, effects, record.x, record.forecast.x)
    every = sorted((view.of(scale, place) for place, scale in enumerate(effects.scales)), key=_likeliest_first)
    rows = np.unique(np.linspace(0, len(record.x) - 1, min(len(record.x), MOST_FITTED)).astype(np.intp))
    fit, forecast = _predicted(predictor, record.x[rows], record.forecast.x)
    every = [replace(column, instead=view.instead(column, every)) for column in every]
    order = np.argsort(predictor.model.dataset.x, kind="stable")
    told = tuple(column.name for column in every if column.probability >= LIKELY)
    outside = {name for name, _, _ in beyond(effects, view.planned, view.ahead)}
    return ColumnsBeside(
        effects=tuple(every), y=predictor.model.observed[order], fit=fit, forecast=forecast,
        season=effects.clock.season, before=effects.clock.before, fillings=_fillings(effects, told, record.forecast.x),
        planned_until=_planned_until(effects, told, record.forecast.x),
        beyond=tuple(name for name in told if name in outside),
        aside=tuple((outlier.x, outlier.y) for outlier in predictor.model.screening.aside),
        events=events_beside(effects, record.x),
    )  # fmt: skip


def column_effects(model: Model) -> tuple[ColumnEffect, ...]:
    """The effects of the columns of a model by themselves, the likeliest first."""
    if model.effects is None:
        return ()
    view = _View(model, model.effects, np.sort(model.dataset.x), np.empty(0))
    every = (view.of(scale, place) for place, scale in enumerate(model.effects.scales))
    return tuple(sorted(every, key=_likeliest_first))


def _likeliest_first(column: ColumnEffect) -> tuple[bool, float, float]:
    return column.probability < SURE, -column.share if column.probability >= SURE else 0.0, -column.probability


@dataclass(frozen=True, eq=False)
class _View:
    """The effects with the rows ``x`` (n,), ascending, and the positions of the forecast."""

    model: Model
    effects: CovariateEffects
    x: Array
    ahead: Array

    @cached_property
    def planned(self) -> Covariates:
        """The columns with what stands in for a plan."""
        return filled(self.effects.columns, self.ahead, self.effects.clock)

    @cached_property
    def instant(self) -> CovariateEffects:
        """The same effects as they are at once, whether they fade or not."""
        at_once = tuple(replace(effect, decay=0.0) for effect in self.effects.effects)
        return replace(self.effects, effects=at_once)

    @cached_property
    def values(self) -> tuple[Covariate, ...]:
        """The columns at the rows."""
        by_name = {column.name: column for column in self.effects.columns.at(self.x)}
        return tuple(by_name[scale.name] for scale in self.effects.scales)

    @cached_property
    def modelled(self) -> Array:
        """The values (n,) as they were observed, on the scale of the model."""
        y, x = self.model.modelled.y, self.model.dataset.x
        return np.asarray(y + self.effects.mean_added(x))[np.argsort(x, kind="stable")]

    @cached_property
    def course(self) -> tuple[Array, Array]:
        """The time structure at the rows, and the variances of predicting each from all others."""
        with one_thread():
            return self.model.posterior.signal()[0], self.model.posterior.leave_one_out()[1]

    def of(self, scale: CovariateScale, place: int) -> ColumnEffect:
        """The record of one column."""
        probability = self.effects.probabilities.get(scale.name, 0.0)
        shapes = self._shapes(scale.name)
        kind = ColumnKind.CATEGORY if scale.levels else ColumnKind.FLAG if scale.is_flag else ColumnKind.NUMBER
        grid = self._grid(scale, place, kind)
        curves = self._curves(scale.name, grid)
        varying, moments = self._varying(scale, place, shapes, kind, grid)
        lag, lags, kept = _delay(shapes)
        shape, turn = _shape(shapes, curves, grid)
        other, step = _compared(scale, kind, grid, curves)
        size = estimate(_sizes(curves, grid, kind, other, step))
        apart, along = self._in_time(scale, place)
        added = _added(self.effects, scale.name, np.concatenate([self.x, self.ahead]), self.planned)
        return ColumnEffect(
            name=scale.name, event=self.values[place].event, days=self.values[place].days,
            calendar=self.values[place].calendar, probability=probability,
            kind=kind, levels=scale.levels, usual=scale.usual, low=scale.low, high=scale.high, other=other, step=step,
            size=size, places=self._places(scale, place, kind, shape, turn), curve=_banded(grid, curves), shape=shape,
            lag=lag, lags=lags, kept=kept, varying=varying, moments=moments,
            share=self._share(added.mean[: len(self.x)]),
            apart=apart, along=along, witness=self._witness(scale, kind, shape, size, other, step), added=added,
        )  # fmt: skip

    def instead(self, column: ColumnEffect, every: Sequence[ColumnEffect]) -> tuple[str, ...]:
        """The near copies of a column of which, with it, one surely acts; none of one that does so by itself."""
        unsure = [each for each in every if each.probability < SURE and not each.calendar]
        others = [each.name for each in unsure if each is not column and self._alike(column.name, each.name) > COPIES]
        return tuple(others) if column in unsure and others and self._any_acts([column.name, *others]) else ()

    def _alike(self, first: str, second: str) -> float:
        """The squared correlation of two columns of numbers; 0 of categories."""
        both = [self.effects.columns.of(name, self.x) for name in (first, second)]
        rows = np.isfinite(both).all(axis=0)
        varies = rows.any() and all(np.ptp(values[rows]) > 0.0 for values in both)
        levels = self.effects.scale_of(first).levels or self.effects.scale_of(second).levels
        return 0.0 if levels or not varies else float(np.corrcoef(both[0][rows], both[1][rows])[0, 1] ** 2)

    def _any_acts(self, names: Sequence[str]) -> bool:
        """Whether in nearly all draws one of some columns acts."""
        pairs = zip(self.effects.effects, self.effects.places, strict=True)
        places = [place for effect, place in pairs if effect.column in names]
        acts = [np.any(self.effects.draws[:, place] != 0.0, axis=1) for place in places]
        return bool(acts) and float(np.any(acts, axis=0).mean()) >= RELIABLE

    def _share(self, added: Array) -> float:
        """The share of the variance that goes along with what a column adds: of all together at most the whole."""
        spread = max(float(np.var(self.modelled)), 1e-300)
        return float(np.clip(np.cov(added, self.modelled, bias=True)[0, 1] / spread, 0.0, 1.0))

    def _shapes(self, name: str) -> list[tuple[Effect, float]]:
        """The effects that a column may have with their probabilities; none of a column that is not told."""
        if self.effects.probabilities.get(name, 0.0) < LIKELY:
            return []
        both = zip(self.effects.effects, self.effects.shapes, strict=True)
        return [(effect, probability) for effect, probability in both if effect.column == name]

    def _active(self, name: str) -> NDArray[np.bool_]:
        """The draws (s,) in which a column acts; all where it hardly ever does."""
        places = [place for effect, place in zip(self.effects.effects, self.effects.places, strict=True)
                  if effect.column == name]  # fmt: skip
        acts = np.zeros(len(self.effects.draws), dtype=bool)
        for place in places:
            acts |= np.any(self.effects.draws[:, place] != 0.0, axis=1)
        return acts if acts.sum() >= FEWEST_DRAWS else np.ones_like(acts)

    def _curves(self, name: str, grid: Array, at: float | None = None) -> Array:
        """What a column adds at its values, draws (s, m) of those in which it acts.

        An effect that changes with time is that at position ``at``, by default averaged over the rows where the column
        is in use: that of a day in December is none of summer.
        """
        varies = any(effect.over for effect in self.effects.effects if effect.column == name)
        if at is not None or not varies:
            return self.instant.curve(name, grid, at)[self._active(name)]
        used = self._used(name)
        curves = [self.instant.curve(name, grid, float(x)) for x in used]
        return np.asarray(np.mean(curves, axis=0)[self._active(name)])

    def _used(self, name: str) -> Array:
        """Some rows where a column is not at its usual value, evenly chosen."""
        scale = self.effects.scale_of(name)
        values = self.effects.columns.of(name, self.x)
        used = self.x[np.isfinite(values) & (values != scale.usual)]
        used = used if used.size else self.x
        return np.asarray(used[np.unique(np.linspace(0, used.size - 1, MOST_USED).astype(np.intp))])

    def _grid(self, scale: CovariateScale, place: int, kind: ColumnKind) -> Array:
        if kind is ColumnKind.NUMBER:
            return np.linspace(scale.low, scale.high, GRID)
        values = self.values[place].values
        return np.unique(np.append(values[np.isfinite(values)], scale.usual))

    def _places(
        self, scale: CovariateScale, place: int, kind: ColumnKind, shape: EffectShape, turn: float | None
    ) -> tuple[EffectAt, ...]:
        if kind is ColumnKind.CATEGORY:
            others = self._grid(scale, place, kind)
            told = others[others != scale.usual]
        elif shape is EffectShape.STRAIGHT:
            return ()
        else:
            values = self.values[place].values
            low, high = np.quantile(values[np.isfinite(values)], OUTER)
            told = np.array([low, high] if turn is None else [low, turn, high])
        curves = self._curves(scale.name, told)
        return tuple(EffectAt(float(at), estimate(curves[:, k])) for k, at in enumerate(told))

    def _varying(
        self, scale: CovariateScale, place: int, shapes: Sequence[tuple[Effect, float]], kind: ColumnKind, grid: Array
    ) -> tuple[Varying, tuple[EffectAt, ...]]:
        """With what the effect changes, and its size at two moments."""
        total, clock = sum(p for _, p in shapes), self.effects.clock
        shares = {over: sum(p for effect, p in shapes if effect.over == over) for over in ("season", "time")}
        over = max(shares, key=lambda name: shares[name])
        if shares[over] <= MAJORITY * total or self.values[place].event:  # which comes at one time of the year
            return Varying.NOTHING, ()
        other, step = _compared(scale, kind, grid, self._curves(scale.name, grid))
        at = np.array([clock.first, clock.last])
        if over == "season":
            at = clock.last - clock.season * np.arange(TOLD_PLACES)[::-1] / TOLD_PLACES
        sizes = [_sizes(self._curves(scale.name, grid, float(x)), grid, kind, other, step) for x in at]
        if over == "season":
            means = np.array([size.mean() for size in sizes])
            chosen = [int(np.abs(means).argmax()), int(np.abs(means).argmin())]
        else:
            chosen = [0, 1]
        return Varying(over), tuple(EffectAt(float(at[k]), estimate(sizes[k])) for k in chosen)

    def _in_time(self, scale: CovariateScale, place: int) -> tuple[float, float]:
        """Which share of the movement of a column is not also one of the time structure, and how they go together."""
        values = np.where(np.isfinite(self.values[place].values), self.values[place].values, scale.usual)
        moved = values[:, None]
        if scale.levels:
            moved = (values[:, None] == np.unique(values)[None, :]).astype(np.float64)
        moved = moved - moved.mean(axis=0)
        course, variances = self.course
        with one_thread():
            whitened = self.model.posterior.whitened(np.ascontiguousarray(moved))
        reference = np.sum(moved**2 / variances[:, None])
        apart = min(float(np.sum(whitened**2) / reference), 1.0) if reference > 0.0 else 1.0
        spread = np.std(moved, axis=0) * np.std(course)
        together = (moved * (course - course.mean())[:, None]).mean(axis=0)
        along = np.divide(together, spread, out=np.zeros_like(together), where=spread > 1e-12 * np.abs(course).max())
        return apart, float(along[np.abs(along).argmax()])

    @cached_property
    def _plain(self) -> tuple[OLSEffects | None, dict[tuple[str, float], int]]:
        """The regression of differences on all columns that are told, and where each stands in it."""
        clock = self.effects.clock
        design: list[Array] = []
        places: dict[tuple[str, float], int] = {}
        for scale in self.effects.scales:
            if self.effects.probabilities.get(scale.name, 0.0) < LIKELY:
                continue
            late = _delay(self._shapes(scale.name))[0] * clock.step
            values = self.effects.columns.of(scale.name, self.x - late)
            values = np.where(np.isfinite(values), values, scale.usual)
            levels = [level for level in np.unique(values) if level != scale.usual] if scale.levels else [0.0]
            for level in levels:
                places[scale.name, float(level)] = len(design)
                design.append((values == level).astype(np.float64) if scale.levels else values)
        if not design:
            return None, {}
        return ols_effects(self.x, self.modelled, np.column_stack(design), clock.step, self._apart), places

    @property
    def _apart(self) -> int:
        """How many rows apart those are that are compared: a season, where it is short."""
        axis = self.model.dataset.axis
        periods = () if axis is None else tuple(axis.natural_periods)
        return season_in_steps(periods, self.effects.clock.step, len(self.x))

    def _witness(
        self, scale: CovariateScale, kind: ColumnKind, shape: EffectShape, size: Estimate, other: float, step: float
    ) -> Witness | None:
        made, places = self._plain
        key = scale.name, other if kind is ColumnKind.CATEGORY else 0.0
        if made is None or key not in places or shape is EffectShape.TURNING:
            return None
        times = 1.0 if kind is ColumnKind.CATEGORY else other - scale.usual if kind is ColumnKind.FLAG else step
        number = float(made.coefficients[places[key]]) * times
        reach = float(made.reaches[places[key]]) * abs(times)
        overlap = number - reach <= size.high and number + reach >= size.low
        agrees = number * size.number > 0.0 and (overlap or shape is not EffectShape.STRAIGHT)
        return Witness(STATISTIC, number, number - reach, number + reach, agrees, self._apart)


# --- one column -------------------------------------------------------------------------------------------------------


def _banded(x: Array, draws: Array) -> Curve:
    """The mean of draws (s, m) with their 95 % range."""
    lower, upper = np.quantile(draws, ENDS_OF_95, axis=0)
    return Curve(x, draws.mean(axis=0), draws.std(axis=0), lower, upper)


def _compared(scale: CovariateScale, kind: ColumnKind, grid: Array, curves: Array) -> tuple[float, float]:
    """The value that is compared with the usual one, and the step of a number whose effect is told."""
    if kind is ColumnKind.NUMBER:
        reach = scale.high - scale.low
        step = 1.0 if UNIT_READS[0] <= reach <= UNIT_READS[1] else 10.0 ** floor(log10(reach))
        return scale.usual, step
    others = grid != scale.usual
    return float(grid[others][np.abs(curves.mean(axis=0)[others]).argmax()]), 1.0


def _sizes(curves: Array, grid: Array, kind: ColumnKind, other: float, step: float) -> Array:
    """The draws (s,) of the size of an effect."""
    if kind is ColumnKind.NUMBER:
        return np.asarray((curves[:, -1] - curves[:, 0]) / (grid[-1] - grid[0]) * step)
    return np.asarray(curves[:, int(np.abs(grid - other).argmin())])


def _delay(shapes: Sequence[tuple[Effect, float]]) -> tuple[int, tuple[int, int], float]:
    """How many steps late an effect comes, the range of that, and what is left of it one step later."""
    total = sum(p for _, p in shapes)
    fading = [(effect.decay, p) for effect, p in shapes if effect.decay]
    weight = sum(p for _, p in fading)
    if weight > MAJORITY * total > 0.0:
        return 0, (0, 0), sum(decay * p for decay, p in fading) / weight
    by_lag: dict[int, float] = {}
    for effect, p in shapes:
        by_lag[effect.lag] = by_lag.get(effect.lag, 0.0) + p
    likeliest = max(by_lag, key=lambda lag: by_lag[lag], default=0)
    others = [lag for lag, p in by_lag.items() if p > 0.1 * total] or [likeliest]
    if not likeliest:
        return 0, (0, 0), 0.0
    return likeliest, (min(*others, likeliest), max(*others, likeliest)), 0.0


def _shape(shapes: Sequence[tuple[Effect, float]], curves: Array, grid: Array) -> tuple[EffectShape, float | None]:
    """Whether a series follows a number along a straight line, a curve or one that turns, and where that does."""
    total = sum(p for _, p in shapes)
    if sum(p for effect, p in shapes if effect.shape == "smooth") <= MAJORITY * total:
        return EffectShape.STRAIGHT, None
    mean = curves.mean(axis=0)
    reach = float(np.ptp(mean))
    for sign in (1.0, -1.0):
        at = int((sign * mean).argmax())
        stands_out = [np.mean(sign * (curves[:, at] - curves[:, end]) > TURNS * reach) for end in (0, -1)]
        if min(stands_out) >= SURE:
            return EffectShape.TURNING, float(grid[at])
    return EffectShape.CURVED, None


# --- over time --------------------------------------------------------------------------------------------------------


def _added(effects: CovariateEffects, name: str, x: Array, planned: Covariates) -> Curve:
    """What a column adds at positions (m,), a number of rows at a time."""
    pieces = [
        _banded(piece, effects.added_by(name, piece, planned))
        for piece in np.array_split(x, max(1, -(-len(x) // MOST_AT_ONCE)))
    ]
    names = ("x", "mean", "sd", "lower", "upper")
    return Curve(*(np.concatenate([getattr(piece, field) for piece in pieces]) for field in names))


def _predicted(predictor: Predictor, rows: Array, ahead: Array) -> tuple[Curve, Curve]:
    """The model with its columns at rows and at the positions of the forecast, single values with their ranges."""
    with_columns = replace(predictor, options=replace(predictor.options, columns=True))
    made = with_columns.predictive(np.concatenate([rows, ahead])[:, None])
    of_counts = predictor.model.counted is not None
    curve = predicted_curve(np.concatenate([rows, ahead]), made, expected=of_counts)
    return curve.cut(slice(0, len(rows))), curve.cut(slice(len(rows), None))


def _fillings(effects: CovariateEffects, told: Sequence[str], ahead: Array) -> tuple[tuple[str, Filling], ...]:
    """What stands in for the columns that are not planned to the end."""
    lacking = [name for name in unplanned(effects.columns, ahead, effects.clock) if name in told]
    return fillings(effects.columns, lacking, ahead, effects.clock)


def _planned_until(effects: CovariateEffects, told: Sequence[str], ahead: Array) -> float | None:
    """The last position of the forecast up to which all columns that are told have a plan."""
    there = np.full(len(ahead), bool(told))
    for name in told:
        there &= np.isfinite(effects.columns.of(name, ahead))
    steps = len(ahead) if there.all() else int(there.argmin())
    return float(ahead[steps - 1]) if steps > 0 else None


# --- What the days of each holiday or event add together: their sum, and where in the rows the event came -----------


def events_beside(effects: CovariateEffects, x: Array) -> tuple[HolidayEffect, ...]:
    """The events of the columns of calendars at rows (n,), ascending, in their order."""
    present = {scale.name for scale in effects.scales}
    members: dict[str, list[Covariate]] = {}
    for column in effects.columns.at(x):
        if column.event and column.name in present:
            members.setdefault(column.event, []).append(column)
    return tuple(
        HolidayEffect(name=name, total=estimate(_total(effects, days)), places=_occurrences(x, days))
        for name, days in members.items()
    )


def estimate(draws: Array) -> Estimate:
    """The median of draws (s,) with their 95 % range.

    >>> estimate(np.array([1.0, 2.0, 3.0])).number
    2.0
    """
    middle = float(np.median(draws))
    low, high = (float(end) for end in np.quantile(draws, ENDS_OF_95))
    return Estimate(middle, low, high, float(np.mean(draws * middle > 0.0)))


def _total(effects: CovariateEffects, days: list[Covariate]) -> Array:
    """The draws (s,) of the sum over the days, of those in which the event acts; all where it hardly ever does."""
    curves = [effects.curve(column.name, np.array([0.0, 1.0])) for column in days]
    total = np.sum([curve[:, 1] - curve[:, 0] for curve in curves], axis=0)
    acts = total != 0.0
    return np.asarray(total[acts] if acts.sum() >= FEWEST_DRAWS else total)


def _occurrences(x: Array, days: list[Covariate]) -> tuple[float, ...]:
    """Where the day itself came, at the first of rows that follow each other; without one, the day that came most."""
    starts = []
    for column in sorted(days, key=lambda column: column.days != 0):
        there = np.nan_to_num(column.values) > 0.0
        starts.append(np.flatnonzero(there & ~np.concatenate([[False], there[:-1]])))
    first = starts[0] if any(column.days == 0 for column in days) else max(starts, key=len)
    return tuple(float(x[row]) for row in first)
