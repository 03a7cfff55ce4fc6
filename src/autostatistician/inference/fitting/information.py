"""How sharply a likelihood is expected to turn along each parameter of an expression: Fisher's information."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.choice import prior_covariances
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr

__all__ = ["information"]

Vector = NDArray[np.float64]

DIFFERENCE_STEP = 1e-4  # of the differences
RELATIVE_JITTER = 1e-8  # of the mean variance


def information(expr: Expr, problem: Problem, values: Callable[[Vector], tuple[float, ...]], place: Vector) -> Vector:
    """The diagonal (p,) of Fisher's information at coordinates ``place`` (p,), as if all rows told as much as a few.

    For Gaussian data with covariance K it is ``tr((K^-1 dK)^2) / 2`` (Rasmussen and Williams 2006, section 5.4), here
    of at most `problem.FEW_ROWS` rows and by differences. It is zero where there is no covariance.

    Parameters
    ----------
    expr : Expr
        The expression.
    problem : Problem
        The data; their targets play no part.
    values : callable
        The parameters of the expression at some coordinates.
    place : array (p,)
        The coordinates.

    Examples
    --------
    >>> from autostatistician.language.expr import Leaf
    >>> problem = Problem(np.arange(6.0)[:, None], np.ones(6), ("x",))
    >>> information(Leaf("WN"), problem, lambda u: (float(np.exp(u[0])),), np.zeros(1)).round(2).tolist()
    [12.0]
    """
    few = problem.few
    noise = np.diag(few.likelihood.variance(few.X))  # with that of rows by themselves, `here` has it
    with np.errstate(all="ignore"):  # what is no number counts as unknown
        here, *there = prior_covariances(
            expr, few, [values(place), *(values(place + step) for step in DIFFERENCE_STEP * np.eye(len(place)))]
        )
        try:
            inverse = np.linalg.inv(here + noise + RELATIVE_JITTER * here.diagonal().mean() * np.eye(few.n))
        except np.linalg.LinAlgError:
            return np.zeros(len(place))
        relative = inverse @ ((np.stack(there) - here) / DIFFERENCE_STEP)
        diagonal = 0.5 * np.einsum("kij,kji->k", relative, relative) * (problem.n / few.n)
    return np.where(np.isfinite(diagonal), np.maximum(diagonal, 0.0), 0.0)
