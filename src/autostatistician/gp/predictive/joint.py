"""Joint draws of new observations: each distributed as it should be, together as their covariance says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from autostatistician._io.threads import one_thread
from autostatistician.gp.posterior import draw

__all__ = ["normal_draws", "with_marginals"]

Array = NDArray[np.float64]

SCORES = np.linspace(-6.0, 6.0, 401)  # normal ones of the quantiles that draws are read off


class Quantiles(Protocol):
    """One distribution for each of m rows."""

    def quantiles(self, levels: Sequence[float]) -> Array:
        """Quantiles (m, number of levels)."""


def normal_draws(mean: Array, cov: Array, rng: np.random.Generator, count: int) -> Array:
    """Normal draws (m, count)."""
    with one_thread():
        return draw(mean, cov, rng, count=count, independent=True).T


def with_marginals(
    each: Quantiles, cov: Array, count: int, rng: np.random.Generator, *, whole: bool, scores: Array = SCORES
) -> Array:
    """Draws (m, count) whose values are each distributed as they should be, and go together as ``cov`` (m, m) says.

    A Gaussian copula: normal draws with these correlations become quantiles. ``whole`` takes quantiles as they are
    (counts), otherwise they are joined by lines; those of fewer ``scores`` take less time.

    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.gp.predictive.predictive import predictive
    >>> of_logarithm = predictive(np.zeros(2), np.ones(2), Transform("log"))
    >>> drawn = with_marginals(of_logarithm, np.eye(2), 2000, np.random.default_rng(0), whole=False)
    >>> np.median(drawn, axis=1).round(1).tolist(), bool((drawn > 0.0).all())
    ([1.0, 1.0], True)
    """
    sds = np.sqrt(np.maximum(cov.diagonal(), 0.0))
    scales = np.where(sds > 0.0, sds, 1.0)
    normal = normal_draws(np.zeros(len(cov)), cov / np.outer(scales, scales), rng, count)
    quantiles = each.quantiles(ndtr(scores).tolist())
    if whole:
        places = np.clip(np.round((normal - scores[0]) / (scores[1] - scores[0])), 0, len(scores) - 1)
        return np.take_along_axis(quantiles, places.astype(np.intp), axis=1)
    return np.array([np.interp(row, scores, values) for row, values in zip(normal, quantiles, strict=True)])
