"""How the columns beside a series go on after it: by a plan, as their past tells, or by their own forecasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.data.scenarios import Change
from autostatistician.data.scenarios import changed as with_changes
from autostatistician.errors import InputError
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.forms import Filling
from autostatistician.gp.posterior import draw
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.regressors.forecasts import COURSES, filled, fillings, likely_courses, unplanned
from autostatistician.search.run import Settings

__all__ = ["AUTO", "LAST_YEAR", "CovariateForecasts", "Future", "changed", "forecast_covariates", "typical"]

Array = NDArray[np.float64]
Future = Covariates | Literal["auto", "last-year"] | None

AUTO, LAST_YEAR = "auto", "last-year"
DEPTH, STARTS = 2, 4  # of the search of a column's own model
MOST_ROWS, MOST_STEPS = 400, 1000  # of a column that it learns from, and that it forecasts


@dataclass(frozen=True, eq=False)
class CovariateForecasts:
    """Equally probable courses of the columns, and what was done where no plan had a value.

    Of the columns that act some are ``assumed`` to be as a season before, about as last seen, or as they were so far;
    others were ``forecast``.
    """

    columns: tuple[Covariates, ...] = ()
    assumed: tuple[tuple[str, Filling], ...] = ()
    forecast: tuple[str, ...] = ()


def forecast_covariates(model: Model, x: Array, future: Future = None) -> CovariateForecasts:
    """The courses of the columns of a model at positions (m,): by a plan, or as "auto" or "last-year" says.

    None is by the plan that the data have, where they have one; "last-year" passes it over.

    Raises
    ------
    InputError
        When so many steps are to be forecast that their courses cannot be drawn.
    """
    effects = model.effects
    if effects is None or not effects.effects:
        return CovariateForecasts()
    columns = effects.columns
    if isinstance(future, Covariates):
        columns = columns.joined(future)
    elif future == LAST_YEAR:
        columns = columns.until(effects.clock.last)
    acting = {effect.column for effect in effects.effects}
    lacking = tuple(name for name in unplanned(columns, x, effects.clock) if name in acting)
    if future != AUTO or not lacking:
        courses = likely_courses(columns, x, effects.clock, model.settings.seed)
        return CovariateForecasts(courses, fillings(columns, lacking, x, effects.clock))
    return CovariateForecasts(_drawn(model, effects, lacking, x), forecast=lacking)


def changed(courses: CovariateForecasts, changes: Sequence[Change], effects: CovariateEffects) -> CovariateForecasts:
    """The same courses with other values of some columns after the data.

    Raises
    ------
    InputError
        When the data have no such column, or it has no such category.
    """
    half_a_step = 0.5 * (effects.clock.step or effects.columns.gap)  # of what lies after the data, nothing is nearer
    since = float(np.nextafter(effects.clock.last, np.inf)) + half_a_step
    columns = tuple(with_changes(columns, changes, since) for columns in courses.columns)
    return replace(courses, columns=columns)


def typical(courses: Sequence[Covariates]) -> Covariates:
    """One course in the middle of several: means of numbers, of flags and categories the value that most have.

    >>> two = [Covariates(np.zeros(1), (Covariate("price", np.array([price])),)) for price in (4.0, 5.0)]
    >>> typical(two).table[0].values.tolist()
    [4.5]
    """
    table = []
    for place, column in enumerate(courses[0].table):
        values = np.array([columns.table[place].values for columns in courses])
        states, middle = np.unique(values[np.isfinite(values)]), values.mean(axis=0)
        if column.levels or column.is_flag:
            most = np.sum(values[None] == states[:, None, None], axis=1).argmax(axis=0)
            middle = np.where(np.isfinite(middle), states[most], np.nan)
        table.append(replace(column, values=middle))
    return replace(courses[0], table=tuple(table))


# --- columns that are forecast ------------------------------------------------------------------------------------


def _drawn(model: Model, effects: CovariateEffects, names: tuple[str, ...], x: Array) -> tuple[Covariates, ...]:
    """Courses of all columns, of which some are forecast where they have no value; the others as `filled` has them."""
    usual = filled(effects.columns, x, effects.clock)
    after = usual.x > effects.clock.last
    if after.sum() > MOST_STEPS:
        asked = f"{int(after.sum())}"
        raise InputError.of(f"at most {MOST_STEPS} steps of columns that are forecast", asked, "give a plan")
    courses = {}
    for column in usual.table:
        if column.name in names:
            known = effects.columns.of(column.name, usual.x)
            courses[column.name] = _courses_of(model, replace(column, values=known), usual.x, after)
    return tuple(
        replace(usual, table=tuple(_on(column, courses, turn) for column in usual.table)) for turn in range(COURSES)
    )


def _on(column: Covariate, courses: dict[str, Array], turn: int) -> Covariate:
    return replace(column, values=courses[column.name][turn]) if column.name in courses else column


def _courses_of(model: Model, column: Covariate, x: Array, after: NDArray[np.bool_]) -> Array:
    """Draws (COURSES, len(x)) of a column: its values where it has some, else drawn from its forecast."""
    rng = np.random.default_rng([model.settings.seed, *column.name.encode()])
    there = np.isfinite(column.values)
    lacking = after & ~there
    values = np.tile(column.values, (COURSES, 1))
    levels = np.unique(column.values[there])
    if column.levels or len(levels) == 2:
        states = levels if len(levels) > 2 else levels[1:]
        chances = [_mean(model, x[there], (column.values[there] == level).astype(np.float64), x[lacking], rng)
                   for level in states]  # fmt: skip
        values[:, lacking] = _states(np.array(chances), levels, rng)
        return values
    values[:, lacking] = _numbers(model, x[there], column.values[there], x[lacking], rng)
    return values


def _own(model: Model, x: Array, values: Array) -> Predictor:
    """The forecasts of a column as a series of its own, by a short search on its last rows."""
    axis, rows = model.dataset.axis, slice(-MOST_ROWS, None)
    assert axis is not None
    series = Dataset(x[rows, None], values[rows], (axis.column,), "column", axis)
    settings = Settings(DEPTH, STARTS, n_jobs=1, seed=model.settings.seed, outliers="keep")
    return Predictor(fit_model(series, "extended", settings))


def _numbers(model: Model, x: Array, values: Array, ahead: Array, rng: np.random.Generator) -> Array:
    """Draws (COURSES, m) of numbers."""
    predictor = _own(model, x, values)
    mean, cov = predictor.joint(ahead[:, None])
    low, high = predictor.limits
    return np.clip(draw(mean, cov, rng, count=COURSES), low, high)


def _mean(model: Model, x: Array, values: Array, ahead: Array, rng: np.random.Generator) -> Array:
    """The chance (m,) of a state, from when it held."""
    if np.ptp(values) == 0.0:
        return np.full(len(ahead), values[0])
    return np.clip(_own(model, x, values).predictive(ahead[:, None]).mean, 0.0, 1.0)


def _states(chances: Array, levels: Array, rng: np.random.Generator) -> Array:
    """Draws (COURSES, m) of states with chances (number of levels, m); of two, of the second alone (1, m)."""
    if len(chances) == 1:
        chances = np.vstack([1.0 - chances, chances])
    total = np.cumsum(chances / np.maximum(chances.sum(axis=0), 1e-300), axis=0)
    drawn = rng.random((COURSES, chances.shape[1]))
    places = (drawn[:, None, :] > total[None]).sum(axis=1)
    return np.asarray(levels[np.minimum(places, len(levels) - 1)])
