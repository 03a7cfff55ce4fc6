"""Products with the exact matrix of a first-order additive kernel, in time and memory that grow with n D.

Along one column a kernel of lags is a sum of exponential terms, so its matrix times a vector is one pass there and one
back over the sorted rows (see `gp.engines.semiseparable`). The sum over columns has no such order, but products
are all that conjugate gradients and Lanczos steps ask for (Hestenes and Stiefel 1952; Ubaru, Chen and Saad 2017). Both
go on in units in which the bound by inducing places of single columns would be the truth, so few steps are enough, and
the determinant is that of the bound and an average over a few draws of what it lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh_tridiagonal

from autostatistician.gp.engines.inducing.engine import ConditionedByPoints
from autostatistician.gp.engines.semiseparable.assembly import Assembly
from autostatistician.gp.engines.semiseparable.exponentials import Wanted
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaves import LEAVES
from autostatistician.models.additive.base import leaf_values
from autostatistician.models.additive.evidence import AdditivePrior
from autostatistician.models.additive.first_order import Places, bound_of_columns, is_first_order, rows_of
from autostatistician.models.additive.kernel import AdditiveKernel, Layout

__all__ = ["ColumnProducts", "ExactEvidence", "exact_evidence", "has_products"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]

ERROR = 1e-9  # of the terms of a leaf of size one
PROBES, MOST_STEPS = 8, 100
ENOUGH = 1e-6  # of the residuals of conjugate gradients, as a share
CLOSED = 1e-10  # a Krylov space that holds all of a vector


@dataclass(frozen=True, eq=False)
class _Column:
    """The matrix of one column in blocks of sorted rows (see `semiseparable.recursion`)."""

    order: Index
    K: Array
    U: Array
    V: Array
    phi: Array

    @classmethod
    def of(cls, kernel: Kernel, x: Array) -> _Column:
        assembly = Assembly(kernel, Problem(x[:, None], np.zeros(len(x)), ("x",)), Wanted.alike(ERROR, x))
        parts = [assembly.parts(assembly.every, assembly.layout.part(section)) for section in assembly.sections]
        return cls(assembly.layout.order, *(np.concatenate(each) for each in zip(*parts, strict=True)))

    def times(self, values: Array) -> Array:
        """The product with values (n, k)."""
        (B, m, _), (n, k) = self.K.shape, values.shape
        x = np.zeros((B * m, k))
        x[:n] = values[self.order]
        x = x.reshape(B, m, k)
        total = self.K @ x
        before, after = self.V.transpose(0, 2, 1) @ x, self.U.transpose(0, 2, 1) @ x
        phi = self.phi[..., None]
        for block in range(1, B):  # what the blocks before one, and those after it, hand on
            before[block] += phi[block] * before[block - 1]
            after[-block - 1] += phi[-block - 1] * after[-block]
        total[1:] += self.U[1:] @ before[:-1]
        total[:-1] += self.V[:-1] @ after[1:]
        product = np.empty((n, k))
        product[self.order] = total.reshape(B * m, k)[:n]
        return product


@dataclass(frozen=True, eq=False)
class ColumnProducts:
    """The covariances of observations of a first-order additive function, by what they do to vectors."""

    columns: tuple[_Column, ...]
    noise: float  # variance

    @classmethod
    def of(cls, kernel: AdditiveKernel, X: Array) -> ColumnProducts:
        """At inputs (n, D)."""
        layout = kernel.layout
        parameters, scales, _, _ = layout.split(kernel.u)
        sd = float(np.sqrt(layout.term_variances(scales)[0]))
        leaves = [
            Kernel(Leaf(base.symbol, "x"), tuple(leaf_values(base.symbol, u, sd)))
            for base, u in zip(layout.bases, layout.by_column(parameters), strict=True)
        ]
        columns = tuple(_Column.of(leaf, x) for leaf, x in zip(leaves, X.T, strict=True))
        return cls(columns, kernel.noise_variance)

    def times(self, values: Array) -> Array:
        """The matrix, noise included, times values (n, k)."""
        return np.asarray(sum((column.times(values) for column in self.columns), self.noise * values))


def has_products(layout: Layout) -> bool:
    """Whether the matrix of a kernel has such products: first order, of leaves that are sums of exponential terms."""
    return is_first_order(layout) and all(LEAVES[base.symbol].state_space is not None for base in layout.bases)


@dataclass(frozen=True)
class ExactEvidence:
    """The log marginal likelihood without a bound, the standard error of its determinant, and what it was made of."""

    value: float
    error: float
    alpha: Array  # (n,) the inverse of the matrix times y


def exact_evidence(
    kernel: AdditiveKernel, X: Array, y: Array, places: Places, rng: np.random.Generator
) -> ExactEvidence:
    """The log marginal likelihood of a first-order kernel by products alone, in O(n D) for each step.

    Parameters
    ----------
    kernel : AdditiveKernel
        With its parameters.
    X, y : arrays (n, D) and (n,)
        In standard units.
    places : tuple of arrays
        Inducing places of every column; the more they say, the fewer steps are needed, and the smaller the error.
    rng : Generator
        Of the probes, over which the trace of the logarithm is averaged.
    """
    products = ColumnProducts.of(kernel, X)
    bound = bound_of_columns(kernel, X, y, places)
    near = ConditionedByPoints(AdditivePrior(kernel), X, y, rows_of(places), bound)
    white = near.whitened(y)
    starts = np.column_stack([white, rng.choice([-1.0, 1.0], (len(y), PROBES))])
    found = _lanczos(lambda values: near.whitened(products.times(near.whitened(values))), starts)
    logs = np.array([found.logarithm(probe) for probe in range(1, PROBES + 1)])
    determinant = bound.log_determinant + float(logs.mean())
    solved = found.solution(0)
    value = -0.5 * (float(white @ solved) + determinant + len(y) * log(2.0 * pi))
    error = 0.5 * float(logs.std(ddof=1)) / sqrt(PROBES)
    return ExactEvidence(value, error, near.whitened(solved))


@dataclass(frozen=True, eq=False)
class _Lanczos:
    """What a symmetric matrix does in the Krylov spaces of several vectors, each by itself."""

    sizes: Array  # (k,) of the vectors
    basis: Array  # (steps, n, k)
    diagonal: Array  # (steps, k)
    beside: Array  # (steps - 1, k)

    def logarithm(self, which: int) -> float:
        """The logarithm of the matrix between one of the vectors and itself."""
        values, vectors = eigh_tridiagonal(self.diagonal[:, which], self.beside[:, which])
        return float(self.sizes[which] ** 2 * (vectors[0] ** 2 @ np.log(values)))

    def solution(self, which: int) -> Array:
        """The inverse of the matrix times one of the vectors (n,), as conjugate gradients have it."""
        weights = self.sizes[which] * _coefficients(self.diagonal[:, which], self.beside[:, which])
        return np.asarray(weights @ self.basis[:, :, which])


def _coefficients(diagonal: Array, beside: Array) -> Array:
    """The inverse of a tridiagonal matrix times the first unit vector."""
    values, vectors = eigh_tridiagonal(diagonal, beside)
    return np.asarray(vectors @ (vectors[0] / values))


def _lanczos(product: Callable[[Array], Array], starts: Array) -> _Lanczos:
    """Steps from vectors (n, k) until the first of them is solved for; each is kept orthogonal to all before it."""
    sizes = np.linalg.norm(starts, axis=0)
    basis: list[Array] = [starts / sizes]
    diagonal: list[Array] = []
    beside: list[Array] = []
    while True:
        new = product(basis[-1])
        diagonal.append(np.einsum("nk,nk->k", basis[-1], new))
        for _ in range(2):  # once leaves rounding that grows
            for old in basis:
                new -= old * np.einsum("nk,nk->k", old, new)
        size = np.linalg.norm(new, axis=0)
        main, off = np.array(diagonal), np.array(beside).reshape(-1, len(sizes))
        left = abs(size[0] * _coefficients(main[:, 0], off[:, 0])[-1])
        if len(diagonal) == min(MOST_STEPS, len(starts)) or left < ENOUGH:
            return _Lanczos(sizes, np.array(basis), main, off)
        beside.append(size)
        basis.append(new / np.maximum(size, CLOSED))
