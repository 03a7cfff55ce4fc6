"""Models of numbers and of classes, for callers that take both.

Texts held against a fitted model: each of their sentences borne out, contradicted or unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.columns import DataColumn, place_of
from autostatistician.data.dataset import Dataset
from autostatistician.data.new_rows import own_rows
from autostatistician.errors import InputError
from autostatistician.estimators.parts import chance_columns, number_columns
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.estimators.statistician_classifier import AutomaticStatisticianClassifier, forget, refuse_plan
from autostatistician.fitted import storage
from autostatistician.forms import QUESTIONS, Format, json_format
from autostatistician.i18n.messages import note_some
from autostatistician.i18n.names import listed
from autostatistician.memo.judging import Memo, Subject
from autostatistician.memo.reading import sentences_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Fitted", "answers_of", "estimator_of", "forget", "load_estimator", "memo_of", "memo_record", "predicted_rows",
    "refuse_plan",
]  # fmt: skip

Fitted = AutomaticStatistician | AutomaticStatisticianClassifier


def estimator_of(dataset: Dataset) -> type[AutomaticStatistician] | type[AutomaticStatisticianClassifier]:
    """The estimator for the target of a data set."""
    return AutomaticStatisticianClassifier if dataset.classes else AutomaticStatistician


def load_estimator(path: str | Path) -> Fitted:
    """The model of numbers or of classes that `save` wrote.

    Raises
    ------
    InputError
        When the file cannot be read or does not hold a whole model.
    """
    saved = storage.load(path)
    return (
        AutomaticStatisticianClassifier.from_saved(saved) if saved.labels else AutomaticStatistician.from_saved(saved)
    )


def predicted_rows(model: Fitted, rows: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of a file or frame, and a frame with what a model predicts of each; its ``attrs["notes"]`` say how.

    Of numbers it has mean, std, lower, median and upper (95 %); of two classes the probability of the second with its
    limits, of more those of each, and the likeliest class.

    Raises
    ------
    InputError
        When a column of the model is missing, or a cell cannot be read.

    Examples
    --------
    >>> x = np.arange(30.0)[:, None]
    >>> y = 3.0 * x[:, 0] + np.random.default_rng(0).normal(size=30)
    >>> model = AutomaticStatistician(language="linear", max_depth=1, n_restarts=4, n_jobs=1).fit(x, y)
    >>> predicted_rows(model, {"x": [40.0, 50.0], "shop": ["A", "B"]})[1].round()["mean"].tolist()
    [120.0, 150.0]
    """
    import pandas as pd

    data = model.dataset_
    table = own_rows(data, rows)
    names = [column.name for column in table.columns]
    inputs = _found(names, data.given) if data.axis is None else {}
    beside = () if data.covariates is None else data.covariates.table
    groups = {inputs[name] for name in data.levels if name in inputs} | {each.name for each in beside if each.levels}
    given = pd.DataFrame({column.name: _cells(column, column.name in groups) for column in table.columns})
    frame = given.rename(columns={there: name for name, there in inputs.items()})
    made = pd.DataFrame(_predictions(model, frame[list(inputs)] if data.axis is None else frame))
    used = {data.target, *inputs.values(), *(each.name for each in beside)}
    used |= set() if data.axis is None else {data.axis.column}
    idle = [name for name in names if name not in used]
    made.attrs["notes"] = [*table.notes, *note_some(
        len(idle), "Column {columns} of the rows is not used: the model has none of it.",
        "Columns {columns} of the rows are not used: the model has none of them.", columns=listed(idle),
    )]  # fmt: skip
    return given, made


