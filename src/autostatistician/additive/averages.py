"""Averages of an additive function over the data: what a set of columns does, as places that a posterior is asked at.

A function of independent columns is a constant, what each column does on average over the others, what each pair does
beyond that, and so on: a sum of effects each of which averages to zero over any one of its columns (functional analysis
of variance; Sobol 1993). A product of kernels of single columns stays one when an average over a column is taken, so
the effects of an additive process are known with their uncertainty (Durrande et al. 2013), whether or not the terms of
its kernel can stand in for each other. The columns have the values of the data here, of `STANDING_ROWS` rows at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.kernel import AdditiveKernel
from autostatistician.additive.orders import polynomials, weighted_sum
from autostatistician.inference.posterior import Covariances, Prior
from autostatistician.rows import evenly_spaced

__all__ = ["Averages", "ByOrder", "Combinations", "SubsetEffect", "standing"]

Array = NDArray[np.float64]

STANDING_ROWS = 200  # of the data that stand for all of them
PIECE_ENTRIES = 4096  # of covariances at a time


@dataclass(frozen=True, eq=False)
class Averages:
    """The kernels of single columns with their averages over inputs ``X`` (n, D), by group of orders."""

    kernel: AdditiveKernel
    X: Array
    data: Array | None = None  # where the inputs are not those of the data

    @cached_property
    def at(self) -> Array:
        """The rows that stand for all."""
        return standing(self.X if self.data is None else self.data)

    @cached_property
    def groups(self) -> list[tuple[list[Array], Array]]:
        """Orders that share lengthscales: parameters by column, weights by order."""
        return [(columns, weights) for columns, weights, _ in self.kernel.groups()]

    @cached_property
    def means(self) -> list[Array]:
        """By group and column, the mean over the data of the covariance with each input (D, n)."""
        columns = range(self.X.shape[1])
        return [
            np.array([self.covariance(group, column, self.at, self.X).mean(axis=0) for column in columns])
            for group in range(len(self.groups))
        ]

    @cached_property
    def constants(self) -> list[Array]:
        """By group and column, the mean over all pairs of the data (D, 1)."""
        columns = range(self.X.shape[1])
        return [
            np.array([[self.covariance(group, column, self.at, self.at).mean()] for column in columns])
            for group in range(len(self.groups))
        ]

    @cached_property
    def apart(self) -> list[list[Array]]:
        """By group and column, the covariances of the rows that stand for all with the inputs, less their means."""
        return [
            [self.covariance(group, column, self.at, self.X) - mean for column, mean in enumerate(means)]
            for group, means in enumerate(self.means)
        ]

    def covariance(self, group: int, column: int, A: Array, B: Array) -> Array:
        """Covariances (a, b) of one column between rows; none with those that lack the column."""
        base, parameters = self.kernel.layout.bases[column], self.groups[group][0][column]
        here = B[None, :, column]
        return np.where(np.isnan(here), 0.0, base.value(A[:, column, None], here, parameters))

    def middle(self, group: int, column: int, A: Array) -> Array:
        """The mean (a,) over the data of the covariance of one column with rows."""
        return np.asarray(self.covariance(group, column, A, self.at).mean(axis=1))

    def variance(self, group: int, column: int, A: Array) -> Array:
        """The variance (a,) of one column at rows."""
        base, parameters = self.kernel.layout.bases[column], self.groups[group][0][column]
        return base.value(A[:, column], A[:, column], parameters)

    def rest(self, group: int, columns: tuple[int, ...], z: Array) -> Array:
        """The weighted sum over all ways in which other columns ``z`` (D, m) join a set of columns (m,)."""
        weights = self.groups[group][1][len(columns) :]
        others = np.delete(z, list(columns), axis=0)
        return np.asarray(weights @ polynomials(others, len(weights) - 1)) if len(weights) else np.zeros(z.shape[1])


@dataclass(frozen=True, eq=False)
class SubsetEffect:
    """What a set of columns does together at points (m, D), of which only these columns count."""

    averages: Averages
    columns: tuple[int, ...]
    points: Array

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of the averages, with observations at their inputs."""
        return Covariances(self._cross(), self._variance, self._matrix)

    def _cross(self) -> Array:
        averages, total = self.averages, np.zeros((len(self.points), len(self.averages.X)))
        for group, means in enumerate(averages.means):
            product = np.ones_like(total)
            for column in self.columns:
                product *= averages.covariance(group, column, self.points, averages.X) - means[column]
            total += product * averages.rest(group, self.columns, means)
        return total

    def _variance(self) -> Array:
        averages, total = self.averages, np.zeros(len(self.points))
        for group, constants in enumerate(averages.constants):
            product = np.ones_like(total)
            for column in self.columns:
                middle = averages.middle(group, column, self.points)
                product *= averages.variance(group, column, self.points) - 2.0 * middle + constants[column]
            total += product * averages.rest(group, self.columns, constants)
        return total

    def _matrix(self) -> Array:
        averages, total = self.averages, np.zeros((len(self.points),) * 2)
        for group, constants in enumerate(averages.constants):
            product = np.ones_like(total)
            for column in self.columns:
                middle = averages.middle(group, column, self.points)
                between = averages.covariance(group, column, self.points, self.points)
                product *= between - middle - middle[:, None] + constants[column]
            total += product * averages.rest(group, self.columns, constants)
        return total


