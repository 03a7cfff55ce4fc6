"""A normal distribution of unknown mean and precision: what groups of points say about it, and about further points.

The prior is the conjugate one, ``p(m, R) = N(m | centre, (strength R)^-1) W(R | scale^-1, freedom)``; means and
precisions are integrated out everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, multigammaln

__all__ = ["Assigned", "Groups", "NormalWishart"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class NormalWishart:
    """The prior of mean and precision of a group in Q dimensions, or its posterior.

    Examples
    --------
    >>> NormalWishart.standard(2, strength=0.5)
    NormalWishart(centre=array([0., 0.]), strength=0.5, scale=array([[1., 0.],
           [0., 1.]]), freedom=2.0)
    """

    centre: Array  # (Q,)
    strength: float  # of the mean, in points
    scale: Array  # (Q, Q), the inverse of what the Wishart distribution is usually given
    freedom: float  # above Q - 1

    @classmethod
    def standard(cls, dimensions: int, strength: float = 1.0, freedom: float | None = None) -> NormalWishart:
        """Around zero, of unit scale, with as many degrees of freedom as dimensions where none are given."""
        return cls(np.zeros(dimensions), strength, np.eye(dimensions), float(freedom or dimensions))


@dataclass(eq=False)
class Groups:
    """The posterior of each of C groups; mutable, as points come and go."""

    prior: NormalWishart
    counts: Array  # (C,)
    sums: Array  # (C, Q)
    squares: Array  # (C, Q, Q): the sums of the outer products

    @classmethod
    def of(cls, prior: NormalWishart, X: Array, labels: Labels, room: int = 0) -> Groups:
        """Groups of points (N, Q) by labels from 0 on, and as many empty ones after them as asked for."""
        member = np.zeros((int(labels.max(initial=-1)) + 1 + room, len(X)))
        member[labels, np.arange(len(X))] = 1.0
        return cls(prior, member.sum(axis=1), member @ X, _squares(member, X))

    def add(self, group: int, x: Array, sign: float = 1.0) -> None:
        """Put a point (Q,) into a group, or with ``sign=-1`` take it out."""
        self.counts[group] += sign
        self.sums[group] += sign * x
        self.squares[group] += sign * np.multiply.outer(x, x)

    def posterior(self, at: slice | Labels = slice(None)) -> tuple[Array, Array, Array, Array]:
        """Strengths (c,), centres (c, Q), scales (c, Q, Q) and degrees of freedom (c,) of groups."""
        prior, counts = self.prior, self.counts[at]
        strength, freedom = prior.strength + counts, prior.freedom + counts
        centre = (prior.strength * prior.centre + self.sums[at]) / strength[:, None]
        start = prior.scale + prior.strength * np.multiply.outer(prior.centre, prior.centre)
        scale = start + self.squares[at] - strength[:, None, None] * (centre[:, :, None] * centre[:, None, :])
        return strength, centre, scale, freedom

    def log_predictive(self, X: Array, labels: Labels, at: slice | Labels = slice(None)) -> Array:
        """The log densities (N, c) of points in each group, given its other points.

        For a point of the group itself (``labels``) it is left out first: by a formula, not by another factor.
        """
        strength, centre, scale, freedom = self.posterior(at)
        logdet, distance = _distances(X, centre, scale)
        densities = self._constant(strength, freedom) - 0.5 * logdet
        densities = densities - 0.5 * (freedom + 1.0) * np.log1p(strength / (strength + 1.0) * distance)
        rows, columns = np.nonzero(labels[:, None] == np.arange(len(self.counts))[at])
        before, free = strength[columns] - 1.0, freedom[columns] - 1.0
        nearness = np.minimum(strength[columns] / before * distance[rows, columns], 1.0 - 1e-15)
        without = self._constant(strength - 1.0, freedom - 1.0) - 0.5 * logdet
        densities[rows, columns] = without[columns] + 0.5 * free * np.log1p(-nearness)
        return np.asarray(densities)

    def _constant(self, strength: Array, freedom: Array) -> Array:
        """What all densities in groups (c,) have in common; of empty groups, less a point, it is no number."""
        dimensions = self.sums.shape[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 0.5 * dimensions * (np.log(strength / (strength + 1.0)) - np.log(np.pi))
            return np.asarray(scale + gammaln(0.5 * (freedom + 1.0)) - gammaln(0.5 * (freedom + 1.0 - dimensions)))

    def draw(self, groups: Labels, rng: np.random.Generator) -> Array:
        """A further point (M, Q) of each named group, from its Student-t distribution."""
        strength, centre, scale, freedom = self.posterior()
        dimensions = scale.shape[1]
        degrees = freedom + 1.0 - dimensions
        root = np.linalg.cholesky(scale * ((strength + 1.0) / (strength * degrees))[:, None, None])
        normal = rng.standard_normal((len(groups), dimensions))
        spread = np.sqrt(degrees[groups] / rng.chisquare(degrees[groups]))
        return np.asarray(centre[groups] + np.einsum("nij,nj->ni", root[groups], normal) * spread[:, None])


class Assigned:
    """Points whose groups stay as they are: the log density of all of them, means and precisions integrated out.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0]])
    >>> value, slope = Assigned(NormalWishart.standard(1), np.array([0, 0])).at(points)
    >>> round(value, 4), np.round(slope, 4).tolist()
    (-3.1534, [[0.6], [-1.2]])
    """

    def __init__(self, prior: NormalWishart, labels: Labels) -> None:
        self.prior, self.labels = prior, labels
        self.member = np.zeros((int(labels.max(initial=-1)) + 1, len(labels)))
        self.member[labels, np.arange(len(labels))] = 1.0
        self.counts = self.member.sum(axis=1)
        dimensions = len(prior.centre)
        after = _log_constant(prior.strength + self.counts, prior.freedom + self.counts, dimensions)
        before = _log_constant(np.array([prior.strength]), np.array([prior.freedom]), dimensions)
        before = before - 0.5 * prior.freedom * np.linalg.slogdet(prior.scale)[1]
        self.constant = float((after - before).sum() - 0.5 * len(labels) * dimensions * np.log(np.pi))

    def at(self, X: Array) -> tuple[float, Array]:
        """The log density of points (N, Q) (Duvenaud 2014, chapter 7), and its gradient (N, Q)."""
        groups = Groups(self.prior, self.counts, self.member @ X, _squares(self.member, X))
        _, centre, scale, freedom = groups.posterior()
        value = self.constant - 0.5 * float(freedom @ np.linalg.slogdet(scale)[1])
        pull = freedom[:, None, None] * np.linalg.inv(scale)
        away = X - centre[self.labels]
        return value, -(pull[self.labels] @ away[:, :, None])[:, :, 0]


def _log_constant(strength: Array, freedom: Array, dimensions: int) -> Array:
    """But for powers of pi and 2 that cancel: ``log [ strength^(-Q/2) Gamma_Q(freedom/2) ]``."""
    return np.asarray(multigammaln(0.5 * freedom, dimensions) - 0.5 * dimensions * np.log(strength))


def _squares(member: Array, X: Array) -> Array:
    """The sums (C, Q, Q) of outer products of points (N, Q) in groups (C, N)."""
    dimensions = X.shape[1]
    outer = (X[:, :, None] * X[:, None, :]).reshape(len(X), dimensions**2)
    return np.asarray((member @ outer).reshape(len(member), dimensions, dimensions))


def _distances(X: Array, centre: Array, scale: Array) -> tuple[Array, Array]:
    """Log determinants (c,) of scales, and ``(x - centre)' scale^-1 (x - centre)`` (N, c)."""
    lower = np.linalg.cholesky(scale)
    inverse = np.linalg.inv(lower)
    white = np.einsum("cij,ncj->nci", inverse, X[:, None, :] - centre)
    logdet = 2.0 * np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)
    return logdet, np.einsum("nci,nci->nc", white, white)
