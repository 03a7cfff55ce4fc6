"""Rows put into groups of which each has functions of its own (`Warp` with groups apart).

What a row says of a group depends on its place then, and the place that it has suits its own group alone: by Gibbs
steps at fixed places no row would ever leave. So group and place are proposed together: the group of a row with nearly
the same columns, and the place at which its functions, a straight line from there, would give these. The rule of
Metropolis and Hastings takes them or not. The precision of all columns follows each row by updates of rank one or two,
so all rows in their turn take time as the cube of the rows, as a step of a path does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from autostatistician.latent.normal_wishart import Groups, NormalWishart
from autostatistician.latent.partition import compact
from autostatistician.latent.warp import Warp, smooth_covariance

__all__ = ["reassigned"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

NEAR = 10  # rows with the nearest columns, near one of which a row is proposed to be
ALONE = 0.1  # the probability that a group of its own is proposed


def reassigned(
    warp: Warp,
    labels: Labels,
    prior: NormalWishart,
    concentration: float,
    rng: np.random.Generator,
    known: Labels | None = None,
) -> tuple[Array, Labels]:
    """Where rows are (N, Q) and their groups (N,), after one proposal of another place and group for each.

    Rows of a known class keep both. ``warp`` has the groups ``labels`` apart.
    """
    X, labels, precision, Y = warp.X.copy(), labels.copy(), warp.columns.precision, warp.columns.Y
    near = _nearest(Y)
    groups = Groups.of(prior, X, labels, room=1)
    for n in range(len(X)) if known is None else np.flatnonzero(known < 0).tolist():
        groups.add(labels[n], X[n], -1.0)
        rest = _without(precision, n)
        beside = np.append(near[n], (n + rng.integers(1, len(X))) % len(X))  # any other row: else some could not leave
        others = _Others(groups, labels[beside], *_straight(X, labels, beside, rest, Y[n], warp))
        place, group = others.proposed(rng)
        places, of = np.stack([X[n], place]), np.array([labels[n], group])
        link = smooth_covariance(X, places, warp.parameters) * (labels[:, None] == of)
        solved = rest @ link
        variance = warp.variance - (link * solved).sum(axis=0)
        misfit = ((Y[n] - solved.T @ Y) ** 2).sum(axis=1)
        told = -0.5 * (misfit / variance + Y.shape[1] * np.log(variance))
        told += others.log_prior_ratio(places, of, concentration)
        if np.log(rng.random()) < told[1] - told[0]:
            X[n], labels[n] = place, group
            precision = _with(rest, n, solved[:, 1], float(variance[1]))
        groups.add(labels[n], X[n])
        if groups.counts[-1] > 0.0:
            groups = Groups.of(prior, X, labels, room=1)
    return X, compact(labels)


@dataclass(frozen=True, eq=False)
class _Others:
    """All but one row: their groups, an empty one last, and what the rows near it propose.

    These are the labels (K,) of such rows, and normal distributions of places, by means (K, Q) and the roots
    (K, Q, Q) of their precisions.
    """

    groups: Groups
    labels: Labels
    means: Array
    roots: Array  # lower triangular

    def proposed(self, rng: np.random.Generator) -> tuple[Array, int]:
        """A place (Q,) and its group: that of a row near it, or from the prior of an empty group."""
        alone, which = rng.random() < ALONE, rng.integers(len(self.means))
        if alone:
            empty = len(self.groups.counts) - 1
            return self.groups.draw(np.array([empty]), rng)[0], empty
        away = np.linalg.solve(self.roots[which].T, rng.standard_normal(self.means.shape[1]))
        return self.means[which] + away, int(self.labels[which])

    def log_prior_ratio(self, places: Array, of: Labels, concentration: float) -> Array:
        """The log density of places (M, Q) with groups (M,) before the columns, less that of their proposal (M,)."""
        counts, each = self.groups.counts[of], np.arange(len(of))
        density = self.groups.log_predictive(places, np.full(len(of), -1))[each, of]
        white = np.einsum("kpq,mkp->mkq", self.roots, places[:, None, :] - self.means)
        level = np.log(np.diagonal(self.roots, axis1=1, axis2=2)).sum(axis=1)
        level = level - 0.5 * (white**2).sum(axis=2) - 0.5 * places.shape[1] * np.log(2.0 * np.pi)
        beside = np.where(of[:, None] == self.labels, level, -np.inf)
        with np.errstate(divide="ignore"):
            near = logsumexp(beside, axis=1) + np.log((1.0 - ALONE) / len(self.means))
        empty = counts == 0.0
        return np.asarray(
            np.where(empty, np.log(concentration) - np.log(ALONE), np.log(np.maximum(counts, 1.0)) + density - near)
        )


def _nearest(Y: Array) -> Labels:
    """For each row the others (N, K) with the nearest columns."""
    distance = ((Y[:, None, :] - Y) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    return np.argsort(distance, axis=1, kind="stable")[:, : min(NEAR, len(Y) - 1)]


def _straight(X: Array, labels: Labels, near: Labels, rest: Array, columns: Array, warp: Warp) -> tuple[Array, Array]:
    """Where a row with such columns (D,) would be (K, Q), if functions went on straight from each row near it.

    With the roots (K, Q, Q) of the precisions of that; before its columns it is within a lengthscale of that row.
    """
    square, about = float(np.exp(2.0 * warp.parameters[1])), X[near]
    link = smooth_covariance(X, about, warp.parameters) * (labels[:, None] == labels[near])
    weights = rest @ warp.columns.Y
    variance = warp.variance - (link * (rest @ link)).sum(axis=0)
    slope = np.einsum("nk,nkq,nd->kdq", link, X[:, None, :] - about, weights) / square
    misfit = columns - link.T @ weights
    precision = np.einsum("kdp,kdq->kpq", slope, slope) / variance[:, None, None] + np.eye(X.shape[1]) / square
    pull = np.einsum("kdq,kd->kq", slope, misfit) / variance[:, None]
    return about + np.linalg.solve(precision, pull[:, :, None])[:, :, 0], np.linalg.cholesky(precision)


def _without(precision: Array, n: int) -> Array:
    """The precision (N, N) of all but one row, whose own cells are zero."""
    column = precision[:, n]
    rest = precision - np.outer(column, column / column[n])
    rest[n] = rest[:, n] = 0.0
    return rest


def _with(rest: Array, n: int, solved: Array, variance: float) -> Array:
    """That with the row, which the others foresee by weights (N,) and with a variance."""
    border = solved.copy()
    border[n] = -1.0
    return np.asarray(rest + np.outer(border, border / variance))
