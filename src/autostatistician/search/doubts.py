"""What a cycle costs that the data show only a few times."""

from __future__ import annotations

from autostatistician.inference.scales import Scales
from autostatistician.language.kernel import Kernel, parameters

__all__ = ["doubt"]

PER_MISSING_CYCLE = 4.0  # on the scale of a deviance; see `doubt`


def doubt(kernel: Kernel, scales: Scales) -> float:
    """What the periods of a kernel add to its criterion, because so few of their cycles lie within the data.

    Any smooth or wandering curve has some bends, which a cycle of a suitable period meets: two or three of them are no
    evidence that they repeat. For each cycle that is missing to four the prior odds of the model fall to
    ``exp(-PER_MISSING_CYCLE / 2)``, about one in seven. Cycles of the calendar are believed.

    >>> import numpy as np
    >>> from autostatistician.inference.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> scales = measure(np.arange(40.0)[:, None], np.ones(40), ("x",))
    >>> [doubt(leaf("Cos", period=period, sd=1.0), scales) for period in (8.0, 16.0)]
    [0.0, 6.0]
    """
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    periods = ((one.node, value) for one, value in every if one.name == "period")
    missing = (scales.columns[getattr(node, "column", None)].missing_cycles(period) for node, period in periods)
    return PER_MISSING_CYCLE * sum(missing)
