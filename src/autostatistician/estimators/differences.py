"""Why a series changed, as an answer with numbers and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autostatistician.data.dataset import time_labels
from autostatistician.data.moments import positions_at
from autostatistician.describe.tell import part_names
from autostatistician.describe.words.answers.questions import difference_texts, when_text
from autostatistician.errors import InputError
from autostatistician.estimators.units import units_of_model
from autostatistician.fitted.differences import Difference, Share, difference
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.model import Model
from autostatistician.forms import BAND_SDS
from autostatistician.i18n.names import quoted

__all__ = ["ChangeExplained", "PartOfChange", "change_explained"]


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
    found = difference(model, [component.kernel for component in record.components], *times)
    names = [_name(share, part_names(record)) for share in found.shares]
    units = units_of_model(model)
    whens = tuple(
        when_text(str(when).strip(), rows.tolist(), units) for when, rows in zip((at, against), times, strict=True)
    )
    told = [(name, share.mean, share.sd) for name, share in zip(names, found.shares, strict=True)]
    values = _in_data(model, found)
    texts = difference_texts((whens[0], whens[1]), values, found.seen, found.total, told, units)
    parts = tuple(
        PartOfChange(name, share.kind, share.mean, share.mean - BAND_SDS * share.sd,
                     share.mean + BAND_SDS * share.sd)
        for name, share in zip(names, found.shares, strict=True)
    )  # fmt: skip
    labels = [tuple(time_labels(model.dataset, rows).astype(str).tolist()) for rows in times]
    return ChangeExplained(
        labels[0], labels[1], values, found.seen, model.transform.name, found.total, parts, texts,
    )  # fmt: skip


def _name(share: Share, gists: tuple[str, ...]) -> str:
    if share.kind == "column":
        return quoted(share.name)
    return gists[share.index] if share.kind == "part" else share.kind


def _in_data(model: Model, found: Difference) -> tuple[float, float]:
    """The two values in the units of the data; of several rows the mean, of logarithms the geometric one."""
    first, second = model.transform.back(np.array(found.values)) + model.modelled.offset
    return float(first), float(second)
