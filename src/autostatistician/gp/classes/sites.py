"""A likelihood that is not normal, in whose place stands a normal one at every observation: its site.

Site i is ``exp(natural_i f_i - precision_i f_i^2 / 2)`` but for a factor, so that the function is normal given the
data, as if pseudo-targets natural / precision had been seen with variances 1 / precision. Everything is computed from
``B = I + S K S`` with ``S`` the root of the precisions, which is well conditioned where a site says nothing, too
(Rasmussen and Williams 2006, sections 3.4 and 3.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from autostatistician.gp.covariance import Factor, NotPositiveDefinite, mirrored
from autostatistician.gp.posterior import Conditioned, Prior

__all__ = [
    "Covariance",
    "FunctionGivenSites",
    "Root",
    "SiteApproximation",
    "SitedFunction",
    "conditioned_on_sites",
    "given_sites",
    "rooted",
    "times",
    "triangular_inverse",
]

Array = NDArray[np.float64]

LITTLE = 1e-5  # of precision times prior variance: below it the posterior variance is not taken from the inverse of B
LEAST_PRECISION = 1e-12  # of a site, as a share of the prior precision: its row of the factor is divided by the root
LEFT_OUT = 1e-8  # of the largest prior variance: what a covariance of few columns leaves out of each
MOST_COLUMNS = 160  # and a third of the rows: of a covariance that is taken by its columns
FEW = 64  # rows of a triangle that LAPACK inverts as fast as any; larger ones are halved


@dataclass(frozen=True, eq=False)
class FunctionGivenSites:
    """The function at the observations given sites, with the factor of ``B`` that it came from.

    Matrices are in C order with only their upper triangle defined.
    """

    K: Any  # (n, n) prior covariance, or its `Root`
    precision: Array  # (n,)
    natural: Array  # (n,)
    packed: Array  # (n, n) the factor of B, as LAPACK's lower triangle of the transpose
    alpha: Array  # (n,) K^-1 times the mean
    mean: Array  # (n,)

    @property
    def half_logdet(self) -> float:
        """``log det(B) / 2``."""
        return float(np.log(self.packed.diagonal()).sum())

    def pulled(self, natural: Array) -> FunctionGivenSites:
        """The function given sites with the same precisions and other naturals (n,), without a new factorisation."""
        return _solved(self.K, self.precision, natural, self.packed)

    def as_normal_data(self) -> tuple[Array, Factor]:
        """Pseudo-targets (n,), and the factor of ``K + 1 / precision``, their covariance: that of B, rows divided."""
        least = LEAST_PRECISION / np.maximum(self.K.diagonal(), np.finfo(np.float64).tiny)
        precision = np.maximum(self.precision, least)
        packed = np.asfortranarray(self.packed.T / np.sqrt(precision)[:, None])
        return self.natural / precision, Factor(packed, 0.0)

    @cached_property
    def cavity(self) -> tuple[Array, Array]:
        """Mean and variance (n,) of the function at every observation without its site."""
        precision = np.maximum(1.0 / self.variance - self.precision, LEAST_PRECISION / self.variance)
        return (self.mean / self.variance - self.natural) / precision, 1.0 / precision

    @cached_property
    def half_inverse(self) -> Array:
        """The inverse (n, n) of the factor of B: lower triangle, in Fortran order."""
        return triangular_inverse(self.packed.T)

    def inverse(self) -> Array:
        """``B^-1`` (n, n)."""
        product, _ = lapack.dlauum(self.half_inverse, lower=1)
        return np.asarray(product.T)

    def resolvent(self) -> Array:
        """``(K + 1 / precision)^-1 = S B^-1 S`` (n, n)."""
        product, root = self.inverse(), np.sqrt(self.precision)
        product *= root
        product *= root[:, None]
        return product

    @cached_property
    def variance(self) -> Array:
        """Posterior variances (n,) of the function."""
        prior: Array = self.K.diagonal()
        clear = self.precision * prior > LITTLE
        inverse = np.einsum("ij,ij->j", self.half_inverse, self.half_inverse)
        variance = np.where(clear, (1.0 - inverse) / np.where(clear, self.precision, 1.0), prior)
        if not clear.all():
            columns = mirrored(self.K)[:, ~clear] * np.sqrt(self.precision)[:, None]
            half, _ = lapack.dtrtrs(self.packed.T, np.asfortranarray(columns), lower=1, overwrite_b=1)
            variance[~clear] -= np.einsum("ij,ij->j", half, half)
        return variance


@dataclass(frozen=True, eq=False)
class Root:
    """A covariance ``columns columns'`` of few columns (n, r)."""

    columns: Array


