"""Laplace's approximation for several classes, whose functions have one prior covariance and are independent.

Rasmussen and Williams 2006, algorithms 3.3 and 3.4, with the determinant of the sum of the resolvents, which the
former leaves out, and the gradient as in `laplace`. The matrices of classes enter only as
``R = E - E (sum of E)^-1 E``, with ``E`` of a class that of a single function with precisions pi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, cholesky

from autostatistician.gp.classes.sites import given_sites
from autostatistician.gp.covariance import NotPositiveDefinite, mirrored
from autostatistician.gp.likelihoods.bernoulli import Softmax

__all__ = ["SoftmaxLaplace", "laplace_of_several"]

Array = NDArray[np.float64]

MOST_STEPS = 100
MOST_HALVINGS = 30
SETTLED = 1e-6  # largest step of a function: those of Newton's method shrink quadratically


@dataclass(frozen=True, eq=False)
class SoftmaxLaplace:
    """The approximation at the mode: functions in columns, all prior covariances equal."""

    K: Array  # (n, n), whole
    alpha: Array  # (n, classes) K^-1 times the functions; at the mode also what was seen less the probabilities
    resolvents: Array  # (classes, n, n): E
    half_inverse: tuple[Array, bool]  # of the sum of E, as `cho_solve` takes it
    log_evidence: float
    settled: bool

    def reduced(self, vectors: Array) -> Array:
        """R times vectors (n, classes)."""
        by_class = np.einsum("cij,jc->ic", self.resolvents, vectors)
        common = cho_solve(self.half_inverse, by_class.sum(axis=1))
        return np.asarray(by_class - np.einsum("cij,j->ic", self.resolvents, common))

    def adjoint(self) -> Array:
        """The matrix A of the derivative ``tr(A dK) / 2`` of the negative log evidence."""
        pi_of = Softmax(self.alpha.shape[1]).probability
        pi = pi_of(self.K @ self.alpha)
        covariance = self.covariance(self.K, self.K.diagonal())
        q = np.einsum("icc->ic", covariance) - 2.0 * np.einsum("icd,id->ic", covariance, pi)
        slopes = -0.5 * pi * (q - (pi * q).sum(axis=1, keepdims=True))
        u = slopes - self.reduced(self.K @ slopes)
        adjoint = self.resolvents.sum(axis=0)
        for resolvent in self.resolvents:
            adjoint -= resolvent @ cho_solve(self.half_inverse, resolvent)
        cross = u @ self.alpha.T
        return np.asarray(adjoint - self.alpha @ self.alpha.T - cross - cross.T)

    def covariance(self, cross: Array, prior: Array) -> Array:
        """Posterior covariances (m, classes, classes) of the functions at m places.

        ``cross`` (m, n) are prior covariances with the observations, ``prior`` (m,) prior variances.
        """
        reached = [cross @ resolvent for resolvent in self.resolvents]
        common = [cho_solve(self.half_inverse, rows.T).T for rows in reached]
        covariances = np.array([[np.einsum("ij,ij->i", rows, other) for other in reached] for rows in common])
        for place, rows in enumerate(reached):
            covariances[place, place] += prior - np.einsum("ij,ij->i", rows, cross)
        return np.moveaxis(covariances, 2, 0)


def laplace_of_several(K: Array, y: Array, likelihood: Softmax, start: Array | None = None) -> SoftmaxLaplace:
    """The approximation for classes ``y`` (n,) under one prior covariance ``K`` (n, n).

    Raises
    ------
    NotPositiveDefinite
        When the covariance is far from one.

    Examples
    --------
    >>> round(laplace_of_several(np.eye(1), np.array([2.0]), Softmax(3)).log_evidence, 2)  # log(1/3) is exact
    -1.12
    """
    seen = likelihood.seen(y)
    nothing = np.zeros_like(seen)
    alpha = nothing if start is None or _height(K, y, likelihood, start) < _height(K, y, likelihood, nothing) else start
    settled = False
    for _ in range(MOST_STEPS):
        target = _newton(K, seen, likelihood, alpha)[0]
        before, alpha = alpha, _shortened(K, y, likelihood, alpha, target)
        if settled := bool(np.abs(K @ (alpha - before)).max(initial=0.0) < SETTLED):
            break
    _, resolvents, factor, half_logdet = _newton(K, seen, likelihood, alpha)
    value = _height(K, y, likelihood, alpha) - half_logdet
    return SoftmaxLaplace(K, seen - likelihood.probability(K @ alpha), resolvents, factor, value, settled)


def _newton(K: Array, seen: Array, likelihood: Softmax, alpha: Array) -> tuple[Array, Array, tuple[Array, bool], float]:
    """Where Newton's step leads, with E of every class, the factor of their sum, and half the log determinant."""
    f = K @ alpha
    pi = likelihood.probability(f)
    resolvents, half_logdet = np.empty((pi.shape[1], *K.shape)), 0.0
    for place, precision in enumerate(pi.T):
        given = given_sites(K, precision, np.zeros(len(K)))
        resolvents[place] = mirrored(given.resolvent())
        half_logdet += given.half_logdet
    try:
        factor = cholesky(resolvents.sum(axis=0), lower=True)
    except np.linalg.LinAlgError as error:
        raise NotPositiveDefinite("no Cholesky factor of the sum over classes") from error
    half_logdet += float(np.log(factor.diagonal()).sum())
    b = pi * f - pi * (pi * f).sum(axis=1, keepdims=True) + seen - pi
    by_class = np.einsum("cij,jc->ic", resolvents, K @ b)
    common = cho_solve((factor, True), by_class.sum(axis=1))
    target = b - by_class + np.einsum("cij,j->ic", resolvents, common)
    return target, resolvents, (factor, True), half_logdet


def _height(K: Array, y: Array, likelihood: Softmax, alpha: Array) -> float:
    f = K @ alpha
    return float(likelihood.log_density(y, f).sum()) - 0.5 * float((alpha * f).sum())


def _shortened(K: Array, y: Array, likelihood: Softmax, here: Array, target: Array) -> Array:
    """The step to the target, halved until it leads upwards."""
    height, step = _height(K, y, likelihood, here), target - here
    for _ in range(MOST_HALVINGS):
        if _height(K, y, likelihood, here + step) >= height - 1e-12 * (1.0 + abs(height)):
            return here + step
        step = 0.5 * step
    return here
