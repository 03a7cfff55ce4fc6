"""What noise costs whose size changes: for its shape, and for vanishing where few rows show it.

Where a likelihood has no noise in its expressions, nothing.
"""

from __future__ import annotations

from math import log

import numpy as np

from autostatistician.inference.engines.choice import condition
from autostatistician.inference.factor import NotPositiveDefinite
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import noise_shapes

__all__ = ["excess", "shape_charge"]

ROWS_PER_SIZE = 10  # that carry a size of the noise: from these it is known to a fifth
CHOICE_OF_SHAPES = 10  # among which one is chosen: lines, windows and changes, around one part or around all


def shape_charge(expr: Expr) -> float:
    """What is added to the BIC of an expression: ``2 log`` of the shapes that each of its noise is the best of.

    >>> from autostatistician.language.text import parse
    >>> [round(shape_charge(parse(text)), 1) for text in ("Lin + WN", "Lin + Lin * WN")]
    [0.0, 4.6]
    """
    return 2.0 * noise_shapes(expr) * log(CHOICE_OF_SHAPES)


def excess(kernel: Kernel, problem: Problem, floor: float) -> float:
    """What a kernel owes, in deviance, to noise that is smaller at a few rows than rows can show.

    Noise that vanishes at one row lets the likelihood grow without end there. The smallest sizes are judged as if
    they were that of the `ROWS_PER_SIZE`-th row, and at least the noise ``floor``.
    """
    if problem.likelihood.halves(kernel)[1] is None or not noise_shapes(kernel.expr):
        return 0.0
    try:
        before = condition(kernel, problem)
        sizes = before.noise_variance()
        least = max(float(np.sort(sizes)[min(ROWS_PER_SIZE, len(sizes)) - 1]), floor**2)
        after = before.noisier(np.maximum(least - sizes, 0.0))
    except NotPositiveDefinite:
        return 0.0
    return max(2.0 * (before.log_evidence - after.log_evidence), 0.0)
