"""What changed in a series, and what new rows or an event did to it: answers with numbers and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, time_labels
from autostatistician.data.moments import positions_at
from autostatistician.data.new_rows import NewRows, model_positions, new_rows
from autostatistician.describe.axis.units import Units, units_of
from autostatistician.describe.tell import part_names
from autostatistician.describe.words.answers.impact import impact_texts
from autostatistician.describe.words.answers.questions import difference_texts, when_text
from autostatistician.describe.words.update import (
    advice_text,
    lacking_text,
    missed_text,
    moved_text,
    rows_texts,
    surprise_text,
)
from autostatistician.errors import InputError
from autostatistician.fitted.comparison import Comparison, Move, compared
from autostatistician.fitted.differences import Difference, Share, difference
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.impact import Impact, impact_of
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options
from autostatistician.fitted.updating import GROWN, UpdateSurprise, surprise_of, updated
from autostatistician.forms import BAND_SDS
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.i18n.names import quoted
from autostatistician.search.run import Settings
from autostatistician.search.state import Watched

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "ChangeExplained", "EventEffect", "MovedPart", "NewsOfModel", "PartOfChange", "Update", "added", "change_explained",
    "event_effect", "news_of_model", "units_of_model",
]  # fmt: skip

Array = NDArray[np.float64]


class InSentences:
    """What is also told in words; ``str`` of it are all its sentences."""

    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)


def units_of_model(model: Model) -> Units:
    """The axis and the scale of a series, for words."""
    data, axis = model.modelled, model.dataset.axis
    assert axis is not None, "only a series has units"
    level = model.transform.scale if model.transform.is_log else None
    units = units_of(axis, model.problem.X[:, 0], data.y, model.dataset.target, level)
    if model.transform.is_odds:
        units = replace(units, top=model.transform.top)
    law, sizes = model.likelihood, model.dataset.sizes
    if not isinstance(law, Sited):
        return units
    return replace(units, counts=True, law=law.name, sizes="" if sizes is None else sizes.name)


# --- Why a series changed -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PartOfChange:
    """What one part gives to a change: its ``kind`` is "part", "column" or "chance"; with a range of 95 %.

    Where the logarithm is modelled, the numbers are differences of logarithms: 0.1 is a factor of 1.105.
    """

    name: str
    kind: str
    mean: float
    lower: float
    upper: float


@dataclass(frozen=True)
class ChangeExplained:
    """The difference between two times as a sum; the means of the ``parts`` add up to ``difference``.

    Where the logarithm is modelled (``scale`` "log") it is the difference of logarithms.
    """

    at: tuple[str, ...]
    against: tuple[str, ...]
    values: tuple[float, float]
    seen: tuple[bool, bool]
    scale: str
    difference: float
    parts: tuple[PartOfChange, ...]
    sentences: tuple[str, ...] = field(repr=False)

    def __str__(self) -> str:
        return self.sentences[0]


def change_explained(model: Model, at: Any, against: Any) -> ChangeExplained:
    """Why the series of a model is higher or lower at one time than at another.

    Raises
    ------
    InputError
        When the model is not one of numbers in time, or has no such time.
    """
    if model.dataset.classes:
        raise InputError.of("a series of numbers", "a model of classes", "ask describe what it found")
    times = [positions_at(model.dataset, when, model.last) for when in (at, against)]
    record = decomposition(model, 0, checked=False)
    change = difference(model, [component.kernel for component in record.components], *times)
    names = [_name_of_share(share, part_names(record)) for share in change.shares]
    units = units_of_model(model)
    whens = tuple(
        when_text(str(when).strip(), rows.tolist(), units) for when, rows in zip((at, against), times, strict=True)
    )
    shares = [(name, share.mean, share.sd) for name, share in zip(names, change.shares, strict=True)]
    values = _in_data(model, change)
    texts = difference_texts((whens[0], whens[1]), values, change.seen, change.total, shares, units)
    parts = tuple(
        PartOfChange(name, share.kind, share.mean, share.mean - BAND_SDS * share.sd,
                     share.mean + BAND_SDS * share.sd)
        for name, share in zip(names, change.shares, strict=True)
    )  # fmt: skip
    labels = [tuple(time_labels(model.dataset, rows).astype(str).tolist()) for rows in times]
    return ChangeExplained(
        labels[0], labels[1], values, change.seen, model.transform.name, change.total, parts, texts,
    )  # fmt: skip


def _name_of_share(share: Share, gists: tuple[str, ...]) -> str:
    if share.kind == "column":
        return quoted(share.name)
    return gists[share.index] if share.kind == "part" else share.kind


def _in_data(model: Model, change: Difference) -> tuple[float, float]:
    """The two values in the units of the data; of several rows the mean, of logarithms the geometric one."""
    first, second = model.transform.back(np.array(change.values)) + model.modelled.offset
    return float(first), float(second)


# --- What new rows say of a model -----------------------------------------------------------------------------------


CHANCE = "chance"


@dataclass(frozen=True)
class MovedPart:
    """A part that moved beyond its error: where most, by how much, and with which error (standard deviation)."""

    name: str
    time: str
    change: float
    error: float
    p_value: float


@dataclass(frozen=True, eq=False)
class NewsOfModel(InSentences):
    """New rows beside what a model forecast at the end of its data; the model stays as it is.

    Attributes
    ----------
    rows : DataFrame
        time, value, mean, lower, upper and missed of each new row; missed_by names, of those that were missed, the
        part or column that moved furthest to their side there (beyond its error), else "chance".
    known, inside : int
        Rows that were given and are there already; those of the new ones that lie within their ranges of 95 %, each
        predicted from all rows before it.
    p_value : float
        The probability, under the model, of rows as odd as these together, each given the rows before it.
    surprising, search_again : bool
        Whether that is below 0.01; whether a new search is advised.
    moved : tuple of MovedPart
        Where the logarithm is modelled, changes are differences of logarithms.
    sentences : tuple of str
        The same in words, and what to do.
    """

    rows: pd.DataFrame
    known: int
    inside: int
    p_value: float
    surprising: bool
    search_again: bool
    moved: tuple[MovedPart, ...]
    sentences: tuple[str, ...] = field(repr=False)


def news_of_model(model: Model, added_rows: NewRows, options: Options) -> NewsOfModel:
    """New rows beside what a model expected of them.

    Raises
    ------
    InputError
        When the model is one of a table, or no row is new.
    """
    if not model.dataset.is_ordered or model.dataset.axis is None:
        raise InputError.of("a series in time", "a model of a table", "give its new rows to update")
    rows = new_rows(model.as_observed, added_rows, model.aside)
    record = decomposition(model, 0, checked=False)
    answer = compared(model, [component.kernel for component in record.components], rows, options)
    return _compared(model, answer, rows, part_names(record))


def _name_of_move(move: Move | None, names: tuple[str, ...]) -> str:
    """What has moved, by its name; "" where nothing has."""
    if move is None:
        return ""
    return quoted(move.name) if move.name else names[move.index]


def _compared(model: Model, answer: Comparison, rows: NewRows, names: tuple[str, ...]) -> NewsOfModel:
    import pandas as pd

    units, surprise, missed = units_of_model(answer.grown), answer.surprise, answer.missed
    labels = time_labels(model.dataset, answer.x)
    columns = {"value": answer.values, "mean": answer.mean, "lower": answer.lower, "upper": answer.upper}
    frame = pd.DataFrame({"time": labels, **columns, "missed": missed})
    by = [_name_of_move(move, names) for move in answer.missed_by]
    frame["missed_by"] = ""
    frame.loc[missed, "missed_by"] = [name or CHANCE for name in by]
    misses = [tuple(map(float, row)) for row in frame[missed][["value", "lower", "upper"]].to_numpy()]
    missed_rows = [(float(x), *miss, name) for x, miss, name in zip(answer.x[missed], misses, by, strict=True)]
    moved = [(_name_of_move(move, names), move) for move in answer.moves]
    count, is_surprising = len(rows.values), surprise.is_surprising
    grown = model.dataset.n + count >= GROWN * model.rows_of_search
    drift = surprise.drift if surprise.drifts else None
    sentences = (
        missed_text(count, missed_rows, units),  # type: ignore[arg-type]
        surprise_text(count, surprise.inside, surprise.p_value, is_surprising, drift, surprise.size),
        moved_text([(name, move.x, move.change, move.sd) for name, move in moved], units),
        *rows_texts(rows.known, rows.empty, rows.between),
        *lacking(answer.grown, rows),
        advice_text(is_surprising, model.rows_of_search, model.dataset.n + count, grown),
    )
    written = [str(time_labels(model.dataset, np.array([move.x]))[0]).removesuffix("T00:00:00") for _, move in moved]
    parts = tuple(
        MovedPart(name, when, move.change, move.sd, move.p)
        for (name, move), when in zip(moved, written, strict=True)
    )  # fmt: skip
    odd = (surprise.p_value, is_surprising, is_surprising or grown)
    return NewsOfModel(frame, rows.known, surprise.inside, *odd, parts, sentences)


# --- What an estimator says when it got new rows --------------------------------------------------------------------
@dataclass(frozen=True)
class Update(InSentences):
    """New rows of a model, and what they mean for it.

    Attributes
    ----------
    rows : int
        That were added.
    known : int
        That were given and were there already, in time and value.
    inside : int
        Of those added, that lie within their ranges of 95 %, each predicted from all rows before it.
    p_value : float
        The probability, under the model, of rows as odd as these.
    surprising : bool
        Whether that is below 0.01.
    search_again : bool
        Whether a new search is advised: after a surprise, and where the rows are half as many again as it had.
    errors : array (rows,)
        Standardised errors of these predictions: normal scores of the chances of less.
    sentences : tuple of str
        The same in words.
    """

    rows: int
    known: int
    inside: int
    p_value: float
    surprising: bool
    search_again: bool
    errors: Array = field(repr=False, compare=False)
    sentences: tuple[str, ...] = field(repr=False)


def added(model: Model, rows: NewRows, options: Options) -> tuple[Model, Update]:
    """The model with new rows, and what these mean for it."""
    rows = new_rows(model.as_observed, rows, model.aside)
    surprise, _ = surprise_of(model, rows, options)
    grown = updated(model, rows)
    return grown, _updated(grown, surprise, rows)


def lacking(model: Model, rows: NewRows) -> tuple[str, ...]:
    """That columns that act have no value in some of the new rows, which the model has."""
    if model.effects is None:
        return ()
    x = rows.X[:, 0]
    names = [name for name in model.effects.acting if np.isnan(model.effects.columns.of(name, x)).any()]
    return (lacking_text(names),) if names else ()


def _updated(model: Model, surprise: UpdateSurprise, rows: NewRows) -> Update:
    count, surprising = len(surprise.errors), surprise.is_surprising
    grown = model.dataset.n >= GROWN * model.rows_of_search
    drift = surprise.drift if surprise.drifts else None
    sentences = (
        surprise_text(count, surprise.inside, surprise.p_value, surprising, drift, surprise.size),
        *rows_texts(rows.known, rows.empty, rows.between),
        *lacking(model, rows),
        advice_text(surprising, model.rows_of_search, model.dataset.n, grown),
    )
    return Update(
        count,
        rows.known,
        surprise.inside,
        surprise.p_value,
        surprising,
        surprising or grown,
        surprise.errors,
        sentences,
    )


# --- What an event did to a series ----------------------------------------------------------------------------------


NEAR = 1e-3  # of a step


@dataclass(frozen=True, eq=False)
class EventEffect(InSentences):
    """An event's effect: the rows since then beside what would have been, by the rows before and the columns.

    Attributes
    ----------
    rows : DataFrame
        time, value, expected, lower, upper (95 %, of what was to be expected), effect, effect_lower and effect_upper.
    average, total : tuple of float
        The effect over all rows: mean, and its range of 95 %.
    share : tuple of float or None
        The same as a share of what was to be expected; None where that is not above zero.
    p_value : float
        The probability of such a total by chance, by the model.
    placebo_dates, placebo_p : int, float
        Earlier dates that were tried in the same way, and the probability of as large an effect by their like.
    is_event : bool
        Whether chance hardly gives as much, by the range and by the earlier dates.
    expression : str
        Of the model of the rows before.
    sentences : tuple of str
        The same in words, and on what it rests.
    """

    rows: pd.DataFrame
    average: tuple[float, float, float]
    total: tuple[float, float, float]
    share: tuple[float, float, float] | None
    p_value: float
    placebo_dates: int
    placebo_p: float
    is_event: bool
    expression: str
    sentences: tuple[str, ...] = field(repr=False)


def event_effect(
    dataset: Dataset,
    since: Any,
    language: str,
    settings: Settings,
    options: Options,
    callback: Callable[[Watched], None] | None = None,
) -> EventEffect:
    """The effect of an event on a series, from its date on.

    Raises
    ------
    InputError
        When the data are no series of numbers in time, or there are too few rows before or after the date.
    """
    if dataset.axis is None or not dataset.is_ordered or dataset.classes:
        kind = "classes" if dataset.classes else "rows without an order in time"
        raise InputError.of("a series of numbers in time", kind, "name a --time and a --target")
    text = f"{since}-01-01" if dataset.axis.is_calendar and str(since).isdigit() and len(str(since)) == 4 else since
    (position,) = model_positions(dataset, [text])
    impact = impact_of(dataset, float(position) - NEAR * dataset.axis.gap, language, settings, options, callback)
    return _effect(dataset, impact)


def _effect(dataset: Dataset, impact: Impact) -> EventEffect:
    import pandas as pd

    average, total, share = impact.average, impact.total, impact.share
    alike = int(np.sum(np.abs(impact.placebos) >= abs(impact.size)))
    units = units_of_model(impact.model)
    acting = () if impact.model.effects is None else impact.model.effects.acting
    sentences = impact_texts(
        float(impact.x[0]), len(impact.x), (average, total, share), (len(impact.placebos), alike, impact.placebo_p),
        (impact.is_event, impact.tested), acting, units,
    )  # fmt: skip
    rows = pd.DataFrame({
        "time": time_labels(dataset, impact.x), "value": impact.values, "expected": impact.mean, "lower": impact.lower,
        "upper": impact.upper, "effect": impact.values - impact.mean, "effect_lower": impact.values - impact.upper,
        "effect_upper": impact.values - impact.lower,
    })  # fmt: skip
    return EventEffect(
        rows, average, total, share, impact.p_value, len(impact.placebos), impact.placebo_p, impact.is_event,
        str(impact.model.kernel), sentences,
    )  # fmt: skip
