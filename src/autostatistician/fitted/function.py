"""Draws of the function behind a series from all weighted models of its search, for what is claimed of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.decompose.records.function import Estimate, FunctionCourse, FunctionDraws
from autostatistician.decompose.series.course import smoothed
from autostatistician.decompose.series.function import FEWEST_ROWS, change_between, function_course, modelled_periods
from autostatistician.decompose.series.seasons import SeasonMap, season_map
from autostatistician.fitted.ensemble import Ensemble, ensemble
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.gp.posterior import Posterior
from autostatistician.regressors.estimates import CovariateEffects

__all__ = ["change_of", "function_of"]

Array = NDArray[np.float64]

DRAWS = 800
MOST_PLACES = 500


def function_of(model: Model, count: int = DRAWS, *, observed: bool = False) -> FunctionCourse | None:
    """What the function behind a series does, by so many draws over all models of its search; None of too few rows.

    The columns of the table are at their usual values, or as they were ``observed``.
    """
    beside = model.effects if observed else None
    return model.once(("function", count, beside is not None), lambda: _function_of(model, count, beside))


def change_of(model: Model, first: Array, last: Array, count: int = DRAWS) -> Estimate:
    """How much higher the function of a series lies at the positions ``last`` (k,) than at ``first`` (m,).

    Seasons are left out. It is that of the nearest rows that the model was made from.
    """
    draws = _drawn(model, count, np.concatenate([first, last]))
    rows = tuple(np.unique(np.abs(draws.x[None] - at[:, None]).argmin(axis=1)) for at in (first, last))
    return change_between(draws, *_seen_as(model), (rows[0], rows[1]))


def _function_of(model: Model, count: int, beside: CovariateEffects | None) -> FunctionCourse | None:
    if model.dataset.n < FEWEST_ROWS:
        return None
    draws, seen = _drawn(model, count), _seen_as(model)
    if beside is not None:
        draws = _with_columns(draws, beside, season_map(draws.x, [period for period, _ in seen[0]], seen[2]))
    return function_course(draws, *seen)


def _with_columns(draws: FunctionDraws, effects: CovariateEffects, seasons: SeasonMap) -> FunctionDraws:
    """The draws with what the columns of the table add where they were as observed; seasons and holidays stay out.

    It is the mean of their effects, as draws of the function are those beside it: sums are known as well as values are.
    What goes up and down from row to row is scatter about the course; each draw has it with other signs (a wild
    bootstrap), so that ranges tell what a course through it leaves open.
    """
    x, values = draws.whole or (draws.x, draws.values)
    names = [column.name for column in effects.columns.at(x) if not (column.group or column.event or column.calendar)]
    added = sum((effects.added_by(name, x).mean(axis=0) for name in names), np.zeros(len(x)))
    here = added[np.searchsorted(x, draws.x)]
    beside = seasons.rest(here[None])
    fast = beside - smoothed(draws.x, beside)
    signs = np.random.default_rng(0).choice((-1.0, 1.0), size=draws.curves.shape)
    course = here - fast + smoothed(draws.x, fast * signs)
    return replace(draws, curves=draws.curves + course, values=draws.values + here, whole=(x, values + added))


def _drawn(model: Model, count: int, wanted: Array | None = None) -> FunctionDraws:
    rng = np.random.default_rng(model.settings.seed)
    shift, alone = model.transform.shift, [row for row in model.screening.aside if not row.returns]
    with one_thread():
        draws = _draws(model.posterior, ensemble(model), rng, shift, count, wanted)
    aside = np.array([row.x for row in alone]), model.scaled(np.array([row.y for row in alone])) - shift
    return replace(draws, is_curve=model.dataset.is_curve, aside=aside)


def _seen_as(model: Model) -> tuple[list[tuple[float, float]], tuple[float, ...], float, Callable[[Array], Array]]:
    """The periods of the models, those of the calendar, the distance of rows, and the way back to the data.

    No level that comes from there lies beyond the limits of the values.
    """
    axis = model.dataset.axis
    assert axis is not None
    unshifted, offset, limits = model.transform.unshifted, model.modelled.offset, Predictor(model).limits

    def back(values: Array) -> Array:
        return np.clip(unshifted.back(values) + offset, *limits)

    periods = modelled_periods([(candidate.kernel, w) for candidate, w in model.structures])
    return periods, tuple(axis.natural_periods), axis.step or axis.gap, back


def _draws(
    posterior: Posterior, members: Ensemble, rng: np.random.Generator, shift: float, total: int,
    wanted: Array | None = None,
) -> FunctionDraws:  # fmt: skip
    x, first, same, repeats = np.unique(posterior.X[:, 0], return_index=True, return_inverse=True, return_counts=True)
    y = np.bincount(same, posterior.y) / repeats - shift
    places = _places(len(x), rng)
    if wanted is not None:
        places = np.union1d(places, np.abs(x[None] - wanted[:, None]).argmin(axis=1))
    rows = first[places]
    at = posterior.X[rows]
    counts = _shares(members.weights, total)
    pairs = [(member, count) for member, count in zip(members.members, counts, strict=True) if count]
    curves = [member.samples(at, rng, count=count) for member, count in pairs]
    noise = [np.tile(np.sqrt(member.noise_variance(at)), (count, 1)) for member, count in pairs]
    errors = (posterior.y - posterior.leave_one_out()[0])[rows]
    return FunctionDraws(
        at[:, 0], np.concatenate(curves) - shift, np.concatenate(noise), y[places], errors, (x, y),
    )  # fmt: skip


def _places(count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """All rows, or the first and one of each of many stretches, drawn by chance so that none beats against a season.

    >>> _places(2000, np.random.default_rng(0))[[0, -1]].tolist()
    [0, 1999]
    """
    if count <= MOST_PLACES:
        return np.arange(count)
    edges = np.linspace(0, count, MOST_PLACES + 1).astype(np.intp)
    drawn = edges[:-1] + (rng.random(MOST_PLACES) * np.diff(edges)).astype(np.intp)
    return np.unique([0, *drawn[1:]])  # phases of seasons are counted from the first row


def _shares(weights: Array, total: int) -> list[int]:
    """How many of so many draws each member has: rounded so that they add up.

    >>> _shares(np.array([0.5, 0.3, 0.2]), 7)
    [4, 2, 1]
    """
    edges = np.round(np.cumsum(weights / weights.sum()) * total).astype(int)
    return [int(size) for size in np.diff(edges, prepend=0)]