@dataclass(frozen=True, eq=False)
class Combinations:
    """What one column, or two, do at every combination of the values that they have in the data; their means alone."""

    averages: Averages
    columns: tuple[int, ...]

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of the averages, with observations at their inputs."""
        return Covariances(cast(Array, self), self._unknown, self._unknown)

    def __matmul__(self, weights: Array) -> Array:
        """The covariances with the observations times ``weights`` (n,), without ever making those of two columns."""
        averages, total = self.averages, np.zeros(())
        for group, apart in enumerate(averages.apart):
            first, *others = (apart[column] for column in self.columns)
            weighted = first * (averages.rest(group, self.columns, averages.means[group]) * weights)
            total = total + (weighted @ others[0].T if others else weighted.sum(axis=1))
        return total

    @staticmethod
    def _unknown() -> Array:
        raise NotImplementedError("the variances of all combinations would need all their covariances")


@dataclass(frozen=True, eq=False)
class ByOrder:
    """What sets of each size do together at points (m, D), all effects of an order added up; their means alone.

    Where a kernel of every column is its mean and ``t`` times what is beside it, effects of order k are times ``t^k``:
    a polynomial, whose coefficients follow from its values.
    """

    averages: Averages
    points: Array

    def covariances(self, prior: Prior, part: Any, X: Array) -> Covariances:
        """Under the prior of the averages, with observations at their inputs."""
        return Covariances(cast(Array, self), self._unknown, self._unknown)

    def __matmul__(self, weights: Array) -> Array:
        """The covariances with the observations times ``weights`` (n,), by order (m, orders)."""
        highest, rows = max(self.averages.kernel.layout.orders), max(1, PIECE_ENTRIES // len(weights))
        t = np.cos(np.pi * np.arange(highest + 1) / max(highest, 1))
        pieces = [self.points[start : start + rows] for start in range(0, len(self.points), rows)]
        scaled = np.concatenate(
            [np.stack([self._scaled(piece, one) @ weights for one in t], axis=1) for piece in pieces]
        )
        return np.asarray(np.linalg.solve(np.vander(t, increasing=True), scaled.T).T)

    def _scaled(self, points: Array, t: float) -> Array:
        """The covariances (m, n) of the function with departures of its columns from their averages times t."""
        averages, total = self.averages, np.zeros((len(points), len(self.averages.X)))
        for group, (means, (_, of_orders)) in enumerate(zip(averages.means, averages.groups, strict=True)):
            own = [t * averages.covariance(group, column, points, averages.X) for column in range(points.shape[1])]
            z = np.array(own) + (1.0 - t) * means[:, None]
            total += weighted_sum(z.reshape(len(z), -1), of_orders).reshape(total.shape)
        return total

    @staticmethod
    def _unknown() -> Array:
        raise NotImplementedError("only the means of orders are known")


def standing(X: Array) -> Array:
    """At most `STANDING_ROWS` of the rows, evenly spaced."""
    return X[evenly_spaced(len(X), STANDING_ROWS)]
