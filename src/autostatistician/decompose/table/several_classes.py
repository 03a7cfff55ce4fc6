"""How well several classes are foreseen together, from how well each is against the rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.several_classes import ForeseenOfSeveral, SeveralClasses
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.decompose.table.classes_left_out import MOST_SURPRISING, SURPRISING

__all__ = ["foreseen_together", "shared_out", "together"]

Array = NDArray[np.float64]


def shared_out(chances: Array) -> Array:
    """Chances (..., classes) of each class against the rest as shares of their sum.

    >>> shared_out(np.array([0.8, 0.6, 0.2])).round(3).tolist()
    [0.5, 0.375, 0.125]
    """
    return np.asarray(chances / chances.sum(axis=-1, keepdims=True))


def together(dataset: Dataset, each: tuple[TableDecomposition, ...]) -> SeveralClasses:
    """The records of each class against the rest as one; the data are those of all classes."""
    left_out = [record.foreseen for record in each]
    chances = np.column_stack([out.chance for out in left_out if out is not None])
    foreseen = foreseen_together(dataset.y.astype(np.intp), chances)
    return SeveralClasses(
        dataset.name, dataset.target, dataset.classes, each, foreseen, dataset.warnings, dataset.choice
    )


def foreseen_together(came: NDArray[np.intp], against_rest: Array) -> ForeseenOfSeveral:
    """How well classes (n,) are foreseen by the chances (n, classes) that each has against the rest.

    >>> out = foreseen_together(np.array([0, 1, 2]), np.array([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.0, 0.0, 0.5]]))
    >>> out.taken.tolist(), round(out.wrong, 2)
    ([[1, 0, 0], [1, 0, 0], [0, 0, 1]], 0.33)
    """
    n, count = against_rest.shape
    chance = shared_out(against_rest)
    given, sizes = chance[np.arange(n), came], np.bincount(came, minlength=count)
    by_share = sizes[came] / (n + count - 1)  # of the others, by Laplace's rule of succession
    gains, likeliest = np.log(given) - np.log(by_share), chance.argmax(axis=1)
    taken = np.zeros((count, count), dtype=np.intp)
    np.add.at(taken, (came, likeliest), 1)
    rare = sorted(np.flatnonzero(given < SURPRISING).tolist(), key=lambda row: (given[row], row))
    return ForeseenOfSeveral(
        came=came, chance=chance, log_score=float(np.log(given).mean()),
        log_score_of_share=float(np.log(by_share).mean()),
        log_score_gain_sd=float(gains.std(ddof=1) / np.sqrt(n)) if n > 1 else 0.0,
        wrong=float(np.mean(likeliest != came)), wrong_of_share=1.0 - float(sizes.max()) / n, taken=taken,
        surprising=tuple(rare[:MOST_SURPRISING]), surprises_expected=float(chance[chance < SURPRISING].sum()),
    )  # fmt: skip
