"""The posteriors of all additive parts of a model, computed once and added up as needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.series.order import Rows
from autostatistician.inference.covariance import covariance, prior_variance
from autostatistician.inference.posterior import Conditioned
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import is_noise

__all__ = ["Part", "Projection", "part_of", "total"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Projection:
    """Posterior of a part, or of a sum of parts, at some inputs, in a form in which sums are sums.

    The posterior covariance is the prior covariance less ``reduced' reduced``.
    """

    mean: Array  # (m,)
    prior: Array  # (m,) prior variance
    reduced: Array  # (n, m)

    @property
    def sd(self) -> Array:
        """Posterior standard deviation (m,)."""
        variance = self.prior - np.einsum("ij,ij->j", self.reduced, self.reduced)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


@dataclass(frozen=True, eq=False)
class Part:
    """One additive part of a conditioned kernel."""

    kernel: Kernel
    is_noise: bool
    mean: Array  # (n,) at the data
    sd: Array  # (n,)
    held_out: tuple[Array, ...]  # per fold, the prediction of the held-out rows
    grid: Projection


def part_of(kernel: Kernel, posterior: Conditioned, weights: Array, folds: Sequence[Rows], grid: Array) -> Part:
    """The posterior of the part ``kernel`` at the data and on the grid, and its prediction of each fold.

    ``weights`` are those of `order.fold_weights`; the covariance at the data serves all three.
    """
    K = covariance(kernel, posterior.X, None, posterior.columns)
    held_out = tuple(K[rows] @ weights[:, fold] for fold, rows in enumerate(folds))
    prior = K.diagonal().copy()
    at_data = Projection(K @ posterior.alpha, prior, posterior.factor.half_solve(K.T, overwrite=True))
    mean, reduced = posterior.reduced(kernel, grid)
    on_grid = Projection(mean, prior_variance(kernel, grid, posterior.columns), reduced)
    return Part(kernel, is_noise(kernel), at_data.mean, at_data.sd, held_out, on_grid)


def total(projections: Sequence[Projection]) -> Projection:
    """The posterior of the sum of parts.

    >>> one = Projection(np.ones(2), np.ones(2), np.zeros((1, 2)))
    >>> total([one, one]).mean.tolist()
    [2.0, 2.0]
    """
    return Projection(*(sum(getattr(part, field.name) for part in projections) for field in fields(Projection)))
