"""What columns and sets of them account for in a fitted additive function: effects, shares, relevance.

Everything is in standard units: inputs as the kernel takes them, values in units of the spread of the target.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.averages import Averages, ByOrder, Combinations, SubsetEffect, standing
from autostatistician.additive.evidence import AdditiveFit
from autostatistician.inference.engines.inducing.conditioned import ConditionedByPoints

__all__ = ["Effects", "Relevance", "relevance", "relevance_sentence"]

Array = NDArray[np.float64]
Relevance = tuple[float, float]  # of a column: its share, and its share by itself, both in per cent

VARIANCE_DRAWS = 1000  # of independent columns, for the variance of orders above the second
ROW_SHUFFLES = 3
NEGLIGIBLE_PERCENT, SMALL_PERCENT = 0.1, 1.0
NEARLY_ALL = 0.8  # of the share


@dataclass(frozen=True, eq=False)
class Effects:
    """The effects of a fitted function, one for each set of columns (see `additive.averages`)."""

    fitted: AdditiveFit

    @cached_property
    def averages(self) -> Averages:
        """The averages over the data."""
        posterior = self.fitted.posterior
        if isinstance(posterior, ConditionedByPoints):
            return Averages(self.fitted.kernel, posterior.points, posterior.X)
        return Averages(self.fitted.kernel, posterior.X)

    def of(self, columns: tuple[int, ...], X: Array) -> tuple[Array, Array]:
        """Posterior mean and standard deviation (m,) of the effect of a set of columns at inputs (m, D)."""
        effect = self.fitted.posterior.project(None, SubsetEffect(self.averages, columns, X))
        return effect.mean, effect.sd

    def variances(self, order: int) -> dict[tuple[int, ...], float]:
        """The variance over the data of the mean of every effect of one column, or of two (independent ones)."""
        spreads = {}
        for columns in combinations(range(self.averages.X.shape[1]), order):
            mean = self.fitted.posterior.project(None, Combinations(self.averages, columns)).mean
            spreads[columns] = float(np.mean(np.square(mean)))
        return spreads

    def shares(self) -> dict[tuple[int, ...], float]:
        """The share in per cent of each column and pair in the variance of the mean; the empty tuple is the rest."""
        highest = max(self.fitted.kernel.layout.orders)
        parts = self.variances(1) | (self.variances(2) if highest > 1 else {})
        whole = (sum(parts.values()) + float(self._above_pairs.sum())) or 1.0
        shares = {columns: 100.0 * part / whole for columns, part in parts.items()}
        return {**shares, (): 100.0 * float(self._above_pairs.sum()) / whole}

    def orders(self) -> Array:
        """The same by order, from single columns on (orders,): of all sets of as many columns."""
        shares, highest = self.shares(), max(self.fitted.kernel.layout.orders)
        few = [sum(share for columns, share in shares.items() if len(columns) == order) for order in (1, 2)]
        return np.append(few[:highest], shares[()] * self._above_pairs / (float(self._above_pairs.sum()) or 1.0))

    @cached_property
    def _above_pairs(self) -> Array:
        """The variance of the mean by order from the third on, over draws of independent columns."""
        if max(self.fitted.kernel.layout.orders) <= 2:
            return np.zeros(0)
        rng = np.random.default_rng(0)  # any draws will do
        drawn = np.column_stack([rng.permutation(np.resize(values, VARIANCE_DRAWS)) for values in self.averages.at.T])
        means = self.fitted.posterior.project(None, ByOrder(self.averages, drawn)).mean
        return np.asarray(np.mean(means[:, 3:] ** 2, axis=0))


def relevance(fitted: AdditiveFit) -> list[Relevance]:
    """For every column what part of the variance of the fitted function over the data depends on it, in per cent.

    The share: half of the mean square by which the function changes when the value is that of another row and the
    rest stays (Jansen 1999), as a part of its variance; columns that act together each count what they do together.
    The share by itself: the variance of what the column does on average over the others.
    """

    def predict(inputs: Array) -> Array:
        return fitted.posterior.project(None, inputs).mean

    X = fitted.posterior.X
    at = standing(X)
    here = predict(at)
    variance = float(here.var())
    if variance <= 1e-12:
        return [(0.0, 0.0)] * X.shape[1]
    rng = np.random.default_rng(0)  # any order of the rows will do
    rows = np.concatenate([rng.permutation(len(at)) for _ in range(ROW_SHUFFLES)])
    shares = [float(np.mean((predict(_changed(at, column, rows)) - np.tile(here, ROW_SHUFFLES)) ** 2)) / 2.0
              for column in range(X.shape[1])]  # fmt: skip
    alone = Effects(fitted).variances(1)
    return [(100.0 * share / variance, 100.0 * alone[(column,)] / variance) for column, share in enumerate(shares)]


def _changed(X: Array, column: int, rows: NDArray[np.int64]) -> Array:
    """The rows several times, with the values of other rows in one column."""
    changed = np.tile(X, (ROW_SHUFFLES, 1))
    changed[:, column] = X[rows, column]
    return changed


def relevance_sentence(name: str, of_column: Relevance) -> str:
    """Whether a column matters, in words.

    >>> relevance_sentence("age", (54.2, 50.0))
    'age matters: 54 % of the variance of the fitted function, nearly all of it by itself.'
    >>> relevance_sentence("sand", (0.02, 0.01))
    'sand does not matter: less than 0.1 % of the variance of the fitted function depends on it.'
    """
    share, alone = of_column
    if share < NEGLIGIBLE_PERCENT:
        of_all = f"less than {NEGLIGIBLE_PERCENT} % of the variance of the fitted function"
        return f"{name} does not matter: {of_all} depends on it."
    size = f"{share:.0f}" if share >= 9.95 else f"{share:.1f}"
    if share < SMALL_PERCENT:
        return f"{name} hardly matters: {size} % of the variance of the fitted function."
    how = "nearly all of it by itself" if alone >= NEARLY_ALL * share else f"{min(alone, share):.0f} % by itself"
    return f"{name} matters: {size} % of the variance of the fitted function, {how}."
