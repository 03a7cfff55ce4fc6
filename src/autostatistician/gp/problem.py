"""What is asked of a model: which observations it shall explain, and how they came about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, cholesky, solve_triangular

from autostatistician.data.dataset import Dataset
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.gp.parameters import LearnedPriors, Scales, latent, measure

__all__ = ["FEW_ROWS", "Basis", "Integrated", "Problem", "integrated", "scales_of"]


Array = NDArray[np.float64]

DISTINCT_SHARE = 1e-13  # part of a function that no others explain, below which only rounding is left of it

FEW_ROWS = 40  # that say roughly what all say


@dataclass(frozen=True, eq=False)
class Problem:
    """Observations ``y`` (n,) at ``X`` (n, d) on the scale of the model; it owns no work space.

    With a ``basis`` its coefficients are integrated out of every likelihood. ``noise`` (n,) are variances that rows
    have by themselves: those of pseudo-targets that stand for observations of another kind, as counts.

    Examples
    --------
    >>> problem = Problem(np.arange(4.0)[:, None], np.ones(4), ("x",))
    >>> problem.n, problem.rows(np.array([0, 2])).X.tolist()
    (4, [[0.0], [2.0]])
    """

    X: Array
    y: Array
    columns: tuple[str, ...] = ("x",)
    basis: Basis | None = None
    likelihood: Likelihood = GAUSSIAN
    noise: Array | None = None

    def __post_init__(self) -> None:
        X = self.X[:, None] if self.X.ndim == 1 else self.X
        object.__setattr__(self, "X", np.ascontiguousarray(X, dtype=np.float64))
        object.__setattr__(self, "y", np.ascontiguousarray(self.y, dtype=np.float64))

    @classmethod
    def of(cls, dataset: Dataset, likelihood: Likelihood = GAUSSIAN) -> Problem:
        """That of a data set on the scale of the model."""
        return cls(dataset.X, dataset.y, dataset.columns, likelihood=likelihood, noise=dataset.noise)

    @property
    def n(self) -> int:
        """The number of observations."""
        return len(self.y)

    @property
    def beside_kernel(self) -> Array:
        """Variances (n,) of the observations about the function that no leaf of a kernel stands for."""
        variance = self.likelihood.variance(self.X)
        return variance if self.noise is None else variance + self.noise

    @property
    def least_noise(self) -> float:
        """The least variance that a row has by itself."""
        return 0.0 if self.noise is None else float(self.noise.min())

    def elsewhere(self, X: Array, y: Array) -> Problem:
        """The same question about other observations ``y`` (m,) at ``X`` (m, d), which have no noise by themselves."""
        return replace(self, X=X, y=y, noise=None)

    def with_more(self, X: Array, y: Array) -> Problem:
        """The same question with further observations ``y`` (m,) at ``X`` (m, d), which have no noise by themselves."""
        noise = None if self.noise is None else np.append(self.noise, np.zeros(len(y)))
        return replace(self, X=np.vstack([self.X, X]), y=np.append(self.y, y), noise=noise)

    def rows(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Problem:
        """The same question about some of the observations."""
        basis = None if self.basis is None else Basis(self.basis.values[which], self.basis.precisions)
        noise = None if self.noise is None else self.noise[which]
        return replace(self, X=self.X[which], y=self.y[which], basis=basis, noise=noise)

    def some(self, most: int, rng: np.random.Generator) -> Problem:
        """The same about so many random rows, in their order; about all where there are no more.

        >>> Problem(np.arange(9.0), np.ones(9)).some(3, np.random.default_rng(0)).X.ravel().tolist()
        [4.0, 5.0, 7.0]
        """
        return self if self.n <= most else self.rows(np.sort(rng.choice(self.n, most, replace=False)))

    @cached_property
    def few(self) -> Problem:
        """A random part of the rows, always the same and without a basis, for what need not be exact."""
        return self if self.n <= FEW_ROWS else replace(self.some(FEW_ROWS, np.random.default_rng(0)), basis=None)


def scales_of(problem: Problem, natural_periods: tuple[float, ...] = (), priors: LearnedPriors | None = None) -> Scales:
    """The scales of a problem, with the cycles of its calendar and what is known of parameters before the data."""
    scales = measure(problem.X, problem.y, problem.columns, natural_periods, priors, problem.noise)
    return latent(scales) if problem.likelihood.is_latent else scales


# --- Explicit basis functions with a normal prior on their coefficients, integrated out of the likelihood -----------


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
