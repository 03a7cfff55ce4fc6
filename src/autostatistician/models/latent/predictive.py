"""The density of further rows under the draws of a mixture, rows drawn from it, and the groups that rows belong to.

A further row has a group (one of those there, or a new one: Blackwell and MacQueen's urn), a latent place from the
Student-t distribution of that group, and columns from the functions at that place, noise included.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax

from autostatistician.models.latent.chain import MixturePrior
from autostatistician.models.latent.chains import Draws
from autostatistician.models.latent.partition import Groups

__all__ = ["companions", "drawn", "log_densities"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

NEAR = 5  # rows of the data, near a further row, about whose latent places some of its own are tried


def log_densities(
    draws: Draws, Y: Array, at: Array, prior: MixturePrior, rng: np.random.Generator, places: int
) -> Array:
    """The log density (M,) of rows (M, D), averaged over draws, with that many latent places for each row and draw."""
    each = [logsumexp(weights, axis=1) for _, weights, _ in _weighed(draws, Y, at, prior, rng, places)]
    return np.asarray(logsumexp(each, axis=0) - np.log(len(each)))


def companions(draws: Draws, Y: Array, at: Array, prior: MixturePrior, rng: np.random.Generator, places: int) -> Array:
    """How probable it is that rows (M, D) are in one group with rows of the data (N): (M, N), averaged over draws."""
    together = np.zeros((len(at), len(Y)))
    for labels, weights, chances in _weighed(draws, Y, at, prior, rng, places):
        share = softmax(weights, axis=1)
        together += np.einsum("mj,mjc->mc", share, chances)[:, labels]
    return together / max(len(draws.labels), 1)


def drawn(draws: Draws, Y: Array, prior: MixturePrior, rng: np.random.Generator, count: int) -> Array:
    """Further rows (count, D), each from one of the draws."""
    of_draws = np.sort(rng.integers(len(draws.labels), size=count))
    rows = []
    for k, number in zip(*np.unique(of_draws, return_counts=True), strict=True):
        groups = _groups(draws, int(k), prior)
        chosen = _chosen(groups, prior, int(number), rng)
        X = groups.draw(chosen, rng)
        mean, variance = (values[:, 0] for values in _columns(draws, int(k), Y, X, prior))
        rows.append(mean + np.sqrt(variance)[:, None] * rng.standard_normal(mean.shape))
    return np.asarray(rng.permutation(np.concatenate(rows)))


def _groups(draws: Draws, k: int, prior: MixturePrior) -> Groups:
    """The groups of a draw, and an empty one after them."""
    return Groups.of(prior.groups, draws.X[k], draws.labels[k], room=1)


def _chances(groups: Groups, prior: MixturePrior) -> Array:
    """How probable each group is for a further row (C,), the new one last."""
    counts = np.append(groups.counts[:-1], prior.concentration)
    return np.asarray(counts / counts.sum())


def _chosen(groups: Groups, prior: MixturePrior, count: int, rng: np.random.Generator) -> Labels:
    return np.asarray(rng.choice(len(groups.counts), size=count, p=_chances(groups, prior)))


def _columns(draws: Draws, k: int, Y: Array, X: Array, prior: MixturePrior) -> tuple[Array, Array]:
    """Means (M, 1, D) and variances (M, 1) of columns at latent places; without a warp the places themselves."""
    if not prior.warped:
        return X[:, None], np.zeros((len(X), 1))
    mean, variance = prior.warp(draws.X[k], draws.parameters[k], Y).predict(X)
    return mean[:, None], variance[:, None]


def _weighed(
    draws: Draws, Y: Array, at: Array, prior: MixturePrior, rng: np.random.Generator, places: int
) -> Iterator[tuple[Labels, Array, Array]]:
    """For each draw its labels (N,), log weights (M, J) that sum to a row's density, and chances (M, J, C) of groups.

    Half of the places are drawn for all rows from the mixture, the other half about those of the rows of the data that
    are near the row; weighed by what draws both together (the balance heuristic), the sum stays unbiased.
    """
    if not prior.warped:
        yield from ((draws.labels[k], *_directly(draws, k, at, prior)) for k in range(len(draws.labels)))
        return
    near = np.argsort(((at[:, None, :] - Y) ** 2).sum(axis=2), axis=1, kind="stable")[:, :NEAR]
    half = max(places // 2, 1)
    for k in range(len(draws.labels)):
        groups = _groups(draws, k, prior)
        about = draws.X[k][near]  # (M, NEAR, Q)
        width = np.sqrt(((about - about.mean(axis=1, keepdims=True)) ** 2).mean(axis=(1, 2))) + 1e-9
        shared = groups.draw(_chosen(groups, prior, half, rng), rng)
        # The same numbers for all rows: what is said of a row does not depend on the others.
        chosen, noise = rng.integers(near.shape[1], size=half), rng.standard_normal((half, about.shape[2]))
        nearby = about[:, chosen] + width[:, None, None] * noise
        X = np.concatenate([shared, nearby.reshape(-1, nearby.shape[2])])
        every = (*_columns(draws, k, Y, X, prior), _joint(groups, prior, X), X)
        mean, variance, joint, X = (_spread(values, half, len(at)) for values in every)
        of_mixture = logsumexp(joint, axis=2)
        proposal = np.logaddexp(of_mixture, _mixed(X, about, width)) - np.log(2.0)
        both = joint + _normal(at, mean, variance)  # of places, groups and columns
        weights = logsumexp(both, axis=2)
        yield draws.labels[k], weights - proposal - np.log(2.0 * half), np.exp(both - weights[:, :, None])


def _directly(draws: Draws, k: int, at: Array, prior: MixturePrior) -> tuple[Array, Array]:
    """Weights and chances where rows are their own places."""
    joint = _joint(_groups(draws, k, prior), prior, at)
    whole = logsumexp(joint, axis=1, keepdims=True)
    return whole, np.exp(joint - whole)[:, None, :]


def _joint(groups: Groups, prior: MixturePrior, X: Array) -> Array:
    """The log density (M, C) of places and groups."""
    outside = np.full(len(X), -1)
    return np.asarray(np.log(_chances(groups, prior)) + groups.log_predictive(X, outside))


def _spread(values: Array, shared: int, rows: int) -> Array:
    """Values at shared places and at those of each row (first axis) as (rows, places, ...)."""
    common = np.broadcast_to(values[:shared], (rows, *values[:shared].shape))
    return np.concatenate([common, values[shared:].reshape(rows, -1, *values.shape[1:])], axis=1)


def _mixed(X: Array, about: Array, width: Array) -> Array:
    """The log density (M, J) of places (M, J, Q) under normal ones about others (M, NEAR, Q), a width for each row."""
    distance = ((X[:, :, None, :] - about[:, None, :, :]) ** 2).sum(axis=3) / width[:, None, None] ** 2
    constant = X.shape[2] * (np.log(width)[:, None] + 0.5 * np.log(2.0 * np.pi)) + np.log(about.shape[1])
    return np.asarray(logsumexp(-0.5 * distance, axis=2) - constant)


def _normal(at: Array, mean: Array, variance: Array) -> Array:
    """The log density (M, J, C) of rows (M, D) under means (M, J, C, D) and variances (M, J, C)."""
    distance = ((at[:, None, None, :] - mean) ** 2).sum(axis=3) / variance
    return np.asarray(-0.5 * (distance + at.shape[1] * np.log(2.0 * np.pi * variance)))
