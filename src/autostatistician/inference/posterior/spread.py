"""Normal draws that lie spread out, so that few of them stand for the distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

__all__ = ["spread_normals"]

Array = NDArray[np.float64]

TAIL = 1e-12  # keeps the last place below 1


def spread_normals(rng: np.random.Generator, count: int, size: int) -> Array:
    """As many standard normal vectors (count, size), each coordinate of which has one in every count-th of its range.

    Each by itself is a plain draw; sums and shares over all of them vary less from seed to seed than those of
    independent ones (Latin hypercubes; McKay, Beckman and Conover 1979).

    Parameters
    ----------
    rng : Generator
        Of the order in every coordinate, and of the places within the parts.
    count, size : int
        Vectors, and their coordinates.

    Examples
    --------
    >>> found = spread_normals(np.random.default_rng(0), 4, 2)
    >>> np.sort(found > 0.0, axis=0).tolist()
    [[False, False], [False, False], [True, True], [True, True]]
    """
    parts = rng.permuted(np.tile(np.arange(count, dtype=np.float64)[:, None], size), axis=0)
    return np.asarray(ndtri((parts + 1.0 - rng.random((count, size))) / (count + TAIL)))
