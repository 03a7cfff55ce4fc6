"""The free parameters of an expression as coordinates with a normal prior between limits: what chains move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.classes.slices import Normal
from autostatistician.inference.fitting.probable import prior_of
from autostatistician.inference.parameters import FreeParameters, Scales, admissible
from autostatistician.language.kernel import Kernel

__all__ = ["Numbers", "held_numbers", "weak_numbers"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Numbers:
    """Coordinates u (p,) of the parameters of an expression; their prior, their limits, and where chains begin."""

    values: Callable[[Array], tuple[float, ...]]  # of all parameters
    prior: Normal
    low: Array
    high: Array
    start: Array


def weak_numbers(fitted: Kernel, scales: Scales) -> Numbers:
    """The coordinates in which `most_probable` fits, with its weak prior, begun at its kernel.

    >>> from autostatistician.inference.parameters import measure
    >>> from autostatistician.language.kernel import leaf
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(9.0), ("x",))
    >>> numbers = weak_numbers(leaf("SE", lengthscale=3.0, sd=2.0), scales)
    >>> [round(value, 6) for value in numbers.values(numbers.start)], numbers.prior.mean.shape
    ([3.0, 2.0], (2,))
    """
    free = FreeParameters.of(fitted.expr, scales)
    priors = free.priors()
    prior = prior_of(fitted.expr, priors, scales)
    others = admissible(Kernel(fitted.expr, free.usual), scales).values
    low, high = np.array([(each.low, each.high) for each in priors]).reshape(-1, 2).T
    start = np.clip(priors.coordinates(fitted.values), low, high)
    return Numbers(lambda u: priors.values(u, others), Normal(prior.mean, prior.root), low, high, start)


def held_numbers(kernel: Kernel) -> Numbers:
    """No coordinates: all parameters are as they are.

    >>> from autostatistician.language.kernel import leaf
    >>> held_numbers(leaf("C", sd=2.0)).values(np.zeros(0))
    (2.0,)
    """
    nothing = np.zeros(0)
    return Numbers(lambda _: kernel.values, Normal(nothing, np.zeros((0, 0))), nothing, nothing, nothing)
