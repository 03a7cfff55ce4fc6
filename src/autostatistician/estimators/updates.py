"""What an estimator says when it got new rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.data.later import NewRows, new_rows
from autostatistician.describe.words.update import advice_text, lacking_text, rows_texts, surprise_text
from autostatistician.model.fitted import Model
from autostatistician.model.predictions import Options
from autostatistician.model.updating import GROWN, UpdateSurprise, surprise_of, updated

__all__ = ["Update", "added", "as_observed", "lacking"]

Array = NDArray[np.float64]


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


def as_observed(model: Model) -> Dataset:
    """The data of a model with the values that were given: with what columns beside them add."""
    return replace(model.dataset, y=model.observed - model.dataset.offset, added=None)


def added(model: Model, rows: NewRows, options: Options) -> tuple[Model, Update]:
    """The model with new rows, and what these mean for it."""
    rows = new_rows(as_observed(model), rows, model.aside)
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
