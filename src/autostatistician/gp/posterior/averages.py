"""Means of a function over rows: what a column does on average over the values of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import covariance, prior_variance
from autostatistician.gp.posterior.functionals import Covariances, Prior
from autostatistician.kernels.expr import Product
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.traits import columns_of

__all__ = ["ColumnPrior", "Means"]

Array = NDArray[np.float64]
UNIT_CONSTANT = leaf("C", sd=1.0)


@dataclass(frozen=True)
class ColumnPrior:
    """The prior of kernels on named columns.

    >>> ColumnPrior(("x",)).variance(leaf("WN", sd=2.0), np.zeros((1, 1))).tolist()
    [4.0]
    """

    columns: tuple[str, ...]

    def matrix(self, part: Kernel, A: Array, B: Array | None = None) -> Array:
        """Covariances (a, b) of a part between points; without ``B`` between observations, with their noise."""
        return covariance(part, A, B, self.columns)

    def variance(self, part: Kernel, A: Array) -> Array:
        """Variances (a,) of a part."""
        return prior_variance(part, A, self.columns)


@dataclass(frozen=True, eq=False)
class Means:
    """Means over b points each, ``points`` (m, b, d), on named columns; of parts that are kernels."""

    points: Array
    columns: tuple[str, ...]

    def covariances(self, prior: Prior, part: Kernel, X: Array) -> Covariances:
        """Under the prior of a part, with observations at ``X`` (n, d)."""
        return Covariances(
            self._cross(prior, part, X), lambda: self._variance(prior, part), lambda: self._matrix(prior, part)
        )

    def _cross(self, prior: Prior, part: Kernel, X: Array) -> Array:
        m, b, d = self.points.shape
        if (apart := self._apart(part)) is None:
            return np.asarray(prior.matrix(part, self.points.reshape(-1, d), X).reshape(m, b, -1).mean(axis=1))
        products = [
            prior.matrix(at, self.points[:, 0], X) * prior.matrix(over, self.points[0], X).mean(axis=0)
            for at, over in apart
        ]
        return np.asarray(np.sum(products, axis=0))

    def _matrix(self, prior: Prior, part: Kernel) -> Array:
        m, b, d = self.points.shape
        flat = self.points.reshape(-1, d)
        if (apart := self._apart(part)) is None:
            return np.asarray(prior.matrix(part, flat, flat).reshape(m, b, m, b).mean(axis=(1, 3)))
        at_places, rows = self.points[:, 0], self.points[0]
        products = [
            prior.matrix(at, at_places, at_places) * prior.matrix(over, rows, rows).mean() for at, over in apart
        ]
        return np.asarray(np.sum(products, axis=0))

    def _variance(self, prior: Prior, part: Kernel) -> Array:
        if self.points.shape[1] == 1:
            return prior.variance(part, self.points[:, 0])
        if self._apart(part) is None:
            return np.array([prior.matrix(part, rows, rows).mean() for rows in self.points])
        return np.asarray(self._matrix(prior, part).diagonal())

    def _apart(self, part: Kernel) -> list[tuple[Kernel, Kernel]] | None:
        """Each product as the factors that differ from place to place, and those that differ over the rows only.

        The mean of their product over the rows is that of the latter times the former: m m + b b covariances in the
        place of (m b) (m b). None where there is one row for each place, or where a factor does both.
        """
        if self.points.shape[1] == 1 or len(self.columns) == 1:
            return None
        names = np.array(self.columns, dtype=object)
        at_places = set(names[(self.points == self.points[:, :1]).all(axis=(0, 1))])
        over_rows = set(names[(self.points == self.points[:1]).all(axis=(0, 1))])
        pairs = []
        for product in part.terms:
            factors = product.parts if isinstance(product.expr, Product) else (product,)
            at = [factor for factor in factors if columns_of(factor.expr) <= at_places]
            over = [factor for factor in factors if factor not in at]
            if not all(columns_of(factor.expr) <= over_rows for factor in over):
                return None
            pairs.append((Kernel.product((UNIT_CONSTANT, *at)), Kernel.product((UNIT_CONSTANT, *over))))
        return pairs
