"""What columns and sets of them account for in a fitted model: effects, shares, relevance.

A function of independent columns is a constant, what each column does on average over the others, what each pair does
beyond that, and so on: a sum of parts each of which averages to zero over any one of its columns (functional analysis
of variance; Sobol 1993). A product of kernels of single columns stays one when an average over a column is taken, so
the parts of an additive process are known with their uncertainty (Durrande et al. 2013), whether or not the terms of
its kernel can stand in for each other. The columns have the values of the data here, of `STANDING_ROWS` rows at most.

Everything is in standard units: inputs as the kernel takes them, values in units of the spread of the target.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.evidence import Fitted
from autostatistician.additive.orders import polynomials

__all__ = ["Parts", "Relevance", "relevance", "relevance_sentence"]

Array = NDArray[np.float64]
Relevance = tuple[float, float]  # of a column: its share, and its share by itself, both in per cent

STANDING_ROWS = 200  # of the data that stand for all of them
VARIANCE_DRAWS = 5000  # of independent columns, for the variance of the whole function
ROW_SHUFFLES = 3
NEGLIGIBLE_PERCENT, SMALL_PERCENT, NEARLY_ALL = 0.1, 1.0, 0.8  # per cent, per cent, part of the share


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a fitted function, one for each set of columns.

    Parameters
    ----------
    fitted : Fitted
    X : array (n, D)
        The inputs that it was fitted to.
    """

    fitted: Fitted
    X: Array

    def effect(self, columns: tuple[int, ...], X: Array) -> tuple[Array, Array]:
        """Posterior mean and standard deviation (m,) of the part of a set of columns at inputs (m, D)."""
        cross, prior = np.zeros((len(X), len(self.X))), np.zeros(len(X))
        for group in range(len(self._groups)):
            product, own = np.ones_like(cross), np.ones(len(X))
            for column in columns:
                product *= self._kernel(group, column, X, self.X) - self._means[group][column]
                own *= self._variance(group, column, X)
            cross += product * self._rest(group, columns, self._means[group])
            prior += own * self._rest(group, columns, self._constants[group])
        reduced = self.fitted.factor.half_solve(np.asfortranarray(cross.T))
        variance = prior - np.einsum("ij,ij->j", reduced, reduced)
        return cross @ self.fitted.alpha, np.sqrt(np.maximum(variance, 0.0))

    def variances(self, order: int) -> dict[tuple[int, ...], float]:
        """The variance over the data of the mean of every part of one column, or of two (independent ones)."""
        centred = [
            [self._kernel(group, column, self._at, self.X) - means for column, means in enumerate(self._means[group])]
            for group in range(len(self._groups))
        ]
        found = {}
        for columns in combinations(range(self.X.shape[1]), order):
            total: Array | float = 0.0
            for group, each in enumerate(centred):
                weighted = each[columns[0]] * (self._rest(group, columns, self._means[group]) * self.fitted.alpha)
                total = total + (weighted.sum(axis=1) if order == 1 else weighted @ each[columns[1]].T)
            found[columns] = float(np.mean(np.square(total)))
        return found

    def shares(self) -> dict[tuple[int, ...], float]:
        """The share in per cent of each column and pair in the variance of the mean; the empty tuple is the rest.

        The variance of the whole is that over draws of all columns, each by itself, so the rest is not exact.
        """
        rng = np.random.default_rng(0)  # any draws will do
        drawn = np.column_stack([rng.permutation(np.resize(one, VARIANCE_DRAWS)) for one in self._at.T])
        whole = float(np.var(self.fitted.kernel.covariance(drawn, self.X) @ self.fitted.alpha)) or 1.0
        highest = max(self.fitted.kernel.layout.orders)
        found = {one: part for order in (1, 2) if order <= highest for one, part in self.variances(order).items()}
        whole = max(whole, sum(found.values()))
        shares = {one: 100.0 * part / whole for one, part in found.items()}
        return {**shares, (): max(100.0 - sum(shares.values()), 0.0)}

    # --- kernels of single columns, averaged over the data ---

    @cached_property
    def _at(self) -> Array:
        return _some(self.X)

    @cached_property
    def _groups(self) -> list[tuple[list[Array], Array]]:
        return [(own, weights) for own, weights, _ in self.fitted.kernel.groups()]

    @cached_property
    def _means(self) -> list[Array]:
        """By group and column, the mean over the data of the covariance with each input (D, n)."""
        columns = range(self.X.shape[1])
        return [
            np.array([self._kernel(group, column, self._at, self.X).mean(axis=0) for column in columns])
            for group in range(len(self._groups))
        ]

    @cached_property
    def _constants(self) -> list[Array]:
        """By group and column, the mean over all pairs of the data (D, 1)."""
        columns = range(self.X.shape[1])
        return [
            np.array([[self._kernel(group, column, self._at, self._at).mean()] for column in columns])
            for group in range(len(self._groups))
        ]

    def _kernel(self, group: int, column: int, X: Array, other: Array) -> Array:
        base, numbers = self.fitted.kernel.layout.bases[column], self._groups[group][0][column]
        return base.value(X[:, column, None], other[None, :, column], numbers)

    def _variance(self, group: int, column: int, X: Array) -> Array:
        """The prior variance (m,) of what is left of one column without its average over the data."""
        base, numbers = self.fitted.kernel.layout.bases[column], self._groups[group][0][column]
        own = base.value(X[:, column], X[:, column], numbers)
        return np.asarray(
            own - 2.0 * self._kernel(group, column, X, self._at).mean(axis=1) + self._constants[group][column]
        )

    def _rest(self, group: int, columns: tuple[int, ...], z: Array) -> Array:
        """The weighted sum over all ways in which other columns ``z`` (D, m) join a set of columns (m,)."""
        weights = self._groups[group][1][len(columns) :]
        others = np.delete(z, list(columns), axis=0)
        return np.asarray(weights @ polynomials(others, len(weights) - 1)) if len(weights) else np.zeros(z.shape[1])


