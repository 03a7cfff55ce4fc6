"""A weak prior under which parameters of one kind are like each other: each is normal around a size that all share.

The size is itself normal around what is usual, and integrated out. With little data lengthscales of many columns stay
near one that all of them share, as if there were but one; with more data each goes its own way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Together"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Together:
    """Normal priors of coordinates (p,), those that are ``alike`` with a common part.

    Parameters
    ----------
    mean, width : arrays (p,)
        Of each coordinate; of those that are alike the width is the one about what they share.
    alike : array (p,) of bool
        Which are of one kind.
    common_width : float
        Of what they share.

    Examples
    --------
    >>> prior = Together(np.zeros(2), np.ones(2), np.array([True, True]), 1.0)
    >>> value, slope = prior.penalty(np.array([1.0, 1.0]))  # two that agree are as likely as one with variance 3 / 2
    >>> round(value, 4), slope.round(4).tolist()
    (0.3333, [0.3333, 0.3333])
    """

    mean: Array
    width: Array
    alike: NDArray[np.bool_]
    common_width: float

    def penalty(self, u: Array) -> tuple[float, Array]:
        """Minus the log density but for a constant, and its derivatives (p,)."""
        off = u - self.mean
        slope = off / self.width**2
        weights = np.where(self.alike, self.width**-2.0, 0.0)
        share = float(weights @ off) / (self.common_width**-2.0 + float(weights.sum()))
        slope = slope - weights * share
        return 0.5 * float(off @ slope), slope

    def draw(self, rng: np.random.Generator, scale: float = 1.0) -> Array:
        """A draw (p,), so many times as wide."""
        apart = self.width * rng.standard_normal(len(self.mean))
        common = self.common_width * float(rng.standard_normal())
        return np.asarray(self.mean + scale * (apart + np.where(self.alike, common, 0.0)))

    @property
    def root(self) -> Array:
        """The lower triangle (p, p) whose square is the covariance of the coordinates.

        >>> prior = Together(np.zeros(2), np.ones(2), np.array([True, True]), 1.0)
        >>> (prior.root @ prior.root.T).round(4).tolist()
        [[2.0, 1.0], [1.0, 2.0]]
        """
        alike = self.alike.astype(np.float64)
        among = np.diag(self.width**2) + self.common_width**2 * np.outer(alike, alike)
        return np.asarray(np.linalg.cholesky(among), dtype=np.float64)
