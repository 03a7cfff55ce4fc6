"""Golden page and lines on scales of a learned power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from tests.decompose.series.series import decomposed
from tests.describe.factory import MONTHLY, MONTHS

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import modelled, power_of
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.facts.whole import ShapedScale
from autostatistician.describe.words.shapes import shape_of_table_text, shape_sentence, shape_text
from autostatistician.language.kernel import leaf

T = MONTHS - 1949
POWER = ShapedScale(
    id="model/scale", number=23.1, unit="target", evidence="e", probability=None, power=0.5,
    low=12.0, low_times=0.72, low_there=10.2, high=45.0, high_times=1.4, high_there=41.8,
)  # fmt: skip


@cache
def powered() -> Decomposition:
    """A line and a yearly cycle of the square root of the values, taken apart on the scale of their power."""
    root = 5.0 + 0.3 * T + np.sin(2 * np.pi * T) + 0.25 * np.random.default_rng(1).standard_normal(144)
    data = Dataset(MONTHS[:, None], root**2, ("month",), "sales", MONTHLY, "sales")
    power = power_of(root**2, 0.5)
    cycle = leaf("Per", sd=12.0, lengthscale=1.0, period=1.0)
    kernel = leaf("C", sd=50.0) + leaf("Lin", sd=4.0, location=1955.0) + cycle + leaf("WN", sd=3.0)
    fitted = Fitted(kernel, 600.0, 1234.0, 9, 1.0, 100)
    return decomposed(kernel, modelled(data, power), fitted=fitted, horizon=12, transform=power)


def shape_lines() -> Iterator[str]:
    """All of them, after the name of what they are about."""
    yield "# shapes"
    sales = Scale(target="sales")
    for fact in (
        POWER,
        replace(POWER, low_times=1.6, high_times=0.8),
        replace(POWER, low_times=1.5, high_times=1.5),
        replace(POWER, low_times=0.7, high_times=0.7),
        replace(POWER, low_times=1.01, high_times=1.0),
    ):
        yield shape_text(fact, sales)
    yield shape_of_table_text(POWER, sales)
    yield shape_sentence(POWER, sales)
