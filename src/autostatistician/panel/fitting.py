"""From the data of a series to its record: the model, what it forecasts and claims, and by how much it erred."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.files import stops_all_writing
from autostatistician._io.rows import evenly_spaced
from autostatistician._io.threads import one_thread
from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind as ClaimKind
from autostatistician.data.dataset import Dataset, Kind, time_labels
from autostatistician.errors import AutostatisticianError, InputError
from autostatistician.fitted import storage
from autostatistician.fitted.covariate_forecasts import forecast_covariates
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.fitted.settings import default_horizon
from autostatistician.i18n.messages import ENGLISH, Message, note, noted, spoken_in
from autostatistician.i18n.names import clean
from autostatistician.panel.claims import claims_of, notes_on_columns
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord
from autostatistician.panel.settings import PanelSettings

__all__ = ["PanelSeries", "one_step_errors", "record_of", "records_of_chunk", "series_record", "written_times"]

Array = NDArray[np.float64]

MOST_VALUES = 60  # kept for a small picture
MOST_ERRORS = 100  # of the last rows
MOST_STRUCTURES = 5
SAME_VALUE = 1e-9  # relative: effects of columns are taken from the values of a model, and added again
SETTLED = 2.0  # times its usual spread: an error is wider as long as a model has seen too few rows


@dataclass(frozen=True, eq=False, slots=True)
class PanelSeries:
    """A series that waits for its search: its data, or the ``reason`` why it has none."""

    name: str
    ids: tuple[str, ...]
    dataset: Dataset | None
    reason: str = ""
    fingerprint: str = ""  # of all on which its record hangs
    beside: Callable[[Model], object] | None = None  # what is done with its model besides
    saved: Path | None = None  # the file of its model, where an earlier run has left one


def records_of_chunk(chunk: Sequence[PanelSeries], settings: PanelSettings) -> Iterator[SeriesRecord]:
    """The records of some series, each as it ends, in any order: the one place where they are searched together."""
    for series in chunk:
        yield record_of(series, settings)


def record_of(series: PanelSeries, settings: PanelSettings) -> SeriesRecord:
    """The record of a series with its fingerprint, whatever becomes of it."""
    if series.dataset is None:
        record = SeriesRecord(series.name, series.ids, FAILED, series.reason)
    else:
        record = series_record(series.dataset, series.name, series.ids, settings, series.beside, series.saved)
    return replace(record, fingerprint=series.fingerprint)


def series_record(
    dataset: Dataset,
    name: str,
    ids: tuple[str, ...],
    settings: PanelSettings,
    beside: Callable[[Model], object] | None = None,
    saved: Path | None = None,
) -> SeriesRecord:
    """Search for the model of a series, and keep what is told of it; a failed record says why there is no model.

    What is done ``beside`` with the model may fail: a note of the record says it. Nothing is searched where the model
    of the same data and settings is ``saved``.

    Raises
    ------
    WriteError, OSError
        When the disk is full, which stops every series.
    KeyboardInterrupt
        At Ctrl-C, also where the search had found something until then.
    """
    began = time.thread_time()
    try:
        if dataset.kind is not Kind.SERIES:
            raise InputError.of("a series over one time", f"{len(dataset.columns)} columns", "name the time")
        model = _saved_model(dataset, settings, saved)
        if model is None:
            model = fit_model(dataset, settings.language, replace(settings.search, n_jobs=1))
        if model.search.interrupted:
            raise KeyboardInterrupt
        with one_thread(), spoken_in(ENGLISH):  # records are kept; who reads them has words of their own
            record = record_of_model(model, name, ids, settings)
            if beside is not None:
                record = replace(record, notes=(*record.notes, *_done_beside(beside, model)))
        record.line()  # fails where a number is none
    except Exception as error:
        record = SeriesRecord(name, ids, FAILED, reason_of(error), dataset.n)
    return replace(record, seconds=round(time.thread_time() - began, 4))


def _saved_model(dataset: Dataset, settings: PanelSettings, path: Path | None) -> Model | None:
    """The model of a series in a file; None where there is none, or one of other data or settings."""
    if path is None:
        return None
    try:
        model = storage.load(path).model
    except InputError:
        return None
    asked = replace(model.settings, criterion=settings.search.criterion, n_jobs=settings.search.n_jobs)
    x, y = _given(model)
    order = np.argsort(dataset.x, kind="stable")
    same_rows = len(x) == dataset.n and bool(np.all(x == dataset.x[order]))
    if (model.language, asked) != (settings.language, settings.search) or not same_rows:
        return None
    columns = [each and each.to_json() for each in (model.dataset.covariates, dataset.covariates)]
    same_values = np.allclose(y, (dataset.y + dataset.offset)[order], rtol=SAME_VALUE, atol=0.0)
    return model if same_values and columns[0] == columns[1] else None


def reason_of(error: Exception) -> str:
    """The line that says why a series failed; what stops every series, such as a full disk, is raised instead.

    >>> reason_of(InputError.of("three rows", "two", "give more"))
    'expected three rows; found two; give more'
    """
    if stops_all_writing(error):
        raise error
    match error:
        case AutostatisticianError():
            said = noted(error)
            return said if isinstance(said, Message) else clean(error)
        case MemoryError():
            return noted(InputError.of(note("room for the work"), note("no more memory"), note("give fewer rows")))
    return clean(f"{type(error).__name__}: {error} (this is a bug)")


def record_of_model(model: Model, name: str, ids: tuple[str, ...], settings: PanelSettings) -> SeriesRecord:
    """What is kept of a fitted model."""
    data, axis = model.dataset, model.dataset.axis
    assert axis is not None
    x, y = _given(model)
    shown = evenly_spaced(len(x), MOST_VALUES)
    where, errors = one_step_errors(model)
    first, last = written_times(data, x[[0, -1]])
    score = float(model.search.best.score)
    claims, failing = _claims(model)
    forecast, assumed = _forecast(model, settings)
    notes = (*data.warnings, *((data.choice,) if data.choice else ()), *assumed, *failing)
    return SeriesRecord(
        name, ids, DONE, rows=len(x), first=first, last=last, step=_step(model),
        expression=str(model.kernel), logarithm=model.transform.is_log, structures=_structures(model),
        score=score if np.isfinite(score) else None, notes=notes, claims=claims,
        times=written_times(data, x[shown]), values=_short(y[shown], 6), level=_level_at_the_end(model, claims, x, y),
        forecast=forecast, errors=_short(errors, 6), error_times=written_times(data, where),
    )  # fmt: skip


def _claims(model: Model) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """The claims, or the note that there are none: a forecast is not lost for them."""
    try:
        return claims_of(model), ()
    except Exception as error:
        return (), (note("Nothing is claimed: {reason}", reason=reason_of(error)),)


def _done_beside(beside: Callable[[Model], object], model: Model) -> tuple[str, ...]:
    try:
        beside(model)
    except Exception as error:
        return (note("Its page could not be made: {reason}", reason=reason_of(error)),)
    return ()


def _level_at_the_end(model: Model, claims: Sequence[Claim], x: Array, y: Array) -> float:
    """How high a series stands at its last row, without the scatter of single values; with seasons, over the last."""
    periods = [
        claim["period"] for claim in claims if claim.kind in (ClaimKind.SEASON, ClaimKind.OPEN) and claim.get("period")
    ]
    if periods:
        return float(y[x > x[-1] - min(max(periods), x[-1] - x[0]) * (1.0 - 1e-6)].mean())
    return float(Predictor(model).predictive(x[-1:, None]).mean[0])


def _given(model: Model) -> tuple[Array, Array]:
    """Positions and values (n,) of a series in order, those that were set aside among them."""
    x, y = np.array([*zip(model.dataset.x, model.observed, strict=True), *model.aside], dtype=np.float64).T
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


def _step(model: Model) -> str:
    """The step of a grid in words or, of plain numbers, as one; "" where rows are irregular."""
    axis = model.dataset.axis
    if axis is None or axis.step is None:
        return ""
    return axis.frequency or f"{axis.step:.6g}"


def _structures(model: Model) -> tuple[tuple[str, float], ...]:
    """Expressions with their posterior weights, likeliest first."""
    weights: dict[str, float] = {}
    for candidate, weight in model.structures:
        expression = str(candidate.kernel)
        weights[expression] = weights.get(expression, 0.0) + float(weight)
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    return tuple((expression, round(weight, 6)) for expression, weight in ranked[:MOST_STRUCTURES])


def _forecast(model: Model, settings: PanelSettings) -> tuple[PanelForecast, tuple[str, ...]]:
    """The forecast, and sentences on what columns are taken to be in it."""
    data, axis = model.dataset, model.dataset.axis
    assert axis is not None
    steps = default_horizon(data, model.kernel) if settings.horizon is None else settings.horizon
    x = axis.future(model.last, steps)
    courses = forecast_covariates(model, x, settings.future)
    ahead = Predictor(model, courses=courses.columns).predictive(x[:, None])
    tails = [0.5 - 0.005 * level for level in settings.levels]
    limits = ahead.quantiles([*tails, *(1.0 - tail for tail in tails)]).T
    low, high = (tuple(_short(row, 12) for row in rows) for rows in np.split(limits, 2))
    forecast = PanelForecast(written_times(data, x), _short(ahead.mean, 12), tuple(settings.levels), low, high)
    return forecast, notes_on_columns(model, courses.assumed, courses.forecast)


def one_step_errors(model: Model) -> tuple[Array, Array]:
    """Where (m,) the last rows lie, and each of their values less what was expected of it from all rows before.

    In the units of the data. The parameters are those of all rows. Rows at the start, as long as too few lie before
    them to expect anything, have none.
    """
    posterior = model.posterior
    x, sds = posterior.X[:, 0], posterior.innovation_sd
    expected, _ = model.transform.moments(posterior.y - posterior.innovations() * sds, sds)
    errors = model.as_given(x, model.transform.back(posterior.y) + model.modelled.offset) - model.as_given(
        x, expected + model.modelled.offset
    )
    settled = np.isfinite(errors) & (sds <= SETTLED * np.median(sds))
    first = max(int(np.argmax(settled)), len(x) - MOST_ERRORS) if settled.any() else len(x)
    return x[first:], np.where(np.isfinite(errors), errors, 0.0)[first:]


def written_times(dataset: Dataset, x: Array) -> tuple[str, ...]:
    """Positions (m,) as text in the caller's terms: ISO dates, with the time of day where there is one, or numbers.

    >>> from autostatistician.data.times.axes import Axis
    >>> data = Dataset(np.array([[1949.0]]), np.ones(1), ("month",), "y", Axis("month", "year", "month", 1 / 12))
    >>> written_times(data, np.array([1949.0, 1949.5]))
    ('1949-01-01', '1949-07-01')
    """
    labels: Any = time_labels(dataset, x)
    if labels.dtype.kind != "M":
        return tuple(map(repr, labels.tolist()))
    texts = np.datetime_as_string(labels).tolist()
    plain = all(text.endswith("T00:00:00") for text in texts)
    return tuple(text[:10] if plain else text for text in texts)


def _short(values: Array, digits: int) -> tuple[float, ...]:
    """Numbers with so many digits: they are written once for each of many series."""
    return tuple(float(f"{value:.{digits}g}") for value in values.tolist())
