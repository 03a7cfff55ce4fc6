"""A normal prior conditioned on observations with one factorisation, and all that is asked of it.

Rasmussen and Williams 2006 (Gaussian Processes for Machine Learning), algorithm 2.1 and section 5.4.2, for evidence,
prediction and leave-one-out; Duvenaud 2014, section 2.4.5, for the posterior of additive parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import Factor, factorise
from autostatistician.gp.posterior.functionals import Functional, PartLevel, Prior, Values, places_of
from autostatistician.gp.posterior.projection import Dense, Projection
from autostatistician.gp.problem import Basis, integrated

__all__ = ["Conditioned", "conditioned", "given_before", "log_evidence_of", "misfit", "with_functions"]


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Conditioned:
    """Observations ``y`` (n,) at ``X`` (n, d) under a prior of additive parts; built by `conditioned`.

    Everything is in the units of ``y``. Only this room looks at the factor and at ``alpha``.
    """

    prior: Prior
    X: Array
    y: Array
    factor: Factor  # of the covariance of the observations
    alpha: Array  # (n,) that covariance's inverse times y

    @property
    def log_evidence(self) -> float:
        """The log marginal likelihood of ``y`` (of the jittered covariance, should there be jitter)."""
        return log_evidence_of(self.factor, self.y, self.alpha)

    @property
    def jitter(self) -> float:
        """What was added to the variances of the observations to keep the arithmetic stable; 0 as a rule."""
        return self.factor.jitter

    def project(self, part: Any, at: Functional | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, d), at other `Functional`, or at the observations (None).

        At the observations white noise in a part is that of the data (the residuals have a posterior); at any points
        it is a new, independent draw with mean zero, also where a datum happens to lie.
        """
        asked = places_of(at).covariances(self.prior, part, self.X)
        return Projection(
            asked.cross @ self.alpha,
            lambda: asked.variance,
            lambda: Dense(self._half_solved(np.asarray(asked.cross.T))),
            asked.matrix,
        )

    def _half_solved(self, across: Array) -> Array:
        """L^-1 times some covariances (n, m); those of new noise are zero, and so is what is solved for them."""
        return self.factor.half_solve(across, overwrite=True) if across.any() else across

    def level(self, part: Any) -> tuple[PartLevel, float]:
        """The mean of a part over the observations, and the largest prior variance of the part there."""
        matrix = self.prior.matrix(part, self.X)
        return PartLevel.of(matrix), float(matrix.diagonal().max(initial=0.0))

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation predicted from all the others.

        Rasmussen and Williams 2006, equations 5.10 to 5.12.
        """
        return left_out(self.y, self.alpha, self.factor.inverse_diagonal())

    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised leave-one-out errors (count, n) of data drawn from the model.

        With K = L L', errors are K^-1 y over the roots of the diagonal of K^-1, and K^-1 L z is L^-T z.
        """
        n = len(self.y)
        lower = self.factor.half_solve(np.asfortranarray(np.eye(n)))  # L^-1
        normal = rng.standard_normal((n, count))
        return np.asarray((lower.T @ normal).T / np.sqrt(self.factor.inverse_diagonal()))

    def whitened(self, values: Array) -> Array:
        """Values (n,) or (n, k) at the observations in units in which these are independent, each of variance one.

        Least squares of whitened values are generalised least squares (Rao 1973, section 4a.8).
        """
        return self.factor.half_solve(values)

    def innovations(self) -> Array:
        """Standardised errors (n,) of predicting each observation from all before it."""
        return self.whitened(self.y)

    @property
    def innovation_sd(self) -> Array:
        """The standard deviations (n,) of these errors before they are standardised."""
        return np.array(self.factor.packed.diagonal())


def left_out(y: Array, alpha: Array, inverse_diagonal: Array) -> tuple[Array, Array, Array]:
    """What `Conditioned.leave_one_out` says of ``y``, from the inverse covariance: times ``y``, and its diagonal."""
    variance = 1.0 / inverse_diagonal
    error = alpha * variance
    return y - error, variance, -0.5 * (np.log(2.0 * pi * variance) + error**2 / variance)


def log_evidence_of(factor: Factor, y: Array, alpha: Array) -> float:
    """Log density of ``y`` under a normal distribution with mean zero and the factorised covariance.

    Rasmussen and Williams 2006, equation 2.30; ``alpha`` is the inverse of the covariance times ``y``.
    """
    return -0.5 * (float(y @ alpha) + factor.logdet + len(y) * log(2.0 * pi))


def conditioned(prior: Prior, X: Array, y: Array, matrix: Array) -> Conditioned:
    """Condition a prior on observations whose covariance ``matrix`` (n, n) is given, and lost.

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised even with jitter.
    """
    factor = factorise(matrix, overwrite=True)
    return Conditioned(prior, X, y, factor, factor.solve(y))


def misfit(matrix: Array, y: Array) -> tuple[float, Array]:
    """The negative log density of ``y`` with a covariance ``matrix`` (n, n), which is lost, and its derivatives by it.

    The derivatives by the entries are ``(K^-1 - alpha alpha') / 2`` (Rasmussen and Williams 2006, equation 5.9).

    Raises
    ------
    NotPositiveDefinite
        When it cannot be factorised even with jitter.

    Examples
    --------
    >>> value, slopes = misfit(np.eye(2), np.array([1.0, 0.0]))
    >>> round(value - log(2.0 * pi), 6), slopes.tolist()
    (0.5, [[0.0, 0.0], [0.0, 0.5]])
    """
    factor = factorise(matrix, overwrite=True)
    alpha = factor.solve(y)
    slopes = factor.inverse()
    slopes -= np.multiply.outer(alpha, alpha)
    slopes *= 0.5
    return -log_evidence_of(factor, y, alpha), slopes


# --- What each of several jointly normal values is expected to be, given those before it ----------------------------


def given_before(values: Array, mean: Array, covariance: Array) -> tuple[Array, Array]:
    """Mean and standard deviation (m,) of each value given those before it, from the moments (m,), (m, m) of all.

    >>> means, sds = given_before(np.array([2.0, 3.0]), np.zeros(2), np.array([[4.0, 4.0], [4.0, 5.0]]))
    >>> means.tolist(), sds.tolist()
    ([0.0, 2.0], [2.0, 1.0])
    """
    factor = factorise(covariance)
    sds = np.array(factor.lower.diagonal())
    return values - sds * factor.half_solve(values - mean), sds


# --- Known functions with normal coefficients beside a prior, given observations -----------------------------------


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
    >>> from autostatistician.gp.posterior.functionals import ColumnPrior
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
