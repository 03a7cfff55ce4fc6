"""What users ask of the future of a series with columns: plans of theirs, and what if these were others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.files import is_file
from autostatistician.data.covariates import Covariates, columns_beside
from autostatistician.data.dataset import time_labels
from autostatistician.data.exposures import MOST, SizesOfRows
from autostatistician.data.moments import check_steps
from autostatistician.data.new_rows import named_columns, own_rows, read_plan
from autostatistician.data.scenarios import Change, plan_of
from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.words.answers.plans import (
    assumed_size_text,
    assumed_text,
    beyond_text,
    forecast_text,
    what_if_texts,
)
from autostatistician.describe.words.outliers import unforeseen_text
from autostatistician.errors import InputError
from autostatistician.estimators.changes import InSentences, units_of_model
from autostatistician.estimators.parts import forecast_frame
from autostatistician.fitted.covariate_forecasts import (
    AUTO,
    LAST_YEAR,
    CovariateForecasts,
    Future,
    changed,
    forecast_covariates,
    typical,
)
from autostatistician.fitted.differences import Amounts, what_if
from autostatistician.fitted.explanation import explain
from autostatistician.fitted.forecast_sums import PeriodSums, steps_to_sum, sums_by
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor, axis_of_series
from autostatistician.fitted.settings import default_horizon
from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import joined
from autostatistician.regressors.forecasts import beyond, likely_courses

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "OtherForecast", "asked_future", "explained_with", "forecast_with", "other_forecast", "planned", "steps_until",
    "summed_with", "with_columns_of", "with_sizes_of",
]  # fmt: skip


Array = NDArray[np.float64]

NEAR = 1e-3  # of a step


@dataclass(frozen=True, eq=False)
class OtherForecast(InSentences):
    """Two forecasts of one model, and how far the second lies above the first; what the columns did, not why.

    Attributes
    ----------
    first, second : DataFrame
        The forecasts as planned and with the change: time, mean, std, lower, upper.
    difference : DataFrame
        time, mean, lower and upper (95 %) of the second less the first.
    average, total : tuple of float
        The same over all steps: mean, lower, upper.
    sentences : tuple of str
        The same in words.
    """

    first: pd.DataFrame
    second: pd.DataFrame
    difference: pd.DataFrame
    average: tuple[float, float, float]
    total: tuple[float, float, float]
    sentences: tuple[str, ...] = field(repr=False)
    positions: Array = field(repr=False, default_factory=lambda: np.empty(0))  # on the axis of the model


def asked_future(model: Model, future: Any) -> tuple[Future, tuple[str, ...]]:
    """A future in the caller's terms (None, "last-year", "auto", or a plan), and what is to be said of a plan.

    Raises
    ------
    InputError
        When a plan is given to a model of time alone, or cannot be read.
    """
    if future is None or _is_way(future):
        return future, ()
    data = model.dataset
    axis = axis_of_series(model)
    if data.covariates is None:
        remedy = "leave the plan out, or fit a table with columns beside the time"
        raise InputError.of("a model with columns for this plan", "one of time alone", remedy)
    others = () if data.sizes is None else (data.sizes.name,)
    plan = read_plan(own_rows(data, future), data.covariates, axis, model.last, others)
    return plan.columns, plan.notes


def _is_way(future: Any) -> bool:
    """Whether columns go on in a way that has a name, and not by a plan."""
    return isinstance(future, str) and future in (AUTO, LAST_YEAR)


def planned(predictor: Predictor, steps: int | None, future: Any) -> tuple[Predictor, Array, tuple[str, ...]]:
    """The predictor whose columns go on as asked, the positions (m,) of its forecast, and what must be said of it.

    Without ``steps`` the forecast goes as far as a plan that was given.
    """
    model = predictor.model
    if model.dataset.sizes is not None:
        predictor, x, notes = planned_sizes(predictor, model.dataset.sizes, steps, future)
        if model.effects is None:
            return predictor, x, notes
        plan, more = asked_future(model, future)
        courses = forecast_covariates(model, x, plan)
        notes = tuple(dict.fromkeys((*notes, *more, *_notes(model, courses))))
        return replace(predictor, courses=courses.columns), x, notes
    axis = axis_of_series(model)
    future, notes = asked_future(model, future)
    steps = _steps_of(model, future) if steps is None else check_steps(steps)
    x = axis.future(model.last, default_horizon(model.dataset, model.kernel) if steps is None else steps)
    courses = forecast_covariates(model, x, future)
    return replace(predictor, courses=courses.columns), x, (*notes, *_notes(model, courses))


def _steps_of(model: Model, future: Future) -> int | None:
    """How many steps a plan that was given reaches beyond the data; None where it reaches none."""
    axis = model.dataset.axis
    if axis is None or not isinstance(future, Covariates) or not future.x.size:
        return None
    ahead = (float(future.x.max()) - model.last) / (axis.step or axis.gap)
    return check_steps(max(round(ahead), 0), 0) or None


def _notes(model: Model, courses: CovariateForecasts) -> tuple[str, ...]:
    """What was assumed of columns that no plan has."""
    if model.effects is None:
        return ()
    notes = []
    if courses.assumed:
        notes.append(assumed_text(courses.assumed, model.effects.clock.before, units_of_model(model)))
    if courses.forecast:
        notes.append(forecast_text(courses.forecast))
    return tuple(notes)


def forecast_with(
    predictor: Predictor, steps: int | None, future: Any, thresholds: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """The forecast of a series whose columns go on as asked; ``attrs["notes"]`` says what was assumed of them."""
    chosen, x, notes = planned(predictor, steps, future)
    frame = forecast_frame(chosen, len(x), thresholds)
    if chosen.sizes is not None:
        frame[chosen.sizes.name] = chosen.sizes.at(x) * chosen.sizes.per
    frame.attrs["notes"] = [*_of_closures(predictor.model), *notes]
    return frame


def _of_closures(model: Model) -> tuple[str, ...]:
    """That forecasts and their sums are without what was set aside; nothing of few values."""
    off = [row.y - row.expected for row in model.screening.aside if not (row.ending or row.returns)]
    text = unforeseen_text(off, len(model.screening.ending), model.dataset.n, model.dataset.target)
    return (text,) if text else ()


def summed_with(
    predictor: Predictor, steps: int | None, future: Any, period: str
) -> tuple[PeriodSums, tuple[str, ...]]:
    """The sums of such a forecast by periods, usually to the end of the next whole one, and what was assumed."""
    if steps is None and future is None:
        steps = steps_to_sum(predictor, period)
    chosen, x, notes = planned(predictor, steps, future)
    return sums_by(chosen, period, x), (*_of_closures(predictor.model), *notes)


def steps_until(model: Model, position: float) -> int:
    """How many steps lie from the end of a series to a position; none of one that is not beyond it.

    Raises
    ------
    InputError
        When these are more than can be asked for.
    """
    axis = model.dataset.axis
    assert axis is not None
    return check_steps(max(int(np.floor((position - model.last) / (axis.step or axis.gap) + NEAR)), 0), 0)


def explained_with(predictor: Predictor, horizon: int | None, future: Any) -> Decomposition | TableDecomposition:
    """All of a report, with the columns of a series as asked in its forecast, and warnings of what a plan lacks.

    The page takes what is planned, or forecast of columns, as known to its end.
    """
    model = predictor.model
    if model.dataset.sizes is None and future is None:
        return explain(predictor, horizon)  # the page says what it takes for granted of columns
    chosen, x, notes = planned(predictor, horizon, future)
    if model.effects is None or not chosen.courses:
        record = explain(chosen, len(x))
        return record if chosen.sizes is None else replace(record, warnings=(*record.warnings, *notes))
    columns = typical(chosen.courses)
    dataset = replace(model.dataset, covariates=columns)
    with_plan = replace(model, dataset=dataset, effects=replace(model.effects, columns=columns))
    record = explain(replace(chosen, model=with_plan), len(x))
    return replace(record, warnings=(*record.warnings, *notes))


def with_columns_of(predictor: Predictor, X: Any, x: Array) -> Predictor:
    """The predictor with the columns that stand beside the times (m,) in a frame of rows to predict.

    Raises
    ------
    InputError
        When the frame has other values of a column at the same time twice.
    """
    effects, given = predictor.model.effects, named_columns(X)
    if effects is None or {column.name for column in given}.isdisjoint(column.name for column in effects.columns.table):
        return predictor
    columns = effects.columns.joined(columns_beside(effects.columns, given, x, alike=True))
    courses = likely_courses(columns, x, effects.clock, predictor.model.settings.seed)
    return replace(predictor, courses=courses)


def other_forecast(
    predictor: Predictor, change: Any, steps: int | None, future: Any, since: float | None = None
) -> OtherForecast:
    """The forecast with some columns at other values, or by another plan, beside the one as asked.

    Its rows are those of all steps, or of those from the position ``since`` on.

    Raises
    ------
    InputError
        When the model has no columns, or the change does not fit them.
    """
    model = predictor.model
    if model.effects is None:
        found = "a model of time alone"
        raise InputError.of("a model with columns, for what if", found, "fit a table with columns beside the time")
    first, every, _ = planned(predictor, steps, future)
    x = every if since is None else every[every >= since]
    if not x.size:
        raise InputError.of("steps that come after the data", "none", "name a later end")
    changes = _changes(change)
    if changes is None:
        other, notes = asked_future(model, change)
        courses, text = forecast_covariates(model, every, other), say("the other plan")
    else:
        courses, notes = changed(CovariateForecasts(first.courses), changes, model.effects), ()
        text = joined([each.text for each in changes])
    second = replace(predictor, courses=courses.columns)
    answer = what_if(first, second, x)
    labels = time_labels(model.dataset, x)
    average, total, share = (
        (float(each.mean), float(each.lower), float(each.upper))
        for each in (answer.average, answer.total, answer.share)
    )
    shares = share if np.isfinite(share).all() else None
    sentences = what_if_texts(text, (float(x[0]), float(x[-1])), average, total, shares, units_of_model(model))
    if changes is not None:
        notes = tuple(beyond_text(*outside) for outside in beyond(model.effects, typical(courses.columns), x))
    frames = [forecast_frame(each, len(every)).tail(len(x)).reset_index(drop=True) for each in (first, second)]
    texts = (*sentences, *notes)
    return OtherForecast(frames[0], frames[1], _frame(labels, answer.difference), average, total, texts, x)


def _changes(change: Any) -> tuple[Change, ...] | None:
    """The changes of columns that are asked for as text or mapping; None of a plan."""
    if isinstance(change, str):
        return plan_of(change) if "=" in change and not is_file(change) else None
    if isinstance(change, Mapping) and all(np.ndim(value) == 0 for value in change.values()):
        return tuple(Change(str(name), "set", value) for name, value in change.items())
    return None


def _frame(labels: NDArray[Any], amounts: Amounts) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame({"time": labels, "mean": amounts.mean, "lower": amounts.lower, "upper": amounts.upper})


# --- Exposures and totals of counts that are to come, as users give them --------------------------------------------


def planned_sizes(
    predictor: Predictor, sizes: SizesOfRows, steps: int | None, future: Any
) -> tuple[Predictor, Array, tuple[str, ...]]:
    """The predictor with the sizes of a plan, the positions (m,) of its forecast, and what must be said of it.

    Without a plan those of the last row are taken; without ``steps`` the forecast goes as far as a plan.

    Raises
    ------
    InputError
        When a plan has no such column, or lacks a size, or has one that is none.
    """
    data, last = predictor.model.dataset, predictor.model.last
    assert data.axis is not None
    plan = None
    if future is not None and not _is_way(future):
        others = () if data.covariates is None else [column.name for column in data.covariates.table]
        plan = read_plan(own_rows(data, future), _anything(sizes, last), data.axis, last, others)
        sizes = sizes.joined(plan.columns, where="row of the plan")
        if steps is None:
            steps = max(round((float(plan.columns.x.max()) - last) / (data.axis.step or data.axis.gap)), 1)
    steps = default_horizon(data, predictor.model.kernel) if steps is None else check_steps(steps)
    x = data.axis.future(last, steps)
    notes = () if plan is None else plan.notes
    if sizes.missing(x).any():
        notes = (*notes, assumed_size_text(sizes.name, float(sizes.at(x[sizes.missing(x)])[0] * sizes.per)))
    return replace(predictor, sizes=sizes), x, notes


def _anything(sizes: SizesOfRows, last: float) -> Covariates:
    """The column as if it had held all sizes there are: of a new one nothing is to be said."""
    ends = replace(sizes.columns.table[0], values=np.array([0.0, MOST]))
    return Covariates(np.array([last - 1.0, last]), (ends,))


def with_sizes_of(predictor: Predictor, sizes: SizesOfRows, X: Any, x: Array) -> Predictor:
    """The predictor with the sizes that stand beside the times (m,) in a frame of rows to predict."""
    columns = named_columns(X)
    if all(column.name != sizes.name for column in columns):
        return predictor
    return replace(predictor, sizes=sizes.joined(columns_beside(sizes.columns, columns, x), where="row"))
