"""Explicit basis functions with a normal prior on their coefficients, integrated out of the likelihood.

With K of the kernel and ``H`` (n, m) of the basis functions the data have the covariance ``K + H B H'``. Everything is
written with ``B^-1``, so that coefficients of which nothing is known beforehand (``B^-1 = 0``) are the limit of the
same formulas (Rasmussen and Williams 2006, section 2.7, equations 2.41 to 2.45).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, cholesky, solve_triangular

__all__ = ["Basis", "Integrated", "integrated"]

Array = NDArray[np.float64]

DISTINCT_SHARE = 1e-13  # part of a function that no others explain, below which only rounding is left of it


@dataclass(frozen=True, eq=False)
class Basis:
    """Basis functions at the data, and the precisions (m,) of their coefficients around zero; 0: nothing is known."""

    values: Array  # (n, m)
    precisions: Array  # (m,)

    @property
    def vague(self) -> int:
        """How many coefficients have no prior."""
        return int(np.sum(self.precisions == 0.0))


@dataclass(frozen=True, eq=False)
class Integrated:
    """The coefficients integrated out, given K."""

    basis: Basis
    solved: Array  # K^-1 H (n, m)
    root: Array  # lower Cholesky factor (m, m) of A = B^-1 + H' K^-1 H
    coefficients: Array  # posterior mean (m,)
    alpha: Array  # (K + H B H')^-1 y (n,)

    @property
    def covariance(self) -> Array:
        """Of the coefficients given the data: ``A^-1`` (m, m)."""
        inverse = solve_triangular(self.root, np.eye(len(self.root)), lower=True)
        return np.asarray(inverse.T @ inverse)

    def nll(self, y: Array, logdet: float) -> float:
        """The negative log marginal likelihood, given the log determinant of K (equation 2.45 where B is vague)."""
        precisions = self.basis.precisions
        charge = 2.0 * float(np.log(self.root.diagonal()).sum()) - float(np.log(precisions[precisions > 0.0]).sum())
        free = len(y) - self.basis.vague
        return 0.5 * (float(y @ self.alpha) + logdet + charge + free * log(2.0 * pi))

    def reduce(self, lower: Array) -> None:
        """Turn ``K^-1``, held in the lower triangle of an array in Fortran order, into ``(K + H B H')^-1``."""
        update = np.asfortranarray(solve_triangular(self.root, self.solved.T, lower=True).T)
        blas.dsyrk(-1.0, update, beta=1.0, c=lower, lower=1, overwrite_c=1)


def integrated(basis: Basis, solved: Array, alpha: Array) -> Integrated | None:
    """Integrate the coefficients out, given ``K^-1 H`` and ``K^-1 y``; None when they cannot be told apart.

    >>> H, y = np.array([[1.0], [1.0]]), np.array([1.0, 3.0])
    >>> integrated(Basis(H, np.zeros(1)), H, y).coefficients.round(6).tolist()  # K = 1: the mean
    [2.0]
    """
    A = basis.values.T @ solved
    A[np.diag_indices(len(A))] += basis.precisions
    try:
        root = cholesky(0.5 * (A + A.T), lower=True)
    except (np.linalg.LinAlgError, ValueError):
        return None
    if len(root) and root.diagonal().min() ** 2 < DISTINCT_SHARE * A.diagonal()[root.diagonal().argmin()]:
        return None
    half = solve_triangular(root, basis.values.T @ alpha, lower=True)
    coefficients = solve_triangular(root, half, lower=True, trans=1)
    return Integrated(basis, solved, root, np.asarray(coefficients), alpha - solved @ coefficients)
