"""A normal distribution of unknown mean and precision: what groups of points say about it, and about further points.

The prior is the conjugate one, ``p(m, R) = N(m | centre, (strength R)^-1) W(R | scale^-1, freedom)``; means and
precisions are integrated out everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, multigammaln

__all__ = ["Groups", "NormalWishart"]

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
        outer = (X[:, :, None] * X[:, None, :]).reshape(len(X), X.shape[1] ** 2)
        shape = (len(member), X.shape[1], X.shape[1])
        return cls(prior, member.sum(axis=1), member @ X, (member @ outer).reshape(shape))

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

    def log_marginal(self) -> float:
        """The log density of all points in their groups, means and precisions integrated out (thesis 7.1)."""
        strength, _, scale, freedom = self.posterior()
        dimensions = scale.shape[1]
        groups = _log_normaliser(strength, _logdet(scale), freedom, dimensions) - self._empty()
        return float(groups.sum() - 0.5 * self.counts.sum() * dimensions * np.log(np.pi))

    def _empty(self) -> float:
        prior = self.prior
        one = np.array([prior.strength]), _logdet(prior.scale[None]), np.array([prior.freedom])
        return float(_log_normaliser(*one, len(prior.centre))[0])

    def slope(self, X: Array, labels: Labels) -> Array:
        """The gradient (N, Q) of `log_marginal` by the points."""
        _, centre, scale, freedom = self.posterior()
        pull = freedom[:, None, None] * np.linalg.inv(scale)
        return np.asarray(-np.einsum("nij,nj->ni", pull[labels], X - centre[labels]))

    def log_predictive(self, X: Array, labels: Labels, at: slice | Labels = slice(None)) -> Array:
        """The log densities (N, c) of points in each group, given its other points.

        For a point of the group itself (``labels``) it is left out first: by a formula, not by another factor.
        """
        strength, centre, scale, freedom = self.posterior(at)
        logdet, distance = _distances(X, centre, scale)
        dimensions = X.shape[1]
        own = labels[:, None] == np.arange(len(self.counts))[at]
        before = strength - own  # strengths and degrees of freedom without the point
        free = freedom - own
        with np.errstate(divide="ignore", invalid="ignore"):  # what `where` does not take
            inside = np.where(
                own,
                0.5 * free * np.log1p(-np.minimum(strength / before * distance, 1.0 - 1e-15)),
                -0.5 * (free + 1.0) * np.log1p(strength / (strength + 1.0) * distance),
            )
        constant = 0.5 * dimensions * (np.log(before / (before + 1.0)) - np.log(np.pi))
        constant = constant + gammaln(0.5 * (free + 1.0)) - gammaln(0.5 * (free + 1.0 - dimensions))
        return np.asarray(constant - 0.5 * logdet + inside)

    def draw(self, groups: Labels, rng: np.random.Generator) -> Array:
        """A further point (M, Q) of each named group, from its Student-t distribution."""
        strength, centre, scale, freedom = self.posterior()
        dimensions = scale.shape[1]
        degrees = freedom + 1.0 - dimensions
        root = np.linalg.cholesky(scale * ((strength + 1.0) / (strength * degrees))[:, None, None])
        normal = rng.standard_normal((len(groups), dimensions))
        spread = np.sqrt(degrees[groups] / rng.chisquare(degrees[groups]))
        return np.asarray(centre[groups] + np.einsum("nij,nj->ni", root[groups], normal) * spread[:, None])


def _log_normaliser(strength: Array, logdet: Array, freedom: Array, dimensions: int) -> Array:
    """But for powers of pi and 2 that cancel: ``log [ strength^(-Q/2) |scale|^(-freedom/2) Gamma_Q(freedom/2) ]``."""
    gamma = multigammaln(0.5 * freedom, dimensions)
    return np.asarray(gamma - 0.5 * dimensions * np.log(strength) - 0.5 * freedom * logdet)


def _logdet(scale: Array) -> Array:
    return np.asarray(np.linalg.slogdet(scale)[1])


def _distances(X: Array, centre: Array, scale: Array) -> tuple[Array, Array]:
    """Log determinants (c,) of scales, and ``(x - centre)' scale^-1 (x - centre)`` (N, c)."""
    lower = np.linalg.cholesky(scale)
    inverse = np.linalg.inv(lower)
    white = np.einsum("cij,ncj->nci", inverse, X[:, None, :] - centre)
    logdet = 2.0 * np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)
    return logdet, np.einsum("nci,nci->nc", white, white)
