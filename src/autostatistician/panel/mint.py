"""Forecasts of series and of their sums made to add up (MinT, Wickramasuriya, Athanasopoulos and Hyndman 2019).

The nodes of a hierarchy are sums, first, and the n series below: a sum is a row of the matrix A of ones and zeros times
the series. Reconciled forecasts are the nearest ones that add up, in the metric of the covariance W of the errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array, diags_array

__all__ = ["ErrorModel", "Reconciliation", "error_model"]

Array = NDArray[np.float64]

FEWEST_ERRORS = 12  # of which correlations are estimated; a node with fewer has errors of its own
LEAST_SD = 1e-6  # of the largest
LEAST_SHRINKAGE = 1e-6  # so that errors that add up exactly, too, have a covariance with an inverse


@dataclass(frozen=True, eq=False)
class ErrorModel:
    """The covariance W of the errors of m nodes: their standard deviations, and correlations by few factors.

    Parameters
    ----------
    sds : array (m,)
    factors : array (m, k)
        Whose products are the correlations of the sample; k is the number of errors, far below m in large panels.
    shrinkage : float
        From these correlations (0) to none (1).
    """

    sds: Array
    factors: Array
    shrinkage: float

    @property
    def own(self) -> Array:
        """The share (m,) of its variance that each node has with no other."""
        return np.asarray(1.0 - (1.0 - self.shrinkage) * (self.factors**2).sum(axis=1))

    def times(self, weights: Array) -> Array:
        """W times a matrix (m, k)."""
        scaled = weights * self.sds[:, None]
        among = self.factors @ (self.factors.T @ scaled)
        return np.asarray(self.sds[:, None] * ((1.0 - self.shrinkage) * among + self.own[:, None] * scaled))

    def normals(self, rng: np.random.Generator, count: int) -> Array:
        """Standard normal draws (m, count) with the correlations of the sample as they are.

        Nothing is inverted here, so nothing is shrunk: the spread of a sum of errors is then that of the sample.
        """
        alone = np.sqrt(np.maximum(1.0 - (self.factors**2).sum(axis=1), 0.0))[:, None]
        common = rng.standard_normal((self.factors.shape[1], count))
        return np.asarray(self.factors @ common + alone * rng.standard_normal((len(self.sds), count)))


def error_model(errors: Array, usual: Array) -> ErrorModel:
    """The covariance of errors (T, m), shrunk towards none between different nodes as Schäfer and Strimmer 2005 do.

    Errors that are not known are NaN. A node with too few has the standard deviation in ``usual`` (m,), and errors of
    its own; so has each where fewer times are known than correlations need, which is weighted least squares.

    >>> rng = np.random.default_rng(0)
    >>> common = rng.standard_normal((200, 1))
    >>> model = error_model(common + 0.1 * rng.standard_normal((200, 3)), np.ones(3))
    >>> bool(model.shrinkage < 0.01), (model.factors @ model.factors.T).round(2)[0].tolist()
    (True, [1.0, 0.99, 0.99])
    """
    known = np.isfinite(errors)
    counts = known.sum(axis=0)
    means = np.where(known, errors, 0.0).sum(axis=0) / np.maximum(counts, 1)
    centred = np.where(known, errors - means, 0.0)
    squares = (centred**2).sum(axis=0)
    enough = (counts >= FEWEST_ERRORS) & (squares > 0.0)
    sds = np.where(enough, np.sqrt(squares / np.maximum(counts - 1, 1)), usual)
    sds = np.maximum(sds, LEAST_SD * sds.max() or 1.0)  # what is certain stays as it is, and has an inverse
    factors = np.where(enough, centred / np.sqrt(np.where(enough, squares, 1.0)), 0.0).T
    if not enough.any():
        return ErrorModel(sds, factors[:, :0], 1.0)
    return ErrorModel(sds, factors, max(_shrinkage(factors.T * np.sqrt(len(errors) - 1.0)), LEAST_SHRINKAGE))


def _shrinkage(x: Array) -> float:
    """By how much correlations of standardised values (T, m) are shrunk; Schäfer and Strimmer 2005, table 2, target D.

    The sums over all pairs of nodes are those of T times T products, however many nodes there are.

    >>> _shrinkage(np.random.default_rng(0).standard_normal((50, 5))) > 0.5
    True
    """
    count = len(x)
    of_squares = float(np.sum((x**2).sum(axis=1) ** 2) - np.sum(x**4))
    of_products = float(np.sum((x @ x.T) ** 2) - np.sum((x**2).sum(axis=0) ** 2))
    if of_products <= 0.0:
        return 1.0
    return float(np.clip(count * (of_squares - of_products / count) / ((count - 1.0) * of_products), 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Reconciliation:
    """The map from forecasts of all nodes, sums first, to those of the series that fit them best.

    Parameters
    ----------
    sums : csr_array (s, n)
        The matrix A, with ones where a series belongs to a sum.
    errors : ErrorModel
        Of s + n nodes.
    """

    sums: csr_array
    errors: ErrorModel

    @cached_property
    def _factor(self) -> tuple[Array, bool]:
        """The factor of U' W U, with U' = (I, -A), which takes forecasts that add up to zero."""
        sds, kept = self.errors.sds[:, None], 1.0 - self.errors.shrinkage
        shared = self._apart(sds * self.errors.factors)
        count = self.sums.shape[0]
        variances = self.errors.own * self.errors.sds**2
        own = diags_array(variances[:count]) + self.sums @ diags_array(variances[count:]) @ self.sums.T
        return cast(tuple[Array, bool], cho_factor(kept * shared @ shared.T + own.toarray(), lower=True))

    def _apart(self, forecasts: Array) -> Array:
        """U' times forecasts (s + n, k): by how much each sum lies above that of its series."""
        count = self.sums.shape[0]
        return np.asarray(forecasts[:count] - self.sums @ forecasts[count:])

    def series(self, forecasts: Array) -> Array:
        """The reconciled series (n, k) of forecasts (s + n, k): y - W U (U' W U)^-1 U' y, without its sums.

        >>> both = Reconciliation(csr_array(np.ones((1, 2))), ErrorModel(np.ones(3), np.zeros((3, 0)), 1.0))
        >>> both.series(np.array([[9.0], [2.0], [4.0]])).ravel().tolist()
        [3.0, 5.0]
        """
        moves = cho_solve(self._factor, self._apart(forecasts))
        moved = self.errors.times(np.concatenate([moves, -(self.sums.T @ moves)]))
        return np.asarray((forecasts - moved)[self.sums.shape[0] :])

    def normals(self, rng: np.random.Generator, count: int) -> Array:
        """Standard normal draws (s + n, count) for the errors of all nodes.

        Where correlations are not known, series are independent, and sums err as their series do together.
        """
        if self.errors.factors.shape[1]:
            return self.errors.normals(rng, count)
        sums, below = self.sums.shape
        own = rng.standard_normal((below, count))
        sds = self.errors.sds[sums:, None]
        above = self.sums @ (sds * own) / np.sqrt(np.maximum(self.sums @ sds**2, 1e-300))
        return np.concatenate([above, own])
