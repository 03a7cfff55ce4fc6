"""The chance of a class at a time that is to come, as an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autostatistician.data.dataset import time_labels
from autostatistician.data.moments import positions_at
from autostatistician.describe.answers import Answer, Number, number_of_record
from autostatistician.describe.axis.units import units_of
from autostatistician.describe.document.record import stored
from autostatistician.describe.words.answers.chances import at_time_text
from autostatistician.errors import InputError
from autostatistician.model.several_classes import EachAgainstRest

__all__ = ["chances_at"]


def chances_at(together: EachAgainstRest, at: Any) -> Answer:
    """The chances of the rows that a time stands for: of the second of two classes, or of each of more.

    Raises
    ------
    InputError
        When the model is of a table, or the time is none that comes.
    """
    model, dataset = together.predictors[0].model, together.dataset
    if at is None:
        raise InputError.of("a time (at) after the data of a series", "none", "name one, such as 2026-03")
    rows = positions_at(dataset, at, model.last)
    if rows.min() <= model.last:
        raise InputError.of("a time after the data", repr(str(at)), "ask for one to come")
    assert dataset.axis is not None
    units, labels = units_of(dataset.axis, dataset.x, dataset.y, dataset.target), time_labels(dataset, rows)
    names = dataset.classes if len(dataset.classes) > 2 else dataset.classes[1:]
    texts: list[str] = []
    facts: list[dict[str, object]] = []
    numbers: list[Number] = []
    for name, told in zip(names, together.told(rows[:, None]), strict=True):
        scale = replace(units, event=name, other=f"not {name}")
        for place, when in enumerate(labels):
            chance, low, high = (float(each[place]) for each in (told.mean, told.lower, told.upper))
            texts.append(at_time_text(float(rows[place]), (chance, low, high), scale))
            facts.append(
                {
                    "fact": "Forecast", "at": str(when), "class": name, "number": stored(100.0 * chance), "unit": "%",
                    "interval": [stored(100.0 * low), stored(100.0 * high)],
                }
            )  # fmt: skip
            numbers.append(number_of_record(facts[-1], texts[-1]))
    return Answer("forecast", tuple(texts), tuple(facts), tuple(numbers), dataset.target)