Covariance = Array | Root  # (n, n) with its upper triangle in C order, or of few columns


def rooted(K: Array) -> Root | None:
    """A covariance (n, n; upper triangle in C order) as one of few columns, by pivots; None where it needs many.

    >>> rooted(np.ones((3, 3))).columns.round(6).tolist(), rooted(np.eye(3)) is None
    ([[1.0], [1.0], [1.0]], True)
    """
    n, left = len(K), np.array(K.diagonal())
    most, least = min(MOST_COLUMNS, n // 3), LEFT_OUT * float(left.max(initial=0.0))
    columns = np.zeros((n, most), order="F")
    for rank in range(most + 1):
        at = int(left.argmax())
        if left[at] <= least:
            return Root(columns[:, :rank])
        if rank < most:
            column = np.concatenate([K[:at, at], K[at, at:]]) - columns[:, :rank] @ columns[at, :rank]
            columns[:, rank] = column / np.sqrt(left[at])
            left -= columns[:, rank] ** 2
            left[at] = 0.0
    return None


@dataclass(frozen=True, eq=False)
class FunctionGivenRoot(FunctionGivenSites):
    """The same from a covariance of r columns: ``packed`` (r, r) is the lower factor of ``I + columns' W columns``.

    W are the precisions. It is for evaluations of the evidence alone.
    """

    def pulled(self, natural: Array) -> FunctionGivenRoot:
        """The function given sites with the same precisions and other naturals (n,), without a new factorisation."""
        return _of_root(self.K, self.precision, natural, self.packed)

    @cached_property
    def _half(self) -> Array:
        solved, _ = lapack.dtrtrs(self.packed, self.K.columns.T, lower=1)
        return np.asarray(solved)

    def resolvent(self) -> Array:
        """``(K + 1 / precision)^-1`` (n, n), of which the upper triangle counts."""
        product: Array = blas.dsyrk(-1.0, self._half * self.precision, trans=1, lower=1).T
        product.reshape(-1)[:: len(product) + 1] += self.precision
        return product

    @cached_property
    def variance(self) -> Array:
        """Posterior variances (n,) of the function."""
        least = LEAST_PRECISION * np.einsum("nr,nr->n", self.K.columns, self.K.columns)
        variance: Array = np.einsum("rn,rn->n", self._half, self._half)
        return np.asarray(np.maximum(variance, np.maximum(least, np.finfo(np.float64).tiny)))


@dataclass(frozen=True, eq=False)
class SiteApproximation:
    """An approximate evidence, and the posterior that goes with it.

    The derivative of the negative log evidence is ``tr((matrix - vector vector') dK) / 2``, as that of normal data.
    """

    log_evidence: float
    given: FunctionGivenSites
    settled: bool  # whether the steps came to their end
    matrix: Array | None = None  # (n, n) upper triangle in C order
    vector: Array | None = None  # (n,)


@dataclass(frozen=True, eq=False)
class SitedFunction(Conditioned):
    """A function given sites, of which all is asked that is asked of normal data: ``y`` (n,) are pseudo-targets."""

    approximation: SiteApproximation

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""
        return self.approximation.log_evidence


def conditioned_on_sites(prior: Prior, X: Array, approximation: SiteApproximation) -> SitedFunction:
    """A prior conditioned on observations at ``X`` (n, d), in whose place stand sites."""
    targets, factor = approximation.given.as_normal_data()
    return SitedFunction(prior, X, targets, factor, approximation.given.alpha, approximation)


def given_sites(K: Covariance, precision: Array, natural: Array) -> FunctionGivenSites:
    """The function given sites, by one factorisation.

    Raises
    ------
    NotPositiveDefinite
        When the covariance is far from one.

    Examples
    --------
    >>> one = given_sites(np.array([[1.0]]), np.array([1.0]), np.array([2.0]))
    >>> one.mean.round(6).tolist(), one.variance.round(6).tolist()
    ([1.0], [0.5])
    """
    if isinstance(K, Root):
        inner = (K.columns.T * precision) @ K.columns
        inner[np.diag_indices_from(inner)] += 1.0
        packed, info = lapack.dpotrf(inner, lower=1, clean=0)
        if info != 0 or not np.isfinite(packed).all():
            raise NotPositiveDefinite("no Cholesky factor of a covariance with sites")
        return _of_root(K, precision, natural, packed)
    root = np.sqrt(precision)
    B = K * root
    B *= root[:, None]
    B.reshape(-1)[:: len(B) + 1] += 1.0
    _, info = lapack.dpotrf(B.T, lower=1, overwrite_a=1, clean=0)
    if info != 0 or not np.isfinite(B[-1, -1]):
        raise NotPositiveDefinite("no Cholesky factor of a covariance with sites")
    return _solved(K, precision, natural, B)


def _solved(K: Array, precision: Array, natural: Array, packed: Array) -> FunctionGivenSites:
    root = np.sqrt(precision)
    solved, _ = lapack.dpotrs(packed.T, root * times(K, natural), lower=1)
    alpha = natural - root * solved
    return FunctionGivenSites(K, precision, natural, packed, alpha, times(K, alpha))


def _of_root(K: Root, precision: Array, natural: Array, packed: Array) -> FunctionGivenRoot:
    weights, _ = lapack.dpotrs(packed, K.columns.T @ natural, lower=1)
    mean = K.columns @ weights.reshape(-1)
    return FunctionGivenRoot(K, precision, natural, packed, natural - precision * mean, mean)


def times(matrix: Covariance, vector: Array) -> Array:
    """A symmetric matrix, of which the upper triangle (C order) is defined, times a vector.

    >>> times(np.array([[1.0, 2.0], [np.nan, 3.0]]), np.ones(2)).tolist()
    [3.0, 5.0]
    """
    if isinstance(matrix, Root):
        return np.asarray(matrix.columns @ (matrix.columns.T @ vector))
    return np.asarray(blas.dsymv(1.0, matrix.T, vector, lower=1))


def triangular_inverse(lower: Array) -> Array:
    """The inverse of a triangle (n, n) in Fortran order, by products of its parts: twice as fast as LAPACK's.

    >>> triangular_inverse(np.array([[2.0, 0.0], [1.0, 1.0]], order="F")).tolist()
    [[0.5, 0.0], [-0.5, 1.0]]
    """
    n = len(lower)
    if n <= FEW:
        return np.asfortranarray(np.tril(lapack.dtrtri(lower, lower=1)[0]))
    half = n // 2
    inverse = np.zeros((n, n), order="F")
    first, last = triangular_inverse(lower[:half, :half]), triangular_inverse(lower[half:, half:])
    below = blas.dtrmm(-1.0, last, np.asfortranarray(lower[half:, :half]), side=0, lower=1)
    inverse[:half, :half], inverse[half:, half:] = first, last
    inverse[half:, :half] = blas.dtrmm(1.0, first, below, side=1, lower=1, overwrite_b=1)
    return inverse
