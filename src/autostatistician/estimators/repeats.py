"""What repeats in a series and what does not, as an answer with curves and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from autostatistician.data.dataset import time_labels
from autostatistician.decompose.records.series import Repeats
from autostatistician.describe.axis.units import SECONDS
from autostatistician.describe.tell import part_names
from autostatistician.describe.words.answers.repeats import repeats_texts
from autostatistician.errors import InputError
from autostatistician.estimators.units import units_of_model
from autostatistician.model.explanation import decomposition
from autostatistician.model.fitted import Model
from autostatistician.model.repeats import repeats_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RepeatingParts", "repeating_parts"]


@dataclass(frozen=True, eq=False)
class RepeatingParts:
    """A series, or a part of its model, as what repeats with a period and what does not.

    Attributes
    ----------
    period : float
        In units of the axis.
    share, lower, upper : float
        The variance of what repeats, as a share of that of both, with its range of 95 %.
    expected : float
        The share that the kernel of the model, with its numbers, expects without the data.
    curves : DataFrame
        time, cycle, cycle_lower, cycle_upper, rest, rest_lower and rest_upper (95 %, of the function without noise).
        Cycle and rest add up to the function or part, of a logarithm about the typical level.
    scale : str
        That of the curves and of the share: "none", or "log" where the logarithm of the target is modelled.
    sentences : tuple of str
        The same in words.
    """

    period: float
    share: float
    lower: float
    upper: float
    expected: float
    curves: pd.DataFrame = field(repr=False)
    scale: str
    sentences: tuple[str, ...] = field(repr=False)

    def __str__(self) -> str:
        return " ".join(self.sentences)


def repeating_parts(model: Model, period: float | str, part: int | None = None) -> RepeatingParts:
    """What repeats with a period of a series, or of one part of its model (counted from 1, as the report has them).

    Raises
    ------
    InputError
        When the model is not one of a series of numbers, has no such part, or the rows do not show the period twice.
    """
    if model.dataset.axis is None or model.dataset.classes:
        kind = "classes" if model.dataset.classes else "a table"
        raise InputError.of("a series of numbers", f"a model of {kind}", "ask one of a time and a target")
    length, name, kernel = _length(model, period), "", None
    if part is not None:
        record = decomposition(model, 0, checked=False)
        if not 1 <= part <= len(record.components):
            raise InputError.of(f"a part from 1 to {len(record.components)}", f"{part}", "see `decompose`")
        name, kernel = part_names(record)[part - 1], record.components[part - 1].kernel
    found = repeats_of(model, length, kernel)
    share = found.share.number, found.share.low, found.share.high
    texts = repeats_texts(name, length, share, found.expected, units_of_model(model))
    level = model.modelled.offset - model.transform.shift if part is None else 0.0
    return RepeatingParts(length, *share, found.expected, _frame(model, found, level), model.transform.name, texts)


def _length(model: Model, period: float | str) -> float:
    """A period in units of the axis; on a calendar it may be named."""
    axis = model.dataset.axis
    assert axis is not None
    if isinstance(period, str) and axis.unit in SECONDS and period in SECONDS:
        return SECONDS[period] / SECONDS[axis.unit]
    if isinstance(period, int | float | np.number) and np.isfinite(period):
        return float(period)
    names = f", or one of {', '.join(SECONDS)}" if axis.unit in SECONDS else ""
    raise InputError.of(f"a number of units of the axis{names}", repr(period), "name one")


def _frame(model: Model, found: Repeats, level: float) -> pd.DataFrame:
    import pandas as pd

    columns = {
        name + end: getattr(curve, attribute) + added
        for name, curve, added in (("cycle", found.cycle, 0.0), ("rest", found.rest, level))
        for end, attribute in (("", "mean"), ("_lower", "lower"), ("_upper", "upper"))
    }
    return pd.DataFrame({"time": time_labels(model.dataset, found.cycle.x), **columns})
