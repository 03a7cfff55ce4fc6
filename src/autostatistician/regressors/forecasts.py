"""How columns without a plan go on: as their own past would best have foreseen them, and how far off that was.

Values of the columns at times for which there is no plan: as a year or a season before, else as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.forms import Filling
from autostatistician.regressors.effects import Clock
from autostatistician.regressors.estimates import CovariateEffects

__all__ = ["beyond", "filled", "filling_of", "fillings", "likely_courses", "unplanned"]


Array = NDArray[np.float64]

SAME = 1e-9  # of the range of a column: values beyond it by less are not beyond


def unplanned(columns: Covariates, x: Array, clock: Clock) -> tuple[str, ...]:
    """The columns that have no value at some of the positions after the data.

    >>> from autostatistician.data.covariates import Covariate
    >>> columns = Covariates(np.array([0.0, 1.0]), (Covariate("promo", np.array([0.0, 1.0])),))
    >>> unplanned(columns, np.array([1.0, 2.0]), Clock(0.0, 1.0, 1.0, 0.0))
    ('promo',)
    """
    after = x[x > clock.last]
    return tuple(column.name for column in columns.at(after) if not np.isfinite(column.values).all())


def beyond(effects: CovariateEffects, columns: Covariates, x: Array) -> tuple[tuple[str, float, float], ...]:
    """The columns that act with numbers at positions (m,) outside of the range that they had: name, lowest, highest."""
    outside = []
    for name in dict.fromkeys(effect.column for effect in effects.effects):
        scale, values = effects.scale_of(name), columns.of(name, x)
        room = SAME * (scale.high - scale.low)
        if not scale.levels and np.any((values < scale.low - room) | (values > scale.high + room)):
            outside.append((name, scale.low, scale.high))
    return tuple(outside)


def filled(columns: Covariates, x: Array, clock: Clock) -> Covariates:
    """The columns with values at all positions after the data: where a plan has none, those of a cycle before.

    That is a year where the data hold one. Without a cycle they are the last that are known for numbers that change
    slowly, the usual one (NaN) for flags.

    >>> from autostatistician.data.covariates import Covariate
    >>> columns = Covariates(np.array([0.0, 1.0, 2.0, 3.0]), (Covariate("promo", np.array([0.0, 1.0, 0.0, 1.0])),))
    >>> filled(columns, np.array([4.0, 5.0]), Clock(0.0, 3.0, 1.0, 2.0)).at(np.array([4.0, 5.0]))[0].values.tolist()
    [0.0, 1.0]
    """
    after = np.unique(x[x > clock.last])
    if not after.size or not columns.table:
        return columns
    every = np.union1d(columns.x, _steps(after, clock))
    table = []
    for column in columns.table:
        values = columns.of(column.name, every)
        for place in np.flatnonzero(~np.isfinite(values) & (every > clock.last)):
            values[place] = _a_cycle_before(every, values, int(place), clock)
        if not column.is_flag and not column.levels and not (clock.season or clock.shift):
            values = _carried_on(values, every > clock.last)
        table.append(replace(column, values=values))
    return replace(columns, x=every, table=tuple(table))


def _steps(after: Array, clock: Clock) -> Array:
    """The positions, and all steps from the data to them, which effects that come late look back at."""
    if not clock.step:
        return after
    count = round((after.max() - clock.last) / clock.step)
    return np.union1d(after, clock.last + clock.step * np.arange(1, min(count, 100_000) + 1))


def _a_cycle_before(x: Array, values: Array, place: int, clock: Clock) -> float:
    """The value at the row nearest to one cycle before, of the longest that reaches one; NaN where none does."""
    gap = clock.step or float(np.median(np.diff(x)))
    for back in dict.fromkeys((clock.shift, clock.season)):
        nearest = int(np.abs(x - (x[place] - back)).argmin())
        if back and abs(x[nearest] - (x[place] - back)) <= 0.6 * gap and np.isfinite(values[nearest]):
            return float(values[nearest])
    return float("nan")


def _carried_on(values: Array, after: NDArray[np.bool_]) -> Array:
    """The last value that is there, in the place of those that are not."""
    there = np.flatnonzero(np.isfinite(values))
    if not there.size:
        return values
    last = there[np.clip(np.searchsorted(there, np.arange(len(values)), side="right") - 1, 0, None)]
    return np.where(np.isfinite(values) | ~after, values, values[last])


COURSES = 40
FIRST_ORIGIN = 1.0 / 3.0  # of the rows, before the first of which a column is foreseen
LEADS = 4  # steps ahead that are tried, up to those that have no plan
FEWEST_TRIED = 4  # rows: with fewer, a column is taken as a cycle before


def filling_of(column: Covariate, x: Array, clock: Clock, ahead: int) -> Filling:
    """What would best have foreseen a column up to so many steps ahead, from its rows before each, at ``x`` (m,).

    That is its value a cycle before, its last one, or its mean, by mean squares (of categories by those of
    indicators). Where the data are too short to try a cycle, they are taken to have one.

    >>> x = np.arange(72.0)
    >>> rng = np.random.default_rng(0)
    >>> columns = np.cos(2.0 * np.pi * x / 12.0), (rng.uniform(size=72) < 0.3) * 1.0, np.cumsum(rng.normal(size=72))
    >>> [filling_of(Covariate("promo", y), x, Clock(0.0, 71.0, 1.0, 12.0, 12.0, 12.0), 6).value for y in columns]
    ['season before', 'usual', 'last']
    """
    past, lag = _past(column, x, clock)
    coded = (past[:, None] == np.unique(past)) * 1.0 if column.levels else past[:, None]
    n = len(past)
    first = max(lag, int(FIRST_ORIGIN * n), 1)
    leads = [lead for lead in np.unique(np.linspace(1, max(ahead, 1), LEADS).astype(int)) if lead <= first]
    errors = {filling: 0.0 for filling in Filling if lag or filling is not Filling.SEASON_BEFORE}
    if lag and n - first < FEWEST_TRIED:
        return Filling.SEASON_BEFORE
    means = np.cumsum(coded, axis=0) / np.arange(1.0, n + 1.0)[:, None]
    for lead in leads:
        rows = np.arange(first, n)
        foreseen = {Filling.LAST: coded[rows - lead], Filling.USUAL: means[rows - lead]}
        foreseen |= {Filling.SEASON_BEFORE: coded[rows - lag]} if lag else {}
        for filling, values in foreseen.items():
            errors[filling] += float(np.sum((coded[rows] - values) ** 2))
    return min(errors, key=lambda filling: errors[filling])


def fillings(columns: Covariates, names: Sequence[str], x: Array, clock: Clock) -> tuple[tuple[str, Filling], ...]:
    """What stands in for the columns of these names that have no plan at some of the positions (m,)."""
    ahead = int((x > clock.last).sum())
    table = {column.name: column for column in columns.table}
    return tuple((name, filling_of(table[name], columns.x, clock, ahead)) for name in names)


def likely_courses(columns: Covariates, x: Array, clock: Clock, seed: int) -> tuple[Covariates, ...]:
    """Equally probable courses of the columns at positions (m,) after the data; one where all are planned."""
    names, usual = unplanned(columns, x, clock), filled(columns, x, clock)
    if not names:
        return (usual,)
    drawn = {}
    for column in usual.table:
        if column.name in names:
            known = columns.of(column.name, usual.x)
            stop = int(np.flatnonzero(np.isfinite(known)).max(initial=-1)) + 1
            rng = np.random.default_rng([seed, *column.name.encode()])
            drawn[column.name] = np.tile(column.values, (COURSES, 1))
            if stop:  # after what is known of it
                later = _steps_after(usual.x[stop - 1], usual.x[stop:], clock)
                every = _drawn(replace(column, values=known), usual.x, clock, int(later.max(initial=0)), rng)
                drawn[column.name][:, stop:] = every[:, later - 1]
    tables = (
        tuple(replace(each, values=drawn[each.name][turn]) if each.name in drawn else each for each in usual.table)
        for turn in range(COURSES)
    )
    return tuple(replace(usual, table=table) for table in tables)


def _past(column: Covariate, x: Array, clock: Clock) -> tuple[Array, int]:
    """The values of a column from the first to the last known, one at each step, and how many steps a cycle is.

    Where one lacks it is the one before. Zero steps: there is no cycle, or rows are not on a grid.
    """
    there = np.flatnonzero(np.isfinite(column.values))
    if not clock.step:
        return column.values[there], 0
    places = np.round((x[there] - x[there[0]]) / clock.step).astype(np.intp)
    rows = np.zeros(places[-1] + 1, dtype=np.intp)
    rows[places] = np.arange(len(there))
    lag = round(clock.shift / clock.step)
    return column.values[there[np.maximum.accumulate(rows)]], lag if lag <= len(rows) else 0


def _steps_after(last: float, x: Array, clock: Clock) -> NDArray[np.intp]:
    """How many steps after the last position others (m,) lie; the same place may be there twice but for rounding."""
    steps = np.round((x - last) / clock.step) if clock.step else np.arange(1.0, len(x) + 1.0)
    return np.maximum(steps, 1.0).astype(np.intp)


def _drawn(column: Covariate, x: Array, clock: Clock, ahead: int, rng: np.random.Generator) -> Array:
    """Courses (COURSES, ahead) of a column: stretches of its past, of its moves, or of how a cycle differed."""
    past, lag = _past(column, x, clock)
    n, steps = len(past), np.arange(ahead)
    labelled = bool(column.levels) or len(np.unique(past)) <= 2
    match filling_of(column, x, clock, ahead):
        case Filling.SEASON_BEFORE:
            courses = np.tile(past[n - lag + steps % lag], (COURSES, 1))
            moved = past[lag:] - past[:-lag] if n > lag else np.zeros(1)
            moved = moved[(rng.integers(len(moved), size=COURSES)[:, None] + steps) % len(moved)]
            if labelled:
                return np.asarray(np.where(moved != 0.0, rng.choice(past, size=(COURSES, ahead)), courses))
            return np.asarray(np.clip(courses + moved, past.min(), past.max()))
        case Filling.LAST if labelled:  # as it went on where it stood as it does now; the last row lasts
            starts = rng.choice(np.flatnonzero(past == past[-1]), size=COURSES)
            return np.asarray(past[np.minimum(starts[:, None] + 1 + steps, n - 1)])
        case Filling.LAST:
            moves = np.diff(past) if n > 1 else np.zeros(1)
            moves = moves[(rng.integers(len(moves), size=COURSES)[:, None] + steps) % len(moves)]
            courses = past[-1] + rng.choice([-1.0, 1.0], size=(COURSES, 1)) * np.cumsum(moves, axis=1)
            return np.asarray(np.maximum(courses, 0.0) if past.min() >= 0.0 else courses)
        case _:
            return np.asarray(past[(rng.integers(n, size=COURSES)[:, None] + steps) % n])
