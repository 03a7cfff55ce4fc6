"""Known functions with normal coefficients beside a prior, given observations (see `inference.basis`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.basis import Basis, integrated
from autostatistician.inference.posterior.conditioning import Conditioned, conditioned
from autostatistician.inference.posterior.places import Prior, Values
from autostatistician.inference.posterior.projection import Dense, Projection

__all__ = ["WithFunctions", "with_functions"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WithFunctions:
    """The posterior of ``h(x)' b + g(x)``: of the coefficients b, and of the function g; built by `with_functions`."""

    rest: Conditioned  # g, given what the functions leave of the observations
    coefficients: Array  # posterior mean (m,)
    covariance: Array  # of the coefficients (m, m)
    solved: Array  # (n, m): the inverse of the covariance of g and noise, times the functions
    log_evidence: float

    def project(self, part: Any, at: Array, functions: Array) -> Projection:
        """The posterior of a part of g at points (k, d), with the functions (k, m) there."""
        rest = Values(at).covariances(self.rest.prior, part, self.rest.X)
        apart = functions - rest.cross @ self.solved  # what the data say of g is not news of b
        mean = functions @ self.coefficients + rest.cross @ self.rest.alpha
        return Projection(
            mean,
            lambda: rest.variance + np.einsum("ij,jk,ik->i", apart, self.covariance, apart),
            lambda: Dense(self.rest.factor.half_solve(rest.cross.T, overwrite=True)),
            lambda: rest.matrix() + apart @ self.covariance @ apart.T,
        )


def with_functions(prior: Prior, X: Array, y: Array, matrix: Array, basis: Basis) -> WithFunctions | None:
    """Condition a prior and known functions on observations; None where the functions cannot be told apart.

    ``matrix`` (n, n) is the covariance of the observations without the functions; it is lost.

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised even with jitter.

    Examples
    --------
    >>> from autostatistician.inference.posterior.averages import ColumnPrior
    >>> rows, functions = np.array([[0.0], [1.0]]), Basis(np.ones((2, 1)), np.zeros(1))
    >>> known = with_functions(ColumnPrior(("x",)), rows, np.array([1.0, 3.0]), np.eye(2), functions)
    >>> known.coefficients.round(6).tolist(), known.covariance.round(6).tolist()
    ([2.0], [[0.5]])
    """
    sizes = np.sqrt(np.mean(basis.values**2, axis=0))
    sizes[sizes == 0.0] = 1.0
    even = Basis(basis.values / sizes, basis.precisions / sizes**2)
    plain = conditioned(prior, X, y, matrix)
    fitted = integrated(even, plain.factor.solve(even.values), plain.alpha)
    if fitted is None:
        return None
    coefficients = fitted.coefficients / sizes
    return WithFunctions(
        Conditioned(prior, X, y - basis.values @ coefficients, plain.factor, fitted.alpha),
        coefficients,
        fitted.covariance / np.multiply.outer(sizes, sizes),
        fitted.solved * sizes,
        # of the functions as they are, not of those of size one
        -fitted.nll(y, plain.factor.logdet) - float(np.log(sizes[basis.precisions == 0.0]).sum()),
    )
