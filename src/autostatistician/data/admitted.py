"""Which columns beside a series are admitted: without those that give the target away, with holidays of a calendar."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from autostatistician.data.covariates import Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.data.events import calendar_from, own_holidays
from autostatistician.data.leaks import dependent, leaks
from autostatistician.data.sizes import Sizes
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed
from autostatistician.wording.messages import note

__all__ = ["with_holidays", "without_leaks"]


def without_leaks(dataset: Dataset, allowed: Collection[str] = ()) -> Dataset:
    """The series without columns that follow from its target or from other columns, but for those ``allowed``.

    Each has a sentence in the warnings. Names that are no columns are refused.

    >>> from autostatistician.data.load import load
    >>> sales = np.random.default_rng(0).gamma(9.0, size=30).round(2)
    >>> data = load({"day": np.arange(30.0), "sales": sales, "euros": 0.5 * sales}, time="day", target="sales")
    >>> data.covariates is None, [warning for warning in data.warnings if "euros" in warning][-1][:56]
    (True, "Column 'euros' is the target in other units: 0.5 times t")
    """
    columns = dataset.covariates
    names = [] if columns is None else [column.name for column in columns.table]
    if unknown := [name for name in allowed if name not in names]:
        expected = f"columns beside the series among {listed(names)}" if names else "columns beside the series"
        raise InputError.of(expected, listed(unknown), "name one that was left out")
    if columns is None or dataset.classes or not dataset.is_ordered:
        return dataset
    at_rows = replace(columns, calendar=()).at(dataset.x)
    free = [column for column in at_rows if column.name not in allowed]
    reasons = leaks(dataset.y + dataset.offset, free)
    reasons |= dependent([column for column in at_rows if column.name not in reasons])
    reasons = {name: reason for name, reason in reasons.items() if name not in allowed}
    if not reasons:
        return dataset
    notes = [
        note("{reason} It is left out; --allow-leaks {name} takes it.", reason=reason, name=repr(name))
        for name, reason in reasons.items()
    ]
    kept = columns.only([name for name in names if name not in reasons])
    return replace(dataset, covariates=kept if kept.table else None, warnings=(*dataset.warnings, *notes))


def without_rest(dataset: Dataset, totals: Sizes) -> Dataset:
    """Counts without the column that holds what is left of their totals, which would tell them; with a sentence."""
    columns = dataset.covariates
    if columns is None:
        return dataset
    left = totals.at(dataset.x) - dataset.y
    rest = [column.name for column in columns.at(dataset.x) if not column.levels and (column.values == left).all()]
    if not rest:
        return dataset
    kept = columns.only([column.name for column in columns.table if column.name not in rest])
    notes = [
        note("Column {name} is what is left of {totals}, so it is left out.", name=repr(name), totals=repr(totals.name))
        for name in rest
    ]
    return replace(
        dataset, covariates=kept if kept.table or kept.calendar else None, warnings=(*dataset.warnings, *notes)
    )


def with_holidays(dataset: Dataset, holidays: Any) -> Dataset:
    """The series with the columns of calendars: those that a text names, or own events as a frame or mapping.

    Raises
    ------
    InputError
        When the data have no dates, or the calendar is not known.
    """
    axis = dataset.axis
    if axis is None or not dataset.is_ordered or dataset.classes:
        kind = "classes" if dataset.classes else "rows without an order in time"
        raise InputError.of("a series of numbers with dates, for holidays", kind, "leave the holidays out")
    if isinstance(holidays, str):
        calendars = calendar_from(holidays, axis, dataset.x)
    else:
        calendars = (own_holidays(holidays, axis, dataset.x),)
    columns = dataset.covariates or Covariates(np.unique(dataset.x), ())
    notes = tuple(filter(None, (getattr(calendar, "note", "") for calendar in calendars)))
    return replace(
        dataset, covariates=replace(columns, calendar=(*columns.calendar, *calendars)),
        warnings=(*dataset.warnings, *notes),
    )  # fmt: skip
