"""Answers to questions that name times or changes: what comes, why it changed, what if, how far it went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.moments import positions_at, stretch_of
from autostatistician.describe.answers import Answer, AnswerNumber, ranged_number
from autostatistician.describe.document.record import recorded_place, stored
from autostatistician.describe.tell import Decomposed, answer
from autostatistician.describe.words.answers.questions import ahead_text, beyond_text, change_text, sum_text, when_text
from autostatistician.errors import InputError
from autostatistician.estimators.changes import change_explained, units_of_model
from autostatistician.estimators.futures import forecast_with, other_forecast, steps_until, summed_with
from autostatistician.estimators.parts import checked_thresholds, sums_frame
from autostatistician.fitted.function import change_of
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.forms import COMPUTED, QUESTIONS

__all__ = ["Query", "answer_of"]

Array = NDArray[np.float64]

NEAR = 1e-3  # of a step

# What may be said with a question; those that the page answers alone take nothing.
_TAKES = {
    "trend": {"start", "stop"},
    "events": {"at", "start", "stop"},
    "forecast": {"at", "start", "stop", "future", "sum_by", "above", "below"},
    "why": {"at", "against"},
    "what-if": {"change", "start", "stop", "future"},
}
_OPTIONS = {"start": "from", "stop": "to", "change": "set", "sum_by": "sum"}  # as the command line calls them


@dataclass(frozen=True)
class Query:
    """What a question names: times (dates, months, years, numbers), changes of columns, and how these go on.

    A stretch goes from ``start`` to ``stop``.
    """

    at: Any = None
    against: Any = None
    start: Any = None
    stop: Any = None
    change: Any = None
    future: Any = None
    sum_by: str | None = None
    above: float | None = None
    below: float | None = None

    def given(self) -> list[str]:
        """The names of what is said.

        >>> Query(at=5).given()
        ['at']
        """
        return [field.name for field in fields(self) if getattr(self, field.name) is not None]


def answer_of(predictor: Predictor, page: Callable[[], Decomposed], question: str, query: Query) -> Answer:
    """The answer of a model to a question; ``page`` gives what its report is made from.

    Raises
    ------
    InputError
        When there is no such question, the model cannot answer it, or something is named that does not belong to it.
    """
    if question not in (*QUESTIONS, *COMPUTED):
        raise InputError.of(f"one of {', '.join((*QUESTIONS, *COMPUTED))}", repr(question), "ask one of these")
    for name in query.given():
        if name not in _TAKES.get(question, ()):
            takers = " and ".join(f"'{other}'" for other, takes in _TAKES.items() if name in takes)
            option = _OPTIONS.get(name, name)
            raise InputError.of(f"{option!r} with {takers} alone", f"it with {question!r}", "leave it out")
    match question:
        case "forecast":
            return _forecast(predictor, query)
        case "why":
            return _why(predictor.model, query)
        case "what-if":
            return _what_if(predictor, query)
        case "trend" if query.given():
            return _change(predictor.model, query)
        case "events" if query.given():
            return answer(page(), question, _stretch(predictor.model, query))
    return answer(page(), question)


def _stretch(model: Model, query: Query) -> tuple[float, float]:
    """The stretch that is named, by its ends or as one time."""
    if query.at is None:
        return stretch_of(model.dataset, query.start, query.stop)
    if query.start is not None or query.stop is not None:
        raise InputError.of("a time (at) or a stretch (from, to)", "both", "name one of them")
    return stretch_of(model.dataset, query.at, query.at)


def _forecast(predictor: Predictor, query: Query) -> Answer:
    """The forecast of the rows that a time stands for, or of a stretch, or of sums; columns go on as in `forecast`."""
    model, thresholds = predictor.model, checked_thresholds(query.above, query.below)
    if model.dataset.classes or not query.given():
        found = "classes" if model.dataset.classes else "none"
        raise InputError.of("a time (at) after the data of a series of numbers", found, "name one, such as 2026-03")
    rows = _rows_ahead(model, query)
    steps, units = steps_until(model, float(rows.max())), units_of_model(model)
    if query.sum_by is None:
        frame = forecast_with(predictor, steps, query.future, thresholds)[-len(rows) :]
        notes, ends = frame.attrs.get("notes", ()), np.column_stack([rows, rows])
    else:
        sums, notes = summed_with(predictor, steps, query.future, query.sum_by)
        ends, in_range = np.column_stack([sums.first, sums.last]), sums.last >= rows.min()
        frame, ends = sums_frame(sums, thresholds)[in_range], ends[in_range]
    numbers, middle = [], "mean" if model.counted is not None and query.sum_by is None else "median"  # as the page
    for (first, last), (_, row) in zip(ends.tolist(), frame.iterrows(), strict=True):
        values = (row[middle], row["lower"], row["upper"])
        if query.sum_by is None:
            numbers.append(ranged_number("Forecast", values, ahead_text(first, values, units), at=_place(model, first)))
        else:
            place = {"start": _place(model, first), "stop": _place(model, last)}
            numbers.append(ranged_number("Sum", values, sum_text((first, last), values, units), **place))
        numbers += [
            replace(numbers[-1], fact=name, number=number, interval=None, probability=stored(row[name]),
                    sentence=beyond_text(name, number, row[name], units))
            for name, number in thresholds.items()
        ]  # fmt: skip
    return _computed("forecast", model, (*notes, *(number.sentence for number in numbers)), numbers)


def _rows_ahead(model: Model, query: Query) -> Array:
    """The positions after the data that are asked for; of sums those that are to come."""
    if query.at is not None:
        _stretch(model, query)  # refuses what contradicts itself
        rows = positions_at(model.dataset, query.at, model.last)
    else:
        axis = model.dataset.axis
        if query.stop is None:
            raise InputError.of("an end (to) of what is to be forecast", "none", "name a time to come")
        low, high = stretch_of(model.dataset, query.start, query.stop)
        assert axis is not None
        near = NEAR * axis.gap
        every = axis.future(model.last, max(steps_until(model, high), 1))
        rows = every[(every >= low - near) & (every <= high + near)]
    if query.sum_by is not None:
        rows = rows[rows > model.last]
    if not rows.size or rows.min() <= model.last:
        when = query.at if query.at is not None else f"{query.start or 'the data'} to {query.stop}"
        raise InputError.of("a time after the data", repr(str(when)), "ask for one to come")
    return rows


def _why(model: Model, query: Query) -> Answer:
    if query.at is None or query.against is None:
        raise InputError.of("two times (at, against) for 'why'", "fewer", "name both")
    change = change_explained(model, query.at, query.against)
    target = "target" if change.scale == "none" else "log target"
    at, against = (
        _place(model, positions_at(model.dataset, when, model.last)[0]) for when in (query.at, query.against)
    )
    numbers = [
        AnswerNumber(
            fact="Difference", number=stored(change.difference), sentence=change.sentences[0],
            start=against, stop=at, unit=target,
        )
    ]  # fmt: skip
    numbers += [
        ranged_number("Share", (part.mean, part.lower, part.upper), text, id=part.name, at=at, unit=target)
        for part, text in zip(change.parts, change.sentences[1:], strict=False)
    ]
    facts = tuple({"fact": "Share", **asdict(part)} for part in change.parts)
    return Answer("why", change.sentences, facts, tuple(numbers), model.dataset.target)


def _what_if(predictor: Predictor, query: Query) -> Answer:
    """What other values of columns would change of the forecast, on average, in total and row by row."""
    model = predictor.model
    if query.change is None:
        raise InputError.of("what shall change (set) for 'what-if'", "nothing", "name it, such as --set promo=0")
    steps = None if query.stop is None else steps_until(model, stretch_of(model.dataset, query.stop, query.stop)[1])
    first = None if query.start is None else stretch_of(model.dataset, query.start, query.start)[0]
    other = other_forecast(predictor, query.change, steps, query.future, first)
    times = [_place(model, position) for position in other.positions]
    ends = {"start": times[0], "stop": times[-1]}
    numbers = [
        ranged_number("Average", other.average, other.sentences[0], **ends),
        ranged_number("Total", other.total, other.sentences[0], **ends),
    ]
    rows = other.difference[["mean", "lower", "upper"]].to_numpy().tolist()
    numbers += [
        ranged_number("Difference", row, other.sentences[0], at=when) for when, row in zip(times, rows, strict=True)
    ]
    return _computed("what-if", model, other.sentences, numbers)


def _change(model: Model, query: Query) -> Answer:
    """How far the course of a series went in a stretch, seasons left out."""
    if model.dataset.classes:
        raise InputError.of("a series of numbers", "a model of classes", "ask what, columns or sure")
    stretch_of(model.dataset, query.start, query.stop)
    rows = np.unique(model.dataset.x)
    first = rows[:1] if query.start is None else _rows_seen(model, query.start)
    last = rows[-1:] if query.stop is None else _rows_seen(model, query.stop)
    if first.max() >= last.min():  # a year that ends with the data, or both are the same
        first, last = first[:1], last[-1:]
    step, units = change_of(model, first, last), units_of_model(model)
    whens = [
        when_text(str(asked_for).strip(), at.tolist(), units)
        for asked_for, at in ((query.start, first), (query.stop, last))
    ]
    text = change_text((step.number, step.low, step.high, step.probability), (whens[0], whens[1]), units)
    number = ranged_number(
        "Change", (step.number, step.low, step.high), text, probability=step.probability,
        start=_place(model, float(first[0])), stop=_place(model, float(last[-1])),
    )  # fmt: skip
    return _computed("trend", model, (text,), [number])


def _rows_seen(model: Model, when: Any) -> Array:
    """The rows of the data that a time stands for."""
    rows = positions_at(model.dataset, when, model.last)
    rows = rows[rows <= np.max(model.dataset.x)]
    if not rows.size:
        raise InputError.of(
            "a time of the data for 'trend'", repr(str(when)), "ask for the forecast of what is to come"
        )
    return rows


def _place(model: Model, position: float) -> str | float | None:
    """A position as records have it."""
    return recorded_place(float(position), units_of_model(model))


def _computed(question: str, model: Model, texts: tuple[str, ...], numbers: list[AnswerNumber]) -> Answer:
    """An answer whose facts were made for it."""
    facts = tuple({key: value for key, value in number.to_json().items() if key != "sentence"} for number in numbers)
    return Answer(question, tuple(texts), facts, tuple(numbers), model.dataset.target)
