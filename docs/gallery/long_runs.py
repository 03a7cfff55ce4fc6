"""The evidence of a function behind classes by annealing (Neal 2001): slow, and as exact as it is long.

The reference for approximations. Draws of the posterior itself are `gp.classes.slices`, whose moves these are.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.classes.slice_sampling import elliptical
from autostatistician.gp.covariance import factorise
from autostatistician.gp.likelihoods import LatentLikelihood

__all__ = ["annealed_evidence"]

Array = NDArray[np.float64]


def annealed_evidence(
    K: Array,
    y: Array,
    likelihood: LatentLikelihood,
    rng: np.random.Generator,
    *,
    chains: int = 100,
    temperatures: int = 200,
) -> tuple[float, float]:
    """The log evidence of a function with prior covariance ``K`` (n, n), and its standard error.

    Each chain goes from the prior to the posterior, the likelihood raised to powers from 0 to 1, one elliptical slice
    for each power. All chains move together.

    Examples
    --------
    >>> from autostatistician.gp.likelihoods import Bernoulli
    >>> found = annealed_evidence(np.eye(1), np.ones(1), Bernoulli(), np.random.default_rng(0))
    >>> abs(found[0] - np.log(0.5)) < 3.0 * found[1] < 0.05
    True
    """

    def levels(functions: Array) -> Array:
        return np.asarray(likelihood.log_density(y, functions).sum(axis=1))

    lower = factorise(K).lower
    f = rng.standard_normal((chains, len(y))) @ lower.T
    powers = np.linspace(0.0, 1.0, temperatures + 1) ** 3.0
    weights, level = np.zeros(chains), levels(f)
    for before, power in pairwise(powers):
        weights += (power - before) * level
        f, level, _ = elliptical(f, rng.standard_normal(f.shape) @ lower.T, level, levels, rng, power)
    top = weights.max()
    relative = np.exp(weights - top)
    return float(top + np.log(relative.mean())), float(relative.std() / relative.mean() / np.sqrt(chains))
