"""What new rows say of a model, as an answer with numbers and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import time_labels
from autostatistician.data.new_rows import NewRows, new_rows
from autostatistician.describe.tell import part_names
from autostatistician.describe.words.update import (
    advice_text,
    lacking_text,
    missed_text,
    moved_text,
    rows_texts,
    surprise_text,
)
from autostatistician.errors import InputError
from autostatistician.estimators.units import units_of_model
from autostatistician.fitted.comparison import Comparison, Move, compared
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options
from autostatistician.fitted.updating import GROWN, UpdateSurprise, surprise_of, updated
from autostatistician.i18n.names import quoted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MovedPart", "NewsOfModel", "Update", "added", "news_of_model"]


Array = NDArray[np.float64]

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
class NewsOfModel:
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

    def __str__(self) -> str:
        return " ".join(self.sentences)


def news_of_model(model: Model, given: NewRows, options: Options) -> NewsOfModel:
    """New rows beside what a model expected of them.

    Raises
    ------
    InputError
        When the model is one of a table, or no row is new.
    """
    if not model.dataset.is_ordered or model.dataset.axis is None:
        raise InputError.of("a series in time", "a model of a table", "give its new rows to update")
    rows = new_rows(model.as_observed, given, model.aside)
    record = decomposition(model, 0, checked=False)
    answer = compared(model, [component.kernel for component in record.components], rows, options)
    return _told(model, answer, rows, part_names(record))


def _name(move: Move | None, names: tuple[str, ...]) -> str:
    """What has moved, by its name; "" where nothing has."""
    if move is None:
        return ""
    return quoted(move.name) if move.name else names[move.index]


def _told(model: Model, answer: Comparison, rows: NewRows, names: tuple[str, ...]) -> NewsOfModel:
    import pandas as pd

    units, surprise, missed = units_of_model(answer.grown), answer.surprise, answer.missed
    labels = time_labels(model.dataset, answer.x)
    columns = {"value": answer.values, "mean": answer.mean, "lower": answer.lower, "upper": answer.upper}
    frame = pd.DataFrame({"time": labels, **columns, "missed": missed})
    by = [_name(move, names) for move in answer.missed_by]
    frame["missed_by"] = ""
    frame.loc[missed, "missed_by"] = [name or CHANCE for name in by]
    misses = [tuple(map(float, row)) for row in frame[missed][["value", "lower", "upper"]].to_numpy()]
    told = [(float(x), *miss, name) for x, miss, name in zip(answer.x[missed], misses, by, strict=True)]
    moved = [(_name(move, names), move) for move in answer.moves]
    count, is_surprising = len(rows.values), surprise.is_surprising
    grown = model.dataset.n + count >= GROWN * model.rows_of_search
    drift = surprise.drift if surprise.drifts else None
    sentences = (
        missed_text(count, told, units),  # type: ignore[arg-type]
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
class Update:
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

    def __str__(self) -> str:
        return " ".join(self.sentences)


def added(model: Model, rows: NewRows, options: Options) -> tuple[Model, Update]:
    """The model with new rows, and what these mean for it."""
    rows = new_rows(model.as_observed, rows, model.aside)
    surprise, _ = surprise_of(model, rows, options)
    grown = updated(model, rows)
    return grown, _report(grown, surprise, rows)


def lacking(model: Model, rows: NewRows) -> tuple[str, ...]:
    """That columns that act have no value in some of the new rows, which the model has."""
    if model.effects is None:
        return ()
    x = rows.X[:, 0]
    names = [name for name in model.effects.acting if np.isnan(model.effects.columns.of(name, x)).any()]
    return (lacking_text(names),) if names else ()


def _report(model: Model, surprise: UpdateSurprise, rows: NewRows) -> Update:
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
