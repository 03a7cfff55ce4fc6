"""The scale of a power that was learned, as a fact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.transform import Transform
from autostatistician.describe.facts.whole import ShapedScale

__all__ = ["shape_facts"]

ENDS = (0.05, 0.95)  # of the data, at which sizes are compared


def shape_facts(transform: Transform, y: NDArray[np.float64]) -> tuple[ShapedScale, ...]:
    """What a learned scale makes of amounts where data ``y`` (n,) in their own units are low and high; of no other."""
    if not transform.is_power:
        return ()
    ends = np.quantile(y, ENDS)
    (low, high), there = ends.tolist(), transform.forward(ends).tolist()
    low_times, high_times = np.exp(-transform.log_slope(ends)).tolist()
    return (
        ShapedScale(
            id="model/scale", number=transform.scale, unit="target", evidence="the evidence of models on such scales",
            probability=None, power=transform.power, low=low, low_times=low_times,
            low_there=there[0], high=high, high_times=high_times, high_there=there[1],
        ),
    )  # fmt: skip
