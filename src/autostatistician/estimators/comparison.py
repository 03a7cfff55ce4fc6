"""What new rows say of a model, as an answer with numbers and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from autostatistician.data.dataset import time_labels
from autostatistician.data.later import NewRows, new_rows
from autostatistician.describe.tell import part_names
from autostatistician.describe.words.answers.comparison import missed_text, moved_text
from autostatistician.describe.words.update import advice_text, rows_texts, surprise_text
from autostatistician.errors import InputError
from autostatistician.estimators.units import units_of_model
from autostatistician.estimators.updates import as_observed, lacking
from autostatistician.model.comparison import Comparison, Move, compared
from autostatistician.model.explanation import decomposition
from autostatistician.model.fitted import Model
from autostatistician.model.predictions import Options
from autostatistician.model.updating import GROWN
from autostatistician.wording.names import quoted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MovedPart", "NewsOfModel", "news_of_model"]

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
    rows = new_rows(as_observed(model), given, model.aside)
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