def relevance(fitted: Fitted, X: Array) -> list[Relevance]:
    """For every column what part of the variance of the fitted function over the data depends on it, in per cent.

    The share: half of the mean square by which the function changes when the value is that of another row and the
    rest stays (Jansen 1999), as a part of its variance; columns that act together each count what they do together.
    The share by itself: the variance of what the column does on average over the others.
    """

    def predict(inputs: Array) -> Array:
        return np.asarray(fitted.kernel.covariance(inputs, X) @ fitted.alpha)

    at = _some(X)
    here = predict(at)
    variance = float(here.var())
    if variance <= 1e-12:
        return [(0.0, 0.0)] * X.shape[1]
    rng = np.random.default_rng(0)  # any order of the rows will do
    rows = np.concatenate([rng.permutation(len(at)) for _ in range(ROW_SHUFFLES)])
    shares = [float(np.mean((predict(_changed(at, column, rows)) - np.tile(here, ROW_SHUFFLES)) ** 2)) / 2.0
              for column in range(X.shape[1])]  # fmt: skip
    parts = Parts(fitted, X).variances(1)
    return [(100.0 * share / variance, 100.0 * parts[(column,)] / variance) for column, share in enumerate(shares)]


def _changed(X: Array, column: int, rows: NDArray[np.int64]) -> Array:
    """The rows several times, with the values of other rows in one column."""
    changed = np.tile(X, (ROW_SHUFFLES, 1))
    changed[:, column] = X[rows, column]
    return changed


def relevance_sentence(name: str, found: Relevance) -> str:
    """Whether a column matters, in words.

    >>> relevance_sentence("age", (54.2, 50.0))
    'age matters: 54 % of the variance of the fitted function, nearly all of it by itself.'
    >>> relevance_sentence("sand", (0.02, 0.01))
    'sand does not matter: less than 0.1 % of the variance of the fitted function depends on it.'
    """
    share, alone = found
    if share < NEGLIGIBLE_PERCENT:
        of_all = f"less than {NEGLIGIBLE_PERCENT} % of the variance of the fitted function"
        return f"{name} does not matter: {of_all} depends on it."
    size = f"{share:.0f}" if share >= 9.95 else f"{share:.1f}"
    if share < SMALL_PERCENT:
        return f"{name} hardly matters: {size} % of the variance of the fitted function."
    how = "nearly all of it by itself" if alone >= NEARLY_ALL * share else f"{min(alone, share):.0f} % by itself"
    return f"{name} matters: {size} % of the variance of the fitted function, {how}."


def _some(X: Array) -> Array:
    """At most `STANDING_ROWS` of the rows, evenly spaced."""
    return X if len(X) <= STANDING_ROWS else X[np.linspace(0, len(X) - 1, STANDING_ROWS).round().astype(int)]
