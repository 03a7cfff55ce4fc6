"""One of several classes, each with a latent function of its own; the largest of these is the most probable.

Classes are coded 0, 1, ..., and functions are columns: arrays (n, number of classes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

__all__ = ["Softmax"]

Array = NDArray[np.float64]

DRAWS = 2000  # of an average over functions


@dataclass(frozen=True)
class Softmax:
    """The probability of a class is the exponential of its function as a share of those of all.

    Examples
    --------
    >>> Softmax(2).log_density(np.array([1.0]), np.array([[0.0, np.log(3.0)]])).round(4).tolist()
    [-0.2877]
    """

    classes: int

    def seen(self, y: Array) -> Array:
        """One where a row has the class, else zero: (n, classes)."""
        return np.asarray(y[:, None] == np.arange(self.classes), dtype=np.float64)

    def probability(self, f: Array) -> Array:
        """Of every class (n, classes)."""
        return np.asarray(softmax(f, axis=-1))

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of the classes of rows."""
        return np.asarray((log_softmax(f, axis=1) * self.seen(y)).sum(axis=1))

    def drawn(self, mean: Array, covariance: Array) -> Array:
        """Probabilities (draws, m, classes) for functions drawn from normal distributions, always by the same draws.

        Parameters
        ----------
        mean, covariance : arrays (m, classes) and (m, classes, classes)
            Of the functions at m places.
        """
        normal = np.random.default_rng(0).standard_normal((DRAWS // 2, self.classes))
        values, vectors = np.linalg.eigh(covariance)
        roots = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
        moved = np.einsum("mij,dj->dmi", roots, np.vstack([normal, -normal]))
        return self.probability(mean + moved)
