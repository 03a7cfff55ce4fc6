"""Where latent coordinates begin: by the shortest tree of the rows, or by their principal components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse.csgraph import minimum_spanning_tree, shortest_path
from scipy.spatial.distance import pdist, squareform

__all__ = ["first_places", "principal_places", "tree_places"]

Array = NDArray[np.float64]

SMALLEST = 1e-12  # size of coordinates by which they are divided
APART = 1e-6  # added to distances: none at all is no edge of a graph


def first_places(Y: Array, dimensions: int, chain: int) -> Array:
    """Where a chain begins (N, Q), by its number from 0: by the shortest tree and by principal components in turn.

    Chains that began alike would agree on a mode that only their beginning leads to, and R-hat would not tell. The
    first one begins with the tree where there are as many coordinates as columns: there bent groups have to be made
    straight. Where there are fewer it begins with principal ones: across many columns the tree follows noise too.

    Examples
    --------
    >>> Y = np.random.default_rng(0).standard_normal((9, 3))
    >>> np.array_equal(first_places(Y, 3, 1), Y), np.array_equal(first_places(Y, 2, 1), tree_places(Y, 2))
    (True, True)
    """
    by_tree = (chain % 2 == 0) == (dimensions == Y.shape[1])
    return tree_places(Y, dimensions) if by_tree else principal_places(Y, dimensions)


def principal_places(Y: Array, dimensions: int) -> Array:
    """Principal coordinates (N, Q) of centred columns, of size 1 on the whole; the columns where Q is their number.

    Examples
    --------
    >>> line = np.array([[-2.0, -2.0], [0.0, 0.0], [2.0, 2.0]])
    >>> np.abs(principal_places(line, 1)[:, 0]).round(4).tolist()
    [1.2247, 0.0, 1.2247]
    """
    if dimensions == Y.shape[1]:
        return Y.copy()
    left, values, _ = np.linalg.svd(Y, full_matrices=False)
    X = np.zeros((len(Y), dimensions))
    X[:, : len(values)] = (left * values)[:, :dimensions]
    return X / max(float(np.sqrt((X * X).mean())), SMALLEST)


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
