"""What expressions owe beside their numbers: for having been chosen among many, and for what too few rows carry."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from autostatistician.inference.covariance import covariance, prior_variance, signal_and_noise
from autostatistician.inference.evidence import Points
from autostatistician.inference.factor import NotPositiveDefinite, factorise
from autostatistician.inference.posterior import log_evidence_of
from autostatistician.language.count import effective_parameters
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import noise_shapes

__all__ = ["charge", "excess"]

ROWS_PER_LEVEL = 10  # that carry a size of the noise: from these it is known to a fifth
SHAPES = 10  # among which one of the noise is chosen: lines, windows and changes, around one part or around all


def charge(expr: Expr, n: int) -> float:
    """What is added to the BIC of an expression for a series of ``n`` rows.

    Each shape of the noise costs ``2 log`` of the shapes that it is the best of. And where numbers are many for the
    rows, ``log n`` for each is too little: with the correction of Hurvich and Tsai (1989), ``2 p n / (n - p - 1)``.

    >>> from autostatistician.language.text import parse
    >>> [[round(charge(parse(text), n), 1) for text in ("Lin + WN", "Lin + Lin * WN")] for n in (8, 100)]
    [[5.8, 17.6], [0.0, 4.6]]
    """
    numbers = effective_parameters(expr)
    small = 2.0 * numbers * n / max(n - numbers - 1, 1) - numbers * log(n)
    return max(small, 0.0) + 2.0 * noise_shapes(expr) * log(SHAPES)


def excess(kernel: Kernel, points: Points, names: Sequence[str | None], floor: float) -> float:
    """What a kernel owes, in deviance, to noise that is smaller at a few rows than rows can show.

    Noise that vanishes at one row lets the likelihood grow without end there. The smallest sizes are judged as if
    they were that of the `ROWS_PER_LEVEL`-th row, and at least the noise ``floor``.
    """
    noise = signal_and_noise(kernel)[1]
    if noise is None or not noise_shapes(kernel.expr):
        return 0.0
    columns = tuple(names)
    sizes = prior_variance(noise, points.X, columns)
    least = max(float(np.sort(sizes)[min(ROWS_PER_LEVEL, len(sizes)) - 1]), floor**2)
    K = covariance(kernel, points.X, None, columns)
    try:
        before = factorise(K)
        K[np.diag_indices_from(K)] += np.maximum(least - sizes, 0.0)
        after = factorise(K)
    except NotPositiveDefinite:
        return 0.0
    evidence = [log_evidence_of(factor, points.y, factor.solve(points.y)) for factor in (before, after)]
    return max(2.0 * (evidence[0] - evidence[1]), 0.0)
