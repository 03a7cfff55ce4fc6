"""What repeats in a series and what does not, as an answer with curves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import time_labels
from autostatistician.decompose.series.repeats import repeats
from autostatistician.decompose.uncertainty import ParameterDraws, uncertainty_of
from autostatistician.describe.axis.units import SECONDS
from autostatistician.errors import InputError
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.model import Model
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

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
    """

    period: float
    share: float
    lower: float
    upper: float
    expected: float
    curves: pd.DataFrame = field(repr=False)
    scale: str


def repeating_parts(model: Model, period: float | str, part: int | None = None) -> RepeatingParts:
    """What repeats with a period of a series, or of one part of its model (counted from 1, as the report has them).

    Raises
    ------
    InputError
        When the model is not one of a series of numbers, has no such part, all of it is noise, or the rows do not show
        the period twice.
    """
    import pandas as pd

    axis, seeded = model.dataset.axis, partial(np.random.default_rng, model.settings.seed)
    if axis is None or model.dataset.classes:
        kind = "classes" if model.dataset.classes else "a table"
        raise InputError.of("a series of numbers", f"a model of {kind}", "ask one of a time and a target")
    length = _length(period, axis.unit)

    def drawn() -> ParameterDraws:
        return uncertainty_of(model.posterior, seeded(), axis.natural_periods, priors=model.priors)

    with one_thread():
        members = model.once("numbers of repeats", drawn)
        wanted = members.fit.parts if part is None else (_part(model, part),)
        signal = [members.fit.parts.index(kernel) for kernel in wanted if not is_noise(kernel)]
        if not signal:
            raise InputError.of("a part that is no noise", "noise alone", "ask for another one: noise never repeats")
        found = repeats(members, signal, length, axis.step or axis.gap, seeded())
    share, level = found.share, model.modelled.offset - model.transform.shift if part is None else 0.0
    curves = pd.DataFrame({"time": time_labels(model.dataset, found.cycle.x), **found.columns(level)})
    return RepeatingParts(length, share.number, share.low, share.high, found.expected, curves, model.transform.name)


def _length(period: float | str, unit: str) -> float:
    """A period in units of the axis; on a calendar it may be named."""
    if isinstance(period, str) and unit in SECONDS and period in SECONDS:
        return SECONDS[period] / SECONDS[unit]
    if isinstance(period, int | float | np.number) and np.isfinite(period):
        return float(period)
    names = f", or one of {', '.join(SECONDS)}" if unit in SECONDS else ""
    raise InputError.of(f"a number of units of the axis{names}", repr(period), "name one")


def _part(model: Model, part: int) -> Kernel:
    components = decomposition(model, 0, checked=False).components
    if not 1 <= part <= len(components):
        raise InputError.of(f"a part from 1 to {len(components)}", f"{part}", "see `decompose`")
    return components[part - 1].kernel
