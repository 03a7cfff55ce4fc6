"""Rows put into groups of which each has functions of its own (`Warp` with groups apart).

What a row says of a group depends on its place then, and the place that it has suits its own group alone: by Gibbs
steps at fixed places no row would ever leave. So group and place are proposed together, near those of rows with nearly
the same columns, and taken by the rule of Metropolis and Hastings. The precision of all columns follows each row by
updates of rank one or two, so all rows in their turn take time as the cube of the rows, as a step of a path does.
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
WIDTHS = np.array([0.03, 0.1, 0.3])  # how near, in lengthscales
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
    near, widths = _nearest(Y), WIDTHS * float(np.exp(warp.parameters[1]))
    groups = Groups.of(prior, X, labels, room=1)
    for n in range(len(X)) if known is None else np.flatnonzero(known < 0):
        groups.add(labels[n], X[n], -1.0)
        others = _Others(groups, X[near[n]], labels[near[n]], widths)
        place, group = others.proposed(rng)
        places, of = np.stack([X[n], place]), np.array([labels[n], group])
        rest = _without(precision, n)
        link = smooth_covariance(X, places, warp.parameters) * (labels[:, None] == of)
        link[n] = 0.0
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
    """All but one row: the groups, an empty one last, and the places (K, Q) and labels (K,) of the rows near it."""

    groups: Groups
    about: Array
    labels: Labels
    widths: Array

    def proposed(self, rng: np.random.Generator) -> tuple[Array, int]:
        """A place (Q,) and its group: near another row, or from the prior of an empty group."""
        alone, which, width = rng.random() < ALONE, rng.integers(len(self.about)), rng.choice(self.widths)
        if alone:
            empty = len(self.groups.counts) - 1
            return self.groups.draw(np.array([empty]), rng)[0], empty
        return self.about[which] + width * rng.standard_normal(self.about.shape[1]), int(self.labels[which])

    def log_prior_ratio(self, places: Array, of: Labels, concentration: float) -> Array:
        """The log density of places (M, Q) with groups (M,) before the columns, less that of their proposal (M,)."""
        counts, each = self.groups.counts[of], np.arange(len(of))
        density = self.groups.log_predictive(places, np.full(len(of), -1))[each, of]
        away = ((places[:, None, :] - self.about) ** 2).sum(axis=2)[:, :, None] / self.widths**2
        constant = self.about.shape[1] * np.log(self.widths) + 0.5 * self.about.shape[1] * np.log(2.0 * np.pi)
        beside = np.where((of[:, None] == self.labels)[:, :, None], -0.5 * away - constant, -np.inf)
        with np.errstate(divide="ignore"):
            near = logsumexp(beside, axis=(1, 2)) + np.log((1.0 - ALONE) / beside[0].size)
        empty = counts == 0.0
        return np.asarray(
            np.where(empty, np.log(concentration) - np.log(ALONE), np.log(np.maximum(counts, 1.0)) + density - near)
        )


def _nearest(Y: Array) -> Labels:
    """For each row the others (N, K) with the nearest columns."""
    distance = ((Y[:, None, :] - Y) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    return np.argsort(distance, axis=1, kind="stable")[:, : min(NEAR, len(Y) - 1)]


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
