"""Classes that a function can separate: their evidence does not say how large that function is.

The larger it is the surer the classes are, and where none of them speaks against it the evidence runs flat. Laplace's
approximation and EP are at their worst there, and predicted probabilities near 0 or 1 rest on the prior of the size.
"""

from __future__ import annotations

from collections.abc import Callable
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.classes.expectation import expectation_propagation
from autostatistician.inference.classes.laplace import laplace
from autostatistician.inference.classes.sites import SiteApproximation
from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.likelihoods.base import LatentLikelihood

__all__ = ["APPROXIMATIONS", "FLAT", "LARGER", "SeparableWarning", "is_flat", "warn_of_separable"]

Array = NDArray[np.float64]
Approximate = Callable[..., SiteApproximation]

APPROXIMATIONS: dict[str, Approximate] = {"ep": expectation_propagation, "laplace": laplace}
LARGER = 10.0  # times the fitted size
FLAT = 2.0  # nats by which the evidence falls at most towards that size, where the data do not limit it


class SeparableWarning(UserWarning):
    """Classes can be (nearly) separated, so the data do not say how sure predictions may be."""


def is_flat(K: Array, y: Array, likelihood: LatentLikelihood, how: str, fitted: SiteApproximation) -> bool:
    """Whether the evidence hardly falls when the function is made ten times as large.

    >>> from autostatistician.inference.likelihoods.bernoulli import Bernoulli
    >>> K, y = np.ones((8, 8)), np.array([1.0] * 4 + [-1.0] * 4)
    >>> [is_flat(K, one, Bernoulli(), "ep", expectation_propagation(K, one, Bernoulli())) for one in (y, np.ones(8))]
    [False, True]
    """
    try:
        larger = APPROXIMATIONS[how](LARGER**2 * K, y, likelihood)
    except NotPositiveDefinite:
        return True
    return bool(larger.log_evidence > fitted.log_evidence - FLAT)


def warn_of_separable(depth: int) -> None:
    """Warn the caller, so many calls above, that the data do not limit the size of the function."""
    text = (
        "the classes can be separated, or nearly: the data do not say how large the latent function is, so "
        "probabilities near 0 or 1 rest on its weak prior. Predicted classes are not affected; for probabilities give "
        "more rows, or fewer columns"
    )
    warn(text, SeparableWarning, stacklevel=depth + 1)
