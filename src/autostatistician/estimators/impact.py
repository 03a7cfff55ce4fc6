"""What an event did to a series, as an answer with numbers and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from autostatistician.data.dataset import Dataset, time_labels
from autostatistician.data.new_rows import model_positions
from autostatistician.describe.words.answers.impact import impact_texts
from autostatistician.errors import InputError
from autostatistician.estimators.units import units_of_model
from autostatistician.fitted.impact import Impact, impact_of
from autostatistician.fitted.predictions import Options
from autostatistician.search.run import Settings
from autostatistician.search.state import Watched

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EventEffect", "event_effect"]

NEAR = 1e-3  # of a step


@dataclass(frozen=True, eq=False)
class EventEffect:
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

    def __str__(self) -> str:
        return " ".join(self.sentences)


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
    found = impact_of(dataset, float(position) - NEAR * dataset.axis.gap, language, settings, options, callback)
    return _told(dataset, found)


def _told(dataset: Dataset, found: Impact) -> EventEffect:
    import pandas as pd

    average, total, share = found.average, found.total, found.share
    alike = int(np.sum(np.abs(found.placebos) >= abs(found.size)))
    units = units_of_model(found.model)
    acting = () if found.model.effects is None else found.model.effects.acting
    sentences = impact_texts(
        float(found.x[0]), len(found.x), (average, total, share), (len(found.placebos), alike, found.placebo_p),
        (found.is_event, found.tested), acting, units,
    )  # fmt: skip
    rows = pd.DataFrame({
        "time": time_labels(dataset, found.x), "value": found.values, "expected": found.mean, "lower": found.lower,
        "upper": found.upper, "effect": found.values - found.mean, "effect_lower": found.values - found.upper,
        "effect_upper": found.values - found.lower,
    })  # fmt: skip
    return EventEffect(
        rows, average, total, share, found.p_value, len(found.placebos), found.placebo_p, found.is_event,
        str(found.model.kernel), sentences,
    )  # fmt: skip
