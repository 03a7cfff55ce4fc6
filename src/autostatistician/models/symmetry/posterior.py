"""A function with symmetries that were found, given the data: as a kernel seen through a view, and a constant level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, expm1, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.posterior import Conditioned, conditioned
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.models.symmetry.evidence import Latent, SymmetricFit
from autostatistician.models.symmetry.invariant import LEVEL_VARIANCE, Rows
from autostatistician.models.symmetry.search import FittedStructure, SymmetryResult, refined
from autostatistician.models.symmetry.structure import LengthscaleGroup
from autostatistician.models.symmetry.views import Viewed

__all__ = ["InvariantPrior", "SymmetricFunction", "level", "symmetric_function"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SymmetricFunction:
    """A group with its parameters, on the columns of a table; a view, called with rows.

    ``f(x) = level + sum_i s_i g(inputs(g_i x)) / sqrt(G)``: the inputs are in standard units, the target is in its
    own, less ``centre``.
    """

    group: FittedStructure
    columns: tuple[str, ...]
    numbers: tuple[int, ...]  # places of the columns on which the group acts
    centre: float
    size: float

    @property
    def categories(self) -> tuple[int, ...]:
        """Places of the other columns."""
        return tuple(place for place in range(len(self.columns)) if place not in self.numbers)

    def rows(self, X: Array) -> Rows:
        """Rows (n, d) of the table, numbers apart from categories."""
        return Rows(X[:, list(self.numbers)], X[:, list(self.categories)])

    def __call__(self, X: Array) -> Viewed:
        """The inputs at all images of rows, and the codes of categories."""
        rows, signs = self.rows(X), self.group.model.signs
        images = self.group.model.inputs(rows, self.group.u)[1]
        points = np.concatenate([images, np.broadcast_to(rows.codes, (*images.shape[:2], rows.codes.shape[1]))], axis=2)
        return Viewed(points, np.repeat(signs[:, None] / np.sqrt(len(signs)), len(X), axis=1))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The names of what the view shows."""
        names = [self.columns[place] for place in self.numbers]
        inputs = [name for block in self.group.structure.blocks for name in _names(block, names)]
        return (*inputs, *(self.columns[place] for place in self.categories))

    @cached_property
    def latent(self) -> Latent:
        """The kernel of what the view shows, and the noise."""
        model, u = self.group.model, self.group.u
        factors, names = [], iter(self.shown)
        for place in model.lengths:
            factors.append(leaf("SE", next(names), lengthscale=exp(u[place]), sd=1.0))
        for column, name in enumerate(names):
            rate = exp(-2.0 * u[model.names.index(("category", (column,)))])
            factors.append(leaf("Cat", name, contrast=expm1(rate), sd=1.0))
        signal = Kernel.product((leaf("C", sd=self.size * exp(u[0])), *factors))
        return Latent(signal, leaf("WN", sd=self.size * exp(u[1])))


@dataclass(frozen=True, eq=False)
class InvariantPrior:
    """The prior of the function with its level, whatever the part; without matrices of all images."""

    function: SymmetricFunction

    def matrix(self, part: Kernel | None, A: Array, B: Array | None = None) -> Array:
        """Covariances (a, b) between rows, or (a, a) among them; zero of no part."""
        if part is None:
            return np.zeros((len(A), len(A if B is None else B)))
        left, right = (self.function.rows(rows) for rows in (A, A if B is None else B))
        return self.function.size**2 * self.function.group.model.covariance(left, right, self.function.group.u)

    def variance(self, part: Kernel | None, A: Array) -> Array:
        """Variances (a,)."""
        if part is None:
            return np.zeros(len(A))
        group = self.function.group
        return self.function.size**2 * group.model.variance(self.function.rows(A), group.u)


def symmetric_function(
    result: SymmetryResult,
    X: Array,
    y: Array,
    columns: tuple[str, ...],
    numbers: tuple[int, ...],
    rng: np.random.Generator,
) -> tuple[SymmetricFunction, SymmetricFit]:
    """The function with the symmetries of the most probable group, given all rows (n, d) and targets (n,)."""
    centre, size = result.target
    function = SymmetricFunction(result.best, columns, numbers, centre, size)
    group = refined(result.best, function.rows(X), (y - centre) / size, rng)
    function = replace(function, group=group)
    prior, latent = InvariantPrior(function), function.latent
    K = prior.matrix(latent.signal, X)
    K[np.diag_indices_from(K)] += size**2 * exp(2.0 * group.u[1])
    return function, SymmetricFit(latent, conditioned(prior, X, y - centre, K))


def level(function: SymmetricFunction, posterior: Conditioned) -> tuple[float, float]:
    """The level about which an odd function turns, and its standard deviation, given the data."""
    variance = LEVEL_VARIANCE * function.size**2
    whitened = posterior.whitened(np.column_stack([np.ones(len(posterior.y)), posterior.y]))
    ones, y = whitened.T
    return function.centre + variance * float(ones @ y), sqrt(max(variance - variance**2 * float(ones @ ones), 0.0))


def _names(block: LengthscaleGroup, names: list[str]) -> list[str]:
    """The inputs of a block in words; what is combined or goes round is named after its columns."""
    together = " and ".join(names[column] for column in block.columns)
    if block.periodic:
        return [f"cosine of {together}", f"sine of {together}"]
    if block.combined or len(block.columns) > 1:
        count = 1 if block.combined else block.basis.shape[1]
        return [f"{together} ({place + 1})" if count > 1 else together for place in range(count)]
    return [together]
