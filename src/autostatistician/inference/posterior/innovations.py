"""How new observations compare with what a posterior expected of them, one after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import factorise
from autostatistician.inference.posterior.posterior import Posterior

__all__ = ["decorrelated", "foreseen"]

Array = NDArray[np.float64]

ROWS_AT_ONCE = 250  # whose joint prediction is one matrix


def foreseen(posterior: Posterior, X: Array, y: Array) -> tuple[Array, Posterior]:
    """Standardised errors (m,) of predicting each new observation from all before it, and the posterior given all.

    Under the model the errors are independent and standard normal.

    >>> from autostatistician.inference.engines.choice import condition
    >>> from autostatistician.inference.problem import Problem
    >>> from autostatistician.language.kernel import leaf
    >>> posterior = condition(leaf("WN", sd=2.0), Problem(np.array([0.0]), np.array([1.0])))
    >>> errors, grown = foreseen(posterior, np.array([[1.0], [2.0]]), np.array([4.0, -3.0]))
    >>> errors.tolist(), len(grown.y)
    ([2.0, -1.5], 3)
    """
    errors = []
    for start in range(0, len(y), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        mean, cov = posterior.observations_joint(X[some])
        errors.append(decorrelated(y[some] - mean, cov))
        posterior = posterior.updated(X[some], y[some])
    return np.concatenate(errors), posterior


def decorrelated(errors: Array, covariance: Array) -> Array:
    """Errors (m,) with a covariance (m, m), each less what those before it say, in its standard deviations.

    >>> decorrelated(np.array([2.0, 3.0]), np.array([[4.0, 4.0], [4.0, 5.0]])).tolist()
    [1.0, 1.0]
    """
    return factorise(covariance).half_solve(errors)
