"""What repeats in a series with a period, by the model that is told of it."""

from __future__ import annotations

import numpy as np

from autostatistician.decompose.records.series import Repeats
from autostatistician.decompose.series.repeats import repeats
from autostatistician.decompose.uncertainty import ParameterDraws, uncertainty_of
from autostatistician.errors import InputError
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import is_noise
from autostatistician.model.fitted import Model
from autostatistician.threads import one_thread

__all__ = ["repeats_of"]


def repeats_of(model: Model, period: float, part: Kernel | None = None) -> Repeats:
    """What repeats with a period (in units of the axis) of all parts of a series but noise, or of one of them.

    Raises
    ------
    InputError
        When all of the model, or the part, is noise, or the rows do not show the period twice.
    """
    axis = model.dataset.axis
    assert axis is not None, "only a series has an axis"

    def drawn() -> ParameterDraws:
        rng = np.random.default_rng(model.settings.seed)
        return uncertainty_of(model.posterior, rng, axis.natural_periods, priors=model.priors)

    with one_thread():
        members = model.once("numbers of repeats", drawn)
        wanted = members.fit.parts if part is None else (part,)
        signal = [members.fit.parts.index(kernel) for kernel in wanted if not is_noise(kernel)]
        if not signal:
            raise InputError.of("a part that is no noise", "noise alone", "ask for another one: noise never repeats")
        rng = np.random.default_rng(model.settings.seed)
        return repeats(members, signal, period, axis.step or axis.gap, rng)
