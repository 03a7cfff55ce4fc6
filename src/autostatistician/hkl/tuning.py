"""Losses on rows that were held out, penalty by penalty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.hkl.losses import LogisticLoss, Loss, SquaredLoss
from autostatistician.hkl.path import PathSettings, path

__all__ = ["folds_of", "held_out_losses"]

Array = NDArray[np.float64]


def folds_of(groups: Array, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """A fold for each row (n,), by chance, with like shares of every group.

    >>> folds = folds_of(np.array([0.0, 1.0, 0.0, 1.0]), 2, np.random.default_rng(0))
    >>> sorted(folds[[0, 2]].tolist()), sorted(folds[[1, 3]].tolist())
    ([0, 1], [0, 1])
    """
    order = rng.permutation(len(groups))
    order = order[np.argsort(groups[order], kind="stable")]
    folds = np.empty(len(groups), dtype=np.intp)
    folds[order] = np.arange(len(groups)) % count
    return folds


def held_out_losses(
    X: Array,
    loss: SquaredLoss | LogisticLoss,
    folds: NDArray[np.intp],
    penalties: Sequence[float],
    settings: PathSettings,
) -> Array:
    """The mean loss on the rows that are held out, for falling penalties.

    Parameters
    ----------
    X : array (n, p)
        Standardised columns.
    folds : array (n,)
        In which fold each row is held out.
    """
    sums = np.zeros(len(penalties))
    for held in (folds == fold for fold in np.unique(folds)):
        inside, outside = (replace(loss, y=loss.y[rows]) for rows in (~held, held))
        sums += held.sum() * _losses(X[~held], inside, X[held], outside, penalties, settings)
    return sums / len(X)


def _losses(
    X: Array, loss: Loss, X_held: Array, held: Loss, penalties: Sequence[float], settings: PathSettings
) -> Array:
    return np.array([held.mean(solution.values(X_held)) for solution in path(X, loss, penalties, settings)])
