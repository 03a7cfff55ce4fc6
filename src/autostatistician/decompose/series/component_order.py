"""The order of the parts of a model: greedily, by what each adds to cross-validated prediction.

The rule of Lloyd et al. 2014 (supplement): ten contiguous folds; the parameters stay those of the full fit; each fold
is predicted from the other nine with the cross-covariance of the chosen parts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_FOLDS", "Counted", "Folds", "PartOrder", "fold_rows", "greedy_order", "mean_error"]

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Folds = Literal["contiguous", "overlapping"]

MOST_FOLDS = 10
# Signal parts that together make the prediction worse by more than this fraction may come after the noise; less is
# within the chance of ten folds.
_CLEARLY_WORSE = 0.05
# Of the error before any part: less is nothing, however much it is of what an exact curve leaves.
_NOTHING = 1e-3
_FAR = 1e3  # times the highest count: a part by itself may foresee more, but no error is told beyond all bounds


@dataclass(frozen=True)
class PartOrder:
    """Indices of the parts in greedy order, with the cross-validated error after each."""

    indices: tuple[int, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True)
class Counted:
    """Counts ``y`` (n,) for which pseudo-targets stand, in their order.

    ``expected`` gives the counts (m,) expected at values of the function (m,) about the typical level, at rows (m,).
    """

    y: Array
    expected: Callable[[Array, Rows], Array]

    def error(self, rest: Sequence[Array], targets: Sequence[Array], rows: Sequence[Rows]) -> float:
        """The root mean square error of predictions that leave this ``rest`` of the targets, fold by fold.

        A mean has the lowest of all predictions by it. By the mean absolute error that is the median: of counts that
        are mostly zero, zero.

        >>> counted = Counted(np.array([0.0, 2.0]), lambda f, rows: np.exp(f))
        >>> counted.error([np.array([1.0]), np.array([3.0])], [np.array([1.0]), np.array([3.0])], [[0], [1]])
        1.0
        """
        most = _FAR * float(self.y.max())
        squares = [
            np.mean((self.y[held] - np.minimum(self.expected(target - left, held), most)) ** 2)
            for left, target, held in zip(rest, targets, rows, strict=True)
        ]
        return float(np.sqrt(np.mean(squares)))


def fold_rows(n: int, folds: Folds = "contiguous") -> tuple[Rows, ...]:
    """The validation rows of each fold, contiguous blocks of rows; fewer folds than ten when there are fewer rows.

    "overlapping" is the rule of the original system, where a block begins with the last row of the one before.

    >>> [rows.tolist() for rows in fold_rows(12)][:3], [rows.tolist() for rows in fold_rows(12, "overlapping")][:3]
    ([[0], [1], [2]], [[0], [0, 1], [1, 2]])
    """
    count = min(MOST_FOLDS, n)
    edges = [n * fold // count for fold in range(count + 1)]
    extra = 1 if folds == "overlapping" else 0
    return tuple(np.arange(max(start - extra, 0), stop) for start, stop in pairwise(edges))


def mean_error(error: Sequence[Array]) -> float:
    """Mean over folds of the mean absolute error within the fold."""
    return float(np.mean([np.abs(fold).mean() for fold in error]))


def greedy_order(
    predictions: Sequence[Sequence[Array]],
    targets: Sequence[Array],
    noise: Sequence[bool],
    error_of: Callable[[Sequence[Array]], float] = mean_error,
) -> PartOrder:
    """Put parts in order: always the one next that lowers the error most (or raises it least).

    White noise predicts nothing, so it follows the signal, unless all remaining signal together would clearly spoil the
    prediction. Ties keep the given order. Predictions of the held-out values, the targets, are by part and fold; the
    error is of what they leave of the targets.

    >>> y = [np.array([1.0, 2.0])]
    >>> greedy_order([[np.zeros(2)], [np.array([0.5, 0.5])], [np.array([0.5, 1.5])]], y, [True, False, False])
    PartOrder(indices=(2, 1, 0), errors=(0.5, 0.0, 0.0))
    """
    remaining, rest = list(range(len(predictions))), list(targets)
    indices, errors = [], []
    while remaining:
        chosen = min(
            _eligible(remaining, rest, predictions, noise, _NOTHING * error_of(targets), error_of),
            key=lambda part: error_of(_after(rest, predictions[part])),
        )
        rest = _after(rest, predictions[chosen])
        remaining.remove(chosen)
        indices.append(chosen)
        errors.append(error_of(rest))
    return PartOrder(tuple(indices), tuple(errors))


def _after(rest: Sequence[Array], prediction: Sequence[Array]) -> list[Array]:
    return [error - fold for error, fold in zip(rest, prediction, strict=True)]


def _eligible(
    remaining: Sequence[int],
    rest: Sequence[Array],
    predictions: Sequence[Sequence[Array]],
    noise: Sequence[bool],
    nothing: float,
    error_of: Callable[[Sequence[Array]], float],
) -> list[int]:
    """The parts that may come next: signal while there is some that is worth it, then noise."""
    signal = [part for part in remaining if not noise[part]]
    if not signal or len(signal) == len(remaining):
        return list(remaining)
    together = [sum(folds) for folds in zip(*(predictions[part] for part in signal), strict=True)]
    after = error_of(_after(rest, [np.asarray(fold) for fold in together]))
    spoilt = after > (1.0 + _CLEARLY_WORSE) * error_of(rest) + nothing
    return [part for part in remaining if noise[part]] if spoilt else signal
