"""Where latent coordinates begin: at places that say how far it is from row to row along the shortest tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse.csgraph import minimum_spanning_tree, shortest_path
from scipy.spatial.distance import pdist, squareform

__all__ = ["tree_places"]

Array = NDArray[np.float64]

APART = 1e-6  # added to distances: none at all is no edge of a graph


def tree_places(Y: Array, dimensions: int) -> Array:
    """Coordinates (N, Q) whose distances are near to those along the shortest tree that joins all rows.

    A curve of rows is straight then, and a ring is cut open where its rows are farthest apart: what functions of a
    latent space bend, and groups in it are not. Distances are mapped as by classical scaling (Torgerson 1952); those
    along all near neighbours (Tenenbaum et al. 2000) would leave a ring a ring.

    Examples
    --------
    >>> corner = np.array([[0.0, 2.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    >>> np.abs(np.diff(tree_places(corner, 1)[:, 0])).round(4).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    n = len(Y)
    tree = minimum_spanning_tree(squareform(pdist(Y) + APART))
    squares = shortest_path(tree, directed=False) ** 2
    rows = squares.mean(axis=0)
    inner = -0.5 * (squares - rows - rows[:, None] + rows.mean())
    count = min(dimensions, n)
    values, vectors = eigh(inner, subset_by_index=[n - count, n - 1])
    X = np.zeros((n, dimensions))
    X[:, :count] = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1]
    return X