def _found(names: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
    """The names of a table by those of a model; an `InputError` where it lacks some."""
    places = {name: place_of(name, names) for name in wanted}
    if absent := [name for name, place in places.items() if place is None]:
        expected, found = f"rows with the columns {listed(wanted)}", f"only {listed(names)}"
        raise InputError.of(expected, found, f"add {listed(absent)}")
    return {name: names[place] for name, place in places.items() if place is not None}


def _cells(column: DataColumn, is_category: bool) -> Any:
    """Numbers where all cells that are filled are some, else the cells as they are."""
    return column.values if is_category or column.numbers.bad else column.numbers.values


def _predictions(model: Fitted, rows: pd.DataFrame) -> dict[str, Any]:
    if isinstance(model, AutomaticStatistician):
        return dict(number_columns(model.predictive(rows)))
    return chance_columns(model.dataset_.classes, model.predict_proba(rows), *model.probability_interval(rows))


def answers_of(model: Fitted) -> dict[str, dict[str, Any]]:
    """The answers to all questions that name no time and no change, by the question, as plain values."""
    answers = {}
    for question in QUESTIONS:
        with suppress(InputError):  # a table has no trend
            answers[question] = model.ask(question).to_json()
    return answers


def memo_of(model: Fitted) -> Memo:
    """What a fitted model claims, with which texts are checked.

    >>> from autostatistician import AutomaticStatistician
    >>> x = np.arange(30.0)[:, None]
    >>> y = 3.0 * x[:, 0] + np.random.default_rng(0).normal(size=30)
    >>> model = AutomaticStatistician(language="linear", max_depth=1, n_restarts=4, n_jobs=1).fit(x, y)
    >>> [checked.verdict.value for checked in memo_of(model).check("In all y rose by about 87. Lately y fell.")]
    ['borne out', 'contradicted']
    """

    def forecast() -> list[dict[str, Any]]:
        with suppress(InputError):
            is_dated = model.dataset_.axis is not None and model.dataset_.axis.is_calendar
            rows = model.forecast().to_dict("records")
            made = [{str(name): value for name, value in row.items()} for row in rows if "mean" in row]
            return [row | {"time": _written(row["time"], is_dated)} for row in made]
        return []

    return Memo.of(_subject(model), list(answers_of(model).values()), forecast, _series(model))


def _series(model: Fitted) -> tuple[NDArray[np.datetime64], NDArray[np.float64]] | None:
    """The days (n,) and values (n,) of data by dates."""
    data, axis = model.dataset_, model.dataset_.axis
    if axis is None or not axis.is_calendar:
        return None
    return np.asarray(axis.times(data.x)).astype("M8[D]"), data.y + data.offset


def memo_record(memo: Memo, text: str) -> dict[str, Any]:
    """The JSON object of a checked text."""
    checked = [each.to_json() for each in memo.check(text)]
    verdicts = [each["verdict"] for each in checked]
    counts = {name: verdicts.count(name) for name in ("borne out", "contradicted", "unknown")}
    counts["not checkable"] = len(sentences_of(text)) - len(checked)
    return {"format": json_format(Format.MEMO), "target": memo.subject.target, "counts": counts, "sentences": checked}


def _subject(model: Fitted) -> Subject:
    data, axis = model.dataset_, model.dataset_.axis
    if axis is None:
        levels = [(column, level) for column, names in data.levels.items() for level in names]
        return Subject(data.target, data.given, tuple(levels))
    beside = () if data.covariates is None else data.covariates.table
    levels = [(column.name, str(level)) for column in beside for level in column.levels or ()]
    is_dated, ends = axis.is_calendar, np.sort(data.x)[[0, -1]]
    first, last = np.asarray(axis.times(ends)).astype("M8[D]") if is_dated else ends.tolist()
    names = tuple(column.name for column in beside)
    return Subject(data.target, names, tuple(levels), axis.column, axis.unit if is_dated else "", (first, last))


def _written(time: Any, is_dated: bool) -> Any:
    """A time of a forecast as facts have it: dates as text, years as their first days."""
    if isinstance(time, int | float):
        return f"{int(time)}-01-01" if is_dated else time
    return str(np.datetime64(time, "D"))
