"""A finite group of affine maps of the columns, and the check that it is one.

An element maps a row ``x`` (d,) to ``A x + b``. It may carry a sign: a function ``f`` has the symmetry of the group
when ``f(g x) = sign(g) f(x)`` for every element, so signs say which of them turn the function over. An element is told
from another by where it takes one fixed row of random numbers, at which two different affine maps never agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician.errors import InputError

__all__ = ["MOST_ELEMENTS", "MOST_NUMBERS", "Group", "Map", "generated", "group", "too_many", "trivial"]

Array = NDArray[np.float64]
Map = ArrayLike | tuple[ArrayLike, ArrayLike]

MOST_ELEMENTS = 256
MOST_NUMBERS = 20_000_000  # of all matrices together: 160 MB
IMAGE_TOLERANCE = 1e-8  # of the size of the images of the row


@dataclass(frozen=True, eq=False)
class Group:
    """A finite group of affine maps of ``d`` columns, the identity among them; made by `group` and in `groups`.

    ``group_one * group_two`` holds all products of an element of the one with an element of the other.
    """

    matrices: Array  # (g, d, d)
    offsets: Array  # (g, d)
    signs: Array  # (g,), 1 or -1

    def __len__(self) -> int:
        return len(self.signs)

    def __repr__(self) -> str:
        return f"Group({len(self)} maps of {self.columns} columns{', some with signs' if self.odd else ''})"

    def __mul__(self, other: Group) -> Group:
        if self.columns != other.columns:
            expected, found = f"groups of {self.columns} columns", f"one of {other.columns}"
            raise InputError.of(expected, found, "make both for all columns of the table")
        return _checked(_distinct(_composed(self, other)))

    @property
    def columns(self) -> int:
        """The number of columns, d."""
        return int(self.offsets.shape[1])

    @property
    def odd(self) -> bool:
        """Whether some element turns functions over."""
        return bool((self.signs < 0.0).any())

    def orbit(self, X: Array) -> Array:
        """The images (g, n, d) of rows ``X`` (n, d) under all elements."""
        images = (self.matrices.reshape(-1, self.columns) @ X.T).reshape(len(self), self.columns, len(X))
        return np.asarray(images.transpose(0, 2, 1) + self.offsets[:, None, :])


def group(maps: Iterable[Map], signs: Sequence[float] | None = None) -> Group:
    """A group from all its elements, the identity among them.

    Parameters
    ----------
    maps : iterable
        Each a permutation of the columns (d numbers from 0: column i of the image is column ``p[i]``), a matrix (d, d),
        or a pair of a matrix and an offset (d,).
    signs : sequence of 1 and -1, optional
        One for each map; all 1 without them.

    Raises
    ------
    InputError
        When the maps are no group: one twice, a product of two that is not among them, or signs that are not
        those of products.

    Examples
    --------
    >>> group([[0, 1], [1, 0]]).orbit(np.array([[3.0, 5.0]])).tolist()
    [[[3.0, 5.0]], [[5.0, 3.0]]]
    >>> group([[0, 1, 2], [1, 2, 0]])
    Traceback (most recent call last):
    ...
    autostatistician.errors.InputError: expected all products of the maps among them; found none for ...
    """
    return _checked(_collected(maps, signs))


def generated(maps: Iterable[Map], signs: Sequence[float] | None = None) -> Group:
    """The smallest group that holds some maps (see `group`): their products, and products of those, are added.

    Raises
    ------
    InputError
        When that are too many, as for a shift without end, or signs contradict each other.

    Examples
    --------
    >>> generated([[1, 2, 3, 0]])
    Group(4 maps of 4 columns)
    """
    given = _collected(maps, signs)
    elements = _distinct(_joined(trivial(given.columns), given))
    while True:
        larger = _distinct(_joined(elements, _composed(elements, given)))
        if len(larger) == len(elements):
            return _checked(elements)
        elements = larger


def trivial(columns: int) -> Group:
    """The identity alone.

    >>> trivial(2)
    Group(1 maps of 2 columns)
    """
    return Group(np.eye(columns)[None], np.zeros((1, columns)), np.ones(1))


def _collected(maps: Iterable[Map], signs: Sequence[float] | None) -> Group:
    pairs = [_affine(map_) for map_ in maps]
    if not pairs or len({len(b) for _, b in pairs}) > 1:
        raise InputError.of("one or more maps of the same columns", f"{len(pairs)} maps", "give others")
    weights = np.ones(len(pairs)) if signs is None else np.asarray(signs, dtype=np.float64)
    if weights.shape != (len(pairs),) or not set(weights) <= {1.0, -1.0}:
        raise InputError.of(f"{len(pairs)} signs, each 1 or -1", f"{signs}", "give one for each map")
    return Group(np.array([A for A, _ in pairs]), np.array([b for _, b in pairs]), weights)


def _affine(given: Map) -> tuple[Array, Array]:
    """The matrix and the offset of a map in one of the three ways to write it."""
    pair = isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 2
    matrix, offset = (given[0], given[1]) if pair else (given, None)  # type: ignore[index]
    A = np.asarray(list(matrix) if isinstance(matrix, range) else matrix, dtype=np.float64)
    d = len(A) if A.ndim else 0
    if A.ndim == 1 and d and sorted(A) == list(range(d)):
        A = np.eye(d)[A.astype(int)]
    b = np.zeros(d) if offset is None else np.asarray(offset, dtype=np.float64)
    if not d or A.shape != (d, d) or b.shape != (d,) or not (np.isfinite(A).all() and np.isfinite(b).all()):
        found = f"one of shape {A.shape}" + ("" if offset is None else f" with an offset of shape {b.shape}")
        raise InputError.of("a permutation of the columns, a matrix, or a matrix with an offset", found, "correct it")
    return A, b


def _joined(first: Group, other: Group) -> Group:
    arrays = ("matrices", "offsets", "signs")
    return Group(*(np.concatenate([getattr(first, name), getattr(other, name)]) for name in arrays))


def _composed(outer: Group, other: Group) -> Group:
    """All elements ``g h``, first h and then g; row by row of the table of products."""
    d, count = outer.columns, len(outer) * len(other)
    if count * d * d > MOST_NUMBERS:
        raise too_many(f"{count} products")
    matrices = np.einsum("gij,hjk->ghik", outer.matrices, other.matrices).reshape(-1, d, d)
    offsets = np.einsum("gij,hj->ghi", outer.matrices, other.offsets) + outer.offsets[:, None]
    return Group(matrices, offsets.reshape(-1, d), np.multiply.outer(outer.signs, other.signs).ravel())


def _images(elements: Group, X: Array) -> Array:
    """Where the elements take each row: (g, n d)."""
    return elements.orbit(X).reshape(len(elements), -1)


def _row(columns: int) -> Array:
    return np.random.default_rng(20140).normal(size=(1, columns))


def _same(first: Array, other: Array) -> NDArray[np.bool_]:
    """Which rows of images (g, d) and (h, d) agree: (g, h)."""
    size = max(float(np.abs(first).max()), float(np.abs(other).max()), 1.0)
    square = (first**2).sum(axis=1)[:, None] + (other**2).sum(axis=1) - 2.0 * first @ other.T
    near = square < 1e-6 * size**2 * first.shape[1]  # rounding of the squares leaves this much open
    rows, columns = np.nonzero(near)
    near[rows, columns] = np.abs(first[rows] - other[columns]).max(axis=1) < IMAGE_TOLERANCE * size
    return np.asarray(near)


def _distinct(elements: Group) -> Group:
    """Every element once, in the order of first appearance.

    Raises
    ------
    InputError
        When one comes with both signs, or there are too many.
    """
    same = _same(images := _images(elements, _row(elements.columns)), images)
    first = same.argmax(axis=1)
    if (elements.signs != elements.signs[first]).any():
        raise InputError.of("one sign for every element", "one with both", "change the signs")
    kept = np.unique(first)
    if len(kept) > MOST_ELEMENTS:
        raise too_many(f"more than {MOST_ELEMENTS}")
    return Group(elements.matrices[kept], elements.offsets[kept], elements.signs[kept])


def _checked(elements: Group) -> Group:
    """The same elements with the identity first.

    Raises
    ------
    InputError
        When they are no group.
    """
    row = _row(elements.columns)
    images = _images(elements, row)
    if (np.triu(_same(images, images), 1)).any():
        raise InputError.of("different maps", "one of them twice", "leave one out")
    identity = np.flatnonzero(_same(images, row)[:, 0])
    if not len(identity):
        raise InputError.of("the identity among the maps", "none", "add it, or give the maps to `generated`")
    for index, image in enumerate(elements.orbit(row)):
        same = _same(_images(elements, image), images)
        if not same.any(axis=1).all():
            what = f"none for map {int(same.any(axis=1).argmin())} after map {index}"
            raise InputError.of("all products of the maps among them", what, "add it, or give the maps to `generated`")
        if not same.any(axis=0).all():
            raise InputError.of("maps that can be undone", f"map {index}, which cannot", "leave it out")
        if (elements.signs[same.argmax(axis=1)] != elements.signs * elements.signs[index]).any():
            signs = f"{elements.signs.tolist()}"
            raise InputError.of("signs of products that are products of signs", signs, "change them")
    order = np.argsort(np.arange(len(elements)) != identity[0], kind="stable")
    return Group(elements.matrices[order], elements.offsets[order], elements.signs[order])


def too_many(found: str) -> InputError:
    """The error for a group that does not fit."""
    return InputError.of(f"at most {MOST_ELEMENTS} elements", found, "use fewer maps, or columns")
