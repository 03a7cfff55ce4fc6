"""Forecasts that allow for a break after the data: a mixture of scales about what the models expect.

The average over models is over structures of the language that the data show. A series may also leave them after its
last row: a new level, another slope, a crisis. No data before tell of it, so the chance and the size were taken from
other series (benchmarks/learn_ahead.py): in one of ten forecasts the error is drawn with three times the standard
deviation, in the others with nine tenths of it, as the models alone are then a little too wide in the middle. Ranges of
80 % hardly change by this, those of 95 % become a fifth wider; no mean moves. How many values lie outside does not
depend on how far ahead they are (the ranges of the models widen as it is), so neither does the mixture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Kind
from autostatistician.data.transform import Transform
from autostatistician.model.fitted import Model

__all__ = ["may_break", "outside", "with_breaks"]

Array = NDArray[np.float64]

IDENTITY = Transform()
STEPS = 6  # of Newton's method
LEAST_SLOPE, TINY, NEAR = 0.1, 1e-300, 0.1  # the last in standard deviations

CHANCE = 0.1  # that what was before the end of the data does not go on
WIDER, NARROWER = 3.0, 0.9  # standard deviations after a break and without one, of those of the models


def outside(model: Model, X: Array) -> NDArray[np.bool_]:
    """Which rows (m, 1) lie before a series or after it (m,)."""
    x = model.dataset.X[:, 0]
    return np.asarray((X[:, 0] < x.min()) | (X[:, 0] > x.max()))


def may_break(model: Model, X: Array) -> NDArray[np.bool_]:
    """Which observations at rows (m, d) of a model may follow a break (m,): those outside a series of numbers."""
    is_series = model.dataset.kind is Kind.SERIES and not model.problem.likelihood.is_latent
    if not is_series or model.counted is not None:  # what counts do beyond their own spread was not learned
        return np.zeros(len(X), dtype=np.bool_)
    return outside(model, X)


def with_breaks(
    moments: tuple[Array, Array],
    weights: Array,
    rows: NDArray[np.bool_],
    transform: Transform = IDENTITY,
    *,
    widest: float = np.inf,
) -> tuple[Array, Array, Array]:
    """Members without a break and with one: means and standard deviations (2k, m), and weights (2k,).

    Parameters
    ----------
    moments : arrays (k, m)
        Means and standard deviations of the members, on the scale of the model.
    weights : array (k,)
        Of the members.
    rows : array (m,)
        What may follow a break; the others stay as they are.
    transform : Transform
        The map of the target: means in the units of the data stay, whatever the scale of the model.
    widest : float
        No standard deviation gets wider by a break than this.

    Examples
    --------
    >>> moments, rows = (np.zeros((1, 2)), np.ones((1, 2))), np.array([False, True])
    >>> means, sds, weights = with_breaks(moments, np.ones(1), rows)
    >>> means.tolist(), sds.tolist(), weights.tolist()
    ([[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.9], [1.0, 3.0]], [0.9, 0.1])
    """
    means, sds = moments
    wider = np.maximum(np.minimum(WIDER * sds, widest), sds)
    both = np.where(rows, np.stack([NARROWER * sds, wider]), sds)
    level = np.stack([means, means])
    if transform.is_odds:
        level = _same_shares(transform, level, np.stack([sds, sds]), both)
    elif transform.is_power:
        level = _same_means(transform, level, np.stack([sds, sds]), both)
    elif transform.is_log:
        level = level - 0.5 * (both**2 - sds**2)  # of lognormal distributions
    shares = np.concatenate([(1.0 - CHANCE) * weights, CHANCE * weights])
    return np.concatenate(level), np.concatenate(both), shares


def _same_means(transform: Transform, means: Array, before: Array, after: Array) -> Array:
    """Where values on the scale of the model lie with standard deviations ``after`` for the means that they have now.

    By Newton's method with the slope of a secant; a step is no longer than a standard deviation.
    """
    wanted, _ = transform.moments(means, before)
    level = means
    for _ in range(STEPS):
        low, here, high = (transform.moments(level + by * after, after)[0] for by in (-NEAR, 0.0, NEAR))
        step = 2.0 * NEAR * after * (wanted - here) / np.maximum(high - low, TINY)
        level = level + np.clip(step, -after, after)
    return np.asarray(level)


def _same_shares(transform: Transform, means: Array, before: Array, after: Array) -> Array:
    """Where logarithms of odds lie with standard deviations ``after`` for the mean shares that they have now.

    By Newton's method for the odds of the mean share p, whose logarithm has the slope ``1 - var / (p (1 - p))``.
    """
    wanted, _ = transform.moments(means, before)
    level, goal = means, transform.forward(wanted)
    for _ in range(STEPS):
        found, sd = transform.moments(level, after)
        slope = 1.0 - sd**2 / np.maximum(found * (transform.top - found), TINY)
        level = level + (goal - transform.forward(found)) / np.maximum(slope, LEAST_SLOPE)
    return np.asarray(level)
